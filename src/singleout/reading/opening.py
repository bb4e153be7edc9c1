"""Files of every kind as relations of a database: read in place where it can, stored in it otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from singleout.ground.errors import SourceError
from singleout.ground.notes import Note, in_a_row, nonzero
from singleout.reading.database import Database, literal, quote
from singleout.reading.duckdb_files import read_duckdb
from singleout.reading.forms import FILE_NAME, Form
from singleout.reading.kinds import PACKED_NAMES, FileKind, Packing, look_into, not_complete
from singleout.reading.labelled_files import READERS as LABELLED
from singleout.reading.labelled_files import read_labelled
from singleout.reading.locations import COPIES, Location
from singleout.reading.names import has_same_names, same_name
from singleout.reading.parts import Part, label_files
from singleout.reading.spreadsheets import read_sheet
from singleout.reading.sqlite_files import read_sqlite
from singleout.reading.text_files import TextFiles, read_header, read_start
from singleout.reading.text_guesses import COMMA_NUMBER, guess_encoding
from singleout.reading.unpacking import PREFIX, UnpackedFolder, unzip

IN_PLACE = {FileKind.PARQUET: "read_parquet", FileKind.JSON: "read_json"}
PARTS = (FileKind.SPREADSHEET, FileKind.SQLITE, FileKind.DUCKDB, FileKind.ZIP)
READ_PACKED = (None, Packing.GZIP, Packing.ZSTD)
"""How text may be compressed that the database reads."""
SEPARATOR_NAMES = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
GUESSED = {"latin-1": "Latin-1", "windows-1252": "Windows-1252"}
"""Encodings that are guessed; UTF-16 says so itself."""
PACKED_ENDINGS = "|".join(each[1:] for each in PACKED_NAMES)


@dataclass(frozen=True)
class Opened:
    """A relation, what is known about its columns, and what was guessed or left out."""

    relation: str
    labels: dict[Path, str]
    column_types: dict[str, str] = field(default_factory=dict)
    text: TextFiles | None = None
    header: tuple[str, ...] | None = None
    notes: tuple[Note, ...] = ()


def open_location(database: Database, location: Location, form: Form) -> Opened:
    """Open files of one kind as one relation."""
    files, kind = _readable_files(database, location)
    if form.user_from_name:
        _check_one_each(files)
    labels = _label(files, location, always=form.user_from_name)
    if location.part is not None and location.kind not in PARTS:
        raise SourceError(f"{next(iter(labels.values()))} has only one table: leave out ?{location.part.word}=.")
    if kind is FileKind.TEXT:
        opened = _open_text(database, labels, form)
    elif kind in IN_PLACE:
        opened = _open_in_place(database, labels, kind, form)
    else:
        # of an archive the part was a file in it
        part = None if location.kind is FileKind.ZIP else location.part
        opened = _open_stored(database, labels, kind, part, form)
    opened = _with_points(database, opened, form)
    notes = [note for note in location.notes if not form.user_from_name or note.code != COPIES]
    return replace(opened, notes=(*notes, *opened.notes))


def _label(files: dict[Path, str], location: Location, *, always: bool) -> dict[Path, str]:
    """What messages call the files: names of several may be those of people, so they are counted instead."""
    if len(files) == 1 and not always:
        return files
    archive = f" in {location.files[0]}" if location.kind is FileKind.ZIP and len(location.files) == 1 else ""
    return {path: f"{which}{archive}" for path, which in label_files(list(files), always=True).items()}


# UNPACK


def _readable_files(database: Database, location: Location) -> tuple[dict[Path, str], FileKind]:
    """The files to read and what each is called, and their kind: copies of those that are compressed."""
    packed = sum(file.stat().st_size for file in location.files)
    folder = UnpackedFolder(lambda: database.folder, packed)
    labels = label_files(location.files)
    if location.kind is FileKind.ZIP:
        if location.part is not None and location.part.word != "file":
            raise SourceError(f"{labels[location.files[0]]} has files: choose with ?file=, not ?{location.part.word}=.")
        chosen = None if location.part is None else location.part.name
        copies: dict[Path, str] = {}
        for file in location.files:
            unpacked = unzip(file, chosen, folder, labels[file])
            copies |= {path: f"{name} in {labels[file]}" for path, name in unpacked.items()}
        kinds = {look_into(path).kind for path in copies}
        if len(kinds) > 1:
            raise SourceError("the archives hold files of several kinds. Unpack them, and name those that are meant.")
        return copies, kinds.pop()
    allowed = READ_PACKED if location.kind in (FileKind.TEXT, FileKind.JSON) else (None,)
    readable = {}
    for file, (_, packing) in zip(location.files, location.contents, strict=True):
        label = labels[file]
        readable[file if packing in allowed else folder.unpack(file, packing, label=label)] = label
    return readable, location.kind


def _check_one_each(files: dict[Path, str]) -> None:
    people = [person_of(path) for path in files]
    if len(set(people)) < len(people):
        raise SourceError("several files have the same name: `user_from_name` requires one file for each person.")


def person_of(file: Path) -> str:
    """The name of a file without its endings: whose file it is."""
    name = re.sub(rf"^{PREFIX}\d{{6}}-", "", file.name)
    return re.sub(r"\.[^.]*$", "", re.sub(rf"\.({PACKED_ENDINGS})$", "", name, flags=re.IGNORECASE))


def _person_sql(column: str) -> str:
    """The same as SQL."""
    bare = f"regexp_replace(parse_filename({column}), '^{PREFIX}\\d{{6}}-', '')"
    return f"regexp_replace(regexp_replace({bare}, '\\.({PACKED_ENDINGS})$', '', 'i'), '\\.[^.]*$', '')"


# READ IN PLACE


def _open_text(database: Database, labels: dict[Path, str], form: Form) -> Opened:
    given = form.encoding
    encodings = {path: given or guess_encoding(read_start(path, label)) for path, label in labels.items()}
    guessed = [GUESSED[each] for each in set(encodings.values()) & set(GUESSED) if given is None]
    labels = _in_readable_encoding(database, labels, encodings)
    encoding = next(iter(encodings.values())) if set(encodings.values()) == {"latin-1"} else "utf-8"
    text = read_header(tuple(labels), tuple(labels.values()), encoding, form)
    relation = text.relation(_file_list(text.files) + _named_by_file(form))
    notes = nonzero(
        Note(len(guessed), "encodings guessed", f"read as {in_a_row(sorted(guessed))}; if that is wrong, set encoding"),
        _separator_note(text, form),
    )
    names = (*text.names, *([FILE_NAME] if form.user_from_name else []))
    header = text.names if text.has_header else None
    relation = database.define(_with_person(relation, form))
    return Opened(relation, labels, dict.fromkeys(names, "VARCHAR"), text, header, notes)


def _in_readable_encoding(database: Database, labels: dict[Path, str], encodings: dict[Path, str]) -> dict[Path, str]:
    """The same files, with copies in UTF-8 of those that the database cannot read, or that differ from the others."""
    if set(encodings.values()) in ({"utf-8"}, {"latin-1"}):
        return labels
    folder = UnpackedFolder(lambda: database.folder, sum(path.stat().st_size for path in labels))
    readable = {}
    for path, label in labels.items():
        encoding = encodings[path]
        copied = path if encoding == "utf-8" else folder.unpack(path, look_into(path).packing, encoding, label)
        readable[copied] = label
    return readable


def _separator_note(text: TextFiles, form: Form) -> Note:
    """Only of separators other than the usual comma."""
    guessed = form.delimiter is None and text.separator in SEPARATOR_NAMES
    what = SEPARATOR_NAMES.get(text.separator, "")
    return Note(int(guessed), "separators guessed", f"fields are divided by {what}; if that is wrong, set delimiter")


def _open_in_place(database: Database, labels: dict[Path, str], kind: FileKind, form: Form) -> Opened:
    options = "hive_partitioning=false" + _named_by_file(form)
    packings = {look_into(path).packing for path in labels}
    if kind is FileKind.JSON and len(packings) == 1:
        options += f", compression={literal(packings.pop() or 'none')}"
    relation = f"{IN_PLACE[kind]}({_file_list(labels)}, {options})"
    return Opened(database.define(_with_person(relation, form)), labels)


def _file_list(files: Sequence[Path] | dict[Path, str]) -> str:
    return "[" + ", ".join(literal(_escape_glob(file)) for file in files) + "]"


def _escape_glob(file: Path) -> str:
    """An absolute path in which the special characters of a pattern stand for themselves."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in str(file.absolute()))


