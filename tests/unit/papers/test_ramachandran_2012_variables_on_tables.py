"""Contribution 3: what the heuristics reach of the exhaustive answer, by comparing whole rows."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

import singleout as so
from singleout.papers import ramachandran_2012_variables_on_tables as heuristics
from singleout.papers.data_sets import RECORDS, Shelf
from singleout.papers.ramachandran_2012_variables_on_tables import NAIVE, Outcome, Reached
from singleout.papers.registry import experiment
from singleout.papers.result import STAND_IN, Data
from singleout.papers.vulnerable_tables import Known
from tests.reference import partitions as slow

NAMES = ["a", "b", "c", "d", "e"]
REAL = Data("real", STAND_IN, "the paper's")


def slow_reach(rows, known, ranked):
    """What the first of ranked columns, and the best pair of the first three, reach of the best."""
    singles = {more[0]: count for more, count in slow.every(rows, known, NAMES, 1, 1)}
    pairs = dict(slow.every(rows, known, NAMES, 2, 1))
    best = max(pairs[tuple(sorted(pair))] for pair in combinations(ranked[:3], 2))
    return singles[ranked[0]] / max(1, *singles.values()), best / max(1, *pairs.values())


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(1, 30), min_size=5, max_size=5), st.integers(0, 2))
def test_what_is_reached_is_the_slow_twins(seed, sizes, number):
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, size, 25) for name, size in zip(NAMES, sizes, strict=True)}
    rows = [
        dict(zip(NAMES, values, strict=True))
        for values in zip(*(columns[name].tolist() for name in NAMES), strict=True)
    ]
    known, others = NAMES[:number], NAMES[number:]
    found = heuristics.try_table(Known(REAL, "x", so.read_table(pa.table(columns)), tuple(known)))
    for name, rare in (("CORE-AV", None), ("CORE-AT", 10)):
        reached = found.reached[name]
        assert (reached.column, reached.pair) == pytest.approx(
            slow_reach(rows, known, slow.ranking(rows, others, rare))
        )
    every = [slow_reach(rows, known, list(three)) for three in combinations(others, 3)]
    alone = [slow_reach(rows, known, [one, *(other for other in others if other != one)])[0] for one in others]
    naive = found.reached[NAIVE]
    assert (naive.column, naive.pair) == pytest.approx((np.mean(alone), np.mean([pair for _, pair in every])))
    vulnerable = len(slow.isolated(rows, NAMES, 1))
    assert found.by_known == pytest.approx(len(slow.isolated(rows, known, 1)) / max(vulnerable, 1))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_the_rank_correlation_is_spearmans(pairs):
    first, second = zip(*pairs, strict=True)
    found = heuristics.rank_correlation(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(first, second).statistic)


def outcome(av, at, naive=(0.2, 0.3)):
    known = Known(REAL, "x", so.read_table(pa.table({"a": [1]})), ())
    return Outcome(known, 0.1, {"CORE-AV": Reached(*av), "CORE-AT": Reached(*at), NAIVE: Reached(*naive)})


def test_findings_can_come_out_either_way():
    good = [outcome((1, 1), (1, 0.9)), outcome((1, 0.9), (1, 0.8))]
    assert [finding.holds for finding in heuristics._findings(good)] == [False, False, True, True, True]
    bad = [*good, outcome((0.9, 0.4), (0.1, 0.2))]
    assert [finding.holds for finding in heuristics._findings(bad)] == [True, True, False, False, False]
    assert "CORE-AV on 3, CORE-AT on 2 of 3" in heuristics._findings(bad)[2].text
    assert all(finding.counts for finding in heuristics._findings(good))


def test_a_table_that_was_generated_for_its_percentages_is_shown_and_not_judged():
    result = experiment("ramachandran-contribution3").run(Shelf(None, quick=True))
    assert {row.data for row in result.rows} == {RECORDS}
    assert result.findings == ()
    assert {row.series: row.value for row in result.rows}["CORE-AT, pair"] == 1
