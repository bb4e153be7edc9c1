"""l-diversity and t-closeness, against a count class by class."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.measures.tables import diversity as module
from singleout.measures.tables.diversity import ClassValues, Sensitive, diversity
from tests.reference import diversity as twin

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=40)


@given(rows=rows, ordered=st.booleans())
def test_every_class_is_as_diverse_as_a_count_says(rows, ordered):
    names = sorted({row[0] for row in rows})
    label = np.array([names.index(row[0]) for row in rows])
    codes = np.array([row[1] for row in rows])
    sensitive = Sensitive("x", codes, 6, ordered)
    values = ClassValues.of(label, sensitive, np.ones(len(rows), dtype=int))
    of_class = [[row[1] for row in rows if row[0] == name] for name in names]
    everyone = [row[1] for row in rows]
    distances = [twin.distance(each, everyone, 6, ordered) for each in of_class]
    assert values.distinct().tolist() == [twin.of_class(each)[0] for each in of_class]
    assert values.entropy() == pytest.approx([twin.of_class(each)[1] for each in of_class])
    assert values.distance(np.ones(len(names), dtype=bool)) == pytest.approx(distances)
    found = diversity(label, sensitive)
    assert found.t == pytest.approx(max(distances))
    assert found.revealed == sum(len(each) for each in of_class if len(set(each)) == 1)


def test_classes_that_are_left_out_do_not_count_as_part_of_all():
    values = ClassValues.of(np.array([0, 0, 1]), Sensitive("x", np.array([0, 1, 1]), 2, False), np.array([1, 1, 8]))
    assert values.distance(np.array([True, False])).tolist() == [0.0, 0.5]


def test_many_values_are_compared_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    label, codes = rng.integers(0, 30, 500), rng.integers(0, 40, 500)
    label[:30] = np.arange(30)
    whole = diversity(label, Sensitive("x", codes, 40, True))
    monkeypatch.setattr(module, "MOST_CELLS", 100)
    assert diversity(label, Sensitive("x", codes, 40, True)) == whole


def test_the_published_example(real_data):
    table = so.read_table(real_data("ihsn_suda_example") / "ihsn_suda_example.csv")
    columns = ["residence", "gender", "education", "labor"]
    found = so.table_risk(table, known_columns=columns, sensitive=["health"])
    (published,) = table.encode(["ldiv_health"])
    assert found.diversity[0].distinct == min(map(int, published.decode()))
    assert found.diversity[0].revealed == sum(value == "1" for value in published.decode())


def test_numbers_are_ordered_and_text_is_not():
    table = so.read_table(pa.table({"n": [1, 5, 9], "c": ["a", "b", "c"], "gap": [1, None, 2]}))
    assert [Sensitive.of(column).ordered for column in table.encode(["n", "c", "gap"])] == [True, False, False]
