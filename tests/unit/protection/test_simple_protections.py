"""Coarsening, suppression, shortening and noise: the same type comes back, with notes of what was changed."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so

PLACES = ["bar", "café", "gym", "home"]


def side(counts, places=PLACES, **options):
    return so.Histograms(np.array(counts), [f"u{k}" for k in range(len(counts))], places, **options)


def events(rows, **options):
    user, when, place = zip(*rows, strict=True)
    table = pa.table({"user": user, "time": pa.array(when, pa.int64()), "place": place})
    return so.read_events(table, user="user", time="time", place="place", **options)


DAY = 86_400
LOG = [("a", k * DAY, place) for k, place in enumerate(["bar", "café", "gym", "home", "home"])] + [("b", 0, "gym")]


def counts_of(histograms):
    table = histograms.counts.toarray()
    return {
        (person, place): table[row, column]
        for row, person in enumerate(histograms.people.tolist())
        for column, place in enumerate(histograms.places.tolist())
        if table[row, column]
    }


COARSER = {"bar": "out", "café": "out", "gym": "out", "home": "in"}


def test_a_mapping_merges_places_of_histograms_and_of_events_alike():
    expected = {("a", "in"): 2, ("a", "out"): 3, ("b", "out"): 1}
    log = events(LOG)
    assert counts_of(so.coarsen(so.histograms(log), COARSER)) == expected
    assert counts_of(so.histograms(so.coarsen(log, COARSER))) == expected
    assert [note.what for note in so.coarsen(so.histograms(log), COARSER).notes] == ["places merged"]


def test_a_hierarchy_file_goes_to_any_of_its_levels(tmp_path):
    file = tmp_path / "places.csv"
    file.write_text("place,kind,any\nbar,out,1\ncafé,out,1\ngym,out,1\nhome,in,1\n")
    counts = so.histograms(events(LOG))
    assert sorted(so.coarsen(counts, file).places) == ["in", "out"]
    assert so.coarsen(counts, file, level="any").places.tolist() == ["1"]
    with pytest.raises(so.SourceError, match="level='city' is not a column of places.csv. There are: place, kind, any"):
        so.coarsen(counts, file, level="city")
    with pytest.raises(so.SourceError, match="coarsen: no file matches"):
        so.coarsen(counts, tmp_path / "nothing.csv")


@pytest.mark.parametrize("of", [lambda log: log, so.histograms])
def test_a_place_that_the_mapping_misses_is_an_error_without_its_name(of):
    with pytest.raises(so.DataError, match="1 place has no coarser place") as caught:
        so.coarsen(of(events(LOG)), {k: v for k, v in COARSER.items() if k != "gym"})
    assert "gym" not in str(caught.value)


def test_larger_cells_equal_reading_with_larger_cells():
    rng = np.random.default_rng(0)
    table = pa.table({"u": rng.integers(0, 9, 500), "lat": 46 + rng.random(500), "lng": 6 + rng.random(500)})
    columns = {"user": "u", "lat": "lat", "lng": "lng"}
    fine = so.read_events(table, **columns, grid=1_000)
    coarse = so.histograms(so.coarsen(fine, 20_000))
    expected = so.histograms(so.read_events(table, **columns, grid=20_000))
    assert coarse.places.tolist() == expected.places.tolist()
    np.testing.assert_array_equal(coarse.counts.toarray(), expected.counts.toarray())
    assert coarse.grid == expected.grid
    with pytest.raises(so.InputError, match="at least the cells' side of 1000 metres"):
        so.coarsen(fine, 10)
    with pytest.raises(so.InputError, match="Coarsen the events before counting"):
        so.coarsen(so.histograms(fine), 5_000)


def test_coarsening_one_part_of_a_split_leaves_the_other_as_it_is():
    rows = [(u, k * DAY, p) for u in "ab" for k, p in enumerate(["bar", "gym"] * 10)]
    first, second = so.split(events(rows), by="halves")
    merged = so.histograms(so.coarsen(first, COARSER))
    assert merged.places.tolist() == ["out"]
    assert so.histograms(second).places.tolist() == ["bar", "gym"]
    assert merged.counts.sum() == so.histograms(first).counts.sum()


@given(table=arrays(np.int64, (6, 4), elements=st.integers(0, 3)).filter(lambda table: table.any()))
def test_coarsening_loses_no_event(table):
    merged = so.coarsen(side(table), COARSER)
    np.testing.assert_array_equal(merged.totals, table.sum(axis=1))


def test_the_most_popular_places_are_kept_by_visitors_of_both_sides():
    first, second = side([[9, 1, 0, 0], [9, 0, 1, 0]]), side([[0, 1, 1, 0], [0, 1, 1, 1]])
    # visitors: bar 2, café 3, gym 3, home 1; alone the first side would keep bar
    both = {"popularity": [first, second]}
    assert so.suppress(first, keep=2, **both).places.tolist() == ["café", "gym"]
    assert so.suppress(first, min_people=3, **both).places.tolist() == ["café", "gym"]
    assert so.suppress(first, keep=1).places.tolist() == ["bar"]


def test_people_emptied_by_suppression_keep_a_row_and_are_counted():
    cut = so.suppress(side([[5, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 7]]), min_people=2)
    assert cut.counts.toarray().tolist() == [[5], [1], [0]]
    assert [(note.count, note.what) for note in cut.notes] == [(3, "places left out"), (1, "people emptied")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_people": 9}, "nothing is left of anybody"),
        ({"keep": 0}, "keep must be a whole number above zero"),
        ({}, "keep must be given, or min_people"),
        ({"keep": 1, "min_people": 1}, "and not both"),
    ],
)
def test_suppression_that_cannot_be_is_refused(options, message):
    with pytest.raises(so.SingleoutError, match=message):
        so.suppress(side([[1, 1, 0, 0]]), **options)


def test_only_the_first_days_with_events_are_kept():
    short = so.shorten(events(LOG), days=2)
    assert counts_of(so.histograms(short)) == {("a", "bar"): 1, ("a", "café"): 1, ("b", "gym"): 1}
    assert [(note.count, note.what) for note in so.histograms(short).notes] == [(1, "people shortened")]
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


def test_shortening_needs_times():
    log = so.read_events(pa.table({"u": ["a"], "p": ["x"]}), user="u", place="p")
    with pytest.raises(so.InputError, match="read with a time column"):
        so.shorten(log, days=1)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_noise_is_on_every_cell_zeros_included_and_two_sided_geometric(epsilon):
    people, high = 400, 10_000
    counts = np.full((people, 50), high)
    noisy = so.add_noise(side(counts, list(range(50))), epsilon=epsilon, seed=1)
    noise = noisy.counts.toarray() - high
    # probability of n falls by exp(-epsilon) a step: mean |n| and share of zeros are known
    fall = np.exp(-epsilon)
    assert noise.mean() == pytest.approx(0, abs=0.1 / epsilon)
    assert np.abs(noise).mean() == pytest.approx(2 * fall / (1 - fall**2), rel=0.05)
    assert (noise == 0).mean() == pytest.approx((1 - fall) / (1 + fall), rel=0.05)
    empty = np.zeros((people, 50), dtype=int)
    empty[0, 0] = 1
    appeared = so.add_noise(side(empty, list(range(50))), epsilon=epsilon, seed=1).counts.toarray() > 0
    assert appeared.mean() == pytest.approx(fall / (1 + fall), rel=0.1), "zeros get noise too; the negative half is cut"


def test_noise_that_protects_a_person_cuts_their_events_first():
    noisy = so.add_noise(side([[500, 300, 0, 1], [2, 0, 1, 0]]), epsilon=1e9, unit="person", max_total=10)
    assert noisy.totals.tolist() == [10, 3], "with next to no noise only the cut is left"
    assert (noisy.notes[0].count, noisy.notes[0].what) == (1, "people cut")


def test_noise_depends_on_the_seed_and_not_on_the_order_of_rows():
    counts = np.random.default_rng(0).poisson(3.0, (20, 4))
    first, again, other = (so.add_noise(side(counts), epsilon=0.5, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.counts.toarray(), again.counts.toarray())
    assert (first.counts.toarray() != other.counts.toarray()).any()
    order = np.random.default_rng(1).permutation(20)
    shuffled = so.Histograms(counts[order], [f"u{k}" for k in order], PLACES)
    noisy = so.add_noise(shuffled, epsilon=0.5, seed=3)
    np.testing.assert_array_equal(first.counts.toarray()[order], noisy.counts.toarray())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 0}, "epsilon must be a number above zero"),
        ({"epsilon": float("nan")}, "epsilon must be a number above zero"),
        ({"epsilon": 1, "unit": "person"}, "max_total must be given with unit='person'"),
        ({"epsilon": 1, "max_total": 5}, "and only with it"),
        ({"epsilon": 1, "unit": "person", "max_total": 0}, "max_total must be a whole number above zero"),
        ({"epsilon": 1, "unit": "day"}, "unit must be one of event, person"),
    ],
)
def test_noise_that_cannot_be_is_refused(options, message):
    with pytest.raises(so.InputError, match=message):
        so.add_noise(side([[1, 2, 3, 4]]), **options)


def test_noise_needs_whole_counts():
    with pytest.raises(so.DataError, match="whole numbers"):
        so.add_noise(side([[0.5, 0.5, 0, 0]]), epsilon=1)
