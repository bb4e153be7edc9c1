"""Where data lies: paths, patterns, folders and addresses of database files, each checked before anything is read."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote

import pyarrow as pa
import pyarrow.parquet as pq

from singleout.ground.errors import SourceError
from singleout.ground.notes import Note, cut_middle, nonzero
from singleout.reading.addresses import is_server, parse_address, refuse_password
from singleout.reading.kinds import BINARY_NAMES, JSON_NAMES, Contents, FileKind, look_into, not_complete
from singleout.reading.names import has_same_names, same_name
from singleout.reading.parts import Part, label_files

SCHEMES = {"sqlite": FileKind.SQLITE, "duckdb": FileKind.DUCKDB}
"""Databases that are named by an address, such as sqlite:///visits.db?table=taps."""
ADDRESS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.*)", re.DOTALL)
CHOICE = re.compile(r"(?P<path>.+)\?(?P<word>table|query|sheet|file)=(?P<name>.+)", re.DOTALL)
USUAL = (".csv", ".tsv", ".txt", *JSON_NAMES, *BINARY_NAMES)
"""Endings that say what a file is."""
PATTERN_SIGNS = "*?["
PASSWORD = re.compile(r"(:/+[^/:@]*):[^@]*@")
"""That of an address where a file is meant."""
COPIES = "copies"
"""The code of the note on files with the same content."""


@dataclass(frozen=True)
class Location:
    """Files of one kind, and the part of them that is meant, if one was named."""

    files: tuple[Path, ...]
    contents: tuple[Contents, ...]
    part: Part | None = None
    notes: tuple[Note, ...] = ()

    @property
    def kind(self) -> FileKind:
        """The kind of all of them."""
        return self.contents[0].kind


def input_files(source: str | Path, function: str) -> tuple[Path, ...]:
    """The files of a path, pattern, folder or address, all of one kind; none of a table on a server."""
    if is_server(str(source)):
        try:
            refuse_password(parse_address(str(source)))
        except SourceError as error:
            raise error.within(function=function) from None
        return ()
    return locate(source, function).files


def locate(source: str | Path, function: str) -> Location:
    """Find the files. A path that exists is that file or folder, whatever characters it has."""
    try:
        return _locate(str(source))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(
            f"cannot read {cut_middle(hide_query(str(source)), 200)}: {reason}.", function=function
        ) from error
    except SourceError as error:
        raise error.within(function=function) from None


def _locate(source: str) -> Location:
    if not source:
        raise SourceError("the source must be the name of a file; the name given is empty.")
    path, part, kind = _parse(source)
    files, twice = _distinct(_matching_files(path))
    labels = label_files(files)
    for file, which in labels.items():
        _check_file(file, which)
    contents = tuple(look_into(file, which) for file, which in labels.items())
    if kind is not None and contents[0].kind is not kind:
        raise SourceError(f"{labels[files[0]]} is not a {kind} file.")
    kinds = list(dict.fromkeys(each.kind for each in contents))
    if len(kinds) > 1:
        raise _several_kinds(path, files, contents)
    for file, (_, packing) in zip(files, contents, strict=True) if kinds == [FileKind.PARQUET] else ():
        if packing is None:
            _check_parquet(file, labels[file])
    same = Note(twice, "files matched more than once", "links to a file that is already read; each is counted once")
    return Location(files, contents, part, nonzero(same, _note_copies(files)))


def _parse(source: str) -> tuple[str, Part | None, FileKind | None]:
    """The path of a source, the part it names, and the kind of file that an address promises."""
    address = ADDRESS.fullmatch(source)
    if address is not None and not os.path.lexists(source):
        kind = SCHEMES.get(address["scheme"].lower())
        if kind is None or not address["rest"].startswith("/"):
            named = " or ".join(f"{scheme}:///FILE?table=NAME" for scheme in SCHEMES)
            raise SourceError(f"the source must be a local file; nothing is downloaded. A database file is {named}.")
        path, _, chosen = address["rest"][1:].partition("?")
        return unquote(path), _part_of_address(chosen) if chosen else None, kind
    choice = None if os.path.lexists(source) else CHOICE.fullmatch(source)
    if choice is None:
        return source, None, None
    return choice["path"], Part(choice["word"], choice["name"]), None


