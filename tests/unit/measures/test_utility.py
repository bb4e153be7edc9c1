"""What protected histograms have lost."""

import numpy as np
import pytest

import singleout as so
from tests.small_logs import noisy_sides


def test_merged_places_are_spread_by_popularity():
    released = so.Histograms(np.array([[3, 1, 0], [0, 0, 4]]), ["a", "b"], ["x", "y", "z"])
    merged = so.coarsen(released, {"x": "m", "y": "m", "z": "z"})
    found = so.utility(released, merged, coarser={"x": "m", "y": "m", "z": "z"})
    # all of m belongs to one person, so popularity gives back exactly what was merged
    assert (found.loss, found.popularity_error) == (0.0, 0.0)
    assert found.top_kept == pytest.approx(1 / 3), "only z was not merged"
    apart = so.Histograms(np.array([[4, 0, 0], [0, 4, 0]]), ["a", "b"], ["x", "y", "z"])
    coarser = {"x": "m", "y": "m", "z": "z"}
    lost = so.utility(apart, so.coarsen(apart, coarser), coarser=coarser)
    assert lost.loss == pytest.approx(1.0), "both become half x, half y: their mean"
    assert lost.popularity_error == 0.0


def test_everything_merged_in_one_place_is_everyone_alike_with_places_as_popular_as_before():
    released = so.Histograms(np.array([[90, 10, 0], [0, 1, 1], [1, 0, 0]]), ["a", "b", "c"], ["x", "y", "z"])
    coarser = dict.fromkeys("xyz", "all")
    lost = so.utility(released, so.coarsen(released, coarser), coarser=coarser)
    assert lost.loss == pytest.approx(1.0)
    assert lost.popularity_error == pytest.approx(0.0, abs=1e-12)


def test_an_emptied_person_costs_as_much_as_one_moved_where_they_never_were():
    counts = np.array([[4, 0, 0], [0, 3, 1], [1, 1, 0]])
    original = so.Histograms(counts, ["a", "b", "c"], ["x", "y", "z"])
    emptied = so.Histograms(counts * [[0], [1], [1]], ["a", "b", "c"], ["x", "y", "z"])
    moved = so.Histograms(np.array([[0, 0, 4], [0, 3, 1], [1, 1, 0]]), ["a", "b", "c"], ["x", "y", "z"])
    assert so.utility(original, emptied).loss == pytest.approx(so.utility(original, moved).loss)
    assert so.utility(original, emptied).emptied == 1
    assert so.utility(original, moved).emptied == 0


def test_a_channel_that_is_emptied_is_lost_even_where_another_is_filled():
    ids = {"people": ["a", "b"], "places": ["x", "y", "x", "y"], "channels": ["day", "day", "night", "night"]}
    before = so.Histograms(np.array([[1, 0, 0, 0], [0, 1, 1, 1]]), **ids)
    after = so.Histograms(np.array([[0, 0, 1, 0], [0, 1, 1, 1]]), **ids)
    about_mean = 0.5 + 0.5 + (0.25 + 0.25) + 0.5 + 0.5 + (0.25 + 0.25)
    assert so.utility(before, after).loss == pytest.approx(3 / about_mean), "1 lost, 1 nowhere, 1 that was never there"


def test_suppressed_places_are_not_among_the_most_popular_kept():
    released = noisy_sides(places=12)[0]
    assert so.utility(released, so.suppress(released, keep=1)).top_kept == pytest.approx(0.1)


def test_utility_compares_histograms_of_the_same_people():
    released = noisy_sides()[0]
    with pytest.raises(so.InputError, match=r"utility: protected must be Histograms \(got 'int'\)"):
        so.utility(released, 3)
    with pytest.raises(so.DataError, match="the same people in the same order"):
        so.utility(released, released.only(released.people[:3]))


@pytest.mark.parametrize(
    ("kept", "top", "said"),
    [
        (1.0, 10, "all of the 10 shops with the largest shares are still in the top 10"),
        (1.0, 1, "the shop with the largest share still has it"),
        (0.0, 1, "the shop with the largest share does not have it any more"),
        (0.0, 3, "none of the 3 shops with the largest shares is still in the top 3"),
        (0.7, 10, "7 of the 10 shops with the largest shares are still in the top 10"),
        (0.25, 4, "1 of the 4 shops with the largest shares is still in the top 4"),
        (0.85, 10, "8.5 of the 10 shops with the largest shares are still in the top 10"),
    ],
)
def test_how_many_popular_places_stay_is_said_in_words(kept, top, said):
    assert so.Utility(0.5, 0.1, kept, 0, top).top_in_words("shop") == said


@pytest.mark.parametrize(
    ("kept", "order_kept", "said"),
    [
        (1.0, 1.0, "all of the 10 shops with the largest shares are still in the top 10, in the same order"),
        (0.3, 1.0, "3 of the 10 shops with the largest shares are still in the top 10, in the same order"),
        (0.3, 0.0, "3 of the 10 shops with the largest shares are still in the top 10, in another order"),
        (0.3, 0.5, "3 of the 10 shops with the largest shares are still in the top 10"),
        (0.1, 1.0, "1 of the 10 shops with the largest shares is still in the top 10"),
    ],
)
def test_whether_popular_places_are_in_the_same_order_is_said_too(kept, order_kept, said):
    assert so.Utility(0.5, 0.1, kept, 0, 10, order_kept).top_in_words("shop") == said


def test_places_that_were_merged_or_left_out_are_not_still_popular():
    counts = np.diag(np.arange(20, 8, -1))
    released = so.Histograms(counts, [f"p{k}" for k in range(12)], [f"s{k:02}" for k in range(12)])
    coarser = {f"s{k:02}": "abc"[k // 4] for k in range(12)}
    merged = so.utility(released, so.coarsen(released, coarser), coarser=coarser)
    assert (merged.top, merged.top_kept) == (10, 0.0), "three places are left, and none of them is one of the twelve"
    few = so.utility(released, so.suppress(released, keep=3))
    assert (few.top, few.top_kept, few.order_kept) == (10, pytest.approx(0.3), 1.0)


def test_places_that_change_ranks_are_in_another_order():
    before = so.Histograms(np.array([[3, 1, 0], [3, 0, 1], [0, 2, 2]]), ["a", "b", "c"], ["x", "y", "z"])
    after = so.Histograms(np.array([[1, 3, 0], [0, 3, 1], [0, 2, 2]]), ["a", "b", "c"], ["x", "y", "z"])
    found = so.utility(before, after)
    assert (found.top_kept, found.order_kept) == (1.0, 0.0)
    assert so.utility(before, before).order_kept == 1.0


def test_of_few_places_only_those_there_are_count_as_popular():
    released = so.Histograms(np.array([[3, 1, 0], [0, 0, 4]]), ["a", "b"], ["x", "y", "z"])
    assert so.utility(released, released).top == 3
