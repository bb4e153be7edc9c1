"""The stages of an audit of event logs: each a function of what came before, with a small result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_curves import curve_of_people
from singleout.assessment.audit_options import PROTECTIONS, AuditOptions
from singleout.assessment.audit_parts import (
    AttackResult,
    Cause,
    Curve,
    CurvePoint,
    PeopleAtRisk,
    PersonAtRisk,
    ProtectionResult,
    Reason,
    chance_result,
)
from singleout.assessment.audit_protections import protections_to_try
from singleout.assessment.audit_words import causes_in_words, protection_in_words
from singleout.assessment.disclosure import people_band, rounded_share
from singleout.assessment.frontier import Frontier, frontier
from singleout.assessment.ladder import Ladder, ladder
from singleout.assessment.written_file import inside_knowledge
from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, InputError, is_number
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent, plural
from singleout.ground.progress import stage
from singleout.matching.matching import Matching, assign, match
from singleout.measures.accuracy import accuracy
from singleout.measures.intervals import Estimate, wilson, with_effective_share
from singleout.measures.networks.anonymity import Anonymity, anonymity
from singleout.measures.precision import chances_of_being_right, precision_by_margin
from singleout.measures.reasons import (
    IdentifiedPeople,
    InferenceGain,
    find_identified,
    group_by_popularity,
    measure_inference,
    strongest_reasons,
)
from singleout.measures.unicity import unicity
from singleout.reading.events import Events
from singleout.reading.split import Sides
from singleout.similarity.networks.scores import graph_scores
from singleout.similarity.registry import Similarity, at_levels, similarities_to_try
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable
from singleout.statistics.moves import own_moves, typical_days
from singleout.statistics.networks import Networks, networks

TRIED_SIMILARITIES = 3
"""Protections are attacked with this many of the strongest similarities: which is best may change by them."""
TARGET_PRECISION = 0.95
"""How often the pairs that a selective intruder acts on must be right."""
SLOW = 10_000
"""People above which glrt and the shape of movements take long: left out unless asked for."""
SHAPE, SHAPE_PLACES, SMALL_SHAPE = "dsp", 200, 10
REASONS = 3
ON_EACH_FILE = "the strongest on each file that would be written"
Rated = TypeVar("Rated", AttackResult, CurvePoint)
Progress = bool | None


class CountsOf(NamedTuple):
    """How often each person was at each place, on each side."""

    released: Histograms
    known: Histograms


class NetworksOf(NamedTuple):
    """Who goes from where to where, on each side."""

    released: Networks
    known: Networks


@dataclass(frozen=True, eq=False)
class Headline:
    """The strongest joint matching, which says who and why, and its rate: halves of the people are matched again."""

    matching: Matching
    rate: Estimate

    @property
    def similarity(self) -> Similarity:
        """What it compares pairs by."""
        assert self.matching.compared is not None
        return self.matching.compared

    def widen(self, found: Rated) -> Rated:
        """What carries a rate, with the headline's share of people who count as independent."""
        return replace(found, rate=with_effective_share(found.rate, self.rate.effective_share))


@dataclass(frozen=True)
class Unique:
    """People singled out by a few places, and by the shape of their movements where order means something."""

    by_places: Mapping[int, Estimate]
    by_shape: Anonymity | None


# READ and SPLIT


def split_sides(logs: Sequence[Events], options: AuditOptions) -> Sides:
    """Two logs as they are, or one split along time."""
    if len(logs) == 2:
        return Sides(*logs)
    if options.time is None:
        raise InputError(
            "`time` is missing: a single log is split by time. Or give a second one: what the intruder knows. "
            "For a table, give `known_columns` instead of `user`.",
            function="audit",
        )
    return options.split_log(logs[0], seed=options.seed)


def split_rule(options: AuditOptions) -> str:
    """How one log is split."""
    return options.split or "halves"


# SUMMARISE


def count_sides(sides: Sides, progress: Progress) -> CountsOf:
    """Histograms of both sides, with somebody in common."""
    counts = CountsOf(*(histograms(side, progress=progress) for side in sides))
    if not np.intersect1d(*comparable(counts.released.people, counts.known.people)).size:
        hint = "Give the same ids on both sides, so that it can be measured; or match without measuring (so.match)."
        raise DataError(f"nobody is on both sides. {hint}", function="audit")
    return counts


