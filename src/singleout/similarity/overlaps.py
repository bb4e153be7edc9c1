"""Two sides of histograms prepared for comparison: columns aligned by id, values scaled, classes grouped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import xlogy

from singleout._kernels.overlap import Columns, Rows
from singleout._kernels.pricing import Totals
from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError
from singleout.ground.lazy import cached_property
from singleout.ground.notes import Note, nonzero
from singleout.ground.parallel import map_tiles, shares_memory
from singleout.similarity.alignment import AlignedSides
from singleout.similarity.layout import Layout, layout_of
from singleout.similarity.own_term import BUILT_IN_KERNELS, MOST_VALUES
from singleout.similarity.pairs import NO_PAIRS, Priced, SweepRequest, corner_pairs
from singleout.similarity.registry import Similarity
from singleout.similarity.side_arrays import Structure
from singleout.statistics.classes import Classes

TIE = 1e-12
"""Gains closer than this share of the gain a person would have with themselves count as equal."""


@dataclass(frozen=True, eq=False)
class Side:
    """One row per class: values scaled for the similarity, and totals of rows."""

    classes: Classes
    structure: Structure
    values: Floats
    own: Floats
    totals: Floats
    """Counts per class and channel."""
    factor: Floats
    """How much each class counts: its gains are multiplied by it."""
    other_own: Floats
    """What the own parts are once the sides are swapped; the same but where places have two values."""

    @cached_property
    def rows(self) -> Rows:
        """For a kernel, row by row."""
        return self.structure.by_row(self.values, self.own, self.factor)

    @cached_property
    def columns(self) -> Columns:
        """For a kernel, column by column."""
        return self.structure.by_column(self.values, self.own, self.factor)


@dataclass(frozen=True, eq=False)
class Overlaps:
    """All pairs of released and known classes under one similarity, never stored: computed by tile."""

    similarity: Similarity
    released: Side
    known: Side
    channels: int
    sides: AlignedSides
    """What is compared: released and known, at all levels."""
    notes: tuple[Note, ...] = ()

    def swap_sides(self) -> Overlaps:
        """The same pairs with the sides swapped."""
        known, released = self.known, self.released
        if self.similarity.place_values is not None:
            # a term takes the first value of a place from one side and the second from the other
            known, released = (replace(side, own=side.other_own, other_own=side.own) for side in (known, released))
        return replace(self, released=known, known=released)

    def without_factors(self) -> Overlaps:
        """The same pairs if all people count the same, as they do one by one."""
        if self.similarity.reliability is None:
            return self
        sides = [replace(side, factor=np.ones(len(side.factor))) for side in (self.released, self.known)]
        similarity = replace(self.similarity, reliability=None)
        return replace(self, similarity=similarity, released=sides[0], known=sides[1])

    def gains(self, *, progress: bool | None = None) -> Floats:
        """Gains of all pairs of classes as a dense matrix; for sides that fit."""
        # threads write into one table; to return parts of it and join them would take as long as to fill it
        table = np.zeros(self.shape) if shares_memory() else None
        walk = *self._walk("dense_gains"), table
        blocks = map_tiles(_dense_rows, self.shape[0], *walk, label="comparing people", progress=progress)
        gains = np.concatenate(blocks) if table is None else table
        if self.similarity.kernels is not BUILT_IN_KERNELS:
            # sums with a wrong term are NaN, and the sum of all gains with them
            _refuse_negative(not np.isfinite(gains.sum()))
        return gains

    def best(self, *, progress: bool | None = None) -> tuple[Floats, Indices, Indices]:
        """For each released class, its best gain, how many known classes reach it, and which, in sequence."""
        walk = *self._walk("best_gains"), TIE * self.self_gains()
        parts = map_tiles(_rows_by_rows, self.shape[0], *walk, label="comparing people", progress=progress)
        best, ties, tied = (np.concatenate(part) for part in zip(*parts, strict=True))
        _refuse_negative(bool(np.isnan(best).any()))
        return best, ties, _sort_within(ties, tied, self.shape[1])

    def costs_of_rows(self, first: int, last: int) -> Floats:
        """Costs of a few released classes with all known ones."""
        gains = _dense_rows(first, last, *self._walk("dense_gains"))
        constants = self.constants(np.arange(first, last)[:, None], np.arange(self.shape[1])[None, :])
        return np.asarray(constants - gains)

    def _walk(self, kernel: str) -> tuple[Any, ...]:
        """A kernel by name and the arrays it reads."""
        return self.similarity.kernels[kernel], self.similarity.code, self.released.rows, self.known.columns

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of released and of known classes."""
        return len(self.released.classes.size), len(self.known.classes.size)

    @property
    def terms_a_sweep(self) -> int:
        """How many terms one sweep over all pairs computes."""
        return int(self.released.structure.visitors @ self.known.structure.visitors)

    def price(self, rows: Indices, price: Floats, other_price: Floats, asked: SweepRequest) -> Priced:
        """Pairs of these released classes that are worth more than the prices."""
        prices = price, other_price, asked.slack, asked.most, self._totals(other_price, every=asked.every)
        walk = rows, *self._walk("price_rows"), *prices
        priced = Priced.join(rows, map_tiles(_chosen_rows, len(rows), *walk, label="pricing", progress=asked.progress))
        _refuse_negative(bool(np.isnan(priced.best).any()))
        return priced

    @property
    def complete(self) -> bool:
        """Anyone may be matched with anyone."""
        return True

    @cached_property
    def lift(self) -> float:
        """What is added to all gains if costs of pairs without a common place differ; else zero.

        More than any such cost, so that every pair is worth making and everyone is matched.
        """
        if self.similarity.constant is not None:
            return 0.0
        largest = (side.totals.max(axis=0, initial=0.0) for side in (self.released, self.known))
        return float(_disjoint_cost(*largest)) * 1.01 + 1.0

    def opening_prices(self) -> tuple[Floats, Floats]:
        """What makes a class attractive to all: under glrt a small total, which costs little with anyone.

        Without it everyone's candidates would be the same few people about whom least is known.
        """
        if not self.lift:
            return np.zeros(self.shape[0]), np.zeros(self.shape[1])
        totals = self.released.totals, self.known.totals
        means = totals[0].mean(axis=0), totals[1].mean(axis=0)
        dear = [-_disjoint_cost(totals[0], means[1]), -_disjoint_cost(totals[1], means[0])]
        return dear[0] - dear[0].min(), dear[1] - dear[1].min()

    def spanning(self) -> tuple[Indices, Indices, Floats]:
        """Under glrt: large totals with small ones, the cheapest way to match people who share nothing."""
        if not self.lift:
            return NO_PAIRS
        sides = self.released, self.known
        orders = [np.argsort(side.totals.sum(axis=1), kind="stable") for side in sides]
        sizes = [side.classes.size for side in sides]
        rows, columns = corner_pairs(orders[0], sizes[0], orders[1][::-1], sizes[1])
        return rows, columns, self.lift - self.of_pairs(rows, columns)

    def offsets(self, rows: Indices, columns: Indices) -> Floats:
        """The part of a pair's gain that is not a sum of terms."""
        if not self.lift:
            return np.zeros(len(rows))
        return np.asarray(self.lift - self.constants(rows, columns))

    def _totals(self, other_price: Floats, *, every: bool) -> Totals:
        """Where costs of pairs without a common place differ: what they are, and who represents whom.

        The cheapest of all known classes with the same totals represents those that share no place, unless every pair
        is wanted.
        """
        (mine, own), (groups, group_own, group) = self._totals_by_channel
        if not self.lift:
            return Totals(0.0, mine, own, groups, group_own, group, group[:0], other_price[:0])
        first = np.arange(self.shape[1])
        if not every:
            order = np.lexsort((other_price, group))
            first = order[np.r_[True, group[order][1:] != group[order][:-1]]]
        return Totals(self.lift, mine, own, groups, group_own, group, first, other_price[first])

    @cached_property
    def _totals_by_channel(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats, Indices]]:
        """Totals of released classes and of groups of known ones with the same totals, each with its x ln x."""
        mine = self.released.totals
        if not self.lift:
            none = np.empty((0, 0))
            return (none, none), (none, none, np.empty(0, np.intp))
        theirs, group = np.unique(self.known.totals, axis=0, return_inverse=True)
        columns = np.ascontiguousarray(theirs.T)
        return (mine, xlogy(mine, mine)), (columns, xlogy(columns, columns), group.ravel().astype(np.intp))

    def of_pairs(self, released: Indices, known: Indices) -> Floats:
        """Costs of given pairs of classes."""
        kernel = self.similarity.kernels["pair_gains"]
        gains = kernel(self.similarity.code, released, known, self.released.rows, self.known.rows)
        gains *= self.released.factor[released] * self.known.factor[known]
        costs = self.constants(released, known) - gains
        # a distance slightly below zero is a zero that was summed in another order
        return np.asarray(np.maximum(costs, 0.0) if self.similarity.distance else costs)

    def constants(self, released: Indices, known: Indices) -> Floats:
        """The costs of pairs that share no place."""
        if self.similarity.constant is not None:
            return np.full(np.broadcast(released, known).shape, self.similarity.constant * self.channels)
        return _disjoint_cost(self.released.totals[released], self.known.totals[known])

    def self_gains(self) -> Floats:
        """The gain of each released class with itself: the scale for ties."""
        kernel, itself = self.similarity.kernels["pair_gains"], np.arange(len(self.released.classes.size))
        rows = self.released.rows
        gains = kernel(self.similarity.code, itself, itself, rows, rows._replace(own=self.released.other_own))
        return np.asarray(gains, dtype=np.float64)


