"""Result files against the JSON Schemas in the package."""

import json
from contextlib import contextmanager
from functools import cache
from importlib.resources import files

from jsonschema import Draft202012Validator

FOLDER = files("singleout") / "report" / "schemas"
INVENTED = "invented_field"


@cache
def validators():
    """A validator for every schema in the package, by what the field ``schema`` of a file says."""
    schemas = [json.loads(file.read_text()) for file in FOLDER.iterdir()]
    for schema in schemas:
        Draft202012Validator.check_schema(schema)
    return {schema["title"]: Draft202012Validator(schema) for schema in schemas}


def faults(document):
    """What is wrong with a result file, in words."""
    validator = validators()[document["schema"]]
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(plain(document))]


def is_refused(document):
    """Whether anything is wrong with a document as it is read back from a file; stops at the first fault."""
    return not validators()[document["schema"]].is_valid(document)


def plain(document):
    """As it is read back from a file."""
    return json.loads(json.dumps(document, allow_nan=False))


def objects(part, path=()):
    """Where objects are in a document; of lists only the first and the last entry are looked into."""
    if isinstance(part, dict):
        yield path
        for name, value in part.items():
            yield from objects(value, (*path, name))
    elif isinstance(part, list):
        for number in sorted({0, len(part) - 1}) if part else ():
            yield from objects(part[number], (*path, number))


def at(document, path):
    for step in path:
        document = document[step]
    return document


@contextmanager
def invented_field(document, path):
    """A field too many, for as long as that is looked at."""
    at(document, path)[INVENTED] = 1
    try:
        yield
    finally:
        del at(document, path)[INVENTED]


@contextmanager
def missing_field(document, path, name):
    """A field too few, for as long as that is looked at."""
    kept = at(document, path).pop(name)
    try:
        yield
    finally:
        at(document, path)[name] = kept
