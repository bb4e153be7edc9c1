"""Manousakas, Mascolo, Beresford, Chan, Sharma 2018: Quantifying Privacy Loss of Human Mobility Graph Topology.

Its networks: Table 1, 2 and Fig. 2 to 6. The paper's phones were never published; three stand-ins take their place:
many people with short traces and, under ids that end in ``-web`` and ``-gowalla``, few people with long ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import singleout as so
from singleout.ground.names import MarkovTest
from singleout.ground.progress import stage
from singleout.measures.intervals import wilson
from singleout.papers.attacks import rises
from singleout.papers.data_sets import BROWSING, CHECKINS, GOWALLA, Shelf
from singleout.papers.registry import reproduces
from singleout.papers.result import SAME, Data, Finding, Reproduction, Row
from singleout.papers.traces import HOW_BUILT, Traces, Way

LOGS = {
    CHECKINS: ("", "check-ins"),
    BROWSING: ("-web", "web visits"),
    GOWALLA: ("-gowalla", "busiest of Gowalla"),
}
PEOPLE = 1_500
GRAPHS = Data("all graphs", SAME, "numbers of graphs")
FIGURES = ("nodes", "edges", "density", "clustering", "diameter", "mean path", "recurrence")
TABLE_1 = {
    50: ((49.92, 236.55, 0.19, 0.70, 3.42, 1.93, 0.847), (1.26, 78.14, 0.06, 0.07, 0.86, 0.20, 0.056)),
    100: ((98.33, 387.05, 0.08, 0.60, 4.67, 2.33, 0.783), (7.93, 144.73, 0.03, 0.10, 1.48, 0.40, 0.078)),
    200: ((179.23, 548.21, 0.04, 0.47, 7.52, 3.07, 0.730), (37.82, 246.11, 0.02, 0.12, 4.21, 1.18, 0.099)),
    None: ((334.60, 741.64, 0.02, 0.33, 15.98, 4.84, 0.688), (235.81, 527.28, 0.02, 0.09, 10.18, 2.93, 0.123)),
}
TABLE_2 = {
    "undirected": {4: 11, 5: 34, 6: 156, 7: 1_044, 8: 12_346, 9: 274_668},
    "directed": {4: 2_128, 5: 9_608, 6: 1_540_944, 7: 882_033_440},
}
MISPRINT = {"directed": {4: 218}}
ORDERED, FEW_ORDERED = (20, 50, 100, 200, 500, None), (20, 100, None)
TESTS: tuple[MarkovTest, ...] = ("scholtes", "classical", "bic")
DIRECTIONS = {"directed": True, "undirected": False}
STRONGEST = 0.1

OnALog = Callable[[Shelf, Data], Reproduction]


def on_each_log(name: str, title: str) -> Callable[[OnALog], OnALog]:
    """Register a function once for each stand-in, with its own id."""

    def _register(run: OnALog) -> OnALog:
        for data, (suffix, kind) in LOGS.items():
            _list_one(run, name + suffix, f"{title}, {kind}", data)
        return run

    return _register


def _list_one(run: OnALog, name: str, title: str, data: Data) -> None:
    @reproduces(name, title, data)
    def _on_this_one(shelf: Shelf) -> Reproduction:
        return run(shelf, data)


def size_of(traces: Traces) -> str:
    """The size of the data and of the paper's: shorter traces seem more unique."""
    whole = traces.whole()
    assert whole.sequences is not None
    visits, days = np.median(whole.trace_lengths), whole.sequences.days.mean()
    chosen = "".join(f" {note}." for note in traces.events.step_notes)
    sizes = f"{visits:,.0f} visits (median), {days:,.0f} days on average (430)"
    return f"{len(whole):,} people (paper 1,500), {sizes}.{chosen}"


def tied_at_the_end(traces: Traces) -> str:
    """How many people's top places depend on the rule for ties."""
    return (
        f"For {traces.tied_places:,} of {len(traces.whole()):,} people the tenth and the eleventh most visited place "
        "have equally many visits, so which of them is in the top ten is open."
    )


