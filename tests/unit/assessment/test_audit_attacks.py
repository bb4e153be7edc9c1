"""The attacks of an audit: from chance to the strongest, each with an interval."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_attacks import list_attacks, measure_headline, run_ladder
from singleout.assessment.audit_sides import CountsOf
from singleout.measures.intervals import wilson, with_effective_share
from tests.audits import COLUMNS


def test_every_attack_and_curve_counts_the_same_share_of_people_as_independent(crowded):
    assert crowded.attacks[0].rate.effective is None, "what chance finds is known, not measured"
    assert {curve.name for curve in crowded.curves} == {"people", "days"}
    by_people = crowded.curves[0]
    rates = [each.rate for each in (*crowded.attacks[1:], *by_people.points)]
    assert 0 < crowded.risk.effective_share < 1
    assert all(rate.effective_share == pytest.approx(crowded.risk.effective_share) for rate in rates)
    last = by_people.points[-1].rate
    assert last.high == pytest.approx(crowded.risk.high)
    assert last.low >= crowded.risk.low, "the strongest was chosen, so its interval begins lower"


def test_the_ladder_climbs_from_chance_to_the_strongest_attack(audited):
    kinds = list(dict.fromkeys(each.kind for each in audited.attacks))
    assert kinds[:5] == [
        AttackKind.CHANCE,
        AttackKind.SHAPE,
        AttackKind.ONE_BY_ONE,
        AttackKind.JOINT,
        AttackKind.SELECTIVE,
    ]
    more = [[AttackKind.TAUGHT], [AttackKind.FILE, AttackKind.TAUGHT]]
    assert kinds[5:] in more, "the file is listed where attacking it finds more"
    joint = [each for each in audited.attacks if each.kind is AttackKind.JOINT]
    rates = [each.rate.value for each in joint]
    assert rates == sorted(rates)
    assert [each for each in audited.attacks if each.within_reach][-1].rate.value == audited.risk.value
    assert {"js", "evidence", "js_popularity", "js_reliability", "evidence_mild"} < {each.by for each in joint}
    assert len({each.by for each in audited.attacks if each.kind is AttackKind.ONE_BY_ONE}) <= 2


def test_shapes_are_attacked_by_the_strongest_kernel_and_by_size_alone(audited):
    assert [each.by for each in audited.attacks if each.kind is AttackKind.SHAPE] == ["size", "summary"]


def test_the_interval_of_the_strongest_allows_for_having_been_chosen():
    counts = CountsOf(
        *(
            so.histograms(side)
            for side in so.split(so.synthetic_calls(people=150, antennas=40, regions=5, seed=1).events, by="weeks")
        )
    )
    options = so.AuditOptions(**COLUMNS, split="weeks")
    ladder = run_ladder(counts, options, False)
    headline = measure_headline(ladder, options, False)
    assert 0 < headline.bias < 0.1
    best = list_attacks(ladder, headline, so.probabilities(headline.matching), (), options)[-1]
    alone = with_effective_share(wilson(headline.rate.value * 150, 150), headline.rate.effective_share)
    assert best.rate.low == pytest.approx(alone.low - headline.bias)
    assert best.rate.high == pytest.approx(alone.high)


def test_a_careful_intruder_finds_no_more_but_is_right_more_often(audited):
    joint = max(each.rate.value for each in audited.attacks if each.kind is AttackKind.JOINT)
    careful = next(each for each in audited.attacks if each.kind is AttackKind.SELECTIVE)
    assert careful.rate.value <= joint
    assert "likely to be right" in careful.detail


def test_one_person_is_counted_in_the_singular(capsys):
    log = {"user": [1] * 8, "time": [week * 604_800 for week in range(8)], "place": list("abababab")}
    side = so.split(so.read_events(pa.table(log), **COLUMNS))
    options = so.AuditOptions(**COLUMNS, similarities=["js"])
    run_ladder(CountsOf(*map(so.histograms, side)), options, True)
    assert "First figure, 1 person: " in capsys.readouterr().err


def test_only_the_similarities_asked_for_attack(calls):
    asked = {"similarities": ["l1"], "known_pairs": 0, "protect": False, "topology": "no"}
    found = so.audit(calls, **COLUMNS, split="weeks", **asked, progress=False)
    assert {each.by for each in found.attacks if each.kind is not AttackKind.CHANCE} == {"l1"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levels": ["1", "4"]}, r"levels requires a grid\. Give lat, lng and grid, or a file of places and levels"),
        ({"levels": ["1", "4"], "similarities": ["js"]}, "levels requires similarities to include evidence_levels"),
    ],
)
def test_levels_that_cannot_be_used_are_never_ignored(calls, options, words):
    with pytest.raises(so.InputError, match=words):
        so.audit(calls, **COLUMNS, split="weeks", protect=False, topology="no", progress=False, **options)


def test_an_intruder_who_knows_some_people_is_shown_last_and_is_not_the_headline(audited):
    last = audited.attacks[-1]
    assert (last.kind, last.by, last.within_reach) == (AttackKind.TAUGHT, "20%", False)
    assert last.detail.startswith("if the intruder already knows 20% of the people")
    assert audited.strongest.kind is not AttackKind.TAUGHT
    assert audited.to_dict()["taught"]["weights"]


def test_an_intruder_who_knows_some_people_can_be_left_out():
    log = so.synthetic_calls(people=60, antennas=20, regions=3, seed=1)
    asked = {"split": "weeks", "similarities": ["js"], "protect": False, "topology": "no", "known_pairs": 0}
    found = so.audit(log.table, **COLUMNS, **asked, progress=False)
    assert AttackKind.TAUGHT not in {each.kind for each in found.attacks}
    assert found.to_dict()["taught"] is None
