"""Publishers' files are found, and what is looked for is said."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.ground.notes import Note
from singleout.papers.originals.all import ORIGINALS
from singleout.papers.originals.files import Converted, files_of, write_parquet


@pytest.mark.parametrize("name", ORIGINALS)
def test_an_empty_folder_a_wrong_one_and_none_are_told_what_is_looked_for(tmp_path, name):
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "notes.txt").write_text("nothing")
    (tmp_path / "empty").mkdir()
    for folder in ("wrong", "empty", "wrong/notes.txt"):
        with pytest.raises(
            so.InputError, match=r"convert: .* contains no .*(plt|userNNNN|totalCheckins|TSMC2014|psam_h)"
        ):
            ORIGINALS[name].find(tmp_path / folder)
    with pytest.raises(so.InputError, match="convert: .*missing does not exist"):
        ORIGINALS[name].find(tmp_path / "missing")


def test_files_are_those_that_match_sorted_by_path_and_each_once(tmp_path):
    for name in ("b/2.csv", "a/1.csv", "a/x.txt", "c.csv/inner.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = files_of(tmp_path, "*.csv", "1.*")
    assert [str(file.relative_to(tmp_path)) for file in found] == ["a/1.csv", "b/2.csv", "c.csv/inner.csv"]
    assert files_of(tmp_path / "a" / "1.csv", "*.csv") == [tmp_path / "a" / "1.csv"]
    assert files_of(tmp_path / "a" / "x.txt", "*.csv") == []


def test_tables_go_into_one_file_in_the_columns_and_types_of_the_schema(tmp_path):
    schema = pa.schema({"user": pa.int32(), "place": pa.string()})
    parts = (pa.table({"place": [f"p{k}"], "more": [0], "user": [k]}) for k in range(3))
    assert write_parquet(tmp_path / "x.parquet", parts, schema) == 3
    found = pq.read_table(tmp_path / "x.parquet")
    assert found.schema == schema
    assert found.to_pydict() == {"user": [0, 1, 2], "place": ["p0", "p1", "p2"]}
    assert write_parquet(tmp_path / "none.parquet", [], schema) == 0
    assert pq.read_schema(tmp_path / "none.parquet") == schema


def test_what_was_converted_is_said_with_what_was_left_out():
    done = Converted({"a.parquet": 1_234}, (Note(2, "points left out", "they cannot be"),))
    assert str(done).splitlines() == ["a.parquet: 1,234 rows", "  2 points left out: they cannot be"]
    assert done.to_dict() == {
        "rows": {"a.parquet": 1_234},
        "notes": [{"count": 2, "what": "points left out", "why": "they cannot be"}],
    }
