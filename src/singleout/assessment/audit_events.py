"""The last stages of an audit of event logs: who is at risk, why, what protects them, and how the risk changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_attacks import Headline
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
)
from singleout.assessment.audit_protections import protections_to_try
from singleout.assessment.audit_sample import Measured
from singleout.assessment.audit_sides import CountsOf, NetworksOf, Progress
from singleout.assessment.audit_words import causes_in_words, protection_in_words, strength_in_words
from singleout.assessment.command_lines import Command, command_line, read_flags
from singleout.assessment.file_attack import Point
from singleout.assessment.file_names import NO_FILE, FileNames, Namer
from singleout.assessment.frontier import SCOUTS, AllPeople, Frontier, frontier
from singleout.assessment.inside_knowledge import inside_knowledge
from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import is_number
from singleout.ground.notes import number_of
from singleout.ground.numbers import plural
from singleout.measures.disclosure import FEWEST_PEOPLE, people_band, rounded_share
from singleout.measures.half_samples import Again
from singleout.measures.intervals import Estimate
from singleout.measures.networks.anonymity import Anonymity, anonymity
from singleout.measures.precision import chances_of_being_right
from singleout.measures.probability import Probabilities
from singleout.measures.reasons import (
    IdentifiedPeople,
    InferenceGain,
    find_identified,
    group_by_popularity,
    measure_inference,
    strongest_reasons,
)
from singleout.measures.unicity import TimesKnown, times_known, unicity, unicity_with_times
from singleout.reading.split import Sides
from singleout.similarity.registry import Compared
from singleout.statistics.ids import comparable
from singleout.statistics.moves import own_moves

REASONS = 3
SMALL_SHAPE = 10
"""Places of the small networks whose shape may be unique."""
ON_EACH_FILE = "the strongest on each file that would be written, which holds shares of events, not their numbers"


@dataclass(frozen=True)
class Unique:
    """People singled out by a few places, and by the shape of their movements where order means something."""

    by_places: Mapping[int, Estimate]
    by_times: Estimate | None
    """By places and the hours of visits to them; None without times."""
    by_shape: Anonymity | None
    times: TimesKnown = TimesKnown.HOUR

    @property
    def rates(self) -> tuple[Estimate, ...]:
        """All of these shares."""
        shape = None if self.by_shape is None else self.by_shape.identifiability
        return tuple(rate for rate in (*self.by_places.values(), self.by_times, shape) if rate is not None)

    @property
    def highest(self) -> float:
        """The upper end of the largest of these shares."""
        return max(rate.high for rate in self.rates)


def count_unique(sides: Sides, counts: CountsOf, shapes: NetworksOf | None, options: AuditOptions) -> Unique:
    """People singled out by a few places, with and without times, and by the shape of their most visited ones."""
    asked: dict[str, Any] = {"confidence_level": options.confidence_level, "seed": options.seed}
    by_places, by_times = unicity(counts.released, **asked), unicity_with_times(sides.released, **asked)
    by_shape = None if shapes is None else anonymity(shapes.released, top=SMALL_SHAPE)
    return Unique(by_places, by_times, by_shape, TimesKnown.HOUR if by_times is None else times_known(sides.released))


# WHO and WHY


def find_people(headline: Headline, progress: Progress) -> IdentifiedPeople:
    """People whom the strongest joint matching re-identifies, the clearest first."""
    return find_identified(headline.matching, headline.matching.margins(progress=progress).values)


def describe_people(
    found: IdentifiedPeople,
    likely: Probabilities,
    sides: Sides | None,
    shapes: NetworksOf | None,
    options: AuditOptions,
    progress: Progress,
) -> PeopleAtRisk:
    """The clearest of them, and the places that identify them."""
    moves = None if shapes is None or sides is None else own_moves(sides.released, progress=progress)
    visitors, listed = found.visitors(), []
    pairs = zip(found.pairs, found.margins, strict=True)
    likeliest = sorted(pairs, key=lambda each: -float(likely.values[each[0]]))  # those of equal probability by margin
    for pair, margin in likeliest[: options.people_listed]:
        person = _describe_person(found, int(pair), margin, visitors, moves, options)
        listed.append(replace(person, probability=float(likely.values[pair])))
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
    if not found.matching.explainable:
        return PersonAtRisk(row, _finite(margin), (), "", str(person) if reveal else None)
    why = found.matching.explain(pair)
    reasons = [
        Reason(
            "place", rounded_share(part, reveal), people_band(visitors[key], reveal), str(key[1]) if reveal else None
        )
        for key, part in strongest_reasons(why, REASONS)
    ]
    detail = [_shared_in_words(len(why.terms), options)]
    if moves is not None:
        every, own = moves.get(person, (0, 0))
        detail += [_moves_in_words(own, every, reveal)] if every else []
    return PersonAtRisk(row, _finite(margin), tuple(reasons), "; ".join(detail), str(person) if reveal else None)


def _shared_in_words(count: int, options: AuditOptions) -> str:
    """How many places a person has on both sides; exactly only if revealed, since it may identify them."""
    several = plural(options.place_name)
    least = people_band(count, options.reveal)
    if least is None:
        return f"fewer than {FEWEST_PEOPLE} {several} are in both periods"
    if options.reveal:
        return f"{number_of(count, several)} {'is' if count == 1 else 'are'} in both periods"
    return f"at least {least:,} {several} are in both periods"


def _moves_in_words(own: int, every: int, reveal: bool) -> str:
    """How many of a person's moves between places nobody else made."""
    if not own:
        return "others made all of their moves too"
    if reveal:
        return f"nobody else made {own:,} of their {number_of(every, 'moves')}"
    share = rounded_share(own / every, reveal)
    return f"nobody else made {'all' if own == every else f'about {share:.0%}' if share else 'a few'} of their moves"


