"""What may be asked of protect: an event log or a table, never both."""

import pytest

import singleout as so
from singleout.assessment.release_options import ReleaseOptions


def test_options_of_event_logs_and_of_tables_exclude_each_other():
    with pytest.raises(so.InputError, match="give either user .* or known_columns"):
        ReleaseOptions(user="who", known_columns="age")
    with pytest.raises(so.InputError, match="place applies only to event logs"):
        ReleaseOptions(known_columns="age", place="where")
    with pytest.raises(so.InputError, match="known_user applies only to event logs"):
        ReleaseOptions(known_columns="age", known_user="who")
    with pytest.raises(so.InputError, match="method applies only to tables"):
        ReleaseOptions(user="who", method="cells")


def test_how_a_file_is_written_may_be_said_of_both():
    for kind in ({"user": "who"}, {"known_columns": "age"}):
        asked = ReleaseOptions(**kind, delimiter=";", decimal="comma", columns_are="a,b")
        assert asked.as_flags() == ["--delimiter", ";", "--decimal", "comma", "--columns-are", "a,b"]
