"""Levels as asked for: in words, by cut points, and from hierarchy files."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.protection.lattice import number_of_nodes
from singleout.protection.level_choices import MOST_NODES, choose_levels, hierarchy_levels, recoded_levels


def column(values, name="c"):
    (found,) = so.read_table(pa.table({name: values})).encode([name])
    return found


AGES = column(pa.array([3, 17, 18, 64, 65, 90]))
TOWNS = column(pa.array(["a", "a", "b", "c", "d"]))


@pytest.mark.parametrize(
    ("asked", "how"),
    [
        ("18,65", ["3 ranges", "drop"]),
        ([18, 65], ["3 ranges", "drop"]),
        ("round:10", ["rounded to 10", "drop"]),
        ("bottom:18,top:65", ["top and bottom coded", "drop"]),
        ("keep", ["keep"]),
        ("drop", ["drop"]),
    ],
)
def test_a_column_is_recoded_as_asked(asked, how):
    assert [level.how for level in recoded_levels(AGES, asked)] == how


@pytest.mark.parametrize(
    "asked", ["", "65,18", "18,18", "a,b", "round:0", "round:x", "rare:2", "top:5,bottom:9", "mid:3", []]
)
def test_what_cannot_be_asked_is_refused_with_what_can(asked):
    with pytest.raises(so.InputError, match="must be numbers that divide it into ranges, round:5"):
        recoded_levels(AGES, asked)


def test_only_numbers_have_ranges():
    with pytest.raises(so.DataError, match="'c' is not a column of numbers"):
        recoded_levels(TOWNS, "1,2")


@pytest.mark.parametrize("header", ["", "town;region;country\n"])
def test_a_hierarchy_may_have_a_header_or_none(tmp_path, header):
    file = tmp_path / "h.csv"
    file.write_text(header + "a;north;x\nb;north;x\nc;south;x\nd;south;x\n")
    levels = hierarchy_levels(TOWNS, file)
    assert [level.classes for level in levels] == [4, 2, 1]
    assert levels[1].labels == ("north", "south")
    assert levels[1].how == f"hierarchy level {'region' if header else '1'}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a;n\nb;n\nc;s\n", "1 value of the column is not in it"),
        ("a;n;x\nb;m;x\nc;n;y\nd;m;x\n", "level 2 divides values that the level before combines"),
        ("a\nb\nc\nd\n", "each row needs a value and the same number of levels"),
        ("a;n\nb;n;m\nc;s\nd;s\n", "each row needs a value and the same number of levels"),
    ],
)
def test_a_hierarchy_that_does_not_fit_is_refused(tmp_path, text, message):
    (tmp_path / "h.csv").write_text(text)
    with pytest.raises(so.DataError, match=message):
        hierarchy_levels(TOWNS, tmp_path / "h.csv")


def test_a_mapping_is_a_hierarchy_of_one_level():
    levels = hierarchy_levels(TOWNS, {"a": "n", "b": "n", "c": "s", "d": "s"})
    assert [level.classes for level in levels] == [4, 2, 1]


def test_with_many_columns_each_has_fewer_levels():
    columns = [column(pa.array(range(200)), f"c{number}") for number in range(9)]
    levels = choose_levels(columns, {}, {})
    assert number_of_nodes([len(each) for each in levels]) <= MOST_NODES
    assert all(len(each) >= 2 for each in levels)
