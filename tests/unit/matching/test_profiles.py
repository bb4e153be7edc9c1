"""Profiles: candidates, accuracy, joint matching, and what is refused."""

import dataclasses

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

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


def test_joint_matching_of_the_scores_is_offered_and_measured(sites):
    found = by_friends(sites)
    joint = so.accuracy(so.assign(found.scores), sites.truth)
    assert joint.rate.value > 0.5
    assert repr(found.scores).endswith("others forbidden)")
    everyone = so.match_profiles(sites.released, sites.known, id="id", block={}, compare={"last": ("exact", 1.0)})
    assert everyone.scores.absent == "zero"
    assert everyone.scores.matrix.data.min() == 1.0


FRIENDS = {"released_edges": pa.table({"who": ["a", "a", "b", None], "whom": ["b", "c", "a", "a"]})}
FRIENDS["known_edges"] = pa.table({"who": ["p", "p", "q", "nobody"], "whom": ["r", "s", "r", "p"]})


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
    with pytest.raises(so.InputError, match="clusters must be omitted"):
        so.accuracy(found, {"a": "q"}, clusters=[1, 2, 3])
    nobody = matched({"first": "exact"}, {}, released={**PEOPLE, "first": ["X", "Y", "Z"]})
    with pytest.raises(so.DataError, match="nobody has a candidate"):
        so.accuracy(nobody, {"a": "q"})


def test_a_matching_has_no_columns_to_be_true_by():
    joint = so.assign(so.Scores(np.eye(2), "ab", "ab"))
    with pytest.raises(so.InputError, match="truth must be a mapping, or omitted, for a Matching"):
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
        ({"block": {"frist": "exact"}}, r"block='frist' is not a column.*Did you mean 'first'"),
        (
            {"block": {"first": "exactly"}},
            "block must be one of contains, exact, initial, similar.*Did you mean 'exact'",
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
