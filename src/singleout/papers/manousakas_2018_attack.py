"""Manousakas et al. 2018 continued: who is re-identified by the shape of their network (Fig. 7 to 9, section 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

import singleout as so
from singleout.assessment.network_attacks import Attack
from singleout.ground.arrays import Floats
from singleout.ground.names import Kernel
from singleout.ground.progress import stage
from singleout.measures.intervals import wilson
from singleout.measures.paired import Paired
from singleout.papers.data_sets import Shelf
from singleout.papers.manousakas_2018 import PEOPLE, in_all_ways, on_each_log, size_of
from singleout.papers.result import Data, Finding, Reproduction, Row
from singleout.papers.traces import HOW_ATTACKED, Traces, Way

Printed = tuple[float | None, float | None]
PAPER: tuple[Kernel, ...] = ("dsp", "dwl", "dd", "wd")
KERNELS: tuple[Kernel, ...] = (*PAPER, "sp", "wl", "size")
RANKS = (10, 20, 50, 100, 200, 400, 750)
PRINTED = {("dsp", 10): 0.10, ("dsp", 200): 0.80}
QUANTILES = (5, 25, 50, 75, 95)
RATIOS = (1, 2, 5, 10, 20, 50, 100)
DEEP: dict[str, dict[str, Any]] = {
    "as the paper": {},
    "no pruning": {"prune": 0.0},
    "no labels": {"labels": 1},
    "1 round": {"rounds": 1},
    "3 rounds": {"rounds": 3},
}
CLAIMS = (
    ("dropping the weakest edges helps dsp", "dsp", "no pruning"),
    ("dropping the weakest edges helps dwl", "dwl", "no pruning"),
    ("labels by visits help dsp", "dsp", "no labels"),
    ("labels by visits help dwl", "dwl", "no labels"),
    ("direction helps dsp", "dsp", "undirected"),
    ("two rounds of dwl are better than one", "dwl", "1 round"),
    ("two rounds of dwl are better than three", "dwl", "3 rounds"),
)
SCALED = f"Ranks are given as if among the paper's {PEOPLE:,} people."
BY_SIZE = "size uses only the numbers of places and transitions: the baseline that the paper lacks."


@on_each_log("manousakas-fig7", "Fig. 7: rank of the true person by kernel")
def figure_7(shelf: Shelf, data: Data) -> Reproduction:
    """Share of people whose true one is among the first, by the paper's kernels, simpler ones, and size."""
    traces = shelf.traces(data)
    rows = []
    for kernel in KERNELS:
        with stage(kernel):
            ways = [traces.ranking(kernel, way) for way in traces.attacked]
        for at in RANKS:
            most = _rank_among(at, ways[0])
            spread = tuple(each.within(most).value for each in ways)
            random, printed = most / ways[0].candidates, PRINTED.get((kernel, at))
            rows.append(Row(data, kernel, at, ways[0].within(most), printed, random, spread))
    return Reproduction(
        tuple(rows),
        (
            _by_rank(traces, "dsp has the best mean rank of the paper's kernels", _dsp_is_best),
            _above_chance(traces, "dsp"),
            _above_chance(traces, "dwl"),
            _by_rank(traces, "dd ranks almost at random (within a tenth)", lambda mean: abs(mean["dd"] - 1) < 0.1),
            _by_rank(traces, "wd is barely better (within a fifth)", lambda mean: 0.8 < mean["wd"] < 1),
            _by_rank(traces, "deep is better than plain: dsp than sp", lambda mean: mean["dsp"] < mean["sp"]),
            _by_rank(traces, "deep is better than plain: dwl than wl", lambda mean: mean["dwl"] < mean["wl"]),
        ),
        HOW_ATTACKED,
        (size_of(traces), SCALED, BY_SIZE, _size_note(traces)),
        axis=f"rank among {PEOPLE:,} people",
        logarithmic="x",
    )


def _relative(found: so.Ranking) -> float:
    """The mean rank relative to a random order."""
    return float(found.ranks.mean()) / found.expected_at_random


def _by_rank(traces: Traces, text: str, holds: Callable[[dict[str, float]], bool]) -> Finding:
    """Whether the mean ranks by kernel satisfy it, under the choice shown and under each choice."""
    ways = [holds({kernel: _relative(traces.ranking(kernel, way)) for kernel in KERNELS}) for way in traces.attacked]
    return Finding(text, ways[0], tuple(ways))


def _dsp_is_best(mean: dict[str, float]) -> bool:
    return all(mean["dsp"] <= mean[kernel] for kernel in PAPER)


