"""The same attack on the file of every protection."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.file_attack import Point
from singleout.measures.intervals import wilson
from tests.small_logs import noisy_sides
from tests.small_protections import MICRO, MICRO_10, NOISE, POPULAR, points_by_strength, strongest_rate

DAY = 86_400


ALL_SIMILARITIES = ("js", "l1", "cosine", "dot", "glrt", "js_roots", "js_popularity")


def test_the_stronger_of_applying_the_protection_and_not_counts():
    rng = np.random.default_rng(3)
    people, days = 40, 12
    home = rng.integers(60, size=(people, 3))
    user, day = (each.ravel() for each in np.meshgrid(np.arange(people), np.arange(2 * days), indexing="ij"))
    place = home[user, rng.integers(3, size=len(user))]
    log = so.read_events(pa.table({"u": user, "t": day * DAY * 7 + 3_600, "p": place}), user="u", time="t", place="p")
    released, known = so.split(log, by="halves")
    cut = so.Protection("shorten", [1], lambda x, n, trial: so.shorten(x, days=n), True, on_events=True)
    row = so.frontier(released, known, [cut]).rows[1]
    short = [so.histograms(so.shorten(side, days=1)) for side in (released, known)]
    both, only_release = strongest_rate(*short), strongest_rate(short[0], so.histograms(known))
    assert only_release.value > both.value, "nobody throws days away because the release is shortened"
    assert row.outside.value == pytest.approx(only_release.value)


def test_the_recommended_protection_is_attacked_by_all_weights_and_guarantees_come_first():
    released, known = noisy_sides(people=120)
    inside = (released, [known])
    frontier = so.frontier(released, known, [MICRO_10, NOISE], inside=inside, limit=0.2)
    (best,) = (row for row in frontier.rows if row.recommended)
    assert best.protection == "micro"
    assert best.guarantee <= 0.2
    again = so.frontier(released, known, [MICRO_10], inside=inside, similarities=[*ALL_SIMILARITIES]).rows[1]
    assert [rate.value for rate in best.rates] == [rate.value for rate in again.rates]


def test_two_protections_of_one_name_stay_apart_where_one_is_recommended():
    # larger cells and levels of a hierarchy both go by the name of coarsen
    released, known = noisy_sides(people=120)
    groups = so.Protection("same", [10], MICRO.apply, intruder_applies_it=False)
    nothing = so.Protection("same", ["as it is"], lambda x, strength, trial: x, intruder_applies_it=False)
    for listed in ([groups, nothing], [nothing, groups]):
        (best,) = (row for row in so.frontier(released, known, listed, limit=0.3).rows if row.recommended)
        assert (best.strength, best.smallest >= 10) == (10, True)


def test_what_empties_too_many_is_never_recommended():
    released, known = noisy_sides(people=60, places=40)
    keep = so.Protection("keep", [1, 2], lambda x, n, t: so.suppress(x, keep=n, popularity=[t.released]), True)
    frontier = so.frontier(released, known, [keep], limit=0.9)
    assert all(row.utility.emptied > 6 for row in frontier.rows[1:])
    assert not any(row.recommended for row in frontier.rows)


@pytest.mark.parametrize("names", [lambda k, n: f"g{k % n}", lambda k, n: f"p{k % n}"], ids=["new", "old"])
def test_merged_places_are_spread_whether_they_get_new_names_or_that_of_one_of_them(names):
    sides = noisy_sides()
    coarser = {f"p{k}": names(k, 3) for k in range(12)}
    merge = so.Protection("merge", [3], lambda x, n, trial: so.coarsen(x, coarser), intruder_applies_it=True)
    row = points_by_strength(so.frontier(*sides, [merge]))["merge", 3]
    assert row.utility == so.utility(sides[0], so.coarsen(sides[0], coarser), coarser=coarser)
    assert row.utility.popularity_error == pytest.approx(0, abs=0.05)


def test_counted_cells_are_made_larger_and_spread_over_the_cells_they_hold():
    rng = np.random.default_rng(2)
    user = np.repeat(np.arange(20), 30)
    home = rng.random((20, 2)) * 0.05
    lat, lng = (home[user] + rng.normal(scale=0.01, size=(600, 2))).T
    table = pa.table({"u": user, "t": rng.integers(0, 28 * DAY, 600), "lat": 46 + lat, "lng": 6 + lng})
    log = so.read_events(table, user="u", time="t", lat="lat", lng="lng", grid=500, box=(46.02, 6.02, 16_000))
    parts = so.split(log, by="halves")
    sides = [so.histograms(part) for part in parts]
    counted = so.Protection(
        "cells", [1_000, 4_000], lambda x, side, trial: so.coarsen(x, side), intruder_applies_it=True
    )
    before = so.Protection("cells", [1_000, 4_000], counted.apply, intruder_applies_it=True, on_events=True)
    rows = so.frontier(*sides, [counted]).rows
    for mine, theirs in zip(rows, so.frontier(*parts, [before]).rows, strict=True):
        assert (mine.outside, mine.cluster_level) == (theirs.outside, theirs.cluster_level)
        assert mine.loss == pytest.approx(theirs.loss, abs=1e-12)
    assert 0 < rows[1].loss < rows[2].loss < 1.2


def test_places_are_left_out_by_the_file_alone_and_the_intruder_sees_which_are_left():
    sides = noisy_sides()
    row = points_by_strength(so.frontier(*sides, [POPULAR]))["popular", 4]
    cut = [so.suppress(side, keep=4, popularity=sides[0]) for side in sides]
    assert cut[0].places.tolist() == so.suppress(sides[0], keep=4).places.tolist() == cut[1].places.tolist()
    assert row.outside.value == pytest.approx(strongest_rate(cut[0], sides[1], cut[1]).value, abs=0.01)
    assert row.utility.popularity_error > 0


def test_repeats_draw_noise_anew_and_the_same_seed_gives_the_same_rows():
    sides = noisy_sides()
    once, again, more = (so.frontier(*sides, [NOISE], repeats=r, seed=5).rows[1] for r in (1, 1, 4))
    assert once == again
    assert once.loss != more.loss


def test_events_are_coarsened_and_shortened_before_they_are_counted():
    rng = np.random.default_rng(1)
    user = np.repeat(np.arange(30), 60)
    home = rng.random((30, 2)) * 0.3
    points = home[user] + rng.normal(scale=0.02, size=(1_800, 2))
    table = pa.table(
        {"u": user, "t": rng.integers(0, 28 * DAY, 1_800), "lat": 46 + points[:, 0], "lng": 6 + points[:, 1]}
    )
    log = so.read_events(table, user="u", time="t", lat="lat", lng="lng", grid=500)
    sides = so.split(log, by="halves")
    larger = so.Protection("cells", [8_000], lambda x, side, trial: so.coarsen(x, side), True, on_events=True)
    shorter = so.Protection("days", [2], lambda x, days, trial: so.shorten(x, days=days), True, on_events=True)
    rows = points_by_strength(so.frontier(*sides, [larger, shorter]))
    assert 0 < rows["cells", 8_000].loss < 1.2
    merged = [so.histograms(so.coarsen(side, 8_000)) for side in sides]
    assert rows["cells", 8_000].outside.value == pytest.approx(strongest_rate(*merged).value)
    assert rows["days", 2].loss > 0
    with pytest.raises(so.DataError, match="'cells' works on events"):
        so.frontier(*(so.histograms(side) for side in sides), [larger])


def point(**changes):
    measured = {"outside": wilson(2, 100), "inside": wilson(10, 100), "cluster_level": wilson(20, 100)}
    about = {"random": 0.01, "attack": "joint (js)", "smallest": 1, "guarantee": None, "notes": ()}
    return Point("keep", 5, **{**measured, **about, "utility": so.Utility(0.4, 0.1, 0.7, 3), **changes})


def test_the_risk_is_the_larger_of_outside_and_inside_and_its_bound_the_highest_end():
    both = point()
    assert both.risk == both.inside
    assert both.upper == both.inside.high
    outside = point(inside=None)
    assert (outside.risk, outside.upper) == (outside.outside, outside.outside.high)
    # a less certain estimate may reach higher
    wide = point(outside=wilson(1, 5))
    assert wide.upper == wide.outside.high > wide.inside.high


def test_a_guarantee_bounds_what_was_measured_and_only_if_it_is_less():
    assert point(guarantee=0.05).upper == 0.05
    assert point(guarantee=0.9).upper == point().upper
    assert point(guarantee=0.05).is_guaranteed(0.05)
    assert not point().is_guaranteed(1.0)


def test_a_point_that_destroys_or_empties_too_much_is_never_enough():
    assert point().is_enough(0.2, people=30)
    assert not point().is_enough(0.1, people=30)
    assert not point().is_enough(0.2, people=29), "three of them are left with nothing"
    assert not point(utility=so.Utility(1.0, 0.1, 0.7, 0)).is_enough(0.2, people=30)


def test_a_row_has_one_number_a_column_and_long_names_several_lines():
    row = point(inside=None).as_row()
    assert (row["protection"], row["strength"], row["inside"], row["inside_low"]) == ("keep", "5", None, None)
    assert (row["outside"], row["loss"], row["emptied"]) == (0.02, 0.4, 3)
    long = replace(point(), protection="suppression of rare places", strength="strong")
    assert " ".join(long.label()) == "suppression of rare places strong"
    assert max(map(len, long.label())) <= 18
    assert replace(point(), strength=None).label() == ["keep"]
