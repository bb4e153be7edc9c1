"""Records to be grouped, dense or sparse: distances, nearest records and the loss of groups, in one of two norms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from singleout._kernels import cluster, overlap
from singleout._kernels.overlap import Columns, Rows
from singleout.ground.arrays import Flags, Floats, Indices
from singleout.ground.lazy import cached_property
from singleout.ground.parallel import map_tiles
from singleout.similarity.side_arrays import Structure


class Space(Protocol):
    """Records under a distance: differences added (l1), or their squares (l2)."""

    @property
    def norm(self) -> str:
        """l1 or l2."""
        ...

    @property
    def size(self) -> int:
        """The number of records."""
        ...

    def nearest(self, rows: Indices, most: int, alive: Flags) -> Indices:
        """The nearest other records of each of these that are still ungrouped; of equally near ones the first."""
        ...

    def nearest_means(self, labels: Indices, most: int) -> Indices:
        """For every record, the groups with the nearest means, including its own."""
        ...

    def from_record(self, row: int) -> Floats:
        """Distances of all records to one of them."""
        ...

    def from_mean(self, alive: Flags) -> Floats:
        """Distances of all records to the mean of the ungrouped ones."""
        ...

    def losses(self, starts: Indices, members: Indices) -> Floats:
        """For each group, the sum of its members' distances to their mean."""
        ...

    def squares(self) -> Floats:
        """Each record's square length."""
        ...

    def along(self, rows: Flags) -> Floats:
        """Each record's product with the sum of these."""
        ...


@dataclass(frozen=True, eq=False)
class DenseSpace:
    """Rows of a table of numbers."""

    data: Floats
    norm: str

    @property
    def size(self) -> int:
        """The number of records."""
        return len(self.data)

    def nearest(self, rows: Indices, most: int, alive: Flags) -> Indices:
        """The nearest other ungrouped records of each of these."""
        order = self._order
        return self._nearest(rows, self.data, order[alive[order]], itself=True, most=most)

    def nearest_means(self, labels: Indices, most: int) -> Indices:
        """For every record, the groups with the nearest means."""
        number = int(labels.max()) + 1
        sums = np.zeros((number, self.data.shape[1]))
        np.add.at(sums, labels, self.data)
        means = sums / np.bincount(labels, minlength=number)[:, None]
        order = np.argsort(means @ self._direction, kind="stable")
        return self._nearest(np.arange(self.size), means, order, itself=False, most=min(most, number))

    def _nearest(self, rows: Indices, points: Floats, listed: Indices, *, itself: bool, most: int) -> Indices:
        """``listed``: the points to consider, by their order along the direction."""
        keys = self._key if itself else points @ self._direction
        # of a product of that many numbers, twice over
        rounding = 2 * points.shape[1] ** 1.5 * np.finfo(np.float64).eps * float(np.abs(self.data).max())
        arguments = self._key, listed, keys[listed], rounding, itself, most, self._squares
        return cluster.nearest_dense(rows, self.data, points, *arguments)  # type: ignore[no-any-return]

    def from_record(self, row: int) -> Floats:
        """Distances of all records to one of them."""
        return self._from(self.data[row])

    def from_mean(self, alive: Flags) -> Floats:
        """Distances of all records to the mean of the ungrouped ones."""
        return self._from(self.data[alive].mean(axis=0))

    def _from(self, point: Floats) -> Floats:
        difference = self.data - point
        return np.asarray((difference**2 if self._squares else np.abs(difference)).sum(axis=1))

    def losses(self, starts: Indices, members: Indices) -> Floats:
        """For each group, the sum of its members' distances to their mean."""
        return cluster.losses_dense(starts, members, self.data, self._squares)  # type: ignore[no-any-return]

    def squares(self) -> Floats:
        """Each record's square length."""
        return np.asarray((self.data**2).sum(axis=1))

    def along(self, rows: Flags) -> Floats:
        """Each record's product with the sum of these."""
        return np.asarray(self.data @ self.data[rows].sum(axis=0))

    @property
    def _squares(self) -> bool:
        return self.norm == "l2"

    @cached_property
    def _direction(self) -> Floats:
        """The direction of length one in which records differ most: few are close along it without being close."""
        about_mean = self.data - self.data.mean(axis=0)
        return np.asarray(np.linalg.eigh(about_mean.T @ about_mean)[1][:, -1])

    @cached_property
    def _key(self) -> Floats:
        """The position of records along the direction."""
        return np.asarray(self.data @ self._direction)

    @cached_property
    def _order(self) -> Indices:
        return np.argsort(self._key, kind="stable")


