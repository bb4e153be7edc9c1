"""The path, from top to bottom: read, split, summarise, weigh, match, measure, protect, tell.

``audit`` is all of singleout in one call. What it does with a table of records is in ``_audit_table.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from singleout._audit_options import COLUMNS, AuditOptions
from singleout._audit_table import audit_table
from singleout._frontier import Protection, frontier
from singleout._ladder import ladder
from singleout._release import Steps, protections
from singleout.ground.errors import DataError, InputError, SourceError, bad_argument
from singleout.ground.notes import Note, number_of
from singleout.ground.progress import stage
from singleout.matching.result import Matching, assign, match
from singleout.measures.accuracy import accuracy
from singleout.measures.anonymity import anonymity
from singleout.measures.extrapolation import extrapolated
from singleout.measures.intervals import wilson
from singleout.measures.reasons import Found, by_popularity, found_people, learnt, strongest_reasons
from singleout.measures.selection import precision_by_margin
from singleout.measures.unicity import unicity
from singleout.reading.events import Events, read_events
from singleout.reading.sources import open_source
from singleout.reading.split import split
from singleout.report.audit import (
    DEFAULT_LIMIT,
    UNTOLD,
    AtRisk,
    Attempt,
    Audit,
    Cause,
    Curve,
    Reason,
    Remedy,
    Size,
    Step,
    about,
    at_least,
    guessed,
    sizes_to_try,
)
from singleout.report.audit_words import assumptions_of_events, causes_in_words, remedy_in_words, tests_of_events
from singleout.report.frontier import Frontier
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable
from singleout.statistics.moves import own_moves, typical_days
from singleout.statistics.networks import Networks, networks
from singleout.weights.graph_scores import graph_scores
from singleout.weights.registry import BUILT_IN

SURE = 0.95
"""How often the pairs that a careful intruder acts on must be right."""
SLOW = 10_000
"""People above which glrt and the shape of movements take long: left out unless asked for."""
SHAPE, SHAPE_PLACES, SMALL_SHAPE = "dsp", 200, 10
MOST_DRAWS = 20
MOST_NOISY = 6_000_000
"""People times places above which noise, which falls on every one of them, takes too long to try unasked."""
REASONS = 3


def audit(
    source: Any, known: Any = None, *, options: AuditOptions, synthetic: bool = False, progress: bool | None = None
) -> Audit:
    """Measure how many people in the data could be picked out, who, why, and what would protect them.

    ``source`` is an event log (``options.user``), which is split in two parts unless ``known`` is what the intruder
    has, or a table of records (``options.known_columns``). People are the same on both sides where their ids are.
    ``synthetic``: the data is made up, and the report says so.
    """
    if not isinstance(options, AuditOptions):
        raise bad_argument("audit", "options", "so.AuditOptions(…)", type(options).__name__)
    _check_columns([each for each in (source, known) if each is not None], options)
    label = options.label or _names(source, known)
    if options.is_table:
        if known is not None:
            raise InputError("audit: a table goes alone; to link two tables see link_records.")
        return replace(audit_table(source, options, label, progress), synthetic=synthetic)
    if known is not None and options.split is not None:
        raise InputError("audit: give either a second source, or split for one; not both.")
    return replace(_Logs(source, known, options, progress).audited(label), synthetic=synthetic)


def _check_columns(sources: Sequence[Any], options: AuditOptions) -> None:
    """Columns that files lack, all of them at once. Frames are looked at when they are read."""
    faults = []
    for source in (each for each in sources if isinstance(each, str | PathLike)):
        opened = open_source(source, function="audit", encoding=options.encoding)
        named = [(name, getattr(options, name)) for name in COLUMNS if getattr(options, name) is not None]
        pairs = [(name, each) for name, value in named for each in ([value] if isinstance(value, str) else value)]
        lacking = [
            f"{name}={each!r} is not a column of {opened.called}." for name, each in pairs if each not in opened.kinds
        ]
        faults += [*lacking, *([opened.columns_there()] if lacking else [])]
    if faults:
        raise SourceError("audit: " + "\n  ".join(faults))


def _names(*sources: Any) -> str:
    paths = [Path(source).name for source in sources if isinstance(source, str | PathLike)]
    return " and ".join(paths) or "data as given"


@dataclass(frozen=True, eq=False)
class _Logs:
    """An audit of event logs, stage by stage; every stage is worked out once, when it is first asked for."""

    source: Any
    other: Any
    options: AuditOptions
    progress: bool | None

    def audited(self, label: str) -> Audit:
        """All stages, in the order of the path."""
        attempts = (self.blind, *self.ladder, *self.careful, *self.shapes)
        curves = (self.by_people, *self.by_days, *self.by_resolution)
        released, known = self.counts
        return Audit(
            kind="events",
            label=label,
            synthetic=False,
            released=Size(len(released), places=released.number_of_places),
            known=Size(len(known), places=known.number_of_places),
            attempts=attempts,
            curves=tuple(curve for curve in curves if len(curve.steps) > 1),
            at_risk=self.at_risk,
            found=len(self.found),
            causes=self.causes,
            remedies=self.remedies,
            sections=tests_of_events(attempts, self.alone, self.alike, self.learnt),
            assumptions=assumptions_of_events(None if self.other is not None else self.rule),
            notes=tuple(dict.fromkeys((*self.matching.notes, *self.left_out))),
            asked=self.options.given(),
            limit=self.limit,
            gate=self.options.max_risk is not None,
            reveal=self.options.reveal,
            seed=self.options.seed,
        )

    # READ and SPLIT

    @cached_property
    def sides(self) -> tuple[Events, Events]:
        """Events as released, and as the intruder knows them."""
        options = self.options
        logs = [read_events(each, **options.reading()) for each in (self.source, self.other) if each is not None]
        if len(logs) == 2:
            return logs[0], logs[1]
        if options.time is None:
            raise InputError(
                "audit: time is missing: one log is split along it. Or give a second source: what is known."
            )
        weeks: dict[str, Any] = {"week_start": options.week_start, "longer_first": options.longer_first}
        return split(logs[0], by=self.rule, dates=options.dates, seed=options.seed, **weeks)

    @property
    def rule(self) -> str:
        """How one log is split."""
        return self.options.split or "halves"

    # SUMMARISE

    @cached_property
    def counts(self) -> tuple[Histograms, Histograms]:
        """How often each person was at each place, on each side."""
        released, known = (histograms(side, progress=self.progress) for side in self.sides)
        if not np.intersect1d(*comparable(released.people, known.people)).size:
            hint = "Give the same ids on both sides, so that it can be measured; or match without measuring (so.match)."
            raise DataError(f"audit: nobody is on both sides. {hint}")
        return released, known

    @cached_property
    def networks(self) -> tuple[Networks, Networks] | None:
        """Who goes from where to where; None where order means nothing, is not known, or was not asked for."""
        asked = self.options.topology
        if asked == "no" or self.options.time is None or (asked == "auto" and len(self.counts[0]) > SLOW):
            return None
        try:
            released, known = (networks(side, progress=self.progress) for side in self.sides)
        except DataError:
            if asked == "yes":
                raise
            return None
        return released, known

    # WEIGH, MATCH and MEASURE

    @cached_property
    def weights(self) -> tuple[str, ...]:
        """All weights; without glrt where there are very many people, unless asked for."""
        every = tuple(name for name in BUILT_IN if name != "glrt" or len(self.counts[0]) <= SLOW)
        return self.options.weights or every

    @cached_property
    def ladder(self) -> tuple[Attempt, ...]:
        """One by one and joint, by every weight."""
        released, known = self.counts
        asked: dict[str, Any] = {"level": self.options.level, "seed": self.options.seed, "progress": self.progress}
        climbed = ladder(released, known, weights=self.weights, **asked)
        if climbed.interrupted:
            # half a ladder is no audit
            raise KeyboardInterrupt
        return tuple(
            Attempt(f"{rung.attack} matching", str(rung.weight), rung.accuracy.rate, rung.accuracy.random)
            for rung in climbed.rungs
            if rung.accuracy is not None
        )

    @property
    def blind(self) -> Attempt:
        """What no knowledge at all would find."""
        return guessed(self.ladder[0].random, self.ladder[0].rate.n, self.options.level)

    @cached_property
    def matching(self) -> Matching:
        """The strongest joint matching: who and why is asked of it."""
        joint = [each for each in self.ladder if each.attack.startswith("joint")]
        return self._matched(*self.counts, max(joint, key=lambda each: each.rate.value).by)

    def _matched(self, released: Histograms, known: Histograms, weight: str) -> Matching:
        return match(released, known, weight=weight, seed=self.options.seed, progress=self.progress)

    @cached_property
    def careful(self) -> tuple[Attempt, ...]:
        """An intruder who acts only on pairs of which enough are right: as many of the surest as that allows."""
        curve = precision_by_margin(self.matching, level=self.options.level, progress=self.progress)
        sure = next((row for row in curve.rows if row.precision.value >= SURE), curve.rows[-1])
        common = self.ladder[0].rate.n
        rate = wilson(min(sure.correct, common), common, self.options.level)
        detail = f"acts on {sure.coverage:.0%} of the pairs, of which {sure.precision.value:.1%} are right"
        random = self.ladder[0].random * sure.coverage
        return (Attempt("joint matching with rejection", self.matching.weight, rate, random, detail),)

    @cached_property
    def shapes(self) -> tuple[Attempt, ...]:
        """Joint matching of networks without any name of a place, and of their sizes alone."""
        if self.networks is None:
            return ()
        found = []
        for kernel, detail in ((SHAPE, "no name of a place is used"), ("size", "only the number of places is used")):
            with stage(f"shape of movements, {kernel}"):
                options: dict[str, Any] = {"seed": self.options.seed, "progress": self.progress}
                scores = graph_scores(*self.networks, kernel=kernel, top=SHAPE_PLACES, **options)
                right = accuracy(
                    assign(scores if scores.fits else scores.best(100), **options), level=self.options.level
                )
            found.append(Attempt("shape of movements", kernel, right.rate, right.random, detail))
        return tuple(found)

    @cached_property
    def alone(self) -> dict[int, Any]:
        """People singled out by a few places."""
        return unicity(self.counts[0], level=self.options.level, seed=self.options.seed)

    @cached_property
    def alike(self) -> Any:
        """People alone with the shape of their most visited places."""
        return None if self.networks is None else anonymity(self.networks[0], top=SMALL_SHAPE)

    # WHO and WHY

    @cached_property
    def found(self) -> Found:
        """People whom the strongest joint matching finds, the surest first."""
        return found_people(self.matching, self.matching.margins(progress=self.progress).values)

    @cached_property
    def at_risk(self) -> tuple[AtRisk, ...]:
        """The surest of them, and the places that give them away."""
        visitors, moves = self.found.visitors(), self.moves
        people, reveal = self.counts[0].people, self.options.reveal
        listed = []
        for pair, margin in list(zip(self.found.pairs, self.found.margins, strict=True))[: self.options.listed]:
            row = int(self.matching.released[pair])
            why = self.matching.explain(int(pair))
            reasons = [
                Reason("place", about(part, reveal), at_least(visitors[place], reveal), str(place) if reveal else None)
                for place, part in strongest_reasons(why, REASONS)
            ]
            detail = [number_of(len(why.terms), "places in common")]
            if moves is not None:
                every, own = moves.get(people[row], (0, 0))
                detail.append(f"{own:,} of {number_of(every, 'moves')} made by nobody else")
            name = str(people[row]) if reveal else None
            listed.append(AtRisk(row, _finite(margin), tuple(reasons), ", ".join(detail), name))
        return tuple(listed)

    @cached_property
    def moves(self) -> dict[Any, tuple[int, int]] | None:
        """Moves that only one person makes."""
        return None if self.networks is None else own_moves(self.sides[0], progress=self.progress)

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """Whether rare places or common ones give people away."""
        return causes_in_words(by_popularity(self.found, self.options.seed)) if len(self.found) else ()

    @cached_property
    def learnt(self) -> Any:
        """What an intruder learns of the people found."""
        return learnt(self.found, self.options.seed)

    # HOW IT CHANGES

    @cached_property
    def by_people(self) -> Curve:
        """Fewer people, drawn by lot from those on both sides; and many more, where a population was stated."""
        released, known = self.counts
        common = np.intersect1d(*comparable(released.people, known.people)).tolist()
        weight, level = self.matching.weight, self.options.level
        rng = np.random.default_rng(self.options.seed)
        steps = []
        for size in sizes_to_try(len(common)):
            draws = 1 if size == len(common) else int(np.clip(len(common) // size, 3, MOST_DRAWS))
            with stage(f"{size:,} people"):
                rates = [self._accuracy_of(rng.choice(common, size, replace=False), weight) for _ in range(draws)]
            # as many people as were looked at, in all draws together
            people = min(draws * size, len(common))
            steps.append(Step(size, wilson(float(np.mean(rates)) * people, people, level)))
        beyond, population = None, self.options.population
        if population is not None and population > len(common):
            points = [step.at for step in steps], [step.rate.value for step in steps]
            beyond = extrapolated(*points, population, level=level)
        return Curve("people", "Number of people", "people in the data", tuple(steps), True, beyond)

    def _accuracy_of(self, people: Any, weight: str) -> float:
        wanted = np.sort(people).tolist()
        sides = [side.only(wanted) for side in self.counts]
        return float(accuracy(self._matched(sides[0], sides[1], weight)).rate.value)

    @cached_property
    def by_days(self) -> tuple[Curve, ...]:
        """Fewer days of each person."""
        if self.options.time is None:
            return ()
        points = [
            (float(point.strength), point.user_level) for point in self.frontier.rows if point.protection == "shorten"
        ]
        days = typical_days(self.sides[0], progress=self.progress)
        steps = [*points, (max(float(days), *(at for at, _ in points), 1.0), self.frontier.rows[0].user_level)]
        title, axis = "Days", "days kept of each person (last: all)"
        return (Curve("days", title, axis, tuple(Step(at, rate) for at, rate in sorted(steps, key=lambda s: s[0]))),)

    @cached_property
    def by_resolution(self) -> tuple[Curve, ...]:
        """Larger cells."""
        grid = self.options.grid
        if grid is None:
            return ()
        points = [
            (float(point.strength), point.user_level) for point in self.frontier.rows if point.protection == "coarsen"
        ]
        steps = tuple(Step(at, rate) for at, rate in [(float(grid), self.frontier.rows[0].user_level), *points])
        return (Curve("resolution", "Resolution", "side of a cell in metres", steps, True),)

    # PROTECT

    @property
    def limit(self) -> float:
        """What risks are held against."""
        return self.options.max_risk or DEFAULT_LIMIT

    @cached_property
    def frontier(self) -> Frontier:
        """What the attack still finds after each protection, and what that destroys."""
        weight, level = self.matching.weight, self.options.level
        options: dict[str, Any] = {
            "weight": weight,
            "level": level,
            "seed": self.options.seed,
            "progress": self.progress,
        }
        return frontier(*self.sides, self.protections, skip=True, **options)

    @cached_property
    def protections(self) -> list[Protection]:
        """Those asked for; else some of each kind, up to what the limit may need."""
        options, steps = self.options, self._steps()
        asked = {name: getattr(options, name) for name in steps if getattr(options, name) is not None}
        if asked or not options.protect:
            # days and resolution are curves of their own, whatever is asked for
            steps = {name: steps[name] for name in ("shorten", "coarsen")} | asked
        chosen = {name: strengths for name, strengths in steps.items() if strengths}
        listed = protections(Steps(**chosen)) if chosen else []
        if options.hierarchy is not None:
            file = Path(options.hierarchy)
            levels = tuple(open_source(file, function="coarsen").kinds)[1:]
            listed += protections(Steps(coarsen=file, level=levels or None))
        return listed

    def _steps(self) -> dict[str, Any]:
        released, grid = self.counts[0], self.options.grid
        people, places = len(released), released.number_of_places
        days = 1 if self.options.time is None else typical_days(self.sides[0], progress=self.progress)
        return {
            "shorten": () if self.options.time is None else _below(days, (days // 2, days // 4, days // 8, 1)),
            "coarsen": () if grid is None else tuple(grid * times for times in (2, 4, 8, 16)),
            "keep": _below(places, (places // 10, places // 100)),
            "min_people": _below(int(np.bincount(released.counts.indices).max(initial=0)), (5, 20)),
            "noise": (1.0, 0.1) if people * places <= MOST_NOISY else (),
            "microaggregate": _below(people // 2 + 1, (2, 5, 10, round(1 / self.limit), self._enough(people))),
        }

    def _enough(self, people: int) -> int:
        """Clusters so large that finding one person of each is within the limit, interval included."""
        level, least = self.options.level, round(1 / self.limit)
        within = (k for k in range(least, people) if wilson(people / k, people, level).high <= self.limit)
        return next(within, people)

    @cached_property
    def remedies(self) -> tuple[Remedy, ...]:
        """Every protection tried."""
        if not self.options.protect:
            return ()
        return tuple(remedy_in_words(point) for point in self.frontier.rows[1:])

    @cached_property
    def left_out(self) -> list[Note]:
        """What was not tried, and why."""
        notes = [*self.frontier.left_out]
        if self.options.population is not None and self.by_people.extrapolated is None:
            notes.append(UNTOLD)
        if self.options.weights is None and "glrt" not in self.weights:
            notes.append(Note(1, "weights left out", f"glrt is slow above {SLOW:,} people; ask for it with weights"))
        if self.options.protect and "noise" not in {each.name for each in self.protections}:
            many = len(self.counts[0]) * self.counts[0].number_of_places
            notes.append(Note(1, "protections left out", f"noise would fall on {many:,} counts; ask for it with noise"))
        if self.options.topology == "auto" and self.networks is None:
            why = "no time is given" if self.options.time is None else "the order of events means nothing"
            if self.options.time is not None and len(self.counts[0]) > SLOW:
                why = f"above {SLOW:,} people it takes long; ask for it with topology yes"
            notes.append(Note(1, "attacks left out", f"the shape of movements: {why}"))
        return notes


def _finite(margin: float) -> float | None:
    return float(margin) if np.isfinite(margin) else None


def _below(bound: int, strengths: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({each for each in strengths if 1 <= each < bound}))
