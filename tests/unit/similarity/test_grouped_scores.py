"""Scores of groups of people with equal data are those of their people."""

import numpy as np
import pytest
from scipy import sparse

import singleout as so
from singleout.similarity.grouped_scores import GroupedScores, equal_rows
from singleout.similarity.scores import score_pairs
from tests.grouped import of_people as everyone

TABLE = np.array([[3.0, 0.0], [3.0, 0.0], [1.0, 2.0]])


def grouped():
    """Three groups of released people, two of known ones; the first two released groups have the same scores."""
    released = so.Histograms([[1, 0], [2, 0], [1, 0], [0, 5]], list("abcd"), ["x", "y"])
    known = so.Histograms([[0, 1], [4, 4], [0, 1]], list("rst"), ["x", "y"])
    groups = equal_rows(released, released.counts), equal_rows(known, known.counts)
    # groups are in order of their digests: rows of the table belong to those of a, b and d, of r and s
    order = [groups[0].label[[0, 1, 3]], groups[1].label[[0, 1]]]
    table = np.zeros_like(TABLE)
    table[np.ix_(*order)] = TABLE
    return GroupedScores(sparse.csr_array(table), groups)


def of_people():
    return TABLE[[0, 1, 0, 2]][:, [0, 1, 0]]


def test_people_with_equal_rows_are_a_group():
    groups = grouped().groups
    assert groups[0].label[0] == groups[0].label[2] != groups[0].label[1]
    assert sorted(groups[0].size) == [1, 1, 2]
    assert sorted(groups[1].size) == [1, 2]


def test_scores_are_those_of_everyone_in_a_group():
    scores, expected = grouped(), of_people()
    assert np.array_equal(everyone(scores).toarray(), expected)
    assert np.array_equal(scores.between(np.array([3, 0]), np.array([1])).toarray(), expected[[3, 0]][:, [1]])
    assert scores.of_pairs(np.array([2, 3]), np.array([2, 1])).tolist() == [3.0, 2.0]
    assert scores.lowest == 0.0


def test_groups_with_the_same_scores_are_one_class_as_their_people_would_be():
    scores = grouped()
    plain = so.Scores(sparse.csr_array(of_people()), list("abcd"), list("rst"), absent="forbidden")
    for mine, theirs in zip(scores.classes(), plain.classes(), strict=True):
        same = [each.label[:, None] == each.label[None, :] for each in (mine, theirs)]
        assert np.array_equal(*same)


@pytest.mark.parametrize("seed", range(3))
def test_gains_are_lifted_by_as_much_as_those_of_people(seed):
    plain = so.Scores(sparse.csr_array(of_people()), list("abcd"), list("rst"), absent="forbidden")
    found, expected = (score_pairs(each, np.random.default_rng(seed)) for each in (grouped(), plain))
    assert found[0].lift == expected[0].lift
    assert sorted(found[0].table.data) == sorted(expected[0].table.data)
    for mine, theirs in zip(found[1:], expected[1:], strict=True):
        assert sorted(mine.size) == sorted(theirs.size)
