"""Result files against the JSON Schemas in the package."""

import json
from copy import deepcopy
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


def with_an_invented_field(document, path):
    changed = deepcopy(document)
    at(changed, path)[INVENTED] = 1
    return changed


def without_field(document, path, name):
    changed = deepcopy(document)
    del at(changed, path)[name]
    return changed
