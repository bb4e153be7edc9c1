"""Notes: what was left out, clipped, cut or guessed on the way, how many, and why."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from singleout.ground.plain_data import Count

WIDTH = 80


class NoteDict(TypedDict):
    """One thing that was left out, cut or guessed: how many, of what, and why."""

    count: Count
    what: str
    why: str


@dataclass(frozen=True)
class Note:
    """One thing that happened to the data, counted; ``code`` is for programs that look for it.

    Examples
    --------
    >>> import singleout as so
    >>> print(so.Note(3, "people left out", "they have no events"))
    3 people left out: they have no events
    """

    count: int
    what: str
    why: str
    code: str = ""

    def __str__(self) -> str:
        return f"{number_of(self.count, self.what)}: {self.why}"

    def to_dict(self) -> NoteDict:
        """Plain data for a result file."""
        return {"count": self.count, "what": self.what, "why": self.why}


def number_of(count: int, what: str) -> str:
    """A count of what is named in the plural, such as people or places: one of them is 1 person or 1 place."""
    noun, space, rest = what.partition(" ")
    single = "person" if noun == "people" else re.sub("ies$", "y", noun).removesuffix("s")
    return f"{count:,} {single if count == 1 else noun}{space}{rest}"


def in_a_row(words: Sequence[str]) -> str:
    """Words as a sentence lists them.

    >>> in_a_row(["js", "l1", "dot"])
    'js, l1 and dot'
    """
    if not words:
        return ""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def nonzero(*notes: Note) -> tuple[Note, ...]:
    """Only the notes that counted something."""
    return tuple(note for note in notes if note.count)


def in_lines(notes: Iterable[object]) -> list[str]:
    """Notes as indented lines that fit a terminal."""
    wrapper = textwrap.TextWrapper(WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
    return [line for note in notes for line in wrapper.wrap(str(note))]


def cut_middle(text: str, width: int) -> str:
    """A name that fits: cut in the middle, so that names which differ at either end stay apart."""
    if len(text) <= width:
        return text
    end = (width - 1) // 2
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"


def of_two_sides(released: tuple[Note, ...], known: tuple[Note, ...]) -> tuple[Note, ...]:
    """Notes of both sides: those they share once, the others with the name of their side."""
    both = [note for note in released if note in known]
    own = [
        replace(note, what=f"{note.what} ({name})")
        for name, notes in (("released", released), ("known", known))
        for note in notes
        if note not in both
    ]
    return (*both, *own)
