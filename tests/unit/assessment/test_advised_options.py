"""Advised commands keep what was given, and leave out what was wrong."""

import pytest

from singleout.assessment.advised_options import merge_options
from singleout.reading.proposals import GRID

LOG = {"user": "card", "time": "at", "place": "stop"}
CELLS = {"user": "card", "time": "at", "lat": "y", "lng": "x", "grid": GRID, "coordinate_scale": 1e-6}
TABLE = {"known_columns": ["age", "sex"], "drop": ["no"]}


@pytest.mark.parametrize(
    ("proposed", "given", "merged"),
    [
        (LOG, {}, LOG),
        (TABLE, {"max_risk": 5, "k": 1}, TABLE),
        (TABLE, {"max_risk": "5%", "k": 1, "label": "x"}, TABLE | {"max_risk": "5%", "label": "x"}),
        (TABLE, {"split": "weeks", "population": "900"}, TABLE | {"population": "900"}),
        (LOG, {"split": "decades", "user": "who"}, LOG | {"user": "who"}),
        (LOG, {"lat": "stop"}, LOG),
        (LOG, {"lat": "stop", "lng": "x", "grid": "9"}, LOG),
        (LOG, {"grid": "100"}, LOG),
        (LOG, {"lat": "y", "lng": "x"}, {"user": "card", "time": "at", "grid": GRID, "lat": "y", "lng": "x"}),
        (
            LOG,
            {"lat": "y", "lng": "x", "grid": "9"},
            {"user": "card", "time": "at", "grid": "9", "lat": "y", "lng": "x"},
        ),
        (CELLS, {"lat": "y"}, CELLS),
        (CELLS, {"place": "stop"}, LOG),
        (CELLS, {"place": "stop", "lat": "y"}, LOG),
        (LOG, {"user_from_name": True}, {"time": "at", "place": "stop", "user_from_name": True}),
    ],
)
def test_what_was_given_stays_unless_it_is_wrong(proposed, given, merged):
    assert merge_options(proposed, given, two_files=False) == merged


def test_two_files_are_not_split():
    assert merge_options(LOG, {"split": "weeks", "seed": "3"}, two_files=True) == LOG | {"seed": "3"}
