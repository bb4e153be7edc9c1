"""Profiles matched by fields and by friends: equal to the twins, measured, and what is refused."""

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from tests.reference import linking as twin
from tests.small_profiles import FRIENDS, OTHERS, PEOPLE, by_friends, matched


def test_missing_and_empty_values_match_nothing():
    released = {"id": [1, 2], "name": [None, ""]}
    known = {"id": [1, 2], "name": [None, ""]}
    for comparator in ("exact", "initial", "contains", "similar"):
        assert matched({"name": comparator}, {}, released, known).candidates.tolist() == [0, 0]


def test_numbers_and_text_are_compared_as_written():
    found = matched({"zip": "exact"}, {}, {"id": [1, 2], "zip": [7, 8]}, {"id": [1, 2], "zip": ["7", "008"]})
    assert found.candidates.tolist() == [1, 0]


# ---- the same, whatever the way there ----------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["nameMatch", "fieldsMatch1", "fieldsMatch2", "fieldsMatch3"])
def test_made_up_sites_give_what_the_twin_gives(preset):
    sites = so.synthetic_profiles(people=60, known=300, seed=5)
    options = {**so.presets(preset), "spellings": {}}
    found = so.match_profiles(sites.released, sites.known, id="id", **options)
    released, known = sites.released.to_pylist(), sites.known.to_pylist()
    expected = twin.fields_match(released, known, options["block"], options["compare"])
    assert found.candidates.tolist() == [len(scores) for scores in expected]
    assert found.selectivity.tolist() == pytest.approx([twin.selectivity(scores) for scores in expected])
    stored = found.scores
    for row, scores in enumerate(expected):
        part = slice(stored.matrix.indptr[row], stored.matrix.indptr[row + 1])
        cells = zip(stored.matrix.indices[part].tolist(), stored.matrix.data[part].tolist(), strict=True)
        assert dict(cells) == scores


def test_accuracy_is_the_twins_sum_of_chances():
    sites = so.synthetic_profiles(people=60, known=300, seed=5)
    options = {**so.presets("fieldsMatch2"), "spellings": {}}
    found = so.match_profiles(sites.released, sites.known, id="id", **options)
    released, known = sites.released.to_pylist(), sites.known.to_pylist()
    scores = twin.fields_match(released, known, options["block"], options["compare"])
    row = {person["id"]: number for number, person in enumerate(known)}
    chances = []
    for person, mine in zip(released, scores, strict=True):
        true = row.get(sites.truth.get(person["id"]))
        if true is not None:
            chances.append(twin.selectivity(mine) if mine.get(true, -1) == max(mine.values(), default=0) else 0.0)
    measured = so.accuracy(found, sites.truth)
    assert measured.expected == pytest.approx(sum(chances))
    assert measured.common == len(chances) == 36


def test_row_order_format_tiles_and_threads_do_not_matter(sites, tmp_path, monkeypatch):
    whole = by_friends(sites, rare=True)
    options = so.presets("fieldsMatch2")
    fields = so.match_profiles(sites.released, sites.known, id="id", **options)
    monkeypatch.setattr("singleout.matching.candidates.PAIRS_A_TILE", 64)
    order = np.random.default_rng(0).permutation(300)
    shuffled = sites.released.take(order)
    frame = sites.known.to_pandas().sample(frac=1, random_state=1)
    with joblib.parallel_config(n_jobs=1):
        again = so.match_profiles(shuffled, frame, id="id", **options)
    assert again.selectivity.tolist() == fields.selectivity[order].tolist()
    assert so.accuracy(again, sites.truth) == so.accuracy(fields, sites.truth)
    assert so.selectivity(again, at_least=2) == so.selectivity(fields, at_least=2)
    edges = {"released_edges": sites.released_edges.to_pandas(), "known_edges": sites.known_edges, "name": "name"}
    friends = so.match_friends(shuffled, frame, **edges, rare=True, **so.presets("friendsMatch"))
    assert friends.best.tolist() == whole.best[order].tolist()


