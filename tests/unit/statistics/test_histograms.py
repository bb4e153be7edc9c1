"""Histograms: people and places keep their rows and columns, odd sizes work, and bad counts are refused."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

import singleout as so
from tests.small_logs import DAY, MONDAY
from tests.small_logs import events as events_of


def test_a_window_leaves_out_events_outside_it_and_their_person_keeps_a_row():
    found = so.histograms(events_of([(1, MONDAY, "a"), (2, MONDAY + 43_200, "a")]), window=("09:00", "17:00"))
    assert found.counts.toarray().tolist() == [[0], [1]]
    assert "1 person without events: they keep an empty row and share no place with anyone" in [
        str(note) for note in found.notes
    ]


def test_70000_places_one_person():
    table = pa.table({"u": np.ones(70_000), "p": np.arange(70_000)})
    found = so.histograms(so.read_events(table, user="u", place="p"))
    assert found.counts.shape == (1, 70_000)
    assert so.accuracy(so.match(found, found)).rate.value == 1.0


def test_people_without_events_keep_their_row_through_matching():
    events = so.Histograms(np.array([[0, 0], [1, 2], [3, 0]]), ["none", "x", "y"], ["a", "b"])
    found = so.accuracy(so.match(events, events))
    assert found.common == 3
    assert found.expected == pytest.approx(3)


def test_counts_are_tidied_in_a_copy_and_stay_exact():
    given_counts = sparse.csr_matrix(
        (np.array([1.0, 2.0, 0.0]), np.array([1, 1, 0]), np.array([0, 2, 3])), shape=(2, 2)
    )
    found = so.Histograms(given_counts, ["a", "b"], [1, 2])
    assert found.counts.dtype == np.int64
    assert found.counts.toarray().tolist() == [[0, 3], [0, 0]]
    assert found.counts.nnz == 1
    assert given_counts.nnz == 3, "the caller's matrix is as it was"


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_negative_or_non_finite_counts_name_their_row(value):
    counts = np.ones((3, 2))
    counts[1, 1] = value
    with pytest.raises(so.DataError, match="row 2 contains one that is not"):
        so.Histograms(counts, [1, 2, 3], [1, 2])


def test_the_same_place_in_two_channels_is_two_columns():
    assert so.Histograms(np.ones((1, 2)), [1], ["a", "a"], channels=["x", "y"]).counts.shape == (1, 2)


def test_counts_that_are_no_matrix_of_numbers_are_refused():
    with pytest.raises(so.InputError, match="a matrix of people by places"):
        so.Histograms([1, 2], [1], [1, 2])
    with pytest.raises(so.InputError, match="counts must be numbers"):
        so.Histograms(np.array([["x"]]), [1], [1])
    with pytest.raises(so.DataError, match="above 2\\*\\*53"):
        so.Histograms(np.array([[2.0**60]]), [1], [1])


def test_histograms_print_their_sizes_and_no_ids():
    text = repr(so.Histograms(np.ones((1, 2)), ["Eve"], ["home", "bar"]))
    assert text == "Histograms(1 person, 2 places, 2 entries)"


def test_choosing_people_follows_the_asked_order_and_counts_strangers():
    found = so.Histograms(np.array([[1, 0], [0, 2]]), ["a", "b"], [1, 2]).only(["b", "a"])
    assert found.counts.toarray().tolist() == [[0, 2], [1, 0]]
    with pytest.raises(so.InputError, match="1 others"):
        found.only(["a", "zoe"])
    with pytest.raises(so.DataError, match="only: people contains someone more than once"):
        found.only(["a", "b", "a"])


def test_rows_taken_out_are_what_they_would_be_if_made_alone_and_leave_the_others_as_they_were():
    counts = np.array([[1.5, 0, 2], [0, 4, 0]])
    whole = so.Histograms(counts, ["a", "b"], [1, 2, 3], channels=["x", "x", "y"], unit="second")
    few = whole.only(["b"])
    alone = so.Histograms(counts[1:], ["b"], [1, 2, 3], channels=["x", "x", "y"], unit="second")
    assert few.counts.dtype == alone.counts.dtype == np.int64
    assert (few.counts != alone.counts).nnz == 0
    assert (few.places.tolist(), few.channels.tolist(), few.unit) == ([1, 2, 3], ["x", "x", "y"], "second")
    assert whole.counts.toarray().tolist() == counts.tolist()
    assert whole.people.tolist() == ["a", "b"]


def test_people_without_events_on_the_days_keep_a_row_and_are_counted():
    log = [(1, MONDAY, "a"), (2, MONDAY + DAY, "a")]
    for measure in ("events", "dwell"):
        found = so.histograms(events_of(log), days=["monday"], measure=measure)
        assert found.people.tolist() == [1, 2]
        assert found.totals.tolist()[1] == 0
        assert "1 person without events: they keep an empty row and share no place with anyone" in [
            str(note) for note in found.notes
        ]
    nobody = so.histograms(events_of(log), days=["friday"])
    assert nobody.counts.shape == (2, 0)
    with pytest.raises(so.DataError, match="released contains no events"):
        so.match(nobody, so.histograms(events_of(log)))


def test_people_who_never_say_when_are_counted():
    table = pa.table({"user": [1, 2, 2], "time": [1, None, None], "place": ["a", "a", "b"]})
    found = so.histograms(so.read_events(table, user="user", time="time", place="place"))
    assert "1 person left out: none of their events has a time" in [str(note) for note in found.notes]


def test_nobody_left_is_an_error():
    log = [(1, MONDAY + 36_000, "a")]
    with pytest.raises(so.DataError, match="nobody has any events left"):
        so.histograms(events_of(log), measure="dwell", window=("09:00", "17:00"), whole_window=True)


def test_places_are_counted_once_whatever_the_channels():
    found = so.histograms(events_of([(1, MONDAY, "a"), (1, MONDAY + DAY, "a")]), channel="weekday")
    assert repr(found).startswith("Histograms(1 person, 1 place in 2 channels, 2 entries)")


def test_counts_too_small_to_square_are_refused():
    with pytest.raises(so.DataError, match="between 0 and 1e-100 are too small"):
        so.Histograms(np.array([[1e-300, 1.0]]), ["a"], ["x", "y"])


@pytest.mark.parametrize(
    ("people", "places", "channels", "message"),
    [
        ([1, 1], [1, 2], None, "people contains 1 duplicates"),
        ([1, 2], ["a", "a"], None, "places contains duplicates"),
        ([1, 2], ["a", "a"], ["x", "x"], "places contains duplicates"),
        ([1], [1, 2], None, "people must be 2 ids"),
        ([1, 2], [1, 2], ["x"], "channels must be 2 labels"),
        ([1, "2"], [1, 2], None, "people mixes ids of several types"),
        ([1, 2], [1, "x"], None, r"places mixes ids of several types \(int, str\)"),
    ],
)
def test_ids_that_do_not_fit_are_refused(people, places, channels, message):
    with pytest.raises(so.InputError, match=message):
        so.Histograms(np.ones((2, 2)), people, places, channels=channels)
