"""Of whom the figures of an event log are: who was left out, and who is looked for among how many."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.ground.notes import Note, number_of
from singleout.measures.intervals import Estimate

LEFT_OUT = "people left out"
NOTABLE = 0.05
"""Share of the people measured from which on the answer says how many others were left out."""


def left_out_in_words(notes: Sequence[Note], measured: int) -> str:
    """Who was left out of the figures and why, in sentences after a space; empty where that is hardly anyone."""
    out = [note for note in notes if note.what.startswith(LEFT_OUT)]
    if sum(note.count for note in out) < NOTABLE * measured:
        return ""
    return "".join(f" {_were_left_out(note)}" for note in out)


def _were_left_out(note: Note) -> str:
    were = "was" if note.count == 1 else "were"
    return f"{number_of(note.count, 'people')}{note.what.removeprefix(LEFT_OUT)} {were} left out: {note.why}."


def inside_in_words(inside: Estimate, measured: int) -> str:
    """What someone finds who has part of the released data; of whom, where these are not the people ``measured``."""
    whom = "" if inside.n == measured else f" of the {number_of(inside.n, 'people')} whom they know"
    return (
        "Someone who already has part of the data from the released period would re-identify "
        f"{inside.in_words()}{whom}."
    )


def looked_for_among(released: int, inside: Estimate | None, left_out: str) -> str:
    """Among whom an intruder looks for people, in words after "among"; ``left_out``: who is not counted."""
    people = number_of(released, "people")
    if inside is None or not left_out:
        return f"the {people} in the release, whose names have been removed."
    return (
        f"the {people} on the released side, whose names have been removed. Someone who already has part of the data "
        "from the released period looks among everyone in the file, including those left out on the released side."
    )
