"""Indistinguishable people are one class, in an order that depends on content only."""

import numpy as np
from hypothesis import given
from scipy import sparse

import singleout as so
from singleout.statistics.classes import classes_of, row_contents
from tests.reference.matching import identical_up_to_scale
from tests.small_matchings import few_counts, sides_of_counts


@given(released=few_counts, known=few_counts)
def test_classes_are_the_rows_equal_in_exact_arithmetic(released, known):
    released[0, 0] = known[0, 0] = 1
    chances = so.match(*sides_of_counts(released, known)).chances
    for classes, counts in ((chances.released, released), (chances.known, known)):
        for i in range(6):
            for j in range(6):
                assert (classes.label[i] == classes.label[j]) == identical_up_to_scale(counts[i], counts[j])


def test_different_lengths_of_whole_and_broken_counts_are_classes_by_their_numbers():
    shares = np.array([[0.25, 0.75], [0.25, 0.75], [0.5, 0.5]])
    chances = so.match(*sides_of_counts(shares, shares)).chances
    assert chances.released.label[0] == chances.released.label[1] != chances.released.label[2]


def grouped(contents, people, rng=None):
    classes = classes_of([text.encode() for text in contents], np.array(people, dtype=object), rng)
    ends = np.cumsum(classes.size)
    return classes, [classes.members[end - size : end].tolist() for end, size in zip(ends, classes.size, strict=True)]


def test_members_are_listed_class_by_class_in_order_of_id():
    classes, members = grouped("xyxzx", ["e", "b", "a", "d", "c"])
    assert sorted(members) == [[1], [2, 4, 0], [3]]
    assert all(set(classes.label[each]) == {number} for number, each in enumerate(members))
    assert classes.first.tolist() == [each[0] for each in members]


def test_the_order_of_rows_changes_no_class_and_no_order_of_them():
    contents, people, order = "xyxzx", ["e", "b", "a", "d", "c"], [3, 0, 4, 2, 1]
    _, members = grouped(contents, people)
    _, again = grouped([contents[k] for k in order], [people[k] for k in order])
    assert [[people[k] for k in each] for each in members] == [[people[order[k]] for k in each] for each in again]


def test_shuffled_classes_are_the_same_classes_in_an_order_of_the_seed():
    plain, members = grouped("aabbcd", range(6))
    orders = set()
    for seed in range(10):
        shuffled, dealt = grouped("aabbcd", range(6), np.random.default_rng(seed))
        assert sorted(dealt) == sorted(members)
        assert all(set(shuffled.label[each]) == {number} for number, each in enumerate(dealt))
        orders.add(str(dealt))
    assert len(orders) > 1
    assert plain.size.sum() == 6


def test_rows_of_the_same_values_in_other_columns_are_other_contents():
    table = sparse.csr_array(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]))
    first, second, third, empty = row_contents(table.indptr, table.indices, table.data)
    assert first == third != second
    assert empty == b""


def test_nobody_is_no_class():
    classes, members = grouped([], [])
    assert (len(classes.size), members) == (0, [])
