"""Figures 5 and 6: who has a unique network."""

import pytest

from singleout.papers.registry import experiment
from singleout.papers.traces import Traces
from tests.wanderers import log_of, shelf_of


def test_people_whose_tenth_place_is_tied_are_counted():
    tied, clear = list(range(11)), [place for place in range(10) for _ in range(1)] * 2 + [10]
    assert Traces(log_of(tied, clear, [1, 2])).tied_places == 1


def test_a_shuffled_trace_of_two_places_has_lost_nothing():
    shuffled = Traces(log_of([1, 2] * 10, [1, 2, 1])).anonymity_by_chance(2, directed=False)
    assert shuffled.sizes.tolist() == [2, 2]


def test_people_who_all_walk_the_same_round_are_never_unique_and_one_of_another_shape_is(tmp_path):
    rounds = [[1, 2, 3] * 20 for _ in range(5)] + [[1, 2, 1, 3, 1, 4] * 10]
    result = experiment("manousakas-fig5").run(shelf_of(tmp_path, rounds))
    shares = {row.at: row.value for row in result.rows if row.series == "undirected"}
    assert shares[2] == 0, "two places are connected or not"
    assert shares[10] == pytest.approx(1 / 6)
    smallest = {row.at: row.value for row in result.rows if row.series == "undirected, smallest class"}
    assert set(smallest.values()) <= {1.0, 6.0}
