"""Protections carried out one after the other, and the risk of the file that comes of it."""

import json

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.options import ProtectOptions
from singleout.assessment.release import ORDER, FileRisk, check_protections, protections, release
from singleout.measures.intervals import wilson
from tests.small_logs import DAY, START


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Thirty people with a home of their own, over four weeks, in a file."""
    rng = np.random.default_rng(0)
    user = np.repeat(np.arange(30), 24)
    place = np.where(rng.random(len(user)) < 0.6, user % 10, rng.integers(10, 20, len(user)))
    table = pa.table({"who": user, "when": START + rng.integers(0, 28 * DAY, len(user)), "where": place})
    file = tmp_path_factory.mktemp("log") / "log.csv"
    pa.csv.write_csv(table, file)
    return so.read_events(file, user="who", time="when", place="where")


def test_protections_asked_for_come_in_the_order_in_which_they_are_applied(tmp_path):
    file = tmp_path / "areas.csv"
    file.write_text("place,area,region\n1,a,x\n")
    options = ProtectOptions(microaggregate=[5, 9], noise=[0.5], max_total=7, keep=[3], hierarchy=str(file))
    assert [(each.name, list(each.strengths)) for each in protections(options)] == [
        ("hierarchy", ["area", "region"]),
        ("keep", [3]),
        ("noise", [0.5]),
        ("microaggregate", [5, 9]),
    ]
    chosen = ProtectOptions(hierarchy=str(file), hierarchy_level=["region"])
    assert [list(each.strengths) for each in protections(chosen)] == [["region"]]
    assert protections(ProtectOptions()) == []


def test_nothing_asked_for_and_several_strengths_of_one_file_are_refused():
    with pytest.raises(so.InputError, match="protect: name at least one protection: shorten, .* or microaggregate"):
        check_protections(ProtectOptions(), several=True)
    several = ProtectOptions(keep=[3, 5])
    with pytest.raises(so.InputError, match="protect: keep takes only one value unless you add compare"):
        check_protections(several, several=False)
    assert check_protections(several, several=True) is None


def test_steps_follow_each_other_and_nothing_but_the_seed_changes_the_file(log):
    options = ProtectOptions(shorten=[5], keep=[8])
    one, again, other = (release(log, options, seed) for seed in (1, 1, 2))
    assert one.table.equals(again.table)
    assert not one.table.equals(other.table)
    by_hand = so.suppress(so.histograms(so.shorten(log, days=5)), keep=8)
    assert (one.people, one.places) == (int((by_hand.totals > 0).sum()), 8)
    assert sorted(one.table["share"].to_pylist()) == sorted(by_hand.shares().data.tolist())
    assert one.name == "protected.csv"


def test_a_step_that_changed_nothing_is_named(log):
    for step in ({"keep": [8]}, {"shorten": [12]}, {"noise": [1.0]}):
        assert not any("step without effect" in str(note) for note in release(log, ProtectOptions(**step), 0).notes)
    idle = release(log, ProtectOptions(shorten=[400], min_people=[1]), 0).notes
    assert [note.why for note in idle if note.what == "step without effect"] == [
        "shorten changed nothing",
        "min-people changed nothing",
    ]


def test_people_left_with_nothing_are_not_in_the_file_and_are_counted(log):
    done = release(log, ProtectOptions(keep=[1]), 0)
    absent = next(note for note in done.notes if note.what == "people not in the file")
    assert done.people + absent.count == 30
    assert done.key.num_rows == done.people


def test_groups_of_two_are_refused_in_a_file():
    table = pa.table({"who": list("abcd"), "where": list("xyxy")})
    with pytest.raises(so.InputError, match="k must be 3 or more: in a group of two, each person could work back"):
        release(so.read_events(table, user="who", place="where"), ProtectOptions(microaggregate=[2]), 0)


def test_groups_come_with_a_guarantee_and_with_what_their_digits_reveal(log):
    done = release(log, ProtectOptions(microaggregate=[5]), 3)
    risk = done.risk
    assert risk.inside.value <= risk.guarantee <= 1 / 5
    assert risk.reconstructed == 0
    assert "No attack can re-identify more than" in str(done)
    plain = json.loads(json.dumps(done.to_dict(), allow_nan=False))
    assert (plain["people"], plain["rows"]) == (30, done.table.num_rows)
    assert "id" not in plain
    kept = release(log, ProtectOptions(keep=[8]), 3).risk
    assert (kept.guarantee, kept.reconstructed) == (None, None)


def test_the_risk_is_within_the_guarantee_where_that_is_less():
    measured = wilson(10, 100)
    assert FileRisk(measured, "joint (js)", None, None).upper == measured.high
    assert FileRisk(measured, "joint (js)", 0.05, 0).upper == 0.05
    assert FileRisk(measured, "joint (js)", 0.9, 0).upper == measured.high
    assert str(FileRisk(measured, "joint (js)", 0.05, 0)).endswith("more than 5.0% on average.")


def test_the_risk_says_what_the_intruder_was_tried_to_know(log):
    timed = str(release(log, ProtectOptions(keep=[8]), 3).risk)
    assert "did (the first half of their weeks, the second or a random half, whichever" in timed
    untimed = so.read_events(pa.table({"who": [1, 1, 2, 2] * 9, "where": [3, 4, 4, 5] * 9}), user="who", place="where")
    said = str(release(untimed, ProtectOptions(keep=[8]), 3).risk)
    assert "did (a random half of their events) would re-identify" in said
    assert "week" not in said


def test_every_protection_has_its_place_in_the_order():
    named = {name for name in ProtectOptions.__dataclass_fields__ if name not in ("hierarchy_level", "max_total")}
    assert set(ORDER) == named


def test_people_of_whom_nothing_is_known_dilute_neither_risk_nor_guarantee():
    """One event each: half of them have no known event, and each group of five has fewer who are known."""
    once = so.read_events(pa.table({"u": range(400), "p": [n % 20 for n in range(400)]}), user="u", place="p")
    risk = release(once, ProtectOptions(microaggregate=[20]), 0).risk
    assert 150 < risk.inside.n < 250
    assert risk.guarantee > 1.5 / 20
