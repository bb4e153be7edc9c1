"""Words of an audit's page that are no numbers."""

from dataclasses import replace

from singleout.report.pages.audit import audit_page
from singleout.report.pages.audit_parts import FACTS, page_parts, without_facts
from tests.audits import ABOUT, events_audit, table_audit


def test_facts_are_blank_or_what_was_said():
    facts = dict(page_parts(replace(events_audit(), about={"purpose": "research"}))["facts"])
    assert facts["Purpose of the release"] == "research"
    assert [facts[label] for name, label in FACTS.items() if name != "purpose"] == [None] * (len(FACTS) - 1)
    assert facts["Rows on the released side"].replace(",", "").isdecimal()


def test_the_rows_of_a_table_are_its_records():
    assert dict(page_parts(table_audit())["facts"])["Rows released"] == "2,000"


def test_the_similarities_of_an_event_log_are_explained_and_a_table_has_none():
    named = {each.name: each for each in page_parts(events_audit())["similarities"]}
    assert named["js"].title == "Jensen-Shannon divergence"
    assert named["js_popularity"].words == "rare places count more"
    assert page_parts(table_audit())["similarities"] == []
    shops = {each.name: each for each in page_parts(replace(events_audit(), place_name="shop"))["similarities"]}
    assert shops["js_popularity"].words == "rare shops count more"


def test_protections_that_end_in_the_same_file_are_shown_once():
    audit = events_audit()
    twice = replace(audit, protections=(*audit.protections, *audit.protections))
    assert page_parts(twice)["protections"] == list(audit.protections)


def test_what_the_first_section_says_is_not_repeated_among_the_options():
    about = {"parameters": {"user": "card", "reference": "DPIA 7"}, "seed": 0}
    assert without_facts(about) == {"parameters": {"user": "card"}, "seed": 0}
    assert without_facts({"seed": 0}) == {"seed": 0}


def test_every_section_in_the_contents_is_on_the_page():
    for audit in (events_audit(), table_audit()):
        page = audit_page(audit, ABOUT)
        for name, title in page_parts(audit)["contents"]:
            assert f'<h2 id="{name}">{title}</h2>' in page
        assert page.count("<h2 ") == len(page_parts(audit)["contents"]) + 3, "answer, about and contents come first"
