"""What a protection destroys: how far the released shares are from the true ones, in the original places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.errors import DataError
from singleout.statistics.histograms import Histograms

TOP = 10
ROUNDING = 1e-12


@dataclass(frozen=True)
class Utility:
    """What is left of the data.

    ``loss`` is the sum of absolute differences between true and released shares over that between true shares and their
    mean: 0 for the data as it is, 1 for everyone replaced by the mean. ``popularity_error`` is the total variation
    between the popularity of places before and after; ``top_kept`` the share of the ten most popular places that still
    are among the ten.
    """

    loss: float
    popularity_error: float
    top_kept: float


def utility(original: Histograms, protected: Histograms, coarser: Mapping[Any, Any] | None = None) -> Utility:
    """Compare protected histograms with the original ones, person by person.

    ``coarser`` names the merged place of each original place, where places were merged: what was released for a merged
    place is spread over its places by their popularity.
    """
    if original.people.tolist() != protected.people.tolist():
        raise DataError("utility: original and protected must hold the same people in the same order.")
    before = original.shares()
    after = _in_places_of(original, protected, coarser)
    mean = np.asarray(before.sum(axis=0)).ravel() / len(original)
    about_mean, difference = _about(before, mean), float(abs(before - after).sum())
    popular = [np.asarray(side.sum(axis=0)).ravel() for side in (before, after)]
    totals = [max(side.sum(), 1e-300) for side in popular]
    error = 0.5 * float(np.abs(popular[0] / totals[0] - popular[1] / totals[1]).sum())
    loss = difference / about_mean if about_mean > ROUNDING * len(original) else 0.0
    return Utility(loss, error, _top_kept(*popular))


def _about(shares: sparse.csr_array, mean: Any) -> float:
    """Absolute differences of all rows to their mean, without making them dense."""
    at = mean[shares.indices]
    return float(shares.shape[0] * mean.sum() + (np.abs(shares.data - at) - at).sum())


def _top_kept(before: Any, after: Any) -> float:
    number = min(TOP, int((before > 0).sum()))
    best = [set(np.argsort(-side, kind="stable")[:number].tolist()) for side in (before, after)]
    return len(best[0] & best[1]) / number if number else 1.0


def _in_places_of(original: Histograms, protected: Histograms, coarser: Mapping[Any, Any] | None) -> sparse.csr_array:
    """Protected shares in the original's columns."""
    target = _columns(original, None if coarser is None else dict(coarser))
    source = {key: number for number, key in enumerate(_columns(protected, None))}
    popularity = np.asarray(original.counts.sum(axis=0)).ravel().astype(np.float64)
    column = np.array([source.get(key, -1) for key in target], dtype=np.intp)
    there = np.flatnonzero(column >= 0)
    merged = np.bincount(column[there], popularity[there], len(source))
    # a merged place that nobody of the original was at has nothing to spread
    spread = popularity[there] / np.maximum(merged[column[there]], np.finfo(np.float64).tiny)
    shape = (len(source), len(target))
    return (protected.shares() @ sparse.csr_array((spread, (column[there], there)), shape=shape)).tocsr()


def _columns(side: Histograms, coarser: dict[Any, Any] | None) -> list[tuple[Any, Any]]:
    labels = [None] * len(side.places) if side.channels is None else side.channels.tolist()
    places = side.places.tolist()
    named = places if coarser is None else [coarser.get(place) for place in places]
    return list(zip(labels, named, strict=True))