def build_networks(sides: Sides, counts: CountsOf, options: AuditOptions, progress: Progress) -> NetworksOf | None:
    """Networks of both sides; None where order means nothing, is not known, or was not asked for."""
    asked = options.topology
    if asked == "no" or options.time is None or (asked == "auto" and len(counts.released) > SLOW):
        return None
    try:
        return NetworksOf(*(networks(side, progress=progress) for side in sides))
    except DataError:
        if asked == "yes":
            raise
        return None


def count_days(sides: Sides, options: AuditOptions, progress: Progress) -> int | None:
    """Days of the median person; None where no time is given."""
    return None if options.time is None else typical_days(sides.released, progress=progress)


# MATCH and MEASURE


def run_ladder(counts: CountsOf, options: AuditOptions, progress: Progress) -> Ladder:
    """One by one and joint, by every similarity; without glrt where there are very many people, unless asked for."""
    every = similarities_to_try(counts.released, options.coarser_levels)
    asked: dict[str, Any] = {"confidence_level": options.confidence_level, "seed": options.seed, "progress": progress}
    named = [at_levels(name, options.coarser_levels) for name in options.similarities or ()]
    found = ladder(*counts, similarities=named or every, **asked)
    if found.interrupted:
        # half a ladder is no audit
        raise KeyboardInterrupt
    return found


def measure_headline(found: Ladder, options: AuditOptions, progress: Progress) -> Headline:
    """The strongest joint matching, with an interval that allows for people who are matched jointly."""
    best = found.strongest_joint
    asked: dict[str, Any] = {"confidence_level": options.confidence_level, "progress": progress}
    return Headline(best, accuracy(best, intervals="half-sampling", **asked).rate)


def list_attacks(
    found: Ladder, headline: Headline, shapes: NetworksOf | None, options: AuditOptions, progress: Progress
) -> tuple[AttackResult, ...]:
    """From chance to the strongest, each with its interval."""
    rungs = [
        AttackResult(rung.kind, rung.similarity, rung.accuracy.rate, rung.accuracy.random)
        for rung in found.rows
        if rung.accuracy is not None
    ]
    first = rungs[0]
    others = [*rungs, _selective_attack(headline, first, options, progress), *_shape_attacks(shapes, options, progress)]
    chance = chance_result(first.random, first.rate.n, options.confidence_level)
    return (chance, *map(headline.widen, others))


def _selective_attack(
    headline: Headline, first: AttackResult, options: AuditOptions, progress: Progress
) -> AttackResult:
    """An intruder who acts only on pairs of which enough are right: as many of the surest as that allows."""
    curve = precision_by_margin(headline.matching, confidence_level=options.confidence_level, progress=progress)
    sure = next((row for row in curve.rows if row.precision.value >= TARGET_PRECISION), curve.rows[-1])
    rate = wilson(min(sure.correct, first.rate.n), first.rate.n, options.confidence_level)
    acted = f"acts on {number_of(sure.pairs, 'pairs')} ({percent(sure.coverage)} of people)"
    detail = f"{acted}; {percent(sure.precision.value)} of these are right"
    if sure.precision.value < TARGET_PRECISION:
        detail = f"finds no pairs of which {TARGET_PRECISION:.0%} are right; {detail}"
    return AttackResult(AttackKind.SELECTIVE, headline.matching.similarity, rate, first.random * sure.coverage, detail)


def _shape_attacks(shapes: NetworksOf | None, options: AuditOptions, progress: Progress) -> Iterator[AttackResult]:
    """Joint matching of networks without any name of a place, and of their sizes alone."""
    if shapes is None:
        return
    for kernel, detail in ((SHAPE, "uses no place names"), ("size", "uses only how many places someone visits")):
        with stage(f"shape of movements, {kernel}"):
            asked: dict[str, Any] = {"seed": options.seed, "progress": progress}
            scores = graph_scores(*shapes, kernel=kernel, top=SHAPE_PLACES, **asked)
            matching = assign(scores if scores.fits else scores.best(100), **asked)
            right = accuracy(matching, confidence_level=options.confidence_level)
        yield AttackResult(AttackKind.SHAPE, kernel, right.rate, right.random, detail)


