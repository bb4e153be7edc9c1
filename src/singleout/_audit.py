"""The path, from top to bottom: read, split, summarise, weigh, match, measure, protect, tell.

``audit`` is all of singleout in one call. What it does with a table of records is in ``_audit_table.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from singleout._audit_options import PROTECTIONS, AuditOptions, check_columns, names_of
from singleout._audit_table import audit_table
from singleout._audit_trials import curve_of_people, is_much_noise, limit_of, protections_to_try, untold
from singleout._frontier import frontier
from singleout._ladder import ladder
from singleout._written import known_parts
from singleout.ground.errors import DataError, InputError, bad_argument, is_number
from singleout.ground.notes import Note, number_of
from singleout.ground.progress import stage
from singleout.matching.result import Matching, assign, match
from singleout.measures.accuracy import accuracy
from singleout.measures.anonymity import anonymity
from singleout.measures.intervals import Estimate, wilson, with_effective_share
from singleout.measures.reasons import Found, by_popularity, found_people, learnt, strongest_reasons
from singleout.measures.selection import precision_by_margin
from singleout.measures.unicity import unicity
from singleout.reading.events import Events, read_events
from singleout.reading.split import split
from singleout.report.audit import (
    ON_FILE,
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
)
from singleout.report.audit_words import assumptions_of_events, causes_in_words, remedy_in_words, tests_of_events
from singleout.report.frontier import Frontier
from singleout.report.model import Ladder, share
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable
from singleout.statistics.moves import own_moves, typical_days
from singleout.statistics.networks import Networks, networks
from singleout.weights.graph_scores import graph_scores
from singleout.weights.registry import BUILT_IN, STRONGER

MOST_WEIGHTS = 3
SURE = 0.95
"""How often the pairs that a careful intruder acts on must be right."""
SLOW = 10_000
"""People above which glrt and the shape of movements take long: left out unless asked for."""
SHAPE, SHAPE_PLACES, SMALL_SHAPE = "dsp", 200, 10
REASONS = 3
Rated = TypeVar("Rated", Attempt, Step)


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
    check_columns([source, known], options)
    label = options.label or names_of(source, known)
    if options.is_table:
        if known is not None:
            raise InputError("audit: a table goes alone; to link two tables see link_records.")
        return replace(audit_table(source, options, label, progress), synthetic=synthetic)
    if known is not None and options.split is not None:
        raise InputError("audit: give either a second source, or split for one; not both.")
    return replace(_Logs(source, known, options, progress).audited(label), synthetic=synthetic)


@dataclass(frozen=True, eq=False)
class _Logs:
    """An audit of event logs, stage by stage; every stage is worked out once, when it is first asked for."""

    source: Any
    other: Any
    options: AuditOptions
    progress: bool | None

    def audited(self, label: str) -> Audit:
        """All stages, in the order of the path."""
        attempts = (self.blind, *map(self._widened, (*self.ladder, *self.careful, *self.shapes)), *self.on_file)
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
            assumptions=assumptions_of_events(
                None if self.other is not None else self.rule, self.strongest_weights, self.headline
            ),
            notes=tuple(dict.fromkeys((*self.matching.notes, *self.left_out))),
            asked=self.options.given(),
            limit=limit_of(self.options),
            gate=self.options.max_risk is not None,
            reveal=self.options.reveal,
            seed=self.options.seed,
        )

    # READ and SPLIT

    @cached_property
    def logs(self) -> list[Events]:
        """The logs as given."""
        return [read_events(each, **self.options.reading()) for each in (self.source, self.other) if each is not None]

    @cached_property
    def sides(self) -> tuple[Events, Events]:
        """Events as released, and as the intruder knows them."""
        options, logs = self.options, self.logs
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
        every = tuple(name for name in (*BUILT_IN, *STRONGER) if name != "glrt" or len(self.counts[0]) <= SLOW)
        return self.options.weights or every

    @cached_property
    def strongest_weights(self) -> tuple[str, ...]:
        """The weights that protections are attacked with: which is best may change by them."""
        joint = {each.by: each.rate.value for each in self.ladder if each.attack == "joint matching"}
        return tuple(sorted(joint, key=lambda name: -joint[name])[:MOST_WEIGHTS])

    @cached_property
    def climbed(self) -> Ladder:
        """One by one and joint, by every weight."""
        released, known = self.counts
        asked: dict[str, Any] = {"level": self.options.level, "seed": self.options.seed, "progress": self.progress}
        climbed = ladder(released, known, weights=self.weights, **asked)
        if climbed.interrupted:
            # half a ladder is no audit
            raise KeyboardInterrupt
        return climbed

    @cached_property
    def ladder(self) -> tuple[Attempt, ...]:
        """The same as attempts."""
        return tuple(
            Attempt(f"{rung.attack} matching", str(rung.weight), rung.accuracy.rate, rung.accuracy.random)
            for rung in self.climbed.rungs
            if rung.accuracy is not None
        )

    @property
    def blind(self) -> Attempt:
        """What no knowledge at all would find."""
        return guessed(self.ladder[0].random, self.ladder[0].rate.n, self.options.level)

    @cached_property
    def matching(self) -> Matching:
        """The strongest joint matching: who and why is asked of it."""
        joint = [each for each in self.ladder if each.attack == "joint matching"]
        first, best = self.climbed.matching, max(joint, key=lambda each: each.rate.value).by
        return first if first.weight == best else self._matched(*self.counts, best)

    def _matched(self, released: Histograms, known: Histograms, weight: str) -> Matching:
        return match(released, known, weight=weight, seed=self.options.seed, progress=self.progress)

    @cached_property
    def headline(self) -> Estimate:
        """The rate of the strongest joint matching; people are matched jointly, so halves of them are matched again."""
        asked: dict[str, Any] = {"level": self.options.level, "progress": self.progress}
        return accuracy(self.matching, intervals="half-sampling", **asked).rate

    def _widened(self, found: Rated) -> Rated:
        """What carries a rate, with the headline's share of people who count as independent."""
        return replace(found, rate=with_effective_share(found.rate, self.headline.effective_share))

    @cached_property
    def careful(self) -> tuple[Attempt, ...]:
        """An intruder who acts only on pairs of which enough are right: as many of the surest as that allows."""
        curve = precision_by_margin(self.matching, level=self.options.level, progress=self.progress)
        sure = next((row for row in curve.rows if row.precision.value >= SURE), curve.rows[-1])
        common = self.ladder[0].rate.n
        rate = wilson(min(sure.correct, common), common, self.options.level)
        acted = f"acts on {number_of(sure.pairs, 'pairs')} ({share(sure.coverage)})"
        detail = f"{acted}, of which {share(sure.precision.value)} are right"
        if sure.precision.value < SURE:
            detail = f"finds no pairs of which {SURE:.0%} are right; {detail}"
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

    @property
    def on_file(self) -> tuple[Attempt, ...]:
        """The file as it is, attacked as protected ones are, where that finds more than all above."""
        if self.frontier is None:
            return ()
        as_it_is = self.frontier.rows[0]
        if as_it_is.outside.value <= max(each.rate.value for each in self.ladder):
            return ()
        return (Attempt(ON_FILE, as_it_is.attack, as_it_is.outside, as_it_is.random, "the file as it is, read back"),)

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
        """Fewer people of those on both sides; and many more, where a population was stated."""
        ids = comparable(*(side.people for side in self.counts))
        _, *rows = np.intersect1d(*ids, return_indices=True)
        people = [side.people[row] for side, row in zip(self.counts, rows, strict=True)]
        weight = self.matching.weight

        def rate_of(numbers: Any) -> float:
            few = [side.only(own[numbers].tolist()) for side, own in zip(self.counts, people, strict=True)]
            return accuracy(self._matched(few[0], few[1], weight)).rate.value

        curve = curve_of_people(len(rows[0]), rate_of, self.options, "people")
        return replace(curve, steps=tuple(map(self._widened, curve.steps)))

    @cached_property
    def by_days(self) -> tuple[Curve, ...]:
        """Fewer days of each person."""
        if self.frontier is None or self.days is None:
            return ()
        shorter = self._points("shorten")
        everything = max([float(self.days), *(step.at for step in shorter)])
        steps = [*shorter, Step(everything, self.frontier.rows[0].outside)]
        ordered = tuple(sorted(steps, key=lambda step: step.at))
        return (Curve("days", "Days", "days kept of each person (last: all)", ordered),)

    @cached_property
    def by_resolution(self) -> tuple[Curve, ...]:
        """Larger cells."""
        if self.frontier is None or self.options.grid is None:
            return ()
        steps = (Step(self.options.grid, self.frontier.rows[0].outside), *self._points("coarsen"))
        return (Curve("resolution", "Resolution", "side of a cell in metres", steps, True),)

    def _points(self, protection: str) -> list[Step]:
        """What is left at each strength that is a number."""
        points = [] if self.frontier is None else [each for each in self.frontier.rows if each.protection == protection]
        return [Step(float(each.strength), each.outside) for each in points if is_number(each.strength)]

    # PROTECT

    @cached_property
    def days(self) -> int | None:
        """Days of the person in the middle; None where no time is given."""
        return None if self.options.time is None else typical_days(self.sides[0], progress=self.progress)

    @cached_property
    def frontier(self) -> Frontier | None:
        """What the attack still finds after each protection, and what that destroys; None: there is none to try."""
        tried = protections_to_try(self.counts[0], self.days, self.options)
        if not tried:
            return None
        options: dict[str, Any] = {"weight": self.strongest_weights, "level": self.options.level}
        options |= {"seed": self.options.seed, "progress": self.progress}
        limit = limit_of(self.options)
        return frontier(*self.sides, tried, inside=self.inside, skip=True, limit=limit, **options)

    @cached_property
    def inside(self) -> tuple[Events, tuple[Events | None, ...]]:
        """All that would be written, and parts of it of which the intruder knows any one; None: half of the events."""
        whole = self.logs[0]
        return whole, (*self.sides, None) if len(self.logs) == 1 else known_parts(whole)

    @cached_property
    def remedies(self) -> tuple[Remedy, ...]:
        """Every protection tried."""
        if not self.options.protect or self.frontier is None:
            return ()
        named = {name.replace("_", "-") for name in PROTECTIONS if getattr(self.options, name) is not None}
        named |= {"coarsen"} if self.options.hierarchy else set()
        rows = [point for point in self.frontier.rows[1:] if not named or point.protection in named]
        people = len(self.counts[0])
        file = None if self.options.hierarchy is None else Path(self.options.hierarchy).name
        return tuple(remedy_in_words(point, people, file) for point in (self.frontier.rows[0], *rows))

    @cached_property
    def left_out(self) -> list[Note]:
        """What was not tried, and why."""
        notes = untold(self.by_people, self.options)
        notes += () if self.frontier is None else self.frontier.left_out
        if self.options.weights is None and "glrt" not in self.weights:
            notes.append(Note(1, "weights left out", f"glrt is slow above {SLOW:,} people; ask for it with weights"))
        if self.options.protect and not self.options.tries_own and is_much_noise(self.counts[0]):
            notes.append(
                Note(1, "protections left out", "noise falls on every count and takes long; ask for it with noise")
            )
        if self.options.topology == "auto" and self.networks is None:
            why = "no time is given" if self.options.time is None else "the order of events means nothing"
            if self.options.time is not None and len(self.counts[0]) > SLOW:
                why = f"above {SLOW:,} people it takes long; ask for it with topology yes"
            notes.append(Note(1, "attacks left out", f"the shape of movements: {why}"))
        return notes


def _finite(margin: float) -> float | None:
    """A margin to nine digits: the last ones depend on the order in which lots were drawn."""
    return float(f"{margin:.9g}") if np.isfinite(margin) else None
