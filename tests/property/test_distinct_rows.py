"""Distinct rows with their numbers of records: every result is that of the table of all records."""

import subprocess
import sys
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings

import singleout as so
from singleout.reading.identifiers import find_identifiers
from singleout.reading.roles import ColumnLook
from tests.distinct_rows import both, counted, counted_rows, distinguish_someone

COLUMNS = ["a", "b", "c"]
SLOW = settings(max_examples=12, deadline=None)
"""Every example reads two tables, or more."""
BILLION = """
import re, sys
from pathlib import Path
import ibis
import singleout as so

warehouse = ibis.duckdb.connect()
warehouse.con.execute("CREATE TABLE kinds AS SELECT (i % 61)::TINYINT AS age, (i * 7 % 37)::TINYINT AS town, "
                      "i % 11 = 0 AS ill, (i % 3)::TINYINT AS job FROM range(1000) t(i)")
warehouse.con.execute("CREATE VIEW people AS SELECT kinds.* FROM kinds CROSS JOIN range(1000000) t(i)")
asked = {"known_columns": ["age", "town"], "sensitive": ["ill"], "k": 2_000_000, "max_risk": 1e-6}
found = so.audit(warehouse.table("people"), one_row_per_person=True, progress=False, label="x", **asked)
assert found.released.people == 1_000_000_000, found.released
assert abs(found.risk.value - 1e-6) < 1e-12, found.risk
assert found.protections and all(each.smallest >= 2 for each in found.protections)
peak = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())
print(int(peak[1]) * 1024)
"""


@SLOW
@given(distinct=counted_rows())
def test_uniqueness_is_that_of_all_records(distinct):
    there, here = both(distinct)
    assert len(there) == len(here)
    first, second = (so.uniqueness(each, columns=COLUMNS) for each in (there, here))
    assert first.to_dict() == second.to_dict()
    assert first.sizes.tolist() == second.sizes.tolist()


@SLOW
@given(distinct=counted_rows(), missing=st.sampled_from(["value", "any"]), weighted=st.booleans())
def test_risk_diversity_and_scores_are_those_of_all_records(distinct, missing, weighted):
    there, here = both(distinct, survey_weight="w" if weighted else None)
    asked = {"known_columns": COLUMNS, "sensitive": ["s"], "missing": missing, "scores": True}
    first, second = (so.table_risk(each, **asked) for each in (there, here))
    assert first.to_dict() == second.to_dict()
    assert first.suda.to_dict() == second.suda.to_dict()
    repeated = np.repeat(first.sizes, distinct["n"].to_numpy())
    assert repeated.tolist() == second.sizes.tolist()


@SLOW
@given(
    distinct=counted_rows(), k=st.integers(1, 3), add=st.integers(1, 2), strategy=st.sampled_from(["all", "core-at"])
)
def test_what_columns_isolate_is_that_of_all_records(distinct, k, add, strategy):
    there, here = both(distinct)
    asked = {"known_columns": ["a"], "add": add, "k": k, "strategy": strategy}
    first, second = (so.vulnerability(each, **asked) for each in (there, here))
    assert first.rows == second.rows
    assert (first.vulnerable, first.by_known, first.random) == (second.vulnerable, second.by_known, second.random)
    assert first.by_column == second.by_column
    assert first.by_level == second.by_level
    assert first.union(1) == second.union(1)
    assert first.levels_to_arrow() == second.levels_to_arrow()


@SLOW
@given(distinct=counted_rows(), fraction=st.sampled_from([None, 0.1]))
def test_special_uniques_are_those_of_all_records(distinct, fraction):
    there, here = both(distinct)
    first, second = (so.suda(each, columns=[*COLUMNS, "s"], sampling_fraction=fraction) for each in (there, here))
    assert first.to_dict() == second.to_dict()
    assert np.repeat(first.scores, distinct["n"].to_numpy()).tolist() == second.scores.tolist()


@SLOW
@given(distinct=counted_rows(most=60), weighted=st.booleans())
def test_the_risk_in_the_population_is_that_of_all_records(distinct, weighted):
    there, here = both(distinct, survey_weight="w" if weighted else None)
    asked = {"columns": COLUMNS, "population": None if weighted else 10_000}
    first, second = (so.population_risk(each, **asked) for each in (there, here))
    assert (first.rate, first.rows, first.population) == (second.rate, second.rows, second.population)
    assert (first.records, first.unique, first.notes) == (second.records, second.unique, second.notes)
    for one, other in ((first.risks, second.risks), (first.expected, second.expected)):
        assert np.repeat(one, distinct["n"].to_numpy()).tolist() == other.tolist()


@SLOW
@given(released=counted_rows(), known=counted_rows(), add=st.integers(1, 2))
def test_what_leads_to_a_public_list_is_that_of_all_records(released, known, add):
    asked = {"on": COLUMNS, "add": add, "max_known": 4, "coverage": 0.9}
    there, here = both(released), both(known)
    first, *others = (so.exposure(one, other, **asked).to_dict() for one in there for other in here)
    assert all(other == first for other in others)