def strongest_similarities(found: Ladder, options: AuditOptions) -> tuple[Similarity, ...]:
    """Those that protections are attacked with, the strongest first."""
    rates = {rung.similarity: rung.rate.value for rung in found.rows if rung.kind is AttackKind.JOINT and rung.rate}
    names = sorted(rates, key=lambda name: -rates[name])[:TRIED_SIMILARITIES]
    return tuple(at_levels(name, options.coarser_levels) for name in names)


def _match(counts: CountsOf, similarity: Similarity, options: AuditOptions, progress: Progress) -> Matching:
    return match(*counts, similarity=similarity, seed=options.seed, progress=progress)


def count_unique(counts: CountsOf, shapes: NetworksOf | None, options: AuditOptions) -> Unique:
    """People singled out by a few places, and by the shape of their most visited ones."""
    by_places = unicity(counts.released, confidence_level=options.confidence_level, seed=options.seed)
    return Unique(by_places, None if shapes is None else anonymity(shapes.released, top=SMALL_SHAPE))


# WHO and WHY


def find_people(headline: Headline, progress: Progress) -> IdentifiedPeople:
    """People whom the strongest joint matching re-identifies, the clearest first."""
    return find_identified(headline.matching, headline.matching.margins(progress=progress).values)


def describe_people(
    found: IdentifiedPeople, sides: Sides, shapes: NetworksOf | None, options: AuditOptions, progress: Progress
) -> PeopleAtRisk:
    """The clearest of them, and the places that identify them."""
    moves = None if shapes is None else own_moves(sides.released, progress=progress)
    visitors, listed = found.visitors(), []
    for pair, margin in list(zip(found.pairs, found.margins, strict=True))[: options.list_people]:
        listed.append(_describe_person(found, int(pair), margin, visitors, moves, options))
    return PeopleAtRisk(len(found), tuple(listed))


def _describe_person(
    found: IdentifiedPeople,
    pair: int,
    margin: float,
    visitors: Mapping[tuple[object, object], int],
    moves: Mapping[Any, tuple[int, int]] | None,
    options: AuditOptions,
) -> PersonAtRisk:
    reveal, row = options.reveal, int(found.matching.released[pair])
    person = found.sides[0].people[row]
    why = found.matching.explain(pair)
    reasons = [
        Reason(
            "place", rounded_share(part, reveal), people_band(visitors[key], reveal), str(key[1]) if reveal else None
        )
        for key, part in strongest_reasons(why, REASONS)
    ]
    shared = number_of(len(why.terms), plural(options.place_name))
    detail = [f"{shared} {'appears' if len(why.terms) == 1 else 'appear'} in both periods"]
    if moves is not None:
        every, own = moves.get(person, (0, 0))
        detail.append(f"{own:,} of {number_of(every, 'moves')} made by nobody else")
    return PersonAtRisk(row, _finite(margin), tuple(reasons), ", ".join(detail), str(person) if reveal else None)


def _finite(margin: float) -> float | None:
    """A margin to nine digits: the last ones depend on the order in which ties are broken."""
    return float(f"{margin:.9g}") if np.isfinite(margin) else None


def explain_causes(found: IdentifiedPeople, options: AuditOptions) -> tuple[Cause, ...]:
    """Whether rare places or common ones identify people."""
    if not len(found):
        return ()
    return causes_in_words(group_by_popularity(found, options.seed), plural(options.place_name))


def count_inferences(found: IdentifiedPeople, options: AuditOptions) -> InferenceGain | None:
    """What an intruder learns about the people re-identified."""
    return measure_inference(found, options.seed)


# PROTECT


