"""Of a large table of pairs, computed in tiles, those that are among the likeliest of either side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from singleout.ground.arrays import Flags, Floats, Indices
from singleout.ground.parallel import map_tiles
from singleout.similarity.grouped_scores import GroupedScores
from singleout.similarity.own_attack import OwnAttack
from singleout.statistics.histograms import Histograms

CANDIDATES = 32
"""The likeliest pairs of everyone on either side; more would take longer to match, and are hardly ever true."""
ROUNDS = 10
TINY = 1e-300
Table = Callable[..., Floats]


class LikelihoodAttack(OwnAttack):
    """A function of both sides that scores the likeliest pairs; no order of people can help it, so none is hidden."""

    def scores(self, released: Histograms, known: Histograms) -> GroupedScores:
        """What the function returns; all other pairs are out of the question."""
        found: GroupedScores = self.score(released, known)
        return found


def likeliest(
    table: Table, rows: int, columns: int, *arrays: Any, label: str, of_row: int = CANDIDATES
) -> tuple[Indices, Indices, Floats]:
    """Rows, columns and values; ``table(first, last, *arrays)`` gives all columns of some rows.

    Rows and columns are groups of people with equal data: for each, at least as many groups of the other side as people
    are wanted. Ties with the last of the likeliest are among them, so that the order of people cannot help; pairs of
    minus infinity are not. ``of_row``: how many of a row.
    """
    parts = map_tiles(_of_tile, rows, table, of_row, *arrays, label=label, progress=False)
    row, column, value, best = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.lexsort((-value, column))
    starts = np.searchsorted(column[order], np.arange(columns))
    last = np.minimum(starts + CANDIDATES, np.append(starts[1:], len(order))) - 1
    kept = best | (value >= value[order][last][column])
    return row[kept], column[kept], value[kept]


def _of_tile(first: int, last: int, table: Table, of_row: int, *arrays: Any) -> tuple[Indices, Indices, Floats, Flags]:
    """Rows, columns and values of pairs that may be among the likeliest, and which are by their row."""
    values = table(first, last, *arrays)
    possible = values > -np.inf
    best = possible & (values >= _least(values, of_row)[:, None])
    rows, columns = np.nonzero(best | (possible & (values >= _least(values.T, CANDIDATES))))
    return rows + first, columns, values[rows, columns], best[rows, columns]


def _least(table: Floats, number: int) -> Floats:
    """The last of the first few of each row."""
    number = min(number, table.shape[1])
    found: Floats = np.partition(table, -number, axis=1)[:, -number]
    return found


def marginals(likely: Floats, sizes: tuple[Floats, Floats] | None = None) -> Floats:
    """How likely each pair is if everyone on the smaller side is matched, and nobody twice.

    Rows and columns are scaled in turn until they add up to one, or to no more than one on the larger side. ``sizes``:
    how many people each row and each column stands for; None: one.
    """
    people = sizes or (np.ones(likely.shape[0]), np.ones(likely.shape[1]))
    sides = [np.ones(number) for number in likely.shape]
    for _ in range(ROUNDS):
        for mine, other in ((1, 0), (0, 1)):
            weights = sides[other] * people[other]
            sums = weights @ likely if mine else likely @ weights
            least = 1.0 if people[mine].sum() > people[other].sum() else TINY
            sides[mine] = 1.0 / np.maximum(sums, least)
    return likely * sides[0][:, None] * sides[1][None, :]


def possible_rows(first: int, last: int, table: Floats) -> Floats:
    """Some rows of a table of probabilities; minus infinity for none."""
    rows = table[first:last]
    return np.where(rows > 0.0, rows, -np.inf)
