"""What all pictures share: they draw, say what they show, and can be told apart without colours seen well."""

import re

import vl_convert

from singleout.report.charts.style import COLOURS, labelled_bars, limit_line, spec

ROWS = [{"name": "a very long name of an attack on people", "share": 0.4}, {"name": "short", "share": 0.1}]
SHARE_AXIS = {"field": "share", "type": "quantitative"}


def texts_of(picture):
    return re.sub("<[^>]*>", " ", vl_convert.vegalite_to_svg(picture))


def test_a_frame_holds_its_rows_title_and_layers():
    layer = {"mark": "bar", "encoding": {"x": SHARE_AXIS, "y": {"field": "name", "type": "nominal"}}}
    picture = spec("The title", "What it shows.", ROWS, [layer])
    assert picture["data"]["values"] == ROWS
    shown = texts_of(picture)
    assert "The title" in shown
    assert "What it shows." in shown


def test_bars_have_their_names_above_them_and_no_axis():
    y, layers = labelled_bars("name", SHARE_AXIS, [{"field": "name"}], {"color": {"value": COLOURS[1]}})
    assert y["axis"] is None
    shown = texts_of(spec("t", "s", ROWS, layers))
    assert all(row["name"] in shown for row in ROWS)
    assert layers[0]["encoding"]["color"] == {"value": COLOURS[1]}
    assert "color" not in layers[1]["encoding"], "names stay in ink"


def test_the_limit_is_drawn_once_whatever_the_number_of_rows():
    _, bars = labelled_bars("name", SHARE_AXIS, [], {})
    for axis in ("x", "y"):
        line, words = limit_line(0.05, axis)
        assert line["encoding"][axis]["field"] == words["encoding"][axis]["field"] == "limit"
        assert line["data"]["values"] == words["data"]["values"] == [{"limit": 0.05}]
        assert line["mark"]["strokeDash"], "dashed, so that it is seen without colours"
    assert texts_of(spec("t", "s", ROWS, [*bars, *limit_line(0.05, "x")])).count("risk limit") == 1


def test_colours_are_all_different():
    assert len(set(COLOURS)) == len(COLOURS) == 7
    assert all(re.fullmatch("#[0-9A-F]{6}", colour) for colour in COLOURS)
