"""Unnikrishnan, Movahedi Naini 2013 continued: its theory where its model holds, and unequal lengths (III, V)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import singleout as so
from singleout.ground.progress import stage
from singleout.measures.intervals import wilson
from singleout.papers.attacks import SIMILARITIES, below_zero, mean, measure_attack, rises
from singleout.papers.data_sets import GEOLIFE, Shelf, Sides
from singleout.papers.registry import reproduces
from singleout.papers.result import SYNTHETIC, Data, Finding, Reproduction, Row

STRINGS = Data("i.i.d. strings", SYNTHETIC, "the model of section II")
PEOPLE, PLACES, LENGTHS, WORLDS = 300, 50, (10, 30, 100, 300), 20
CONCENTRATIONS = (1.0, 0.1)
SINGLE = "js, one by one"

# two people who differ little, at a length where the correction nearly cancels the exponent
SHARES, LENGTH, EXPONENT, DRAWS = (0.50, 0.53), 1_000, 0.0817, 100_000


def strings(concentration: float, lengths: tuple[NDArray[np.int64], NDArray[np.int64]], seed: int) -> Sides:
    """Counts of independent draws on both sides, from a separate distribution for each person."""
    rng = np.random.default_rng(seed)
    habits = rng.dirichlet(np.full(PLACES, concentration), len(lengths[0]))
    first, second = (
        so.Histograms(rng.multinomial(side, habits), np.arange(len(habits)), np.arange(PLACES)) for side in lengths
    )
    return first, second


def _equal(length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    each = np.full(PEOPLE, length)
    return each, each


@dataclass(frozen=True)
class Trial:
    """One attack at one length: its accuracy in every world, under each way that people may differ."""

    series: str
    length: int
    ways: tuple[tuple[so.Accuracy, ...], ...]

    def row(self) -> Row:
        """Means over the worlds."""
        means = [mean(worlds) for worlds in self.ways]
        spread = tuple(each.value for each in means)
        return Row(STRINGS, self.series, self.length, means[0], random=self.ways[0][0].random, choices=spread)

    def above(self, other: Trial) -> list[list[float]]:
        """By how much it exceeds another attack in the same world; a list for each way."""
        return [
            [mine.rate.value - theirs.rate.value for mine, theirs in zip(*worlds, strict=True)]
            for worlds in zip(self.ways, other.ways, strict=True)
        ]


ATTACKS: dict[str, dict[str, Any]] = {similarity: {"similarity": similarity} for similarity in SIMILARITIES} | {
    SINGLE: {"method": "one-by-one"}
}


@reproduces("unnikrishnan-theory", "III: strings of independent draws, all of the same length", STRINGS)
def theory(shelf: Shelf) -> Reproduction:
    """The model for which the similarity js is derived: joint by each similarity, and one by one."""
    trials = []
    for length in LENGTHS:
        with stage(f"strings of {length}"):
            ways = [[strings(spread, _equal(length), world) for world in _worlds(shelf)] for spread in CONCENTRATIONS]
            for series, attack in ATTACKS.items():
                measured = tuple(tuple(measure_attack(sides, **attack) for sides in worlds) for worlds in ways)
                trials.append(Trial(series, length, measured))
    rows = [trial.row() for trial in trials]
    longer = tuple(map(rises, np.array([row.choices for row in rows if row.series == "js"]).T.tolist()))
    return Reproduction(
        tuple(rows),
        (
            js_is_not_below(trials, "the proposed similarity js is nowhere below l1, cosine and dot", SIMILARITIES[1:]),
            js_is_not_below(trials, "all at once is nowhere below one at a time", (SINGLE,)),
            Finding("the longer the strings, the higher the accuracy", longer[0], longer),
        ),
        "how people differ (ours: every distribution equally likely; or each at few places, Dirichlet 0.1)",
        (
            f"{PEOPLE} people, {PLACES} places; means over {len(_worlds(shelf))} draws; not in the paper.",
            "Nowhere below: not beyond chance, compared draw by draw.",
        ),
        axis="length of the strings",
        logarithmic="x",
    )


def js_is_not_below(trials: Sequence[Trial], text: str, others: Sequence[str]) -> Finding:
    """Whether js is below no other attack at any length, beyond chance."""
    by_key = {(trial.series, trial.length): trial for trial in trials}
    pairs = [by_key["js", length].above(by_key[other, length]) for other in others for length in LENGTHS]
    holds = tuple(not any(map(below_zero, way)) for way in zip(*pairs, strict=True))
    return Finding(text, holds[0], holds)


def _worlds(shelf: Shelf) -> range:
    return range(shelf.seed, shelf.seed + (2 if shelf.quick else WORLDS))


@reproduces("unnikrishnan-theorem33", "Theorem 3.3: how often the test accepts a wrong matching", STRINGS)
def theorem_33(shelf: Shelf) -> Reproduction:
    """Two people at two places, as in the theorem: accept if the second best matching is far enough."""
    rows = []
    for length in (LENGTH // 2, LENGTH, LENGTH + 100, 2 * LENGTH):
        accepted, wrong = count_wrongly_accepted(length, np.random.default_rng(shelf.seed))
        rows.append(Row(STRINGS, "accepted", length, wilson(accepted, DRAWS)))
        rows.append(Row(STRINGS, "accepted and wrong", length, wilson(wrong, DRAWS)))
        rows.append(Row(STRINGS, "threshold in bits", f"n = {length:,}", threshold(length)))
    error = next(row.value for row in rows if row.series == "accepted and wrong" and row.at == LENGTH)
    promised = 2.0 ** (-EXPONENT * LENGTH)
    finding = Finding(
        f"at n = {LENGTH:,} the test errs as rarely as 2^(-λn)", error <= promised, aside="proven in the limit only"
    )
    note = (
        f"Shares {SHARES[0]} and {SHARES[1]}, λ = {EXPONENT}: 2^(-λn) is {promised:.0e} at n = {LENGTH:,}, and "
        f"{error:.1%} of {DRAWS:,} draws accept a wrong matching. The correction 2K|Z|log(n + 1)/n is subtracted from "
        "λ, so at short lengths the test accepts anything; at long ones, two people this similar are always rejected."
    )
    return Reproduction(tuple(rows), (finding,), notes=(note,))


def threshold(length: int) -> float:
    """What the second best matching must cost in bits: λ - 2K|Z|log(n + 1)/n, of two people at two places."""
    return float(EXPONENT - 2 * 2 * 2 * np.log2(length + 1) / length)


def count_wrongly_accepted(length: int, rng: np.random.Generator) -> tuple[int, float]:
    """How many draws are accepted, and how many of these with the wrong matching (half if both tie)."""
    first, second = (rng.binomial(length, SHARES, (DRAWS, 2)) / length for _ in range(2))
    right, wrong = (_bits(first, each).sum(axis=1) for each in (second, second[:, ::-1]))
    accepted = np.maximum(right, wrong) >= threshold(length)
    mistaken = np.where(np.isclose(right, wrong, rtol=0, atol=1e-15), 0.5, wrong < right)
    return int(accepted.sum()), float((accepted * mistaken).sum())


def _bits(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eq. 7 between two shares of the first of two places."""
    return np.asarray(2 * _entropy((first + second) / 2) - _entropy(first) - _entropy(second))


