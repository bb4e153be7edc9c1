"""Events by day: whatever is counted from them equals what is counted from the events one by one."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.reading import daily
from singleout.reading.split import split_again

DAY = 86_400
START = 15_000 * DAY
NAMED = {"user": "user", "time": "time", "place": "place"}
COLUMNS = {"user": pa.int64(), "time": pa.int64(), "place": pa.string(), "sort": pa.string()}
ALWAYS, NEVER = 0, 2**40

logs = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 2, None]),
        st.one_of(st.none(), st.integers(START, START + 30 * DAY)),
        st.sampled_from(["a", "b", None]),
        st.sampled_from(["x", "y"]),
    ),
    min_size=1,
    max_size=60,
)
questions = {
    "everything": lambda events: [so.histograms(events)],
    "weekdays": lambda events: [so.histograms(events, channel="weekday")],
    "some days": lambda events: [so.histograms(part, days=["monday", "friday"]) for part in so.split(events)],
    "dayparts": lambda events: [so.histograms(part, channel="daypart") for part in so.split(events)],
    "a channel": lambda events: [so.histograms(part, channel="sort") for part in so.split(events)],
    "a window": lambda events: [so.histograms(part, window=("08:00", "20:00")) for part in so.split(events)],
    "seconds": lambda events: [so.histograms(part, measure="dwell") for part in so.split(events)],
    "halves": lambda events: [so.histograms(part) for part in so.split(events, week_start="tuesday")],
    "weeks": lambda events: [so.histograms(part) for part in so.split(events, by="weeks")],
    "dates": lambda events: [so.histograms(part) for part in split_at(events, "", "")],
    "times of day": lambda events: [so.histograms(part) for part in split_at(events, "T07:30:00", "T12:00:00")],
    "points": lambda events: [so.histograms(part) for part in so.split(events, by="point", seed=1)],
    "quarters": lambda events: [so.histograms(part) for half in so.split(events) for part in split_again(half)],
    "first days": lambda events: [so.histograms(so.shorten(part, days=2)) for part in so.split(events)],
    "some people": lambda events: [
        so.histograms(part.only_people(lambda ids: [i != 1 for i in ids])) for part in so.split(events)
    ],
}


def split_at(events, first, second):
    return so.split(events, by="dates", dates=["2011-01-28", f"2011-02-08{first}", f"2011-02-20{second}"])


def table_of(log):
    return pa.table(
        [pa.array(each, kind) for each, kind in zip(zip(*log, strict=True), COLUMNS.values(), strict=True)],
        names=list(COLUMNS),
    )


def answers(table, fewer, **options):
    """What is found where events by day are stored always, or never, by question."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(daily, "FEWER", fewer)
        events = so.read_events(table, **NAMED | {"channel": "sort"} | options)
        return {name: answer(question, events) for name, question in questions.items()}


def answer(question, events):
    try:
        return [as_data(each) for each in question(events)]
    except so.SingleoutError as error:
        return str(error)


def as_data(found):
    channels = None if found.channels is None else found.channels.tolist()
    columns = found.people.tolist(), found.places.tolist(), channels, found.unit
    return found.counts.toarray().tolist(), *columns, [str(note) for note in found.notes]


@settings(max_examples=20)
@given(log=logs, timezone=st.sampled_from(["UTC", "America/New_York", "Pacific/Apia"]))
def test_events_by_day_give_the_same_counts_and_notes(log, timezone):
    by_day, one_by_one = (answers(table_of(log), fewer, timezone=timezone) for fewer in (ALWAYS, NEVER))
    assert by_day == one_by_one


def pings(rows=4_000):
    """Two people, three days, cells of a small town: far more events than rows by day."""
    rng = np.random.default_rng(1)
    return pa.table(
        {
            "user": rng.integers(0, 2, rows),
            "time": START + rng.integers(0, 3, rows) * 7 * DAY + rng.integers(0, DAY, rows),
            "lat": 40 + rng.random(rows) / 100,
            "lng": 116 + rng.random(rows) / 100,
        }
    )


POINTS = {"user": "user", "time": "time", "lat": "lat", "lng": "lng", "grid": 500}


def test_rows_by_day_are_stored_where_they_are_far_fewer():
    log = so.read_events(pings(), **POINTS).log
    assert log.daily is not None
    (stored,) = log.daily.query(f"SELECT count(*) AS n FROM {log.daily.source.relation}").to_pylist()
    assert stored["n"] * daily.FEWER <= log.row_counts["rows"] == 4_000
    few = so.read_events(pings(100), **POINTS).log
    assert few.daily is None


def test_counts_of_other_places_are_made_from_the_events():
    events = so.coarsen(so.read_events(pings(), **POINTS), to=2_000)
    assert events.log.daily is None
    assert so.histograms(events).counts.sum() == 4_000


def test_a_count_column_is_added_up_from_the_events():
    table = pings().append_column("times", pa.array(np.full(4_000, 0.1)))
    assert so.read_events(table, **POINTS, count="times").log.daily is None


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("lat", 1e300, r"row 3,001: the latitude is outside -90 to 90 degrees"),
        ("lng", 181.0, r"row 3,001: the longitude is outside -180 to 180 degrees"),
        ("time", 10**12, r"row 3,001: the time in column 'time' is after the year 2500"),
    ],
)
def test_a_fault_names_its_row(column, value, message):
    table = pings()
    values = table[column].to_pylist()
    values[3_000] = value
    table = table.set_column(table.schema.get_field_index(column), column, pa.array(values))
    with pytest.raises(so.DataError, match=message):
        so.split(so.read_events(table, **POINTS))


@pytest.mark.parametrize("shift", [-START, 315_532_800 - START - 10 * DAY, 315_532_800 - START])
def test_times_that_seem_to_count_from_zero_are_noted_as_ever(shift):
    table = pings()
    moved = pa.array((table["time"].to_numpy() + shift).tolist())
    table = table.set_column(1, "time", moved)
    notes = [
        [str(note) for note in so.histograms(so.read_events(table, **POINTS), window=window).notes]
        for window in (None, ("00:00", "24:00"))
    ]
    assert notes[0] == notes[1]
    assert ("4,000 events dated before 1980" in str(notes)) == (shift == -START)


def test_a_dense_text_file_is_checked_for_lost_records(tmp_path):
    rows = "".join(f"{k % 2},{START + k % 3 * 7 * DAY},a\n" for k in range(999))
    file = tmp_path / "log.csv"
    file.write_text(f"user,time,place\n{rows}")
    assert so.histograms(so.read_events(file, **NAMED)).counts.sum() == 999
    file.write_text(f"user,time,place\n{rows}1,2,3,4\n")
    with pytest.raises(so.SourceError, match=r"row 1,000\): 4 or more fields instead of 3"):
        so.histograms(so.read_events(file, **NAMED))
