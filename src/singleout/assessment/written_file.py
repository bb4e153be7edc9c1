"""The protected file itself, attacked: written as it would leave the building, read back, matched with what is known.

One mechanism for the audit, the frontier and ``protect``. The intruder knows the method and its strength, tries the
file against what they know as it is and with the same protection applied to it, jointly and one by one in both
directions, with several similarities; the strongest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from singleout.ground.errors import DataError
from singleout.ground.leftovers import WorkingFolder
from singleout.matching.matching import PreparedSides
from singleout.matching.result import Matching
from singleout.measures.accuracy import accuracy
from singleout.measures.intervals import Estimate, wilson, with_effective_share
from singleout.protection.pseudonyms import release_table
from singleout.protection.released_file import release_name, write_table
from singleout.protection.suppression import suppress
from singleout.reading.events import Events, read_events
from singleout.reading.split import split
from singleout.similarity.registry import Compared
from singleout.statistics.classes import Classes, classes_of, row_digests
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable

WAYS = (
    ("joint", "released", "joint matching"),
    ("one-by-one", "released", "one-by-one matching for each released person"),
    ("one-by-one", "known", "one-by-one matching for each known person"),
)
"""Matchings that are tried, the side each goes by, and both in words."""

CHANCE = "guessing at random"


@dataclass(frozen=True, eq=False)
class WrittenFile:
    """A protected file as read back: rows under pseudonyms, and the key to them, which only its maker has."""

    rows: Histograms
    key: dict[Any, Any]

    @cached_property
    def classes(self) -> Classes:
        """People by identical rows."""
        shares = self.rows.counts
        return classes_of(row_digests(shares.indptr, shares.indices, shares.data), self.rows.people)


@dataclass(frozen=True)
class FoundInFile:
    """What the strongest attack on a file finds: people expected to be re-identified, of how many, and how.

    ``people`` are those in the file whom the intruder knows; people left with nothing are not in it. ``most``: no
    attack can be right for more of them on average, since people with identical rows are a draw. ``groups`` are the
    people whose group of identical rows is found by joint matching. ``independent`` is the share of people who count
    as independent of each other, by half-sampling; None where halves were not matched.
    """

    expected: float
    groups: float
    people: int
    most: float
    attack: str
    similarity: str
    independent: float | None = None
    matching: Matching | None = field(default=None, repr=False, compare=False)
    truth: Mapping[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def in_words(self) -> str:
        """The attack and the similarity."""
        return f"{self.attack}, {self.similarity}" if self.similarity else self.attack

    def with_halves(self, progress: bool | None) -> FoundInFile:
        """The same attack on random halves of the people, for its interval."""
        if self.matching is None:
            return self
        rate = accuracy(self.matching, self.truth, intervals="half-sampling", progress=progress).rate
        return replace(self, independent=rate.effective_share)

    @property
    def share(self) -> float:
        """Of the people known."""
        return self.expected / self.people

    def rate(self, confidence_level: float, independent: float = 1.0) -> Estimate:
        """The share of people re-identified; ``independent`` where halves of this attack were not matched."""
        own = independent if self.independent is None else self.independent
        return with_effective_share(wilson(min(self.expected, self.people), self.people, confidence_level), own)


def written_file(protected: Histograms, ending: str, seed: int) -> WrittenFile:
    """Write the file, read it back, and forget it."""
    table, key = release_table(protected, seed)
    with WorkingFolder() as folder:
        path = Path(folder) / release_name(ending)
        write_table(table, path)
        rows = histograms(read_events(path, user="person", place="place", count="share"))
    names = rows.people.tolist()
    told = dict(zip(key["person"].to_pylist(), key["id"].to_pylist(), strict=True))
    return WrittenFile(replace(rows, grid=protected.grid), {name: told[int(name)] for name in names})


def attack_file(
    file: WrittenFile,
    knowledge: Sequence[Histograms],
    *,
    truth: Mapping[Any, Any],
    similarities: Sequence[Compared],
    seed: int,
    progress: bool | None,
) -> FoundInFile:
    """Try everything on a file; ``truth`` names the known person of each person of the original."""
    there = {name: truth[person] for name, person in file.key.items() if person in truth}
    different = len(np.unique(file.classes.label[np.isin(file.rows.people, list(there))]))
    best = FoundInFile(1.0, 0.0, len(there), min(1.0, different / len(there)), CHANCE, "", truth=there)
    groups = 0.0
    for known in _tried_knowledge(file, knowledge):
        sides = PreparedSides(file.rows, known, seed=seed, progress=progress)
        for similarity in similarities:
            for method, by, attack in WAYS:
                matching = sides.match(similarity, method=method, by=by)
                expected = accuracy(matching, there).expected
                if method == "joint":
                    labels = matching.chances.released.label
                    groups = max(groups, accuracy(matching, there, clusters=labels).expected)
                if expected > best.expected:
                    best = replace(
                        best, expected=expected, attack=attack, similarity=similarity.name, matching=matching
                    )
    return replace(best, groups=groups)


def attack_with_any(
    file: WrittenFile,
    parts: Sequence[tuple[Sequence[Histograms], Mapping[Any, Any]]],
    *,
    similarities: Sequence[Compared],
    seed: int,
    progress: bool | None,
    halves: bool = False,
) -> FoundInFile:
    """The strongest attack of an intruder who knows any one of several parts: knowledge and who is who of each.

    Every part is tried with the first similarity; the one that finds most goes on to all of them. With ``halves`` the
    strongest attack is carried out again on random halves of the people, for its interval.
    """
    options: dict[str, Any] = {"seed": seed, "progress": progress}
    there = set(file.key.values())
    parts = [(knowledge, truth) for knowledge, truth in parts if not there.isdisjoint(truth)]
    if not parts:
        raise DataError("nobody who is known is left in the file.")
    found = [attack_file(file, each, truth=truth, similarities=similarities[:1], **options) for each, truth in parts]
    first = max(range(len(parts)), key=lambda number: found[number].share)
    best = found[first]
    if len(similarities) > 1:
        knowledge, truth = parts[first]
        others = attack_file(file, knowledge, truth=truth, similarities=similarities[1:], **options)
        strongest = max(best, others, key=lambda each: each.expected)
        best = replace(strongest, groups=max(best.groups, others.groups))
    best = best.with_halves(progress) if halves else best
    return replace(best, most=max(each.most for each in found), matching=None)


def _tried_knowledge(file: WrittenFile, knowledge: Sequence[Histograms]) -> Iterator[Histograms]:
    """What is known as it is, and, with the protection applied where that can be, at the places of the file only.

    Which places are left anyone can see in the file; the others only blur the comparison.
    """
    last = knowledge[-1]
    for known in knowledge[:-1] or (last,):
        if _meet(file.rows, known):
            yield known
    if _meet(file.rows, last):
        left = suppress(last, keep=file.rows.number_of_places, popularity=[file.rows])
        if len(knowledge) > 1 or left.number_of_places < last.number_of_places:
            yield left


def _meet(rows: Histograms, known: Histograms) -> bool:
    """Whether there is a place to compare them by."""
    return known.grid == rows.grid and bool(np.intersect1d(*comparable(rows.places, known.places)).size)


def known_parts(events: Events) -> tuple[Events | None, ...]:
    """Parts of what a file contains, any of which an intruder may know.

    The first half of each person's active weeks, the second half, and (None) each event with probability one half;
    where time does not divide the log only the last.
    """
    if "clock" not in events.log.columns:
        return (None,)
    try:
        return (*split(events, by="halves", seed=0), None)
    except DataError:
        return (None,)


def inside_knowledge(logs: Sequence[Events], sides: Sequence[Events]) -> tuple[Events, tuple[Events | None, ...]]:
    """All that would be written, and parts of it of which the intruder knows any one; None: half of the events.

    One log was split into ``sides``; of two the first is written.
    """
    return logs[0], (*sides, None) if len(logs) == 1 else known_parts(logs[0])


def known_half(counts: Histograms) -> Histograms:
    """Each event with probability one half, the other knowledge of what a file contains; of amounts, half the cells."""
    order = np.argsort(counts.people, kind="stable")
    kept = counts.counts[order].copy()
    rng = np.random.default_rng(0)
    kept.data = rng.binomial(kept.data, 0.5) if kept.dtype.kind == "i" else kept.data * rng.integers(0, 2, kept.nnz)
    back = np.argsort(order, kind="stable")
    return replace(counts, counts=kept[back])
