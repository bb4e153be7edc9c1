"""An attack that a user brings: a function of the two sides that returns scores of everyone with everyone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import InputError, SingleoutError, where_it_failed
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import Histograms

SHUFFLE = 5_640_113
"""The order in which a function sees people: the same in every run, and another than that of their ids."""


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

    def for_method(self, _method: str) -> OwnAttack:
        """The same for every method."""
        return self

    def scores(self, released: Histograms, known: Histograms) -> Scores:
        """What the function returns, checked; a matrix stands for scores of the people in their order."""
        rng = np.random.default_rng(SHUFFLE)
        orders = [rng.permutation(len(side)) for side in (released, known)]
        shown = [_shuffle(side, order) for side, order in zip((released, known), orders, strict=True)]
        found = self._check(self._call(*shown), shown)
        back = [np.argsort(order) for order in orders]
        table = found.matrix[back[0]][:, back[1]]
        return Scores(table, released.people, known.people, absent=found.absent, notes=found.notes)

    def _call(self, released: Histograms, known: Histograms) -> Any:
        try:
            with redirect_stdout(sys.stderr):  # what it prints must not mix with a result
                return self.score(released, known)
        except SingleoutError:
            raise
        except Exception as error:
            # only where it failed: the message of an error may quote the data
            raise self._refuse(f"failed: {where_it_failed(error)}.") from error

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


def _shuffle(side: Histograms, order: Indices) -> Histograms:
    """A copy with rows in another order, and people numbered from zero."""
    shuffled = copy(side.only(side.people[order]))
    object.__setattr__(shuffled, "people", np.arange(len(side)))
    object.__setattr__(shuffled, "counts", shuffled.counts.copy())
    return shuffled
