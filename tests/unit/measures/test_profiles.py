"""Profiles: selectivity, its groups, accuracy, friends, joint matching, and what is refused."""

import dataclasses
import json

import joblib
import numpy as np
import pandas as pd
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


def matched(block, compare, released=PEOPLE, known=OTHERS, **options):
    return so.match_profiles(pa.table(released), pa.table(known), id="id", block=block, compare=compare, **options)


def test_selectivity_is_one_over_the_candidates_with_the_highest_score():
    found = matched({"first": "exact"}, {"last": ("contains", 2.0), "town": ("exact", 1.0)})
    assert found.candidates.tolist() == [3, 1, 0]
    assert found.best.tolist() == [3.0, 2.0, 0.0]
    assert found.selectivity.tolist() == [1.0, 1.0, 0.0]
    assert found.winners(0).tolist() == [0]
    ties = matched({"first": "exact"}, {"last": ("contains", 2.0)})
    assert ties.selectivity.tolist() == [0.5, 1.0, 0.0]
    assert ties.winners(0).tolist() == [0, 1]


def test_a_highest_score_of_zero_counts_as_well():
    found = matched({"first": "exact"}, {})
    assert found.best.tolist() == [0.0, 0.0, 0.0]
    assert found.selectivity.tolist() == [1 / 3, 1.0, 0.0]


def test_the_three_groups_of_table_iii():
    found = matched({"first": "exact"}, {})
    all_, one, two = (so.selectivity(found, at_least=at_least) for at_least in (0, 1, 2))
    assert [group.people for group in (all_, one, two)] == [3, 2, 1]
    assert all_.selectivity.value == pytest.approx((1 / 3 + 1) / 3)
    assert (one.candidates, one.candidates_deviation) == (2.0, 1.0)
    assert one.deviation == pytest.approx(1 / 3)
    assert all_.selectivity.low < all_.selectivity.value < all_.selectivity.high
    assert two.random == 1 / 4
    unmatched = matched({"first": "exact"}, {}, released={**PEOPLE, "first": ["X", "Y", "Z"]})
    empty = so.selectivity(unmatched, at_least=1)
    assert (empty.people, empty.selectivity) == (0, None)
    assert json.dumps(empty.to_dict(), allow_nan=False)


def test_a_table_against_itself_never_makes_anyone_their_own_candidate():
    table = so.read_table(pa.table({"id": [1, 2, 3], "name": ["x", "x", "y"], "who": ["p", "p", "q"]}))
    found = so.match_profiles(table, table, id="id", block={"name": "exact"}, compare={})
    assert found.candidates.tolist() == [1, 1, 0]
    assert found.winners(0).tolist() == [1]
    assert so.accuracy(found, "who").expected == 2.0
    assert so.accuracy(found, "who").common == 2


def test_missing_and_empty_values_match_nothing():
    released = {"id": [1, 2], "name": [None, ""]}
    known = {"id": [1, 2], "name": [None, ""]}
    for comparator in ("exact", "initial", "contains", "similar"):
        assert matched({"name": comparator}, {}, released, known).candidates.tolist() == [0, 0]


def test_numbers_and_text_are_compared_as_written():
    found = matched({"zip": "exact"}, {}, {"id": [1, 2], "zip": [7, 8]}, {"id": [1, 2], "zip": ["7", "008"]})
    assert found.candidates.tolist() == [1, 0]


def test_states_and_nicknames_are_taken_for_what_they_stand_for():
    released = {"id": [1], "first": ["Bob"], "last": ["Lee"], "location": ["Springfield, IL"]}
    known = {"id": [1, 2], "first": ["Robert"] * 2, "last": ["Lee"] * 2, "location": ["illinois", "il y a"]}
    assert matched(**so.presets("fieldsMatch3"), released=released, known=known).candidates.tolist() == [0]
    found = matched(**so.presets("fieldsMatch3", nicknames=True), released=released, known=known)
    assert (found.candidates.tolist(), found.winners(0).tolist()) == ([2], [0])


