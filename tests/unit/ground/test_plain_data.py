"""Types of plain data: to a type checker they are what they annotate, and they can stand in unions."""

from typing import get_args

from singleout.ground.plain_data import Count, FieldsOf, Limits, Share, ShareOrNone


def test_a_limited_number_is_a_number_with_its_limits_beside_it():
    assert get_args(Share) == (float, Limits(0, 1))
    assert get_args(Count) == (int, Limits(0))
    assert get_args(ShareOrNone)[0] == float | None


def test_what_stands_beside_a_type_can_be_compared_and_hashed_so_that_unions_of_it_work():
    assert {Limits(0, 1), Limits(0, 1)} == {Limits(least=0, most=1)}
    assert FieldsOf(int) == FieldsOf(int)
    assert (Share | None) == (Share | None)