def _part_of_address(chosen: str) -> Part:
    """A table by its name; a query as in the address of a server, where + is a space and & would begin an option."""
    word, _, name = chosen.partition("=")
    if word == "table" and name:
        return Part(word, unquote(name))
    given = parse_qsl(chosen, keep_blank_values=True)
    if word != "query" or not given[0][1]:
        raise SourceError("after the ? of the address of a file comes table=NAME or query=SELECT….")
    if len(given) > 1:
        raise SourceError("in the query of an address, write & as %26 and + as %2B.")
    return Part(*given[0])


def hide_query(source: str) -> str:
    """A source as reports name it: a query may hold values of the data."""
    if "?query=" not in source or os.path.lexists(source):
        return source
    return source.partition("?query=")[0] + "?query=…"


def _matching_files(pattern: str) -> list[Path]:
    if Path(pattern).is_dir():
        return _files_of_folder(Path(pattern))
    there = os.path.lexists(pattern)
    names = [pattern] if there else sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - patterns may start anywhere
    files = [Path(name) for name in names]
    if any(file.is_dir() for file in files):  # of a pattern only the files are meant
        files = [file for file in files if not file.is_dir()]
    if not files:
        shown = cut_middle(PASSWORD.sub("\\1:…@", pattern), 200)
        is_pattern = any(sign in pattern for sign in PATTERN_SIGNS)
        raise SourceError(f"no file matches {shown}." if is_pattern else f"{shown}: no such file.")
    return files


def _files_of_folder(folder: Path) -> list[Path]:
    """All files of a folder but hidden ones; those of folders in it are not meant."""
    files = sorted(file for file in folder.iterdir() if not file.is_dir() and not file.name.startswith("."))
    if not files:
        raise SourceError(f"{folder} is a folder without files. Give files in it, for example {folder}/*/*.csv")
    return files


def _several_kinds(path: str, files: Sequence[Path], contents: Sequence[Contents]) -> SourceError:
    """Say how many files there are of each type; their names may be those of people."""
    listed = ", ".join(f"{number:,} {kind}" for kind, number in Counter(each.kind for each in contents).most_common())
    if Path(path).is_dir():
        ending = common_ending(files) or ".csv"
        hint = f"Name those that are meant, for example {path}/*{ending}"
        return SourceError(f"{path} is a folder with files of several types: {listed}. {hint}")
    return SourceError(f"{path} matches files of several types: {listed}.")


def common_ending(files: Sequence[Path]) -> str:
    """The ending that most files share; empty if no two do, since it may be part of a name."""
    ending, number = Counter(file.suffix for file in files).most_common(1)[0]
    return ending if number > 1 or ending.lower() in USUAL else ""


def _distinct(files: Sequence[Path]) -> tuple[tuple[Path, ...], int]:
    """Each file once, however many names lead to it, and how many names were left out."""
    met: dict[object, Path] = {}
    for file in files:
        try:
            found = file.stat()
            identity: object = (found.st_dev, found.st_ino) if found.st_ino else file.resolve()
        except OSError:  # said where the file is checked
            identity = file
        met.setdefault(identity, file)
    return tuple(met.values()), len(files) - len(met)


def _note_copies(files: Sequence[Path]) -> Note:
    """Files with the same bytes: most likely one is a copy, but two days can also be the same."""
    by_size: dict[int, list[Path]] = {}
    for file in files:
        by_size.setdefault(file.stat().st_size, []).append(file)
    alike = [file for same in by_size.values() if len(same) > 1 for file in same]
    copies = len(alike) - len({_digest(file) for file in alike})
    why = "each is counted; remove those that are copies"
    return Note(copies, "files with the same content as another", why, COPIES)


def _digest(file: Path) -> bytes:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").digest()


def _check_file(file: Path, which: str) -> None:
    if not file.is_file():
        file.stat()  # says what is wrong with a link
        raise SourceError(f"{which} is not a regular file.")
    if file.stat().st_size == 0:
        raise SourceError(f"{which} is empty.")
    try:
        str(file.absolute()).encode()
    except UnicodeEncodeError as error:
        raise SourceError("the name of a file, or of a folder that contains it, is not UTF-8. Rename it.") from error


def _check_parquet(file: Path, which: str) -> None:
    """Refuse two columns with the same name: a database would rename the second."""
    try:
        names = pq.read_schema(file).names
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # the fault of the disk or of permissions
            raise
        raise not_complete(which, FileKind.PARQUET) from error
    if has_same_names(names):
        raise same_name(which, names)
