"""How many people were matched correctly: expected over ties, with interval, baseline and control (N16 section IV)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args, overload

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError, bad_argument, check_level, unknown_name
from singleout.ground.names import IntervalMethod
from singleout.ground.notebooks import Summary
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent
from singleout.matching.candidates import Profiles
from singleout.matching.one_by_one import transpose
from singleout.matching.ranked_links import ProbableLinks
from singleout.matching.records import Links
from singleout.matching.result import Matching
from singleout.measures.half_samples import DrawnPeople, measure_halves
from singleout.measures.intervals import Estimate, half_sampling, wilson
from singleout.measures.links import AnyLinks, LinkAccuracy, measure_links
from singleout.measures.truth import pairs_by_column
from singleout.statistics.ids import Ids, as_ids, comparable

SHUFFLES = 20
INTERVALS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)

MAKE = "Make it with so.match(…) or so.match_profiles(…)."


@dataclass(frozen=True, repr=False)
class Accuracy(Summary):
    """How often an attack is right.

    ``expected`` is the number of correct pairs averaged over random tie-breaking, ``correct`` that of the one draw;
    ``common`` counts the people on both sides; ``rate`` is expected / common and ``precision`` expected / pairs;
    ``random`` and ``random_precision`` are what matching at random would achieve; ``shuffled`` is the rate against a
    shuffled truth, which must come out near ``random``.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> measured = so.accuracy(matching)
    >>> measured.common, measured.rate
    (50, Estimate(98.0% [89.5%, 99.6%] of 50))
    """

    expected: float
    correct: int
    common: int
    rate: Estimate
    precision: Estimate
    random: float
    random_precision: float
    shuffled: float
    level_of: str = "people"

    def __str__(self) -> str:
        what = "" if self.level_of == "people" else f" ({self.level_of})"
        return f"{self.rate} of {number_of(self.common, 'people')}{what}; chance {percent(self.random)}"


@overload
def accuracy(
    result: Matching | Profiles,
    truth: Mapping[Any, Any] | str | None = None,
    *,
    clusters: Iterable[Any] | None = None,
    confidence_level: float = 0.95,
    intervals: IntervalMethod = "wilson",
    progress: bool | None = None,
) -> Accuracy: ...


@overload
def accuracy(result: AnyLinks, truth: Mapping[int, int] | str, *, confidence_level: float = 0.95) -> LinkAccuracy: ...


def accuracy(
    result: Matching | Profiles | AnyLinks,
    truth: Mapping[Any, Any] | str | None = None,
    *,
    clusters: Iterable[Any] | None = None,
    confidence_level: float = 0.95,
    intervals: IntervalMethod = "wilson",
    progress: bool | None = None,
) -> Accuracy | LinkAccuracy:
    """Measure how often a matching, the best candidates of profiles, or links of records are right.

    Parameters
    ----------
    result
        A matching, profiles, or links.
    truth
        The known id of each released id; None: the same person has the same id on both sides. For profiles also the
        name of a column, present on both sides, that is the same for the same person; several may then be right.
    clusters
        A label per released row, to count a pair as right if its released person is in the cluster of the true one
        (Naini 2016 V-B2, cluster-level). One by one with ``by="released"``, where several people may be matched to the
        same known person, it is right if the known person's own row is in the cluster. Only people on both sides count.
    confidence_level
        Confidence level of the interval (Wilson's, on the expected count).
    intervals
        ``"wilson"`` treats people as independent. ``"half-sampling"`` allows for the dependence of people who are
        matched jointly: it matches 20 random halves of the people again (``progress`` shows it) and derives from the
        variation of their rates how many independent people the result is worth (``Estimate.effective``). It needs an
        exact matching of histograms.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Accuracy | LinkAccuracy
        An ``Accuracy``, or for links a ``LinkAccuracy``.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> so.accuracy(matching)
    Accuracy(98.0% [89.5%, 99.6%] of 50 people; chance 2.0%)
    """
    check_level("accuracy", confidence_level)
    if intervals not in INTERVALS:
        raise unknown_name("accuracy", "intervals", str(intervals), INTERVALS)
    if isinstance(result, Profiles | Links | ProbableLinks) and intervals != "wilson":
        raise bad_argument("accuracy", "intervals", "wilson for profiles and links", intervals)
    if isinstance(result, Links | ProbableLinks):
        if clusters is not None:
            raise bad_argument("accuracy", "clusters", "omitted for links", "clusters")
        return measure_links(result, truth, confidence_level)
    if isinstance(result, Profiles):
        return _of_profiles(result, truth, clusters, confidence_level)
    if not isinstance(result, Matching):
        raise bad_argument("accuracy", "result", "a Matching, Profiles or Links", type(result).__name__, MAKE)
    if isinstance(truth, str):
        raise bad_argument("accuracy", "truth", "a mapping, or omitted, for a Matching", truth)
    released, known = _true_rows(result, truth)
    groups = None if clusters is None else _group_numbers(result, clusters)
    expected = _expect(result, released, known, groups)
    random = _expected_at_random(result, released, groups)
    common = len(released)
    if intervals == "wilson" or common == 1:
        rate = wilson(min(expected, common), common, confidence_level)
        precision = _precision(expected, len(result), confidence_level)
    else:
        rate, precision = _half_sampled_rates(result, (released, known), groups, expected, confidence_level, progress)
    return Accuracy(
        expected=expected,
        correct=_correct(result, released, known, groups),
        common=common,
        rate=rate,
        precision=precision,
        random=random / common,
        random_precision=random / max(len(result), 1),
        shuffled=_expect_if_shuffled(result, released, known, groups) / common,
        level_of="people" if groups is None else "clusters",
    )


def _precision(expected: float, pairs: int, confidence_level: float) -> Estimate:
    """Share of the pairs that are right; anything is possible where there are none."""
    if not pairs:
        return Estimate(0.0, 0.0, 1.0, confidence_level, 0)
    return wilson(min(expected, pairs), pairs, confidence_level)


def _half_sampled_rates(
    result: Matching,
    rows: tuple[Indices, Indices],
    groups: Indices | None,
    expected: float,
    confidence_level: float,
    progress: bool | None,
) -> tuple[Estimate, Estimate]:
    """Rate and precision with intervals from random halves of the people, each matched again."""
    common = len(rows[0])
    measured = measure_halves("accuracy", result, rows, partial(_measure_half, groups), progress=progress)
    rates, precisions = (list(each) for each in zip(*measured, strict=True))
    share = (common // 2) / common
    return (
        half_sampling(min(expected, common), common, rates, share, confidence_level),
        half_sampling(min(expected, len(result)), len(result), precisions, share, confidence_level)
        if len(result)
        else _precision(expected, 0, confidence_level),
    )


def _measure_half(groups: Indices | None, half: DrawnPeople, matching: Matching) -> tuple[float, float]:
    """Rate and precision among half of the people."""
    same = np.arange(half.common)
    found = _expect(matching, same, same, None if groups is None else groups[half.rows[0]])
    return found / half.common, found / max(len(matching), 1)


def _true_rows(result: Matching | Profiles, truth: Mapping[Any, Any] | None) -> tuple[Indices, Indices]:
    return true_rows("accuracy", result.released_side.people, result.known_side.people, truth)


def true_rows(function: str, released: Ids, known: Ids, truth: Mapping[Any, Any] | None) -> tuple[Indices, Indices]:
    """Row numbers of the people on both sides, in order of the released rows."""
    if truth is not None:
        pairs = _check_truth(function, truth)
        released, pairs_released = comparable(released, as_ids(function, "truth", [r for r, _ in pairs]))
        known, pairs_known = comparable(known, as_ids(function, "truth", [k for _, k in pairs]))
        wanted = list(zip(pairs_released.tolist(), pairs_known.tolist(), strict=True))
    else:
        released, known = comparable(released, known)
        wanted = [(person, person) for person in released.tolist()]
    row = {person: number for number, person in enumerate(released.tolist())}
    other = {person: number for number, person in enumerate(known.tolist())}
    there = [(row[r], other[k]) for r, k in wanted if r in row and k in other]
    if not there:
        hint = "Use the same ids on both sides, or give the true pairs as truth={released id: known id}."
        raise DataError(f"nobody is on both sides, so nothing can be measured. {hint}", function=function)
    rows = np.array(sorted(there), dtype=np.intp)
    return rows[:, 0], rows[:, 1]


def _check_truth(function: str, truth: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    if not isinstance(truth, Mapping):
        raise bad_argument(function, "truth", "a mapping of released ids to known ids", type(truth).__name__)
    pairs = list(truth.items())
    if len({known for _, known in pairs}) < len(pairs):
        raise DataError("`truth` maps more than one released person to the same known person.", function=function)
    return pairs


def _group_numbers(result: Matching, clusters: Iterable[Any]) -> Indices:
    labels = as_ids("accuracy", "clusters", clusters)
    people = len(result.released_side)
    if len(labels) != people:
        raise bad_argument("accuracy", "clusters", f"{people} labels, one per released row", len(labels))
    return np.unique(labels, return_inverse=True)[1].astype(np.intp)


def expect_correct(result: Matching, rows: tuple[Indices, Indices], clusters: Indices | None = None) -> float:
    """The expected number of correct pairs alone; ``rows`` are those of the people on both sides (``true_rows``)."""
    return _expect(result, *rows, clusters)


def _expect(result: Matching, released: Indices, known: Indices, groups: Indices | None) -> float:
    """The expected number of correct pairs, summed in a fixed order so that the order of rows does not matter."""
    if groups is None:
        chances = result.chances.of(released, known)
    elif _released_choose(result):
        # sides swapped: known people have the cluster of their true row, people on one side only a cluster of their own
        known_groups = np.full(len(result.known_side), groups.max() + 1)
        known_groups[known] = groups[released]
        chances = transpose(result.chances).of_groups(known_groups, released, groups[released])
    else:
        chances = result.chances.of_groups(groups, known, groups[released])
    return float(np.sort(chances).sum())


def _released_choose(result: Matching) -> bool:
    """Whether each released person chooses a known one, whom several may choose."""
    return result.method == "one-by-one" and result.by == "released"


def true_partners(result: Matching, truth: Mapping[Any, Any] | None) -> Indices:
    """The released row of each known person; -1 for people who are not released."""
    return _partners(result, *_true_rows(result, truth))


def _partners(result: Matching, released: Indices, known: Indices) -> Indices:
    true_row = np.full(len(result.known_side), -1, dtype=np.intp)
    true_row[known] = released
    return true_row


def _correct(result: Matching, released: Indices, known: Indices, groups: Indices | None) -> int:
    partner = _partners(result, released, known)[result.known]
    if groups is None:
        return int((partner == result.released).sum())
    counts = partner >= 0
    if _released_choose(result):
        counts &= np.isin(result.released, released)
    return int((groups[partner] == groups[result.released])[counts].sum())


def _expected_at_random(result: Matching, released: Indices, groups: Indices | None) -> float:
    """Expected number of correct pairs among as many random ones: each has probability r / (N N')."""
    pairs = len(result) / (len(result.released_side) * len(result.known_side))
    if groups is None:
        return len(released) * pairs
    sizes = np.bincount(groups[released] if _released_choose(result) else groups)
    return float(sizes[groups[released]].sum() * pairs)


def _expect_if_shuffled(result: Matching, released: Indices, known: Indices, groups: Indices | None) -> float:
    """The average over shuffled truths: true pairs are reassigned at random among the people on both sides.

    They are drawn in order of id, so that the order of rows does not matter.
    """
    people = result.known_side.people[known]
    order = np.argsort(people, kind="stable")
    released, known = released[order], known[order]
    rng = np.random.default_rng(result.seed)
    return float(np.mean([_expect(result, rng.permutation(released), known, groups) for _ in range(SHUFFLES)]))


def _of_profiles(profiles: Profiles, truth: Any, clusters: Any, confidence_level: float) -> Accuracy:
    """Accuracy of a guess for everyone with a candidate, at random among those with the highest score."""
    if clusters is not None:
        raise bad_argument("accuracy", "clusters", "omitted for profiles", "clusters")
    if isinstance(truth, str):
        pairs = pairs_by_column("accuracy", profiles.tables, truth)
    else:
        pairs = _true_rows(profiles, truth)
    if profiles.pairs.blocks.itself:
        others = pairs[0] != pairs[1]
        pairs = pairs[0][others], pairs[1][others]
    people, guesses = np.unique(pairs[0]), int((profiles.candidates > 0).sum())
    if not len(people) or not guesses:
        who = "is on both sides" if guesses else "has a candidate"
        raise DataError(f"nobody {who}, so nothing can be measured.", function="accuracy")
    chance = _chances_of_profiles(profiles, pairs)[people]
    common = len(people)
    expected = min(float(np.sort(chance).sum()), common)
    at_random = np.bincount(pairs[0], minlength=len(profiles.best)) / len(profiles.known_side)
    guessed = float(np.sort(at_random[profiles.candidates > 0]).sum())
    return Accuracy(
        expected=expected,
        correct=_draw_correct(profiles.released_side.people[people], chance),
        common=common,
        rate=wilson(expected, common, confidence_level),
        precision=wilson(min(expected, guesses), guesses, confidence_level),
        random=float(np.sort(at_random).sum()) / common,
        random_precision=guessed / guesses,
        shuffled=_shuffled_profiles(profiles, pairs, people) / common,
    )


def _chances_of_profiles(profiles: Profiles, pairs: tuple[Indices, Indices]) -> Any:
    """For every released row, the probability that the guess is one of its true known rows."""
    return np.bincount(pairs[0], profiles.chances(*pairs), minlength=len(profiles.best)).clip(max=1.0)


def _draw_correct(people: Any, chance: Any) -> int:
    """One draw, in order of id, so that the order of rows does not matter."""
    order = np.argsort(people, kind="stable")
    return int((np.random.default_rng(0).random(len(order)) < chance[order]).sum())


def _shuffled_profiles(profiles: Profiles, pairs: tuple[Indices, Indices], people: Indices) -> float:
    """The average over shuffled truths: everyone gets the true known rows of someone else, drawn in order of id."""
    ordered = people[np.argsort(profiles.released_side.people[people], kind="stable")]
    rng, someone = np.random.default_rng(0), np.zeros(len(profiles.best), dtype=np.intp)
    found = []
    for _ in range(SHUFFLES):
        someone[ordered] = rng.permutation(ordered)
        found.append(np.sort(_chances_of_profiles(profiles, (someone[pairs[0]], pairs[1]))).sum())
    return float(np.mean(found))