def _above_chance(traces: Traces, kernel: Kernel) -> Finding:
    """Whether the interval at rank 200 of 1,500 is above chance."""
    ways = []
    for found in (traces.ranking(kernel, way) for way in traces.attacked):
        most = _rank_among(200, found)
        ways.append(found.within(most).low > most / found.candidates)
    return in_all_ways(f"{kernel} is significantly better than a random order (at rank 200)", ways)


def _rank_among(rank: int, found: so.Ranking) -> int:
    """The rank among our people that corresponds to a rank among the paper's."""
    return max(1, round(rank * found.candidates / PEOPLE))


def _size_note(traces: Traces) -> str:
    """What size alone achieves, and whether dsp does better on the same people."""
    shown = []
    for kernel in ("dsp", "size"):
        ways = [_relative(traces.ranking(kernel, way)) for way in traces.attacked]
        by_events = _relative(traces.ranking(kernel, Way(cut="events")))
        shown.append(
            f"{kernel} {ways[0]:.2f} ({min(ways):.2f} to {max(ways):.2f} over the open choices, {by_events:.2f} split "
            "by events)"
        )
    dsp, size = (traces.ranking(kernel).ranks for kernel in ("dsp", "size"))
    test = Paired(int((dsp < size).sum()), int((size < dsp).sum()))
    return (
        f"Mean rank over that of a random order: {', '.join(shown)}. dsp ranks the true person better than size for "
        f"{test.only_first:,} people and worse for {test.only_second:,} (exact paired test: p = {test.p:.2g})."
    )


@on_each_log("manousakas-fig8", "Fig. 8: ranks by dsp and by a random order")
def figure_8(shelf: Shelf, data: Data) -> Reproduction:
    """Quantiles of the true person's rank, as shares of all people; mean and deviation."""
    traces = shelf.traces(data)
    rows: list[Row] = []
    compared: tuple[tuple[Kernel, Printed], ...] = (("dsp", (140.0, 218.0)), ("size", (None, None)))
    for kernel, printed in compared:
        rows += _quantiles(data, kernel, [traces.ranking(kernel, way) for way in traces.attacked], printed)
    mean, deviation = (PEOPLE + 1) / 2, float(np.sqrt((PEOPLE**2 - 1) / 12))
    rows += [
        Row(data, "random order", "mean rank", mean, 750),
        Row(data, "random order", "deviation", deviation, 423),
        *(Row(data, "random order", at, at / 100) for at in QUANTILES),
    ]
    middle, wide = (np.array(row.choices) for row in rows[:2])
    return Reproduction(
        tuple(rows),
        (
            in_all_ways("the mean rank is less than half that of a random order", middle < mean / 2),
            in_all_ways("ranks vary much less (less than two thirds)", wide < deviation * 2 / 3),
        ),
        HOW_ATTACKED,
        (
            size_of(traces),
            SCALED,
            "What the paper calls variance, 218 and 423, are deviations; that of the ranks in a random order is 433.",
        ),
        axis="per cent of people, best ranked first",
    )


def _quantiles(data: Data, kernel: str, ways: list[so.Ranking], printed: Sequence[float | None]) -> list[Row]:
    """Mean and deviation as if among the paper's people; ranks as shares of all people, for the chart."""
    shares = [each.ranks / each.candidates for each in ways]
    rows = []
    means = tuple(float(each.mean()) * PEOPLE for each in shares)
    deviations = tuple(float(each.std()) * PEOPLE for each in shares)
    for name, spread, value in zip(("mean rank", "deviation"), (means, deviations), printed, strict=True):
        rows.append(Row(data, kernel, name, spread[0], value, choices=spread))
    for at in QUANTILES:
        spread = tuple(float(np.quantile(each, at / 100)) for each in shares)
        rows.append(Row(data, kernel, at, spread[0], random=at / 100, choices=spread))
    return rows


@on_each_log("manousakas-fig9", "Fig. 9: privacy loss")
def figure_9(shelf: Shelf, data: Data) -> Reproduction:
    """How many times more probable than by chance the true person is held to be: median, mean, and distribution."""
    traces = shelf.traces(data)
    random = PEOPLE / (np.arange(1, PEOPLE + 1) * _harmonic(PEOPLE)) - 1
    rows: list[Row] = []
    compared: tuple[tuple[Kernel, Printed], ...] = (("dsp", (2.52, 27.0)), ("size", (None, None)))
    for kernel, printed in compared:
        losses = [loss_among(traces.ranking(kernel, way)) for way in traces.attacked]
        rows += _losses(data, kernel, losses, random, printed)
    rows += [Row(data, "random order", row.at, row.random or 0.0) for row in rows if row.series == "size"]
    median, mean = (np.array(row.choices) for row in rows[:2])
    return Reproduction(
        tuple(rows),
        (
            in_all_ways("the median loss is above zero", median > 0),
            in_all_ways("the mean loss is above zero", mean > 0),
            in_all_ways("the median loss is above that of a random order", median > np.median(random)),
        ),
        HOW_ATTACKED,
        (
            size_of(traces),
            f"Losses are given as if among the paper's {PEOPLE:,} people: among fewer people, less is needed.",
            "A random order loses nothing on average, but its median is below zero: few ranks have most probability.",
        ),
        axis="at least this many times more probable than by chance",
        logarithmic="x",
    )


