"""Kinds of attack: a name in result files, one in tables, and one in a sentence."""

import json
from importlib.resources import files

import pytest

from singleout.assessment.attack_kinds import AttackKind


def test_result_files_may_name_every_kind_and_no_other():
    schema = json.loads((files("singleout") / "report" / "audit.schema.json").read_text())
    kinds = schema["properties"]["attacks"]["items"]["properties"]["kind"]["enum"]
    assert sorted(kinds) == sorted(map(str, AttackKind))
    headline = schema["properties"]["risk"]["properties"]["kind"]["enum"]
    assert set(headline) == set(kinds) - {AttackKind.TAUGHT}, "nobody needs to know anyone for the headline"


@pytest.mark.parametrize("kind", AttackKind)
def test_every_kind_has_a_label_of_its_own_and_a_sentence_that_says_by_what(kind):
    assert [other for other in AttackKind if other.label == kind.label] == [kind]
    assert ("age and sex" in kind.in_words("age and sex")) == (kind is not AttackKind.CHANCE)


def test_what_people_are_compared_by_is_never_taken_for_a_pattern():
    assert AttackKind.UNIQUE.in_words("{by} {0}") == "for certain, from {by} {0}"
