"""Text files: no record is lost or read as something else, whatever signs are in it and in the file's name."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout._kernels.text import FIELD, count_lines
from singleout.reading.text_files import TextFiles
from tests.small_sources import rows_of

NAMES = [
    "report[1]",
    "a*b",
    "q?",
    "back\\slash",
    "~t",
    "k=v",
    "it's",
    "[!a]",
    "**",
    "{x,y}",
    "sp ace",
    "é",
    "%s",
    "$HOME",
]


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".jsonl"])
@pytest.mark.parametrize("name", NAMES)
def test_a_name_with_the_signs_of_a_pattern_is_only_a_name(tmp_path, name, kind):
    for other in ("report1", "aXb", "qz", "b", "x", "y"):
        _write(tmp_path / (other + kind), 999)
    _write(tmp_path / (name + kind), 1)
    table = so.read_table(str(tmp_path / (name + kind)))
    assert [(str(value), name) for value, name in rows_of(table)] == [("1", "x")]
    assert [file.name for file in table.files] == [name + kind]


def test_a_folder_with_the_signs_of_a_pattern_is_only_a_folder(tmp_path, monkeypatch):
    for folder, value in (("run[1]", 1), ("run1", 999), ("year=2020", 2)):
        (tmp_path / folder).mkdir()
        _write(tmp_path / folder / "log.csv", value)
    assert rows_of(so.read_table(tmp_path / "run[1]" / "log.csv")) == [("1", "x")]
    assert so.read_table(tmp_path / "year=2020" / "log.csv").columns == ("a", "b")
    monkeypatch.chdir(tmp_path / "run[1]")
    assert rows_of(so.read_table("log.csv")) == [("1", "x")]
    assert rows_of(so.read_table("*.csv")) == [("1", "x")]


def _write(path, value):
    if path.suffix == ".csv":
        path.write_text(f"a,b\n{value},x\n")
    elif path.suffix == ".jsonl":
        path.write_text(f'{{"a": {value}, "b": "x"}}\n')
    else:
        pq.write_table(pa.table({"a": [value], "b": ["x"]}), path)


def test_records_that_begin_with_a_comment_sign_are_records(tmp_path):
    lines = ["value,name", *(f"{'#N/A' if number % 3 else number},x{number}" for number in range(90))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    table = so.read_table(tmp_path / "t.csv")
    assert len(table) == 90
    assert sum(value == "#N/A" for value, _ in rows_of(table)) == 60
    events = so.read_events(tmp_path / "t.csv", user="name", place="value")
    assert len(so.histograms(events)) == 90


@pytest.mark.parametrize("start", ["#", "//", "--", "%", ";", "\\", "!", "'", " ", "NULL", "nan"])
def test_no_first_sign_makes_a_record_vanish(tmp_path, start):
    lines = ["a,b", *(f"{start},{number}" for number in range(30)), *(f"{number},1" for number in range(60))]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    assert len(rows_of(so.read_table(tmp_path / "t.csv"))) == 90


FIELDS = st.text(alphabet='ab,;"\n\r#\\ \t|é0', max_size=6)


@given(st.lists(st.tuples(FIELDS, FIELDS, FIELDS), min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_whatever_is_quoted_comes_back(tmp_path_factory, records, end):
    file = tmp_path_factory.mktemp("quoted") / "t.csv"
    quoted = [",".join('"' + field.replace('"', '""') + '"' for field in record) for record in records]
    file.write_bytes(end.join(["x,y,z", *quoted, ""]).encode())
    expected = [tuple(field or None for field in record) for record in records]
    assert rows_of(so.read_table(file)) == expected


@given(st.text(alphabet='a, "\n\r', max_size=40), st.lists(st.integers(1, 7), max_size=4))
def test_counting_does_not_depend_on_where_a_piece_ends(text, cuts):
    data = np.frombuffer(text.encode(), np.uint8)
    whole = count_lines(data, ord(","), FIELD, False, False)
    records, blank, state = 0, 0, (FIELD, False, False)
    for piece in np.split(data, np.minimum(np.cumsum(cuts), len(data))):
        more, empty, *rest = count_lines(piece, ord(","), *state)
        records, blank, state = records + more, blank + empty, tuple(rest)
    assert (records, blank, *state) == tuple(whole)


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".csv.zst", ".CSV.GZ"])
def test_a_reading_that_loses_records_is_refused(tmp_path, monkeypatch, ending):
    text = b'a,b\n1,2\n\n"3\n3",4\n#5,6\n'
    file = tmp_path / f"t{ending}"
    if ending.lower().endswith("gz"):
        file.write_bytes(gzip.compress(text))
    elif ending.endswith("zst"):
        with pa.CompressedOutputStream(str(file), "zstd") as stream:
            stream.write(text)
    else:
        file.write_bytes(text)
    assert len(rows_of(so.read_table(file))) == 3
    stated = TextFiles.relation
    monkeypatch.setattr(TextFiles, "relation", lambda *given: stated(*given).replace("comment=''", "comment='#'"))
    with pytest.raises(so.DataError, match=r"contains 3 records, but 2 were read"):
        rows_of(so.read_table(file))
    with pytest.raises(so.DataError, match=r"contains 3 records, but 2 were read"):
        so.histograms(so.read_events(file, user="a", place="b"))


def test_a_column_of_one_may_have_blank_records(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n\n3\n")
    assert rows_of(so.read_table(tmp_path / "t.csv")) == [("1",), (None,), ("3",)]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("name, first;date;place\nA, b;1;x\nC, d;2;y\n", ("name, first", "date", "place")),
        ("a;b\n1,5;2\n", ("a", "b")),
        ("a\tb\n1,2\t3;4\n", ("a", "b")),
        ('"a,b"|c\n1|2\n', ("a,b", "c")),
        ("\n\na,b\n1,2\n", ("a", "b")),
        ("a,,c\n1,2,3\n", ("a", "column1", "c")),
        ("\ufeffa,b\n1,2\n", ("a", "b")),
    ],
)
def test_the_separator_is_the_one_that_divides_header_and_rows_the_same_way(tmp_path, text, columns):
    (tmp_path / "t.csv").write_text(text)
    table = so.read_table(tmp_path / "t.csv")
    assert table.columns == columns
    assert len(rows_of(table)) == text.strip("\n\ufeff").count("\n")


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "pandas"])
def test_names_that_differ_in_capitals_are_kept_apart_everywhere(tmp_path, kind):
    table = pa.table({"User": ["a", "b"], "user": ["c", "c"]})
    source = {"arrow": table, "pandas": table.to_pandas()}.get(kind, tmp_path / f"t.{kind}")
    if kind == "csv":
        source.write_text("User,user\na,c\nb,c\n")
    if kind == "parquet":
        pq.write_table(table, source)
    read = so.read_table(source)
    assert read.columns == ("User", "user_1")
    assert rows_of(read) == [("a", "c"), ("b", "c")]


@pytest.mark.parametrize("names", [("a", "a")])
@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "pandas"])
def test_two_columns_of_one_name_are_refused_everywhere(tmp_path, names, kind):
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=list(names))
    source = {"arrow": table, "pandas": table.to_pandas()}.get(kind, tmp_path / f"t.{kind}")
    if kind == "csv":
        source.write_text(",".join(names) + "\n1,2\n")
    if kind == "parquet":
        pq.write_table(table, source)
    with pytest.raises(so.SourceError, match="have the same name"):
        so.read_table(source)


def test_of_a_text_file_only_a_near_name_is_shown(tmp_path):
    (tmp_path / "log.csv").write_text("alice,paris,noon\nbob,rome,night\n")
    with pytest.raises(so.SourceError, match="The first line of the file names 3 columns") as caught:
        so.read_events(tmp_path / "log.csv", user="user", place="place")
    assert "alice" not in str(caught.value)
    (tmp_path / "log.csv").write_text("user_id,place\nbob,rome\n")
    with pytest.raises(so.SourceError, match="Did you mean 'user_id'"):
        so.read_events(tmp_path / "log.csv", user="userid", place="place")
    for side in ("a", "b"):
        (tmp_path / f"{side}.csv").write_text(f"alice{side},paris\n1,2\n".replace("paris", "paris" + side))
    with pytest.raises(so.DataError, match=r"no column name in common \(released: 2 columns, known: 2\)") as caught:
        so.link_records(so.read_table(tmp_path / "a.csv"), so.read_table(tmp_path / "b.csv"), on=None)
    assert "alice" not in str(caught.value)


PACKED = gzip.compress(b"a,b\n" + b"1,2\n" * 9_999, mtime=0)


@pytest.mark.parametrize(
    "content", [b"\x1f\x8b\x08\x00 no gzip", PACKED[:-40], b"a,b\n1,2\n"], ids=["no gzip", "cut off", "plain text"]
)
def test_a_broken_gzip_is_named(tmp_path, content):
    (tmp_path / "t.csv.gz").write_bytes(content)
    with pytest.raises(so.SourceError, match="not a complete, readable"):
        len(so.read_table(tmp_path / "t.csv.gz"))


def test_links_that_lead_nowhere_and_names_too_long_are_named(tmp_path):
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "gone.csv")
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    for name, message in (
        ("dangling.csv", "cannot read .*dangling.csv: No such file"),
        ("loop.csv", "cannot read .*loop.csv: Too many levels"),
        ("n" * 300 + ".csv", "cannot read .*: File name too long"),
    ):
        with pytest.raises(so.SourceError, match=message):
            so.read_table(tmp_path / name)


def test_valid_files_are_read(tmp_path):
    for content, columns, rows in (
        (b"\xef\xbb\xbf\na,b\n1,2\n", ("a", "b"), [("1", "2")]),
        (b'"a\nz",b\n1,2\n', ("a\nz", "b"), [("1", "2")]),
        (b'x,"a\r\n\r\nz"\r\n1,2\r\n', ("x", "a\r\n\r\nz"), [("1", "2")]),
        (b",column0\n1,2\n", ("column0_", "column0"), [("1", "2")]),
        (b"column1,,\n1,2,3\n", ("column1", "column1_", "column2"), [("1", "2", "3")]),
    ):
        (tmp_path / "t.csv").write_bytes(content)
        table = so.read_table(tmp_path / "t.csv")
        assert table.columns == columns
        assert rows_of(table) == rows


def test_a_damaged_parquet_file_is_named(tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "b": ["x", "y"]}), tmp_path / "t.parquet")
    whole = (tmp_path / "t.parquet").read_bytes()
    foot = int.from_bytes(whole[-8:-4], "little")
    for damaged in (whole[: -8 - foot] + b"\xff" * foot + whole[-8:], whole[:60], b"PAR1", b"\0" * len(whole)):
        (tmp_path / "t.parquet").write_bytes(damaged)
        with pytest.raises(so.SourceError, match="t.parquet is not a complete, readable Parquet file"):
            rows_of(so.read_table(tmp_path / "t.parquet"))


def test_a_survey_weight_of_text_is_the_fault_of_the_option(tmp_path):
    (tmp_path / "t.csv").write_text("state,name\nA,bob\nB,al\n")
    table = so.read_table(tmp_path / "t.csv", survey_weight="name")
    with pytest.raises(
        so.DataError,
        match=r"t.csv, row 1: the survey weight in column 'name' is not a number.*\(2 rows have this problem\)",
    ):
        table.survey_weights  # noqa: B018


def test_one_name_is_one_name(tmp_path):
    (tmp_path / "t.csv").write_text("5\n6\n")
    with pytest.raises(so.SourceError, match=r"\(1 field\) does not look like column names"):
        so.read_table(tmp_path / "t.csv", columns=["x"])
    (tmp_path / "t.csv").write_text("a\n6\n")
    with pytest.raises(so.SourceError, match=r"The first line of the file names 1 column\."):
        so.read_table(tmp_path / "t.csv", columns=["x"])


def test_files_without_header_lines_are_to_be_given_names_and_nothing_of_them_is_shown(tmp_path):
    for name, line in (("anna", "31.12.2025;14:05;Ulm"), ("bob", "30.12.2025;14:05;Bonn")):
        (tmp_path / f"{name}.csv").write_text(f"{line}\n{line}\n")
    message = (
        "the first lines of the 2 files differ and look like data: they seem to have no header line. "
        "Name their 3 columns in their order with columns_are."
    )
    with pytest.raises(so.SourceError, match=message) as caught:
        so.read_table(tmp_path)
    assert not any(secret in str(caught.value) for secret in ("anna", "bob", "Ulm", "31.12"))
    assert len(so.read_table(tmp_path, columns_are=["day", "clock", "town"])) == 4
    (tmp_path / "bob.csv").write_text("day;clock;town\n30.12.2025;14:05;Bonn\n")
    with pytest.raises(
        so.SourceError, match=r"header line of file 2 of 2 \(by name\) differs from that of file 1 of 2"
    ):
        so.read_table(tmp_path)


def test_a_header_of_several_words_under_given_names_is_no_record(tmp_path):
    (tmp_path / "t.csv").write_text("birth date,home town\n1950,Ulm\n1951,Bonn\n")
    with pytest.raises(so.SourceError, match="t.csv looks like column names. Leave out columns_are"):
        so.read_table(tmp_path / "t.csv", columns_are=["born", "town"])