@pytest.mark.parametrize(
    ("written", "state", "matches"),
    [
        ("La Jolla, CA", "Louisiana", False),
        ("La Jolla, CA", "California", True),
        ("Living in Ohio", "Indiana", False),
        ("Living in Ohio", "Ohio", True),
        ("Portland, or so they say", "Oregon", False),
        ("Portland, OR", "Oregon", True),
        ("Portland, OR, USA", "Oregon", True),
        ("Portland,OR 97201", "Oregon", True),
        ("OR", "Oregon", True),
        ("or", "Oregon", True),
        ("HI all", "Hawaii", False),
        ("Paris, ORLY", "Oregon", False),
    ],
)
def test_states_are_written_out_only_from_capitals_after_a_comma_or_from_the_whole_value(written, state, matches):
    person = {"id": [1], "first": ["Ann"], "last": ["Lee"]}
    sides = {"released": {**person, "location": [written]}, "known": {**person, "location": [state]}}
    assert (matched(**so.presets("fieldsMatch3"), **sides).best[0] == 1.0) == matches


def test_presets_are_the_papers_variants_in_ones_own_columns():
    assert so.presets("nameMatch", first="f", last="l")["block"] == {"f": "exact", "l": "exact"}
    assert so.presets("fieldsMatch1")["compare"] == {"last": ("exact", 1.0)}
    assert so.presets("fieldsMatch2")["compare"] == {"last": ("contains", 1.0)}
    assert so.presets("fieldsMatch3")["block"] == {"first": "exact", "last": "contains"}
    assert so.presets("friendsMatch")["block"] == so.presets("fieldsMatch2")["block"]
    with pytest.raises(so.InputError, match="Did you mean 'fieldsMatch2'"):
        so.presets("fieldMatch2")


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


def test_friends_tell_more_than_names_and_rare_friends_no_less(sites):
    names = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    rate = [
        so.accuracy(found, sites.truth).rate.value for found in (names, by_friends(sites), by_friends(sites, rare=True))
    ]
    assert rate[0] < rate[1] <= rate[2]


def test_joint_matching_of_the_scores_is_offered_and_measured(sites):
    found = by_friends(sites)
    joint = so.accuracy(so.assign(found.scores), sites.truth)
    assert joint.rate.value > 0.5
    assert repr(found.scores).endswith("others forbidden)")
    everyone = so.match_profiles(sites.released, sites.known, id="id", block={}, compare={"last": ("exact", 1.0)})
    assert everyone.scores.absent == "zero"
    assert everyone.scores.matrix.data.min() == 1.0


# ---- friends ---------------------------------------------------------------------------------------------------


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
    assert whys["rows of edge lists left out (released)", "person or friend is missing"] == 1
    assert whys["rows of edge lists left out (known)", "their person has no profile"] == 1
    assert whys["friends left out (known)", "their name is not known"] == 1
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
    with pytest.raises(so.DataError, match=r"no row of known_edges can be used \(their person has no profile: 1\)"):
        so.match_friends(released, known, **lists, name="first")
    with pytest.raises(so.DataError, match=r"no row of released_edges can be used .*they are no anchors: 3"):
        so.match_friends(released, known, **FRIENDS, anchors={"nope": "nix"})
    notes = so.match_friends(released, known, **FRIENDS, anchors={"b": "r", "nope": "nix"}).notes
    assert [note.count for note in notes if note.what.startswith("anchors that are nobody")] == [1, 1]
    unlike = so.match_friends(released, known, **FRIENDS, name="id").notes
    assert any("nobody has a friend in common" in note.why for note in unlike)


