"""A protection to try: what it must be, and the ready-made ones."""

import pytest

import singleout as so
from tests.small_protections import MICRO


def made(**changes):
    return so.Protection(**{"name": "m", "strengths": [2], "apply": MICRO.apply, "known_too": False} | changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": 3}, "Protection: name must be a word, got 'int'"),
        ({"strengths": []}, "strengths must be a list of at least one strength"),
        ({"strengths": 2}, "strengths must be a list of at least one strength, got 'int'"),
        ({"strengths": "23"}, "strengths must be a list of at least one strength, got 'str'"),
        ({"apply": "x"}, "apply must be a function of data, strength and trial, got 'str'"),
        ({"apply": lambda x, k: x}, "apply must be a function of data, strength and trial"),
        ({"known_too": "no"}, "known_too must be True or False"),
        ({"on_events": 1}, "on_events must be True or False"),
    ],
)
def test_a_protection_that_cannot_be_is_refused(changes, message):
    with pytest.raises(so.InputError, match=message):
        made(**changes)