def _entropy(share: NDArray[np.float64]) -> NDArray[np.float64]:
    both = np.stack([share, 1 - share])
    return np.asarray(-(both * np.log2(both, out=np.zeros_like(both), where=both > 0)).sum(axis=0))


@reproduces("unnikrishnan-lengths", "V: strings of unequal lengths", STRINGS, GEOLIFE)
def unequal_lengths(shelf: Shelf) -> Reproduction:
    """The likelihood ratio for unequal lengths (glrt) next to js: on independent draws, and on GPS points."""
    rng = np.random.default_rng(shelf.seed)
    lengths = rng.integers(15, 60, PEOPLE), rng.integers(15, 60, PEOPLE)
    worlds = [strings(CONCENTRATIONS[0], lengths, world) for world in _worlds(shelf)]
    sources = [(STRINGS, worlds)] + ([(GEOLIFE, [shelf.geolife()])] if shelf.has(GEOLIFE) else [])
    rows: list[Row] = []
    findings = []
    for data, sides in sources:
        js, glrt = ([measure_attack(each, similarity=similarity) for each in sides] for similarity in ("js", "glrt"))
        for similarity, measured in (("js", js), ("glrt", glrt)):
            rows.append(Row(data, similarity, data.name, mean(measured), random=measured[0].random))
        gains = [mine.rate.value - theirs.rate.value for mine, theirs in zip(glrt, js, strict=True)]
        findings.append(Finding(f"{data.name}: glrt is not below js if lengths differ", not below_zero(gains)))
    note = (
        "Lengths of 15 to 59 draws; people of GeoLife have from a few to hundreds of thousands of points. glrt treats "
        "every point as an independent draw, which they are not."
    )
    return Reproduction(tuple(rows), tuple(findings), notes=(note,))
