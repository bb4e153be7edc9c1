"""Ramachandran et al. 2012 continued: on which tables the heuristics find the best columns (contribution 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import rankdata

from singleout.ground.progress import stage
from singleout.measures.tables.combinations import rare_levels
from singleout.papers.data_sets import ADULT, CENSUS, HISTORICAL, PERSONS, RECORDS, Shelf, vulnerability_of
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row
from singleout.papers.vulnerable_tables import R12, Known, read_tables
from singleout.reading.columns import Column

MIN_COUNT, FIRST = 10, 3
CRITERIA: dict[str, Callable[[Column], int]] = {
    "CORE-AV": lambda column: column.levels,
    "CORE-AT": lambda column: rare_levels(column, MIN_COUNT),
}
"""What each heuristic ranks columns by."""
NAIVE = "NAIVE"


@dataclass(frozen=True)
class Reached:
    """How much of the exhaustive answer a heuristic has on one table.

    ``column``: what its first column isolates, as a share of what the best column does. ``pair``: the same of the best
    pair of its first three columns. ``agreement``: rank correlation between what it ranks columns by and what they
    isolate; None where it is not defined.
    """

    column: float
    pair: float
    agreement: float | None = None


@dataclass(frozen=True, eq=False)
class Exhaustive:
    """What every column and every pair isolates in addition to the known ones; ``by_known``: the share these do."""

    columns: tuple[str, ...]
    singles: dict[str, int]
    pairs: dict[frozenset[str], int]
    by_known: float

    @staticmethod
    def of(known: Known) -> Exhaustive:
        """Try every column and every pair."""
        one, two = (
            vulnerability_of(known.table, known_columns=known.columns, strategy="all", add=add) for add in (1, 2)
        )
        names = tuple(name for name in known.table.columns if name not in known.columns)
        singles = {row.columns[0]: row.isolated for row in one.rows}
        pairs = {frozenset(row.columns): row.isolated for row in two.rows}
        return Exhaustive(names, singles, pairs, one.by_known / max(one.vulnerable, 1))

    def best_pair_of(self, columns: Iterable[str]) -> int:
        """The most that a pair of these columns isolates."""
        return max(self.pairs[frozenset(pair)] for pair in combinations(columns, 2))

    def reach_at_random(self) -> Reached:
        """What a random column, and the best pair of three random columns, reach on average."""
        three = [self.best_pair_of(columns) for columns in combinations(self.columns, FIRST)]
        return Reached(float(np.mean(list(self.singles.values()))) / self.best[0], float(np.mean(three)) / self.best[1])

    @property
    def best(self) -> tuple[int, int]:
        """What the best column and the best pair isolate; 1 instead of none, so that it can be divided by."""
        return max(1, *self.singles.values()), max(1, *self.pairs.values())


@dataclass(frozen=True, eq=False)
class Outcome:
    """A table, the share that is isolated by what is known, and how much of the exhaustive answer each one reaches."""

    known: Known
    by_known: float
    reached: dict[str, Reached]

    @property
    def is_judged(self) -> bool:
        """Whether the table was not generated to have the paper's percentages."""
        return self.known.data != RECORDS


def try_table(known: Known) -> Outcome:
    """Every column, every pair, and the two heuristics on a table."""
    every = Exhaustive.of(known)
    columns = known.table.encode(every.columns)
    reached = {name: _reach(every, columns, criterion) for name, criterion in CRITERIA.items()}
    return Outcome(known, every.by_known, reached | {NAIVE: every.reach_at_random()})


def _reach(every: Exhaustive, columns: Sequence[Column], criterion: Callable[[Column], int]) -> Reached:
    power = [criterion(column) for column in columns]
    # equals in order of column
    ranked = sorted(range(len(columns)), key=lambda place: -power[place])
    first = [columns[place].name for place in ranked[:FIRST]]
    return Reached(
        every.singles[first[0]] / every.best[0],
        every.best_pair_of(first) / every.best[1],
        rank_correlation(power, [every.singles[column.name] for column in columns]),
    )


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's; None if either has only equal values."""
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return float(np.corrcoef(rankdata(first), rankdata(second))[0, 1])


