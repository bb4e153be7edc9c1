"""Distinct rows with their numbers of records: every result is that of the table of all records."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

import singleout as so
from tests.distinct_rows import both, counted_rows

COLUMNS = ["a", "b", "c"]
SLOW = settings(max_examples=12, deadline=None)


@given(distinct=counted_rows())
def test_uniqueness_is_that_of_all_records(distinct):
    there, here = both(distinct)
    assert len(there) == len(here)
    first, second = (so.uniqueness(each, columns=COLUMNS) for each in (there, here))
    assert first.to_dict() == second.to_dict()
    assert first.sizes.tolist() == second.sizes.tolist()


@given(distinct=counted_rows(), missing=st.sampled_from(["value", "any"]), weighted=st.booleans())
def test_risk_diversity_and_scores_are_those_of_all_records(distinct, missing, weighted):
    there, here = both(distinct, survey_weight="w" if weighted else None)
    asked = {"known_columns": COLUMNS, "sensitive": ["s"], "missing": missing, "scores": True}
    first, second = (so.table_risk(each, **asked) for each in (there, here))
    assert first.to_dict() == second.to_dict()
    assert first.suda.to_dict() == second.suda.to_dict()
    repeated = np.repeat(first.sizes, distinct["n"].to_numpy())
    assert repeated.tolist() == second.sizes.tolist()


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


@given(distinct=counted_rows(), fraction=st.sampled_from([None, 0.1]))
def test_special_uniques_are_those_of_all_records(distinct, fraction):
    there, here = both(distinct)
    first, second = (so.suda(each, columns=[*COLUMNS, "s"], sampling_fraction=fraction) for each in (there, here))
    assert first.to_dict() == second.to_dict()
    assert np.repeat(first.scores, distinct["n"].to_numpy()).tolist() == second.scores.tolist()


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
    there, here = both(distinct)
    if len(here) < 3:
        return
    first, second = (so.protect_table(each, known_columns=["a", "c"], k=3, **asked) for each in (there, here))
    assert first.table.equals(second.table)
    one, other = first.to_dict(), second.to_dict()
    assert one == other
