"""Edge lists: who is whose friend, by id or by name."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.edges import join_names, read_edges
from tests.small_profiles import FRIENDS, OTHERS, PEOPLE


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


EDGES = pa.table({"who": ["a", "b", None, "c"], "whom": ["b", "a", "a", None], "first": ["Bo", "Al", "Al", "Cy"]})


def read(names=None, *, mutual=False, table=EDGES):
    return read_edges(table, "match_friends", "known_edges", names=names, mutual=mutual)


def test_rows_that_lack_an_end_are_left_out_and_counted():
    found = read()
    assert (found.people.tolist(), found.friends.tolist()) == (["a", "b"], ["b", "a"])
    assert (found.named, found.left_out) == (False, 2)


def test_friends_are_read_by_name_where_all_columns_of_the_name_exist():
    found = read(["first"])
    assert (found.people.tolist(), found.friends.tolist()) == (["a", "b", "c"], ["Bo", "Al", "Cy"])
    assert (found.named, found.left_out) == (True, 1)
    assert read(["first", "last"]).named is False


def test_a_mutual_edge_counts_for_both_people_in_it():
    found = read(mutual=True)
    assert list(zip(found.people, found.friends, strict=True)) == [("a", "b"), ("b", "a"), ("b", "a"), ("a", "b")]
    with pytest.raises(so.InputError, match="mutual must be omitted if known_edges gives friends by name"):
        read(["first"], mutual=True)


def test_one_column_is_no_edge_list():
    with pytest.raises(so.InputError, match="match_friends: known_edges must be a table of two columns, person and"):
        read(table=EDGES.select(["who"]))


def test_a_name_of_several_columns_is_missing_where_one_of_them_is():
    table = so.read_table(pa.table({"first": ["Al", None, "Cy"], "last": ["Lee", "Ray", ""], "n": [1, 2, 3]}))
    assert join_names(table, ["first", "last"]).tolist() == ["Al Lee", None, None]
    assert join_names(table, ["first", "n"]).tolist() == ["Al 1", None, "Cy 3"]