def test_spellings_of_a_field_that_is_not_compared_are_refused():
    with pytest.raises(so.InputError, match="spellings must be one of first, last, got 'town'"):
        matched({"first": "exact"}, {"last": ("exact", 1.0)}, spellings={"town": {"x": "y"}})
    with pytest.raises(so.InputError, match="spellings must be one of first, got 'town'"):
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
    with pytest.raises(so.InputError, match="clusters must be left out"):
        so.accuracy(found, {"a": "q"}, clusters=[1, 2, 3])
    nobody = matched({"first": "exact"}, {}, released={**PEOPLE, "first": ["X", "Y", "Z"]})
    with pytest.raises(so.DataError, match="nobody has a candidate"):
        so.accuracy(nobody, {"a": "q"})


def test_a_matching_has_no_columns_to_be_true_by():
    joint = so.assign(so.Scores(np.eye(2), "ab", "ab"))
    with pytest.raises(so.InputError, match="truth must be a mapping, or left out, for a Matching"):
        so.accuracy(joint, "who")


# ---- what is told ----------------------------------------------------------------------------------------------


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


# ---- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"block": {"frist": "exact"}}, r"block \(released\)='frist' is not a column.*Did you mean 'first'"),
        (
            {"block": {"first": "exactly"}},
            "block must be one of contains, exact, initial, similar.*Did you mean 'exact'",
        ),
        ({"block": "first"}, "block must be a mapping of fields to comparators"),
        ({"compare": {"last": "exact"}}, "compare must be a mapping of fields to comparator and weight"),
        ({"compare": {"last": ("exact", 0)}}, "weights above zero"),
        ({"compare": {"last": ("exact", float("nan"))}}, "weights above zero"),
        ({"compare": 3}, "compare must be a mapping"),
        ({"id": "number"}, r"id \(released\)='number' is not a column"),
        ({"spellings": {"first": "Bob"}}, "spellings must be a mapping"),
        ({"released": {**PEOPLE, "id": ["a", "b", "b"]}}, "row 3 of released repeats an id of 'id'"),
        ({"known": {**OTHERS, "id": ["a", None, "b", "c"]}}, "row 2 of known has no 'id'"),
        ({"known": {"id": pa.array([], pa.string()), "first": pa.array([], pa.string())}}, "known: .*holds no records"),
        ({"known": {"id": ["x"], "given": ["Ann"]}}, r"block \(known\)='first' is not a column. There are: id, given"),
    ],
)
def test_wrong_input_is_refused_in_words_without_values(arguments, message):
    options = {"id": "id", "block": {"first": "exact"}, "compare": {}, "released": PEOPLE, "known": OTHERS, **arguments}
    sides = [pa.table(options.pop(side)) for side in ("released", "known")]
    with pytest.raises(so.InputError, match=message) as caught:
        so.match_profiles(*sides, **options)
    assert not {"Ann", "Leeson"} & set(str(caught.value).split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "name must be given, or anchors, but not both"),
        ({"name": "name", "anchors": {"a": "p"}}, "but not both"),
        ({"anchors": {}}, "anchors must be a mapping of released ids to known ids"),
        ({"anchors": {"a": "p", "b": "p"}}, "anchors names a known person for more than one"),
        ({"name": "nam"}, r"name \(released\)='nam' is not a column"),
        ({"name": "whom", "mutual": True}, "mutual must be left out where released_edges names the friends"),
        ({"anchors": {"a": "p"}, "known_edges": pa.table({"who": ["p"]})}, "known_edges must be two columns"),
        ({"name": 3}, "name must be a list of column names"),
    ],
)
def test_wrong_friends_are_refused(arguments, message):
    with pytest.raises(so.InputError, match=message):
        so.match_friends(pa.table(PEOPLE), pa.table(OTHERS), **{**FRIENDS, **arguments})


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


def test_frames_files_and_tables_are_all_read(tmp_path):
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "people.csv", index=False)
    file = str(tmp_path / "people.csv")
    from_file = so.match_profiles(file, pa.table(OTHERS), id="id", block={"first": "exact"}, compare={})
    assert from_file.candidates.tolist() == [3, 1, 0]
    itself = so.match_profiles(file, file, id="id", block={}, compare={})
    assert itself.candidates.tolist() == [2, 2, 2]
