"""Protect and attack again: the same attack, the same loss, for every protection."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so

DAY = 86_400


def noisy_sides(people=40, places=12, seed=0):
    rng = np.random.default_rng(seed)
    taste = rng.gamma(0.4, size=(people, places))
    ids, names = [f"u{k}" for k in range(people)], [f"p{k}" for k in range(places)]
    return [so.Histograms(rng.poisson(8 * taste) + (taste == taste.max(1)[:, None]), ids, names) for _ in "ab"]


MICRO = so.Protection("micro", [5, 40], lambda x, k, trial: so.microaggregate(x, k), intruder_applies_it=False)
MERGED = so.Protection(
    "merge",
    [2, 3],
    lambda x, n, trial: so.coarsen(x, {f"p{k}": f"g{k % n}" for k in range(12)}),
    intruder_applies_it=True,
)
MICRO_10 = so.Protection("micro", [10], MICRO.apply, intruder_applies_it=False)
ALL_SIMILARITIES = ("js", "l1", "cosine", "dot", "glrt", "js_roots", "js_popularity")
POPULAR = so.Protection(
    "popular", [4], lambda x, n, trial: so.suppress(x, keep=n, popularity=[trial.released]), intruder_applies_it=True
)
NOISE = so.Protection(
    "noise", [0.1], lambda x, e, trial: so.add_noise(x, epsilon=e, seed=trial.seed), intruder_applies_it=False
)


def rows_of(frontier):
    return {(row.protection, row.strength): row for row in frontier.rows}


def strongest(released, known, *more):
    """What the three ways of matching find at most, with what is known as it is and as the intruder may change it."""
    ways = (("joint", "released"), ("one-by-one", "released"), ("one-by-one", "known"))
    found = [
        so.accuracy(so.match(released, side, method=method, by=by)).rate
        for side in (known, *more)
        for method, by in ways
    ]
    return max(found, key=lambda rate: rate.value)


def test_the_data_as_it_is_and_everyone_in_one_group_are_the_extremes():
    sides = noisy_sides()
    rows = rows_of(so.frontier(*sides, [MICRO]))
    plain = rows["none", None]
    assert plain.outside.value == pytest.approx(strongest(*sides).value)
    assert (plain.loss, plain.inside, plain.guarantee, plain.smallest) == (0.0, None, None, 1)
    whole = rows["micro", 40]
    assert whole.outside.value == pytest.approx(1 / 40)
    assert whole.cluster_level.value == pytest.approx(1.0)
    assert (whole.smallest, whole.guarantee) == (40, pytest.approx(1 / 40))
    assert whole.loss == pytest.approx(1.0, abs=0.1)


def test_nobody_finds_more_than_one_of_each_group_on_average():
    sides = noisy_sides()
    for k in (5, 8, 13):
        protect = so.Protection("micro", [k], MICRO.apply, intruder_applies_it=False)
        row = so.frontier(*sides, [protect], inside=(sides[0], [sides[0]])).rows[1]
        groups = so.microaggregate(sides[0], k).number
        assert row.smallest >= k
        assert row.guarantee <= groups / 40
        assert max(row.outside.value, row.inside.value) <= row.guarantee + 1e-9
        assert row.upper <= row.guarantee


def test_no_measurement_is_above_the_guarantee_where_not_everybody_is_known():
    released, known = noisy_sides(people=120)
    few = known.only(known.people[:90].tolist())
    for point in so.frontier(released, few, [MICRO_10], inside=(released, [few])).rows[1:]:
        assert point.guarantee >= point.risk.value


def test_whichever_half_is_known_the_strongest_counts():
    # a file of first days is all within the first half of the weeks, and outside the second
    log = so.synthetic_calls(people=80, antennas=60, regions=6, seed=3).events
    second, first = so.split(log, by="weeks")
    first_days = so.Protection(
        "shorten", [2], lambda x, days, trial: so.shorten(x, days=days), intruder_applies_it=True, on_events=True
    )

    def inside(*parts):
        return so.frontier(first, second, [first_days], inside=(log, parts)).rows[1].inside.value

    assert inside(first) > inside(second) + 0.2
    assert inside(first, second, None) == max(inside(first), inside(second), inside(None))


def test_people_left_with_nothing_do_not_dilute_the_risk():
    counts = np.zeros((40, 22), dtype=int)
    counts[:20, 0], counts[:20, 1] = np.arange(1, 21), 21 - np.arange(1, 21)
    counts[np.arange(20, 40), np.arange(2, 22)] = 5
    sides = [so.Histograms(counts, range(40), [f"p{k}" for k in range(22)]) for _ in "ab"]
    keep = so.Protection("keep", [2], lambda x, n, trial: so.suppress(x, keep=n), intruder_applies_it=True)
    (kept,) = so.frontier(*sides, [keep]).rows[1:]
    assert kept.utility.emptied == 20
    assert (kept.outside.value, kept.outside.n) == (1.0, 20)


def test_knowledge_from_inside_the_file_finds_more():
    released, known = noisy_sides()
    whole = so.Histograms(released.counts + known.counts, released.people, released.places)
    frontier = so.frontier(released, known, [POPULAR, NOISE], inside=(whole, [known]))
    for row in frontier.rows:
        assert row.inside is not None
        assert row.risk == max(row.outside, row.inside, key=lambda rate: rate.value)
    assert frontier.rows[0].inside.value > frontier.rows[0].outside.value


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
    both, only_release = strongest(*short), strongest(short[0], so.histograms(known))
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


def test_intervals_allow_for_people_who_are_matched_jointly():
    released, known = noisy_sides(people=120)
    frontier = so.frontier(released, known, [MICRO_10, NOISE], limit=0.2)
    whole, *others = frontier.rows
    sampled = so.accuracy(so.match(released, known), intervals="half-sampling").rate
    assert whole.outside.effective_share == sampled.effective_share
    assert (whole.outside.low, whole.outside.high) == (sampled.low, sampled.high)
    shares = [each.outside.effective_share for each in others if not each.recommended]
    assert shares == [pytest.approx(sampled.effective_share)] * len(shares)


def test_without_a_part_that_is_known_half_of_the_events_are():
    released, known = noisy_sides(people=60)
    (whole,) = so.frontier(released, known, [MICRO_10], inside=(released, [None])).rows[:1]
    assert whole.inside.value > whole.outside.value
    again = so.frontier(released, known, [MICRO_10], inside=(released, [None])).rows[:1]
    assert (whole,) == again


def test_two_protections_of_one_name_stay_apart_where_one_is_recommended():
    # larger cells and levels of a hierarchy both go by the name of coarsen
    released, known = noisy_sides(people=120)
    groups = so.Protection("same", [10], MICRO.apply, intruder_applies_it=False)
    nothing = so.Protection("same", ["as it is"], lambda x, strength, trial: x, intruder_applies_it=False)
    for listed in ([groups, nothing], [nothing, groups]):
        (best,) = (row for row in so.frontier(released, known, listed, limit=0.3).rows if row.recommended)
        assert (best.strength, best.smallest >= 10) == (10, True)


def test_a_part_of_which_nothing_is_left_does_not_end_the_attack():
    released, known = noisy_sides(people=40)
    elsewhere = so.Histograms(np.ones((40, 1), int), known.people, ["nowhere"])
    stranger = so.Histograms(np.ones((1, 1), int), ["stranger"], ["p0"])
    (kept,) = so.frontier(released, known, [POPULAR], inside=(released, [elsewhere, stranger, known])).rows[1:]
    (alone,) = so.frontier(released, known, [POPULAR], inside=(released, [known])).rows[1:]
    assert kept.inside == alone.inside


def test_what_empties_too_many_is_never_recommended():
    released, known = noisy_sides(people=60, places=40)
    keep = so.Protection("keep", [1, 2], lambda x, n, t: so.suppress(x, keep=n, popularity=[t.released]), True)
    frontier = so.frontier(released, known, [keep], limit=0.9)
    assert all(row.utility.emptied > 6 for row in frontier.rows[1:])
    assert not any(row.recommended for row in frontier.rows)


def test_emptying_everybody_is_never_cheaper_than_making_everybody_alike():
    sides = noisy_sides(people=60, places=40)
    keep = so.Protection(
        "keep", [1, 3, 30], lambda x, n, t: so.suppress(x, keep=n, popularity=[t.released, t.known]), True
    )
    one, few, most = so.frontier(*sides, [keep]).rows[1:]
    assert one.utility.emptied > few.utility.emptied > most.utility.emptied
    assert one.loss > few.loss > most.loss
    assert one.loss > 1.0


@pytest.mark.parametrize("names", [lambda k, n: f"g{k % n}", lambda k, n: f"p{k % n}"], ids=["new", "old"])
def test_merged_places_are_spread_whether_they_get_new_names_or_that_of_one_of_them(names):
    sides = noisy_sides()
    coarser = {f"p{k}": names(k, 3) for k in range(12)}
    merge = so.Protection("merge", [3], lambda x, n, trial: so.coarsen(x, coarser), intruder_applies_it=True)
    row = rows_of(so.frontier(*sides, [merge]))["merge", 3]
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


def test_every_point_has_its_baseline_and_says_what_was_changed():
    frontier = so.frontier(*noisy_sides(), [MICRO, POPULAR])
    in_file = [40 - row.utility.emptied for row in frontier.rows]
    assert [row.random for row in frontier.rows] == pytest.approx([1 / people for people in in_file])
    assert {"places left out", "people micro-aggregated"} <= {note.what for note in frontier.notes}
    assert "Guessing at random finds 2.5% of 40 people." in repr(frontier)
    assert frontier.to_dict()["rows"][1]["random"] == pytest.approx(1 / 40)


def test_places_are_left_out_by_the_file_alone_and_the_intruder_sees_which_are_left():
    sides = noisy_sides()
    row = rows_of(so.frontier(*sides, [POPULAR]))["popular", 4]
    cut = [so.suppress(side, keep=4, popularity=sides[0]) for side in sides]
    assert cut[0].places.tolist() == so.suppress(sides[0], keep=4).places.tolist() == cut[1].places.tolist()
    assert row.outside.value == pytest.approx(strongest(cut[0], sides[1], cut[1]).value, abs=0.01)
    assert row.utility.popularity_error > 0


def test_points_that_no_other_beats_are_marked():
    frontier = so.frontier(*noisy_sides(), [MICRO, MERGED, POPULAR, NOISE])
    for row in frontier.rows:
        better = [
            other
            for other in frontier.rows
            if other.risk.value <= row.risk.value
            and other.loss <= row.loss
            and (other.risk.value, other.loss) != (row.risk.value, row.loss)
        ]
        assert row.on_frontier == (not better)
    assert frontier.to_arrow().num_rows == len(frontier.rows)
    assert max(map(len, str(frontier).splitlines())) <= 80


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
    rows = rows_of(so.frontier(*sides, [larger, shorter]))
    assert 0 < rows["cells", 8_000].loss < 1.2
    merged = [so.histograms(so.coarsen(side, 8_000)) for side in sides]
    assert rows["cells", 8_000].outside.value == pytest.approx(strongest(*merged).value)
    assert rows["days", 2].loss > 0
    with pytest.raises(so.DataError, match="'cells' works on events"):
        so.frontier(*(so.histograms(side) for side in sides), [larger])


def test_names_are_printed_whole_with_what_the_columns_mean():
    name, strength = "suppression of rare places", "the four of most visitors"
    long = so.Protection(name, [strength], lambda x, n, trial: so.suppress(x, keep=4), intruder_applies_it=True)
    printed = str(so.frontier(*noisy_sides(), [long]))
    words = ("suppression of", "rare places the", "four of most", "visitors")
    for word in (*words, "more if worse", "total variation", "left with nothing"):
        assert word in printed
    assert max(map(len, printed.splitlines())) <= 80


def keeps(returned):
    return so.Protection("mine", [2], lambda x, k, trial: returned(x), intruder_applies_it=False)


def made(**changes):
    return so.Protection(
        **{"name": "m", "strengths": [2], "apply": MICRO.apply, "intruder_applies_it": False} | changes
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": 3}, "Protection: name must be a word, got 'int'"),
        ({"strengths": []}, "strengths must be a list of at least one strength"),
        ({"strengths": 2}, "strengths must be a list of at least one strength, got 'int'"),
        ({"strengths": "23"}, "strengths must be a list of at least one strength, got 'str'"),
        ({"apply": "x"}, "apply must be a function of data, strength and trial, got 'str'"),
        ({"apply": lambda x, k: x}, "apply must be a function of data, strength and trial"),
        ({"intruder_applies_it": "no"}, "intruder_applies_it must be True or False"),
        ({"on_events": 1}, "on_events must be True or False"),
    ],
)
def test_a_protection_that_cannot_be_is_refused(changes, message):
    with pytest.raises(so.InputError, match=message):
        made(**changes)


def test_errors_name_the_protection_and_its_strength():
    with pytest.raises(so.InputError, match="protection 'micro' at strength 99: microaggregate: k must be"):
        so.frontier(*noisy_sides(), [so.Protection("micro", [5, 99], MICRO.apply, intruder_applies_it=False)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda sides: so.frontier(*sides, []), "a list of so.Protection"),
        (lambda sides: so.frontier(*sides, None), "a list of so.Protection, got 'NoneType'"),
        (lambda sides: so.frontier(*sides, MICRO), "a list of so.Protection, got 'Protection'. Even where"),
        (
            lambda sides: so.frontier(*sides, [MICRO], confidence_level=2),
            "frontier: confidence_level must be between 0 and 1",
        ),
        (lambda sides: so.frontier(*sides, [MICRO], seed="a"), "frontier: seed must be a whole number"),
        (lambda sides: so.frontier(*sides, [keeps(lambda x: None)]), "'mine' at strength 2: Protection: apply must be"),
        (lambda sides: so.frontier(*sides, [keeps(lambda x: np.eye(2))]), "returns Histograms, Events or Clusters"),
        (lambda sides: so.frontier(*sides, [keeps(lambda x: x.only(x.people[:3]))]), "keeps all people, got '3 people"),
        (lambda sides: so.frontier(*sides, ["micro"]), "a list of so.Protection"),
        (lambda sides: so.frontier("x", sides[1], [MICRO]), "Events or Histograms"),
        (lambda sides: so.frontier(*sides, [MICRO], repeats=0), "repeats must be a whole number above zero"),
        (lambda sides: so.frontier(*sides, [MICRO], similarities=["jss"]), "similarity"),
    ],
)
def test_what_cannot_be_tried_is_refused(make, message):
    with pytest.raises(so.InputError, match=message):
        make(noisy_sides())
