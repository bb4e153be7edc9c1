"""Which columns are tried: the heuristics, random ones, all of them, within a budget."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from tests.reference import partitions as slow
from tests.small_tables import NAMES, known_sets, named, random_table, records, table_of, thresholds


@given(records, known_sets, st.sampled_from(["core-av", "core-at"]), st.integers(1, 2), thresholds)
def test_heuristics_add_the_columns_of_most_values_or_most_rare_ones(rows, known, strategy, add, k):
    found = so.vulnerability(table_of(rows), known_columns=known, strategy=strategy, add=add, ranks=2, k=k, min_count=3)
    others = [name for name in NAMES if name not in known]
    order = slow.ranking(named(rows), others, 3 if strategy == "core-at" else None)
    wanted = list(combinations(order[: max(2, add)], add))
    assert [row.columns for row in found.rows] == wanted
    assert [row.ranks for row in found.rows] == list(combinations([1, 2], add))
    for row in found.rows:
        assert row.isolated == len(slow.isolated(named(rows), [*known, *row.columns], k))


def test_naive_draws_different_columns_from_the_seed():
    table = so.read_table(random_table())
    draws = [so.vulnerability(table, known_columns=[], strategy="naive", seed=seed, ranks=4) for seed in (0, 0, 1)]
    names = [[row.columns for row in found.rows] for found in draws]
    assert names[0] == names[1] != names[2]
    assert len(set(names[0])) == 4
    assert draws[0].rows[0].ranks is None
    every = so.vulnerability(table, known_columns=[], strategy="naive", add=2, ranks=99)
    assert len(every.rows) == 15


def test_three_added_columns_are_searched_too():
    rows = [tuple(row) for row in np.random.default_rng(0).integers(0, 3, (60, 5)).tolist()]
    found = so.vulnerability(table_of(rows), known_columns=[], add=3, strategy="all")
    assert [(row.columns, row.isolated) for row in found.rows] == slow.every(named(rows), [], NAMES, 3, 1)


def test_a_budget_returns_the_best_so_far_and_says_what_was_not_tried():
    table = so.read_table(random_table(columns=12))
    whole = so.vulnerability(table, known_columns=[], add=2, strategy="all")
    short = so.vulnerability(table, known_columns=[], add=2, strategy="all", budget=1e-9)
    assert (short.tried, short.possible) == (11 + 10 + 9 + 8, 66), "one round of four first columns"
    counts = {row.columns: row.isolated for row in whole.rows}
    assert all(counts[row.columns] == row.isolated for row in short.rows)
    strongest = sorted(whole.with_known, key=lambda name: -whole.with_known[name])[:4]
    assert all({*strongest} & {*row.columns} for row in short.rows), "columns that isolate most come first"
    assert any("28 combinations not tried" in str(note) for note in short.notes)
    assert short.rows[0] == whole.rows[0]
    assert not any("not tried" in str(note) for note in whole.notes)
    assert len(so.vulnerability(table, known_columns=[], budget=1e-9).rows) == 1


@pytest.mark.parametrize(("add", "budget"), [(2, None), (3, 1.0)])
def test_a_search_that_would_not_end_is_refused_with_the_number_of_combinations(add, budget):
    wide = so.read_table(pa.table({f"c{k}": [0, 1] for k in range(5_001)}))
    says = rf"at most 10,000,000 combinations, but {add} of 5,000 columns make [\d,]+ combinations"
    with pytest.raises(so.InputError, match=says):
        so.vulnerability(wide, known_columns=["c0"], strategy="all", add=add, budget=budget)
