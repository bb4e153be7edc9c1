"""What a report says besides its numbers."""

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_context import SKILLS, named_risks, not_examined, pairs_compared, residual_risk
from singleout.assessment.audit_parts import AttackResult, ProtectionResult, Size
from singleout.measures.intervals import wilson
from tests.small_records import numbered_records


def test_every_kind_of_attack_says_what_it_does_and_what_it_takes():
    assert set(SKILLS) == set(AttackKind)
    assert all(kind.does.endswith(".") for kind in AttackKind)


def test_pairs_are_counted_where_people_are_compared():
    joint = AttackResult(AttackKind.JOINT, "js", wilson(1, 10), 0.1)
    assert pairs_compared(joint, Size(30), Size(20)) == 600
    assert pairs_compared(AttackResult(AttackKind.CHANCE, "", wilson(1, 10), 0.1), Size(30), Size(20)) is None


def test_prosecutor_journalist_and_marketer_of_a_table_and_of_a_log():
    table = so.audit(numbered_records(), known_columns=["x"], allow=["x"], progress=False).worst_off.risk
    one, anyone, many = named_risks(wilson(40, 100), table, None, None)
    assert (one.found, many.found) == ("up to 100.0% for the record most at risk", "100.0% on average")
    assert anyone.found.startswith("not estimated")
    assert named_risks(wilson(40, 100), None, None, 0.97)[0].found == "up to 97.0% for the person most at risk"
    assert named_risks(wilson(40, 100), None, None, None)[2].found.startswith("40.0%")
    assert named_risks(wilson(40, 100), None, None, None)[0].found == "not shown, since nobody is listed"


def test_the_residual_risk_is_the_users_sentence_or_one_from_the_numbers():
    best = ProtectionResult("keep", "5", "keeping five", wilson(1, 100), 0.2, True, "")
    assert residual_risk({"residual_risk": "small"}, 0.498, best, "people") == "small"
    assert residual_risk({}, 0.498, None, "people").startswith("As the data is, up to 49.8% of the people")
    assert residual_risk({}, 0.498, best, "people").endswith("; after keeping five, up to 5.4% on average.")


def test_what_was_not_examined_is_listed_for_each_kind():
    assert any("exact times" in each for each in not_examined("events"))
    assert any("known columns" in each for each in not_examined("table"))