def try_protections(
    logs: Sequence[Events],
    sides: Sides,
    counts: CountsOf,
    options: AuditOptions,
    *,
    similarities: Sequence[Similarity],
    days: int | None,
    progress: Progress,
) -> Frontier | None:
    """What the attacks still find in the file of each protection, and what that destroys; None: none to try."""
    tried = protections_to_try(counts.released, days, options) if options.protect else []
    if not tried:
        return None
    asked: dict[str, Any] = {"similarities": similarities, "confidence_level": options.confidence_level}
    asked |= {"seed": options.seed, "progress": progress, "skip": True, "counts": counts}
    asked |= {"levels": options.coarser_levels}
    return frontier(*sides, tried, inside=inside_knowledge(logs, sides), limit=options.risk_limit, **asked)


def attack_on_file(found: Frontier | None, attacks: Sequence[AttackResult]) -> tuple[AttackResult, ...]:
    """The file without protection, attacked as protected ones are, where that finds more than all other attacks."""
    if found is None:
        return ()
    plain = found.rows[0]
    matchings = [each for each in attacks if each.kind in (AttackKind.ONE_BY_ONE, AttackKind.JOINT)]
    if plain.outside.value <= max(each.rate.value for each in matchings):
        return ()
    detail = "the file without protection, read back"
    return (AttackResult(AttackKind.FILE, plain.attack, plain.outside, plain.random, detail),)


def list_protections(found: Frontier | None, counts: CountsOf, options: AuditOptions) -> tuple[ProtectionResult, ...]:
    """The file without protection, and every protection tried."""
    if found is None:
        return ()
    named = {name.replace("_", "-") for name in PROTECTIONS if getattr(options, name) is not None}
    rows = [point for point in found.rows[1:] if not named or point.protection in named]
    file = None if options.hierarchy is None else Path(options.hierarchy).name
    places = plural(options.place_name)
    return tuple(protection_in_words(point, len(counts.released), file, places) for point in (found.rows[0], *rows))


# HOW IT CHANGES


def draw_curves(
    counts: CountsOf,
    headline: Headline,
    protections: Frontier | None,
    days: int | None,
    options: AuditOptions,
    progress: Progress,
) -> tuple[Curve, ...]:
    """The risk by number of people, by days and by size of cells, where there is more than one point."""
    curves = [_curve_of_people(counts, headline, options, progress)]
    if protections is not None and days is not None:
        shorter = _points_of(protections, "shorten")
        everything = max([float(days), *(point.at for point in shorter)])
        points = [*shorter, CurvePoint(everything, protections.rows[0].outside)]
        ordered = tuple(sorted(points, key=lambda point: point.at))
        curves.append(Curve("days", "Days", "days kept of each person (last: all)", ON_EACH_FILE, ordered))
    if protections is not None and options.grid is not None:
        cells = (CurvePoint(options.grid, protections.rows[0].outside), *_points_of(protections, "coarsen"))
        curves.append(Curve("resolution", "Resolution", "side of a cell in metres", ON_EACH_FILE, cells, True))
    return tuple(curve for curve in curves if len(curve.points) > 1)


def _points_of(found: Frontier, protection: str) -> list[CurvePoint]:
    """What is left at each strength that is a number."""
    rows = [each for each in found.rows if each.protection == protection]
    return [CurvePoint(float(each.strength), each.outside) for each in rows if is_number(each.strength)]


def _curve_of_people(counts: CountsOf, headline: Headline, options: AuditOptions, progress: Progress) -> Curve:
    """Fewer people of those on both sides; and many more, where a population was stated."""
    _, *rows = np.intersect1d(*comparable(*(side.people for side in counts)), return_indices=True)
    people = [side.people[row] for side, row in zip(counts, rows, strict=True)]

    def right_of(numbers: Indices) -> Floats:
        few = CountsOf(*(side.only(own[numbers].tolist()) for side, own in zip(counts, people, strict=True)))
        matching = _match(few, headline.similarity, options, progress)
        right = np.zeros(len(numbers))
        right[matching.known] = chances_of_being_right(matching, None)
        return right

    attack = f"joint matching, by {headline.matching.similarity}"
    curve = curve_of_people(len(rows[0]), right_of, options, what="people", attack=attack)
    return replace(curve, points=tuple(map(headline.widen, curve.points)))