def _named_by_file(form: Form) -> str:
    return f", filename={literal(FILE_NAME)}" if form.user_from_name else ""


def _with_person(relation: str, form: Form) -> str:
    if not form.user_from_name:
        return relation
    column = quote(FILE_NAME)
    return f"(SELECT * REPLACE ({_person_sql(column)} AS {column}) FROM {relation})"


# STORE


def _open_stored(database: Database, labels: dict[Path, str], kind: FileKind, part: Part | None, form: Form) -> Opened:
    """Files that the database cannot read, one after another; their columns must have the same names."""
    relations: list[str] = []
    notes: list[Note] = []
    header: tuple[str, ...] | None = None
    first: list[str] = []
    for path, label in labels.items():
        if kind is FileKind.SPREADSHEET:
            sheet = read_sheet(path, label, part, form.columns_are)
            header, relation = sheet.header, database.keep_tables(iter([sheet.table]))
            notes += sheet.notes
        elif kind is FileKind.DUCKDB:
            relation = read_duckdb(database, path, label, part)
        else:
            relation = database.keep_tables(_tables_of(path, label, kind, part))
        names = list(database.column_types(relation))
        first = first or names
        if names != first:
            raise SourceError(f"the columns of {label} differ from those of {next(iter(labels.values()))}.")
        person = f", {literal(person_of(path))} AS {quote(FILE_NAME)}" if form.user_from_name else ""
        relations.append(f"SELECT *{person} FROM {relation}")
    return Opened(database.define(f"({' UNION ALL '.join(relations)})"), labels, header=header, notes=tuple(notes))


