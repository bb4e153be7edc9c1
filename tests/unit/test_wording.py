"""What the library says becomes what the command line says: options, never arguments."""

import pytest

from singleout._wording import in_options

OPTIONS = ["events", "user", "time", "encoding", "coordinate_scale", "time_unit", "microaggregate", "coarsen", "split"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("read_events: user='x' is not a column of a.csv.", "--user x is not a column of a.csv."),
        ("microaggregate: k must be 1, got 0.", "--microaggregate must be 1, got 0."),
        ("frontier: protection 'm' at strength 0: microaggregate: k must be 1.", "protection 'm' at strength 0: --m"),
        ("a.csv is not UTF-8 text. Pass encoding='latin-1' if", "a.csv is not UTF-8 text. Pass --encoding latin-1 if"),
        ("read_events: row 2: too far. Is coordinate_scale right?", "row 2: too far. Is --coordinate-scale right?"),
        ("read_events: row 2: late. Is time_unit='s' right?", "row 2: late. Is --time-unit s right?"),
        ("coarsen: 1 place has no coarser place.", "--coarsen: 1 place has no coarser place."),
        ("split: by must be one of halves, weeks", "--split must be one of halves, weeks"),
        ("read_events: row 1: column 'k_m' does not parse", "row 1: column 'k_m' does not parse"),
        ("match: size must be 3.", "size must be 3."),
        ("protect: --level goes with --coarsen.", "protect: --level goes with --coarsen."),
        ("x must be read. Name it: read_events(…, time='…').", "x must be read. Name it: --time …."),
    ],
)
def test_arguments_become_options(said, told):
    assert in_options(said, OPTIONS).startswith(told)
