"""Candidates of profiles: who may be whom, the best of them, and what is shown."""

import dataclasses

import pyarrow as pa
import pytest

import singleout as so
from tests.small_profiles import PEOPLE, by_friends, matched


def test_a_table_against_itself_never_makes_anyone_their_own_candidate():
    table = so.read_table(pa.table({"id": [1, 2, 3], "name": ["x", "x", "y"], "who": ["p", "p", "q"]}))
    found = so.match_profiles(table, table, id="id", block={"name": "exact"}, compare={})
    assert found.candidates.tolist() == [1, 1, 0]
    assert found.winners(0).tolist() == [1]
    assert so.accuracy(found, "who").expected == 2.0
    assert so.accuracy(found, "who").common == 2


def parts_of(value, seen=None):
    """A value and everything that it holds, however deep, as long as it prints itself in words of ours."""
    seen = {} if seen is None else seen
    if dataclasses.is_dataclass(value) and id(value) not in seen:
        seen[id(value)] = value
        for part in vars(value).values():
            for each in part if isinstance(part, tuple | list) else [part]:
                parts_of(each, seen)
    return list(seen.values())


@pytest.mark.parametrize("comparator", ["exact", "contains", "similar"])
def test_no_part_of_profiles_prints_a_name_or_an_id(comparator):
    people = {"id": ["id-of-ann", "id-of-bob"], "first": ["Annabel", "Bobby"], "town": ["Ulmtown", "Bonnville"]}
    found = matched({"first": comparator}, {"town": (comparator, 1.0)}, people, people)
    edges = pa.table({"person": people["id"], "friend": people["id"][::-1]})
    friends = so.match_friends(
        pa.table(people), pa.table(people), released_edges=edges, known_edges=edges, name="first"
    )
    for profiles in (found, friends):
        parts = parts_of(profiles)
        assert profiles.pairs in parts
        assert profiles.released_side in parts
        for part in parts:
            for text in (repr(part), str(part)):
                for value in (value for column in people.values() for value in column):
                    assert value.casefold() not in text.casefold()


def test_joint_matching_of_the_scores_is_offered_and_measured(sites):
    found = by_friends(sites)
    joint = so.accuracy(so.assign(found.scores), sites.truth)
    assert joint.rate.value > 0.5
    assert repr(found.scores).endswith("others forbidden)")
    everyone = so.match_profiles(sites.released, sites.known, id="id", block={}, compare={"last": ("exact", 1.0)})
    assert everyone.scores.absent == "zero"
    assert everyone.scores.matrix.data.min() == 1.0


def test_nothing_that_is_told_holds_an_id_or_a_name():
    found = matched(
        {"first": "exact"}, {"last": ("contains", 1.0)}, released={**PEOPLE, "id": ["eve1", "eve2", "eve3"]}
    )
    for text in (repr(found), str(found.to_arrow().to_pydict()), repr(found.scores)):
        assert "eve" not in text
        assert "Ann" not in text
    assert found.to_arrow()["known_row"].to_pylist() == [None, 2, None]
    shown = found.to_arrow(reveal=True)
    assert shown["released_id"].to_pylist() == ["eve1", "eve2", "eve3"]
    assert shown["known_id"].to_pylist() == [None, "r", None]


def test_too_many_candidates_for_one_matrix_are_refused(monkeypatch):
    monkeypatch.setattr("singleout.matching.candidates.MOST_PAIRS", 3)
    with pytest.raises(so.DataError, match="4 pairs are too many for one matrix"):
        _ = matched({"first": "exact"}, {}).scores
    assert matched({}, {"first": ("exact", 1.0)}, {"id": [1], "first": ["Bob"]}).scores.matrix.nnz == 1
    with pytest.raises(so.DataError, match="4 pairs are too many"):
        _ = matched({}, {"first": ("exact", 1.0)}).scores
    with pytest.raises(so.InputError, match="row must be a released row, from 0 to 2"):
        matched({"first": "exact"}, {}).winners(3)
    with pytest.raises(so.InputError, match="at_least must be 0, 1 or 2"):
        so.selectivity(matched({"first": "exact"}, {}), at_least=3)
