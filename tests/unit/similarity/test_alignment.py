"""Two sides over the same columns."""

import numpy as np
import pytest

import singleout as so
from singleout.matching.matching import How, match_compared
from singleout.similarity.alignment import align_sides
from singleout.similarity.comparison import compare
from singleout.similarity.registry import find_similarity
from tests.small_logs import side


def test_columns_are_aligned_by_place_id():
    released = so.Histograms(np.array([[1, 2]]), ["a"], ["gym", "bar"])
    known = so.Histograms(np.array([[3, 4]]), ["a"], ["home", "gym"])
    sides = align_sides(released, known)
    assert sides.released.counts.toarray().tolist() == [[2, 1, 0]]
    assert sides.known.counts.toarray().tolist() == [[0, 4, 3]]
    assert sides.released.channel.tolist() == [0, 0, 0]
    assert sides.column_of_known.tolist() == [2, 1]
    assert released.counts.toarray().tolist() == [[1, 2]], "the counts that were given are as they were"


def test_channels_come_first_and_are_numbered_from_zero():
    released = so.Histograms(np.array([[1, 2]]), ["a"], ["gym", "gym"], channels=["x", "y"])
    known = so.Histograms(np.array([[3]]), ["a"], ["gym"], channels=["y"])
    sides = align_sides(released, known)
    assert sides.known.channel.tolist() == [0, 1]
    assert sides.released.counts.toarray().tolist() == [[1, 2]]
    assert sides.known.counts.toarray().tolist() == [[0, 3]]


@pytest.mark.parametrize("similarity", ["js", "evidence", "glrt"])
def test_some_of_the_people_are_matched_as_if_the_others_had_never_been_there(similarity):
    rng = np.random.default_rng(3)
    counts = [rng.poisson(0.7, (30, 8)) for _ in "ab"]
    both = [so.Histograms(table, [f"u{k}" for k in range(30)], range(8)) for table in counts]
    rows = [np.sort(rng.choice(30, size, replace=False)) for size in (14, 11)]
    whole = align_sides(*both)
    compare(whole, find_similarity(similarity), seed=0)
    few = match_compared(compare(whole.only(*rows), find_similarity(similarity), seed=0), How())
    alone = so.match(
        *(side.only(side.people[own]) for side, own in zip(both, rows, strict=True)), similarity=similarity
    )
    assert few.cost == pytest.approx(alone.cost, rel=1e-12)
    assert so.accuracy(few).expected == pytest.approx(so.accuracy(alone).expected)
    assert few.known_side.people.tolist() == alone.known_side.people.tolist()


def test_sides_without_a_common_place_or_with_channels_on_one_side_are_refused():
    with pytest.raises(so.DataError, match="no place in common"):
        align_sides(side([[1]], ["bar"]), side([[1]], ["gym"]))
    with pytest.raises(so.DataError, match="one side has channels and the other does not"):
        align_sides(side([[1]], ["bar"]), side([[1]], ["bar"], channels=["x"]))
