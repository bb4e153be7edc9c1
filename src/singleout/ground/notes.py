"""Notes: what was left out, clipped, cut or guessed on the way, how many, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """One thing that happened to the data, counted."""

    count: int
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.count:,} {self.what}: {self.why}"

    def as_json(self) -> dict[str, object]:
        """Plain data for a result file."""
        return {"count": self.count, "what": self.what, "why": self.why}


def counted(*notes: Note) -> tuple[Note, ...]:
    """Only the notes that counted something."""
    return tuple(note for note in notes if note.count)


def joined(*groups: tuple[Note, ...]) -> tuple[Note, ...]:
    """All notes once, in the order in which they came."""
    return tuple(dict.fromkeys(note for group in groups for note in group))
