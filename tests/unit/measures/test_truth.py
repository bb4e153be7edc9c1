"""True pairs: by a column of both sides or by rows."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.measures.truth import pairs_by_column, pairs_by_rows
from tests.small_records import linked


def test_a_matching_has_no_columns_to_be_true_by():
    joint = so.assign(so.Scores(np.eye(2), "ab", "ab"))
    with pytest.raises(so.InputError, match="truth must be a mapping, or omitted, for a Matching"):
        so.accuracy(joint, "who")


def test_truth_is_checked():
    links = linked()
    with pytest.raises(so.InputError, match="truth must be a column that was not used for linking"):
        so.accuracy(links, "sex")
    with pytest.raises(so.InputError, match=r"truth='persn' is not a column.*Did you mean 'person'"):
        so.accuracy(links, "persn")
    with pytest.raises(so.InputError, match="truth must contain row numbers of known, from 0 to 5"):
        so.accuracy(links, {0: 6})
    with pytest.raises(so.InputError, match="the name of a column on both sides, or a mapping"):
        so.accuracy(links, [0, 1])
    nothing = so.accuracy(linked(max_released=1, max_columns=1), "person")
    assert (nothing.precision, nothing.rate.value) == (None, 0)


def tables(released, known):
    return tuple(so.read_table(pa.table({"who": side})) for side in (released, known))


def test_every_pair_with_the_same_value_is_true_and_missing_values_are_not():
    released, known = pairs_by_column("accuracy", tables(["x", None, "y", "z"], ["y", "x", None, "x"]), "who")
    assert list(zip(released.tolist(), known.tolist(), strict=True)) == [(0, 1), (0, 3), (2, 0)]


def test_a_column_that_one_side_lacks_is_named_with_its_side():
    sides = so.read_table(pa.table({"who": [1]})), so.read_table(pa.table({"whom": [1]}))
    with pytest.raises(so.SourceError, match=r"accuracy: truth='who' is not a column of known"):
        pairs_by_column("accuracy", sides, "who")


def test_pairs_of_rows_come_in_order_of_the_released_rows_and_there_may_be_none():
    released, known = pairs_by_rows("accuracy", {2: 0, 0: 1}, (3, 2))
    assert (released.tolist(), known.tolist()) == ([0, 2], [1, 0])
    assert [len(side) for side in pairs_by_rows("accuracy", {}, (3, 2))] == [0, 0]


@pytest.mark.parametrize("rows", [{3: 0}, {-1: 0}, {1.5: 0}, {True: 0}])
def test_rows_that_are_none_are_refused(rows):
    with pytest.raises(so.DataError, match="accuracy: truth must contain row numbers of released, from 0 to 2"):
        pairs_by_rows("accuracy", rows, (3, 2))
