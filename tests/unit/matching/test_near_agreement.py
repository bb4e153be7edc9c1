"""Links where a few columns may disagree, against their slow twin."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from tests.reference import linking as twin

COLUMNS = ("a", "b", "c", "d")
values = st.sampled_from(["x", "y", None])
records = st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, values)), min_size=1, max_size=8)


def text_table(rows):
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in COLUMNS})


@given(
    released=records,
    known=records,
    limit=st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3)),
    most=st.integers(1, 3),
)
@settings(max_examples=60, deadline=None)
def test_links_columns_and_counts_are_the_twins(released, known, limit, most):
    names = dict(zip(("max_columns", "max_released", "max_known"), limit, strict=True))
    links = so.link_records(text_table(released), text_table(known), on=COLUMNS, max_disagreements=most, **names)
    found = zip(links.known.tolist(), links.columns, links.released_count, links.known_count, strict=True)
    expected = twin.link_nearly(released, known, COLUMNS, *limit, most)
    assert dict(zip(links.released.tolist(), found, strict=True)) == expected


def test_one_error_hides_nobody_if_one_column_may_disagree():
    released = pa.table({"name": ["ann", "bob", "eve"], "town": ["ulm", "bonn", "kiel"], "born": [1, 2, 3]})
    known = pa.table({"name": ["ann", "bob", "eve"], "town": ["ulm", "bon", None], "born": [1, 2, 3]})
    assert so.link_records(released, known).released.tolist() == [0]
    near = so.link_records(released, known, max_disagreements=1)
    assert near.released.tolist() == [0, 1, 2]
    assert any(note.why == "they neither agree nor differ" for note in near.notes)


def test_a_second_consistent_record_means_no_link():
    released = pa.table({"name": ["ann"], "town": ["ulm"], "born": [1]})
    known = pa.table({"name": ["ann", "ann"], "town": ["ulm", "ulm"], "born": [1, 2]})
    assert len(so.link_records(released, known)) == 1
    assert len(so.link_records(released, known, max_disagreements=1)) == 0


@pytest.mark.parametrize(("most", "rows"), [(0, [0]), (1, [0, 1]), (2, [0, 1, 2])])
def test_as_many_columns_may_disagree_as_are_allowed(most, rows):
    released = pa.table({"a": list("xyz"), "b": list("pqr"), "c": list("uvw"), "d": list("uvw")})
    known = pa.table({"a": list("xyz"), "b": list("pqs"), "c": list("uzz"), "d": list("uvw")})
    assert so.link_records(released, known, max_disagreements=most).released.tolist() == rows
