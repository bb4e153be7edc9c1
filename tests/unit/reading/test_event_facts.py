"""What an event log says about itself: sizes in memory, no scan of a file for a glance, and never an id."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.reading import event_facts
from tests.small_logs import LOG, events


def test_events_in_memory_say_how_many_who_where_and_when():
    assert repr(events(LOG)) == "Events(6 events, 2 people, 4 places, 2011-01-26 to 2011-01-30)"


def test_parts_of_a_split_say_which_they_are():
    log = events([("a", day * 86_400, "x") for day in range(30)])
    released, known = so.split(log, by="halves")
    assert repr(released).endswith("released, the later one)")
    assert repr(known).endswith("known, the earlier one)")
    assert repr(released).startswith("Events(")


def test_a_file_is_not_read_for_a_glance_and_counted_once_a_statistic_was_asked_for(tmp_path):
    pq.write_table(pa.table({"user": ["a", "b"], "place": ["x", "y"]}), tmp_path / "log.parquet")
    log = so.read_events(tmp_path / "log.parquet", user="user", place="place")
    assert repr(log) == "Events(1 file, not read yet)"
    assert "not read yet" in log._repr_html_()
    so.histograms(log)
    assert repr(log) == "Events(2 events in the source, 1 file)"


def test_a_large_frame_is_not_counted(monkeypatch):
    monkeypatch.setattr(event_facts, "MOST_ROWS", 3)
    assert repr(events(LOG)) == "Events(not read yet)"


def test_a_log_with_faults_can_still_be_looked_at():
    table = pa.table({"user": ["a"], "time": ["nonsense"], "place": ["x"]})
    log = so.read_events(table, user="user", time="time", place="place")
    assert repr(log) == "Events(not read yet)"
    with pytest.raises(so.DataError, match="cannot be read as a time"):
        so.histograms(log)


def test_cells_are_described():
    log = so.read_events(pa.table({"u": ["a"], "x": [48.1], "y": [11.5]}), user="u", lat="x", lng="y", grid=500)
    assert "500" in repr(log)