def _tables_of(path: Path, label: str, kind: FileKind, part: Part | None) -> Iterator[pa.Table]:
    if kind in LABELLED:
        yield from read_labelled(path, label, kind)
    elif kind is FileKind.SQLITE:
        yield from read_sqlite(path, label, part)
    else:
        yield from _read_columnar(path, label, kind)


def _read_columnar(path: Path, label: str, kind: FileKind) -> Iterator[pa.Table]:
    """The rows of Feather and ORC files."""
    import pyarrow.dataset as ds  # slow to load

    try:
        data = ds.dataset(path, format=kind.lower())
        if has_same_names(data.schema.names):
            raise same_name(label, data.schema.names)
        yield data.schema.empty_table()
        for batch in data.scanner(use_threads=False).to_batches():
            yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise not_complete(label, kind) from error


# DECIMAL COMMAS


def _with_points(database: Database, opened: Opened, form: Form) -> Opened:
    """Decimal commas as points: in every column of text where that was asked for, or in those where it is plain."""
    types = opened.column_types or database.column_types(opened.relation)
    opened = replace(opened, column_types=types)
    asked = [name for name, kind in types.items() if kind == "VARCHAR" and name != FILE_NAME]
    found = opened.text.decimals if opened.text is not None else ()
    columns = asked if form.decimal == "comma" else found if form.decimal is None else ()
    if not columns:
        return opened
    changed = ", ".join(f"{_point_sql(quote(name))} AS {quote(name)}" for name in columns)
    relation = database.define(f"(SELECT * REPLACE ({changed}) FROM {opened.relation})")
    if form.decimal == "comma":
        return replace(opened, relation=relation)
    why = "read as decimal numbers and written with a point; if that is wrong, set decimal"
    note = Note(len(columns), f"columns with decimal commas guessed ({', '.join(columns)})", why)
    return replace(opened, relation=relation, notes=(*opened.notes, note))


def _point_sql(column: str) -> str:
    number = f"regexp_full_match({column}, {literal(COMMA_NUMBER)})"
    return f"CASE WHEN {number} THEN replace({column}, ',', '.') ELSE {column} END"