def loss_among(found: so.Ranking, people: int = PEOPLE) -> Floats:
    """Privacy losses as if among this many people, each of ours representing equally many.

    Rank r of n people then is one of the ranks from (r - 1) people/n to r people/n, each equally likely, so that a
    random order still loses nothing on average.
    """
    step = people / found.candidates
    last = found.ranks * step
    return np.asarray(people / _harmonic(people) * (_harmonic(last) - _harmonic(last - step)) / step - 1)


def _losses(
    data: Data, kernel: str, ways: list[Floats], random: Floats, printed: Sequence[float | None] = (None, None)
) -> list[Row]:
    """Median, mean, and the share of people whose true one is at least this many times more probable than by chance."""
    # if everyone is tied the loss is zero except for the last digits; adding zero removes a minus sign
    middles = tuple(round(float(np.median(loss)), 12) + 0.0 for loss in ways)
    means = tuple(round(float(loss.mean()), 12) + 0.0 for loss in ways)
    rows = [
        Row(data, kernel, "median loss", middles[0], printed[0], float(np.median(random)), middles),
        Row(data, kernel, "mean loss", means[0], printed[1], 0.0, means),
    ]
    for at in RATIOS:
        reached = [loss + 1 >= at - 1e-9 for loss in ways]
        spread, chance = tuple(float(each.mean()) for each in reached), float((random + 1 >= at - 1e-9).mean())
        ours = wilson(int(reached[0].sum()), len(reached[0]))
        rows.append(Row(data, kernel, at, ours, random=chance, choices=spread))
    return rows


def _harmonic(n: Any) -> Any:
    """1 + 1/2 + … + 1/n, continued between whole numbers."""
    return digamma(np.asarray(n) + 1.0) + np.euler_gamma


@on_each_log("manousakas-ablations", "5.3: what each choice is worth")
def ablations(shelf: Shelf, data: Data) -> Reproduction:
    """Mean rank without each of the paper's choices, by dsp and dwl; shares of people re-identified, by dsp."""
    traces = shelf.traces(data)
    rows = []
    with stage("dsp"):
        draws = [so.ablations(*traces.sides(way), seed=shelf.seed).rows for way in traces.cuts]
    for number, attack in enumerate(draws[0]):
        rows.append(_mean_rank(data, "dsp", attack.choices, [draw[number].ranking for draw in draws]))
        rows += _identified_rows(data, attack)
    for at, options in DEEP.items():
        with stage(f"dwl, {at}"):
            rows.append(_mean_rank(data, "dwl", at, [traces.ranking("dwl", way, **options) for way in traces.cuts]))
    ranks = {(row.series, str(row.at)): np.array(row.choices) for row in rows if row.choices}
    fewer, all_places = (ranks["dsp, mean rank", at] for at in ("top 100", "as the paper"))
    return Reproduction(
        tuple(rows),
        (
            in_all_ways("100 places do as well as 200 (within a twentieth)", fewer <= 1.05 * all_places),
            *(_helps(ranks, *claim) for claim in CLAIMS),
        ),
        "the points at which traces are split, as shares of time (ours) or of events; the rules for ties, labels and "
        "edges are separate rows",
        (size_of(traces), SCALED),
    )


def _mean_rank(data: Data, kernel: str, at: str, draws: list[so.Ranking]) -> Row:
    """As if among the paper's people."""
    spread = tuple(float(each.ranks.mean()) * PEOPLE / each.candidates for each in draws)
    return Row(data, f"{kernel}, mean rank", at, spread[0], choices=spread)


def _identified_rows(data: Data, attack: Attack) -> list[Row]:
    """Share of people whose true one is among the first ten, and who are re-identified by joint matching."""
    assert attack.joint is not None
    found, chance = attack.ranking, min(1.0, 10 / attack.ranking.candidates)
    return [
        Row(data, "dsp, first ten", attack.choices, found.within(10), random=chance),
        Row(data, "dsp, joint matching", attack.choices, attack.joint.rate, random=attack.joint.random),
    ]


def _helps(ranks: dict[tuple[str, str], NDArray[np.float64]], text: str, kernel: str, without: str) -> Finding:
    """Whether the mean rank is higher without it."""
    series = f"{kernel}, mean rank"
    return in_all_ways(text, ranks[series, "as the paper"] < ranks[series, without])
