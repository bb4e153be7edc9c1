"""Coarsening, suppression, shortening and noise: the same type comes back, with notes of what was changed."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import singleout as so

PLACES = ["bar", "café", "gym", "home"]


def side(counts, places=PLACES, first=0, **options):
    return so.Histograms(np.array(counts), [f"u{first + k}" for k in range(len(counts))], places, **options)


def events(rows, **options):
    user, when, place = zip(*rows, strict=True)
    table = pa.table({"user": user, "time": pa.array(when, pa.int64()), "place": place})
    return so.read_events(table, user="user", time="time", place="place", **options)


DAY = 86_400
START = 15_000 * DAY
LOG = [("a", START + k * DAY, place) for k, place in enumerate(["bar", "café", "gym", "home", "home"])]
LOG += [("b", START, "gym")]


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
    with pytest.raises(so.SourceError, match="level='city' is not a column of places.csv. Its first line names 3"):
        so.coarsen(counts, file, level="city")
    with pytest.raises(so.SourceError, match="coarsen: no file matches"):
        so.coarsen(counts, tmp_path / "nothing.csv")


@pytest.mark.parametrize("of", [pa.Table.to_pandas, pl.from_arrow, lambda table: table])
def test_a_hierarchy_may_be_a_frame(of):
    frame = of(pa.table({"place": list(COARSER), "kind": list(COARSER.values())}))
    log = events(LOG)
    for side_of_log in (log, so.histograms(log)):
        merged = so.coarsen(side_of_log, frame)
        assert counts_of(merged if isinstance(merged, so.Histograms) else so.histograms(merged)) == {
            ("a", "in"): 2,
            ("a", "out"): 3,
            ("b", "out"): 1,
        }


@pytest.mark.parametrize("gap", [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT])
@pytest.mark.parametrize("of", [lambda log: log, so.histograms])
def test_a_gap_in_a_mapping_is_refused(of, gap):
    with pytest.raises(so.DataError, match="1 place or coarser place is missing in the mapping. Fill them in"):
        so.coarsen(of(events(LOG)), COARSER | {"gym": gap})
    with pytest.raises(so.DataError, match="4 places or coarser places are missing"):
        so.coarsen(of(events(LOG)), dict.fromkeys(COARSER, gap))


def test_gaps_in_a_hierarchy_file_are_counted(tmp_path):
    (tmp_path / "places.csv").write_text("place,kind\nbar,out\ncafé,\ngym,\nhome,in\n")
    with pytest.raises(so.DataError, match="2 places or coarser places are missing in the mapping"):
        so.coarsen(so.histograms(events(LOG)), tmp_path / "places.csv")


def test_popularity_may_be_one_side():
    first, second = side([[9, 1, 0, 0], [9, 0, 1, 0]]), side([[0, 1, 1, 0], [0, 1, 1, 1]])
    assert so.suppress(first, keep=1, popularity=second).places.tolist() == ["café"]


@pytest.mark.parametrize("of", [lambda log: log, so.histograms])
def test_a_place_that_the_mapping_misses_is_an_error_without_its_name(of):
    with pytest.raises(so.DataError, match="1 place has no coarser place.* add a row for each") as caught:
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
    before, after = so.histograms(fine).number_of_places, expected.number_of_places
    assert [str(note) for note in coarse.notes] == [f"{before} places merged: coarsened to {after}"]


def points(number=500, people=9):
    rng = np.random.default_rng(0)
    lat, lng = 46 + rng.random(number), 6 + rng.random(number)
    return pa.table({"u": rng.integers(0, people, number), "lat": lat, "lng": lng})


def test_counted_cells_of_a_box_merge_as_if_the_cells_had_been_larger_from_the_start():
    columns = {"user": "u", "lat": "lat", "lng": "lng", "box": (46.5, 6.5, 80_000)}
    fine = so.histograms(so.read_events(points(), **columns, grid=500))
    merged = so.coarsen(fine, 4_000)
    expected = so.histograms(so.read_events(points(), **columns, grid=4_000))
    assert counts_of(merged) == counts_of(expected)
    assert merged.grid == expected.grid
    assert counts_of(so.coarsen(merged, 8_000)) == counts_of(so.coarsen(fine, 8_000))


@pytest.mark.parametrize("hemisphere", [1, -1])
def test_counted_cells_of_the_globe_go_to_the_cell_that_holds_their_middle(hemisphere):
    grid, times = 1_000, 7
    centres = np.array([[-40.0, 3.0], [0.001, 0.001], [46.2, 6.1], [71.0, -25.0]]) * hemisphere
    steps = np.arange(-9, 10) * 0.009
    lat, lng = (np.add.outer(centres[:, k], steps).ravel() for k in (0, 1))
    columns = {"user": "u", "lat": "lat", "lng": "lng"}
    table = pa.table({"u": np.arange(len(lat)), "lat": lat, "lng": lng})
    fine = so.histograms(so.read_events(table, **columns, grid=grid))
    merged = so.coarsen(fine, grid * times)
    # the middle of each person's cell, in degrees, by the definition of the grid
    degree = np.radians(1) * 6_371_008.8 / grid
    cell = fine.places[fine.counts.indices]
    row = np.round(cell / 2**32)
    middle = (row + 0.5) / degree
    across = (cell - row * 2**32 + 0.5) / degree / np.cos(np.radians(middle))
    middles = pa.table({"u": np.arange(len(lat)), "lat": middle, "lng": across})
    assert counts_of(merged) == counts_of(so.histograms(so.read_events(middles, **columns, grid=grid * times)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda log: so.coarsen(so.histograms(log), 2_500), "a whole multiple of the cells' side of 1000 metres"),
        (lambda log: so.coarsen(so.histograms(log), 500), "at least the cells' side of 1000 metres"),
        (
            lambda log: so.coarsen(so.histograms(events(LOG)), 500),
            "a hierarchy file, where places are no cells",
        ),
        (
            lambda log: so.coarsen(events(LOG), 500),
            "a hierarchy file, where places are no cells",
        ),
        (lambda log: so.coarsen([1], COARSER), "x must be Events or Histograms, got 'list'"),
    ],
)
def test_coarsening_that_cannot_be_is_refused(make, message):
    log = so.read_events(points(), user="u", lat="lat", lng="lng", grid=1_000)
    with pytest.raises(so.InputError, match=message):
        make(log)


def test_a_cell_cut_in_two_counts_as_the_larger_cell_of_most_of_its_events():
    lat = [46.0] * 6
    lng = [6.0 + step for step in (0.0, 0.0001, 0.0002, 0.02, 0.02, 0.02)]
    table = pa.table({"u": list("abcabc"), "lat": lat, "lng": lng})
    log = so.read_events(table, user="u", lat="lat", lng="lng", grid=3_000)
    coarse = so.coarsen(log, 4_000)
    fine, merged = so.histograms(log), coarse.merged()
    assert set(fine.places.tolist()) == set(merged)
    assert set(merged.values()) <= set(so.histograms(coarse).places.tolist())
    assert all(so.coarsen(log, 4_000).merged() == merged for _ in range(3))


def test_coarsening_keeps_the_days_that_were_left_out_left_out():
    short = so.shorten(events(LOG), days=2)
    assert counts_of(so.histograms(so.coarsen(short, COARSER))) == {("a", "out"): 2, ("b", "out"): 1}


def test_coarsening_one_part_of_a_split_leaves_the_other_as_it_is():
    rows = [(u, k * DAY, p) for u in "ab" for k, p in enumerate(["bar", "gym"] * 10)]
    second, first = so.split(events(rows), by="halves")
    merged = so.histograms(so.coarsen(first, COARSER))
    assert merged.places.tolist() == ["out"]
    assert so.histograms(second).places.tolist() == ["bar", "gym"]
    assert merged.counts.sum() == so.histograms(first).counts.sum()


@given(table=arrays(np.int64, (6, 4), elements=st.integers(0, 3)).filter(lambda table: table.any()))
def test_coarsening_loses_no_event(table):
    merged = so.coarsen(side(table), COARSER)
    np.testing.assert_array_equal(merged.totals, table.sum(axis=1))


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
    with pytest.raises(so.DataError, match="nothing is left"):
        so.suppress(side([[1, 0, 0, 0]]), min_people=2, popularity=[side([[1, 0, 0, 0]])] * 2)


def test_people_emptied_by_suppression_keep_a_row_and_are_counted():
    cut = so.suppress(side([[5, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 7]]), min_people=2)
    assert cut.counts.toarray().tolist() == [[5], [1], [0]]
    assert [(note.count, note.what) for note in cut.notes] == [(3, "places left out"), (1, "people emptied")]


@pytest.mark.parametrize("options", [{"keep": 2}, {"keep": 1}, {"min_people": 2}, {"min_people": 1}])
@settings(max_examples=8)  # each opens a database
@given(rows=st.lists(st.tuples(st.sampled_from("abcde"), st.just(0), st.sampled_from(PLACES)), min_size=1))
def test_events_lose_the_places_that_their_histograms_would_lose(options, rows):
    log = events(rows)
    try:
        expected = so.suppress(so.histograms(log), **options)
    except so.DataError:
        with pytest.raises(so.DataError, match="nothing is left of anybody"):
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
    assert log.merged() == {"bar": "out", "café": "out", "gym": "out", "home": None}
    assert so.histograms(log).places.tolist() == ["out"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_people": 9}, "nothing is left of anybody"),
        ({"keep": 1, "popularity": ["bar"]}, "popularity must be a list of Events or Histograms"),
        ({"keep": 0}, "keep must be a whole number above zero"),
        ({}, "keep must be given, or min_people"),
        ({"keep": 1, "min_people": 1}, "and not both"),
    ],
)
def test_suppression_that_cannot_be_is_refused(options, message):
    with pytest.raises(so.SingleoutError, match=message):
        so.suppress(side([[1, 1, 0, 0]]), **options)


def test_notes_of_one_are_in_the_singular():
    cut = so.suppress(side([[5, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 7]]), min_people=2)
    assert [str(note) for note in cut.notes] == [
        "3 places left out: suppressed as too rare",
        "1 person emptied: all their places were suppressed",
    ]
    short = so.shorten(events(LOG), days=1)
    assert str(short.notes[0]) == "1 person shortened: to their first 1 day with events"


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


def test_people_whose_first_days_have_no_place_are_counted_as_emptied():
    rows = [("a", 0, None), ("a", DAY, "bar"), ("b", 0, "gym"), ("b", DAY, "gym")]
    short = so.shorten(events(rows), days=1)
    assert [(note.count, note.what) for note in short.notes[-2:]] == [(2, "people shortened"), (1, "people emptied")]
    assert so.histograms(short).totals.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda log: so.shorten(so.histograms(log), days=1), "Counts no longer know their days"),
        (lambda log: so.add_noise(log, epsilon=1), r"take so.histograms\(events\) first"),
        (lambda log: so.microaggregate(log, 2), r"take so.histograms\(events\) first"),
        (lambda log: so.suppress([1], keep=1), "x must be Events or Histograms, got 'list'"),
    ],
)
def test_what_a_protection_does_not_work_on_is_said_with_what_to_do(make, message):
    with pytest.raises(so.InputError, match=message):
        make(events(LOG))


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


@pytest.mark.parametrize(("epsilon", "max_total"), [(1.0, 3), (4.0, 10)])
def test_noise_that_protects_a_person_has_twice_the_events_over_epsilon_as_scale(epsilon, max_total):
    empty = np.zeros((400, 50), dtype=int)
    empty[0, 0] = 1
    noisy = so.add_noise(side(empty, list(range(50))), epsilon=epsilon, unit="person", max_total=max_total, seed=2)
    fall = np.exp(-epsilon / (2 * max_total))
    table = noisy.counts.toarray()
    assert (table > 0).mean() == pytest.approx(fall / (1 + fall), rel=0.03)
    assert table.mean() == pytest.approx(fall / (1 - fall**2), rel=0.05), "the positive half of the noise"
    assert noisy.notes[0].why.startswith(f"scale {2 * max_total / epsilon:g}, protecting one person")


def test_people_emptied_by_noise_keep_a_row_and_are_counted():
    counts = np.zeros((60, 2), dtype=int)
    counts[:, 0] = 1
    noisy = so.add_noise(side(counts, ["x", "y"]), epsilon=0.5, seed=1)
    emptied = int((noisy.totals == 0).sum())
    assert emptied > 0
    assert (noisy.notes[-1].count, noisy.notes[-1].what) == (emptied, "people emptied")


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
        ({"epsilon": 1e-17}, "epsilon must be at least 1 / 1,099,511,627,776"),
        ({"epsilon": 1e-30}, "epsilon must be at least"),
        ({"epsilon": 5e-324}, "epsilon must be at least"),
        ({"epsilon": 1, "unit": "person", "max_total": 10**38}, "max_total must be at most epsilon times"),
        ({"epsilon": 1, "seed": "a"}, "seed must be a whole number of zero or more"),
        ({"epsilon": 1, "seed": -1}, "add_noise: seed must be a whole number of zero or more"),
        ({"epsilon": 1, "seed": 1.5}, "seed must be a whole number of zero or more"),
    ],
)
def test_noise_that_cannot_be_is_refused(options, message):
    with pytest.raises(so.InputError, match=message):
        so.add_noise(side([[1, 2, 3, 4]]), **options)


def test_without_a_seed_nobody_can_draw_the_same_noise_again():
    counts = np.full((20, 4), 1_000)
    first, second = (so.add_noise(side(counts), epsilon=0.1).counts.toarray() for _ in range(2))
    assert (first != second).any()
    assert (first != so.add_noise(side(counts), epsilon=0.1, seed=0).counts.toarray()).any()


def test_noise_of_the_largest_scale_is_as_large_as_it_says():
    noise = so.add_noise(side(np.full((200, 4), 2**52)), epsilon=2.0**-40, seed=1).counts.toarray() - 2**52
    assert np.abs(noise).mean() == pytest.approx(2**40, rel=0.1)


def test_noise_says_what_one_count_is():
    table = pa.table({"u": list("aabb"), "t": [0, 3_600, 0, 7_200], "p": list("xyxy"), "n": [5, 6, 7, 8]})
    columns = {"user": "u", "time": "t", "place": "p"}
    timed, summed = so.read_events(table, **columns), so.read_events(table, **columns, count="n")
    for counts, one in (
        (so.histograms(timed), "one event"),
        (so.histograms(timed, measure="dwell"), "one second"),
        (so.suppress(so.histograms(timed, measure="dwell"), keep=1), "one second"),
        (so.histograms(summed), "one unit of the count"),
    ):
        notes = so.add_noise(counts, epsilon=1, seed=0).notes
        assert [note.why for note in notes if note.what == "counts with noise"] == [
            f"scale 1, protecting {one}, for this release only"
        ]


def test_noise_on_too_many_cells_says_how_many_may_be():
    many = so.Histograms(sparse.eye_array(2**14, dtype=np.int64), range(2**14), range(2**14))
    with pytest.raises(so.DataError, match="16,384 people at 16,384 places are more than 134,217,728"):
        so.add_noise(many, epsilon=1)


def test_noise_needs_whole_counts():
    with pytest.raises(so.DataError, match="whole numbers"):
        so.add_noise(side([[0.5, 0.5, 0, 0]]), epsilon=1)
