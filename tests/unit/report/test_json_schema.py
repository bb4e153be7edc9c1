"""JSON Schemas from types: what each type becomes, and what has no place in a result file."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from jsonschema import Draft202012Validator

from singleout.ground.plain_data import Count, FieldsOf, Level, OneOf, Share, ShareOrNone
from singleout.report.json_schema import document_schema


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Dot:
    """A dot.

    More about it.
    """

    x: float
    colour: Colour
    near: "tuple[Dot, ...]" = ()


class LineDict(TypedDict):
    """A line."""

    length: Share


@dataclass(frozen=True)
class Line:
    """Draws itself."""

    ends: object

    def to_dict(self) -> LineDict:
        return {"length": 0.5}


class Picture(TypedDict):
    schema: Literal["test/picture/1"]
    title: Annotated[str, "What it shows."]
    dots: list[Annotated[dict[str, Any], FieldsOf(Dot)]]
    line: LineDict | None
    by_name: dict[str, Count]
    level: Level
    share: ShareOrNone
    kind: Annotated[str, OneOf(("a", "b"))]
    size: Literal["s", "m"]
    frame: NotRequired[bool]
    anything: Any


DOCUMENT = {
    "schema": "test/picture/1",
    "title": "t",
    "dots": [{"x": 1, "colour": "red", "near": [{"x": 0.5, "colour": "blue", "near": []}]}],
    "line": {"length": 1},
    "by_name": {"a": 1},
    "level": 0.95,
    "share": None,
    "kind": "a",
    "size": "s",
    "anything": [1, None],
}


def faults(document):
    return list(Draft202012Validator(document_schema(Picture, "A picture.")).iter_errors(document))


def test_a_document_of_these_types_is_valid_with_and_without_what_may_be_left_out():
    assert not faults(DOCUMENT)
    assert not faults(DOCUMENT | {"frame": True, "line": None, "share": 0.5})


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "test/picture/2"},
        {"title": None},
        {"dots": [{"x": 1, "colour": "green", "near": []}]},
        {"dots": [{"x": 1, "colour": "red"}]},
        {"line": {"length": 2}},
        {"line": {"length": 1, "colour": "red"}},
        {"by_name": {"a": -1}},
        {"level": 1},
        {"share": 1.5},
        {"kind": "c"},
        {"size": "l"},
        {"invented": 1},
    ],
)
def test_anything_else_is_refused(change):
    assert faults(DOCUMENT | change)


@pytest.mark.parametrize("name", sorted(DOCUMENT))
def test_every_field_that_is_always_there_is_required(name):
    assert faults({each: value for each, value in DOCUMENT.items() if each != name})


def test_descriptions_come_from_the_types():
    schema = document_schema(Picture, "A picture.")
    assert schema["title"] == "test/picture/1"
    assert schema["description"] == "A picture."
    assert schema["properties"]["title"] == {"type": "string", "description": "What it shows."}
    assert {name: part["description"] for name, part in schema["$defs"].items()} == {"Dot": "A dot.", "Line": "A line."}


def test_a_result_is_described_by_what_its_to_dict_returns():
    class Holds(TypedDict):
        schema: Literal["test/holds/1"]
        line: Line

    assert list(document_schema(Holds, "")["$defs"]) == ["Line"]
    assert list(document_schema(Holds, "")["$defs"]["Line"]["properties"]) == ["length"]


def test_two_parts_of_one_name_are_refused():
    class Line(TypedDict):
        other: int

    class Both(TypedDict):
        schema: Literal["test/both/1"]
        first: Line
        second: LineDict

    with pytest.raises(TypeError, match="two parts of Both have the same name"):
        document_schema(Both, "")
