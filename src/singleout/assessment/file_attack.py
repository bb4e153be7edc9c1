"""The same attack on the file that every protection would write, with knowledge from outside and from inside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from textwrap import wrap
from typing import Any, TypedDict

import numpy as np
from scipy import sparse

from singleout.assessment.file_attempts import FoundInFile
from singleout.assessment.inside_knowledge import known_half, people_known
from singleout.assessment.noise_attack import note_drawn
from singleout.assessment.protections import Protection, Trial, apply_protection
from singleout.assessment.written_file import WrittenFile, attack_with_any, written_file
from singleout.ground.errors import DataError, bad_argument
from singleout.ground.lazy import cached_property
from singleout.ground.notes import Note
from singleout.ground.plain_data import Count, NotNegative, Share, ShareOrNone
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.utility import Utility, utility
from singleout.protection.group_release import release_groups
from singleout.protection.microaggregation import Clusters
from singleout.protection.released_file import type_like
from singleout.reading.events import Events
from singleout.similarity.registry import Compared, similarities_to_try
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable
from singleout.statistics.levels import Levels

Side = Events | Histograms
ALL_LOST = 1.0
"""The loss of a protection that leaves everyone the same."""
MOST_EMPTIED = 0.1
"""Share of people left with nothing above which a protection is not recommended."""
LARGE = 10_000
"""People from which on protections are tried on some of them, and the one recommended on everyone."""
LABEL = 18
"""Width of names and strengths, so that a row fits a terminal of 80 columns."""


class PointRow(TypedDict):
    """One protection at one strength, one number a column."""

    protection: str
    strength: str | None
    outside: Share
    outside_low: Share
    outside_high: Share
    inside: ShareOrNone
    inside_low: ShareOrNone
    inside_high: ShareOrNone
    random: Share
    attack: str
    guarantee: ShareOrNone
    smallest_group: Count
    group_level: Share
    loss: NotNegative
    popularity_error: Share
    top_kept: Share
    emptied: NotNegative
    on_frontier: bool
    recommended: bool


@dataclass(frozen=True)
class Point:
    """One protection at one strength: what the strongest attack finds in the file it writes, and what is lost.

    ``outside`` is with knowledge from another period, ``inside`` with knowledge that the file contains (None where
    there is none to try). ``guarantee``: where everyone shares their row with others, no attack can be right for more
    than this share on average; ``smallest`` is the least number of people who share a row. ``random`` is what guessing
    at random would reach of ``outside``. ``attack`` is the strongest of all, ``outside_attack`` that of ``outside``.
    ``notes`` are those of what is released: what was left out, merged, cut or emptied.
    """

    protection: str
    strength: Any
    outside: Estimate
    inside: Estimate | None
    cluster_level: Estimate
    random: float
    attack: str
    smallest: int
    guarantee: float | None
    utility: Utility
    notes: tuple[Note, ...]
    on_frontier: bool = False
    recommended: bool = False
    outside_attack: str = ""

    @property
    def rates(self) -> tuple[Estimate, ...]:
        """What was measured: outside, and inside where there is one."""
        return (self.outside,) if self.inside is None else (self.outside, self.inside)

    @property
    def risk(self) -> Estimate:
        """The larger of the two: what a limit is held against."""
        return max(self.rates, key=lambda rate: rate.value)

    @property
    def upper(self) -> float:
        """What the risk is within: the upper ends of both intervals, or the guarantee where that is less."""
        measured = max(rate.high for rate in self.rates)
        return measured if self.guarantee is None else min(measured, self.guarantee)

    def is_guaranteed(self, limit: float) -> bool:
        """Whether the limit is met whatever the attack, on average."""
        return self.guarantee is not None and self.guarantee <= limit

    def is_enough(self, limit: float, people: int) -> bool:
        """Whether it may be recommended: within the limit, and enough of the data left."""
        return self.upper <= limit and self.loss < ALL_LOST and self.utility.emptied <= MOST_EMPTIED * people

    @property
    def loss(self) -> float:
        """The common loss."""
        return self.utility.loss

    def label(self) -> list[str]:
        """Name and strength, in as many lines as they need."""
        return wrap(self.protection if self.strength is None else f"{self.protection} {self.strength}", LABEL)

    def as_row(self) -> PointRow:
        """Plain data, one number a column."""
        return {
            "protection": self.protection,
            "strength": None if self.strength is None else str(self.strength),
            "outside": self.outside.value,
            "outside_low": self.outside.low,
            "outside_high": self.outside.high,
            "inside": None if self.inside is None else self.inside.value,
            "inside_low": None if self.inside is None else self.inside.low,
            "inside_high": None if self.inside is None else self.inside.high,
            "random": self.random,
            "attack": self.attack,
            "guarantee": self.guarantee,
            "smallest_group": self.smallest,
            "group_level": self.cluster_level.value,
            "loss": self.utility.loss,
            "popularity_error": self.utility.popularity_error,
            "top_kept": self.utility.top_kept,
            "emptied": self.utility.emptied,
            "on_frontier": self.on_frontier,
            "recommended": self.recommended,
        }


@dataclass(frozen=True, eq=False)
class Column:
    """One setting of the attack: what is written, parts of which the intruder knows any one, and who is who."""

    written: Side
    parts: Sequence[Side | None]
    truth: Mapping[Any, Any] | None
    given: tuple[Histograms, ...] | None = None

    @cached_property
    def counts(self) -> Histograms:
        """What is written, as histograms."""
        return _count(self.written) if self.given is None else self.given[0]

    @cached_property
    def known(self) -> tuple[Histograms, ...]:
        """What is known, as histograms."""
        if self.given is not None:
            return self.given[1:]
        return tuple(known_half(self.counts) if part is None else _count(part) for part in self.parts)

    @cached_property
    def partners(self) -> tuple[dict[Any, Any], ...]:
        """For each part the known person of each person written who is known."""
        return tuple(self._partners(known) for known in self.known)

    def counted(self) -> Column:
        """The same as histograms, which is all that attacks need: events are queries, and cannot leave this process."""
        column = Column(self.counts, self.known, self.truth, (self.counts, *self.known))
        column.partners  # noqa: B018 - computed once, before several threads ask for it at the same time
        return column

    def _partners(self, known: Histograms) -> dict[Any, Any]:
        people = people_known(known)
        if self.truth is not None:
            there = set(people.tolist())
            return {mine: theirs for mine, theirs in self.truth.items() if theirs in there}
        mine, theirs = comparable(self.counts.people, people)
        _, rows, others = np.intersect1d(mine, theirs, return_indices=True)
        return dict(zip(self.counts.people[rows].tolist(), people[others].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Protected:
    """What a protection makes of a column: the file, what each part may be compared as, merged places.

    ``written`` is the file as read back, ``rows`` what it was written from.
    """

    rows: Histograms
    written: WrittenFile
    knowledge: tuple[tuple[Histograms, ...], ...]
    coarser: dict[Any, Any] | None


@dataclass(frozen=True, eq=False)
class Tried:
    """One protection at one strength: the files of each column, repeat by repeat."""

    protection: str
    strength: Any
    files: Sequence[Sequence[Protected]]
    is_protected: bool = True
    """False: the data as it is."""

    def forget_attacks(self) -> None:
        """Give back the memory of sides that were prepared: they refer to each other, and would stay for long."""
        for file in (file for row in self.files for file in row):
            file.written.attempts.clear()


@dataclass(frozen=True, eq=False)
class Candidate:
    """A point, its protection (None: the data as it is), and the files it was measured on, where they were kept."""

    point: Point
    protection: Protection | None
    files: Tried | None


@dataclass(frozen=True, eq=False)
class FileAttack:
    """The same attack on every file."""

    columns: Sequence[Column]
    similarities: tuple[Compared, ...]
    levels: Levels | None
    repeats: int
    confidence_level: float
    seed: int
    progress: bool | None
    independent: float = 1.0
    """Share of people who count as independent where halves are not attacked."""
    scouts: int | None = None
    """People on whom the strongest attack is chosen, where there are many; None: all attacks on everyone."""

    def protect(self, protection: Protection | None, strength: Any) -> Tried:
        """The files that the protection would write: of each column, once for each repeat."""
        files = [
            [self._protect(column, protection, strength, self.seed + number) for number in range(self.repeats)]
            for column in self.columns
        ]
        return Tried("none" if protection is None else protection.name, strength, files, protection is not None)

    def measure(self, tried: Tried, similarities: Sequence[Compared], *, halves: bool = False) -> Point:
        """What the strongest attack finds in the files of a protection, mean over the repeats, and what is lost."""
        found = [
            # halves of the first repeat tell for all
            [self._find(column, file, similarities, halves and file is row[0]) for file in row]
            for column, row in zip(self.columns, tried.files, strict=True)
        ]
        rates = [self._mean(row).rate(self.confidence_level, self.independent) for row in found]
        last = self._mean(found[-1])
        strongest = [max(row, key=attrgetter("share")) for row in found]
        best = max(strongest, key=attrgetter("share"))
        # the last column is the file that would be written
        whole, rows = self.columns[-1].counts, tried.files[-1]
        lost = [utility(whole, file.rows, coarser=file.coarser) for file in rows]
        smallest = min(int(file.written.classes.size.min()) for row in tried.files for file in row)
        most = max(each.most for row in found for each in row)
        drawn = min(filter(None, (each.partly for row in found for each in row)), default=None)
        return Point(
            tried.protection,
            tried.strength,
            outside=rates[0],
            inside=rates[1] if len(rates) > 1 else None,
            cluster_level=wilson(min(last.groups, last.people), last.people, self.confidence_level),
            random=1 / strongest[0].people,
            attack=best.in_words(),
            outside_attack=strongest[0].in_words(),
            smallest=smallest,
            guarantee=most if smallest > 1 else None,
            utility=_mean_utility(lost),
            notes=(*rows[0].rows.notes, *note_drawn(drawn)),
        )

    def recommend(self, points: list[Point], limit: float, candidates: Sequence[Candidate]) -> list[Point]:
        """Attack the cheapest point within the limit again by all similarities, and mark the first that stays there.

        ``candidates`` are the points within the limit, with their files, where they were kept. Nothing is left out,
        however many people there are.
        """
        people = max(len(self.columns[-1].counts), 1)
        every = similarities_to_try(self.columns[-1].counts, self.levels)
        final = replace(self, scouts=None)
        # guaranteed ones first: they need no measurement to be believed
        order = sorted(candidates, key=lambda each: (not each.point.is_guaranteed(limit), each.point.loss))
        for candidate in order:
            files = candidate.files or self.protect(candidate.protection, candidate.point.strength)
            again = final.measure(files, every, halves=True)
            kept = replace(again, recommended=again.is_enough(limit, people))
            points = [kept if each is candidate.point else each for each in points]
            if kept.recommended:
                break
        return points

    def _protect(self, column: Column, protection: Protection | None, strength: Any, seed: int) -> Protected:
        if protection is None:
            return self._write(column, column.counts, tuple((known,) for known in column.known), None, noisy=False)
        mine: Any = column.written if protection.on_events else column.counts
        parts: Sequence[Any] = column.parts if protection.on_events else column.known
        trial = Trial(mine, parts[0], seed)
        done = apply_protection(protection, mine, strength, trial)
        rows = _count(_protect_side(done, column.counts, seed))
        if rows.people.tolist() != column.counts.people.tolist():
            raise bad_argument("Protection", "apply", "a function that keeps all people", f"{len(rows):,} people")
        knowledge = []
        for part, known in zip(parts, column.known, strict=True):
            tried = [known]
            if protection.intruder_applies_it and part is None:
                tried.append(known_half(rows))
            elif protection.intruder_applies_it:
                # of what is known nothing may be left
                with suppress(DataError):
                    theirs = apply_protection(protection, part, strength, replace(trial, known=part))
                    tried.append(_count(_protect_side(theirs, known, seed)))
            knowledge.append(tuple(tried))
        coarser = done.merged_places() if isinstance(done, Events) else _find_merges(protection, strength, trial, rows)
        return self._write(column, rows, tuple(knowledge), coarser, noisy=protection.adds_noise)

    def _write(
        self,
        column: Column,
        rows: Histograms,
        knowledge: tuple[tuple[Histograms, ...], ...],
        coarser: Any,
        *,
        noisy: bool,
    ) -> Protected:
        file = written_file(rows, _ending(column.written), self.seed, noisy=noisy)
        return Protected(rows, file, knowledge, coarser)

    def _find(self, column: Column, file: Protected, similarities: Sequence[Compared], halves: bool) -> FoundInFile:
        """What the strongest attack on a file finds."""
        parts = list(zip(file.knowledge, column.partners, strict=True))
        options: dict[str, Any] = {"seed": self.seed, "progress": self.progress, "halves": halves}
        return attack_with_any(file.written, parts, similarities=similarities, scouts=self.scouts, **options)

    def _mean(self, found: list[FoundInFile]) -> FoundInFile:
        """The first repeat with what is found over all of them."""
        expected, groups = (float(np.mean([getattr(each, what) for each in found])) for what in ("expected", "groups"))
        return replace(found[0], expected=expected, groups=groups)


def _count(side: Events | Histograms) -> Histograms:
    return side if isinstance(side, Histograms) else histograms(side)


def _ending(side: Events | Histograms) -> str:
    """The type of file that would be written."""
    return type_like(side.files if isinstance(side, Events) else ())


def _protect_side(side: Any, original: Histograms, seed: int) -> Events | Histograms:
    side = release_groups(original, side, seed=seed) if isinstance(side, Clusters) else side
    if not isinstance(side, Events | Histograms):
        must = "a function that returns Histograms, Events or Clusters"
        raise bad_argument("Protection", "apply", must, type(side).__name__)
    return side


def _mean_utility(found: list[Utility]) -> Utility:
    averaged = [field.name for field in fields(Utility) if field.name != "top"]
    means: dict[str, Any] = {name: float(np.mean([getattr(each, name) for each in found])) for name in averaged}
    return replace(found[0], **means)


def _find_merges(protection: Protection, strength: Any, trial: Trial, released: Any) -> dict[Any, Any] | None:
    """Which place each original place became: the protection is asked about people who were at one place each."""
    original = trial.released
    if not _merges(original, released):
        return None
    places = list(dict.fromkeys(original.places.tolist()))
    single = sparse.eye_array(len(places), dtype=np.int64)
    each = Histograms(single, range(len(places)), places, grid=original.grid)
    became = apply_protection(protection, each, strength, trial)
    column = np.asarray(became.counts.argmax(axis=1)).ravel()
    return dict(zip(places, became.places[column].tolist(), strict=True))


def _merges(original: Histograms, released: Histograms) -> bool:
    """Whether places were merged: under new names, in other cells, or where fewer places hold as many events."""
    if released.grid is not None and released.grid != original.grid:
        return True  # larger cells may go by numbers that smaller ones had
    fewer = released.number_of_places < original.number_of_places
    as_many = fewer and np.array_equal(released.totals, original.totals)
    return as_many or not set(released.places.tolist()) <= set(original.places.tolist())
