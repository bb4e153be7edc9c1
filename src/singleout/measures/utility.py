"""What a protection destroys: how far the released shares are from the true ones, in the original places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.errors import DataError, bad_argument
from singleout.ground.notebooks import Summary
from singleout.statistics.histograms import Histograms

TOP = 10
ROUNDING = 1e-12


@dataclass(frozen=True)
class Utility(Summary):
    """What is left of the data.

    ``loss`` is the sum of absolute differences between true and released shares over that between true shares and their
    mean: 0 for the data as it is, 1 for everyone replaced by the mean, more where people are led astray or emptied.
    ``popularity_error`` is the total variation between the popularity of places before and after; ``top_kept`` the
    share of the ten most popular places that still are among the ten; ``emptied`` how many people are left with
    nothing (the mean where several draws are put together).
    """

    loss: float
    popularity_error: float
    top_kept: float
    emptied: float

    def __str__(self) -> str:
        return (
            f"loss {self.loss:.3f} (0 as it was, 1 everyone alike, more if worse than that), popularity of places off "
            f"by {self.popularity_error:.1%}, {self.top_kept:.0%} of the ten most popular still are, "
            f"{self.emptied_people()} {'person' if self.emptied == 1 else 'people'} emptied"
        )

    def emptied_people(self) -> str:
        """How many people are left with nothing, in digits."""
        return f"{self.emptied:,.1f}".removesuffix(".0")


def utility(original: Histograms, protected: Histograms, *, coarser: Mapping[Any, Any] | None = None) -> Utility:
    """Compare protected histograms with the original ones, person by person (N16 eq. 11, for any protection).

    ``coarser`` names the merged place of each original place, where places were merged: what was released for a merged
    place is spread over its places by their popularity, the mean share people spend there. What is released nowhere
    counts like what is released where a person never was: someone emptied is as far off as can be, 2.
    """
    for argument, side in (("original", original), ("protected", protected)):
        if not isinstance(side, Histograms):
            raise bad_argument("utility", argument, "Histograms", type(side).__name__)
    if original.people.tolist() != protected.people.tolist():
        raise DataError("original and protected must hold the same people in the same order.", function="utility")
    before = original.shares()
    popular = np.asarray(before.sum(axis=0)).ravel()
    after = _in_places_of(original, popular, protected, coarser)
    released = np.asarray(after.sum(axis=0)).ravel()
    nowhere = np.maximum(_by_channel(before, original) - _by_channel(after, original), 0.0)
    difference = float(abs(before - after).sum() + nowhere.sum())
    about_mean = _about(before, popular / len(original))
    totals = [max(side.sum(), np.finfo(np.float64).tiny) for side in (popular, released)]
    error = 0.5 * float(np.abs(popular / totals[0] - released / totals[1]).sum())
    loss = difference / about_mean if about_mean > ROUNDING * len(original) else 0.0
    emptied = int(((original.totals > 0) & (protected.totals == 0)).sum())
    return Utility(loss, error, _top_kept(popular, released), emptied)


def _about(shares: sparse.csr_array, mean: Any) -> float:
    """Absolute differences of all rows to their mean, without making them dense."""
    at = mean[shares.indices]
    return float(shares.shape[0] * mean.sum() + (np.abs(shares.data - at) - at).sum())


def _by_channel(shares: sparse.csr_array, side: Histograms) -> Any:
    """Each person's shares added up, channel by channel."""
    labels = np.zeros(len(side.places), dtype=np.intp)
    if side.channels is not None:
        labels = np.unique(side.channels, return_inverse=True)[1].astype(np.intp)
    shape = (len(labels), int(labels.max(initial=0)) + 1)
    return (shares @ sparse.csr_array((np.ones(len(labels)), (np.arange(len(labels)), labels)), shape=shape)).toarray()


def _top_kept(before: Any, after: Any) -> float:
    """A place where nobody is left does not count among the most popular, however few there are."""
    number = min(TOP, int((before > 0).sum()))
    best = [
        {place for place in np.argsort(-side, kind="stable")[:number].tolist() if side[place] > 0}
        for side in (before, after)
    ]
    return len(best[0] & best[1]) / number if number else 1.0


def _in_places_of(
    original: Histograms, popularity: Any, protected: Histograms, coarser: Mapping[Any, Any] | None
) -> sparse.csr_array:
    """Protected shares in the original's columns."""
    target = _columns(original, None if coarser is None else dict(coarser))
    source = {key: number for number, key in enumerate(_columns(protected, None))}
    column = np.array([source.get(key, -1) for key in target], dtype=np.intp)
    there = np.flatnonzero(column >= 0)
    merged = np.bincount(column[there], popularity[there], len(source))
    # a merged place that nobody of the original was at has nothing to spread
    spread = popularity[there] / np.maximum(merged[column[there]], np.finfo(np.float64).tiny)
    spreading = sparse.csr_array((spread, (column[there], there)), shape=(len(source), len(target)))
    # in ascending order, so that what did not change adds up to the very same numbers
    return (protected.shares() @ spreading).tocsr().sorted_indices()


def _columns(side: Histograms, coarser: dict[Any, Any] | None) -> list[tuple[Any, Any]]:
    labels = [None] * len(side.places) if side.channels is None else side.channels.tolist()
    places = side.places.tolist()
    named = places if coarser is None else [coarser.get(place) for place in places]
    return list(zip(labels, named, strict=True))
