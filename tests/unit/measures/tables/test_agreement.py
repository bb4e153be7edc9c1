"""How far records that agree on known columns agree on others, against a slow twin."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.measures.tables.agreement import agreements
from tests.reference.singling_out import agreeing


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=30))
def test_agreement_of_classes_is_that_of_the_slow_twin(rows):
    records = [dict(zip("abc", row, strict=True)) for row in rows]
    table = so.read_table(pa.Table.from_pylist(records))
    found = {each.column: each.share for each in agreements(table, ("a",))}
    for column, share in found.items():
        assert share == pytest.approx(agreeing(records, ("a",), column))


def test_unusual_values_and_sensitive_columns_are_revealed_though_guessing_does_as_well():
    rows = [{"region": k // 20, "ill": "yes" if k < 20 else "no" if k % 20 else "yes"} for k in range(1_000)]
    (ill,) = agreements(so.read_table(pa.Table.from_pylist(rows)), ("region",))
    assert ill.share < ill.guessed
    assert (ill.agreed, ill.unusual) == (0.02, 0.02)
    assert ill.revealed([]) == ill.revealed(["ill"]) == 0.02
    same = [{"region": k // 20, "ill": "yes" if k == 0 else "no"} for k in range(1_000)]
    (ill,) = agreements(so.read_table(pa.Table.from_pylist(same)), ("region",))
    assert (ill.revealed([]), ill.revealed(["ill"])) == (0.0, 0.98)