def test_spellings_of_a_field_that_is_not_compared_are_refused():
    with pytest.raises(so.InputError, match=r"spellings must be one of first, last \(got 'town'\)"):
        matched({"first": "exact"}, {"last": ("exact", 1.0)}, spellings={"town": {"x": "y"}})
    with pytest.raises(so.InputError, match=r"spellings must be one of first \(got 'town'\)"):
        so.match_friends(pa.table(PEOPLE), pa.table(OTHERS), **FRIENDS, name="first", spellings={"town": {"x": "y"}})


# ---- accuracy --------------------------------------------------------------------------------------------------


def test_accuracy_counts_ties_as_chance_with_interval_baseline_and_control():
    found = matched({"first": "exact"}, {"last": ("contains", 1.0)})
    measured = so.accuracy(found, {"a": "q", "b": "r"})
    assert measured.expected == 1.5
    assert measured.rate.value == 0.75
    assert measured.rate.low < 0.75 < measured.rate.high
    assert measured.precision.n == 2
    assert measured.random == 1 / 4
    assert measured.correct in (1, 2)
    assert measured.shuffled < measured.rate.value
    with pytest.raises(so.DataError, match="nobody is on both sides"):
        so.accuracy(found, {"a": "nobody"})
    with pytest.raises(so.InputError, match="clusters must be omitted"):
        so.accuracy(found, {"a": "q"}, clusters=[1, 2, 3])
    nobody = matched({"first": "exact"}, {}, released={**PEOPLE, "first": ["X", "Y", "Z"]})
    with pytest.raises(so.DataError, match="nobody has a candidate"):
        so.accuracy(nobody, {"a": "q"})


# ---- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"block": {"frist": "exact"}}, r"block='frist' is not a column.*Did you mean 'first'"),
        (
            {"block": {"first": "exactly"}},
            "block must be one of exact, initial, contains, similar.*Did you mean 'exact'",
        ),
        ({"block": "first"}, "block must be a mapping of fields to comparators"),
        ({"compare": {"last": "exact"}}, "compare must be a mapping of fields to comparator and weight"),
        ({"compare": {"last": ("exact", 0)}}, "weights above zero"),
        ({"compare": {"last": ("exact", float("nan"))}}, "weights above zero"),
        ({"compare": 3}, "compare must be a mapping"),
        ({"id": "number"}, r"id='number' is not a column"),
        ({"spellings": {"first": "Bob"}}, "spellings must be a mapping"),
        ({"released": {**PEOPLE, "id": ["a", "b", "b"]}}, "row 3 of released repeats an id of 'id'"),
        ({"known": {**OTHERS, "id": ["a", None, "b", "c"]}}, "row 2 of known has no 'id'"),
        (
            {"known": {"id": pa.array([], pa.string()), "first": pa.array([], pa.string())}},
            "known: .*contains no records",
        ),
        (
            {"known": {"id": ["x"], "given": ["Ann"]}},
            r"block='first' is not a column of known. Its columns: id, given",
        ),
    ],
)
def test_wrong_input_is_refused_in_words_without_values(arguments, message):
    options = {"id": "id", "block": {"first": "exact"}, "compare": {}, "released": PEOPLE, "known": OTHERS, **arguments}
    sides = [pa.table(options.pop(side)) for side in ("released", "known")]
    with pytest.raises(so.InputError, match=message) as caught:
        so.match_profiles(*sides, **options)
    assert not {"Ann", "Leeson"} & set(str(caught.value).split())


def test_frames_files_and_tables_are_all_read(tmp_path):
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "people.csv", index=False)
    file = str(tmp_path / "people.csv")
    from_file = so.match_profiles(file, pa.table(OTHERS), id="id", block={"first": "exact"}, compare={})
    assert from_file.candidates.tolist() == [3, 1, 0]
    itself = so.match_profiles(file, file, id="id", block={}, compare={})
    assert itself.candidates.tolist() == [2, 2, 2]


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
