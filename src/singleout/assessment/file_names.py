"""What reports call files: by their way from one folder, never by a folder that only this machine has."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote, unquote

from singleout.ground.notes import in_a_row
from singleout.reading.addresses import is_server, parse_address
from singleout.reading.locations import hide_query

NO_FILE = "FILE"
"""Stands for data that did not come from a file: it has to be saved first."""
WORKING_FOLDER = "the folder in which this was run"
PART = re.compile(r"(?P<path>.+?)(?P<part>\?(?:table|sheet|file|query)=.+)?", re.DOTALL)
PATTERN_SIGNS = re.compile(r"[*?\[]")
MOST_NAMED = 3
"""Files by which a folder is described."""

Namer = Callable[[Any], str]
"""What a command calls a source."""


def as_typed(source: Any) -> str:
    """A source as it was given, but for a password: for the terminal of the one who gave it."""
    if not isinstance(source, str | PathLike):
        return NO_FILE
    text = os.fspath(source)
    return parse_address(text).shown if is_server(text) else text


@dataclass(frozen=True)
class FileNames:
    """What commands call each file, and the ``folder`` in which they can be run, in words; empty without files."""

    shown: Mapping[str, str]
    folder: str = ""

    def name(self, source: Any) -> str:
        """What a command in a report calls a source."""
        typed = as_typed(source)
        return self.shown.get(typed, typed)


def name_files(files: Iterable[Any]) -> FileNames:
    """As they were given, if all lie in the working folder; otherwise all by their way from one folder."""
    paths = [os.fspath(each) for each in files if isinstance(each, str | PathLike)]
    named = [_NamedFile.parse(each) for each in dict.fromkeys(paths) if not is_server(each)]
    if not named:
        return FileNames({})
    if not any(each.is_elsewhere for each in named):
        return FileNames({each.typed: each.shown(str(each.path)) for each in named}, WORKING_FOLDER)
    root = _common_folder([each.folder for each in named])
    ways = _tails([each.absolute for each in named]) if root is None else [each.way_from(root) for each in named]
    listed = list(dict.fromkeys(ways))
    more = len(listed) - MOST_NAMED
    words = in_a_row([*listed[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])
    folder = f"a folder with copies of {words}" if root is None else f"the folder that holds {words}"
    return FileNames({each.typed: each.shown(way) for each, way in zip(named, ways, strict=True)}, folder)


@dataclass(frozen=True)
class _NamedFile:
    """A file, folder or pattern as it was given: the kind of database before its path, the table or sheet after it."""

    typed: str
    kind: str
    path: Path
    part: str

    @classmethod
    def parse(cls, typed: str) -> _NamedFile:
        kind, sign, rest = typed.partition(":///")
        found = PART.fullmatch(rest if sign and not os.path.lexists(typed) else typed)
        if found is None or os.path.lexists(typed):
            return cls(typed, "", Path(typed), "")
        path = unquote(found["path"]) if sign else found["path"]
        return cls(typed, kind + sign if sign else "", Path(path), found["part"] or "")

    @property
    def is_elsewhere(self) -> bool:
        return bool(self.path.anchor) or ".." in self.path.parts or self.path.parts[:1] == ("~",)

    @property
    def absolute(self) -> Path:
        """Without links in the folders, so that those of several files can be compared."""
        path = self.path.expanduser() if self.path.parts[:1] == ("~",) else self.path
        if path.parts[-1:] == ("..",):
            return path.resolve()
        signs = [number for number, part in enumerate(path.parts) if PATTERN_SIGNS.search(part)]
        last = min([*signs, max(len(path.parts) - 1, 0)])
        return Path(*path.parts[:last]).resolve().joinpath(*path.parts[last:])

    @property
    def folder(self) -> Path:
        """The folder that holds it; of a pattern the last without signs."""
        path = self.absolute
        signs = [number for number, part in enumerate(path.parts) if PATTERN_SIGNS.search(part)]
        return Path(*path.parts[: min([*signs, len(path.parts) - 1])])

    def way_from(self, root: Path) -> str:
        return self.absolute.relative_to(root).as_posix()

    def shown(self, way: str) -> str:
        return hide_query(f"{self.kind}{quote(way) if self.kind else way}{self.part}")


def _common_folder(folders: Sequence[Path]) -> Path | None:
    """The deepest folder that holds all; None where names below it would show who uses this machine."""
    try:
        root = Path(os.path.commonpath(folders))
    except ValueError:  # on different drives
        return None
    one = len(set(folders)) == 1
    return None if not one and (root.parent == root or root in Path.home().resolve().parents) else root


def _tails(paths: Sequence[PurePath]) -> list[str]:
    """The last names of each, as many as make all of them different."""
    distinct, most = len(set(paths)), max(len(path.parts) - 1 for path in paths)
    for number in range(1, most + 1):
        tails = ["/".join(path.parts[1:][-number:]) for path in paths]
        if len(set(tails)) == distinct:
            break
    return tails
