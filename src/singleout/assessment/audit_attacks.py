"""The attacks of an audit of event logs: the ladder, its headline, and what else an intruder could do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_parts import (
    AttackResult,
    CurvePoint,
    chance_result,
)
from singleout.assessment.audit_sides import CountsOf, NetworksOf, Progress
from singleout.assessment.ladder import Ladder, Rung, add_taught, ladder
from singleout.ground.names import Kernel
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent, plural
from singleout.ground.progress import announce, stage
from singleout.matching.by_scores import assign
from singleout.matching.result import Matching
from singleout.measures.accuracy import accuracy
from singleout.measures.intervals import Estimate, wilson, with_effective_share
from singleout.measures.precision import chances_of_being_right
from singleout.measures.probability import Probabilities
from singleout.measures.strongest import choice_bias
from singleout.similarity.networks.scores import graph_scores
from singleout.similarity.registry import Compared, at_levels

FIRST = "evidence"
"""The similarity to begin with: on most logs the strongest."""
TRIED_SIMILARITIES = 3
"""Protections are attacked with this many of the strongest similarities: which is best may change by them."""
TARGET_PROBABILITY = 0.95
"""How likely a pair must look to be right for a selective intruder to act on it."""
SHAPE: Kernel = "summary"
SIZE: Kernel = "size"
"""What networks are compared by: the strongest kernel, and a baseline."""
Rated = TypeVar("Rated", AttackResult, CurvePoint)


@dataclass(frozen=True, eq=False)
class Headline:
    """The strongest joint matching, which says who and why, and its rate: halves of the people are matched again."""

    matching: Matching
    rate: Estimate
    bias: float
    """By how much it may be too high for being the strongest of several."""

    def sentence(self) -> str:
        """The answer so far."""
        return f"Strongest so far: {self.rate.count_in_words('people')} re-identified, {self.rate.in_words()}."

    def allow_for_choice(self, found: Rated) -> Rated:
        """The strongest attack on everyone, with an interval that begins lower, since it was chosen for its rate."""
        return replace(found, rate=replace(found.rate, low=max(0.0, found.rate.low - self.bias)))

    @property
    def similarity(self) -> Compared:
        """What it compares pairs by."""
        assert self.matching.compared is not None
        return self.matching.compared

    def widen(self, found: Rated) -> Rated:
        """What carries a rate, with the headline's share of people who count as independent."""
        return replace(found, rate=with_effective_share(found.rate, self.rate.effective_share))


# MATCH and MEASURE


def run_ladder(counts: CountsOf, options: AuditOptions, progress: Progress) -> Ladder:
    """One by one and joint, by every similarity; without glrt where there are very many people, unless asked for."""
    tried = options.choose(counts.released)
    first = FIRST if any(each.name == FIRST for each in tried) else tried[0].name

    def announce_first(rung: Rung) -> None:
        if rung.similarity == first and rung.kind is AttackKind.JOINT and rung.accuracy is not None:
            rate, way = rung.accuracy.rate, rung.kind.in_words(rung.similarity)
            announce(f"First figure, {number_of(rate.n, 'people')}: {rate.in_words()} re-identified {way}.", progress)

    asked = {**_asked(options, progress), "tolerance": options.tolerance}
    found = ladder(*counts, similarities=tried, first=first, found=announce_first, **asked)
    if found.interrupted:
        # half a ladder is no audit
        raise KeyboardInterrupt
    return found


def teach(found: Ladder, counts: CountsOf, options: AuditOptions, progress: Progress) -> Ladder:
    """The same with an intruder on top who already knows some of the people, unless that was not asked for."""
    if not options.known_pairs:
        return found
    levels = next((each.levels for each in options.choose(counts.released) if each.levels is not None), None)
    taught = add_taught(found, counts, options.known_pairs, None, levels=levels, **_asked(options, progress))
    if taught.interrupted:
        raise KeyboardInterrupt
    return taught


def _asked(options: AuditOptions, progress: Progress) -> dict[str, Any]:
    return {"confidence_level": options.confidence_level, "seed": options.seed, "progress": progress}


def measure_headline(found: Ladder, options: AuditOptions, progress: Progress) -> Headline:
    """The strongest joint matching, with an interval that allows for people who are matched jointly."""
    best = found.strongest_joint
    asked: dict[str, Any] = {"confidence_level": options.confidence_level, "progress": progress}
    right = [rung.right for rung in found.rows if rung.right is not None and rung.within_reach]
    rate = accuracy(best, intervals="half-sampling", **asked).rate
    return Headline(best, rate, choice_bias(right, options.seed))


