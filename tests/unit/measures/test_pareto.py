"""The points that no other point beats."""

from hypothesis import given
from hypothesis import strategies as st

from singleout.measures.pareto import undominated


def test_a_point_beaten_in_one_number_and_equal_in_the_other_is_beaten():
    assert undominated([(0.2, 1.0), (0.2, 0.5), (0.1, 0.5)]) == [False, False, True]


def test_equal_points_do_not_beat_each_other():
    assert undominated([(0.3, 0.3), (0.3, 0.3)]) == [True, True]


def test_there_may_be_one_point_or_none():
    assert undominated([(1.0, 1.0)]) == [True]
    assert undominated([]) == []


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
def test_every_beaten_point_is_beaten_by_one_that_is_not(points):
    kept = [point for point, is_kept in zip(points, undominated(points), strict=True) if is_kept]
    assert kept
    for point in points:
        assert any(best[0] <= point[0] and best[1] <= point[1] for best in kept)
    for one in kept:
        assert not any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in kept)
