"""Arguments of a matching that make no sense are refused."""

import numpy as np
import pytest

import singleout as so
from tests.small_matchings import sides_of_counts

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, r"size must be a whole number from 1 to 2 \(the smaller side\)"),
        ({"size": 3}, "size must be a whole number from 1 to 2"),
        ({"size": "2"}, "size must be a whole number"),
        ({"size": 1.5}, "size must be a whole number"),
        ({"tolerance": "a"}, "tolerance must be from 0"),
        ({"tolerance": float("nan")}, "tolerance must be from 0"),
        ({"tolerance": 0.1, "method": "one-by-one"}, "joint if size or tolerance is given"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"size": 1, "method": "one-by-one"}, "joint if size or tolerance is given"),
        ({"tolerance": -0.1}, "tolerance must be from 0"),
        ({"tolerance": 1.0}, "tolerance must be from 0"),
        ({"method": "both"}, "method must be one of joint, one-by-one"),
        ({"method": "one-by-one", "by": "me"}, "by must be one of released, known"),
    ],
)
def test_bad_options_say_what_they_must_be(options, message):
    with pytest.raises(so.InputError, match=message):
        so.match(*sides_of_counts(np.eye(3, dtype=int), np.eye(3, dtype=int)[:2]), **options)
