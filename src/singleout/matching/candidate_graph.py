"""Candidate pairs as a graph with flow and prices: what the engine solves exactly before it looks for more pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from singleout._kernels import assignment
from singleout.ground.arrays import Floats, Indices, Integers32
from singleout.ground.parallel import end_if_stopped

EDGES_A_SLICE = 2_000_000
"""Edges examined between two checks for Ctrl-C: about a tenth of a second."""
AUCTION_LOOKS = 200
"""Visits to each edge after which an auction that proceeds in tiny steps is ended; it need not end by itself."""
NUMBER = np.int32
"""Type of the edges, rows and columns of the candidate graph: half the memory of an index."""


@dataclass(eq=False)
class Graph:
    """Candidate pairs with flow, prices on both sides, and what is left of supply and demand."""

    supply_left: Indices
    demand_left: Indices
    u: Floats
    p: Floats
    row_of: Integers32 = field(default_factory=lambda: np.empty(0, NUMBER))
    col_of: Integers32 = field(default_factory=lambda: np.empty(0, NUMBER))
    gain: Floats = field(default_factory=lambda: np.empty(0))
    flow: Integers32 = field(default_factory=lambda: np.empty(0, NUMBER))

    def add(self, row: Indices, col: Indices, gain: Floats) -> None:
        """Add candidates; existing ones are skipped. Call ``index`` when all are added."""
        width = np.int64(len(self.p))
        there = np.asarray(self.row_of * width + self.col_of)
        key, first = np.unique(row * width + col, return_index=True)
        place = np.asarray(np.searchsorted(there, key))
        new = np.ones(len(key), dtype=bool)
        inside = place < len(there)
        new[inside] = there[place[inside]] != key[inside]
        place, first = place[new], first[new]
        # edges stay ordered by row, then column
        self.row_of = np.insert(self.row_of, place, row[first].astype(NUMBER))
        self.col_of = np.insert(self.col_of, place, col[first].astype(NUMBER))
        self.gain = np.insert(self.gain, place, gain[first])
        self.flow = np.insert(self.flow, place, np.zeros(len(first), NUMBER))

    def index(self) -> None:
        """Lists of edges by row and by column, and working memory for searches."""
        self.from_rows = self.from_cols = ()  # frees the old ones before there are new ones
        rows, cols, edges = len(self.u), len(self.p), len(self.gain)
        self.by_row = _by_end(self.row_of, rows)
        self.by_col = _by_end(self.col_of, cols)
        self.row_lists = _lists(rows, edges)
        self.col_lists = _lists(cols, edges)
        assignment.relink(self.row_of, self.col_of, self.flow, self.row_lists, self.col_lists)
        self.from_rows = _work(edges, near=rows, far=cols)
        self.from_cols = _work(edges, near=cols, far=rows)

    def withdraw(self, rows: Indices) -> None:
        """Take back all flow of these rows."""
        assignment.withdraw(
            rows, *self.by_row, self.row_of, self.col_of, self.flow,
            self.supply_left, self.demand_left, self.row_lists, self.col_lists,
        )  # fmt: skip

    def search_from_rows(self) -> None:
        """Place the remaining supply, at a price."""
        queue = np.flatnonzero((self.supply_left > 0) & (self.u > 0))
        ends = self.row_of, self.col_of, self.gain, self.flow, self.row_lists, self.col_lists
        state = self.u, self.p, self.supply_left, self.demand_left, self.from_rows
        _in_slices(queue, (*self.by_row, *ends, *state))

    def search_from_cols(self) -> None:
        """Fill the remaining demand, at a price: the same with the sides swapped."""
        queue = np.flatnonzero((self.demand_left > 0) & (self.p > 0))
        ends = self.col_of, self.row_of, self.gain, self.flow, self.col_lists, self.row_lists
        state = self.p, self.u, self.demand_left, self.supply_left, self.from_cols
        _in_slices(queue, (*self.by_col, *ends, *state))

    def bid(self, step: float) -> None:
        """Set prices near the best ones by an auction; the price of a row is what the best column leaves it."""
        stack = np.repeat(np.arange(len(self.u) - 1, -1, -1, dtype=NUMBER), self.supply_left[::-1])
        slot = np.concatenate([[0], np.cumsum(self.demand_left)])
        bids, owners = np.empty(slot[-1]), np.empty(slot[-1], NUMBER)
        filled, left, slices = np.zeros(len(self.p), np.intp), len(stack), 0
        while left and slices <= AUCTION_LOOKS * len(self.gain) / EDGES_A_SLICE:
            slices += 1
            left = assignment.auction(
                *self.by_row, self.col_of, self.gain, self.demand_left, self.p, step,
                stack, left, slot, bids, owners, filled, EDGES_A_SLICE,
            )  # fmt: skip
        self.u[:] = 0.0
        np.maximum.at(self.u, self.row_of, self.gain - self.p[self.col_of])

    def fill(self, col: int) -> None:
        """Fill a column that everyone has an edge to: first with what is unplaced, then with what gains least.

        A finished run has filled it already; this is for one that was interrupted.
        """
        to_col = {int(self.row_of[edge]): int(edge) for edge in np.flatnonzero(self.col_of == col)}
        used = np.flatnonzero((self.flow > 0) & (self.col_of != col))
        for edge in used[np.argsort(self.gain[used], kind="stable")]:
            if self.supply_left.sum() >= self.demand_left[col]:
                break
            self.supply_left[self.row_of[edge]] += self.flow[edge]
            self.flow[edge] = 0
        for row in np.flatnonzero(self.supply_left):
            taken = min(self.supply_left[row], self.demand_left[col])
            self.flow[to_col[int(row)]] += taken
            self.supply_left[row] -= taken
            self.demand_left[col] -= taken

    def carrying(self) -> tuple[Indices, Indices, Indices]:
        """Rows, columns and people of the edges that carry flow."""
        used = np.flatnonzero(self.flow)
        return self.row_of[used].astype(np.intp), self.col_of[used].astype(np.intp), self.flow[used].astype(np.intp)

    @property
    def total(self) -> float:
        """The gain of the flow."""
        used = np.flatnonzero(self.flow)
        return float(self.flow[used] @ self.gain[used])


def _in_slices(queue: Indices, arguments: tuple[Any, ...]) -> None:
    """Search from everything in the queue; Ctrl-C takes effect between slices."""
    done = 0
    while done < len(queue):
        end_if_stopped()
        done = assignment.search_all(queue, done, EDGES_A_SLICE, *arguments)


def _by_end(ends: Integers32, number: int) -> tuple[Indices, Integers32]:
    """Edges by end; to the kernel numbers are without a sign, so that it is compiled once for all who call it."""
    starts, edges = assignment.group_by_end(ends.view(np.uint32), number)
    return starts, edges.view(NUMBER)


def _lists(ends: int, edges: int) -> tuple[Integers32, Integers32, Integers32]:
    """Heads, successors and predecessors of the lists of carrying edges."""
    return np.full(ends, -1, NUMBER), np.full(edges, -1, NUMBER), np.full(edges, -1, NUMBER)


def _work(edges: int, *, near: int, far: int) -> tuple[Any, ...]:
    """Working memory of a search: heap, distances, paths, visited nodes."""
    heap = np.empty(edges + 1), np.empty(edges + 1, NUMBER)
    ways = np.full(far, np.inf), np.empty(far, np.intp), np.empty(near, np.intp), np.full(near, np.inf)
    met = np.empty(far, np.intp), np.empty(near, np.intp), np.empty(far, np.intp)
    return (*heap, *ways, *met)
