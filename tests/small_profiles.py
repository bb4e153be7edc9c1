"""Two small sites of profiles whose every match is seen at a glance, and how they are matched."""

import pyarrow as pa

import singleout as so

PEOPLE = {
    "id": ["a", "b", "c"],
    "first": ["Ann", "Bob", "Zoe"],
    "last": ["Lee", "Mann", "Zed"],
    "town": ["X", None, "Y"],
}
OTHERS = {
    "id": ["p", "q", "r", "s"],
    "first": ["ANN", "ann", "Bob", "Ann"],
    "last": ["Lee", "Leeson", "Hartmann", "Moor"],
    "town": ["x", "y", "x", "x"],
}


def by_friends(sites, **options):
    edges = {"released_edges": sites.released_edges, "known_edges": sites.known_edges, "name": "name"}
    return so.match_friends(sites.released, sites.known, **edges, **so.presets("friendsMatch"), **options)


def matched(block, compare, released=PEOPLE, known=OTHERS, **options):
    return so.match_profiles(pa.table(released), pa.table(known), id="id", block=block, compare=compare, **options)


FRIENDS = {"released_edges": pa.table({"who": ["a", "a", "b", None], "whom": ["b", "c", "a", "a"]})}
FRIENDS["known_edges"] = pa.table({"who": ["p", "p", "q", "nobody"], "whom": ["r", "s", "r", "p"]})
