"""Suppression and shortening: what is left out is noted, and emptied people keep a row."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from tests.small_logs import COARSER, DAY, LOG, PLACES, counts_of, events, side


def test_popularity_may_be_one_side():
    first, second = side([[9, 1, 0, 0], [9, 0, 1, 0]]), side([[0, 1, 1, 0], [0, 1, 1, 1]])
    assert so.suppress(first, keep=1, popularity=second).places.tolist() == ["café"]


def test_the_most_popular_places_are_kept_by_visitors_of_both_sides_each_counted_once():
    first, second = side([[9, 1, 0, 0], [9, 0, 1, 0]]), side([[0, 1, 1, 0], [0, 1, 1, 1]], first=2)
    # four people: bar 2, café 3, gym 3, home 1; alone the first side would keep bar
    both = {"popularity": [first, second]}
    assert so.suppress(first, keep=2, **both).places.tolist() == ["café", "gym"]
    assert so.suppress(first, min_people=3, **both).places.tolist() == ["café", "gym"]
    assert so.suppress(first, keep=1).places.tolist() == ["bar"]
    assert so.suppress(first, keep=1, by="visits", **both).places.tolist() == ["bar"]
    # the same two people on both sides
    again = side([[0, 1, 1, 0], [0, 1, 1, 1]])
    assert so.suppress(first, min_people=2, popularity=[first, again]).places.tolist() == ["bar", "café", "gym"]
    with pytest.raises(so.DataError, match="nobody has any data left"):
        so.suppress(side([[1, 0, 0, 0]]), min_people=2, popularity=[side([[1, 0, 0, 0]])] * 2)


def test_people_emptied_by_suppression_keep_a_row_and_are_counted():
    cut = so.suppress(side([[5, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 7]]), min_people=2)
    assert cut.counts.toarray().tolist() == [[5], [1], [0]]
    assert [(note.count, note.what) for note in cut.notes] == [(3, "places left out"), (1, "people left without data")]


@pytest.mark.parametrize("options", [{"keep": 2}, {"keep": 1}, {"min_people": 2}, {"min_people": 1}])
@settings(max_examples=8)  # each opens a database
@given(rows=st.lists(st.tuples(st.sampled_from("abcde"), st.just(0), st.sampled_from(PLACES)), min_size=1))
def test_events_lose_the_places_that_their_histograms_would_lose(options, rows):
    log = events(rows)
    try:
        expected = so.suppress(so.histograms(log), **options)
    except so.DataError:
        with pytest.raises(so.DataError, match="nobody has any data left"):
            so.suppress(log, **options)
        return
    cut = so.suppress(log, **options)
    assert cut.notes == expected.notes
    assert counts_of(so.histograms(cut)) == counts_of(expected)
    assert so.histograms(cut).people.tolist() == expected.people.tolist(), "emptied people keep their row"


def test_one_part_of_a_split_is_suppressed_by_the_popularity_of_both():
    rows = [(u, k * DAY, p) for u in "ab" for k, p in enumerate(["bar"] * 7 + ["gym"] * 7)] + [("c", 8 * DAY, "bar")]
    rows += [("c", 0, "home")]
    parts = so.split(events(rows), by="dates", dates=["1970-01-01", "1970-01-08", "1970-01-15"])
    counted = [so.histograms(part) for part in parts]
    for part, own in zip(parts, counted, strict=True):
        expected = so.suppress(own, keep=1, popularity=counted)
        assert counts_of(so.histograms(so.suppress(part, keep=1, popularity=parts))) == counts_of(expected)
        assert so.suppress(part, keep=1, popularity=counted).notes[-2:] == expected.notes[-2:]


def test_suppressed_events_still_end_the_stay_before_them():
    rows = [("a", 0, "home"), ("a", 3_600, "bar"), ("a", 7_200, "home"), ("b", 0, "home")]
    stays = so.histograms(so.suppress(events(rows), keep=1), measure="dwell")
    assert counts_of(stays) == {("a", "home"): DAY - 3_600, ("b", "home"): DAY}


def test_events_that_happened_no_time_are_no_visits():
    table = pa.table({"u": ["a", "b", "c"], "p": ["bar", "bar", "gym"], "n": [0, 0, 2]})
    log = so.read_events(table, user="u", place="p", count="n")
    assert so.histograms(so.suppress(log, keep=1)).places.tolist() == ["gym"]


def test_places_merged_and_then_suppressed_are_spread_or_lost():
    log = so.suppress(so.coarsen(events(LOG), COARSER), keep=1)
    assert log.merged_places() == {"bar": "out", "café": "out", "gym": "out", "home": None}
    assert so.histograms(log).places.tolist() == ["out"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_people": 9}, "nobody has any data left"),
        ({"keep": 1, "popularity": ["bar"]}, "popularity must be a list of Events or Histograms"),
        ({"keep": 0}, "keep must be a whole number above zero"),
        ({}, "keep must be given, or min_people"),
        ({"keep": 1, "min_people": 1}, "but not both"),
    ],
)
def test_suppression_that_cannot_be_is_refused(options, message):
    with pytest.raises(so.SingleoutError, match=message):
        so.suppress(side([[1, 1, 0, 0]]), **options)


def test_only_the_first_days_with_events_are_kept():
    short = so.shorten(events(LOG), days=2)
    assert counts_of(so.histograms(short)) == {("a", "bar"): 1, ("a", "café"): 1, ("b", "gym"): 1}
    assert [(note.count, note.what) for note in so.histograms(short).notes] == [(1, "people with days left out")]
    assert counts_of(so.histograms(so.shorten(events(LOG), days=99))) == counts_of(so.histograms(events(LOG)))


def test_each_part_of_a_split_is_shortened_on_its_own():
    rows = [(u, k * DAY, p) for u in "ab" for k, p in enumerate(["bar", "gym"] * 10)]
    parts = so.split(events(rows), by="halves")
    for part in parts:
        whole = so.histograms(part)
        three = so.histograms(so.shorten(part, days=3))
        assert three.totals.tolist() == [3, 3]
        assert three.people.tolist() == whole.people.tolist()


@pytest.mark.parametrize("days", [0, 1.5, True])
def test_days_must_be_a_whole_number(days):
    with pytest.raises(so.InputError, match="days must be a whole number above zero"):
        so.shorten(events(LOG), days=days)


def test_people_whose_first_days_have_no_place_are_counted_as_emptied():
    rows = [("a", 0, None), ("a", DAY, "bar"), ("b", 0, "gym"), ("b", DAY, "gym")]
    short = so.shorten(events(rows), days=1)
    assert [(note.count, note.what) for note in short.notes[-2:]] == [
        (2, "people with days left out"),
        (1, "people left without data"),
    ]
    assert so.histograms(short).totals.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda log: so.shorten(so.histograms(log), days=1), "Counts have no days"),
        (lambda log: so.add_noise(log, epsilon=1), r"use so.histograms\(events\) first"),
        (lambda log: so.microaggregate(log, 2), r"use so.histograms\(events\) first"),
        (lambda log: so.suppress([1], keep=1), r"x must be Events or Histograms \(got 'list'\)"),
    ],
)
def test_what_a_protection_does_not_work_on_is_said_with_what_to_do(make, message):
    with pytest.raises(so.InputError, match=message):
        make(events(LOG))


def test_shortening_needs_times():
    log = so.read_events(pa.table({"u": ["a"], "p": ["x"]}), user="u", place="p")
    with pytest.raises(so.InputError, match="read with a time column"):
        so.shorten(log, days=1)
