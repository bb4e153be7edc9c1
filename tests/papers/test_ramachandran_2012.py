"""Ramachandran et al. 2012: Tables II, IV and V and Figure 3, on an ACS file and a made-up table; SUDA's example."""

import numpy as np
import pyarrow.parquet as pq
import pytest

import singleout as so

CORE = ["STATE", "REGION", "PUMA", "BLD"]
NOT_RELEASED = ["SERIALNO", "WGTP", "PWGTP", "TYPEHUGQ"]


@pytest.fixture(scope="module")
def acs(real_data):
    file = real_data("acs2024_householder") / "acs2024_householder_49states.parquet"
    return so.read_table(file, drop=NOT_RELEASED)


def percent(found):
    return [round(100 * row.share, 1) for row in found.rows]


def test_table_2_classes_by_state_puma_sex_and_age(acs):
    found = so.uniqueness(acs, columns=["STATE", "PUMA", "SEX", "AGEP"])
    assert (found.below(10), found.below(5), found.single) == (243_203, 159_031, 39_340)


def test_table_5_core_and_one_or_two_columns_of_most_values(acs):
    one = so.vulnerability(acs, known_columns=CORE)
    assert (one.records, len(acs.columns)) == (1_096_766, 54)
    assert (one.vulnerable, one.by_known) == (1_096_764, 873)
    assert percent(one) == [73.4, 50.4, 56.6, 16.4, 26.2]
    two = so.vulnerability(acs, known_columns=CORE, add=2, ranks=3)
    assert [row.ranks for row in two.rows] == [(1, 2), (1, 3), (2, 3)]
    assert percent(two) == [80.8, 91.2, 90.7]
    assert two.union(3).isolated > max(row.isolated for row in two.rows)


def test_table_5_rare_values_choose_like_many_values_and_both_beat_chance(acs):
    rare = so.vulnerability(acs, known_columns=CORE, strategy="core-at")
    many = so.vulnerability(acs, known_columns=CORE, strategy="core-av")
    assert {row.columns for row in rare.rows[:4]} == {row.columns for row in many.rows[:4]}
    naive = so.vulnerability(acs, known_columns=CORE, strategy="naive", ranks=50)
    assert np.mean(percent(naive)) == pytest.approx(100 * naive.random, abs=0.05)
    assert rare.rows[0].share > 5 * naive.random


def test_figure_3_the_exhaustive_answer(acs):
    found = so.vulnerability(acs, known_columns=CORE, strategy="all")
    assert [row.columns[0] for row in found.rows[:4]] == ["HINCP", "PINCP", "FINCP", "POVPIP"]
    heuristic = so.vulnerability(acs, known_columns=CORE).rows[3]
    better = {row.columns[0] for row in found.rows if row.isolated > heuristic.isolated}
    assert {"POVPIP", "OCCP", "INDP", "AGEP"} <= better
    alone = {risk.column: risk.alone for risk in found.by_column}
    assert sum(count > 0 for count in alone.values()) == 8
    assert max(alone, key=alone.get) == "FINCP"
    assert round(100 * alone["FINCP"] / found.vulnerable, 2) == 1.01


def test_counts_agree_with_group_by_on_the_whole_file(acs, real_data):
    import duckdb

    file = real_data("acs2024_householder") / "acs2024_householder_49states.parquet"
    found = so.vulnerability(acs, known_columns=CORE, add=2, strategy="naive", k=3, ranks=3, seed=1)
    for row in found.rows:
        names = ", ".join([*CORE, *row.columns])
        grouped = f"SELECT count(*) AS n FROM '{file}' GROUP BY {names} HAVING n <= 3"
        assert duckdb.connect().sql(f"SELECT sum(n) FROM ({grouped})").fetchall() == [(row.isolated,)]


def whole(found):
    return [round(100 * row.share) for row in found.rows]


@pytest.mark.parametrize("seed", range(5))
def test_table_4_on_a_made_up_table_like_the_papers(seed):
    made = so.synthetic_records(seed=seed)
    table = so.read_table(made.table)
    asked = {"known_columns": made.known_columns, "ranks": 3}
    assert (len(table), len(table.columns), made.table.num_rows) == (500, 10, 500)
    many = so.vulnerability(table, strategy="core-av", **asked)
    assert (many.vulnerable, many.by_known) == (5, 0)
    assert whole(many) == [0, 20, 0]
    assert whole(so.vulnerability(table, strategy="core-at", **asked)) == [20, 0, 0]
    assert whole(so.vulnerability(table, strategy="core-av", add=2, **asked)) == [20, 0, 20]
    pairs = so.vulnerability(table, strategy="core-at", add=2, **asked)
    assert whole(pairs) == [20, 40, 20]
    # whoever rank 1 finds alone is in both pairs with it (Claim 1), so the pairs together find no more than three
    assert pairs.union(3).share == pytest.approx(0.6)
    assert whole(so.vulnerability(table, strategy="core-at", add=3, **asked)) == [80]


def test_the_practice_guides_example(real_data):
    """Scores and sample frequencies."""
    file = real_data("ihsn_suda_example") / "ihsn_suda_example.parquet"
    keys = ["residence", "gender", "education", "labor"]
    table, listed = so.read_table(file, columns=keys, survey_weight="weight"), pq.read_table(file)
    assert so.suda(table, columns=keys).scores.tolist() == listed["suda"].to_pylist()
    found = so.uniqueness(table, columns=keys)
    classes = sorted({(row["fk"], *(row[key] for key in keys)) for row in listed.to_pylist()})
    assert found.sizes.tolist() == [row[0] for row in classes]