@SLOW
@given(released=counted_rows(most=8), known=counted_rows(most=8))
def test_what_needs_single_records_repeats_the_rows(released, known):
    there, here = both(released), both(known)
    first, *others = (so.link_records(one, other, on=COLUMNS) for one in there for other in here)
    for other in others:
        assert first.to_arrow(reveal=True).equals(other.to_arrow(reveal=True))


@SLOW
@given(
    distinct=counted_rows(most=40),
    weighted=st.booleans(),
    asked=st.sampled_from(
        [
            {"k": 3},
            {"max_risk": 0.3, "risk": "maximum"},
            {"max_risk": 0.4, "sensitive": ["s"], "l": 2},
            {"max_singled_out": 0, "max_suppressed": 0.2},
            {"k": 2, "sensitive": ["s"], "t": 0.6},
        ]
    ),
)
def test_an_audit_with_protections_is_that_of_all_records(distinct, weighted, asked):
    assume(distinguish_someone(distinct, COLUMNS))
    population = {"survey_weight": "w"} if weighted else {}
    first, second = (
        so.audit(
            each.source,
            known_columns=COLUMNS,
            one_row_per_person=True,
            progress=False,
            label="x",
            **population,
            **asked,
        ).to_dict()
        for each in both(distinct)
    )
    note = first["notes"].pop([each["what"] for each in first["notes"]].index("distinct rows"))
    assert "row numbers count them" in note["why"]
    for each in (first, second):
        for person in each["people_at_risk"]["clearest"]:
            person.pop("row")
    assert {name: first[name] for name in first if first[name] != second.get(name)} == {}


@SLOW
@given(
    distinct=counted_rows(most=40),
    asked=st.sampled_from(
        [{"method": "cells"}, {"method": "recode", "max_suppressed": 0.2}, {"method": "microaggregate"}]
    ),
)
def test_a_protected_file_is_that_of_all_records(distinct, asked):
    for place, name in enumerate("ac"):  # averages need numbers
        distinct = distinct.set_column(place, name, distinct[name].fill_null(30))
    assume(distinguish_someone(distinct, ["a", "c"]))
    there, here = both(distinct)
    if len(here) < 3:
        return
    first, second = (so.protect_table(each, known_columns=["a", "c"], k=3, **asked) for each in (there, here))
    assert first.table.equals(second.table)
    one, other = first.to_dict(), second.to_dict()
    assert one == other


@pytest.mark.parametrize("number", [0, 1])
def test_several_records_of_one_row_cannot_be_distinguished(number):
    table = both(counted([(0, 0, 0, 0, 0)], [3]))[number]
    asked = {"known_columns": ["a", "b"], "one_row_per_person": True, "progress": False}
    with pytest.raises(so.DataError, match="distinguishes nobody: 'a' has one value only and 'b' has one value only"):
        so.audit(table.source, **asked)


@SLOW
@given(distinct=counted_rows(), names=st.permutations(["card_id", "age", "seen", "town", "sex"]))
def test_what_rows_are_is_judged_by_all_records(distinct, names):
    first, second = both(distinct.rename_columns([*names, "n"]))
    there, here = (ColumnLook(each.source, frozenset()) for each in (first, second))
    assert (there.sample, there.repeats) == (here.sample, here.repeats)
    assert [each.name for each in first.encode_rows(names)] == names
    assert find_identifiers(first, names) == find_identifiers(second, names)
    assert first.notes == second.notes


@pytest.mark.parametrize("columns", [["town", "sex"], ["town", "sex", "age"]])
def test_a_table_in_a_warehouse_is_audited_as_here(columns):
    ibis = pytest.importorskip("ibis")
    rng = np.random.default_rng(0)
    table = pa.table({"sex": rng.integers(0, 2, 3_000), "town": rng.choice(list("uvwxyz"), 3_000), "age": ages(rng)})
    table = table.append_column("name", pa.array([f"n{k}" for k in range(3_000)]))
    warehouse = ibis.duckdb.connect()
    warehouse.con.register("here", table)
    warehouse.con.execute("CREATE TABLE given AS FROM here")
    asked = {"known_columns": columns, "drop": ["name"], "k": 3, "max_risk": 0.05, "progress": False, "label": "x"}
    first, second = (so.audit(each, **asked).to_dict() for each in (warehouse.table("given"), table))
    differ = {name for name in first if first[name] != second[name]}
    assert differ <= {"notes", "people_at_risk"}
    assert [each for each in first["notes"] if each["what"] != "distinct rows"] == second["notes"]


def ages(rng):
    return pa.array(rng.integers(0, 40, 3_000), mask=rng.random(3_000) < 0.02)


@pytest.mark.heavy
def test_a_billion_records_take_no_more_memory_than_their_distinct_rows():
    pytest.importorskip("ibis")
    if not Path("/proc/self/status").exists():
        pytest.skip("the system does not say how much memory was used at most")
    done = subprocess.run([sys.executable, "-c", BILLION], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1.5e9
