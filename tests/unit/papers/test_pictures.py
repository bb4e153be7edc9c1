"""Charts of a reproduced figure: both numbers, and on which data."""

import json

import vl_convert

from singleout.papers.pictures import vega_lite
from singleout.papers.result import SAME, SYNTHETIC, Reproduction
from tests.reproductions import curve, row


def test_pictures_show_both_numbers_and_tables_have_none():
    drawn = vega_lite(curve())
    assert [each["paper"] for each in drawn["data"]["values"]] == [0.45, 0.225, 0.1125, None]
    assert "Crosses: as printed in the paper. Grey: guessing at random." in drawn["title"]["subtitle"]
    assert vega_lite(curve(axis=None)) is None
    json.dumps(drawn, allow_nan=False)


def test_lines_of_several_data_sets_are_kept_apart():
    drawn = vega_lite(curve(SAME, SYNTHETIC))
    assert {each["line"] for each in drawn["data"]["values"]} == {"js, set of same data", "js, set of synthetic"}


def test_counts_are_not_drawn_as_shares():
    rows = tuple(row(SYNTHETIC, at, ours=30.0 * at) for at in (1, 2))
    drawn = vega_lite(Reproduction(rows, (), axis="people", id="x-1", title="x"))
    assert "%" not in drawn["layer"][0]["encoding"]["y"]["axis"].get("format", "")
    assert ">60<" in vl_convert.vegalite_to_svg(drawn)


def test_small_shares_have_digits_in_the_picture():
    drawn = vega_lite(curve())
    formats = {each["format"] for each in drawn["layer"][0]["encoding"]["tooltip"] if "format" in each}
    assert formats == {",~r", ".3~p"}, "three digits that count: 0.00005 is 0.005%"
