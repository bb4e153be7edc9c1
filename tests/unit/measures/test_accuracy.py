"""Accuracy: expected over ties, with interval, baseline and control; by people and by clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so
from singleout.measures.intervals import wilson
from tests.reference import matching as twins
from tests.reference.costs import all_pairs


def histograms(counts, people):
    counts = np.asarray(counts)
    return so.Histograms(counts, people, list(range(counts.shape[1])))


def clear_sides(people=8):
    counts = np.eye(people, dtype=int) * 5 + 1
    return histograms(counts, [f"u{k}" for k in range(people)]), histograms(counts, [f"u{k}" for k in range(people)])


def test_people_that_differ_are_all_found_and_a_shuffled_truth_finds_about_one():
    found = so.accuracy(so.match(*clear_sides(50)))
    assert (found.expected, found.correct, found.common) == (pytest.approx(50), 50, 50)
    assert found.rate.value == found.precision.value == 1.0
    assert found.random == pytest.approx(1 / 50)
    assert 0 <= found.shuffled < 0.1


def test_a_mapping_tells_who_is_who_where_ids_differ():
    released, known = clear_sides(4)
    renamed = histograms(known.counts.toarray(), ["d", "c", "b", "a"])
    truth = {"u0": "d", "u1": "c", "u2": "b", "u3": "a"}
    assert so.accuracy(so.match(released, renamed), truth).expected == pytest.approx(4)
    with pytest.raises(so.DataError, match="nobody is on both sides"):
        so.accuracy(so.match(released, renamed))
    with pytest.raises(so.DataError, match="more than one released"):
        so.accuracy(so.match(released, renamed), {"u0": "d", "u1": "d"})
    with pytest.raises(so.InputError, match="truth must be a mapping"):
        so.accuracy(so.match(released, renamed), ["u0"])


def test_unequal_sides_count_only_people_on_both_and_precision_is_per_pair():
    released, known = clear_sides(6)
    few = known.only(["u0", "u1", "u2"])
    found = so.accuracy(so.match(released.only(["u1", "u2", "u3", "u4"]), few))
    assert found.common == 2
    assert found.expected == pytest.approx(2)
    assert found.rate.value == 1.0
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.random == pytest.approx(3 / (4 * 3))
    assert found.random_precision == pytest.approx(2 / (4 * 3))


def test_cluster_level_counts_the_right_cluster_as_right():
    # N16 V-B2: released rows are cluster averages, so people of one cluster are identical
    released = histograms([[2, 0], [2, 0], [0, 2], [0, 2]], list("abcd"))
    known = histograms([[3, 1], [5, 1], [1, 3], [1, 5]], list("abcd"))
    matching = so.match(released, known)
    people, clusters = so.accuracy(matching), so.accuracy(matching, clusters=[0, 0, 1, 1])
    assert people.expected == pytest.approx(2)
    assert clusters.expected == pytest.approx(4)
    assert clusters.correct == 4
    assert clusters.random == pytest.approx(0.5)
    alone = so.accuracy(matching, clusters=[0, 1, 2, 3])
    assert alone.expected == pytest.approx(people.expected)
    assert so.accuracy(matching, clusters=["all"] * 4).rate.value == 1.0


def test_cluster_level_of_one_by_one_and_of_blind_pairs():
    released = histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], list("abc"))
    known = histograms([[1, 0, 0], [0, 0, 0], [0, 0, 0]], list("abc"))
    for method in ("joint", "one-by-one"):
        found = so.accuracy(so.match(released, known, method=method, by="known"), clusters=[0, 1, 1])
        assert 1 < found.expected <= 3
    with pytest.raises(so.InputError, match="3 labels, one per released row"):
        so.accuracy(so.match(released, known), clusters=[1])


def test_one_by_one_a_released_person_is_right_with_a_known_one_of_their_own_cluster():
    released, known = histograms([[1, 0]] * 3, list("abc")), histograms([[1, 0]], ["a"])
    found = so.accuracy(so.match(released, known, method="one-by-one"), clusters=[0, 0, 0])
    assert (found.expected, found.correct, found.common) == (pytest.approx(1), 1, 1)
    assert found.random == found.shuffled == pytest.approx(1), "there is nobody else to take"
    apart = so.accuracy(so.match(released, known, method="one-by-one", by="known"), clusters=[0, 1, 1])
    assert apart.expected == pytest.approx(1 / 3)


unequal = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda n: st.tuples(*(arrays(np.int64, (people, 3), elements=st.integers(0, 2)) for people in n))
)


@pytest.mark.parametrize("by", ["released", "known"])
@given(counts=unequal, data=st.data())
def test_cluster_level_one_by_one_equals_its_slow_twin_on_unequal_sides(by, counts, data):
    sizes = [len(side) for side in counts]
    known_people = data.draw(st.permutations(range(max(sizes))))[: sizes[1]]
    clusters = data.draw(st.lists(st.integers(0, 2), min_size=sizes[0], max_size=sizes[0]))
    true_row = [person if person < sizes[0] else None for person in known_people]
    common = sum(row is not None for row in true_row)
    if not common:
        return
    sides = histograms(counts[0], range(sizes[0])), histograms(counts[1], known_people)
    found = so.accuracy(so.match(*sides, method="one-by-one", by=by), clusters=clusters)
    costs = all_pairs("js", *counts)
    chances = twins.one_by_one_chances(costs) if by == "released" else twins.one_by_one_chances(costs.T).T
    blind = np.full(sizes, 1 / sizes[1] if by == "released" else 1 / sizes[0])
    assert found.expected == pytest.approx(twins.right_clusters(chances, true_row, clusters, by))
    assert found.random * common == pytest.approx(twins.right_clusters(blind, true_row, clusters, by))
    assert found.correct <= found.common == common


def test_an_estimate_prints_itself_and_the_accuracy_its_baseline():
    assert str(wilson(81, 263)) == "30.8% [25.5%, 36.6%]"
    assert str(so.accuracy(so.match(*clear_sides(4)))).endswith("of 4 people; chance 25.0%")
