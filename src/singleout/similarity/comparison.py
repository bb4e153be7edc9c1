"""Two sides under one similarity, prepared once for all methods of matching.

Where few people share many places with everyone, the sums of all pairs are computed once and stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from singleout._kernels import scores as kernels
from singleout.ground.arrays import Floats, Indices
from singleout.ground.lazy import cached_property
from singleout.ground.parallel import map_tiles
from singleout.similarity.alignment import AlignedSides
from singleout.similarity.overlaps import TIE, Overlaps, overlaps
from singleout.similarity.pairs import Pairs, Priced, SweepRequest
from singleout.similarity.registry import Similarity

MOST_PAIRS = 2**24
"""128 MB: more is never stored, whatever a sweep costs."""
TERMS_A_PAIR = 0.25
"""Sweeps that compute fewer terms than this per pair cost no more than reading a table."""
Nearest = tuple[Floats, Indices, Indices]
"""Best gains, how many reach each, and which, in sequence."""


@dataclass(frozen=True, eq=False)
class TablePairs:
    """Gains of all pairs in a table, and the overlaps they came from; ``turned``: the table's columns are the rows."""

    overlaps: Overlaps
    gains: Floats
    turned: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        return self.overlaps.shape

    def price(self, rows: Indices, price: Floats, other_price: Floats, asked: SweepRequest) -> Priced:
        """Pairs of these rows that are worth more than the prices."""
        kernel = kernels.price_columns if self.turned else kernels.price_table
        arguments = rows, kernel, self.gains, price, other_price, asked.slack, asked.most
        return Priced.join(
            rows, map_tiles(_price_tile, len(rows), *arguments, label="pricing", progress=asked.progress)
        )

    @property
    def complete(self) -> bool:
        """Anyone may be matched with anyone."""
        return True

    def swap_sides(self) -> TablePairs:
        """The same pairs with the sides swapped."""
        return TablePairs(self.overlaps.swap_sides(), self.gains, not self.turned)

    def opening_prices(self) -> tuple[Floats, Floats]:
        """What makes a class attractive to all."""
        return self.overlaps.opening_prices()

    def spanning(self) -> tuple[Indices, Indices, Floats]:
        """Pairs by which everyone can be matched, if that matters."""
        return self.overlaps.spanning()

    def offsets(self, rows: Indices, columns: Indices) -> Floats:
        """The part of a pair's gain that is not a sum of terms."""
        return self.overlaps.offsets(rows, columns)


def _price_tile(first: int, last: int, rows: Indices, kernel: Callable[..., Any], *arguments: Any) -> Any:
    return kernel(rows[first:last], *arguments)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two sides under one similarity: pairs for joint matching, and the nearest of everyone."""

    overlaps: Overlaps
    progress: bool | None = None
    kept: dict[str, Any] = field(default_factory=dict)
    """What was computed as if all people counted the same."""

    @cached_property
    def plain(self) -> Overlaps:
        """One by one, all people count the same."""
        return self.overlaps.without_factors()

    def like(self, other: Comparison) -> Comparison:
        """The same, with what another one has computed if the two differ only in how much people count."""
        mine, theirs = self.overlaps, other.overlaps
        same_rows = (
            mine.released.structure is theirs.released.structure and mine.known.structure is theirs.known.structure
        )
        same = same_rows and mine.similarity.terms == theirs.similarity.terms
        return replace(self, kept=other.kept) if same else self

    @property
    def _sums(self) -> Floats | None:
        """Sums of terms of all pairs of classes, where a table of them is small and saves time."""
        if "sums" not in self.kept:
            self.kept["sums"] = self._add_up()
        return self.kept["sums"]  # type: ignore[no-any-return]

    def _add_up(self) -> Floats | None:
        rows, columns = self.plain.shape
        if rows * columns > MOST_PAIRS or self.plain.terms_a_sweep < TERMS_A_PAIR * rows * columns:
            return None
        return self.plain.gains(progress=self.progress)

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs in a table, or as they are, computed again in every sweep."""
        overlaps, gains = self.overlaps, self._sums
        if gains is None:
            return overlaps
        if overlaps is not self.plain:
            scaled = np.empty_like(gains)
            kernels.scale_table(gains, overlaps.released.factor, overlaps.known.factor, scaled)
            gains = scaled
        if overlaps.lift:
            rows, columns = overlaps.shape
            gains = gains + (overlaps.lift - overlaps.constants(np.arange(rows)[:, None], np.arange(columns)[None, :]))
        return TablePairs(overlaps, gains)

    def nearest(self, by: str) -> Nearest:
        """For each released class (or each known one) its best gain and the classes of the other side that have it."""
        if by not in self.kept:
            self.kept[by] = self._find_nearest(by)
        return self.kept[by]  # type: ignore[no-any-return]

    def _find_nearest(self, by: str) -> Nearest:
        overlaps = self.plain if by == "released" else self.plain.swap_sides()
        if self._sums is None:
            return overlaps.best(progress=self.progress)
        return best_of_table(self._sums, TIE * overlaps.self_gains(), axis=1 if by == "released" else 0)


def best_of_table(table: Floats, tolerance: Floats, *, axis: int) -> Nearest:
    """The same as ``Overlaps.best``, of the rows (axis 1) or the columns of a table of gains."""
    best = table.max(axis=axis, initial=0.0)
    least = np.where(best > 0, np.maximum(best - tolerance, np.finfo(np.float64).tiny), np.inf)
    rows, columns = np.divmod(np.flatnonzero(table >= (least[:, None] if axis else least)), table.shape[1])
    mine, tied = (rows, columns) if axis else (columns, rows)
    order = np.lexsort((tied, mine))
    return best, np.bincount(mine, minlength=len(best)).astype(np.intp), tied[order]


def compare(
    sides: AlignedSides, similarity: Similarity, *, seed: int | None = None, progress: bool | None = None
) -> Comparison:
    """Two sides under one similarity; ``seed`` is that of the order of classes."""
    return Comparison(overlaps(sides, similarity, seed), progress)
