"""The same small log as files of many kinds, made here; and spreadsheets, which nothing else writes."""

import bz2
import datetime as dt
import gzip
import lzma
import sqlite3
import zipfile
from xml.sax.saxutils import escape

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.orc
import pyreadstat

from tests.small_sources import TABLE

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SINCE = dt.datetime(1899, 12, 30)
DATE, CLOCK = 1, 2
"""Styles of cells."""


def write_xlsx(file, sheets, hidden=()):
    """A workbook of sheets, each a list of rows of text, numbers, true and false, dates and times."""
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{n}" r:id="r{n}" state="{"hidden" if name in hidden else "visible"}"/>'
        for n, name in enumerate(sheets, 1)
    )
    related = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    styles = '<xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="20"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{related}<Relationship '
        f'Id="s" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs count="3">{styles}</cellXfs></styleSheet>',
    }
    for n, rows in enumerate(sheets.values(), 1):
        body = "".join(_row(number, row) for number, row in enumerate(rows, 1))
        parts[f"xl/worksheets/sheet{n}.xml"] = f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file


def _row(number, values):
    cells = "".join(_cell(f"{_letters(n)}{number}", value) for n, value in enumerate(values))
    return f'<row r="{number}">{cells}</row>'


def _letters(number):
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(65 + number % 26)


