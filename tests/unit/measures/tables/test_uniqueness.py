"""Classes by size, against counting whole rows; nothing about the population."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from tests.reference import partitions as slow

records = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["x", "y", None])), min_size=1, max_size=40)


def table_of(rows, **options):
    return so.read_table(pa.table({"a": [row[0] for row in rows], "b": [row[1] for row in rows]}), **options)


@given(records)
def test_classes_by_size_are_brute_force(rows):
    found = so.uniqueness(table_of(rows), columns=["a", "b"])
    wanted = slow.by_size(rows, [0, 1])
    assert found.by_size == wanted
    assert found.records == len(rows)
    assert found.single == wanted.get(1, 0)
    assert found.below(5) == sum(classes for size, classes in wanted.items() if size < 5)
    assert found.rate.value == pytest.approx(found.single / len(rows))
    assert found.to_arrow().to_pydict() == {
        "size": list(wanted),
        "classes": list(wanted.values()),
        "records": [size * classes for size, classes in wanted.items()],
    }


def test_with_survey_weights_the_population_is_estimated_alongside():
    rows = pa.table({"a": [1, 1, 2, 3], "w": [10.0, 30.0, 4.0, 0.0]})
    weighted, plain = (so.uniqueness(so.read_table(rows, **how), columns=["a"]) for how in ({"survey_weight": "w"}, {}))
    assert weighted.sizes.tolist() == plain.sizes.tolist() == [1, 1, 2]
    expected = so.population_risk(so.read_table(rows, survey_weight="w"), columns=["a"])
    assert weighted.population.rate == expected.rate
    assert str(weighted) == f"{plain}\n{expected.in_words()}"
    assert plain.population is None


def test_the_table_of_the_paper_is_printed_and_no_value():
    found = so.uniqueness(table_of([(0, "secret")] * 3 + [(1, "x")]), columns=["b"])
    assert str(found).splitlines()[2:5] == [
        "                < 10        2",
        "                 < 5        2",
        "                   1        1",
    ]
    assert "secret" not in repr(found)


def test_wrong_arguments_are_refused_in_words():
    table = table_of([(0, "x")])
    with pytest.raises(so.InputError, match="uniqueness: columns='B' is not a column.*Did you mean 'b'"):
        so.uniqueness(table, columns=["B"])
    with pytest.raises(so.InputError, match="columns must be a list of at least one column"):
        so.uniqueness(table, columns=[])
    with pytest.raises(so.InputError, match="uniqueness: table must be a Table"):
        so.uniqueness({"a": [1]}, columns=["a"])
