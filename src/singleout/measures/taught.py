"""An intruder who already knows some of the people, and learns from them what gives the others away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Annotated, Any, TypedDict

import numpy as np

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument, is_number
from singleout.ground.numbers import plural
from singleout.ground.parallel import send_jobs
from singleout.ground.plain_data import FieldsOf, Limits
from singleout.matching.by_scores import assign
from singleout.matching.result import Matching
from singleout.measures.accuracy import Accuracy, accuracy, true_rows
from singleout.measures.intervals import wilson
from singleout.measures.precision import chances_by_known_person
from singleout.similarity.scores import Scores
from singleout.similarity.taught import (
    MOST_PAIRS,
    MOST_TAUGHT,
    Feature,
    fit_weights,
    pair_features,
    weighted_sum,
)
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids
from singleout.statistics.levels import Levels

STREAM = 4_190_577
"""Separates the draw of known people from all others made with the same seed."""
MOST_TIMES = 5
FEWEST_PAIRS = 5
"""Known pairs below which nothing can be learnt from them."""
LARGEST_SHARE = 0.5


@dataclass(frozen=True)
class FeatureWeight:
    """What the known pairs taught: how much a feature counts, as a share of all weights taken as positive numbers.

    A negative share counts against a pair.
    """

    name: str
    in_words: str
    share: Annotated[float, Limits(-1, 1)]


class TaughtDict(TypedDict):
    """What an intruder learns who already knows some of the people."""

    known_pairs: Annotated[float, Limits(above=0, most=LARGEST_SHARE)]
    weights: list[Annotated[dict[str, Any], FieldsOf(FeatureWeight)]]


@dataclass(frozen=True)
class Taught:
    """What an intruder who knows ``known_pairs`` of the people finds among the others.

    ``accuracy`` is measured on people whose own pair the intruder did not know: mean over several draws of the known
    ones. ``weights`` are their mean, the largest first.
    """

    known_pairs: float
    accuracy: Accuracy
    weights: tuple[FeatureWeight, ...]
    right: Floats = field(repr=False, compare=False)
    """How likely each person on both sides is to be re-identified, in order of the known rows."""

    def to_dict(self) -> TaughtDict:
        """Plain data."""
        return {"known_pairs": self.known_pairs, "weights": [asdict(each) for each in self.weights]}

    def in_words(self, most: int = 3, place: str = "place") -> str:
        """The features that count most; ``place`` is what the user calls one."""
        counted = [f"{each.in_words} ({each.share:.0%})" for each in self.weights if each.share > 0][:most]
        return ", ".join(counted).replace("places", plural(place))


def taught(
    released: Histograms,
    known: Histograms,
    *,
    known_pairs: float = 0.2,
    truth: Mapping[Any, Any] | None = None,
    levels: Levels | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    progress: bool | None = None,
) -> Taught:
    """Match the people whom the intruder does not know yet by what the known ones teach.

    The people on both sides are divided at random into groups of ``known_pairs`` of them, at most five. Each group in
    turn is known: the similarity is fitted to its pairs, which are then set aside, and everyone else is matched
    jointly. Nobody is measured by a fit that saw their own pair.
    """
    check_known_pairs("taught", known_pairs)
    reason = why_not(released, known, known_pairs, truth)
    if reason:
        raise DataError(f"{reason}.", function="taught")
    # in order of id: sums of floats, and so the fit, do not depend on the order of rows
    sides = [side.only(np.sort(side.people)) for side in (released, known)]
    rows = true_rows("taught", sides[0].people, sides[1].people, truth)
    features = pair_features(sides[0], sides[1], levels, progress=progress)
    groups = list(draw_groups(rows[1], known_pairs, seed))
    people = (sides[0].people, sides[1].people)
    learn_from = partial(_learn_from, _Lesson(people, rows, features, truth, confidence_level, seed))
    learnt = send_jobs(learn_from, groups, label="learning from known people", progress=progress)
    right, times = np.zeros(len(known)), np.zeros(len(known))
    for group, (_, _, chances) in zip(groups, learnt, strict=True):
        others = np.setdiff1d(rows[1], rows[1][group])
        right[others] += chances
        times[others] += 1
    of_person = right[rows[1]] / np.maximum(times[rows[1]], 1)
    # back to the order of the known rows as they were given
    place = np.argsort(np.argsort(known.people))
    there = np.isin(np.arange(len(known)), rows[1])
    in_order = np.full(len(known), np.nan)
    in_order[rows[1]] = of_person
    return Taught(
        float(known_pairs),
        _mean_accuracy([found for _, found, _ in learnt], of_person, confidence_level),
        _explain(features, [weights for weights, _, _ in learnt]),
        in_order[place][there[place]],
    )


def check_known_pairs(function: str, share: Any) -> None:
    """Refuse shares of known people that leave nobody to be found, or nothing to learn from."""
    if not is_number(share) or not 0 < share <= LARGEST_SHARE:
        raise bad_argument(function, "known_pairs", f"above 0 and at most {LARGEST_SHARE:g}", share)


def why_not(released: Histograms, known: Histograms, share: float, truth: Mapping[Any, Any] | None) -> str:
    """Why nothing can be taught on these sides; empty where it can."""
    if len(released) * len(known) > MOST_PAIRS:
        return f"it is made for at most {MOST_PAIRS:,} pairs of a released and a known person"
    pairs = len(true_rows("taught", released.people, known.people, truth)[0])
    if round(share * pairs) < FEWEST_PAIRS:
        return f"with {share:.0%} of the people fewer than {FEWEST_PAIRS} would be known"
    return ""


def draw_groups(people: Indices, share: float, seed: int) -> Iterator[Indices]:
    """Positions of the people who are known in turn: groups without anyone in common, at most five."""
    order = np.random.default_rng([seed, STREAM]).permutation(len(people))
    size = round(share * len(people))
    for number in range(min(MOST_TIMES, len(people) // size)):
        yield order[number * size : (number + 1) * size]


@dataclass(frozen=True, eq=False)
class _Lesson:
    """What is learnt from, whatever the group of known people: arrays, which can go elsewhere."""

    people: tuple[Ids, Ids]
    rows: tuple[Indices, Indices]
    features: Sequence[Feature]
    truth: Mapping[Any, Any] | None
    confidence_level: float
    seed: int


def _learn_from(lesson: _Lesson, group: Indices) -> tuple[Floats, Accuracy, Floats]:
    """The weights that this group of known people teaches, and what they find among the others."""
    rows, truth = lesson.rows, lesson.truth
    fitted = fit_weights(lesson.features, rows[0][group[:MOST_TAUGHT]], rows[1][group[:MOST_TAUGHT]])
    matching = _match_others(lesson.people, lesson.features, fitted, (rows[0][group], rows[1][group]), lesson.seed)
    measured = accuracy(matching, truth, confidence_level=lesson.confidence_level)
    return fitted / np.abs(fitted).sum(), measured, chances_by_known_person(matching, truth)


def _match_others(
    of_sides: tuple[Ids, Ids],
    features: Sequence[Feature],
    weights: Floats,
    pairs: tuple[Indices, Indices],
    seed: int,
) -> Matching:
    """Joint matching of everyone but the known pairs."""
    rest = [np.setdiff1d(np.arange(len(ids)), rows) for ids, rows in zip(of_sides, pairs, strict=True)]
    scores = weighted_sum(features, weights, *rest)
    people = [ids[rows] for ids, rows in zip(of_sides, rest, strict=True)]
    return assign(Scores(scores, *people), seed=seed, progress=False)


def _mean_accuracy(found: Sequence[Accuracy], right: Floats, confidence_level: float) -> Accuracy:
    """One figure for all people: each was measured several times, which does not make them more people."""
    people, expected = len(right), float(right.sum())
    rate = wilson(min(expected, people), people, confidence_level)
    mean = {
        name: float(np.mean([getattr(each, name) for each in found]))
        for name in ("correct", "random", "random_precision", "shuffled")
    }
    precision = float(np.mean([each.precision.value for each in found]))
    return Accuracy(
        expected=expected,
        correct=round(mean["correct"] / found[0].common * people),
        common=people,
        rate=rate,
        precision=wilson(min(precision * people, people), people, confidence_level),
        random=mean["random"],
        random_precision=mean["random_precision"],
        shuffled=mean["shuffled"],
    )


def _explain(features: Sequence[Feature], weights: Sequence[Floats]) -> tuple[FeatureWeight, ...]:
    mean = np.mean(weights, axis=0)
    named = [FeatureWeight(each.name, each.in_words, float(share)) for each, share in zip(features, mean, strict=True)]
    return tuple(sorted(named, key=lambda each: (-each.share, each.name)))
