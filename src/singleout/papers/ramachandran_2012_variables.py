"""Ramachandran et al. 2012 continued: which variables make people vulnerable (V). Tables IV, V and Fig. 3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import singleout as so
from singleout.ground.numbers import percent
from singleout.ground.progress import stage
from singleout.measures.intervals import wilson
from singleout.papers.data_sets import CENSUS, CORE, RECORDS, Shelf, vulnerability_of
from singleout.papers.registry import reproduces
from singleout.papers.result import Data, Finding, Reproduction, Row

NAMES = {"core-av": "CORE-AV", "core-at": "CORE-AT"}
Printed = dict[int, dict[str, tuple[float, ...]]]
"""By the number of added columns and by heuristic: a share for each rank or pair of ranks."""
TABLE_4: Printed = {
    1: {"core-av": (0.0, 0.2, 0.0), "core-at": (0.2, 0.0, 0.0)},
    2: {"core-av": (0.2, 0.0, 0.2), "core-at": (0.2, 0.4, 0.2)},
}
TOGETHER = 0.8
SEEDS = 5

CORE_ALONE = 0.0006
TABLE_5: Printed = {
    1: {"core-av": (0.52, 0.39, 0.45, 0.18, 0.01), "core-at": (0.39, 0.52, 0.45, 0.18, 0.03)},
    2: {"core-av": (0.61, 0.90, 0.79), "core-at": (0.61, 0.79, 0.90)},
}
NAIVE = (0.007, 0.003, 0.05, 0.0001, 0.003)
TOP = 4
ISOLATING = 9
RANKS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1_000)

MADE = "The file was generated to have the paper's percentages: agreement shows nothing, so no finding counts."
BUILT_SO = "the file was generated to have the paper's percentages"
CLAIM_1 = "a pair always isolates at least what each of its columns does (Claim 1)"
IMPOSSIBLE = (
    "The text says that CORE-AT's three pairs isolate different people, 80% together. Rank 1 alone isolates one of "
    "the five, who by Claim 1 is in both pairs with rank 1; so 20, 40 and 20% are at most three people. All three "
    "at once isolate 80%."
)
COUNTED_ALREADY = "it is counted with Table V"
OTHER_COLUMNS = "54 attributes of householders in 49 states; the paper's 75 are not named."


@reproduces(
    "ramachandran-table4", "Table IV: vulnerable records of a small file, isolated by one or two variables", RECORDS
)
def table_4(shelf: Shelf) -> Reproduction:
    """Five people of 500; each heuristic by rank, and its ranks together."""
    made = [so.synthetic_records(seed=shelf.seed + number) for number in range(SEEDS)]
    files = [(so.read_table(each.table), {"known_columns": each.known_columns, "ranks": 3}) for each in made]

    def answers(strategy: str, add: int) -> list[so.Vulnerability]:
        return [vulnerability_of(table, strategy=strategy, add=add, **core) for table, core in files]

    rows = [_core(RECORDS, answers("core-av", 1), 0.0)]
    together = {}
    for add, printed in TABLE_4.items():
        for strategy, shares in printed.items():
            found = answers(strategy, add)
            rows += _by_rank(RECORDS, NAMES[strategy], add, found, shares)
            together[strategy, add] = found
    pairs = {strategy: [each.union(3).share for each in together[strategy, 2]] for strategy in NAMES}
    at_once = [each.rows[0].share for each in answers("core-at", 3)]
    rows += [
        _together("CORE-AV and 2", "the three pairs", pairs["core-av"], None),
        _together("CORE-AT and 2", "the three pairs", pairs["core-at"], TOGETHER),
        _together("CORE-AT and 3", "1, 2, 3 at once", at_once, TOGETHER),
    ]
    best = max(row.value for row in rows[:-3])
    return Reproduction(
        tuple(rows),
        (
            Finding("no single choice isolates the majority", best < 0.5, aside=BUILT_SO),
            Finding("CORE-AT's three pairs together isolate 80%", pairs["core-at"][0] >= TOGETHER, aside=BUILT_SO),
            Finding("its three variables at once do", at_once[0] >= TOGETHER, aside=BUILT_SO),
            Finding(
                "CORE-AT's pairs together isolate more than CORE-AV's",
                pairs["core-at"][0] > pairs["core-av"][0],
                aside=BUILT_SO,
            ),
        ),
        "everything except the five people (other seeds)",
        (MADE, IMPOSSIBLE),
    )


def _together(series: str, at: str, shares: Sequence[float], printed: float | None) -> Row:
    """Five people isolated by several columns together."""
    return Row(RECORDS, series, at, wilson(5 * shares[0], 5), printed, choices=tuple(shares))


def _core(data: Data, found: Sequence[so.Vulnerability], printed: float) -> Row:
    """What the known columns isolate."""
    shares = tuple(each.by_known / each.vulnerable for each in found)
    return Row(data, "CORE", "alone", wilson(found[0].by_known, found[0].vulnerable), printed, choices=shares)


def _by_rank(data: Data, name: str, add: int, found: Sequence[so.Vulnerability], printed: Iterable[float]) -> list[Row]:
    """One line per rank, or pair of ranks; the first answer is ours, the others are open choices."""
    rows = []
    for number, (told, row) in enumerate(zip(printed, found[0].rows, strict=False)):
        ranks = ", ".join(map(str, row.ranks or ()))
        at = f"{ranks}: {', '.join(row.columns)}"
        spread = tuple(each.rows[number].share for each in found)
        share = wilson(row.isolated, row.vulnerable)
        rows.append(Row(data, f"{name} and {add}", at, share, told, found[0].random, spread))
    return rows


@reproduces(
    "ramachandran-table5", "Table V: vulnerable records of a census file, isolated by one or two variables", CENSUS
)
def table_5(shelf: Shelf) -> Reproduction:
    """CORE-AV, CORE-AT and NAIVE; the results of every column with CORE show how good they are."""
    # the definition says fewer than k others, the experiments say unique
    ks = (1,) if shelf.quick else (1, 2)
    found: dict[tuple[str, int], list[so.Vulnerability]] = {}
    rows: list[Row] = []
    for add, printed in TABLE_5.items():
        for strategy, shares in printed.items():
            with stage(f"{NAMES[strategy]} and {add}"):
                question: dict[str, Any] = {"known_columns": CORE, "strategy": strategy, "add": add}
                question["ranks"] = 5 if add == 1 else 3
                found[strategy, add] = [vulnerability_of(shelf.census, k=k, **question) for k in ks]
                rows += _by_rank(CENSUS, NAMES[strategy], add, found[strategy, add], shares)
    by_value, by_rare = found["core-av", 1], found["core-at", 1]
    rows = [_core(CENSUS, by_value, CORE_ALONE), *rows, *_naive(shelf)]
    return Reproduction(
        tuple(rows),
        _of_table_5(shelf, rows, by_value[0], by_rare[0]),
        "vulnerable: unique (ours), or at most two with the same values; of NAIVE, which columns are drawn (all)",
        (
            OTHER_COLUMNS,
            f"CORE alone: {percent(CORE_ALONE)} in the paper, {percent(rows[0].value)} here.",
            "CORE-AV and CORE-AT break ties by column order. NAIVE's columns differ from the paper's.",
        ),
    )


def _naive(shelf: Shelf) -> list[Row]:
    """Five columns at random, and all of them as the spread."""
    every = shelf.census_columns
    shares = tuple(row.share for row in every.rows)
    random = vulnerability_of(shelf.census, known_columns=CORE, strategy="naive", ranks=len(NAIVE), seed=shelf.seed)
    return [
        Row(CENSUS, "NAIVE and 1", row.columns[0], wilson(row.isolated, row.vulnerable), told, every.random, shares)
        for told, row in zip(NAIVE, random.rows, strict=False)
    ]


def _of_table_5(
    shelf: Shelf, rows: Sequence[Row], by_value: so.Vulnerability, by_rare: so.Vulnerability
) -> tuple[Finding, ...]:
    ranked, rare = ([row.columns for row in found.rows[:TOP]] for found in (by_value, by_rare))
    best = [row.columns for row in shelf.census_columns.rows[:TOP]]
    pairs = [row.value for row in rows if row.series.endswith("2")]
    random = shelf.census_columns.random
    return (
        Finding("CORE alone isolates less than 0.1%", rows[0].value < 0.001, tuple(v < 0.001 for v in rows[0].choices)),
        Finding("CORE-AV and CORE-AT isolate more than a random column", _mean(by_value) > random < _mean(by_rare)),
        Finding("both heuristics rank the same four columns first", set(ranked) == set(rare)),
        Finding("but in a different order", ranked != rare),
        Finding("these four are the best of all columns", set(ranked) == set(best)),
        Finding("a pair of their first three isolates 90%", max(pairs) >= 0.9),
    )


def _mean(found: so.Vulnerability) -> float:
    return float(np.mean([row.share for row in found.rows]))


@reproduces("ramachandran-fig3", "Fig. 3: each variable alone, with CORE, and each pair with CORE", CENSUS)
def figure_3(shelf: Shelf) -> Reproduction:
    """Columns and pairs in order of the share of vulnerable records that they isolate."""
    every = shelf.census_columns
    alone = sorted((risk.alone for risk in every.by_column), reverse=True)
    with_core = [row.isolated for row in every.rows]
    pairs = sorted((row.isolated for row in shelf.census_pairs.rows), reverse=True)
    curves = {"(a) alone": alone, "(b) with CORE": with_core, "(c) pairs with CORE": pairs}
    rows = [row for name, counts in curves.items() for row in _curve(name, counts, every.vulnerable)]
    some = sum(count > 0 for count in alone)
    rows.append(Row(CENSUS, "(a) alone", "columns that isolate anyone", float(some), ISOLATING))
    rows.append(Row(CENSUS, "(c) pairs with CORE", "pairs tried", float(len(pairs))))
    best, middle = alone[0] / every.vulnerable, [np.median(counts) / every.vulnerable for counts in (with_core, pairs)]
    first_ranks = {row.columns for row in vulnerability_of(shelf.census, known_columns=CORE, ranks=TOP).rows}
    return Reproduction(
        tuple(rows),
        (
            Finding("(a) few columns isolate anyone alone (at most a fifth)", some <= len(alone) / 5),
            Finding("(a) the best isolates between 1 and 2%", 0.01 <= best <= 0.02),
            Finding("(b) most are not a good choice (half of them below 5%)", bool(middle[0] < 0.05)),
            Finding(
                "(b) CORE-AV chooses the best four",
                first_ranks == {row.columns for row in every.rows[:TOP]},
                aside=COUNTED_ALREADY,
            ),
            Finding(
                "(c) two columns isolate more than one (the median of all)", bool(middle[1] > middle[0]), aside=CLAIM_1
            ),
        ),
        notes=(
            OTHER_COLUMNS,
            "The paper draws these and gives no numbers, except for the 9 columns of (a).",
            _pairs_note(shelf),
        ),
        axis="rank of the column or pair, strongest first",
        logarithmic="x",
    )


def _pairs_note(shelf: Shelf) -> str:
    drawn = shelf.census_pairs
    which = "at random" if shelf.quick else "(all)"
    return f"(c): {drawn.tried:,} pairs {which}; a pair isolates {percent(drawn.random)} on average."


def _curve(name: str, counts: Sequence[int], vulnerable: int) -> list[Row]:
    """The shares at some ranks, and at the last."""
    ranks = [*(rank for rank in RANKS if rank < len(counts)), len(counts)]
    random = float(np.mean(counts)) / vulnerable
    return [Row(CENSUS, name, rank, wilson(counts[rank - 1], vulnerable), random=random) for rank in ranks]
