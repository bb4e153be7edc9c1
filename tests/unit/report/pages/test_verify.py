"""The page of a verification as text: the answer, the guarantee, and nothing of people."""

import re
from dataclasses import replace

import pytest

import singleout as so
from singleout.report.pages.audit import audit_page
from singleout.report.pages.verify import verify_page
from tests.audits import ABOUT, HOSTILE, hostile_about, hostile_audit, table_audit
from tests.pages import Texts, without_scripts
from tests.small_releases import COLUMNS, small_release


def said_by(page):
    return " ".join(Texts(without_scripts(page)).said.split())


@pytest.mark.parametrize("key", [True, False])
@pytest.mark.parametrize("protection", [{"noise": 1.0}, {"microaggregate": 5}], ids=str)
def test_it_says_what_was_found_and_names_nobody(protection, key):
    made = small_release(**protection)
    found = so.verify(made.protected, made.log, key=made.key if key else None, **COLUMNS, progress=False)
    said = said_by(verify_page(found, ABOUT))
    for words in (found.sentence(), found.verdict(), found.advice(), found.file.in_words(), found.intruder()):
        assert words in said
    assert ("Without the key." in said) is not key
    assert ("How well each attack does" in said) is key
    assert "anna" not in said
    assert "clinic" not in said


def test_ids_are_on_the_page_if_revealed():
    made = small_release(noise=1.0)
    found = so.verify(made.protected, made.log, key=made.key, reveal=True, **COLUMNS, progress=False)
    said = said_by(verify_page(found, ABOUT))
    assert "This page contains ids and names" in said
    assert found.people_at_risk.clearest[0].id in said


def test_names_from_data_are_text():
    made = small_release(noise=1.0)
    base = so.verify(made.protected, made.log, key=made.key, reveal=True, **COLUMNS, progress=False)
    hostile = hostile_audit()
    parts = {name: getattr(hostile, name) for name in ("attacks", "causes", "assumptions", "notes", "place_name")}
    people = replace(
        base.people_at_risk,
        clearest=tuple(
            replace(each, id=HOSTILE[0], reasons=tuple(replace(one, name=HOSTILE[1]) for one in each.reasons))
            for each in base.people_at_risk.clearest
        ),
    )
    page = verify_page(replace(base, label=HOSTILE[1], people_at_risk=people, **parts), hostile_about())
    read = Texts(without_scripts(page))
    assert "img" not in read.tags
    assert not [name for name, _ in read.attributes if name.startswith("on")]


def test_a_table_has_the_page_of_an_audit():
    assert verify_page(table_audit(), ABOUT) == audit_page(table_audit(), ABOUT)


def test_a_protected_table_has_the_page_of_a_verification():
    people = so.synthetic_records(seed=1).table
    asked = {"known_columns": ["area", "occupation"], "progress": False}
    found = so.verify(people, **asked, max_risk=0.01)
    page = verify_page(found, ABOUT)
    assert "<title>Verification: " in page
    said = said_by(page)
    assert "How many records in this file could be re-identified?" in said
    assert "Protect the table more strongly, and verify the new file." in said
    assert "Decide which risk is acceptable" in so.verify(people, **asked).advice()
    assert "<title>Audit: " in verify_page(table_audit(), ABOUT)


def test_the_people_at_risk_are_as_many_as_in_the_answer_or_it_is_said_why_not():
    made = small_release(noise=1.0)
    found = so.verify(made.protected, made.log, key=made.key, **COLUMNS, progress=False)
    answer = round(found.risk.value * found.risk.n)
    for number, explained in ((answer, False), (answer + 3, True)):
        page = verify_page(replace(found, people_at_risk=replace(found.people_at_risk, found=number)), ABOUT)
        assert ("of the answer are what the strongest attack finds" in said_by(page)) is explained


def test_it_can_be_filed_and_every_section_in_the_contents_is_there():
    made = small_release(noise=1.0)
    said = {"reference": "DPIA 7", "prepared_by": "A. Author", "assessed_on": "2026-05-31"}
    found = so.verify(made.protected, made.log, key=made.key, **COLUMNS, **said, max_risk=0.5, progress=False)
    page = verify_page(found, ABOUT)
    for words in ("About this assessment", "DPIA 7", "A. Author", "2026-05-31", found.residual_risk(), found.command):
        assert words in said_by(page)
    for name, title in re.findall(r'<li><a href="#([a-z]+)">([^<]+)</a></li>', page):
        assert f'<h2 id="{name}">{title}</h2>' in page
    assert "Run time" not in page, "the same input gives the same page"


def test_the_risk_that_remains_is_that_of_the_file_or_what_was_said():
    made = small_release(microaggregate=5)
    found = so.verify(made.protected, made.log, key=made.key, **COLUMNS, progress=False)
    assert found.residual_risk() == "In this file up to 20.0% of the people would be re-identified on average."
    assert replace(found, about={"residual_risk": "None."}).residual_risk() == "None."
