"""Every kind of source is read, and what cannot be read is named."""

import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.reading.sources import open_source
from tests.commands import run_script
from tests.small_sources import ROWS, TABLE, as_parquet, counts_by_name, read


def as_glob(folder):
    pq.write_table(TABLE.slice(0, 3), folder / "part1.parquet")
    pq.write_table(TABLE.slice(3), folder / "part2.parquet")
    return str(folder / "part*.parquet")


def as_csv(folder):
    pa.csv.write_csv(TABLE, folder / "log.csv")
    return folder / "log.csv"


def as_packed_csv(folder):
    TABLE.to_pandas().to_csv(folder / "log.csv.gz", index=False)
    return folder / "log.csv.gz"


def as_json(folder):
    (folder / "log.json").write_text(json.dumps(ROWS))
    return folder / "log.json"


def as_json_lines(folder):
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    return folder / "log.jsonl"


def as_relation(folder):
    connection = duckdb.connect()
    connection.register("log", TABLE)
    return connection.sql("SELECT * FROM log")


SOURCES = {
    "parquet": as_parquet,
    "glob": as_glob,
    "csv": as_csv,
    "csv.gz": as_packed_csv,
    "json": as_json,
    "jsonl": as_json_lines,
    "pandas": lambda folder: TABLE.to_pandas(),
    "polars": lambda folder: pl.from_arrow(TABLE),
    "arrow": lambda folder: TABLE,
    "stream": lambda folder: TABLE.to_reader(),
    "relation": as_relation,
}


@pytest.mark.parametrize("kind", SOURCES)
def test_every_kind_of_source_gives_the_same_histograms(kind, tmp_path):
    events = read(SOURCES[kind](tmp_path))
    assert counts_by_name(so.histograms(events)) == {("1", "a"): 4, ("1", "b"): 2, ("1", "c"): 1, ("2", "b"): 1}
    assert counts_by_name(so.histograms(events)) == counts_by_name(so.histograms(events)), "it can be read again"


@pytest.mark.parametrize("kind", SOURCES)
def test_every_kind_of_source_adds_up_a_count_column(kind, tmp_path):
    events = read(SOURCES[kind](tmp_path), count="times")
    assert counts_by_name(so.histograms(events)) == {
        ("1", "a"): 1 + 3 + 3 + 1,
        ("1", "b"): 2 + 2,
        ("1", "c"): 1,
        ("2", "b"): 2,
    }


@pytest.mark.parametrize("name", ["log.parquet", "log.csv", "log.json"])
def test_an_empty_file_is_called_empty(name, tmp_path):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(so.SourceError, match=f"{name} is empty"):
        read(tmp_path / name)


