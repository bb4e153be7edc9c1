"""Kinds of attack: a name in result files, one in tables, and one in a sentence."""

import pytest

from singleout.assessment.attack_kinds import AttackKind


@pytest.mark.parametrize("kind", AttackKind)
def test_every_kind_has_a_label_of_its_own_and_a_sentence_that_says_by_what(kind):
    assert [other for other in AttackKind if other.label == kind.label] == [kind]
    assert ("age and sex" in kind.in_words("age and sex")) == (kind is not AttackKind.CHANCE)


def test_what_people_are_compared_by_is_never_taken_for_a_pattern():
    assert AttackKind.UNIQUE.in_words("{by} {0}") == "for certain, from {by} {0}"


@pytest.mark.parametrize(
    ("kind", "by", "label"),
    [
        (AttackKind.JOINT, "evidence", "joint matching: rarity and activity weights"),
        (AttackKind.SHAPE, "size", "shape of movements: size only"),
        (AttackKind.SELECTIVE, "js", "joint matching, near-certain pairs only"),
        (AttackKind.TAUGHT, "20%", "joint matching, 20% of the people known"),
        (AttackKind.JOINT, "hellinger", "joint matching: hellinger"),
        (AttackKind.UNIQUE, "js and size", "unique on known columns: js and size"),
        (AttackKind.CHANCE, "", "chance"),
    ],
)
def test_labels_use_names_for_readers_and_leave_columns_alone(kind, by, label):
    assert kind.label_with(by) == label
