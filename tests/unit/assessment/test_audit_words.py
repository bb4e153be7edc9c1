"""What an audit says in words."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_events import Unique
from singleout.assessment.audit_parts import AttackResult
from singleout.assessment.audit_words import (
    SPLITS,
    assumptions_of_events,
    causes_in_words,
    protection_in_words,
)
from singleout.assessment.audit_words import tests_of_events as regulator_tests
from singleout.assessment.file_attack import Point
from singleout.measures.intervals import wilson
from singleout.measures.reasons import Group, InferenceGain
from singleout.measures.unicity import TimesKnown
from singleout.measures.utility import Utility


def test_the_assumptions_say_how_the_interval_was_made(audited, crowded, audited_table):
    assert "20 random halves of the people were matched again: their rates varied" in audited.assumptions[-1]
    effective = f"{crowded.risk.effective:,.0f} independent people would (there are 150)"
    assert f"varied as much as those of about {effective}" in crowded.assumptions[-1]
    assert "only that share of the people" in crowded.assumptions[-1]
    assert "halves" not in " ".join(audited_table.assumptions)


def test_all_four_tests_are_answered_with_numbers(audited, audited_table):
    for found in (audited, audited_table):
        names = [section.name for section in found.tests]
        assert names == ["singling out", "linkability", "inference", "motivated intruder"]
        assert all(any(sign.isdigit() for sign in " ".join(section.statements)) for section in found.tests[:2])


def point(protection, strength, *, emptied=0, group_level=0.02):
    rate, level = wilson(2, 100), wilson(group_level * 100, 100)
    lost = Utility(0.4, 0.1, 0.7, emptied)
    return Point(protection, strength, rate, None, level, 0.01, "joint (js)", 1, None, lost, ())


def worded(protection, strength, **changes):
    return protection_in_words(point(protection, strength, **changes), 100, "shop")


@pytest.mark.parametrize(
    ("protection", "strength", "does"),
    [
        ("keep", 10, "releasing only the 10 most popular shops"),
        ("shorten", 1, "releasing only each person's first day"),
        ("shorten", 3, "releasing only each person's first 3 days"),
        ("noise", 0.5, "adding noise to every count (epsilon 0.5)"),
        ("coarsen", 2_000.0, "merging shops into larger ones (2,000 m)"),
        ("hierarchy", "area", "replacing shops with coarser ones (area)"),
        ("none", None, "replacing ids with pseudonyms only"),
        ("of my own", "strong", "of my own"),
    ],
)
def test_a_protection_says_what_it_does(protection, strength, does):
    assert worded(protection, strength).does == does


def test_a_protected_file_is_said_to_have_no_times():
    assert "the file has no times any more" in worded("keep", 10).detail
    assert "no times" not in worded("none", None).detail


def test_what_a_protection_destroys_and_does_not_hide_is_said():
    assert worded("keep", 10).detail.startswith("7 of the 10 shops with the largest shares are still in the top 10; ")
    assert "; 1 person is left without data; " in worded("keep", 10, emptied=1).detail
    assert "; 12 people are left without data; " in worded("keep", 10, emptied=12).detail
    assert worded("keep", 10, emptied=12).emptied == 0.12
    assert "for 50.0% of people an intruder can still tell which group of identical rows is theirs" in (
        worded("microaggregate", 5, group_level=0.5).detail
    )


def test_causes_name_each_group_of_places_by_its_visitors():
    groups = [Group(5, 0.5, 0.1), Group(20, 0.3, 0.2), Group(None, 0.2, 0.7)]
    assert [(cause.what, cause.share, cause.detail) for cause in causes_in_words(groups, "shops")] == [
        ("shops with fewer than 5 people", 0.5, "10.0% of people's events"),
        ("shops with 5 to 19 people", 0.3, "20.0% of people's events"),
        ("shops with 20 or more people", 0.2, "70.0% of people's events"),
    ]


ATTACKS = (
    AttackResult(AttackKind.ONE_BY_ONE, "js", wilson(20, 100), 0.01),
    AttackResult(AttackKind.JOINT, "js", wilson(40, 100), 0.01),
    AttackResult(AttackKind.SELECTIVE, "js", wilson(10, 100), 0.01, "acts on 10 pairs"),
)


def test_tests_of_regulators_follow_from_the_attacks():
    unique = Unique({1: wilson(0, 100), 2: wilson(30, 100)}, wilson(90, 100), None)
    single, link, infer, motivated = regulator_tests(ATTACKS, unique, InferenceGain(1_234.5, 0.25), "shop", None)
    assert "1 shop singles out nobody" in single.statements[0]
    assert "2 shops single out 30.0%" in single.statements[0]
    assert "4 random shops with their hours single out 90.0%" in single.statements[1]
    daily = regulator_tests(ATTACKS, replace(unique, times=TimesKnown.DAY), InferenceGain(1, 0.25), "shop", None)[0]
    assert "knows the day as well, 4 random shops with their days single out 90.0%" in daily.statements[1]
    assert "linked to what is known about the same person for 40.0%" in link.statements[0]
    assert "reveals 1,234.5 shops that the intruder did not know" in infer.statements[0]
    assert "re-identifies 20.0%" in motivated.statements[0]
    assert "near-certain pairs acts on 10 pairs, so 10.0%" in motivated.statements[1]
    assert single.verdict(0.5) == (
        "Not met at your risk limit of 50.0%: the share of people whom a few shops, their hours or their order single "
        "out is up to 94.5%."
    )
    assert single.verdict(0.95).startswith("Met at your risk limit of 95.0%: ")
    assert link.verdict(0.4).startswith("Not met at your risk limit of 40.0%: ")
    assert (link.verdict(None), link.source[:24]) == ("", "Article 29 Working Party")
    inside = regulator_tests(ATTACKS, unique, InferenceGain(1.0, 0.25), "shop", wilson(99, 100))
    assert inside[1].statements[1].startswith("With data from the released period it is linked for 99.0%")
    assert [each.verdict(0.9)[:7] for each in inside[1:3]] == ["Not met", "Not met"]


def test_a_careful_intruder_who_acts_on_nobody_is_not_given_a_rate():
    nobody = replace(ATTACKS[2], rate=wilson(0, 100), detail="would act on nobody, since no pair looks good")
    said = regulator_tests((*ATTACKS[:2], nobody), Unique({1: wilson(0, 9)}, None, None), None, "shop", None)[3]
    assert said.statements[1] == (
        "An intruder who acts only on near-certain pairs would act on nobody, since no pair looks good."
    )


def test_people_singled_out_by_a_few_places_reveal_all_others():
    some, none = (Unique({1: wilson(0, 1_000), 2: wilson(share, 1_000)}, None, None) for share in (300, 0))
    nobody = regulator_tests(ATTACKS, none, None, "shop", None)[2]
    assert nobody.statements == ("Nobody was re-identified, so nothing is learnt that way.",)
    assert nobody.verdict(0.01).startswith("Met")
    infer = regulator_tests(ATTACKS, some, None, "shop", None)[2]
    assert infer.share == some.highest
    assert infer.statements[1] == (
        "Someone who is singled out by a few shops reveals all the others: that is up to 32.9% of people."
    )
    assert infer.verdict(0.05).startswith("Not met at your risk limit of 5.0%: the share of people about whom ")
    inside = regulator_tests(ATTACKS, none, None, "shop", wilson(50, 100))[2]
    assert inside.share == wilson(50, 100).high, "data from the released period re-identifies people, too"


def test_it_is_said_by_what_people_are_singled_out():
    nobody = {1: wilson(0, 1_000), 4: wilson(0, 1_000)}
    shape = SimpleNamespace(identifiability=wilson(980, 1_000))
    timed = Unique(nobody, wilson(1_000, 1_000), shape)
    for unique, words in (
        (timed, "by a few shops with their hours reveals everything else in their data: that is up to 100.0%"),
        (replace(timed, times=TimesKnown.DAY), "by a few shops with their days reveals everything else"),
        (
            replace(timed, by_times=None),
            "by the shape of their movements between shops reveals the shops themselves: that is up to 98.7%",
        ),
    ):
        (said,) = [
            line for line in regulator_tests(ATTACKS, unique, None, "shop", None)[2].statements if "up to" in line
        ]
        assert said.startswith(f"Someone who is singled out {words}")


@pytest.mark.parametrize("split", [None, "halves", "weeks", "dates", "point"])
def test_assumptions_say_what_the_intruder_knows(split):
    first = assumptions_of_events(split, ["js"], wilson(4, 10), "shop", recommends=True)[0]
    assert first == f"For each person the intruder knows {'the second file' if split is None else SPLITS[split]}."


def test_people_who_vary_as_independent_ones_would_are_said_to():
    words = assumptions_of_events(None, ["js", "l1"], wilson(4, 10), "shop", recommends=True)
    assert "their rates varied no more than those of independent people would (there are 10)" in words[-1]
    assert "Wilson's, as for independent people (half-sampling)" in words[-1]
    assert "share of the people" not in words[-1], "no share was named"
    assert any(
        "one by one, with Jensen-Shannon divergence and total variation, by an intruder who" in each for each in words
    )


@pytest.mark.parametrize("recommends", [True, False])
def test_a_recommended_protection_is_mentioned_only_where_there_is_one(recommends):
    words = " ".join(assumptions_of_events("halves", ["js"], wilson(4, 10), "shop", recommends=recommends))
    assert ("ecommended" in words) is recommends
    assert ".." not in words
    assert "(half-sampling)" in words


def test_how_protections_are_judged_is_said_only_where_some_were_tried():
    some, none = (
        " ".join(assumptions_of_events(None, ["js"], wilson(4, 10), "shop", recommends=False, protects=tried))
        for tried in (True, False)
    )
    for words in ("Each protection is judged", "Data from this period"):
        assert (words in some, words in none) == (True, False)


def test_what_a_protected_file_holds_is_said_with_the_users_noun():
    assert worded("keep", 10).detail.endswith("one row per person and shop")
