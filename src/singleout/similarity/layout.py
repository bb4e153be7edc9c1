"""One side grouped into classes, in the order a matching sees them: made once for similarities that need the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from singleout.ground.arrays import Floats, Indices
from singleout.similarity.alignment import AlignedSide, Reliability
from singleout.similarity.side_arrays import Structure
from singleout.statistics.classes import Classes

SHUFFLE = 8_301_557
"""Separates the order of classes from all other draws made with the same seed."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The rows of one person of each class."""

    classes: Classes
    structure: Structure
    counts: Floats
    """Of each entry."""
    segment: Indices
    """Row and channel of each entry."""
    totals: Floats
    """Counts per class and channel."""
    factor: Floats
    """How much each class counts."""


def layout_of(
    side: AlignedSide, of_counts: bool, reliability: Reliability | None, order: tuple[int, int] | None
) -> Layout:
    """Classes by equal counts, or by equal shares, and by how much people count; ``order`` shuffles them."""
    key = "layout", of_counts, reliability, order
    if key not in side.kept:
        side.kept[key] = _lay_out(side, of_counts, reliability, order)
    return side.kept[key]  # type: ignore[no-any-return]


def _lay_out(
    side: AlignedSide, of_counts: bool, reliability: Reliability | None, order: tuple[int, int] | None
) -> Layout:
    factor = side.factors(reliability)
    classes = side.classes(of_counts=of_counts)
    if reliability is not None:
        # people who count differently are distinguishable
        finer = classes.refine(factor)
        if len(finer.size) == len(classes.size):
            same = layout_of(side, of_counts, None, order)
            return replace(same, factor=factor[same.classes.first])
        classes = finer
    classes = classes if order is None else classes.shuffle(np.random.default_rng([*order, SHUFFLE]))
    chosen = side.counts[classes.first]
    segment = side.segments(chosen)
    counts = chosen.data.astype(np.float64)
    totals = np.zeros((chosen.shape[0], side.channels))
    totals.flat[:] = np.bincount(segment, counts, totals.size)
    return Layout(classes, Structure.of(chosen), counts, segment, totals, factor[classes.first])
