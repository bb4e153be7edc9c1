"""Those most at risk are listed so that nothing is said twice."""

from dataclasses import replace

import pytest

from singleout.assessment.audit_parts import PeopleAtRisk, PersonAtRisk, Reason
from singleout.report.pages.audit import audit_page
from singleout.report.pages.people import SharedReason, group_people
from tests.audits import ABOUT, events_audit, table_audit
from tests.pages import Texts, without_scripts


def at_risk(row, *reasons, detail="", name=None):
    return PersonAtRisk(row, 0.5, reasons, detail, name, 0.9)


def said(audit, *people):
    page = audit_page(replace(audit, people_at_risk=PeopleAtRisk(len(people), people)), ABOUT)
    return " ".join(Texts(without_scripts(page)).said.split())


def test_equal_reasons_of_a_person_are_added_up():
    product = Reason("place", 0.1, 20)
    person = at_risk(915, product, product, Reason("place", 0.05, None), product)
    (group,) = group_people([person], "people", reveal=False)
    assert group.reasons == (
        SharedReason("place", None, 3, "at least 20 people", "about 30%"),
        SharedReason("place", None, 1, "fewer than 5 people", "about 5%"),
    )
    words = said(replace(events_audit(), place_name="product"), person)
    assert "3 products that at least 20 people visit: about 30% together" in words
    assert "a product that fewer than 5 people visit: about 5%" in words


def test_rounded_shares_never_add_up_to_more_than_all():
    (group,) = group_people([at_risk(3, *[Reason("place", 0.35, 100)] * 3)], "people", reveal=False)
    assert group.reasons[0].share == "about 100%"


def test_people_with_the_same_columns_share_a_row_whatever_the_percentages():
    some = Reason("column", 0.4, None, "sex"), Reason("column", 0.35, 5, "town"), Reason("column", 0.25, 100, "age")
    others = Reason("column", 0.5, 10, "town"), Reason("column", 0.3, 20, "age"), Reason("column", 0.2, 5, "sex")
    people = [at_risk(row, *(others if row % 3 else some)) for row in range(9)]
    (group,) = group_people(people, "records", reveal=False)
    assert [each.row for each in group.people] == list(range(9))
    assert [each.name for each in group.reasons] == ["town", "age", "sex"], "the strongest of all of them first"
    words = said(table_audit(), *people)
    assert words.count("their value of town, shared by") == 1
    assert "0, 1, 2, 3, 4, 5, 6, 7, 8" in words


@pytest.mark.parametrize(
    ("bands", "reveal", "words"),
    [
        ((None, None), False, "fewer than 5 records"),
        ((None, 20), False, "fewer than 5 records in some cases"),
        ((50, 20), False, "at least 20 records"),
        ((31, 7), True, "7 to 31 records"),
        ((1, 1), True, "1 record"),
        ((1_204, 1_204), True, "1,204 records"),
    ],
)
def test_how_many_share_a_value_holds_for_everyone_in_a_group(bands, reveal, words):
    people = [at_risk(row, Reason("column", 0.5, band, "age")) for row, band in enumerate(bands)]
    (group,) = group_people(people, "records", reveal=reveal)
    assert group.reasons[0].people == words


@pytest.mark.parametrize(
    ("shares", "reveal", "words"),
    [
        ((0.0, 0.0), False, "less than 5%"),
        ((0.0, 0.1), False, "up to 10%"),
        ((0.3, 0.1), False, "about 10% to 30%"),
        ((0.3, 0.3), True, "30%"),
        ((0.0, 0.081), True, "0% to 8%"),
    ],
)
def test_the_share_of_a_reason_is_a_range_where_it_differs(shares, reveal, words):
    people = [at_risk(row, Reason("column", share, 20, "age")) for row, share in enumerate(shares)]
    (group,) = group_people(people, "records", reveal=reveal)
    assert group.reasons[0].share == words


def test_a_named_place_is_one_place_and_people_with_ids_stay_apart():
    cafe = Reason("place", 0.25, 20, "cafe")
    people = [at_risk(0, cafe, cafe, name="anna"), at_risk(1, cafe, cafe, name="ben")]
    groups = group_people(people, "people", reveal=True)
    assert [[each.id for each in group.people] for group in groups] == [["anna"], ["ben"]]
    assert groups[0].reasons == (SharedReason("place", "cafe", 1, "20 people", "50%"),)


def test_details_that_differ_say_of_which_row():
    cafe = Reason("place", 0.25, 20)
    people = [at_risk(row, cafe, detail=detail) for row, detail in enumerate(["a", "b", "a"])]
    (group,) = group_people(people, "people", reveal=False)
    assert group.details == [("rows 0 and 2", "a"), ("row 1", "b")]
    (same,) = group_people(people[::2], "people", reveal=False)
    assert same.details == [("", "a")]
    (none,) = group_people([at_risk(0, cafe)], "people", reveal=False)
    assert none.details == []
