"""One attack on a protected file: by one similarity, with one form of what is known, matched in the strongest way.

Where people are too many for an attack, some of either side, drawn at random, are compared with everyone on the other:
what is found of them estimates what would be found of all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError
from singleout.ground.names import Method, Side
from singleout.ground.parallel import send_jobs
from singleout.matching.matching import PreparedSides
from singleout.matching.result import Matching
from singleout.measures.accuracy import accuracy, expect_correct, true_rows
from singleout.measures.half_samples import in_order_of_id
from singleout.measures.intervals import Estimate, wilson, with_effective_share
from singleout.similarity.half_counts import HALF_COUNTS, half_counts_of, people_to_compare
from singleout.similarity.registry import Compared, similarity_name

WAYS: tuple[tuple[Method, Side, str], ...] = (
    ("joint", "released", "joint matching"),
    ("one-by-one", "released", "one-by-one matching for each released person"),
    ("one-by-one", "known", "one-by-one matching for each known person"),
)
"""Matchings that are tried, the side each goes by, and both in words."""

CHANCE = "guessing at random"
STREAM = 5_310_907
"""Separates the draw of people who are compared with everyone from all others made with the same seed."""


@dataclass(frozen=True)
class FoundInFile:
    """What the strongest attack on a file finds: people expected to be re-identified, of how many, and how.

    ``people`` are those in the file whom the intruder knows; people left with nothing are not in it. ``most``: no
    attack can be right for more of them on average, since people with identical rows are a draw. ``groups`` are the
    people whose group of identical rows is found by joint matching, ``one_by_one`` those expected to be re-identified
    without it. ``independent`` is the share of people who count as independent of each other, by half-sampling; None
    where halves were not matched. ``drawn``: on how many of the people this was measured, where not on
    all; ``partly``: the same of any attack that was tried.
    """

    expected: float
    groups: float
    people: int
    most: float
    attack: str
    similarity: str
    one_by_one: float = 1.0
    independent: float | None = None
    drawn: int | None = None
    partly: int | None = None
    way: tuple[Method, Side] | None = field(default=None, repr=False, compare=False)
    """How people were matched; None at random."""
    again: Callable[[], Matching] | None = field(default=None, repr=False, compare=False)
    """Carries out the attack once more: the tables of a matching are too large to keep one for each attack."""
    truth: Mapping[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def in_words(self) -> str:
        """The attack and the similarity."""
        return f"{self.attack}, {similarity_name(self.similarity)}" if self.similarity else self.attack

    def with_halves(self, progress: bool | None) -> FoundInFile:
        """The same attack on random halves of the people, for its interval."""
        if self.again is None:
            return self
        rate = accuracy(self.again(), self.truth, intervals="half-sampling", progress=progress).rate
        return replace(self, independent=rate.effective_share)

    @property
    def share(self) -> float:
        """Of the people known."""
        return self.expected / self.people

    def rate(self, confidence_level: float, independent: float = 1.0) -> Estimate:
        """The share of people re-identified; ``independent`` where halves of this attack were not matched."""
        own = independent if self.independent is None else self.independent
        return with_effective_share(self.count(self.expected, confidence_level), own)

    def count(self, expected: float, confidence_level: float) -> Estimate:
        """The share of people of whom this many are expected, where they count as independent."""
        measured = self.people if self.drawn is None else self.drawn
        return wilson(min(expected / self.people, 1.0) * measured, measured, confidence_level)


@dataclass(frozen=True, eq=False)
class Attempt:
    """One similarity, on a file and one form of what is known; ``chance`` is what guessing finds."""

    sides: PreparedSides
    similarity: Compared
    chance: FoundInFile
    done: dict[Any, Any]
    """What was carried out already."""
    seed: int
    compared: Side | None = None
    """The side of which only some people are compared, each with everyone on the other; None: everyone is."""

    def true_rows(self) -> tuple[Indices, Indices]:
        """The rows of the people in the file who are known, on both sides."""
        key = self.sides, "rows"
        if key not in self.done:
            released, known = self.sides.histograms
            self.done[key] = true_rows("audit", released.people, known.people, self.chance.truth)
        return self.done[key]  # type: ignore[no-any-return]

    def parts(self) -> list[Attempt]:
        """Itself; where people are too many, some of either side, with everyone on the other."""
        rows = self.true_rows()
        number = people_to_compare(*self.sides.histograms) if self.similarity is HALF_COUNTS else None
        if number is None or number >= len(rows[0]):
            return [self]
        key = self.sides, "parts"
        if key not in self.done:
            order = np.random.default_rng([self.seed, STREAM]).permutation(len(rows[0]))
            drawn = np.sort(order[:number])
            released, known = (own[drawn] for own in in_order_of_id(self.sides.histograms[1].people, *rows))
            everyone = [np.arange(len(side)) for side in self.sides.histograms]
            numbers = np.arange(number)
            some = replace(self, similarity=half_counts_of(number / len(everyone[0])))
            self.done[key] = [
                some._part("released", (released, everyone[1]), (numbers, known)),
                self._part("known", (everyone[0], known), (released, numbers)),
            ]
        return self.done[key]  # type: ignore[no-any-return]

    @property
    def drawn(self) -> int | None:
        """On how many people it was carried out; None: on everyone, or not at all."""
        parts = self.done.get((self.sides, "parts"))
        return None if parts is None else len(parts[0].true_rows()[0])

    def _part(self, side: Side, chosen: tuple[Indices, Indices], same: tuple[Indices, Indices]) -> Attempt:
        part = replace(self, sides=self.sides.only_rows(*chosen), compared=side)
        self.done[part.sides, "rows"] = same
        return part

    @property
    def key(self) -> Any:
        """Under which its result is kept."""
        return self.sides, self.similarity

    def prepare(self) -> Attack:
        """What it takes to carry it out, here or elsewhere."""
        chance, rows = replace(self.chance, truth={}), self.true_rows()
        if self.compared is not None:
            chance = replace(chance, drawn=len(rows[0]))
        return Attack(self.sides.for_one_similarity(), self.similarity, chance, rows, self.compared)

    def keep(self, found: FoundInFile) -> None:
        """Add to what was found how to do it again."""
        again = None if found.way is None else partial(self._match, *found.way)
        self.done[self.key] = replace(found, again=again, truth=self.chance.truth)

    def _match(self, method: Method, by: Side) -> Matching:
        return self.sides.match(self.similarity, method=method, by=by)


@dataclass(frozen=True, eq=False)
class Attack:
    """One similarity on two sides, aligned; ``rows`` are those of the same people. Only arrays, which can travel."""

    sides: PreparedSides
    similarity: Compared
    chance: FoundInFile
    rows: tuple[Indices, Indices]
    compared: Side | None = None

    def carry_out(self) -> FoundInFile:
        """The strongest way to match."""
        best, groups, alone = self.chance, 0.0, self.chance.expected
        times = 1.0 if best.drawn is None else best.people / best.drawn
        for method, by, attack in WAYS:
            if method != "joint" and self.compared not in (None, by):
                continue  # of the other side everyone would choose among a few
            matching = self.sides.match(self.similarity, method=method, by=by)
            expected = times * expect_correct(matching, self.rows)
            if method == "joint":
                groups = times * expect_correct(matching, self.rows, matching.chances.released.label)
            else:
                alone = max(alone, expected)
            if expected > best.expected:
                name = self.similarity.name
                best = replace(best, expected=expected, attack=attack, similarity=name, way=(method, by))
        return replace(best, groups=groups, one_by_one=alone)

    def try_out(self) -> FoundInFile:
        """The same of a few people; chance where they cannot be compared."""
        try:
            return self.carry_out()
        except DataError:  # so few people may have no place in common
            return self.chance


def carry_out(attempts: Sequence[Attempt], progress: bool | None) -> list[FoundInFile]:
    """What each attempt finds; none is carried out twice."""
    parts = [each.parts() for each in attempts]
    new = [part for row in parts for part in row if part.key not in part.done]
    asked: dict[str, Any] = {"label": "attacking the file", "progress": progress}
    for attempt, found in zip(new, send(Attack.carry_out, new, **asked), strict=True):
        attempt.keep(found)
    return [max((part.done[part.key] for part in row), key=lambda each: each.share) for row in parts]


def send(
    work: Callable[[Attack], FoundInFile], attempts: Sequence[Attempt], *, label: str, progress: bool | None
) -> list[FoundInFile]:
    """Attacks side by side, here or elsewhere; those that add up the same terms one after the other, on one thread."""
    jobs: dict[Any, list[int]] = {}
    for number, each in enumerate(attempts):
        jobs.setdefault((each.sides, each.similarity.terms), []).append(number)
    attacks = [each.prepare() for each in attempts]
    found = send_jobs(partial(_in_turn, work, attacks), list(jobs.values()), label=label, progress=progress)
    by_number = {
        number: each
        for job, done in zip(jobs.values(), found, strict=True)
        for number, each in zip(job, done, strict=True)
    }
    return [by_number[number] for number in range(len(attacks))]


def _in_turn(
    work: Callable[[Attack], FoundInFile], attacks: Sequence[Attack], numbers: Sequence[int]
) -> list[FoundInFile]:
    """Some of the attacks, on the same two sides: what one has added up is there for the next."""
    sides = attacks[numbers[0]].sides.for_one_similarity()
    return [work(replace(attacks[number], sides=sides)) for number in numbers]
