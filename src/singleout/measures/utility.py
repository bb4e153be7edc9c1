"""Information loss of a protection: how far the released shares are from the true ones, in the original places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.errors import DataError, bad_argument
from singleout.ground.notebooks import Summary
from singleout.ground.numbers import percent, plural
from singleout.statistics.histograms import Histograms

TOP = 10
ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class Utility(Summary):
    """What is left of the data.

    ``loss`` is the sum of absolute differences between true and released shares over that between true shares and their
    mean: 0 for unchanged data, 1 if everyone is replaced by the mean, more if people appear elsewhere or lose all data.
    ``popularity_error`` is the total variation between the average shares of places before and after; ``top_kept`` the
    part of the ten places with the largest average shares that are still among the ten, not counting those that were
    merged with others; ``emptied`` the number of people left without data (the average if several draws are combined).
    ``top`` is less than ten if there are fewer places. ``order_kept`` is 1 if those kept are in the same order,
    otherwise 0, or nan if that is not known.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> lost = so.utility(released, released)
    >>> lost.loss
    0.0
    """

    loss: float
    popularity_error: float
    top_kept: float
    emptied: float
    top: int = TOP
    order_kept: float = nan

    def __str__(self) -> str:
        return (
            f"information loss {percent(self.loss)} (0%: unchanged, 100%: everyone the same, above: worse), "
            f"shares of places off by {percent(self.popularity_error)}, {self.top_in_words('place')}, "
            f"{self.emptied_people()} {'person' if self.emptied == 1 else 'people'} left without data"
        )

    def top_in_words(self, place: str) -> str:
        """How many of the places with the largest shares are still among them, and whether in the same order."""
        if self.top == 1:
            still = "still has it" if self.top_kept else "does not have it any more"
            return f"the {place} with the largest share {still}"
        kept = f"{self.top_kept * self.top:.1f}".removesuffix(".0")
        are = "is" if kept in ("0", "1") else "are"
        number = {"0": "none", str(self.top): "all"}.get(kept, kept)
        orders = {1.0: ", in the same order", 0.0: ", in another order"}
        order = "" if kept in ("0", "1") else orders.get(self.order_kept, "")
        top = f"the {self.top} {plural(place)} with the largest shares"
        return f"{number} of {top} {are} still in the top {self.top}{order}"

    def emptied_people(self) -> str:
        """How many people are left without data, in digits."""
        return f"{self.emptied:,.1f}".removesuffix(".0")


def utility(original: Histograms, protected: Histograms, *, coarser: Mapping[Any, Any] | None = None) -> Utility:
    """Compare protected histograms with the original ones, person by person (Naini 2016 eq. 11, for any protection).

    ``coarser`` gives the merged place of each original place, if places were merged: what was released for a merged
    place is spread over its places by their shares, on average over people. What is not released counts like what is
    released where a person never was: someone left without data has the largest difference, 2.

    Parameters
    ----------
    original
        Histograms as they were.
    protected
        The same people after a protection.
    coarser
        The merged place of each original one, if places were merged.

    Returns
    -------
    Utility
        Losses, 0 for unchanged data.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> so.utility(released, so.suppress(released, keep=20)).emptied
    22
    """
    for argument, side in (("original", original), ("protected", protected)):
        if not isinstance(side, Histograms):
            raise bad_argument("utility", argument, "Histograms", type(side).__name__)
    if original.people.tolist() != protected.people.tolist():
        raise DataError("`original` and `protected` must have the same people in the same order.", function="utility")
    before = original.shares()
    shares_before = np.asarray(before.sum(axis=0)).ravel()
    after = _in_places_of(original, shares_before, protected, coarser)
    released = np.asarray(after.sum(axis=0)).ravel()
    nowhere = np.maximum(_by_channel(before, original) - _by_channel(after, original), 0.0)
    difference = float(abs(before - after).sum() + nowhere.sum())
    about_mean = _distance_from_mean(before, shares_before / len(original))
    totals = [max(side.sum(), np.finfo(np.float64).tiny) for side in (shares_before, released)]
    # what is left of equal sums is below any digit that is shown
    error = round(0.5 * float(np.abs(shares_before / totals[0] - released / totals[1]).sum()), 12)
    loss = difference / about_mean if about_mean > ROUNDING * len(original) else 0.0
    emptied = int(((original.totals > 0) & (protected.totals == 0)).sum())
    top = min(TOP, int((shares_before > 0).sum()))
    kept = _places_kept(shares_before, released, _are_merged(original, coarser), top)
    order = float(_is_same_order(shares_before[kept], released[kept]))
    return Utility(loss, error, len(kept) / top if top else 1.0, emptied, top, order)


def _distance_from_mean(shares: sparse.csr_array, mean: Any) -> float:
    """Sum of absolute differences of all rows from their mean, without making them dense."""
    at = mean[shares.indices]
    return float(shares.shape[0] * mean.sum() + (np.abs(shares.data - at) - at).sum())


def _by_channel(shares: sparse.csr_array, side: Histograms) -> Any:
    """Each person's shares added up, channel by channel."""
    labels = np.zeros(len(side.places), dtype=np.intp)
    if side.channels is not None:
        labels = np.unique(side.channels, return_inverse=True)[1].astype(np.intp)
    shape = (len(labels), int(labels.max(initial=0)) + 1)
    return (shares @ sparse.csr_array((np.ones(len(labels)), (np.arange(len(labels)), labels)), shape=shape)).toarray()


def _are_merged(original: Histograms, coarser: Mapping[Any, Any] | None) -> Any:
    """Which places were merged with others: their own shares cannot be seen any more."""
    keys = _columns(original, None if coarser is None else dict(coarser))
    sharing = Counter(keys)
    return np.array([coarser is not None and sharing[key] > 1 for key in keys], dtype=bool)


def _places_kept(before: Any, after: Any, merged: Any, number: int) -> list[int]:
    """The places with the largest shares that remain so; a place without people never does."""
    first, then = (
        [place for place in np.argsort(-side, kind="stable")[:number].tolist() if side[place] > 0]
        for side in (before, after)
    )
    return [place for place in first if place in then and not merged[place]]


def _is_same_order(before: Any, after: Any) -> bool:
    """Whether no place overtook another, but for rounding."""
    ahead = before[:, None] > before[None, :] * (1 + ROUNDING)
    behind = after[:, None] * (1 + ROUNDING) < after[None, :]
    return not bool((ahead & behind).any())


def _in_places_of(
    original: Histograms, shares: Any, protected: Histograms, coarser: Mapping[Any, Any] | None
) -> sparse.csr_array:
    """Protected shares in the original's columns."""
    target = _columns(original, None if coarser is None else dict(coarser))
    source = {key: number for number, key in enumerate(_columns(protected, None))}
    column = np.array([source.get(key, -1) for key in target], dtype=np.intp)
    there = np.flatnonzero(column >= 0)
    merged = np.bincount(column[there], shares[there], len(source))
    # a merged place where nobody was in the original has nothing to spread
    spread = shares[there] / np.maximum(merged[column[there]], np.finfo(np.float64).tiny)
    spreading = sparse.csr_array((spread, (column[there], there)), shape=(len(source), len(target)))
    # in ascending order, so that what did not change adds up to the very same numbers
    return (protected.shares() @ spreading).tocsr().sorted_indices()


def _columns(side: Histograms, coarser: dict[Any, Any] | None) -> list[tuple[Any, Any]]:
    labels = [None] * len(side.places) if side.channels is None else side.channels.tolist()
    places = side.places.tolist()
    named = places if coarser is None else [coarser.get(place) for place in places]
    return list(zip(labels, named, strict=True))
