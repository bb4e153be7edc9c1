"""Training a linkage model without any true pair: u from random pairs, m by EM on the pairs of each blocking rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats
from singleout.ground.lazy import cached_property
from singleout.ground.notes import Note
from singleout.similarity.profiles.block_rules import BlockRules, Pairs
from singleout.similarity.profiles.fellegi_sunter import (
    Fit,
    LinkageModel,
    as_probability,
    fit_matches,
    random_levels,
    start_levels,
    without_matches,
)
from singleout.similarity.profiles.levels import LevelField, Levels, compare_all, count_patterns

RANDOM_PAIRS = 500_000
BLOCKED_PAIRS = 200_000
"""Pairs drawn for u, and for m from each rule."""
FEWEST = 30
"""Matches that two rules must share before the total is estimated from them."""
LEAST_MATCHES = 1e-3
LEAST_SHARE, MOST_SHARE = 1e-15, 0.5
ROUNDS = 4
"""How often u is corrected for the matches among random pairs, and m estimated again."""


@dataclass(frozen=True, eq=False)
class Trained:
    """A model; the pairs of records that are of one person, in total and among the candidates, as it estimates them."""

    model: LinkageModel
    matches: float
    blocked: float
    pairs: float
    """All pairs of records, candidates or not."""
    notes: tuple[Note, ...]

    @property
    def prior(self) -> float:
        """The logarithm of the odds that two random records are of one person."""
        return _log_odds(self.matches / self.pairs)


@dataclass(frozen=True, eq=False)
class RuleSample:
    """Pairs of one rule: their levels in all fields, which rules they meet, and how many pairs the rule has."""

    rule: int
    free: tuple[int, ...]
    """The fields that the rule does not make agree."""
    levels: Levels
    rarity: Floats
    met: NDArray[np.bool_]
    size: int

    @cached_property
    def patterns(self) -> tuple[Levels, Floats]:
        """The kinds of pairs by the free fields, and how many there are of each."""
        return count_patterns(self.levels[:, self.free])


def train(fields: Sequence[LevelField], rules: BlockRules, rng: np.random.Generator) -> Trained:
    """The model of these fields.

    For each rule EM estimates m of the fields that the rule does not make agree; of several estimates of a field the
    mean by expected matches is taken. Random pairs contain a few matches, which is what makes identifiers look common:
    u is corrected for them, and m estimated again.
    """
    people = len(fields[0].column.released), len(fields[0].column.known)
    every = max(people[0] * (people[0] - 1) / 2 if rules.itself else float(people[0]) * people[1], 1.0)
    chosen = draw_random(people, RANDOM_PAIRS, rng, itself=rules.itself)
    random = [random_levels(field, field.compare(*chosen), itself=rules.itself) for field in fields]
    samples = [sample for rule in range(len(rules.rules)) if (sample := _draw(fields, rules, rule, rng)) is not None]
    u, matches, blocked = random, float(min(people)), 0.0
    for _ in range(ROUNDS):
        fits = [fit_matches(*each.patterns, [u[k] for k in each.free]) for each in samples]
        m = [_average(k, samples, fits, len(u[k])) for k in range(len(fields))]
        model = LinkageModel(tuple(fields), tuple(m), tuple(u))
        matches, blocked = _count_matches(model, samples, matches / every, rules)
        u = [without_matches(each, mine, matches / every) for each, mine in zip(random, m, strict=True)]
    model = LinkageModel(tuple(fields), tuple(m), tuple(u))
    return Trained(model, matches, blocked, every, _notes(fields, samples, rules))


def _log_odds(share: float) -> float:
    """The logarithm of the odds of a share; at most half of all pairs are taken to match."""
    bounded = min(max(share, LEAST_SHARE), MOST_SHARE)
    return float(np.log(bounded / (1 - bounded)))


def draw_random(people: tuple[int, int], number: int, rng: np.random.Generator, *, itself: bool) -> Pairs:
    """Random pairs of records; of a table with itself without records paired with themselves."""
    rows, others = (rng.integers(0, size, number) for size in people)
    kept = rows != others if itself else np.ones(number, dtype=bool)
    return rows[kept], others[kept]


def _draw(fields: Sequence[LevelField], rules: BlockRules, rule: int, rng: np.random.Generator) -> RuleSample | None:
    free = tuple(k for k, field in enumerate(fields) if field.name not in rules.rules[rule].columns)
    rows, others = rules.draw(rule, BLOCKED_PAIRS, rng)
    if not free or not len(rows):
        return None
    levels = compare_all(fields, rows, others)
    rarity = np.zeros(len(rows))
    for k, field in enumerate(fields):
        rarity += field.rare_agreement(levels[:, k], rows)
    return RuleSample(rule, free, levels, rarity, rules.met(rows, others), rules.sizes()[rule])


def _average(field: int, samples: list[RuleSample], fits: list[Fit], length: int) -> Floats:
    """The m of a field over the rules that leave it free, weighted by their matches."""
    found = [
        (fit.m[sample.free.index(field)], fit.share * sample.size)
        for sample, fit in zip(samples, fits, strict=True)
        if field in sample.free
    ]
    if not found:
        return start_levels(length)
    return np.average([m for m, _ in found], axis=0, weights=[max(number, 1e-9) for _, number in found])


def _count_matches(
    model: LinkageModel, samples: list[RuleSample], share: float, rules: BlockRules
) -> tuple[float, float]:
    """Matches in total and among all candidates.

    Among candidates: the probabilities of sampled pairs, each under the first rule that it meets. In total by capture
    and recapture: of the matches of one rule, the share that rules on other columns meet as well is the share of all
    matches that they meet. Where errors occur together that is too low, so the largest of several estimates is taken;
    without any, as many as among the candidates.
    """
    prior = _log_odds(share)
    blocked, totals = 0.0, []
    chances = [as_probability(prior + model.weigh_levels(each.levels) + each.rarity) for each in samples]
    for sample, chance in zip(samples, chances, strict=True):
        first = ~sample.met[:, : sample.rule].any(axis=1)
        blocked += sample.size * float((chance * first).sum()) / len(chance)
    for sample, chance in zip(samples, chances, strict=True):
        apart = [k for k, rule in enumerate(rules.rules) if not rule.columns & rules.rules[sample.rule].columns]
        again = float((chance * sample.met[:, apart].any(axis=1)).sum())
        if again >= FEWEST:
            totals.append(_in_rules(samples, chances, apart) * float(chance.sum()) / again)
    return max(blocked, *totals, LEAST_MATCHES), blocked


def _in_rules(samples: list[RuleSample], chances: list[Floats], wanted: list[int]) -> float:
    """Matches that meet at least one of these rules."""
    found = 0.0
    for sample, chance in zip(samples, chances, strict=True):
        if sample.rule in wanted:
            first = ~sample.met[:, [k for k in wanted if k < sample.rule]].any(axis=1)
            found += sample.size * float((chance * first).sum()) / len(chance)
    return found


def _notes(fields: Sequence[LevelField], samples: list[RuleSample], rules: BlockRules) -> tuple[Note, ...]:
    free = {k for sample in samples for k in sample.free}
    names = [field.name for k, field in enumerate(fields) if k not in free]
    if not names:
        return ()
    why = "every blocking rule makes them agree, so nine matches in ten are assumed to; add a rule without them"
    return (Note(len(names), f"columns not trained ({', '.join(names)})", why),)
