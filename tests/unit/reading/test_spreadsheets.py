"""Sheets of Excel and OpenDocument files."""

import datetime as dt
import zipfile

import pytest

import singleout as so
from singleout.reading import spreadsheets
from tests.small_files import write_ods, write_xlsx
from tests.small_sources import counts_by_name, read, rows_of

ROWS = [["who", "when", "where"], ["a", dt.datetime(2025, 12, 31, 14, 30), "x"], ["b", dt.datetime(2026, 1, 1), "y"]]


def test_dates_come_as_dates_and_whole_numbers_as_whole_numbers(tmp_path):
    write_xlsx(tmp_path / "t.xlsx", {"S": [["id", "day", "n", "yes"], [7, dt.datetime(2025, 1, 2), 1.5, True]]})
    table = so.read_table(tmp_path / "t.xlsx")
    types = {"id": "BIGINT", "day": "DATE", "n": "DOUBLE", "yes": "BOOLEAN"}
    assert table.source.column_types == types
    assert rows_of(table) == [(7, "2025-01-02", 1.5, "true")]


def test_titles_above_the_header_and_blank_rows_are_skipped_and_noted(tmp_path):
    rows = [["Visits in May"], [], *ROWS[:2], [], ROWS[2]]
    write_xlsx(tmp_path / "t.xlsx", {"S": rows})
    events = read(tmp_path / "t.xlsx")
    assert counts_by_name(so.histograms(events)) == {("a", "x"): 1, ("b", "y"): 1}
    assert [f"{note}" for note in events.notes] == [
        f"1 row skipped in {tmp_path / 't.xlsx'}: above the names of the columns"
    ]


def test_hidden_and_empty_sheets_are_not_meant_but_can_be_chosen(tmp_path):
    file = write_xlsx(tmp_path / "t.xlsx", {"May": ROWS, "Lists": [["code"], ["x"]], "Blank": []}, hidden=["Lists"])
    assert so.read_table(file).columns == ("who", "when", "where")
    assert so.read_table(f"{file}?sheet=Lists").columns == ("code",)
    with pytest.raises(so.SourceError, match="sheet 'Blank' of .* is empty"):
        so.read_table(f"{file}?sheet=Blank")


def test_a_sheet_without_header_takes_given_names_and_its_first_row_is_never_shown(tmp_path):
    file = write_xlsx(tmp_path / "t.xlsx", {"S": [["Ann Smith", 3], ["Bob Jones", 4]]})
    with pytest.raises(so.SourceError, match="name its columns in their order with columns_are") as caught:
        so.read_events(file, user="who", place="where")
    assert "Ann" not in str(caught.value)
    assert rows_of(so.read_table(file, columns_are=["who", "where"])) == [("Ann Smith", 3), ("Bob Jones", 4)]
    with pytest.raises(so.SourceError, match="columns_are names 3 columns, but .*t.xlsx has 2"):
        so.read_table(file, columns_are=["a", "b", "c"])


def test_a_fault_is_named_by_its_row(tmp_path):
    write_xlsx(tmp_path / "t.xlsx", {"S": [*ROWS, ["c", "soon", "z"]]})
    with pytest.raises(so.DataError, match=r"t.xlsx, row 3: the value of column 'when' cannot be read as a time"):
        so.histograms(read(tmp_path / "t.xlsx"))


def test_two_columns_with_the_same_name_are_refused(tmp_path):
    with pytest.raises(so.SourceError, match="have the same name"):
        so.read_table(write_xlsx(tmp_path / "t.xlsx", {"S": [["a", "a"], [1, 2]]}))


def test_open_documents_are_read(tmp_path):
    write_ods(tmp_path / "t.ods", "S", [["who", "where"], ["a", 1], ["b", 2.5]])
    assert rows_of(so.read_table(tmp_path / "t.ods")) == [("a", 1.0), ("b", 2.5)]


def test_a_bomb_and_a_stray_cell_end_with_one_line(tmp_path, monkeypatch):
    file = write_xlsx(tmp_path / "t.xlsx", {"S": [["a"], [1]]})
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    stray = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with zipfile.ZipFile(tmp_path / "stray.xlsx", "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text.replace(b"</sheetData>", stray) if name == sheet else text)
    with pytest.raises(so.SourceError, match="stray.xlsx has more than 200 million cells. Save its data as CSV"):
        so.read_table(tmp_path / "stray.xlsx")
    text = (
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="999" '
        'office:value-type="float" office:value="1"/></table:table-row>'
    )
    with zipfile.ZipFile(write_ods(tmp_path / "t.ods", "S", [["a"]])) as archive:
        content = archive.read("content.xml").replace(b"</table:table>", text.encode() + b"</table:table>")
    with zipfile.ZipFile(tmp_path / "stray.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    with pytest.raises(so.SourceError, match="stray.ods has more than 200 million cells. Save its data as CSV"):
        so.read_table(tmp_path / "stray.ods")
    monkeypatch.setattr(spreadsheets, "MOST_BYTES", 100)
    with pytest.raises(so.SourceError, match="t.xlsx holds more than 100 bytes when unpacked"):
        so.read_table(file)
