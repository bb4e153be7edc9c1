"""Profiles matched by their friends."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from tests.reference import linking as twin

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


@pytest.fixture(scope="module")
def sites():
    return so.synthetic_profiles(people=300, known=2_000, seed=2)


def by_friends(sites, **options):
    edges = {"released_edges": sites.released_edges, "known_edges": sites.known_edges, "name": "name"}
    return so.match_friends(sites.released, sites.known, **edges, **so.presets("friendsMatch"), **options)


@pytest.mark.parametrize("rare", [False, True])
def test_friends_give_what_the_twin_gives(rare):
    sites = so.synthetic_profiles(people=60, known=300, seed=5)
    found = by_friends(sites, rare=rare)
    released, known = sites.released.to_pylist(), sites.known.to_pylist()
    lists = []
    for people, edges in ((released, sites.released_edges), (known, sites.known_edges)):
        friends = {person["id"]: set() for person in people}
        for edge in edges.to_pylist():
            friends[edge["person"]].add(edge["name"])
        lists.append([friends[person["id"]] for person in people])
    candidates = twin.fields_match(released, known, so.presets("friendsMatch")["block"], {})
    expected = twin.friends_match(*lists, candidates, rare)
    assert found.selectivity.tolist() == pytest.approx([twin.selectivity(scores) for scores in expected])
    assert found.best.tolist() == pytest.approx([max(scores.values(), default=0) for scores in expected])


def test_friends_tell_more_than_names_and_rare_friends_no_less(sites):
    names = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    rate = [
        so.accuracy(found, sites.truth).rate.value for found in (names, by_friends(sites), by_friends(sites, rare=True))
    ]
    assert rate[0] < rate[1] <= rate[2]


FRIENDS = {"released_edges": pa.table({"who": ["a", "a", "b", None], "whom": ["b", "c", "a", "a"]})}
FRIENDS["known_edges"] = pa.table({"who": ["p", "p", "q", "nobody"], "whom": ["r", "s", "r", "p"]})


def test_friends_are_the_same_by_name_in_the_peoples_own_tables():
    released = pa.table({**PEOPLE, "name": ["Ann", "Bob", "Zoe"]})
    known = pa.table({**OTHERS, "name": ["P", "Q", "BOB", None]})
    found = so.match_friends(released, known, **FRIENDS, name="name")
    assert found.best.tolist() == [1.0, 0.0, 0.0]
    assert found.winners(0).tolist() == [0, 1]
    assert found.candidates.tolist() == [4, 4, 4]
    whys = {(note.what, note.why): note.count for note in found.notes}
    assert whys["rows of edge lists left out (released)", "the person or the friend is missing"] == 1
    assert whys["rows of edge lists left out (known)", "the person has no profile"] == 1
    assert whys["friends left out (known)", "their name is missing"] == 1
    several = so.match_friends(released, known, **FRIENDS, name=["name", "first"])
    assert several.best.tolist() == [1.0, 0.0, 0.0]


def test_friends_are_the_same_by_anchors_and_mutual_edges_count_for_both():
    released, known = pa.table(PEOPLE), pa.table(OTHERS)
    found = so.match_friends(released, known, **FRIENDS, anchors={"b": "r", "a": "p"})
    assert found.best.tolist() == [1.0, 0.0, 0.0]
    both = so.match_friends(released, known, **FRIENDS, anchors={"b": "r", "a": "p"}, mutual=True)
    assert both.best.tolist() == [1.0, 1.0, 1.0]


def test_whole_number_ids_of_an_edge_list_meet_text_ids_of_a_table():
    released = pa.table({"id": ["1", "2"]})
    edges = {"released_edges": pa.table({"a": [1], "b": [2]}), "known_edges": pa.table({"a": [1], "b": [2]})}
    assert so.match_friends(released, pa.table({"id": [1, 2]}), **edges, anchors={2: 2}).best.tolist() == [1.0, 0.0]


@given(lists=st.lists(st.sets(st.integers(0, 5)), min_size=2, max_size=6), split=st.integers(1, 5), rare=st.booleans())
@settings(max_examples=10)
def test_any_friend_lists_give_what_the_twin_gives(lists, split, rare):
    mine, theirs = lists[: min(split, len(lists) - 1)], lists[min(split, len(lists) - 1) :]
    edges = [
        pa.table(
            {"p": [k for k, side in enumerate(part) for _ in side], "name": [f"f{x}" for side in part for x in side]}
        )
        for part in (mine, theirs)
    ]
    if not all(part.num_rows for part in edges):
        return
    tables = [pa.table({"id": list(range(len(part)))}) for part in (mine, theirs)]
    found = so.match_friends(*tables, released_edges=edges[0], known_edges=edges[1], name="name", rare=rare)
    expected = twin.friends_match(mine, theirs, [range(len(theirs))] * len(mine), rare)
    assert found.selectivity.tolist() == pytest.approx([twin.selectivity(scores) for scores in expected])


def test_friend_lists_of_which_nothing_can_be_used_are_refused_and_strange_anchors_noted():
    released, known = pa.table(PEOPLE), pa.table(OTHERS)
    lists = {**FRIENDS, "known_edges": pa.table({"who": ["nobody"], "whom": ["p"]})}
    with pytest.raises(so.DataError, match=r"no row of known_edges can be used \(the person has no profile: 1\)"):
        so.match_friends(released, known, **lists, name="first")
    with pytest.raises(so.DataError, match=r"no row of released_edges can be used .*they are not anchors: 3"):
        so.match_friends(released, known, **FRIENDS, anchors={"nope": "nix"})
    notes = so.match_friends(released, known, **FRIENDS, anchors={"b": "r", "nope": "nix"}).notes
    assert [note.count for note in notes if note.what.startswith("anchors without effect")] == [1, 1]
    unlike = so.match_friends(released, known, **FRIENDS, name="id").notes
    assert any("nobody has a friend in common" in note.why for note in unlike)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "name must be given, or anchors, but not both"),
        ({"name": "name", "anchors": {"a": "p"}}, "but not both"),
        ({"anchors": {}}, "anchors must be a mapping of released ids to known ids"),
        ({"anchors": {"a": "p", "b": "p"}}, "anchors maps more than one released person"),
        ({"name": "nam"}, r"name='nam' is not a column"),
        ({"name": "whom", "mutual": True}, "mutual must be omitted if released_edges gives friends by name"),
        (
            {"anchors": {"a": "p"}, "known_edges": pa.table({"who": ["p"]})},
            "known_edges must be a table of two columns",
        ),
        ({"name": 3}, "name must be a list of column names"),
    ],
)
def test_wrong_friends_are_refused(arguments, message):
    with pytest.raises(so.InputError, match=message):
        so.match_friends(pa.table(PEOPLE), pa.table(OTHERS), **{**FRIENDS, **arguments})