def test_a_corrupt_parquet_is_named_whether_its_end_or_its_middle_is_broken(tmp_path):
    big = pa.table({"who": np.arange(100_000), "when": np.arange(100_000), "where": np.arange(100_000) % 977})
    pq.write_table(big, tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(so.SourceError, match="cut.parquet is not a complete, readable Parquet file"):
        read(tmp_path / "cut.parquet")
    middle = bytearray(whole)
    middle[1000:200_000] = bytes(199_000)
    (tmp_path / "middle.parquet").write_bytes(middle)
    with pytest.raises(so.SourceError, match="middle.parquet is not a complete, readable Parquet file"):
        so.histograms(read(tmp_path / "middle.parquet"))


def test_text_in_another_encoding_is_told_how_to_be_read(tmp_path):
    file = tmp_path / "log.csv"
    file.write_bytes("who,when,where\n1,1,Zürich\n2,2,Genève\n".encode("latin-1"))
    with pytest.raises(so.SourceError, match=r"log.csv is not UTF-8 text at line 2 \(row 1\). Pass encoding='latin-1'"):
        so.histograms(read(file, encoding="utf-8"))
    assert counts_by_name(so.histograms(read(file, encoding="latin-1"))) == {("1", "Zürich"): 1, ("2", "Genève"): 1}
    with pytest.raises(so.InputError, match=r"encoding must be one of utf-8, latin-1, .* \(got 'cp1251'\).*iconv"):
        read(file, encoding="cp1251")


def test_sources_that_are_none():
    for source, message in (
        ("nowhere.parquet", "nowhere.parquet: no such file"),
        ("log.xlsx", "no such file"),
        ("https://example.org/log.csv", "must be a local file"),
        (42, "source must be a path or glob"),
    ):
        with pytest.raises(so.InputError, match=message):
            read(source)


def test_folders_of_several_kinds_and_names_that_lie_say_what_to_do(tmp_path):
    (tmp_path / "log.xlsx").write_text("x")
    with pytest.raises(so.SourceError, match=r"log.xlsx is not a complete, readable spreadsheet file"):
        read(tmp_path / "log.xlsx")
    (tmp_path / "log.xlsx").unlink()
    as_csv(tmp_path), as_parquet(tmp_path)
    hint = r"Name those that are meant, for example .*/\*.csv"
    with pytest.raises(so.SourceError, match=rf"a folder with files of several types: 1 text, 1 Parquet\. {hint}"):
        read(tmp_path)


def test_a_file_name_with_quotes_and_brackets_is_only_a_name(tmp_path):
    odd = tmp_path / 'it\'s [a] "log".csv'
    odd.write_text("who,when,where\n1,1,a\n")
    assert counts_by_name(so.histograms(read(odd))) == {("1", "a"): 1}


def test_files_of_a_glob_that_differ_are_refused(tmp_path):
    pq.write_table(TABLE, tmp_path / "a.parquet")
    pq.write_table(TABLE.drop_columns(["who"]), tmp_path / "b.parquet")
    with pytest.raises(so.SourceError, match=r"file 2 of 2 \(by name\) lacks a column"):
        so.histograms(read(str(tmp_path / "*.parquet")))
    (tmp_path / "a.csv").write_text("who,when,where\n1,1,a\n")
    (tmp_path / "b.csv").write_text("who,where\n1,a\n")
    with pytest.raises(so.SourceError, match=r"header line of file 2 of 2 \(by name\) differs"):
        read(str(tmp_path / "*.csv"))


def test_a_frames_other_columns_may_hold_anything():
    frame = pd.DataFrame({"who": [1, 2], "where": ["a", "b"], "junk": np.array([1, "x"], dtype=object)})
    assert len(so.histograms(so.read_events(frame, user="who", place="where"))) == 2


def test_frames_without_columns_and_names_that_are_none():
    with pytest.raises(so.SourceError, match="a frame without columns"):
        read(pd.DataFrame())
    with pytest.raises(so.InputError, match=r"user must be the name of a column\.$"):
        read(TABLE, user=None)
    with pytest.raises(so.InputError, match="grid must be a number of metres"):
        so.read_events(TABLE, user="who", lat="when", lng="when", grid="wide")


def test_a_row_is_named_with_its_file_where_there_is_one(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("x\n1\n")
    assert open_source(str(tmp_path / "a.csv")).row_in_words(1_200) == "a.csv, row 1,200"
    assert open_source(str(tmp_path / "*.csv")).row_in_words(3) == "row 3 of all 2 files"
    assert open_source(pa.table({"x": [1]})).row_in_words(1) == "row 1"


def test_reading_other_files_than_text_loads_no_compiler(tmp_path):
    read = f"so.read_events({str(as_parquet(tmp_path))!r}, user='who', time='when', place='where')"
    script = f"import sys, singleout as so; so.histograms({read}); print('numba' in sys.modules)"
    assert run_script(script) == (0, "False\n", "")


def test_names_for_columns_that_have_names_are_refused_unless_they_are_the_same(tmp_path):
    table = pa.table({"who": [1, 2], "where": ["a", "b"]})
    pq.write_table(table, tmp_path / "t.parquet")
    so.read_table(tmp_path / "t.parquet", columns_are=["where", "who"])
    with pytest.raises(so.InputError, match=r"header line, but t.parquet has names of its own. Leave it out."):
        so.read_table(tmp_path / "t.parquet", columns_are=["user", "place"])
    with pytest.raises(so.InputError, match="columns_are .* but a frame has names of its own"):
        so.read_table(table, columns_are=["user", "place"])


def test_a_first_line_with_a_column_that_was_named_is_the_header_whatever_else_is_in_it(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("sex,education,how old?\nf,a,5\n")
    with pytest.raises(so.SourceError, match="The first line of the file names 3 columns. Did you mean 'education'?"):
        so.read_table(file, columns=["sex", "edcation"])
    with pytest.raises(so.SourceError, match="Did you mean 'education'?"):
        so.read_table(file).check_columns("suda", "known_columns", ["edcation", "sex"])
    with pytest.raises(so.SourceError, match="does not look like column names and is not shown"):
        so.read_table(file, columns=["edcation"])
