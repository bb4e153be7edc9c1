"""Terms that a page explains: listed at its end, and shown where they are first used in each section.

A term is marked so that pointing at it, reaching it with the keyboard or touching it shows its meaning; that needs no
script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import escape


@dataclass(frozen=True)
class Term:
    """A term, its meaning, and the forms in which texts use it; ``kind``: only on pages of event logs or tables."""

    name: str
    meaning: str
    forms: tuple[str, ...]
    kind: str | None = None

    @property
    def id(self) -> str:
        """Its place in the list of terms."""
        return f"term-{re.sub(r'[^a-z]+', '-', self.name.lower())}"


TERMS = (
    Term(
        "Best trade-off",
        "No other protection that was tried has both less risk and less loss.",
        ("best trade-off",),
    ),
    Term("Chance", "What guessing at random achieves.", ("chance",)),
    Term(
        "Indistinguishable",
        "With identical data: an intruder can only guess among such people or records.",
        ("indistinguishable",),
    ),
    Term(
        "Information loss",
        "What a protection destroys: 0% leaves the data unchanged, 100% makes everyone the same.",
        ("information loss",),
    ),
    Term(
        "Interval",
        "Where the figure would lie with other people like these, at the stated confidence level.",
        ("interval", "intervals"),
    ),
    Term("Intruder", "Someone who tries to find out who is who.", ("intruder",)),
    Term(
        "Joint matching",
        "Pairing everyone in the release with everyone known at once, at the smallest total cost.",
        ("joint matching", "matched jointly"),
        "events",
    ),
    Term(
        "k",
        "The size of the smallest group of records or people that are indistinguishable from each other.",
        ("k",),
    ),
    Term("Known", "What the intruder has, with names.", ("known columns", "known values", "what is known")),
    Term(
        "Micro-aggregation",
        "Replacing the data of each person by the average of a group of similar people.",
        ("micro-aggregation",),
    ),
    Term(
        "Popular",
        "Where many people were, each counted once.",
        ("most popular", "popular"),
        "events",
    ),
    Term(
        "Re-identified",
        "The attack names the right person.",
        ("re-identified", "re-identify", "re-identifies", "re-identifying"),
    ),
    Term("Released", "What is published, without names.", ("released",)),
    Term(
        "Risk limit",
        "The largest acceptable upper end of the interval, or guarantee where there is one; chosen by those who "
        "release the data.",
        ("risk limit",),
    ),
    Term(
        "Similarity",
        "The number that says how close the data of two people is.",
        ("similarity", "similarities"),
        "events",
    ),
    Term(
        "Singled out, unique",
        "Alone with a combination of values or places.",
        ("singled out", "single out", "singles out", "unique"),
    ),
    Term(
        "SUDA score",
        "How easily a record is singled out: the fewer columns that takes, the higher the score.",
        ("SUDA score",),
        "table",
    ),
)
PIECES = re.compile(r"<[^>]*>|[^<]+")
"""Tags and texts; a page has no other angle brackets, since everything in it is escaped."""
PROSE = ("p", "li", "dd")
"""Elements whose text is read as sentences."""
APART = ("a", "abbr", "code", "script", "summary", "svg", "table")
"""Elements whose text has a meaning of its own, or no room."""


def terms_for(kind: str) -> tuple[Term, ...]:
    """The terms of pages of this kind, event logs or tables."""
    return tuple(term for term in TERMS if term.kind in (None, kind))


def mark_terms(page: str, terms: Sequence[Term]) -> str:
    """The page with the first use of each term in each section marked; the list of terms itself stays plain."""
    start, end = page.find("<main"), page.find('<section aria-labelledby="glossary"')
    body = "".join(_marked(page[start:end], terms))
    return f"{page[:start]}{body}{page[end:]}"


def _marked(body: str, terms: Sequence[Term]) -> Iterator[str]:
    """The pieces of a page, with marks in its prose."""
    forms = {form.lower(): term for term in terms for form in term.forms}
    longest_first = sorted(forms, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)
    inside: list[str] = []
    used: set[Term] = set()

    def mark(found: re.Match[str]) -> str:
        term = forms[found[0].lower()]
        if term in used:
            return found[0]
        used.add(term)
        return (
            f'<abbr class="term" tabindex="0" aria-describedby="{term.id}" data-meaning="{escape(term.meaning)}">'
            f"{found[0]}</abbr>"
        )

    for piece in PIECES.findall(body):
        if not piece.startswith("<"):
            is_prose = any(name in PROSE for name in inside) and not any(name in APART for name in inside)
            yield pattern.sub(mark, piece) if is_prose else piece
            continue
        yield piece
        name = re.match(r"</?([a-z0-9]*)", piece)[1]  # type: ignore[index]
        if piece.startswith("</"):
            if name in inside:
                del inside[len(inside) - 1 - inside[::-1].index(name) :]
        elif name in (*PROSE, *APART):
            inside.append(name)
        elif name == "section":
            used.clear()
