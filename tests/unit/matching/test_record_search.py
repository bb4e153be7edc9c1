"""linkRecords against its slow twin, and the counting kernel against Counter."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout._kernels.records import count_keys
from singleout.matching.record_search import MISSING, Codes, Linking, number_of_sets, sets_by_power
from tests.reference import linking as twin

pytestmark = pytest.mark.kernels

COLUMNS = ("a", "b", "c")
CODES = {"x": 0, "y": 1, "z": 2, None: -1}
values = st.sampled_from(list(CODES))
records = st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, values)), min_size=1, max_size=9)
limits = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))


def as_arrow(rows):
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in COLUMNS})


def by_the_twin(released, known, limit, missing):
    """Columns as numbers in order of their power, as the twin orders them."""
    power = {name: len({row[name] for row in released} - {None}) for name in COLUMNS}
    ordered = sorted(COLUMNS, key=lambda name: -power[name])
    return ordered, twin.link_records(released, known, COLUMNS, *limit, missing)


@pytest.mark.parametrize("missing", MISSING)
@given(released=records, known=records, limit=limits)
@settings(max_examples=150)
def test_links_columns_and_counts_are_the_twins(missing, released, known, limit):
    ordered, expected = by_the_twin(released, known, limit, missing)
    sides = [
        Codes(tuple(np.array([CODES[row[name]] for row in rows], np.int32) for name in ordered), (3, 3, 3))
        for rows in (released, known)
    ]
    linking = Linking(*sides, *limit, missing, 3)
    agree, one = linking.agreeing()
    assert agree.tolist() == [len(twin.agreeing(row, known, COLUMNS, missing)) for row in released]
    found = linking.links(np.flatnonzero(agree == 1), one, None)
    used = [tuple(ordered[number] for number in numbers) for numbers in found.columns]
    links = zip(one[found.rows].tolist(), used, found.released_count, found.known_count, strict=True)
    assert dict(zip(found.rows.tolist(), links, strict=True)) == expected


@pytest.mark.parametrize("missing", MISSING)
@given(released=records, known=records, limit=limits)
@settings(max_examples=8)
def test_the_door_gives_the_same(missing, released, known, limit):
    names = dict(zip(("max_columns", "max_released", "max_known"), limit, strict=True))
    links = so.link_records(as_arrow(released), as_arrow(known), on=COLUMNS, missing=missing, **names)
    found = zip(links.known.tolist(), links.columns, links.released_count, links.known_count, strict=True)
    assert dict(zip(links.released.tolist(), found, strict=True)) == by_the_twin(released, known, limit, missing)[1]


@given(released=records, known=records)
@settings(max_examples=8)
def test_uniques_and_twins_are_counted_on_all_columns(released, known):
    links = so.link_records(as_arrow(released), as_arrow(known), on=COLUMNS)
    mine, theirs = ([tuple(row[name] for name in COLUMNS) for row in rows] for rows in (released, known))
    same, there = Counter(mine), Counter(theirs)
    alone = [row for row in mine if same[row] == 1]
    assert (links.uniques.released, links.uniques.known) == (len(alone), sum(there[row] for row in alone))
    assert links.identical.tolist() == [same[mine[row]] for row in links.released]
    shared = Counter(links.known.tolist())
    assert links.shared.tolist() == [shared[row] > 1 for row in links.known.tolist()]


@given(wanted=st.lists(st.integers(-1, 9), max_size=12), keys=st.lists(st.integers(-1, 9), max_size=12))
def test_keys_are_counted_and_minus_one_equals_nothing(wanted, keys):
    count, last = count_keys(np.array(wanted, dtype=np.int64), np.array(keys, dtype=np.int64))
    number = Counter(key for key in keys if key >= 0)
    assert count.tolist() == [number[key] for key in wanted]
    assert last.tolist() == [
        max((at for at, other in enumerate(keys) if other == key and key >= 0), default=-1) for key in wanted
    ]


def test_keys_as_large_as_they_get_are_told_apart():
    keys = np.array([2**62 - 1, 2**62 - 2, 0, 2**62 - 1], dtype=np.int64)
    assert count_keys(keys, keys)[0].tolist() == [2, 1, 1, 2]


def test_sets_of_stronger_columns_come_first():
    assert list(sets_by_power(3, 2)) == [(0,), (1,), (0, 1), (2,), (0, 2), (1, 2)]
    assert number_of_sets(3, 2) == 6
    assert len(list(sets_by_power(6, 4))) == number_of_sets(6, 4)


def test_more_columns_than_a_key_holds_are_ranked_on_the_way():
    rng = np.random.default_rng(0)
    wide = {f"c{k}": rng.integers(0, 900, 1_000) for k in range(8)}  # 900^8 is far above 2^62
    links = so.link_records(pa.table(wide), pa.table(wide), max_columns=2)
    assert links.released.tolist() == links.known.tolist() == list(range(1_000))
