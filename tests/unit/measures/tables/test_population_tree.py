"""The tree of columns, and the risk it gives: against slow twins."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.measures.tables.population_tree import expected_counts, people_of, tree_risks
from tests.reference import population as twin


def encoded(records):
    table = so.read_table(pa.table({f"c{k}": [record[k] for record in records] for k in range(len(records[0]))}))
    return table.encode(table.columns)


small_tables = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.tuples(st.tuples(*[st.integers(0, 2)] * width), st.sampled_from([1.0, 2.5, 40.0])), min_size=1, max_size=25
    )
)


@given(small_tables)
def test_expected_counts_are_those_of_the_best_tree(rows):
    records, weights = zip(*rows, strict=True)
    assert expected_counts(encoded(records), np.array(weights)) == pytest.approx(
        twin.tree_counts(records, weights), rel=1e-9
    )


@pytest.mark.parametrize("sample", [1, 2, 7, 60])
@pytest.mark.parametrize("others", [0.0, 1e-6, 0.3, 5.0, 80.0])
def test_the_risk_is_the_mean_of_one_by_the_number_of_people(sample, others):
    weights = np.array([2.0])
    found = tree_risks(np.array([sample]), np.array([2 * others]), weights)
    assert found == pytest.approx([twin.mean_of_inverse_poisson(sample, others)], rel=1e-9)


def test_people_are_those_of_all_records_of_a_row():
    (column,) = encoded([("a",), ("b",)])
    assert people_of([column], np.array([2.0, 3.0])).tolist() == [2, 3]
    several = type(column)(column.name, column.codes, column.values, False, np.array([5, 1]))
    assert people_of([several], np.array([2.0, 3.0])).tolist() == [10, 3]