@reproduces(
    "ramachandran-contribution3", "Contribution 3: where CORE-AV and CORE-AT find the best columns",
    CENSUS, ADULT, PERSONS, HISTORICAL, RECORDS,
)  # fmt: skip
def several_tables(shelf: Shelf) -> Reproduction:
    """Both heuristics against the exhaustive answer and against random columns, on every table."""
    outcomes = []
    for known in read_tables(shelf):
        with stage(known.label):
            outcomes.append(try_table(known))
    rows = [row for each in outcomes for row in _rows(each)]
    judged = [each for each in outcomes if each.is_judged]
    if not judged:
        return Reproduction(tuple(rows), (), OPEN, NOTES)
    rows += _predictors(judged)
    return Reproduction(tuple(rows), tuple(_findings(judged)), OPEN, NOTES, axis="records", logarithmic="x")


OPEN = "the tables, what is known of each, and how many records are drawn"
NOTES = (
    "Numbers are shares of what the best column, or the best pair of all, isolates, by exact counts. First column: of "
    "rank 1. Pair: the best of the first three columns. NAIVE: the average of all columns, and of all sets of three. "
    "Rank correlation: between what a heuristic ranks columns by and what these isolate.",
    "Curves: pairs on samples of the census file, known are state, region, area and type of home; with its nine "
    "amounts of money, and without them.",
    "The last table was generated to have the percentages of Table IV, so it is shown but not judged. The people of "
    "febrl4 are synthetic too, but not for this. Several rows are of one file, so they are not independent.",
)
RATIO = 2


def _rows(outcome: Outcome) -> list[Row]:
    known = outcome.known
    on_curve = known.amounts is not None and known.label.endswith(R12)
    rows = []
    for name, found in outcome.reached.items():
        rows.append(Row(known.data, f"{name}, first column", known.label, found.column))
        if on_curve:
            series = name if known.amounts else f"{name}, no amounts"
            rows.append(Row(known.data, series, len(known.table), found.pair))
        else:
            rows.append(Row(known.data, f"{name}, pair", known.label, found.pair))
        if found.agreement is not None:
            rows.append(Row(known.data, f"{name}, rank correlation", known.label, found.agreement))
    return rows


def _predictors(judged: Sequence[Outcome]) -> list[Row]:
    """Rank correlations, over all of them, between what the pairs reach and two figures of a table."""
    rows = []
    for name in CRITERIA:
        found = [(each, each.reached[name].agreement) for each in judged]
        defined = [(each, agreement) for each, agreement in found if agreement is not None]
        reached = [each.reached[name].pair for each, _ in defined]
        figures = {
            "its rank correlation": [agreement for _, agreement in defined],
            "isolated by what is known": [each.by_known for each, _ in defined],
        }
        for at, figure in figures.items():
            over_tables = rank_correlation(figure, reached)
            if over_tables is not None:
                rows.append(Row(judged[0].known.data, f"{name}, pair, against", at, over_tables))
    return rows


def _findings(judged: Sequence[Outcome]) -> list[Finding]:
    return [
        *(_depends(name, [outcome.reached[name].pair for outcome in judged]) for name in CRITERIA),
        _everywhere(
            "the first column isolates more than a random one", judged, lambda mine, naive: mine.column > naive.column
        ),
        _everywhere(
            "the pair isolates more than that of random columns", judged, lambda mine, naive: mine.pair > naive.pair
        ),
        _everywhere("the first column is the best of all", judged, lambda mine, _: mine.column == 1),
    ]


def _depends(name: str, reached: Sequence[float]) -> Finding:
    least, most = min(reached), max(reached)
    text = f"what {name} reaches depends on the data (the most is twice the least: {least:.2f} to {most:.2f})"
    return Finding(text, most >= RATIO * least)


def _everywhere(text: str, judged: Sequence[Outcome], holds: Callable[[Reached, Reached], bool]) -> Finding:
    """A finding about every table, for CORE-AV and for CORE-AT; it says on how many it holds."""
    counts = [sum(holds(each.reached[name], each.reached[NAIVE]) for each in judged) for name in CRITERIA]
    numbers = ", ".join(f"{name} on {count}" for name, count in zip(CRITERIA, counts, strict=True))
    return Finding(
        f"{text}, on every table ({numbers} of {len(judged)})", all(count == len(judged) for count in counts)
    )
