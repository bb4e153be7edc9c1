"""Ids: one type per column, compared by value."""

from datetime import date

import numpy as np
import pytest

import singleout as so
from singleout.statistics.ids import People, as_ids, comparable


def test_numbers_on_one_side_and_text_on_the_other_are_the_same_people():
    counts = np.eye(3, dtype=int)
    found = so.accuracy(so.match(*(so.Histograms(counts, ids, "xyz") for ids in ([1, 2, 3], ["3", "2", "1"]))))
    assert found.common == 3
    assert found.expected == pytest.approx(1)


@pytest.mark.parametrize(
    ("given", "kind", "kept"),
    [
        ([3, 1, 2], "i", [3, 1, 2]),
        (np.array([3, 1], dtype=np.int32), "i", [3, 1]),
        ([1.0, 2.0], "i", [1, 2]),
        ([1.5, 2.0], "f", [1.5, 2.0]),
        (["b", "a"], "O", ["b", "a"]),
        ([date(2020, 1, 2)], "O", ["2020-01-02"]),
        ([True, False], "O", ["True", "False"]),
        (["Zoe\u0308"], "O", ["Zo\u00eb"]),
        ([], "i", []),
    ],
)
def test_ids_are_whole_numbers_or_text_in_the_order_given(given, kind, kept):
    ids = as_ids("match", "people", given)
    assert (ids.dtype.kind, ids.tolist()) == (kind, kept)


def test_ids_of_several_types_or_in_a_table_are_refused_without_showing_one():
    with pytest.raises(so.DataError, match=r"match: people mixes ids of several types \(int, str\)") as caught:
        as_ids("match", "people", [4711, "4712"])
    assert "471" not in str(caught.value)
    with pytest.raises(so.InputError, match=r"match: people must be a list of ids \(got '2 dimensions'\)"):
        as_ids("match", "people", np.ones((2, 2)))


def test_two_sides_are_compared_in_one_type():
    numbers, text, decimals = (as_ids("match", "people", ids) for ids in ([7, 10], ["7", "07"], [7.0, 7.5]))
    assert [side.tolist() for side in comparable(numbers, text)] == [["7", "10"], ["7", "07"]]
    assert [side.tolist() for side in comparable(decimals, numbers)] == [[7.0, 7.5], [7.0, 10.0]]
    assert comparable(text, text) == (text, text)


def test_people_print_their_number_and_no_id():
    people = People(as_ids("match", "people", ["eve"] * 1_200))
    assert len(people) == 1_200
    assert repr(people) == "People(1,200)"
