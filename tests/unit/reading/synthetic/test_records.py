"""Five synthetic people are vulnerable, and the seed decides the rest."""

import pytest

import singleout as so


def test_the_made_up_five_are_those_said_to_be_vulnerable():
    made = so.synthetic_records(seed=2)
    rows = made.table.to_pylist()
    alone = [number for number, row in enumerate(rows) if rows.count(row) == 1]
    assert tuple(alone) == made.vulnerable
    assert made.table.equals(so.synthetic_records(seed=2).table)
    assert not made.table.equals(so.synthetic_records(seed=3).table)
    assert "synthetic" in repr(made)
    with pytest.raises(so.InputError, match="synthetic_records: seed must be a whole number, 0 or more"):
        so.synthetic_records(seed=-1)