def _finite(margin: float) -> float | None:
    """A margin to nine digits: the last ones depend on the order in which ties are broken."""
    return float(f"{margin:.9g}") if np.isfinite(margin) else None


def explain_causes(found: IdentifiedPeople, options: AuditOptions) -> tuple[Cause, ...]:
    """Whether rare places or common ones identify people."""
    if not len(found) or not found.matching.explainable:
        return ()
    return causes_in_words(group_by_popularity(found, options.seed), plural(options.place_name))


@dataclass(frozen=True)
class Explanation:
    """Who is at risk and why, who is singled out without any matching, and what an intruder learns about them."""

    people: PeopleAtRisk
    causes: tuple[Cause, ...]
    unique: Unique
    gain: InferenceGain | None


def explain(
    found: IdentifiedPeople,
    likely: Probabilities,
    sides: Sides,
    counts: CountsOf,
    shapes: NetworksOf | None,
    options: AuditOptions,
) -> Explanation:
    """Everything about the people re-identified that needs no further attack."""
    return Explanation(
        describe_people(found, likely, sides, shapes, options, progress=False),
        explain_causes(found, options),
        count_unique(sides, counts, shapes, options),
        measure_inference(found, options.seed),
    )


# PROTECT


def try_protections(
    everyone: Measured,
    some: Measured | None,
    options: AuditOptions,
    *,
    similarities: Sequence[Compared],
    independent: float,
    days: int | None,
    progress: Progress,
) -> Frontier | None:
    """What the attacks still find in the file of each protection, and what that destroys; None: none to try.

    Without protections to try, the data as it is is attacked where there is a limit: an intruder may have data from
    the released period, and the limit is for them too.
    ``some`` are the people on whom they are tried where there are very many; what is recommended is tried on everyone.
    ``independent`` is the share of people who count as independent of each other.
    """
    tried = protections_to_try(everyone.counts.released, days, options) if options.protect else []
    if not tried and options.max_risk is None:
        return None
    asked: dict[str, Any] = {"similarities": similarities, "confidence_level": options.confidence_level}
    asked |= {"seed": options.seed, "progress": progress, "skip": True, "levels": options.coarser_levels}
    asked["independent"] = independent
    on = some or everyone
    if some is not None:
        inside = inside_knowledge(everyone.logs, everyone.sides)
        asked["everyone"] = AllPeople(*everyone.sides, inside, everyone.counts)
    inside = inside_knowledge(on.logs, on.sides)
    return frontier(*on.sides, tried, inside=inside, limit=options.max_risk, counts=on.counts, scouts=SCOUTS, **asked)


