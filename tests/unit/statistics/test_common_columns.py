"""Equal values of two tables get equal codes, whatever their types; what can never agree is refused."""

import datetime as dt

import pyarrow as pa
import pytest

import singleout as so
from singleout.statistics.common_columns import common_columns, common_names


def common(released, known):
    tables = so.read_table(pa.table({"x": released})), so.read_table(pa.table({"x": known}))
    (column,) = common_columns("link_records", tables, ["x"])
    return column


def agree(column):
    return [[a >= 0 and a == b for b in column.known.tolist()] for a in column.released.tolist()]


@pytest.mark.parametrize(
    ("released", "known", "expected"),
    [
        ([1, 2], [2, 3], [[False, False], [True, False]]),
        ([1, 2], [2.0, 2.5], [[False, False], [True, False]]),
        ([7, 8], ["7", "08"], [[True, False], [False, False]]),
        (["a", None], ["A", None], [[False, False], [False, False]]),
        ([dt.date(2020, 1, 2)], ["2020-01-02", "2.1.2020"], [[True, False]]),
        ([dt.datetime(2020, 1, 2)], ["2020-01-02", "2020-01-02 00:00:00"], [[True, True]]),
        ([dt.datetime(2020, 1, 2, 7), dt.datetime(2020, 1, 2)], ["2020-01-02 07:00:00"], [[True], [False]]),
        ([True, False], ["true", "yes"], [[True, False], [False, False]]),
        ([0.1], pa.array([0.1], pa.float32()), [[True]]),
    ],
)
def test_values_agree_where_they_are_the_same_number_date_or_text(released, known, expected):
    assert agree(common(released, known)) == expected


def test_codes_are_below_the_size_and_missing_is_minus_one():
    column = common(["a", None, "b"], ["c", "b"])
    assert (column.size, column.distinct) == (3, 2)
    assert column.released.tolist()[1] == -1
    assert max(column.known) == 2


@pytest.mark.parametrize(
    ("known", "types"),
    [
        ([dt.date(2020, 1, 1)], "BIGINT on the released side and DATE"),
        ([True], "BIGINT on the released side and BOOLEAN"),
    ],
)
def test_types_that_never_agree_are_refused(known, types):
    with pytest.raises(so.DataError, match=f"column 'x' is {types} on the known side, which cannot be compared"):
        common([1], known)
    with pytest.raises(so.DataError, match="DATE on the released side and TIMESTAMP"):
        common([dt.date(2020, 1, 1)], [dt.datetime(2020, 1, 1)])


def test_common_names_keep_the_released_order():
    tables = so.read_table(pa.table({"b": [1], "a": [1], "c": [1]})), so.read_table(pa.table({"a": [1], "b": [1]}))
    assert common_names("link_records", tables, None) == ("b", "a")
    assert common_names("link_records", tables, ["a"]) == ("a",)


@pytest.mark.parametrize(
    ("lines", "way"),
    [
        (("SECRET:Bern:45", "Eva:Ulm:31"), "Name the separator with delimiter, or the columns with columns_are. If it"),
        (("SECRET,45", "Eva,31"), "Name the columns in their order with columns_are. If it names columns, list those"),
        (("Bern,SECRET", "Bern,Eva"), "Name the columns in their order with columns_are"),
    ],
)
def test_a_first_record_that_two_files_share_is_not_taken_for_names_of_columns(tmp_path, lines, way):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("\n".join(lines))
    tables = tuple(so.read_table(tmp_path / name) for name in ("a.csv", "b.csv"))
    with pytest.raises(so.SourceError, match=f"a.csv may be a record, and is not shown. {way}") as caught:
        common_names("link", tables, None)
    assert "SECRET" not in str(caught.value)
    header = list(tables[0].columns)
    assert common_names("link", tables, header) == tuple(header)


def test_years_may_be_the_names_of_columns(tmp_path):
    (tmp_path / "a.csv").write_text("town,2019,2020\nUlm,1,2\nBonn,3,4\n")
    tables = (so.read_table(tmp_path / "a.csv"), so.read_table(tmp_path / "a.csv"))
    assert common_names("link", tables, None) == ("town", "2019", "2020")
