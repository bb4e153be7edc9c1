"""Data stays data on every page, and templates get all they ask for."""

import json

import jinja2
import pytest

import singleout as so
from singleout.report.pages.render import embed, on_page, page
from tests.audits import HOSTILE, events_audit


def test_no_data_can_end_the_element_it_stands_in():
    text = embed({"data": {"values": [{"name": each} for each in HOSTILE]}})
    assert not set("<>&\u2028\u2029") & set(text)
    assert [row["name"] for row in json.loads(text)["data"]["values"]] == list(HOSTILE)


def test_colours_become_the_pages_and_data_stays_data():
    blue = so.chart(events_audit())
    drawn = on_page(blue | {"data": {"values": [{"name": "#0072B2"}]}})
    assert drawn["data"]["values"][0]["name"] == "#0072B2"
    assert "#0072B2" not in json.dumps(drawn["layer"])
    assert drawn["width"] == "container"
    assert "title" not in drawn


def test_a_template_that_asks_for_what_is_not_there_fails():
    with pytest.raises(jinja2.UndefinedError, match="audit"):
        page("audit.html.j2")
