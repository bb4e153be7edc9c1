"""Protect and attack again, at several strengths: which protection brings the risk down, and what it destroys."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from textwrap import shorten
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.errors import DataError, SingleoutError, bad_argument, check_level, check_seed, is_whole
from singleout.ground.notes import Note
from singleout.matching.result import match
from singleout.measures.accuracy import Accuracy, accuracy
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.utility import Utility, utility
from singleout.protection.microaggregation import Clusters
from singleout.reading.events import Events
from singleout.report.frontier import Frontier, Point
from singleout.statistics.histograms import Histograms, histograms
from singleout.weights.registry import weight_named

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
    both sides as they were, and a seed. ``known_too``: the intruder applies it to the known side too (coarsening,
    suppression, shortening), or cannot (micro-aggregation, noise). ``on_events``: it works on events, before they are
    counted.
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
    weight: str | Sequence[str] = "js",
    truth: Mapping[Any, Any] | None = None,
    repeats: int = 1,
    level: float = 0.95,
    seed: int = 0,
    skip: bool = False,
    progress: bool | None = None,
) -> Frontier:
    """Run joint matching against each protection at each strength, ``repeats`` times with seeds of their own.

    The first point is the data as it is. Risk is the share of people identified (user-level), and of those whose group
    of identical released rows is (cluster-level), by the strongest weight at each point where several are given. Loss
    is the same for all protections, in the original places. With ``skip`` a strength that leaves nothing to attack is
    left out and noted, instead of ending all.
    """
    protections = _checked(released, known, protections, repeats)
    check_level("frontier", level)
    check_seed("frontier", seed)
    weights = (weight,) if isinstance(weight, str) else tuple(weight)
    if not weights:
        raise bad_argument("frontier", "weight", "a weight, or several", weight)
    for each in weights:
        weight_named(each)
    attack = _Attack(released, known, weights, truth, level, progress)
    points = [attack.point("none", None, [(*attack.originals, None)], seed)]
    left_out = []
    for protection, strength in ((each, strength) for each in protections for strength in each.strengths):
        try:
            with _named(protection, strength):
                trials = [attack.protected(protection, strength, seed + number) for number in range(repeats)]
                points.append(attack.point(protection.name, strength, trials, seed))
        except DataError as error:
            if not skip:
                raise
            left_out.append(Note(1, "strengths left out", str(error).removeprefix("frontier: ")))
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
class _Attack:
    """The same attack on whatever is released."""

    released: Events | Histograms
    known: Events | Histograms
    weights: tuple[str, ...]
    truth: Mapping[Any, Any] | None
    level: float
    progress: bool | None

    @cached_property
    def originals(self) -> tuple[Histograms, Histograms]:
        return self.counted(self.released), self.counted(self.known)

    def counted(self, side: Events | Histograms) -> Histograms:
        return side if isinstance(side, Histograms) else histograms(side, progress=self.progress)

    def protected(
        self, protection: Protection, strength: Any, seed: int
    ) -> tuple[Histograms, Histograms, dict[Any, Any] | None]:
        """Both sides as the intruder has them, and the merged place of each original place where places were merged."""
        sides: tuple[Any, Any] = (self.released, self.known) if protection.on_events else self.originals
        trial = Trial(*sides, seed)
        mine = protection.apply(sides[0], strength, trial)
        theirs = protection.apply(sides[1], strength, trial) if protection.known_too else sides[1]
        shapes = [_protected_side(side) for side in (mine, theirs)]
        counted = self.counted(shapes[0])
        if counted.people.tolist() != self.originals[0].people.tolist():
            raise bad_argument("Protection", "apply", "a function that keeps all people", f"{len(counted):,} people")
        coarser = mine.merged() if isinstance(mine, Events) else _merged(protection, strength, trial, shapes[0])
        return counted, self.counted(shapes[1]), coarser

    def point(self, name: str, strength: Any, trials: list[tuple[Histograms, Histograms, Any]], seed: int) -> Point:
        """Mean over the trials of what the strongest attack finds and what is lost."""
        tried = [
            [self._found(released, known, weight, seed) for released, known, _ in trials] for weight in self.weights
        ]
        users, clusters = (max(([pair[k] for pair in found] for found in tried), key=_expected) for k in (0, 1))
        user_level, cluster_level = (_mean_rate(found, self.level) for found in (users, clusters))
        lost = [utility(self.originals[0], released, coarser=coarser) for released, _, coarser in trials]
        return Point(
            name,
            strength,
            user_level,
            cluster_level,
            random=float(np.mean([found.random for found in users])),
            cluster_random=float(np.mean([found.random for found in clusters])),
            utility=_mean_utility(lost),
            notes=trials[0][0].notes,
            on_frontier=False,
        )

    def _found(self, released: Histograms, known: Histograms, weight: str, seed: int) -> tuple[Accuracy, Accuracy]:
        """People, and groups of identical released rows."""
        matching = match(released, known, weight=weight, seed=seed, progress=self.progress)
        groups = matching.chances.released.label
        return (
            accuracy(matching, self.truth, level=self.level),
            accuracy(matching, self.truth, clusters=groups, level=self.level),
        )


def _protected_side(side: Any) -> Events | Histograms:
    side = side.protected if isinstance(side, Clusters) else side
    if not isinstance(side, Events | Histograms):
        must = "a function that returns Histograms, Events or Clusters"
        raise bad_argument("Protection", "apply", must, type(side).__name__)
    return side


def _expected(found: list[Accuracy]) -> float:
    return float(np.mean([each.expected for each in found]))


def _mean_rate(found: list[Accuracy], level: float) -> Estimate:
    common = found[0].common
    return wilson(min(_expected(found), common), common, level)


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
        here = point.user_level.value, point.utility.loss
        others = ((other.user_level.value, other.utility.loss) for other in points)
        return any(there[0] <= here[0] and there[1] <= here[1] and there != here for there in others)

    return tuple(replace(point, on_frontier=not beaten(point)) for point in points)
