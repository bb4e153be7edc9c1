"""When two values of a field match (R12 IV-D): the same, the same initial letter, one within the other, or similar."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout._kernels.profiles import one_within_the_other
from singleout.ground.arrays import Indices
from singleout.ground.errors import SingleoutError, bad_argument, unknown_name
from singleout.ground.lazy import cached_property
from singleout.reading.spellings import Words
from singleout.reading.tables import Table
from singleout.statistics.common_columns import SIDES

COMPARATORS = ("exact", "initial", "contains", "similar", "edits")
WITH_RAPIDFUZZ = ("similar", "edits")
LIMITS = {"similar": 0.92, "edits": 1.0}
"""Unless given as in ``similar:0.85`` or ``edits:2``: the Jaro-Winkler similarity from which two texts are similar, and
the most letters that are inserted, left out, changed or swapped with their neighbours."""
LIMIT_RULES = {
    "similar": (r"0?\.\d+|1(\.0*)?", "a number above 0 and at most 1, such as similar:0.85"),
    "edits": (r"[1-9]", "a whole number from 1 to 9, such as edits:2"),
}


@dataclass(frozen=True)
class Comparator:
    """How two values are compared; ``given`` is a limit other than the usual one."""

    name: str
    given: float | None = None

    @property
    def limit(self) -> float:
        """The similarity from which, or the edits up to which, values match; 0 for comparators without."""
        return LIMITS.get(self.name, 0.0) if self.given is None else self.given

    def __str__(self) -> str:
        return f"{self.name}:{self.limit:g}" if self.name in LIMITS else self.name

    @property
    def by_key(self) -> bool:
        """Whether values match if and only if their keys are equal, so that blocks can be looked up."""
        return self.name in ("exact", "initial")


def find_comparator(function: str, argument: str, given: Any) -> Comparator:
    """The comparator with this name, or ``similar:0.85`` or ``edits:2``."""
    name, _, limit = given.partition(":") if isinstance(given, str) else (given, "", "")
    if name not in COMPARATORS:
        raise unknown_name(function, argument, str(given), COMPARATORS)
    if name in WITH_RAPIDFUZZ:
        _rapidfuzz(name)
    if not limit:
        return Comparator(name)
    pattern, number = LIMIT_RULES.get(name, ("", ""))
    if not pattern or not re.fullmatch(pattern, limit) or float(limit) == 0:
        must = f"a comparator, or {name}: with {number}" if pattern else f"a comparator; {name} has no limit"
        raise bad_argument(function, argument, must, given)
    return Comparator(name, float(limit))


def has_rapidfuzz() -> bool:
    """Whether texts can be compared by similarity here."""
    return find_spec("rapidfuzz") is not None


def _rapidfuzz(name: str) -> Any:
    try:
        from rapidfuzz import process
    except ImportError as error:
        message = f"comparator {name!r} requires rapidfuzz, which is not installed: pip install rapidfuzz"
        raise SingleoutError(message) from error
    return process


def normalise_text(value: Any, spellings: Words) -> str:
    """A value in the form in which it is compared: NFKC, case-folded, single spaces, words in their standard spelling.

    Numbers are compared as they are written, whole floats as whole numbers; moments as ISO dates.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    text = " ".join(_compatible(text).split())
    # folding may leave letters that have a composed form
    return _compatible(spellings.fold(text) if spellings else text.casefold())