@on_each_log("manousakas-table1", "Table 1: networks of the top places")
def table_1(shelf: Shelf, data: Data) -> Reproduction:
    """Mean and deviation over people of seven figures, undirected like the paper's density."""
    traces = shelf.traces(data)
    rows = []
    for top, (means, deviations) in TABLE_1.items():
        with stage(label_of(top)):
            described = [_describe(traces, top, way) for way in traces.built]
        for number, name in enumerate(FIGURES):
            for column, (series, printed) in enumerate(((name, means), (f"{name} ±", deviations))):
                spread = tuple(way[column][number] for way in described)
                rows.append(Row(data, series, label_of(top), spread[0], printed[number], choices=spread))
    density, diameter, path, recurrence = (
        ways_of(rows, name) for name in ("density", "diameter", "mean path", "recurrence")
    )
    deviations_of = [ways_of(rows, f"{name} ±") for name in ("nodes", "edges", "diameter", "mean path")]
    return Reproduction(
        tuple(rows),
        (
            in_all_ways(
                "with more places, networks are sparser and wider", rising(-density) & rising(diameter) & rising(path)
            ),
            in_all_ways("with more places, they vary more", np.all([rising(each) for each in deviations_of], axis=0)),
            in_all_ways("most transitions are repeated", recurrence.min(axis=0) > 0.5),
            in_all_ways("with more places, fewer are", rising(-recurrence)),
        ),
        HOW_BUILT,
        (size_of(traces),),
    )


def ways_of(rows: Sequence[Row], series: str) -> NDArray[np.float64]:
    """Our numbers of one series: a column for each open choice, the one shown first."""
    return np.array([row.choices for row in rows if row.series == series])


def in_all_ways(text: str, ways: Any, aside: str = "") -> Finding:
    """Whether it holds under the choice shown, the first, and under how many choices."""
    return Finding(text, bool(ways[0]), tuple(map(bool, ways)), aside)


def of_as_many(text: str, ways: Any, people: int) -> Finding:
    """A claim about the paper's people that holds more easily for fewer: they can refute but not support it."""
    fewer = people < PEOPLE and bool(ways[0])
    aside = f"{people:,} people satisfy more easily what the paper says about {PEOPLE:,}" if fewer else ""
    return in_all_ways(text, ways, aside)


