"""Protect and attack again: the same attack, the same loss, for every protection."""

import threading
import time

import numpy as np
import pytest

import singleout as so
from singleout.assessment.frontier import AllPeople
from tests.small_logs import noisy_sides
from tests.small_protections import MERGED, MICRO, MICRO_10, NOISE, POPULAR, points_by_strength, strongest_rate


def test_the_data_as_it_is_and_everyone_in_one_group_are_the_extremes():
    sides = noisy_sides()
    rows = points_by_strength(so.frontier(*sides, [MICRO]))
    plain = rows["none", None]
    assert plain.outside.value == pytest.approx(strongest_rate(*sides).value)
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


def test_knowledge_from_inside_the_file_finds_more():
    released, known = noisy_sides()
    whole = so.Histograms(released.counts + known.counts, released.people, released.places)
    frontier = so.frontier(released, known, [POPULAR, NOISE], inside=(whole, [known]))
    for row in frontier.rows:
        assert row.inside is not None
        assert row.risk == max(row.outside, row.inside, key=lambda rate: rate.value)
    assert frontier.rows[0].inside.value > frontier.rows[0].outside.value


def test_intervals_allow_for_people_who_are_matched_jointly():
    released, known = noisy_sides(people=120)
    frontier = so.frontier(released, known, [MICRO_10, NOISE], limit=0.2)
    whole, *others = frontier.rows
    sampled = so.accuracy(so.match(released, known), intervals="half-sampling").rate
    assert whole.outside.effective_share == sampled.effective_share
    assert (whole.outside.low, whole.outside.high) == (sampled.low, sampled.high)
    shares = [each.outside.effective_share for each in others if not each.recommended]
    assert shares == [pytest.approx(sampled.effective_share)] * len(shares)


def test_emptying_everybody_is_never_cheaper_than_making_everybody_alike():
    sides = noisy_sides(people=60, places=40)
    keep = so.Protection(
        "keep", [1, 3, 30], lambda x, n, t: so.suppress(x, keep=n, popularity=[t.released, t.known]), True
    )
    one, few, most = so.frontier(*sides, [keep]).rows[1:]
    assert one.utility.emptied > few.utility.emptied > most.utility.emptied
    assert one.loss > few.loss > most.loss
    assert one.loss > 1.0


def test_every_point_has_its_baseline_and_says_what_was_changed():
    frontier = so.frontier(*noisy_sides(), [MICRO, POPULAR])
    in_file = [40 - row.utility.emptied for row in frontier.rows]
    assert [row.random for row in frontier.rows] == pytest.approx([1 / people for people in in_file])
    assert {"places left out", "people micro-aggregated"} <= {note.what for note in frontier.notes}
    assert "Guessing at random would re-identify 2.5% of 40 people." in repr(frontier)
    assert frontier.to_dict()["rows"][1]["random"] == pytest.approx(1 / 40)


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


def test_names_are_printed_whole_with_what_the_columns_mean():
    name, strength = "suppression of rare places", "the four of most visitors"
    long = so.Protection(name, [strength], lambda x, n, trial: so.suppress(x, keep=4), intruder_applies_it=True)
    printed = str(so.frontier(*noisy_sides(), [long]))
    words = ("suppression of", "rare places the", "four of most", "visitors")
    for word in (*words, "above: worse", "total variation", "left without data"):
        assert word in printed
    assert max(map(len, printed.splitlines())) <= 80


def keeps(returned):
    return so.Protection("mine", [2], lambda x, k, trial: returned(x), intruder_applies_it=False)


def test_errors_name_the_protection_and_its_strength():
    with pytest.raises(so.InputError, match="protection 'micro' at strength 99: microaggregate: k must be"):
        so.frontier(*noisy_sides(), [so.Protection("micro", [5, 99], MICRO.apply, intruder_applies_it=False)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda sides: so.frontier(*sides, None), r"a list of so.Protection \(got 'NoneType'\)"),
        (lambda sides: so.frontier(*sides, MICRO), r"a list of so.Protection \(got 'Protection'\). Even where"),
        (
            lambda sides: so.frontier(*sides, [MICRO], confidence_level=2),
            "frontier: confidence_level must be between 0 and 1",
        ),
        (lambda sides: so.frontier(*sides, [MICRO], seed="a"), "frontier: seed must be a whole number"),
        (lambda sides: so.frontier(*sides, [keeps(lambda x: None)]), "'mine' at strength 2: Protection: apply must be"),
        (lambda sides: so.frontier(*sides, [keeps(lambda x: np.eye(2))]), "returns Histograms, Events or Clusters"),
        (
            lambda sides: so.frontier(*sides, [keeps(lambda x: x.only(x.people[:3]))]),
            r"keeps all people \(got '3 people",
        ),
        (lambda sides: so.frontier(*sides, ["micro"]), "a list of so.Protection"),
        (lambda sides: so.frontier("x", sides[1], [MICRO]), "Events or Histograms"),
        (lambda sides: so.frontier(*sides, [MICRO], repeats=0), "repeats must be a whole number above zero"),
        (lambda sides: so.frontier(*sides, [MICRO], similarities=["jss"]), "similarity"),
    ],
)
def test_what_cannot_be_tried_is_refused(make, message):
    with pytest.raises(so.InputError, match=message):
        make(noisy_sides())


def test_near_the_limit_every_attack_is_carried_out_on_everyone(monkeypatch):
    sides = noisy_sides(people=160)
    exhaustive = points_by_strength(so.frontier(*sides, [MICRO_10, POPULAR], similarities=["js", "dot"]))
    monkeypatch.setattr("singleout.assessment.frontier.SCOUTS", 40)
    found = points_by_strength(so.frontier(*sides, [MICRO_10, POPULAR], similarities=["js", "dot"], limit=0.5))
    near = [key for key, point in found.items() if point.upper <= 0.5 and not point.recommended]
    for key in near:
        assert found[key].outside.value == exhaustive[key].outside.value
    for key, point in found.items():
        if not point.recommended:  # attacked by more similarities
            assert point.outside.value <= exhaustive[key].outside.value + 1e-12


def test_what_is_recommended_on_some_people_is_attacked_on_all_of_them():
    everyone = noisy_sides(people=200)
    some = [side.only(side.people[:80].tolist()) for side in everyone]
    frontier = so.frontier(*some, [MICRO_10, POPULAR], limit=0.3, everyone=AllPeople(*everyone))
    (chosen,) = (row for row in frontier.rows if row.recommended)
    assert chosen.outside.n == 200
    assert {row.outside.n for row in frontier.rows if not row.recommended} <= set(range(81))
    alone = so.frontier(*everyone, [MICRO_10, POPULAR], limit=0.3)
    assert chosen.outside.value == points_by_strength(alone)[chosen.protection, chosen.strength].outside.value


def test_a_function_that_knows_nothing_of_threads_is_called_by_one_at_a_time():
    inside, most, lock = [0], [0], threading.Lock()

    def apply(data, strength, trial):
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        time.sleep(0.01)
        with lock:
            inside[0] -= 1
        return data

    so.frontier(*noisy_sides(people=20), [so.Protection("mine", list(range(6)), apply)])
    assert most == [1]


def test_without_protections_the_data_as_it_is_is_attacked():
    (only,) = so.frontier(*noisy_sides(), []).rows
    assert (only.protection, only.loss) == ("none", 0.0)
