"""Results in notebooks: a picture to look at, and to save as a page, a drawing or data."""

import json
from xml.etree import ElementTree

import pytest

import singleout as so
from singleout.report.pages.picture import MIME, SVG, Picture
from tests.audits import events_audit, hostile_audit


@pytest.fixture(scope="module")
def picture():
    return events_audit().plot()


def test_notebooks_get_the_specification_and_all_others_words(picture):
    shown = picture._repr_mimebundle_(include=None, exclude=None)
    assert shown[MIME] == so.chart(events_audit())
    assert shown["text/plain"].startswith(
        "Picture: Share re-identified by each attack. Strongest colour: the strongest attack."
    )


def test_where_no_program_for_vega_lite_runs_there_is_the_drawing_that_is_saved_too(picture, tmp_path):
    drawing = picture._repr_mimebundle_()[SVG]
    picture.save(tmp_path / "ladder.svg")
    assert drawing == (tmp_path / "ladder.svg").read_text()
    assert "Share re-identified by each attack" in drawing


def test_hostile_names_stay_text_in_a_drawing():
    kinds = {
        element.tag.rpartition("}")[2]
        for element in ElementTree.fromstring(hostile_audit().plot()._content(".svg")).iter()
    }
    assert "text" in kinds
    assert not kinds & {"script", "img", "foreignObject", "a"}


def test_it_is_saved_by_the_ending_of_its_name(picture, tmp_path):
    for ending in ("html", "svg", "png", "json"):
        picture.save(tmp_path / f"ladder.{ending}")
    assert (tmp_path / "ladder.svg").read_text().startswith("<svg")
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / "ladder.json").read_text()) == picture.spec
    page = (tmp_path / "ladder.html").read_text(encoding="utf-8")
    assert "<h1" in page
    assert "joint matching, near-certain pairs only" in page
    with pytest.raises(
        so.InputError, match=r"save: path must be a path that ends in .html, .svg, .png, .json \(got '.gif'\)"
    ):
        picture.save(tmp_path / "ladder.gif")
    assert not (tmp_path / "ladder.gif").exists()


def test_hostile_names_stay_text_in_a_saved_page(tmp_path):
    hostile_audit().plot().save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<script") == 3
    assert "<img src=x" not in page


def test_numbers_that_are_missing_are_empty_cells():
    spec = so.chart(events_audit()) | {"data": {"values": [{"a": None, "b": 0.123456}, {"c": "x"}]}}
    assert Picture(spec).figure().rows == (("", "0.1235", ""), ("", "", "x"))
