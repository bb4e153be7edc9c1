"""The part of a file that is read, where it holds several: a sheet, a table, or a file of an archive."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from singleout.ground.errors import SourceError, near
from singleout.ground.notes import cut_middle, number_of

LISTED = 10
LONGEST = 60
BY_NAME = "(by name)"
"""Follows the number of a file whose name is not shown, and says in which order files are counted."""


class Part(NamedTuple):
    """What follows the name of a file: ``survey.xlsx?sheet=Answers``, ``visits.db?table=taps``."""

    word: str
    name: str


def label_files(files: Sequence[Path], *, always: bool = False) -> dict[Path, str]:
    """What messages call each file: one by its path, several by number, since names may be those of people."""
    if len(files) == 1 and not always:
        return {files[0]: str(files[0])}
    return {file: f"file {number:,} of {len(files):,} {BY_NAME}" for number, file in enumerate(files, 1)}


def query_fails(which: str) -> SourceError:
    """Say that a query of a file cannot be run. What the database says may quote a value."""
    hint = "It must be one SELECT. Check its SQL, and the names of its tables and columns."
    return SourceError(f"{which} cannot answer the query.", hint=hint)


def choose_part(which: str, word: str, there: Sequence[str], part: Part | None) -> str:
    """The only part that a file has, or the one that was chosen; ``which`` is the file, ``word`` its kind of part."""
    if part is not None and part.word != word:
        raise SourceError(f"{which} has {word}s: choose one with ?{word}=, not ?{part.word}=.")
    if not there:
        raise SourceError(f"{which} has no {word} with data.")
    if part is None and len(there) == 1:
        return there[0]
    if part is not None and part.name in there:
        return part.name
    listed = ", ".join(cut_middle(name, LONGEST) for name in there[:LISTED])
    more = f" and {len(there) - LISTED:,} more" if len(there) > LISTED else ""
    if part is not None:
        named = cut_middle(part.name, LONGEST)
        raise SourceError(f"{which} has no {word} {named!r}. It has {listed}{more}. {near(part.name, there)}".rstrip())
    by_name = BY_NAME in which
    choices = [shlex.quote(f"{'' if by_name else which}?{word}={name}") for name in there[:LISTED]]
    choice = " or ".join(choices) + (" after the name of the source" if by_name else "")
    raise SourceError(f"{which} has {number_of(len(there), word + 's')}: {listed}{more}. Choose one: {choice}")
