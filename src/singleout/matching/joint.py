"""Joint matching: everyone at once, of least total weight (A1 of N16 III-E; UN13 Proposition 3.1)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from singleout.ground.errors import TooLargeError
from singleout.ground.progress import shown
from singleout.matching.ties import Flow, Rows
from singleout.weights.histogram import Overlaps

MOST_PEOPLE = 8_000


def joint_flow(overlaps: Overlaps, rng: np.random.Generator, *, progress: bool | None = None) -> Flow:
    """The minimum-weight maximal matching, as numbers of people between classes.

    Classes are shuffled before solving, each side on its own, so that a solver's habits with equally good answers
    cannot favour true pairs.
    """
    _refuse_too_many(overlaps)
    order = [rng.permutation(len(side.classes.size)) for side in (overlaps.released, overlaps.known)]
    rows = np.repeat(order[0], overlaps.released.classes.size[order[0]])
    columns = np.repeat(order[1], overlaps.known.classes.size[order[1]])
    gains = overlaps.gains(progress=progress)
    if overlaps.weight.constant is None:
        gains -= overlaps.constants(np.arange(gains.shape[0])[:, None], np.arange(gains.shape[1])[None, :])
    with shown("matching", progress):
        chosen_rows, chosen_columns = linear_sum_assignment(gains[np.ix_(rows, columns)], maximize=True)
    released, known = rows[chosen_rows], columns[chosen_columns]
    if overlaps.weight.constant is not None:
        # pairs without a common place are all equally good: they are left to chance
        shared = gains[released, known] > 0
        released, known = released[shared], known[shared]
    return _counted(released, known, gains.shape[1])


def _counted(released: Rows, known: Rows, width: int) -> Flow:
    pair, people = np.unique(released * width + known, return_counts=True)
    return Flow(pair // width, pair % width, people.astype(np.intp))


def _refuse_too_many(overlaps: Overlaps) -> None:
    for name, side in (("released", overlaps.released), ("known", overlaps.known)):
        people = len(side.classes.label)
        if people > MOST_PEOPLE:
            raise TooLargeError(
                f"match: {name} has {people:,} people; joint matching takes up to {MOST_PEOPLE:,} a side. "
                "Match a random sample, or use method='one-by-one'."
            )