def _dense_rows(first: int, last: int, kernel: Callable[..., Any], code: int, *arrays: Any) -> Floats:
    """A block of the table of all gains, which follows the two sides, or one of its own where none does."""
    rows, columns, table = (*arrays, None)[:3]
    block = np.zeros((last - first, columns.factor.size)) if table is None else table[first:last]
    kernel(code, first, last, rows, columns, block)
    return np.asarray(block)


def _rows_by_rows(first: int, last: int, kernel: Callable[..., Any], code: int, *arguments: Any) -> Any:
    return kernel(code, first, last, *arguments)


def _chosen_rows(
    first: int, last: int, rows: Indices, kernel: Callable[..., Any], code: int, *arguments: Any
) -> tuple[Floats, Indices, Indices, Floats]:
    return kernel(code, rows[first:last], *arguments)  # type: ignore[no-any-return]


def _disjoint_cost(totals: Floats, other_totals: Floats) -> Floats:
    """UN13's h(A, B) over the last axis, the channels: the cost of pairs that share no place, from counts."""
    both = totals + other_totals
    each = xlogy(both, both) - (xlogy(totals, totals) + xlogy(other_totals, other_totals))
    return np.asarray(each.sum(axis=-1), dtype=np.float64)


def _sort_within(sizes: Indices, members: Indices, largest: int) -> Indices:
    """Members of groups that stand one after the other, ascending in each; all are below ``largest``."""
    offset = np.repeat(np.arange(len(sizes)), sizes) * largest
    return np.asarray(np.sort(offset + members) - offset)