def rising(curves: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Of each column, whether it rises."""
    return np.array([rises(curve) for curve in curves.T.tolist()])


def label_of(top: int | None) -> str:
    return "all" if top is None else f"top {top}"


def _describe(traces: Traces, top: int | None, way: Way) -> tuple[list[float], list[float]]:
    """Means and deviations."""
    found = traces.summary(top, way)
    figures = [*found.undirected.values(), found.recurrence]
    return [float(each.mean()) for each in figures], [float(each.std()) for each in figures]


@reproduces("manousakas-table2", "Table 2: how many graphs there are", GRAPHS)
def table_2(shelf: Shelf) -> Reproduction:
    """Counted by Burnside's lemma; needs no data."""
    rows = [
        Row(GRAPHS, series, n, float(so.graph_counts(n, directed=way)), printed)
        for series, way in DIRECTIONS.items()
        for n, printed in TABLE_2[series].items()
    ]
    wrong = {(row.series, row.at) for row in rows if row.value != row.printed}
    enough = {people: _enough(people) for people in (1_500, 7_600_000_000)}
    misprints = {(series, n) for series, numbers in MISPRINT.items() for n in numbers}
    return Reproduction(
        tuple(rows),
        (
            Finding("the printed numbers are right, except for one misprint", wrong == misprints),
            Finding("8 places, 5 directed, are enough for 1,500 different people", enough[1_500] == (8, 5)),
            Finding("12 places, 8 directed, are enough for everyone on Earth", enough[7_600_000_000] == (12, 8)),
        ),
        notes=("The paper prints 2128 directed graphs of 4 nodes; there are 218, which its text agrees with.",),
        axis="nodes",
        logarithmic="y",
    )


def _enough(people: int) -> tuple[int, ...]:
    """The fewest places that have as many graphs as there are people, undirected and directed."""
    return tuple(
        next(n for n in range(60) if so.graph_counts(n, directed=directed) >= people) for directed in (False, True)
    )


@on_each_log("manousakas-fig2", "Fig. 2: a person's strongest transitions at two times")
def figure_2(shelf: Shelf, data: Data) -> Reproduction:
    """The paper draws two people; here are all of them: which transitions return, and who is more similar."""
    traces = shelf.traces(data)
    found, chance = np.transpose([_returning(traces, way) for way in traces.cuts])
    similar, low = np.transpose([_more_similar(traces, way) for way in traces.cuts])
    rows = (
        Row(data, "transitions", "found later as well", found[0], None, chance[0], tuple(found)),
        Row(data, "transitions", "found later by chance", chance[0]),
        Row(data, "others less similar", "share", similar[0], None, 0.5, tuple(similar)),
        Row(data, "others less similar", "by chance", 0.5),
    )
    return Reproduction(
        rows,
        (
            in_all_ways("a person's strongest transitions return (over five times chance)", found > 5 * chance),
            in_all_ways("a person's two networks are more similar than two people's (beyond chance)", low > 0.5),
        ),
        "the points at which traces are split, as shares of time (ours) or of events",
        (
            "Networks of 20 places, only their strongest tenth of edges.",
            "Transitions are compared under the true names of places, as the paper draws them; networks by dsp.",
        ),
    )


def _returning(traces: Traces, way: Way) -> tuple[float, float]:
    """Mean share of a person's strongest transitions that are among the strongest later; and by chance."""
    known, released = traces.parts(way)
    rows = known.rows("person", "place", "moment", "placed", "line", both=True)
    sql = _STRONGEST.format(rows=rows, share=STRONGEST)
    before, after = (part.query_part(sql, label="finding transitions") for part in (known, released))
    people, person = np.unique(before["person"].to_numpy(), return_inverse=True)
    returned = before.append_column("row", [np.arange(len(before))]).join(
        after, keys=["person", "came", "place"], right_suffix=" after", join_type="inner"
    )
    found = np.bincount(person[returned["row"].to_numpy()], minlength=len(people)) / np.bincount(person)
    later, chosen = np.unique(after["person"].to_numpy(), return_inverse=True)
    places = np.zeros(len(later))
    places[chosen] = after["places"].to_numpy()
    chance = np.bincount(chosen) / (places * (places - 1))
    return float(found.mean()), float(chance.mean())


_STRONGEST = """
WITH event AS (
    SELECT *, lag(place) OVER (PARTITION BY person, part ORDER BY moment, line) AS came FROM {rows} WHERE placed
), visit AS (
    SELECT person, part, place, row_number() OVER (
        PARTITION BY person, part ORDER BY count(*) DESC, min(moment), min(line)
    ) AS number FROM event WHERE came IS DISTINCT FROM place GROUP BY person, part, place QUALIFY number <= 20
), taken AS (
    SELECT event.person, event.part, came, event.place, count(*) AS times, min(moment) AS first, min(line) AS line
    FROM event JOIN visit source ON (event.person, event.part, came) = (source.person, source.part, source.place)
    JOIN visit target ON (event.person, event.part, event.place) = (target.person, target.part, target.place)
    WHERE came <> event.place GROUP BY event.person, event.part, came, event.place
)
SELECT person, part, came, place, places FROM taken
JOIN (SELECT person, part, count(*) AS places FROM visit GROUP BY person, part) USING (person, part)
QUALIFY row_number() OVER (PARTITION BY person, part ORDER BY times DESC, first, line)
    <= ceil({share} * count(*) OVER (PARTITION BY person, part))
ORDER BY person, part, came, place
"""


def _more_similar(traces: Traces, way: Way) -> tuple[float, float]:
    """Mean share of others whose network is less similar than a person's own, and the low end of its interval."""
    found = traces.ranking("dsp", way, top=20, prune=1 - STRONGEST)
    shares = 1 - (found.ranks - 1) / max(found.candidates - 1, 1)
    return float(shares.mean()), float(shares.mean() - 1.96 * shares.std() / np.sqrt(len(shares)))


@on_each_log("manousakas-fig3", "Fig. 3: memory of movements between the top places")
def figure_3(shelf: Shelf, data: Data) -> Reproduction:
    """Share of people of order 1, 2 and 3 by Scholtes' test, and by two others."""
    traces = shelf.traces(data)
    whole = [traces.whole(way) for way in traces.built[: 1 if shelf.quick else 2]]
    rows = []
    tops = FEW_ORDERED if shelf.quick else ORDERED
    for top in tops:
        with stage(label_of(top)):
            found = [so.markov_order(networks, top=top, test=test) for networks in whole for test in TESTS]
        for order in (1, 2, 3):
            counts = [int((orders == order).sum()) for orders in found]
            shares = tuple(count / len(orders) for count, orders in zip(counts, found, strict=True))
            ours, printed = wilson(counts[0], len(found[0])), _printed_order(order, top)
            # people without memory pass the test for order 2 as often as its level says
            chance = 0.01 if order == 2 else None
            rows.append(Row(data, f"order {order}", top or "all", ours, printed, chance, shares))
    first, second = (ways_of(rows, f"order {order}") for order in (1, 2))
    many = [k for k, top in enumerate(tops) if top is None or top >= 100]
    return Reproduction(
        tuple(rows),
        (
            in_all_ways("order 2 for over a fifth of people with 20 places", second[0] > 0.2),
            in_all_ways("order 1 for over 99% with 100 places or more", (first[many] > 0.99).all(axis=0)),
            in_all_ways("less memory with 100 places than with 20", second[tops.index(100)] < second[0]),
        ),
        "the test (ours: scholtes; classical, bic), and whether other places cut a trace (ours) or are skipped",
        (
            size_of(traces),
            "The paper gives bounds: over 20%, over 99%. A test at 1% finds memory in 1% of people without any.",
        ),
        axis="top places",
        logarithmic="x",
    )


def _printed_order(order: int, top: int | None) -> float | None:
    if (order, top) == (2, 20):
        return 0.2
    return 0.99 if order == 1 and (top is None or top >= 100) else None


@on_each_log("manousakas-fig4", "Fig. 4: periods, sizes, degrees, edge weights")
def figure_4(shelf: Shelf, data: Data) -> Reproduction:
    """Distributions over people, and the degrees in the network of median size."""
    traces = shelf.traces(data)
    found = traces.summary(None)
    assert found.days is not None
    weights = found.average_weight
    usual = int(((weights >= 2) & (weights <= 4)).sum())
    mode = int(np.argmax(np.bincount(weights.astype(np.int64))))
    strong = _on_strong_edges(traces.whole())
    rows = [
        *_distribution(data, "(a) days observed", found.days, 430),
        *_distribution(data, "(b) places", found.undirected["nodes"], 334.60),
        *_distribution(data, "(d) average edge weight", weights, None),
        Row(data, "(d) average edge weight", "from 2 to 4", wilson(usual, len(weights))),
        Row(data, "(d) transitions", "over edges above average", strong),
    ]
    degrees = found.typical_degrees[found.typical_degrees > 0]
    largest = int(degrees.max(initial=1))
    rows += [
        Row(data, "(c) places with this degree or more", degree, float((degrees >= degree).sum()))
        for degree in (*(2**power for power in range(largest.bit_length()) if 2**power < largest), largest)
    ]
    return Reproduction(
        tuple(rows),
        (
            Finding("people are observed for over a year on average", float(found.days.mean()) > 365),
            Finding("networks have some hundreds of places (median of 100 to 1,000)", _hundreds(found)),
            Finding("a typical person's degrees have a heavy tail (heavier than exponential)", _heavy(degrees)),
            Finding("average edge weights are most often between two and four", 2 <= mode < 4),
            Finding("most transitions use edges above average", strong > 0.5),
        ),
        notes=(size_of(traces), "The chart shows (c): the network of median size, in and out together."),
        axis="degree",
        logarithmic="xy",
    )


def _distribution(data: Data, series: str, values: NDArray[Any], printed: float | None) -> list[Row]:
    quarters = zip(("first quartile", "median", "third quartile"), np.quantile(values, (0.25, 0.5, 0.75)), strict=True)
    return [Row(data, series, "mean", float(values.mean()), printed)] + [
        Row(data, series, at, float(value)) for at, value in quarters
    ]


def _on_strong_edges(whole: so.Networks) -> float:
    """Mean over people of the share of their transitions over edges used more often than their average edge."""
    graphs = whole.graphs
    average = graphs.traversals / np.maximum(graphs.edges, 1)
    strong = graphs.weight > average[graphs.owner]
    shares = np.bincount(graphs.owner, graphs.weight * strong, len(graphs)) / np.maximum(graphs.traversals, 1)
    return float(shares.mean())


def _hundreds(found: so.NetworkSummary) -> bool:
    nodes = found.undirected["nodes"]
    return len(nodes) > 0 and bool(100 <= np.median(nodes) <= 1_000)


def _heavy(degrees: NDArray[Any]) -> bool:
    """Whether more places have five times the mean degree than if degrees were exponentially distributed."""
    if not len(degrees):
        return False
    mean = float(degrees.mean())
    return bool((degrees >= 5 * mean).mean() > np.exp(-5))
