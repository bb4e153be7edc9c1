"""Values of few people are put together, so that neither they nor a difference tells them."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.measures.disclosure import (
    FEWEST_PEOPLE,
    _FirstLook,
    hide_levels,
    people_band,
    rounded_share,
    values_to_hide,
)
from singleout.measures.tables.column_values import Level

SECRET = "Quantock dialect"


def levels(*pairs, column="x"):
    return [Level(column, f"v{k}", records, isolated) for k, (records, isolated) in enumerate(pairs)]


def hide(own):
    return hide_levels(own, values_to_hide([own]))


def test_small_levels_become_one_row_of_at_least_two():
    found = hide(levels((100, 0), (50, 10), (3, 0), (4, 4)))
    assert [(level.value, level.records, level.isolated, level.levels) for level in found] == [
        ("v0", 100, 0, 1),
        ("v1", 50, 10, 1),
        (None, 7, 4, 2),
    ]


def test_one_small_level_takes_the_smallest_other_with_it():
    found = hide(levels((100, 0), (50, 10), (6, 0), (3, 0)))
    assert [level.value for level in found] == ["v0", "v1", None]
    assert (found[-1].records, found[-1].levels, found[-1].kind) == (9, 2, "hidden")


def test_few_isolated_are_hidden_too_as_their_number_points_at_them():
    found = hide(levels((100, 2), (90, 0), (80, 40)))
    assert [level.value for level in found] == ["v1", None]
    assert (found[-1].records, found[-1].isolated) == (180, 42), "the smallest other goes with it"


def test_where_everything_is_small_one_row_is_left():
    (only,) = hide(levels((2, 1), (1, 1)))
    assert (only.value, only.levels, only.records) == (None, 2, 3)
    (single,) = hide(levels((2, 2)))
    assert single.kind == "hidden"


counts = st.lists(
    st.integers(1, 30).flatmap(lambda records: st.tuples(st.just(records), st.integers(0, records))), min_size=1
)


@given(counts)
def test_nothing_told_is_small_totals_stay_and_differences_give_nothing_back(pairs):
    own = levels(*pairs)
    found = hide(own)
    assert sum(level.records for level in found) == sum(level.records for level in own)
    assert sum(level.isolated for level in found) == sum(level.isolated for level in own)
    assert sum(level.levels for level in found) == len(own)
    shown = [level for level in found if not level.hidden]
    assert all(level.records >= FEWEST_PEOPLE and not 0 < level.isolated < FEWEST_PEOPLE for level in shown)
    hidden = [level for level in found if level.hidden]
    assert len(hidden) <= 1
    if hidden and shown:
        assert hidden[0].levels >= 2
        assert hidden[0].records >= FEWEST_PEOPLE


@pytest.fixture
def found():
    n = 200
    rng = np.random.default_rng(0)
    table = pa.table(
        {
            "town": rng.integers(0, 4, n),
            "language": [SECRET, *rng.choice(["english", "welsh"], n - 1).tolist()],
            "age": rng.integers(0, 90, n),
        }
    )
    return so.vulnerability(so.read_table(table), known_columns=["town"])


def test_levels_of_few_people_are_told_only_where_revealed(found):
    quiet, loud = found.levels_to_arrow(), found.levels_to_arrow(reveal=True)
    assert SECRET not in quiet["value"].to_pylist()
    assert SECRET in loud["value"].to_pylist()
    assert "welsh" in quiet["value"].to_pylist()
    assert loud.num_rows == len(found.by_level)


def test_nothing_printed_or_tabled_holds_a_value(found):
    told = f"{found}{found!r}{found.to_arrow().to_pylist()}{found.columns_to_arrow().to_pylist()}{found.notes}"
    told += repr(found.by_level)
    assert SECRET not in told
    assert "welsh" not in told


def test_several_known_sets_hide_the_same_values():
    rows = [("A", k % 2, k % 3) for k in range(60)] + [("B", 0, 0)] + [("C", k // 3 % 2, 0) for k in range(6)]
    rows += [("D", 0, 0)] * 6 + [("D", 1, 0), ("D", 2, 0)] + [("A", 2, 0)] * 5
    table = pa.table(dict(zip("csz", map(list, zip(*rows, strict=True)), strict=True)))
    found = so.vulnerability(so.read_table(table), known_columns={"s": ["s"], "z": ["z"]})
    told = [
        {row["value"] for row in found.levels_to_arrow().to_pylist() if (row["known"], row["column"]) == (known, "c")}
        for known in ("s", "z")
    ]
    assert told[0] == told[1]
    assert "B" not in told[0]
    assert found.levels_to_arrow(reveal=True).num_rows > found.levels_to_arrow().num_rows


states = st.dictionaries(
    st.integers(0, 12), st.tuples(st.integers(0, 3), st.integers(1, 12)), min_size=2
)  # state: region, people


@given(states)
def test_a_coarser_column_gives_no_hidden_value_back(states):
    people = [(state, region) for state, (region, size) in states.items() for _ in range(size)]
    columns = so.read_table(
        pa.table({"state": [state for state, _ in people], "region": [region for _, region in people]})
    ).encode(["state", "region"])
    own = [Level(column.name, column.value(k), int(n), 0) for column in columns for k, n in enumerate(column.counts)]
    hidden = values_to_hide([own], columns)
    regions = [[region] for region in {region for _, region in people} - hidden["region"]] + [hidden["region"]]
    for group in regions:
        inside = [state for state, (region, _) in states.items() if region in group]
        left = [states[state][1] for state in inside if state in hidden["state"]]
        if any(size < FEWEST_PEOPLE for size in left):
            alone = len(left) < 2 or sum(left) < FEWEST_PEOPLE
            assert not alone or len(left) == len(inside), "what a told region and its told states leave over"


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=1, max_size=60))
def test_all_columns_at_once_are_told_apart_as_one_by_one(rows):
    columns = so.read_table(pa.table({f"c{k}": list(each) for k, each in enumerate(zip(*rows, strict=True))})).encode(
        [f"c{k}" for k in range(4)]
    )
    look = _FirstLook.of(columns)
    for fine in columns:
        slow = {coarse.name for coarse in columns if len(pairs_of(fine, coarse)) == fine.levels}
        assert look.may_be_coarser(fine.name) == slow
    assert look.may_be_coarser("another") == set()


def pairs_of(fine, coarse):
    return set(zip(fine.codes.tolist(), coarse.codes.tolist(), strict=True))


@pytest.mark.parametrize(
    ("people", "band"),
    [(0, None), (4, None), (5, 5), (9, 5), (10, 10), (99, 50), (999, 100), (1_000, 1_000), (10**7, 10_000)],
)
def test_a_count_is_shown_as_at_least_its_band(people, band):
    assert people_band(people, reveal=False) == band
    assert people_band(people, reveal=True) == people


@pytest.mark.parametrize(("share", "shown"), [(0.0, 0.0), (0.02, 0.0), (0.03, 0.05), (0.51, 0.5), (1.0, 1.0)])
def test_a_share_is_shown_to_the_nearest_twentieth(share, shown):
    assert rounded_share(share, reveal=False) == pytest.approx(shown)
    assert rounded_share(share, reveal=True) == share
