"""The tests that regulators use, of a protected file: what was counted and measured, held against the limit."""

from dataclasses import replace

import pytest

from singleout.assessment import file_tests
from singleout.assessment.file_figures import FileFigures
from singleout.measures.intervals import wilson

FILE = FileFigures(100, 20, 500, smallest=5, unique=0, guarantee=0.2, identities=True)
FOUND = file_tests.FoundByTests(
    wilson(19, 100), wilson(12, 100), wilson(90, 100), {1: wilson(0, 100), 4: wilson(3, 100)}
)
WITHOUT_KEY = replace(FOUND, linked=None, one_by_one=None, groups=None)


def shares(file, found):
    return {each.name: each.share for each in file_tests.tests_of_file(file, found, "stop")}


def test_identical_rows_bound_what_is_linked_but_not_what_is_learnt_of_a_group():
    found = shares(FILE, FOUND)
    assert found["singling out"] == 0
    assert found["linkability"] == 0.2 < FOUND.linked.high
    assert found["motivated intruder"] == pytest.approx(min(0.2, FOUND.one_by_one.high))
    assert found["inference"] == FOUND.groups.high


def test_of_unique_rows_the_interval_counts():
    file = replace(FILE, smallest=1, unique=40, guarantee=0.9)
    found = shares(file, FOUND)
    assert found["singling out"] == 0.4
    assert found["linkability"] == FOUND.linked.high
    singled, linked, learnt, _ = file_tests.tests_of_file(file, FOUND, "stop")
    assert singled.statements[0] == "40 of 100 people share their rows with nobody."
    assert "4 stops single out 3.0%" in singled.statements[1]
    assert linked.statements[1].endswith("more than 90.0% on average, since some rows are identical.")
    assert (
        file_tests.tests_of_file(FILE, FOUND, "stop")[1]
        .statements[1]
        .endswith("since everyone's rows are identical to those of others.")
    )
    assert learnt.statements == ("Someone whose rows are linked to them reveals all that these say.",)


def test_groups_that_nobody_recognises_teach_nothing():
    assert shares(FILE, replace(FOUND, groups=wilson(0, 100)))["inference"] == 0.2


def test_without_the_key_only_what_was_counted_is_held_against_the_limit():
    found = shares(FILE, WITHOUT_KEY)
    assert found == {"singling out": 0, "linkability": 0.2, "inference": None, "motivated intruder": 0.2}
    said = [line for each in file_tests.tests_of_file(FILE, WITHOUT_KEY, "stop") for line in each.statements]
    assert sum("needs the key" in line for line in said) == 3
    _, link, _, motivated = file_tests.tests_of_file(replace(FILE, guarantee=0.953), WITHOUT_KEY, "stop")
    assert link.verdict(0.05) == (
        "Not met at your risk limit of 5.0%: the share of people whose rows can be linked to them (not measured "
        "without the key) is at most 95.3%."
    )
    assert motivated.verdict(0.05) == (
        "Not met at your risk limit of 5.0%: whatever the attack, the share of people who can be re-identified (not "
        "measured without the key) is at most 95.3%."
    )
    assert motivated.statements[0].startswith("How many comparing one person at a time re-identifies was not measured")
    assert not any(
        "link more" in line for line in file_tests.tests_of_file(replace(FILE, guarantee=1.0), FOUND, "x")[1].statements
    )
