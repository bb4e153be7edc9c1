"""Both sides of an audit of event logs."""

import pyarrow as pa
import pyarrow.csv
import pytest

import singleout as so
from singleout.assessment.audit_sides import measure_side


def test_two_logs_are_taken_as_they_are(calls):
    events = calls.to_pandas()
    first, second = events[events.index % 2 == 0], events[events.index % 2 == 1]
    found = so.audit(first, second, options=so.AuditOptions(user="user", place="place", protect=False), progress=False)
    assert found.known.people > 100
    assert "second file" in found.assumptions[0]
    assert {curve.name for curve in found.curves} == {"people"}


def test_ids_of_another_type_on_the_other_side_are_the_same_people(calls):
    numbers = {name: number for number, name in enumerate(sorted(set(calls["user"].to_pylist())))}
    first = calls.set_column(0, "user", pa.array([numbers[name] for name in calls["user"].to_pylist()]))
    second = calls.set_column(0, "user", pa.array([str(numbers[name]) for name in calls["user"].to_pylist()]))
    found = so.audit(first, second, options=so.AuditOptions(user="user", place="place", protect=False), progress=False)
    assert found.risk.value > 0.9
    assert found.protections == ()
    assert found.curves[0].points[-1].at == len(numbers)


def test_strangers_on_the_two_sides_are_refused(calls):
    other = calls.set_column(0, "user", pa.array([f"x{row}" for row in range(calls.num_rows)]))
    with pytest.raises(so.DataError, match="nobody is on both sides"):
        so.audit(calls, other, options=so.AuditOptions(user="user", place="place"), progress=False)


def test_one_log_without_time_cannot_be_split(calls):
    with pytest.raises(so.InputError, match="time is missing"):
        so.audit(calls, options=so.AuditOptions(user="user", place="place"), progress=False)


@pytest.mark.parametrize("times", [1, 12])  # twelve times each: rows by day are far fewer, and stand for several
def test_a_side_holds_the_rows_of_its_own_days(calls, times):
    log = so.read_events(pa.concat_tables([calls] * times), user="user", time="time", place="place")
    sides = so.split(log, by="weeks")
    assert (sides[0].by_day() is sides[0]) == (times == 1)
    found = [measure_side(side, so.histograms(side)).rows for side in sides]
    assert found == [so.histograms(side).counts.sum() for side in sides]
    assert sum(found) <= times * calls.num_rows
