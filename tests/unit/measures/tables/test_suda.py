"""Special uniques against brute force, and the guide's worked example written out."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from tests.reference import partitions as slow

EXAMPLE = [
    ("Urban", "Female", "Secondary incomplete", "Employed"),
    ("Urban", "Female", "Secondary incomplete", "Employed"),
    ("Urban", "Female", "Primary incomplete", "Non-LF"),
    ("Urban", "Male", "Secondary complete", "Employed"),
    ("Rural", "Female", "Secondary complete", "Unemployed"),
    ("Urban", "Male", "Secondary complete", "Employed"),
    ("Urban", "Female", "Primary complete", "Non-LF"),
    ("Urban", "Male", "Post-secondary", "Unemployed"),
    ("Urban", "Female", "Secondary incomplete", "Non-LF"),
    ("Urban", "Female", "Secondary incomplete", "Non-LF"),
]
COLUMNS = ["residence", "gender", "education", "labor"]
SCORES = [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]


def table_of(rows, names):
    return so.read_table(pa.table({name: [row[c] for row in rows] for c, name in enumerate(names)}))


def test_the_example_of_the_practice_guide():
    found = so.suda(table_of(EXAMPLE, COLUMNS), columns=COLUMNS)
    assert found.scores.tolist() == SCORES
    assert slow.suda_scores(EXAMPLE, range(4), 3) == SCORES
    assert found.minimal[4].tolist() == [1, 3, 0], "rural by itself counts 6, three pairs 2 each"
    assert np.asarray(found).tolist() == SCORES
    assert len(found) == 10


records = st.integers(2, 5).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from([0, 1, None])] * width), min_size=1, max_size=14)
)


@given(records, st.integers(1, 4))
def test_minimal_uniques_and_scores_are_brute_force(rows, max_size):
    names = ["a", "b", "c", "d", "e"][: len(rows[0])]
    found = so.suda(table_of(rows, names), columns=names, max_size=max_size)
    largest = min(max_size, len(names) - 1)
    assert found.max_size == largest
    assert found.scores.tolist() == slow.suda_scores(rows, range(len(names)), largest)
    wanted = slow.minimal_uniques(rows, range(len(names)), largest)
    sizes = [[sum(len(chosen) == size for chosen in sets) for size in range(1, largest + 1)] for sets in wanted]
    assert found.minimal.tolist() == sizes


def test_tiles_groups_of_columns_and_the_order_of_rows_do_not_matter(monkeypatch):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 4, (120, 10))
    names = [f"c{j}" for j in range(10)]
    found = so.suda(table_of(rows.tolist(), names), columns=names)
    order = rng.permutation(120)
    assert so.suda(table_of(rows[order].tolist(), names), columns=names).scores.tolist() == found.scores[order].tolist()
    monkeypatch.setattr("singleout.statistics.partitions.WORTH_A_TILE", 1)
    monkeypatch.setattr("singleout.measures.tables.suda.AT_A_TIME", 3)
    again = so.suda(table_of(rows.tolist(), names), columns=names)
    assert again.scores.tolist() == found.scores.tolist()
    assert again.by_column == found.by_column
    assert found.scores.tolist() == slow.suda_scores(rows.tolist(), range(10), 3)


def test_columns_share_the_scores_by_the_minimal_uniques_they_are_in():
    rows = [(0, 0, 0), (0, 0, 0), (1, 0, 0)]
    found = so.suda(table_of(rows, ["a", "b", "c"]), columns=["a", "b", "c"])
    assert found.by_column == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert found.rate.value == pytest.approx(1 / 3)


def test_sizes_that_scores_are_not_defined_for_are_left_out_and_noted():
    found = so.suda(table_of(EXAMPLE, COLUMNS), columns=COLUMNS, max_size=9)
    assert found.scores.tolist() == SCORES
    assert any("6 sizes left out: with 4 columns" in str(note) for note in found.notes)


def test_tables_of_alike_or_of_one_record_have_an_answer():
    assert so.suda(table_of([(0, 0)] * 4, ["a", "b"]), columns=["a", "b"]).scores.tolist() == [0] * 4
    assert so.suda(table_of([(0, 0)], ["a", "b"]), columns=["a", "b"]).scores.tolist() == [
        slow.suda_scores([(0, 0)], range(2), 1)[0]
    ]


def test_the_table_and_the_print_hold_numbers_only():
    found = so.suda(table_of(EXAMPLE, COLUMNS), columns=COLUMNS)
    table = found.to_arrow()
    assert table.column_names == ["row", "score", "minimal_1", "minimal_2", "minimal_3"]
    assert "4 of 10 records are singled out by 3 or fewer of 4 columns" in str(found)
    assert "Rural" not in f"{found}{table.to_pylist()}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ["labour"]}, "columns='labour' is not a column.*Did you mean 'labor'"),
        ({"columns": ["labor"]}, "columns must be at least two columns"),
        ({"max_size": 0}, "max_size must be a whole number above zero"),
        ({"max_size": 2.5}, "max_size must be a whole number above zero"),
    ],
)
def test_wrong_arguments_are_refused_in_words(options, message):
    with pytest.raises(so.InputError, match=message):
        so.suda(table_of(EXAMPLE, COLUMNS), **({"columns": COLUMNS} | options))


def test_more_than_memory_or_64_bits_hold_is_refused(monkeypatch):
    names = [f"c{j}" for j in range(60)]
    wide = table_of(np.random.default_rng(0).integers(0, 9, (4, 60)).tolist(), names)
    with pytest.raises(so.InputError, match="scores of this many columns exceed 64 bits"):
        so.suda(wide, columns=names, max_size=40)
    monkeypatch.setattr("singleout.measures.tables.suda.MOST_BYTES", 10)
    with pytest.raises(so.InputError, match="max_size must be smaller, or use fewer columns"):
        so.suda(wide, columns=names, max_size=3)
