"""What columns isolate, as results: unions, columns, levels, several known sets."""

import pyarrow as pa
from hypothesis import given

import singleout as so
from tests.reference import partitions as slow
from tests.small_tables import NAMES, known_sets, named, random_table, records, rows_and_risks, table_of, thresholds


@given(records, known_sets, thresholds)
def test_unions_columns_and_levels_are_brute_force(rows, known, k):
    found = so.vulnerability(table_of(rows), known_columns=known, strategy="all", k=k)
    people = named(rows)
    together = set().union(*(slow.isolated(people, [*known, *row.columns], k) for row in found.rows[:2]))
    assert found.union(2).isolated == len(together)
    assert found.union([1]).isolated == found.rows[0].isolated
    for risk in found.by_column:
        others = [name for name in NAMES if name != risk.column]
        assert risk.alone == len(slow.isolated(people, [risk.column], k))
        assert risk.with_known == len(slow.isolated(people, {*known, risk.column}, k))
        assert risk.needed == found.vulnerable - len(slow.isolated(people, others, k))
        assert risk.levels == slow.distinct(people, risk.column)
        assert risk.rare == slow.distinct(people, risk.column, 10)
    assert {level.column for level in found.by_level} == set(NAMES) - set(known)
    for level in found.by_level:
        own = {number for number, person in enumerate(people) if person[level.column] == level.value}
        assert level.records == len(own)
        assert level.isolated == len(own & slow.isolated(people, [*known, level.column], k))


def test_several_known_sets_stand_side_by_side():
    table = so.read_table(random_table())
    both = so.vulnerability(table, known_columns={"little": ["c0"], "much": ["c0", "c1"]}, ranks=2)
    assert isinstance(both, so.KnownSets)
    alone = so.vulnerability(table, known_columns=["c0", "c1"], ranks=2)
    assert rows_and_risks(both["much"]) == rows_and_risks(alone)
    assert both.vulnerable == alone.vulnerable
    assert [row.known for row in both.rows] == ["little"] * 2 + ["much"] * 2
    assert both["little"].by_known <= both["much"].by_known
    assert both.to_arrow()["known"].to_pylist() == ["little"] * 2 + ["much"] * 2
    assert "much" in str(both)


def test_where_nobody_is_vulnerable_shares_are_zero_and_there_is_no_interval():
    table = so.read_table(pa.table({"x": [1] * 6, "y": [2] * 6}))
    found = so.vulnerability(table, known_columns=["x"])
    assert (found.vulnerable, found.random) == (0, 0.0)
    assert (found.rows[0].share, found.rows[0].interval) == (0.0, None)
    assert found.to_arrow()["low"].to_pylist() == [None]
    assert "0 of 6 records are vulnerable" in str(found)


def test_a_small_share_is_not_printed_as_nothing():
    table = so.read_table(pa.table({"area": [*range(20_001)], "flag": [1] + [0] * 20_000}))
    text = str(so.vulnerability(table, known_columns=[], strategy="all"))
    assert "0.005%" in text
