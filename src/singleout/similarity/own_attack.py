"""An attack that a user brings: a function of the two sides that returns scores of everyone with everyone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.errors import InputError, SingleoutError
from singleout.similarity.grouped_scores import GroupedScores
from singleout.similarity.own_code import run_own, shuffle_orders, shuffle_people
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import Histograms


@dataclass(frozen=True, eq=False)
class OwnAttack:
    """A function ``(released, known) -> Scores`` under a name.

    It sees people in a random order, numbered from zero, and copies of their counts: neither ids nor the order of rows
    can help it, and it cannot change what other attacks see.
    """

    name: str
    score: Callable[[Histograms, Histograms], Any]
    description: str = ""

    @property
    def levels(self) -> None:
        """None: what it compares is its own affair."""
        return None

    @property
    def terms(self) -> tuple[Any, ...]:
        """No other compares people in the same way."""
        return (self.name,)

    def for_method(self, _method: str) -> OwnAttack:
        """The same for every method."""
        return self

    def scores(self, released: Histograms, known: Histograms) -> Scores | GroupedScores:
        """What the function returns, checked; a matrix stands for scores of the people in their order."""
        orders = shuffle_orders([released, known])
        shown = [shuffle_people(side, order) for side, order in zip((released, known), orders, strict=True)]
        found = self._check(run_own(f"the attack {self.name!r}", self.score, *shown), shown)
        back = [np.argsort(order) for order in orders]
        table = found.matrix[back[0]][:, back[1]]
        return Scores(table, released.people, known.people, absent=found.absent, notes=found.notes)

    def _check(self, found: Any, sides: list[Histograms]) -> Scores:
        if isinstance(found, Scores):
            for name, ids, side in zip(("released", "known"), (found.released, found.known), sides, strict=True):
                if not np.array_equal(ids, side.people):
                    raise self._refuse(f"must return scores of {name}.people, in their order.")
            return found
        wanted = len(sides[0]), len(sides[1])
        if np.shape(found) != wanted:
            raise self._refuse(f"must return a matrix of {wanted[0]:,} by {wanted[1]:,} people.")
        try:
            return Scores(found, sides[0].people, sides[1].people)
        except SingleoutError as error:
            raise self._refuse(f"must return finite numbers. {error}") from error

    def _refuse(self, problem: str) -> InputError:
        """A fault of the function, which ends a run: to go on without it would be to attack less than was asked."""
        return InputError(f"the attack {self.name!r} {problem}", function="match")
