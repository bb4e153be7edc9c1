"""Indistinguishable people are one class, in an order that depends on content only."""

import numpy as np
from hypothesis import given
from scipy import sparse

import singleout as so
from singleout.statistics.classes import classes_of, row_digests
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
    digests = np.array([[ord(text), 7] for text in contents], dtype=np.uint64).reshape(-1, 2)
    classes = classes_of(digests, np.array(people, dtype=object))
    classes = classes if rng is None else classes.shuffle(rng)
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
    first, second, third, empty = map(tuple, row_digests(table.indptr, table.indices, table.data).tolist())
    assert first == third != second
    assert empty not in (first, second)


@given(few_counts)
def test_digests_are_equal_where_rows_are(counts):
    table = sparse.csr_array(counts)
    digests = list(map(tuple, row_digests(table.indptr, table.indices, table.data).tolist()))
    rows = list(map(tuple, counts.tolist()))
    for i in range(len(rows)):
        for j in range(len(rows)):
            assert (digests[i] == digests[j]) == (rows[i] == rows[j])


def test_classes_of_some_people_and_by_further_values():
    classes, _ = grouped("xyxzx", ["e", "b", "a", "d", "c"])
    few = classes.only(np.array([4, 1, 0]))
    assert few.label[0] == few.label[2] != few.label[1]
    assert few.members[few.label[few.members] == few.label[0]].tolist() == [0, 2], "in order of id: c before e"
    apart = classes.refine(np.array([1.0, 1.0, 2.0, 1.0, 1.0]))
    assert apart.label[0] == apart.label[4] != apart.label[2]
    assert len(apart.size) == 4


def test_nobody_is_no_class():
    classes, members = grouped([], [])
    assert (len(classes.size), members) == (0, [])
