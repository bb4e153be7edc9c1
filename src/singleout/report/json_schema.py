"""JSON Schemas of result files, generated from the types of the results that write them.

A schema says exactly what this version writes: all fields that are always there are required, and no others exist.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from singleout.ground.plain_data import FieldsOf, Limits, OneOf

DRAFT = "https://json-schema.org/draft/2020-12/schema"
PRIMITIVE = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
LIMITS = {"least": "minimum", "most": "maximum", "above": "exclusiveMinimum", "below": "exclusiveMaximum"}
Schema = dict[str, Any]
Parts = dict[type, Schema]


def document_schema(document: type, description: str) -> Schema:
    """The schema of a result file, from the type of its plain data; its ``schema`` field names it."""
    parts: Parts = {}
    whole = _fields(_hints(document), parts)
    named = {_name(kind): schema for kind, schema in parts.items()}
    if len(named) < len(parts):
        raise TypeError(f"two parts of {document.__name__} have the same name")
    title = whole["properties"]["schema"]["const"]
    return {"$schema": DRAFT, "title": title, "description": description, **whole, "$defs": dict(sorted(named.items()))}


def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _fields(hints: Mapping[str, Any], parts: Parts) -> Schema:
    """An object with these fields and no others."""
    required, properties = [], {}
    for name, hint in hints.items():
        if get_origin(hint) is NotRequired:
            (hint,) = get_args(hint)
        else:
            required.append(name)
        properties[name] = _schema(hint, parts)
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def _schema(hint: Any, parts: Parts) -> Schema:
    """The schema of one type; named types are put into ``parts`` once and referred to."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return {}
    if hint in PRIMITIVE:
        return {"type": PRIMITIVE[hint]}
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:], parts)
    if origin is Literal:
        return {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return _one_of([_schema(each, parts) for each in arguments])
    if origin in (list, tuple, Sequence):
        return {"type": "array", "items": _schema(arguments[0], parts)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _schema(arguments[1], parts)}
    return _named(hint, parts)


def _annotated(kind: Any, about: tuple[Any, ...], parts: Parts) -> Schema:
    fields = next((each for each in about if isinstance(each, FieldsOf)), None)
    schema = _schema(kind, parts) if fields is None else _of_data_class(fields.kind, parts)
    for each in about:
        schema = schema | _remark(each)
    return schema


def _remark(about: Any) -> Schema:
    """What ``Annotated`` adds to a type: a description, or what values it may have."""
    if isinstance(about, str):
        return {"description": about}
    if isinstance(about, OneOf):
        return {"enum": list(about.values)}
    if isinstance(about, Limits):
        return {LIMITS[name]: value for name, value in vars(about).items() if value is not None}
    return {}


def _one_of(schemas: list[Schema]) -> Schema:
    """Either of several; a number or null is written the short way, its limits hold for the number only."""
    others = [each for each in schemas if each != {"type": "null"}]
    if len(others) == 1 and len(schemas) == 2 and isinstance(others[0].get("type"), str):
        return others[0] | {"type": [others[0]["type"], "null"]}
    return {"anyOf": schemas}


def _named(kind: Any, parts: Parts) -> Schema:
    """A type with a name: an enumeration, a typed dict, or a data class by what its ``to_dict`` returns."""
    if issubclass(kind, Enum):
        return {"enum": [each.value for each in kind]}
    if is_typeddict(kind):
        return _part(kind, _hints(kind), parts)
    if "to_dict" in vars(kind):
        return _schema(get_type_hints(kind.to_dict, include_extras=True)["return"], parts)
    return _of_data_class(kind, parts)


def _of_data_class(kind: type, parts: Parts) -> Schema:
    hints = _hints(kind)
    return _part(kind, {each.name: hints[each.name] for each in dataclasses.fields(kind)}, parts)


def _part(kind: type, hints: Mapping[str, Any], parts: Parts) -> Schema:
    if kind not in parts:
        parts[kind] = {}  # stands here first, for a type that holds itself
        parts[kind] = {"description": _first_line(kind), **_fields(hints, parts)}
    return {"$ref": f"#/$defs/{_name(kind)}"}


def _name(kind: type) -> str:
    return kind.__name__.removesuffix("Dict")


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]