def attack_on_file(found: Frontier | None, attacks: Sequence[AttackResult]) -> tuple[AttackResult, ...]:
    """The file without protection, attacked as protected ones are, where that finds more than all other attacks."""
    if found is None:
        return ()
    plain = found.rows[0]
    matchings = [each for each in attacks if each.kind in (AttackKind.ONE_BY_ONE, AttackKind.JOINT)]
    if plain.outside.value <= max(each.rate.value for each in matchings):
        return ()
    detail = "the file without protection, read back"
    random = next(each.random for each in attacks if each.kind is AttackKind.CHANCE)  # the people are the same
    return (AttackResult(AttackKind.FILE, plain.outside_attack, plain.outside, random, detail),)


def list_protections(
    found: Frontier | None, counts: CountsOf, options: AuditOptions, named: tuple[Any, FileNames]
) -> tuple[ProtectionResult, ...]:
    """The file without protection, and every protection tried; ``named``: the log, and what commands call files."""
    if found is None:
        return ()
    chosen = {name.replace("_", "-") for name in PROTECTIONS if getattr(options, name) is not None}
    rows = [point for point in found.rows[1:] if not chosen or point.protection in chosen]
    source, files = named
    points, people = [found.rows[0], *rows], len(counts.released)
    return tuple(
        replace(
            protection_in_words(each, people, options.place_name),
            command=Command.build(partial(_command, each, source, options), files),
        )
        for each in points
    )


def _command(point: Point, source: Any, options: AuditOptions, name: Namer) -> str:
    """The command that carries out a protection, and refuses what is above the limit if it is recommended for that.

    Empty for the data as it is.
    """
    if point.protection == "none":
        return ""
    strength, limit = strength_in_words(point), options.max_risk
    flags = [f"--{point.protection}", strength]
    if point.protection == "hierarchy":
        file = NO_FILE if options.place_hierarchy is None else name(options.place_hierarchy)
        flags = ["--hierarchy", file, *(["--hierarchy-level", strength] if strength else [])]
    kept = ["--max-risk", f"{limit:g}"] if point.recommended and limit is not None else []
    return command_line("protect", [name(source)], *read_flags(options), *flags, *kept)


# HOW IT CHANGES


def list_curves(
    of_people: Curve | None, protections: Frontier | None, days: int | None, options: AuditOptions
) -> tuple[Curve, ...]:
    """The risk by number of people, by days and by size of cells, where there is more than one point."""
    curves = [] if of_people is None else [of_people]
    if protections is not None and days is not None:
        shorter = _points_of(protections, "shorten")
        everything = max([float(days), *(point.at for point in shorter)])
        points = [*shorter, CurvePoint(everything, protections.rows[0].outside)]
        ordered = tuple(sorted(points, key=lambda point: point.at))
        curves.append(Curve("days", "Days", "days kept per person (last point: all days)", ON_EACH_FILE, ordered))
    if protections is not None and options.grid is not None:
        cells = (CurvePoint(options.grid, protections.rows[0].outside), *_points_of(protections, "coarsen"))
        curves.append(Curve("resolution", "Resolution", "side of a cell in metres", ON_EACH_FILE, cells, True))
    return tuple(curve for curve in curves if len(curve.points) > 1)


def _points_of(found: Frontier, protection: str) -> list[CurvePoint]:
    """What is left at each strength that is a number."""
    rows = [each for each in found.rows if each.protection == protection]
    return [CurvePoint(float(each.strength), each.outside) for each in rows if is_number(each.strength)]


def draw_curve_of_people(counts: CountsOf, headline: Headline, options: AuditOptions, progress: Progress) -> Curve:
    """Fewer people of those on both sides; and many more, where a population was stated."""
    _, *rows = np.intersect1d(*comparable(*(side.people for side in counts)), return_indices=True)
    right_of = partial(_right_of, Again.of(headline.matching), rows)
    attack = AttackKind.JOINT.label_with(headline.matching.similarity)
    curve = curve_of_people(len(rows[0]), right_of, options, what="people", attack=attack, progress=progress)
    *fewer, everyone = map(headline.widen, curve.points)
    return replace(curve, points=(*fewer, headline.allow_for_choice(everyone)))


def _right_of(again: Again, rows: Sequence[Indices], numbers: Indices) -> Floats:
    """How likely each of these people is to be re-identified among them."""
    matching = again.match_some((rows[0][numbers], rows[1][numbers]))
    right = np.zeros(len(numbers))
    right[matching.known] = chances_of_being_right(matching, None)
    return right
