"""An attack that a user brings: a function of the two sides that returns scores of everyone with everyone."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from singleout.ground.errors import DataError, SingleoutError
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import Histograms


@dataclass(frozen=True, eq=False)
class OwnAttack:
    """A function ``(released, known) -> Scores`` under a name; it may use everything that the histograms hold."""

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
        found = self._call(released, known)
        if not isinstance(found, Scores):
            wanted = len(released), len(known)
            if np.shape(found) != wanted:
                raise DataError(
                    f"the attack {self.name!r} must return a matrix of {wanted[0]:,} by {wanted[1]:,} people.",
                    function="match",
                )
            return Scores(found, released.people, known.people)
        for name, ids, side in (("released", found.released, released), ("known", found.known, known)):
            if not np.array_equal(ids, side.people):
                raise DataError(
                    f"the attack {self.name!r} must return scores of the {name} people, in their order.",
                    function="match",
                )
        return found

    def _call(self, released: Histograms, known: Histograms) -> Any:
        try:
            return self.score(released, known)
        except SingleoutError:
            raise
        except Exception as error:
            # only where it failed: the message of an error may quote the data
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
            raise DataError(f"the attack {self.name!r} failed: {where}.", function="match") from error