def _refuse_negative(found: bool) -> None:
    if found:
        raise DataError(
            "the term of the similarity returned a negative number, an infinite one or NaN; it must be zero or more.",
            function="match",
        )


def overlaps(sides: AlignedSides, similarity: Similarity, seed: int | None = None) -> Overlaps:
    """Group identical rows, and scale the values for the similarity.

    With a seed, the classes of each side are shuffled separately, so that a solver's preferences among equally good
    answers cannot favour true pairs.
    """
    sides = sides.at_levels(similarity.levels)
    counts, values = sides.known.counts, None
    if similarity.place_values is not None:
        # only places of both sides are compared, so that those of the known side are enough
        values = np.zeros((counts.shape[1], MOST_VALUES))
        values[sides.column_of_known] = similarity.place_values(sides.histograms[1])
    rarity = None if similarity.rarity is None else similarity.rarity(counts)
    released, known = (
        _side(layout_of(side, similarity.scale == "counts", similarity.reliability, order), similarity, rarity, own)
        for side, order, own in zip(
            (sides.released, sides.known),
            ((None, None) if seed is None else ((seed, 0), (seed, 1))),
            ((None, None) if values is None else (values, values[:, ::-1])),
            strict=True,
        )
    )
    unknown = sum(side.events is None for side in sides.histograms if similarity.reliability is not None)
    return Overlaps(
        similarity,
        released,
        known,
        sides.released.channels,
        sides,
        sides.notes + nonzero(Note(unknown, "sides without numbers of events", "all people count the same there")),
    )


def _side(layout: Layout, similarity: Similarity, rarity: Floats | None, place_values: Floats | None) -> Side:
    """Rows of classes; ``place_values``: values of each place, first the own part, then that of the other side."""
    columns = layout.structure.columns
    values = scale(layout.counts, layout.segment, layout.totals.size, similarity)
    if rarity is not None:
        values = values * rarity[columns]
    own = other_own = xlogy(values, values) if similarity.own_part else np.zeros(len(values))
    if place_values is not None:
        own, other_own = place_values[columns].T.copy()
    return Side(layout.classes, layout.structure, values, own, layout.totals, layout.factor, other_own)


def scale(values: Floats, segment: Indices, segments: int, similarity: Similarity) -> Floats:
    """Scale the entries of each person and channel: to sum one, to length one, or not at all."""
    if similarity.scale == "counts":
        return values
    values = np.sqrt(values) if similarity.roots else values
    if similarity.scale == "unit":
        return np.asarray(values / np.sqrt(np.bincount(segment, values * values, segments))[segment])
    return np.asarray(values / np.bincount(segment, values, segments)[segment])
