"""Manousakas et al. 2018 continued: who has a unique network (Fig. 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import singleout as so
from singleout.ground.progress import stage
from singleout.papers.attacks import rises_but_for_chance
from singleout.papers.data_sets import Shelf
from singleout.papers.manousakas_2018 import (
    DIRECTIONS,
    in_all_ways,
    label_of,
    of_as_many,
    on_each_log,
    rising,
    size_of,
    tied_at_the_end,
    ways_of,
)
from singleout.papers.result import Data, Finding, Reproduction, Row
from singleout.papers.traces import HOW_BUILT, Traces

SIZES = tuple(range(2, 21))
FEW_SIZES = (2, 3, 4, 5, 8, 10, 15, 19, 20)
ALONE = {("directed", 10): 0.93, ("undirected", 10): 0.60, ("directed", 15): 1.0, ("undirected", 19): 1.0}
LARGEST_CROWDED = 6
"""With more places someone is unique in any crowd."""
SMALLEST = {("undirected", 4): 3, ("directed", 3): 1, ("undirected", 5): 1}
TYPICAL = {("directed", 5): 1, ("undirected", 8): 1}
UP_TO_TEN = {("undirected", 5): 0.05, ("undirected", 10): 0.80, ("undirected", 15): 1.0}
REFINES = "networks that are the same with direction are the same without"


@on_each_log("manousakas-fig5", "Fig. 5: people with a unique network")
def figure_5(shelf: Shelf, data: Data) -> Reproduction:
    """Share of people with a unique network by number of places, the smallest class, the bound, and shuffled visits."""
    traces = shelf.traces(data)
    rows = []
    alone: dict[str, list[list[NDArray[np.bool_]]]] = {name: [[] for _ in traces.built] for name in DIRECTIONS}
    for name, top, ways, chance in _by_size(traces):
        for steps, each in zip(alone[name], ways, strict=True):
            steps.append(each.sizes == 1)
        shares, classes = zip(*((each.identifiability.value, float(each.k)) for each in ways), strict=True)
        printed, smallest = ALONE.get((name, top)), SMALLEST.get((name, top))
        rows += [
            Row(data, name, top, ways[0].identifiability, printed, chance.identifiability.value, shares),
            Row(data, f"{name}, bound", top, ways[0].bound),
            Row(data, f"{name}, shuffled", top, chance.identifiability),
        ]
        if top <= LARGEST_CROWDED:
            rows.append(Row(data, f"{name}, smallest class", label_of(top), classes[0], smallest, choices=classes))
    rows.sort(key=lambda row: row.series)
    return Reproduction(
        tuple(rows),
        (_more_and_more(alone), *_alone_findings(rows, len(traces.whole()))),
        HOW_BUILT,
        (size_of(traces), _chance_note(traces), tied_at_the_end(traces)),
        axis="top places",
    )


def _by_size(traces: Traces) -> Iterator[tuple[str, int, list[so.Anonymity], so.Anonymity]]:
    """Direction, number of places, classes under each open choice, and classes by chance."""
    for name, directed in DIRECTIONS.items():
        for top in FEW_SIZES if traces.quick else SIZES:
            with stage(f"{label_of(top)}, {name}"):
                ways = [traces.anonymity(top, directed=directed, way=way) for way in traces.built]
                chance = traces.anonymity_by_chance(top, directed=directed)
            yield name, top, ways, chance


def _chance_note(traces: Traces) -> str:
    ours, chance = traces.anonymity(10, directed=False), traces.anonymity_by_chance(10, directed=False)
    unique, shuffled = ours.identifiability.value, chance.identifiability.value
    shares = f"{unique:.1%} have a unique network of 10 undirected places, {shuffled:.1%}"
    return f"Noise is unique too: {shares} if everyone's visits are in random order (shuffled, the baseline)."


def _more_and_more(alone: dict[str, list[list[NDArray[np.bool_]]]]) -> Finding:
    ways = [all(map(rises_but_for_chance, directions)) for directions in zip(*alone.values(), strict=True)]
    return in_all_ways("the more places, the more people are unique", ways)


def _alone_findings(rows: list[Row], people: int) -> tuple[Finding, ...]:
    directed, undirected = (ways_of(rows, name) for name in DIRECTIONS)
    alone = {(row.series, row.at): np.array(row.choices or row.value) for row in rows}
    allowed = alone["undirected, bound", 8]
    return (
        in_all_ways("with direction, more people are unique", (directed >= undirected).all(axis=0), REFINES),
        of_as_many("over 90% are unique with 10 directed places", alone["directed", 10] > 0.9, people),
        of_as_many("all are unique with 15 directed places", alone["directed", 15] == 1, people),
        of_as_many("all are unique with 19 undirected places", alone["undirected", 19] == 1, people),
        in_all_ways("someone is unique with 3 directed places", alone["directed, smallest class", "top 3"] == 1),
        in_all_ways("and with 5 undirected places", alone["undirected, smallest class", "top 5"] == 1),
        in_all_ways("fewer are unique than theory allows (8 places)", alone["undirected", 8] < allowed - 0.1),
    )


@on_each_log("manousakas-fig6", "Fig. 6: how many people share a network")
def figure_6(shelf: Shelf, data: Data) -> Reproduction:
    """Median anonymity size, and the share of people whose network at most ten people share."""
    traces = shelf.traces(data)
    people = len(traces.whole())
    rows = []
    for name, top, ways, chance in _by_size(traces):
        shares, medians = zip(*((each.within(10).value, each.median) for each in ways), strict=True)
        printed, middle = UP_TO_TEN.get((name, top)), TYPICAL.get((name, top))
        rows += [
            Row(data, name, top, ways[0].within(10), printed, chance.within(10).value, shares),
            Row(data, f"{name}, median size", label_of(top), medians[0], middle, chance.median, medians),
        ]
    rows.sort(key=lambda row: row.series)
    directed_sizes, sizes = (ways_of(rows, f"{name}, median size") for name in DIRECTIONS)
    shown = {(row.series, row.at): np.array(row.choices) for row in rows}
    return Reproduction(
        tuple(rows),
        (
            of_as_many(
                "the median person is unique with 5 directed places",
                shown["directed, median size", "top 5"] == 1,
                people,
            ),
            of_as_many("and with 8 undirected places", shown["undirected, median size", "top 8"] == 1, people),
            in_all_ways("the more places, the fewer share a network", rising(-directed_sizes) & rising(-sizes)),
            in_all_ways("with direction, fewer share it", (directed_sizes <= sizes).all(axis=0), REFINES),
            of_as_many(
                "from 10 places on, most networks are shared by at most ten", shown["undirected", 10] > 0.5, people
            ),
            of_as_many("with 15 places, all are", shown["undirected", 15] == 1, people),
        ),
        HOW_BUILT,
        (
            size_of(traces),
            "The paper's shares with at most ten are taken as undirected: with direction, more people are unique.",
            tied_at_the_end(traces),
        ),
        axis="top places",
    )