@dataclass(frozen=True, eq=False)
class SparseSpace:
    """Rows of a sparse table of numbers that are zero or more."""

    table: sparse.csr_array
    norm: str

    @property
    def size(self) -> int:
        """The number of records."""
        return int(self.table.shape[0])

    def nearest(self, rows: Indices, most: int, alive: Flags) -> Indices:
        """The nearest other ungrouped records of each of these."""
        living = self._by_price[alive[self._by_price]]
        return self._nearest(rows, self._by_column, (self._alone, living, alive), itself=True, most=most)

    def nearest_means(self, labels: Indices, most: int) -> Indices:
        """For every record, the groups with the nearest means."""
        number = int(labels.max()) + 1
        share = 1.0 / np.bincount(labels, minlength=number)[labels]
        means = (
            sparse.csr_array((share, (labels, np.arange(self.size))), shape=(number, self.size)) @ self.table
        ).tocsr()
        alone = _alone(means, self.norm)
        alive, rows = np.ones(number, dtype=bool), np.arange(self.size)
        by_price = np.argsort(alone, kind="stable")
        priced = alone, by_price, alive
        return self._nearest(rows, _by_column(means), priced, itself=False, most=min(most, number))

    def _nearest(
        self, rows: Indices, columns: Columns, priced: tuple[Floats, Indices, Flags], *, itself: bool, most: int
    ) -> Indices:
        """``priced``: the cost of others alone, their order by it, and who is ungrouped."""
        code, factor = (overlap.PRODUCT, 2.0) if self.norm == "l2" else (overlap.MINIMUM, 1.0)
        arguments = self._by_row, columns, factor, *priced, itself, most
        # the caller shows progress
        tiles = map_tiles(_nearest_tile, len(rows), code, rows, *arguments, label="neighbours", progress=False)
        return np.concatenate(tiles) if tiles else np.empty((0, most), dtype=np.intp)

    def from_record(self, row: int) -> Floats:
        """Distances of all records to one of them."""
        code, factor = (overlap.PRODUCT, 2.0) if self.norm == "l2" else (overlap.MINIMUM, 1.0)
        shared = np.zeros((1, self.size))
        overlap.dense_gains(code, row, row + 1, self._by_row, self._by_column, shared)
        return np.asarray(self._alone[row] + self._alone - factor * shared[0])

    def from_mean(self, alive: Flags) -> Floats:
        """Distances of all records to the mean of the ungrouped ones."""
        mean = np.asarray(self.table[alive].sum(axis=0)).ravel() / alive.sum()
        row = np.repeat(np.arange(self.size), np.diff(self.table.indptr))
        at, there = mean[self.table.indices], self.table.data
        if self.norm == "l2":
            return np.asarray(self._alone + mean @ mean - 2 * np.bincount(row, there * at, self.size))
        return np.asarray(mean.sum() + np.bincount(row, np.abs(there - at) - at, self.size))

    def losses(self, starts: Indices, members: Indices) -> Floats:
        """For each group, the sum of its members' distances to their mean."""
        arguments = starts, members, self._by_row, self._alone, self.table.shape[1], self.norm == "l2"
        tiles = map_tiles(cluster.losses_sparse, len(starts) - 1, *arguments, label="losses", progress=False)
        return np.concatenate(tiles) if tiles else np.empty(0)

    def squares(self) -> Floats:
        """Each record's square length."""
        return _alone(self.table, "l2")

    def along(self, rows: Flags) -> Floats:
        """Each record's product with the sum of these."""
        return np.asarray(self.table @ np.asarray(self.table[rows].sum(axis=0)).ravel())

    @cached_property
    def _by_row(self) -> Rows:
        return Structure.of(self.table).by_row(*_plain(self.table))

    @cached_property
    def _by_column(self) -> Columns:
        return _by_column(self.table)

    @cached_property
    def _alone(self) -> Floats:
        return _alone(self.table, self.norm)

    @cached_property
    def _by_price(self) -> Indices:
        return np.argsort(self._alone, kind="stable")


def _nearest_tile(first: int, last: int, code: int, rows: Indices, *arguments: Any) -> Indices:
    return cluster.nearest_sparse(code, rows[first:last], *arguments)  # type: ignore[no-any-return]


def _by_column(table: sparse.csr_array) -> Columns:
    return Structure.of(table).by_column(*_plain(table))


def _plain(table: sparse.csr_array) -> tuple[Floats, Floats, Floats]:
    """Values as they are, nothing of their own, and rows that all count the same."""
    return table.data, np.zeros(table.nnz), np.ones(table.shape[0])


def _alone(table: sparse.csr_array, norm: str) -> Floats:
    """The cost of a row that shares nothing: its sum, or its square length."""
    row = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    weights = table.data**2 if norm == "l2" else table.data
    return np.bincount(row, weights, table.shape[0]).astype(np.float64)
