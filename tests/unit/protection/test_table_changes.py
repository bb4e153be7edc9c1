"""What is done to a table, column by column and record by record."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.protection.column_levels import default_levels
from singleout.protection.lattice import Combinations
from singleout.protection.table_changes import average, least_k, recode_by, suppress


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    columns = {"age": rng.integers(18, 90, 300), "pay": rng.integers(0, 5_000, 300), "note": np.arange(300)}
    return pa.table(columns)


def known(table):
    return so.read_table(table).encode(["age", "pay"])


def test_recoded_columns_are_written_and_others_stay(table):
    columns = known(table)
    levels = [default_levels(columns[0])[2], default_levels(columns[1])[-1]]
    kept = np.arange(300) % 7 != 0
    change = recode_by(levels, columns, kept)
    written = change.apply(table)
    assert written.column_names == ["age", "note"]
    assert written["note"].to_pylist() == np.arange(300)[kept].tolist()
    assert len(set(written["age"].to_pylist())) <= levels[0].classes
    rare = f"{(~kept).sum()} records with rare combinations"
    assert change.in_words()[1:] == [f"leaving out pay and {rare}"], "columns and records in one phrase"
    assert recode_by(levels, columns, kept | True).in_words()[-1] == "leaving out pay"
    both = recode_by([default_levels(each)[-1] for each in columns], columns, kept)
    assert both.in_words() == [f"leaving out age and pay, and {rare}"]


def test_suppressed_cells_become_missing_and_keep_their_type(table):
    columns = known(table)
    change = suppress(columns, Combinations.of(columns, 300), 3)
    written = change.apply(table)
    assert written.schema == table.schema
    assert written["age"].null_count + written["pay"].null_count == change.suppressed > 0
    seen = list(zip(written["age"].to_pylist(), written["pay"].to_pylist(), strict=True))
    assert min(seen.count(row) for row in seen) >= 3
    for before, after in zip(table["pay"].to_pylist(), written["pay"].to_pylist(), strict=True):
        assert after in (before, None)
    assert 0 < change.loss < 1


def test_cells_that_were_empty_before_are_not_counted_as_suppressed(table):
    rng = np.random.default_rng(1)
    gaps = {name: pa.array(table[name].to_numpy(), mask=rng.random(300) < 0.3) for name in ("age", "pay")}
    holed = pa.table(gaps)
    columns = known(holed)
    change = suppress(columns, Combinations.of(columns, 300), 5)
    written = change.apply(holed)
    changed = [written[name].null_count - holed[name].null_count for name in ("age", "pay")]
    assert [each.suppressed for each in change.columns] == changed
    assert change.suppressed == sum(changed) > 0
    assert f"suppressing {changed[0]} cells of age" in change.in_words()


def test_averages_are_those_of_groups_and_whole_numbers_stay_whole(table):
    columns = known(table)
    change = average(columns, 4)
    written = change.apply(table)
    assert written.schema.field("age").type == pa.int64()
    seen = list(zip(written["age"].to_pylist(), written["pay"].to_pylist(), strict=True))
    assert min(seen.count(row) for row in seen) >= 4
    assert np.mean(written["pay"].to_pylist()) == pytest.approx(np.mean(table["pay"].to_pylist()), rel=0.01)
    assert change.margins().mean_shift < 0.05
    assert change.in_words() == ["averaging age and pay over groups of similar records"]


def test_only_numbers_can_be_averaged():
    columns = so.read_table(pa.table({"x": ["a", "b", "c"]})).encode(["x"])
    with pytest.raises(so.DataError, match="needs numbers without missing values"):
        average(columns, 2)
    gaps = so.read_table(pa.table({"x": [1, 2, None]})).encode(["x"])
    with pytest.raises(so.DataError, match="'x' has missing values"):
        average(gaps, 2)
    with pytest.raises(so.InputError, match="k must be at most the number of records, 2"):
        average(so.read_table(pa.table({"x": [1, 2]})).encode(["x"]), 5)


def test_the_smallest_k_that_is_enough_is_found():
    for least in range(1, 30):
        assert least_k(lambda k, least=least: k >= least, 40) == least
