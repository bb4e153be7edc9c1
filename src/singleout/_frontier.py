"""Protect and attack again, at several strengths: which protection brings the risk down, and what it destroys."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from textwrap import shorten
from typing import Any

import numpy as np
from scipy import sparse

from singleout._written import FoundInFile, attack_with_any, known_half, written_file
from singleout.ground.errors import DataError, SingleoutError, bad_argument, check_level, check_seed, is_whole
from singleout.ground.notes import Note
from singleout.measures.intervals import wilson
from singleout.measures.utility import Utility, utility
from singleout.protection.group_release import release_groups
from singleout.protection.microaggregation import Clusters
from singleout.reading.events import Events
from singleout.report.frontier import Frontier, Point
from singleout.report.release import ending_of
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable
from singleout.weights.registry import BUILT_IN, STRONGER, weight_named

MOST_FOR_GLRT = 10_000
"""People above which glrt takes long."""
Side = Events | Histograms
LONGEST_STRENGTH = 60
"""Of a strength in an error: it may be a whole mapping."""


@dataclass(frozen=True)
class Trial:
    """What a protection may look at: both sides as they were, and a seed of its own.

    ``released`` and ``known`` are Histograms, or Events for a protection that works on events. ``seed`` is another for
    each repeat: hand it on to what draws lots, such as ``so.add_noise(x, epsilon=e, seed=trial.seed)``.
    """

    released: Any
    known: Any
    seed: int


@dataclass(frozen=True)
class Protection:
    """A protection to try at several strengths.

    ``apply(data, strength, trial)`` returns the protected data: Histograms, Events or Clusters. ``trial`` is a Trial:
    both sides as they were, and a seed. ``known_too``: the intruder may apply it to the known side too (coarsening,
    suppression, shortening), or gains nothing by it (micro-aggregation, noise); the stronger of both counts.
    ``on_events``: it works on events, before they are counted.
    """

    name: str
    strengths: Sequence[Any]
    apply: Callable[[Any, Any, Trial], Any]
    known_too: bool
    on_events: bool = False

    def __post_init__(self) -> None:
        listed = not isinstance(self.strengths, str) and isinstance(self.strengths, Iterable)
        for argument, right, must in (
            ("name", isinstance(self.name, str) and bool(self.name), "a word"),
            ("strengths", listed and len(tuple(self.strengths)) > 0, "a list of at least one strength"),
            ("apply", _takes_three(self.apply), "a function of data, strength and trial"),
            ("known_too", isinstance(self.known_too, bool), "True or False"),
            ("on_events", isinstance(self.on_events, bool), "True or False"),
        ):
            if not right:
                raise bad_argument("Protection", argument, must, type(getattr(self, argument)).__name__)


def _takes_three(apply: Any) -> bool:
    try:
        inspect.signature(apply).bind(None, None, None)
    except (TypeError, ValueError) as error:
        # what is not written in Python may not tell its arguments
        return callable(apply) and isinstance(error, ValueError)
    return True


def frontier(
    released: Events | Histograms,
    known: Events | Histograms,
    protections: Iterable[Protection],
    *,
    inside: tuple[Side, Sequence[Side | None]] | None = None,
    weight: str | Sequence[str] = "js",
    truth: Mapping[Any, Any] | None = None,
    repeats: int = 1,
    limit: float | None = None,
    level: float = 0.95,
    seed: int = 0,
    skip: bool = False,
    progress: bool | None = None,
) -> Frontier:
    """Attack the file that each protection would write, at each strength, ``repeats`` times with seeds of their own.

    The first point is the data as it is. Every file is written as ``protect`` writes it, read back, and attacked
    jointly and one by one in both directions, by every weight given, by an intruder who uses what they know as it is
    and with the same protection applied to it: the strongest counts. ``outside`` is what is found with ``known``,
    knowledge from another period; with ``inside`` (everything that would be written, and parts of it of which the
    intruder knows any one; None: each event with probability 1/2) the whole file is attacked as well with knowledge
    that it contains, and the strongest part counts. The risk is the larger of the two. Shares are of the people in the
    file whom the intruder knows. Intervals allow for people who are not independent of each other:
    halves of them are attacked again, in the data as it is and in what is recommended.

    Loss is the same for all protections, in the original places. With ``limit`` the protection of least loss that
    meets it is attacked again by all weights, and recommended if it still does. With ``skip`` a strength that leaves
    nothing to attack is left out and noted, instead of ending all.
    """
    protections = _checked(released, known, protections, repeats)
    check_level("frontier", level)
    check_seed("frontier", seed)
    weights = (weight,) if isinstance(weight, str) else tuple(weight)
    if not weights:
        raise bad_argument("frontier", "weight", "a weight, or several", weight)
    for each in weights:
        weight_named(each)
    columns = [Column(released, (known,), truth), *([] if inside is None else [Column(*inside, None)])]
    attack = _Attack(columns, weights, repeats, level, seed, progress)
    points = [attack.point(None, None, weights, halves=True)]
    attack = replace(attack, independent=min(rate.effective_share for rate in points[0].rates))
    left_out = []
    for protection, strength in ((each, strength) for each in protections for strength in each.strengths):
        try:
            with _named(protection, strength):
                points.append(attack.point(protection, strength, weights))
        except DataError as error:
            if not skip:
                raise
            left_out.append(Note(1, "strengths left out", str(error).removeprefix("frontier: ")))
    if limit is not None:
        points = attack.recommended(points, limit, protections)
    return Frontier(_marked(points), ", ".join(weights), repeats, seed, tuple(left_out))


def _checked(released: Any, known: Any, protections: Iterable[Protection], repeats: int) -> list[Protection]:
    for argument, side in (("released", released), ("known", known)):
        if not isinstance(side, Events | Histograms):
            raise bad_argument("frontier", argument, "Events or Histograms", type(side).__name__)
    listed = list(protections) if isinstance(protections, Iterable) else []
    if not listed or not all(isinstance(protection, Protection) for protection in listed):
        hint = "Even where there is one only." if isinstance(protections, Protection) else ""
        raise bad_argument("frontier", "protections", "a list of so.Protection", type(protections).__name__, hint)
    if not is_whole(repeats) or repeats < 1:
        raise bad_argument("frontier", "repeats", "a whole number above zero", repeats)
    for protection in listed:
        if protection.on_events and not (isinstance(released, Events) and isinstance(known, Events)):
            raise DataError(f"frontier: protection {protection.name!r} works on events; give Events for both sides.")
    return listed


@contextmanager
def _named(protection: Protection, strength: Any) -> Iterator[None]:
    """Errors inside say which protection at which strength they are about."""
    try:
        yield
    except SingleoutError as error:
        strong = shorten(str(strength), LONGEST_STRENGTH, placeholder=" …")
        raise type(error)(f"frontier: protection {protection.name!r} at strength {strong}: {error}") from error


@dataclass(frozen=True, eq=False)
class Column:
    """One setting of the attack: what is written, parts of which the intruder knows any one, and who is who."""

    written: Side
    parts: Sequence[Side | None]
    truth: Mapping[Any, Any] | None

    @cached_property
    def counts(self) -> Histograms:
        """What is written, as histograms."""
        return _counted(self.written)

    @cached_property
    def known(self) -> tuple[Histograms, ...]:
        """What is known, as histograms."""
        return tuple(known_half(self.counts) if part is None else _counted(part) for part in self.parts)

    @cached_property
    def partners(self) -> tuple[dict[Any, Any], ...]:
        """For each part the known person of each person written who is known."""
        return tuple(self._partners(known) for known in self.known)

    def _partners(self, known: Histograms) -> dict[Any, Any]:
        if self.truth is not None:
            there = set(known.people.tolist())
            return {mine: theirs for mine, theirs in self.truth.items() if theirs in there}
        mine, theirs = comparable(self.counts.people, known.people)
        _, rows, others = np.intersect1d(mine, theirs, return_indices=True)
        return dict(zip(self.counts.people[rows].tolist(), known.people[others].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Protected:
    """What a protection makes of a column: what is written, what each part may be compared as, merged places."""

    rows: Histograms
    knowledge: tuple[tuple[Histograms, ...], ...]
    coarser: dict[Any, Any] | None


@dataclass(frozen=True, eq=False)
class _Attack:
    """The same attack on every file."""

    columns: Sequence[Column]
    weights: tuple[str, ...]
    repeats: int
    level: float
    seed: int
    progress: bool | None
    independent: float = 1.0
    """Share of people who count as independent where halves are not attacked."""

    def point(
        self, protection: Protection | None, strength: Any, weights: Sequence[str], *, halves: bool = False
    ) -> Point:
        """What the strongest attack finds in the file of a protection, mean over the repeats, and what is lost."""
        trials = [
            [self._protected(column, protection, strength, self.seed + number) for number in range(self.repeats)]
            for column in self.columns
        ]
        found = [
            # halves of the first repeat tell for all
            [self._found(column, trial, weights, halves and trial is row[0]) for trial in row]
            for column, row in zip(self.columns, trials, strict=True)
        ]
        rates = [self._mean([each[0] for each in row]).rate(self.level, self.independent) for row in found]
        last = self._mean([each[0] for each in found[-1]])
        best = max((each[0] for row in found for each in row), key=lambda each: each.share)
        # the last column is the file that would be written
        whole, rows = self.columns[-1].counts, trials[-1]
        lost = [utility(whole, trial.rows, coarser=trial.coarser) for trial in rows]
        smallest = min(each[1] for row in found for each in row)
        most = max(each[0].most for row in found for each in row)
        return Point(
            "none" if protection is None else protection.name,
            strength,
            outside=rates[0],
            inside=rates[1] if len(rates) > 1 else None,
            cluster_level=wilson(min(last.groups, last.people), last.people, self.level),
            random=1 / best.people,
            attack=f"{best.attack} ({best.weight})",
            smallest=smallest,
            guarantee=most if smallest > 1 else None,
            utility=_mean_utility(lost),
            notes=rows[0].rows.notes,
        )

    def recommended(self, points: list[Point], limit: float, protections: Sequence[Protection]) -> list[Point]:
        """Attack the cheapest point within the limit again, by all weights; the first that stays there is marked."""
        people = max(len(self.columns[-1].counts), 1)
        every = tuple(name for name in (*BUILT_IN, *STRONGER) if name != "glrt" or people <= MOST_FOR_GLRT)
        candidates = [each for each in points[1:] if each.is_enough(limit, people)]
        # guaranteed ones first: they need no measurement to be believed
        for candidate in sorted(candidates, key=lambda each: (not each.is_guaranteed(limit), each.loss)):
            # several may go by one name: larger cells and levels of a hierarchy
            own = next(
                each
                for each in protections
                if each.name == candidate.protection and candidate.strength in tuple(each.strengths)
            )
            again = self.point(own, candidate.strength, every, halves=True)
            kept = replace(again, recommended=again.is_enough(limit, people))
            points = [kept if each is candidate else each for each in points]
            if kept.recommended:
                break
        return points

    def _protected(self, column: Column, protection: Protection | None, strength: Any, seed: int) -> Protected:
        if protection is None:
            return Protected(column.counts, tuple((known,) for known in column.known), None)
        mine: Any = column.written if protection.on_events else column.counts
        parts: Sequence[Any] = column.parts if protection.on_events else column.known
        trial = Trial(mine, parts[0], seed)
        done = protection.apply(mine, strength, trial)
        rows = _counted(_protected_side(done, column.counts, seed))
        if rows.people.tolist() != column.counts.people.tolist():
            raise bad_argument("Protection", "apply", "a function that keeps all people", f"{len(rows):,} people")
        knowledge = []
        for part, known in zip(parts, column.known, strict=True):
            tried = [known]
            if protection.known_too and part is None:
                tried.append(known_half(rows))
            elif protection.known_too:
                # of what is known nothing may be left
                with suppress(DataError):
                    theirs = protection.apply(part, strength, replace(trial, known=part))
                    tried.append(_counted(_protected_side(theirs, known, seed)))
            knowledge.append(tuple(tried))
        coarser = done.merged() if isinstance(done, Events) else _merged(protection, strength, trial, rows)
        return Protected(rows, tuple(knowledge), coarser)

    def _found(self, column: Column, trial: Protected, weights: Sequence[str], halves: bool) -> tuple[FoundInFile, int]:
        """What is found, and the smallest number of people who share a row."""
        file = written_file(trial.rows, _ending(column.written), self.seed)
        options: dict[str, Any] = {"weights": weights, "seed": self.seed, "progress": self.progress, "halves": halves}
        parts = list(zip(trial.knowledge, column.partners, strict=True))
        return attack_with_any(file, parts, **options), int(file.classes.size.min())

    def _mean(self, found: list[FoundInFile]) -> FoundInFile:
        """The first repeat with what is found over all of them."""
        expected, groups = (float(np.mean([getattr(each, what) for each in found])) for what in ("expected", "groups"))
        return replace(found[0], expected=expected, groups=groups)


def _counted(side: Events | Histograms) -> Histograms:
    return side if isinstance(side, Histograms) else histograms(side)


def _ending(side: Events | Histograms) -> str:
    """The type of file that would be written: that of the input, Parquet where there is none."""
    files = side.files if isinstance(side, Events) else ()
    return ending_of(files[0]) if files else ".parquet"


def _protected_side(side: Any, original: Histograms, seed: int) -> Events | Histograms:
    side = release_groups(original, side, seed=seed) if isinstance(side, Clusters) else side
    if not isinstance(side, Events | Histograms):
        must = "a function that returns Histograms, Events or Clusters"
        raise bad_argument("Protection", "apply", must, type(side).__name__)
    return side


def _mean_utility(found: list[Utility]) -> Utility:
    return Utility(*(float(np.mean([getattr(each, field.name) for each in found])) for field in fields(Utility)))


def _merged(protection: Protection, strength: Any, trial: Trial, released: Any) -> dict[Any, Any] | None:
    """Which place each original place became: the protection is asked about people who were at one place each."""
    original = trial.released
    if not _merges(original, released):
        return None
    places = list(dict.fromkeys(original.places.tolist()))
    single = sparse.eye_array(len(places), dtype=np.int64)
    became = protection.apply(Histograms(single, range(len(places)), places, grid=original.grid), strength, trial)
    column = np.asarray(became.counts.argmax(axis=1)).ravel()
    return dict(zip(places, became.places[column].tolist(), strict=True))


def _merges(original: Histograms, released: Histograms) -> bool:
    """Whether places were merged: under new names, in other cells, or where fewer places hold as many events."""
    if released.grid is not None and released.grid != original.grid:
        return True  # larger cells may go by numbers that smaller ones had
    fewer = released.number_of_places < original.number_of_places
    as_many = fewer and np.array_equal(released.totals, original.totals)
    return as_many or not set(released.places.tolist()) <= set(original.places.tolist())


def _marked(points: list[Point]) -> tuple[Point, ...]:
    """Points that no other beats: none has less risk at no more loss, or less loss at no more risk."""

    def beaten(point: Point) -> bool:
        here = point.risk.value, point.utility.loss
        others = ((other.risk.value, other.utility.loss) for other in points)
        return any(there[0] <= here[0] and there[1] <= here[1] and there != here for there in others)

    return tuple(replace(point, on_frontier=not beaten(point)) for point in points)