def _compatible(text: str) -> str:
    """Wide letters, ligatures and the like as plain ones (NFKC), so that text that reads the same compares equal."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


@dataclass(frozen=True, eq=False)
class Texts:
    """One column of both sides: the distinct texts of both together, and each row's number of it; -1 if missing."""

    texts: tuple[str, ...]
    released: Indices
    known: Indices

    @classmethod
    def of(cls, released: tuple[Indices, list[Any]], known: tuple[Indices, list[Any]], spellings: Words) -> Texts:
        """From codes and values of each side. Empty text counts as missing."""
        plain = [
            [None if value is None else normalise_text(value, spellings) for value in side[1]]
            for side in (released, known)
        ]
        texts = sorted({text for side in plain for text in side if text})
        number: dict[str | None, int] = {text: code for code, text in enumerate(texts)}
        codes = [
            np.array([*(number.get(text, -1) for text in side), -1], dtype=np.intp)[rows]
            for side, (rows, _) in zip(plain, (released, known), strict=True)
        ]
        return cls(tuple(texts), *codes)

    @classmethod
    def read(cls, function: str, argument: str, tables: tuple[Table, Table], name: str, spellings: Words) -> Texts:
        """A column of two tables in the form in which it is compared."""
        sides = []
        for side, table in zip(SIDES, tables, strict=True):
            table.source.column(function, argument, name, side)
            (column,) = table.encode([name])
            sides.append((column.codes.astype(np.intp), [*column.values.tolist(), None]))
        return cls.of(sides[0], sides[1], spellings)

    def take(self, released: Indices, known: Indices) -> Texts:
        """Only these rows, in this order."""
        return Texts(self.texts, self.released[released], self.known[known])

    def __repr__(self) -> str:
        return (
            f"Texts({len(self.texts):,} distinct, {len(self.released):,} released and {len(self.known):,} known rows)"
        )

    @cached_property
    def objects(self) -> NDArray[np.object_]:
        """The texts, to take many of them at once."""
        return np.array(self.texts, dtype=object)

    @cached_property
    def initials(self) -> Indices:
        """A number for the first letter of each text."""
        first = sorted({text[0] for text in self.texts})
        number = {letter: code for code, letter in enumerate(first)}
        return np.array([*(number[text[0]] for text in self.texts), -1], dtype=np.intp)

    @cached_property
    def letters(self) -> tuple[NDArray[np.uint8], Indices, NDArray[np.uint64]]:
        """All texts in one row of bytes, where each starts, and a bit for every letter it uses."""
        packed = [text.encode() for text in self.texts]
        starts = np.concatenate([[0], np.cumsum([len(text) for text in packed], dtype=np.intp)]).astype(np.intp)
        used = [sum({1 << (letter % 64) for letter in text}) for text in packed]
        return np.frombuffer(b"".join(packed), np.uint8), starts, np.array(used, dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Field:
    """A column of both sides and how its values are compared. Missing values match nothing."""

    comparator: Comparator
    column: Texts

    def keys(self) -> tuple[Indices, Indices]:
        """For a comparator by key: the key of each row on both sides, -1 if there is none."""
        released, known = self.column.released, self.column.known
        if self.comparator.name == "exact":
            return released, known
        return self.column.initials[released], self.column.initials[known]

    def matches(self, rows: Indices, others: Indices) -> NDArray[np.bool_]:
        """Which of these pairs of people match in this field."""
        if self.comparator.by_key:
            mine, theirs = self.keys()
            return np.asarray((mine[rows] >= 0) & (mine[rows] == theirs[others]))
        texts, other_texts = self.column.released[rows], self.column.known[others]
        if self.comparator.name == "contains":
            found: NDArray[np.bool_] = one_within_the_other(texts, other_texts, *self.column.letters)
            return found
        return self._match_texts(texts, other_texts)

    def _match_texts(self, texts: Indices, others: Indices) -> NDArray[np.bool_]:
        """Each pair of texts is compared once, however many people have them."""
        there = (texts >= 0) & (others >= 0)
        found = np.zeros(len(texts), dtype=bool)
        mine, which = _distinct(texts[there], len(self.column.texts))
        theirs, other_which = _distinct(others[there], len(self.column.texts))
        if len(mine) * len(theirs) <= len(which):
            found[there] = self._compare(mine, theirs, every=True)[which, other_which]
            return found
        pairs, which = np.unique(which * len(theirs) + other_which, return_inverse=True)
        chosen = mine[pairs // len(theirs)], theirs[pairs % len(theirs)]
        found[there] = self._compare(*chosen, every=False)[which]
        return found

    def _compare(self, mine: Indices, theirs: Indices, *, every: bool) -> NDArray[np.bool_]:
        """Which texts match: every text with every other, or pair by pair."""
        from rapidfuzz.distance import OSA, JaroWinkler

        process, limit = _rapidfuzz(self.comparator.name), self.comparator.limit
        sides = [self.column.objects[side].tolist() for side in (mine, theirs)]
        compare = process.cdist if every else process.cpdist
        if self.comparator.name == "edits":
            distance = compare(*sides, scorer=OSA.distance, dtype=np.int32, score_cutoff=int(limit))
            return np.asarray(distance <= limit)
        similarity = compare(*sides, scorer=JaroWinkler.similarity, dtype=np.float64, score_cutoff=limit)
        return np.asarray(similarity >= limit)


def _distinct(codes: Indices, number: int) -> tuple[Indices, Indices]:
    """The codes that occur, and the position of each among them."""
    occurs = np.zeros(number, dtype=bool)
    occurs[codes] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[codes]
