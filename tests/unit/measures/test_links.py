"""How often links of records are right."""

import pytest

import singleout as so
from tests.small_records import linked


def test_precision_and_rate_are_table_i_with_intervals_and_a_baseline():
    links = linked()
    found = so.accuracy(links, "person")
    assert found.correct == 2
    assert (found.precision.value, found.precision.n) == (2 / 3, 3)
    assert (found.rate.value, found.rate.n) == (2 / 5, 5)
    assert found.rate.low < found.rate.value < found.rate.high
    assert found.random == links.random == 1 / 6
    assert so.accuracy(links, {0: 0, 2: 1, 3: 2}) == found, "rows by rows say the same"


def test_truth_is_checked():
    links = linked()
    with pytest.raises(so.InputError, match="truth must be a column that was not used for linking"):
        so.accuracy(links, "sex")
    with pytest.raises(so.InputError, match=r"truth='persn' is not a column.*Did you mean 'person'"):
        so.accuracy(links, "persn")
    with pytest.raises(so.InputError, match="truth must contain row numbers of known, from 0 to 5"):
        so.accuracy(links, {0: 6})
    with pytest.raises(so.InputError, match="the name of a column on both sides, or a mapping"):
        so.accuracy(links, [0, 1])
    nothing = so.accuracy(linked(max_released=1, max_columns=1), "person")
    assert (nothing.precision, nothing.rate.value) == (None, 0)
