"""Small tables of people, and the links between two of them."""

import pyarrow as pa

import singleout as so

RELEASED = {
    "town": ["ulm", "ulm", "bonn", "bonn", "jena"],
    "sex": ["f", "m", "f", "f", "m"],
    "born": [1950, 1950, 1960, 1960, 1970],
    "person": [1, 2, 3, 4, 5],
}


KNOWN = {
    "town": ["ulm", "ulm", "bonn", "jena", "jena", "kiel"],
    "sex": ["f", "m", "f", "m", "m", "f"],
    "born": [1950, 1951, 1960, 1970, 1970, 1980],
    "person": [1, 2, 4, 5, 9, 8],
}


ON = ["town", "sex", "born"]


def linked(released=RELEASED, known=KNOWN, **options):
    return so.link_records(pa.table(released), pa.table(known), **{"on": ON, **options})


def numbered_records():
    """A column that tells all records apart, and one that tells none."""
    return pa.table({"x": list(range(400)), "y": [1] * 400})