def list_attacks(
    found: Ladder,
    headline: Headline,
    certain: Probabilities,
    shapes: Sequence[AttackResult],
    options: AuditOptions,
) -> tuple[AttackResult, ...]:
    """From chance to the strongest, each with its interval; one by one only the first and the strongest.

    ``shapes`` are the attacks on the shape of movements, and ``certain`` is how likely each pair of the headline looks
    to an intruder.
    """
    one_by_one, joint = (_climb(found, kind) for kind in (AttackKind.ONE_BY_ONE, AttackKind.JOINT))
    first = next(each for each in one_by_one if each.by == found.rows[0].similarity)
    simple = [each for each in one_by_one if each is first or each is one_by_one[-1]]
    careful = _selective_attack(headline, certain, first, options)
    rungs = [*shapes, *simple, *joint[:-1], careful, joint[-1]]
    best = max(rungs, key=lambda each: each.rate.value)
    chance = chance_result(first.random, first.rate.n, options.confidence_level)
    widened = [(each is best, headline.widen(each)) for each in rungs]
    return (chance, *(headline.allow_for_choice(each) if chosen else each for chosen, each in widened))


def _climb(found: Ladder, kind: AttackKind) -> list[AttackResult]:
    """The attacks of one kind, the weakest first."""
    rungs = [
        AttackResult(rung.kind, rung.similarity, rung.accuracy.rate, rung.accuracy.random)
        for rung in found.rows
        if rung.kind is kind and rung.accuracy is not None
    ]
    return sorted(rungs, key=lambda each: each.rate.value)


def list_taught(found: Ladder, headline: Headline, options: AuditOptions) -> tuple[AttackResult, ...]:
    """An intruder who already knows some of the people: for comparison, since most know nobody."""
    if found.taught is None:
        return ()
    share, measured = f"{found.taught.known_pairs:.0%}", found.taught.accuracy
    detail = (
        f"if the intruder already knows {share} of the people, this share of the others; the known ones teach what "
        f"counts, above all {found.taught.in_words(place=options.place_name)}"
    )
    return (headline.widen(AttackResult(AttackKind.TAUGHT, share, measured.rate, measured.random, detail, False)),)


def _selective_attack(
    headline: Headline, certain: Probabilities, first: AttackResult, options: AuditOptions
) -> AttackResult:
    """An intruder who acts only on pairs that look near-certain to them."""
    acts = certain.values >= TARGET_PROBABILITY
    right = float(chances_of_being_right(headline.matching, None)[acts].sum())
    pairs, coverage = int(acts.sum()), float(acts.mean())
    rate = wilson(min(right, first.rate.n), first.rate.n, options.confidence_level)
    likely = f"at least {TARGET_PROBABILITY:.0%} likely to be right"
    detail = f"would act on nobody, since no pair looks {likely}"
    if pairs:
        look = "looks" if pairs == 1 else "look"
        detail = (
            f"would act on {number_of(pairs, 'pairs')} ({percent(coverage)} of people) that {look} {likely}. "
            f"{percent(right / pairs)} of those pairs are right"
        )
    return AttackResult(AttackKind.SELECTIVE, headline.matching.similarity, rate, first.random * coverage, detail)


def attack_shapes(shapes: NetworksOf | None, options: AuditOptions, progress: Progress) -> Iterator[AttackResult]:
    """Joint matching of networks without any name of a place, and of their sizes alone."""
    if shapes is None:
        return
    size = f"uses only the number of {plural(options.place_name)} someone visits"
    for kernel, detail in ((SIZE, size), (SHAPE, f"uses no {options.place_name} names")):
        with stage(f"shape of movements, {kernel}"):
            asked: dict[str, Any] = {"seed": options.seed, "progress": progress}
            scores = graph_scores(*shapes, kernel=kernel, top=None, **asked)
            matching = assign(scores if scores.fits else scores.best(100), **asked)
            right = accuracy(matching, confidence_level=options.confidence_level)
        yield AttackResult(AttackKind.SHAPE, kernel, right.rate, right.random, detail)


def strongest_similarities(found: Ladder, options: AuditOptions) -> tuple[Compared, ...]:
    """Those that protections are attacked with, the strongest first."""
    rates = {rung.similarity: rung.rate.value for rung in found.rows if rung.kind is AttackKind.JOINT and rung.rate}
    names = sorted(rates, key=lambda name: -rates[name])[:TRIED_SIMILARITIES]
    return tuple(at_levels(name, options.coarser_levels) for name in names)