def _cell(where, value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c r="{where}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{where}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    if isinstance(value, dt.time):
        return f'<c r="{where}" s="{CLOCK}"><v>{(value.hour * 60 + value.minute) / 1440}</v></c>'
    if isinstance(value, dt.datetime):
        return f'<c r="{where}" s="{DATE}"><v>{(value - SINCE) / dt.timedelta(days=1)}</v></c>'
    return f'<c r="{where}"><v>{value}</v></c>'


def write_ods(file, name, rows):
    """An OpenDocument spreadsheet of text and numbers."""
    space = "urn:oasis:names:tc:opendocument:xmlns:"

    def cell(value):
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    body = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    text = (
        f'<office:document-content xmlns:office="{space}office:1.0" xmlns:table="{space}table:1.0" '
        f'xmlns:text="{space}text:1.0"><office:body><office:spreadsheet><table:table table:name="{name}">{body}'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", text)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return file


def rows_with_header(table):
    return [table.column_names, *(list(row.values()) for row in table.to_pylist())]


def csv_bytes(table=TABLE):
    sink = pa.BufferOutputStream()
    pa.csv.write_csv(table, sink, pa.csv.WriteOptions(quoting_style="needed"))
    return sink.getvalue().to_pybytes()


def as_bytes(name, content):
    def write(folder):
        (folder / name).write_bytes(content)
        return folder / name

    return write


def as_zip(folder):
    with zipfile.ZipFile(folder / "log.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/log.csv", csv_bytes())
        archive.writestr("__MACOSX/data/._log.csv", b"\0\5")
    return folder / "log.zip"


def as_zip_of_parts(folder):
    with zipfile.ZipFile(folder / "parts.zip", "w") as archive:
        archive.writestr("a.csv", csv_bytes(TABLE.slice(0, 3)))
        archive.writestr("b.csv", csv_bytes(TABLE.slice(3)))
    return folder / "parts.zip"


def as_sqlite(folder, name="log.db"):
    with sqlite3.connect(folder / name) as connection:
        connection.execute('CREATE TABLE visits (who, "when", "where", times)')
        rows = [tuple(row.values()) for row in TABLE.to_pylist()]
        connection.executemany("INSERT INTO visits VALUES (?, ?, ?, ?)", rows)
    connection.close()
    return folder / name


def as_duckdb(folder):
    with duckdb.connect(folder / "log.duckdb") as connection:
        connection.register("log", TABLE)
        connection.execute("CREATE TABLE visits AS SELECT * FROM log")
    return folder / "log.duckdb"


def as_feather(folder):
    pa.feather.write_feather(TABLE, folder / "log.feather")
    return folder / "log.feather"


def as_orc(folder):
    pa.orc.write_table(TABLE, folder / "log.orc")
    return folder / "log.orc"


def as_labelled(writer, name):
    def write(folder):
        frame = TABLE.to_pandas()
        frame["where"] = frame["where"].map({"a": 1, "b": 2, "c": 3})
        getattr(pyreadstat, writer)(frame, folder / name, variable_value_labels={"where": {1: "a", 2: "b", 3: "c"}})
        return folder / name

    return write


def as_transport(folder):
    pyreadstat.write_xport(TABLE.to_pandas(), folder / "log.xpt")
    return folder / "log.xpt"


def as_folder(folder):
    (folder / "logs").mkdir()
    (folder / "logs" / "a.csv").write_bytes(csv_bytes(TABLE.slice(0, 3)))
    (folder / "logs" / "b.csv").write_bytes(csv_bytes(TABLE.slice(3)))
    (folder / "logs" / ".hidden").write_bytes(b"\0")
    return folder / "logs"


def as_xlsx(folder, name="log.xlsx"):
    return write_xlsx(folder / name, {"Visits": rows_with_header(TABLE), "Empty": []})


def as_zst(folder):
    with pa.CompressedOutputStream(str(folder / "log.csv.zst"), "zstd") as stream:
        stream.write(csv_bytes())
    return folder / "log.csv.zst"


TEXT = csv_bytes().decode()
WORKS = {
    "csv": as_bytes("log.csv", csv_bytes()),
    "semicolons": as_bytes("log.csv", TEXT.replace(",", ";").encode()),
    "tabs": as_bytes("log.tsv", TEXT.replace(",", "\t").encode()),
    "bars": as_bytes("log.txt", TEXT.replace(",", "|").encode()),
    "byte order mark": as_bytes("log.csv", b"\xef\xbb\xbf" + csv_bytes()),
    "UTF-16": as_bytes("log.csv", TEXT.encode("utf-16")),
    "gzip": as_bytes("log.csv.gz", gzip.compress(csv_bytes())),
    "zstd": as_zst,
    "bz2": as_bytes("log.csv.bz2", bz2.compress(csv_bytes())),
    "xz": as_bytes("log.csv.xz", lzma.compress(csv_bytes())),
    "zip": as_zip,
    "zip of parts": as_zip_of_parts,
    "no ending": as_bytes("log", csv_bytes()),
    "another ending": as_bytes("log.dat", csv_bytes()),
    "text named xls": as_bytes("log.xls", TEXT.replace(",", "\t").encode()),
    "gzip without ending": as_bytes("log", gzip.compress(csv_bytes())),
    "Excel": as_xlsx,
    "Excel named csv": lambda folder: as_xlsx(folder, "log.csv"),
    "OpenDocument": lambda folder: write_ods(folder / "log.ods", "Visits", rows_with_header(TABLE)),
    "SQLite": as_sqlite,
    "SQLite address": lambda folder: f"sqlite:///{as_sqlite(folder)}?table=visits",
    "DuckDB": as_duckdb,
    "DuckDB address": lambda folder: f"duckdb:///{as_duckdb(folder)}?table=visits",
    "SQLite query": lambda folder: f"sqlite:///{as_sqlite(folder)}?query=SELECT+*+FROM+visits",
    "DuckDB query": lambda folder: f"duckdb:///{as_duckdb(folder)}?query=SELECT * FROM visits",
    "Feather": as_feather,
    "ORC": as_orc,
    "SPSS": as_labelled("write_sav", "log.sav"),
    "Stata": as_labelled("write_dta", "log.dta"),
    "SAS transport": as_transport,
    "folder": as_folder,
    "packed SPSS": lambda folder: _packed(as_labelled("write_sav", "log.sav")(folder)),
}
"""Every kind of file that is read, by a name."""


def _packed(file):
    packed = file.with_name(file.name + ".gz")
    packed.write_bytes(gzip.compress(file.read_bytes()))
    return packed
