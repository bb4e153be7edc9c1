"""How certain a matching is: what it would cost to avoid a pair, and the second best hypothesis.

The margin of a matched pair is the extra cost of the best matching of the same size that avoids it: the cheapest
alternating cycle through it on the reduced costs that the engine's prices leave (UN13 III, eq. 10). Pairs that share
nothing are too many to list, but all the same, so they enter through one hub.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout._kernels import alternatives as kernels
from singleout._kernels.assignment import group_by_end
from singleout.ground.arrays import Floats, Indices
from singleout.ground.lazy import cached_property
from singleout.ground.notebooks import Tabular, WithoutNotes
from singleout.ground.parallel import map_tiles
from singleout.ground.progress import show_progress
from singleout.matching.joint_engine import Solution
from singleout.similarity.pairs import Pairs, Priced, SweepRequest

MOST_STEPS = 2**23
"""Pairs kept as steps of a detour, over all rows: a row that has more records up to which cost they are listed."""
LEAST_STEPS = 32
PAIRS_A_TILE = 64
ROUNDING = 1e-13

Table = tuple[Indices, Indices, Floats]
"""Steps by their start, cheapest first: starts, ends, costs."""


@dataclass(frozen=True, eq=False)
class Margins(WithoutNotes, Tabular):
    """The extra cost of avoiding each matched pair, in the order of the matching's pairs.

    Where ``above`` is true the margin is larger than ``values`` says: a limit was reached. Infinite if there is no
    other matching of that size; zero for people who are indistinguishable from someone else on their side.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> margins = matching.margins()
    >>> len(margins), bool((margins.values >= 0).all())
    (50, True)
    """

    values: Floats
    above: np.typing.NDArray[np.bool_]
    limit: float

    def __len__(self) -> int:
        return len(self.values)

    def to_arrow(self) -> pa.Table:
        """One row per pair."""
        return pa.table({"margin": self.values, "above": self.above})

    def __repr__(self) -> str:
        if not len(self):
            return "Margins(no pairs)"
        more = f", {self.above.sum():,} known only to be above the given value" if self.above.any() else ""
        zero, middle = (self.values == 0).mean(), np.median(self.values)
        return f"Margins({len(self):,} pairs, {zero:.0%} zero, median {middle:.4g}{more})"


@dataclass(frozen=True, eq=False)
class Hub:
    """A node that rows and columns pass through when they give each other up: the costs to enter and to leave.

    ``direct`` is false if going straight from a row to a column through it would only make the same pair again.
    """

    row_in: Floats
    column_in: Floats
    row_out: Floats
    column_out: Floats
    direct: bool = True


@dataclass(frozen=True, eq=False)
class Proof:
    """An optimal flow between classes, its prices, and all pairs: what margins are computed from."""

    pairs: Pairs
    solution: Solution
    supply: Indices
    demand: Indices

    def margins(self, rows: Indices, columns: Indices, *, limit: float, progress: bool | None) -> tuple[Floats, Floats]:
        """For matched pairs of classes: the cost of the cheapest way round, and up to which cost that is certain."""
        values, certain = np.zeros(len(rows)), np.full(len(rows), np.inf)
        single = np.flatnonzero(self._single(rows, columns))
        if not len(single):
            return values, certain
        detours = Detours(self, limit, self.steps_a_row, progress)
        values[single], certain[single] = detours.around(rows[single], columns[single], limit, progress)
        prices = self.solution.prices
        # the difference of two sums of the same numbers in different orders is no margin
        noise = ROUNDING * float(prices.rows.max(initial=0.0) + prices.columns.max(initial=0.0))
        return np.where(values > noise, values, 0.0), certain

    def least_margin(self, rows: Indices, columns: Indices, *, progress: bool | None) -> float:
        """The smallest margin: each search may stop at the smallest so far."""
        if not len(rows):
            return math.inf
        if not self._single(rows, columns).all():
            return 0.0
        least, most = math.inf, self.steps_a_row
        while True:
            detours = Detours(self, least, most, progress)
            values, certain = detours.around(rows, columns, least, progress, least_only=True)
            least = min(least, float(values.min()))
            if least <= certain.min():
                return least
            # a step that was not listed might give a cheaper path: list more, but none dearer than the path found
            most = min(4 * most, self.pairs.shape[1])

    @property
    def steps_a_row(self) -> int:
        """How many of the cheapest steps of each row are listed."""
        rows, columns = self.pairs.shape
        return min(columns, max(LEAST_STEPS, MOST_STEPS // rows))

    def _single(self, rows: Indices, columns: Indices) -> np.typing.NDArray[np.bool_]:
        """Pairs of distinguishable people that were not drawn at random: all others can be avoided at no cost."""
        alone = (self.supply[rows] == 1) & (self.demand[columns] == 1)
        drawn = (self.rows_left[rows] > 0) & (self.columns_left[columns] > 0)
        return np.asarray(alone & (~drawn | self.last_pair))

    @cached_property
    def rows_left(self) -> Indices:
        """People of each row who are in no pair with a gain and were not left out on purpose."""
        placed = np.bincount(self.solution.row, self.solution.people, len(self.supply))
        return (self.supply - self.solution.absent - placed).astype(np.intp)

    @cached_property
    def columns_left(self) -> Indices:
        placed = np.bincount(self.solution.col, self.solution.people, len(self.demand))
        return (self.demand - placed).astype(np.intp)

    @cached_property
    def last_pair(self) -> bool:
        """Whether one row and one column are left over: then they are a pair like any other."""
        return bool(self.pairs.complete and self.rows_left.sum() == 1 and self.columns_left.sum() == 1)


class Detours:
    """All steps that a detour around a pair can take, up to a limit."""

    def __init__(self, proof: Proof, limit: float, most: int, progress: bool | None) -> None:
        self.proof = proof
        prices = proof.solution.prices
        rows = proof.pairs.shape[0]
        asked = SweepRequest(0.0, most, progress, every=True)
        near = proof.pairs.price(np.arange(rows), prices.rows - limit, prices.columns, asked)
        with show_progress("sorting alternatives", progress):
            self._sort(near, most)

    def _sort(self, near: Priced, most: int) -> None:
        proof, prices = self.proof, self.proof.solution.prices
        rows, columns = proof.pairs.shape
        cost = np.maximum(0.0, prices.rows[near.row] + prices.columns[near.other] - near.gain)
        self.unlisted = _cheapest_unlisted(near.row, cost, rows, most if most < columns else columns + 1)
        flow = self._matched_pairs()
        keep = ~_alone(near.row, near.other, *flow, proof.supply)
        steps = near.row[keep], near.other[keep], cost[keep]
        self.ahead = _table(steps[0], steps[1], steps[2], rows)
        self.behind = _table(steps[1], steps[0], steps[2], columns)
        self.held, self.holders = _lists(*flow, rows), _lists(flow[1], flow[0], columns)
        self.hubs = list(self._hubs())
        self._measure_hubs()

    def around(
        self, rows: Indices, columns: Indices, limit: float, progress: bool | None, *, least_only: bool = False
    ) -> tuple[Floats, Floats]:
        """The cheapest detour around each pair, and the cost up to which it is certain that none is cheaper.

        With ``least_only`` no search goes further than the cheapest of all detours through hubs.
        """
        through, certain = self._through_hubs(rows, columns)
        bounds = np.minimum(np.minimum(through, certain), limit)
        if least_only:
            bounds = np.full_like(bounds, min(through.min(), limit))
        tables = self.ahead, self.behind, self.holders, self.held
        options: dict[str, Any] = {"label": "computing margins", "progress": progress, "tile": PAIRS_A_TILE}
        found = np.concatenate(map_tiles(_detours, len(rows), rows, columns, bounds, tables, **options))
        return np.where(found < bounds, found, through), np.minimum(certain, limit)

    def _matched_pairs(self) -> tuple[Indices, Indices]:
        """Who is matched with whom: the flow, and the last pair of those who share nothing."""
        solution, proof = self.proof.solution, self.proof
        if not proof.last_pair:
            return solution.row, solution.col
        last = np.flatnonzero(proof.rows_left), np.flatnonzero(proof.columns_left)
        return np.concatenate([solution.row, last[0]]), np.concatenate([solution.col, last[1]])

    def _hubs(self) -> Iterator[Hub]:
        proof, prices = self.proof, self.proof.solution.prices
        free_rows, free_columns = proof.rows_left > 0, proof.columns_left > 0
        if proof.last_pair:
            free_rows, free_columns = np.zeros_like(free_rows), np.zeros_like(free_columns)
        row_out, column_in = (np.where(free, 0.0, np.inf) for free in (free_rows, free_columns))
        no_row, no_column = (np.full(number, np.inf) for number in proof.pairs.shape)
        if proof.pairs.complete:
            anyone = bool(free_rows.any() or free_columns.any())
            yield Hub(prices.rows, column_in, row_out, prices.columns, direct=anyone)
        else:
            yield Hub(prices.rows, no_column, row_out, no_column)
            yield Hub(no_row, column_in, no_row, prices.columns)
        if proof.solution.absent.any():
            leave = np.maximum(0.0, prices.rows + prices.absent - prices.absent_gain)
            yield Hub(leave, no_column, np.where(proof.solution.absent > 0, 0.0, np.inf), no_column)

    def _measure_hubs(self) -> None:
        """Paths from all rows into each hub, from each hub to all rows, and between hubs."""
        self.into = [self._into(hub) for hub in self.hubs]
        self.out_of = [self._out_of(hub) for hub in self.hubs]
        number = len(self.hubs)
        self.between = np.full((number, number), np.inf)
        for a in range(number):
            for b in range(number):
                straight = self.hubs[a].column_out + self.hubs[b].column_in
                self.between[a, b] = min((self.out_of[a] + self.into[b]).min(), straight.min(initial=np.inf))
            self.between[a, a] = 0.0
        self.unlisted_from = self._backwards(self.unlisted)

    def _into(self, hub: Hub) -> Floats:
        reach = np.minimum(hub.row_in, self._best_ahead(hub.column_in))
        return self._backwards(reach)

    def _out_of(self, hub: Hub) -> Floats:
        reach = np.minimum(hub.row_out, self._of_held(hub.column_out))
        return kernels.spread(reach, self.ahead, _free(self.holders))  # type: ignore[no-any-return]

    def _backwards(self, reach: Floats) -> Floats:
        """Cheapest paths from every row to a node that each reaches at a given cost."""
        return kernels.spread(reach, _free(self.held), self.behind)  # type: ignore[no-any-return]

    def _best_ahead(self, column_value: Floats) -> Floats:
        """For each row, the cheapest step plus the value of the column it leads to."""
        starts, ends, costs = self.ahead
        return _least(costs + column_value[ends], starts)

    def _of_held(self, column_value: Floats) -> Floats:
        """For each row, the least value of the columns it is matched with."""
        starts, ends = self.held
        return _least(column_value[ends], starts)

    def _through_hubs(self, rows: Indices, columns: Indices) -> tuple[Floats, Floats]:
        """The cheapest detour through hubs; and the cost from which on steps are not listed."""
        through = np.full(len(rows), np.inf)
        certain = self.unlisted_from[rows]
        for a in range(len(self.hubs)):
            enter = self.into[a][rows]
            for b, hub in enumerate(self.hubs):
                leave = self._ways_to_columns(b)[columns]
                way = enter + self.between[a, b] + np.minimum(leave, hub.column_out[columns])
                if a == b and not hub.direct:
                    way = self._roundabout(a, rows, leave, hub.column_out[columns])
                through = np.minimum(through, way)
                lost = (self.out_of[b] + self.unlisted_from).min(initial=np.inf)
                certain = np.minimum(certain, enter + self.between[a, b] + lost)
        return through, certain

    def _roundabout(self, hub: int, rows: Indices, leave: Floats, straight_out: Floats) -> Floats:
        """The cheapest detour through a hub that does not go straight in and straight out."""
        enter, later = self.into[hub][rows], self._ways_without_entering(hub)[rows]
        loops = self.out_of[hub] + self.into[hub]
        first = np.argmin(loops)
        second = np.delete(loops, first).min(initial=np.inf)
        over_others = np.delete(self.between[hub] + self.between[:, hub], hub).min(initial=np.inf)
        loop = np.minimum(np.where(rows == first, second, loops[first]), over_others)
        ways = later + np.minimum(leave, straight_out), enter + np.minimum(leave, loop + straight_out)
        return np.asarray(np.minimum(*ways))

    def _ways_to_columns(self, hub: int) -> Floats:
        """From a hub over some row to each column."""
        starts, ends, costs = self.behind
        return _least(self.out_of[hub][ends] + costs, starts)

    def _ways_without_entering(self, hub: int) -> Floats:
        """From each row over some column into a hub, not straight."""
        starts, ends = self.holders
        of_columns = np.minimum(_least(self.into[hub][ends], starts), self.hubs[hub].column_in)
        return self._best_ahead(of_columns)


def _detours(first: int, last: int, rows: Indices, columns: Indices, bounds: Floats, tables: tuple[Any, ...]) -> Floats:
    piece = slice(first, last)
    return kernels.detours(rows[piece], columns[piece], bounds[piece], *tables)  # type: ignore[no-any-return]


def _least(values: Floats, starts: Indices) -> Floats:
    """The least of each segment; infinite for an empty one."""
    least = np.full(len(starts) - 1, np.inf)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        least[filled] = np.minimum.reduceat(values, starts[filled])
    return least


def _table(start: Indices, end: Indices, cost: Floats, number: int) -> Table:
    starts, order = group_by_end(start.astype(np.uint32), number)
    steps = starts, end[order], cost[order]
    tiles = map_tiles(kernels.sort_steps, number, *steps, label="sorting alternatives", progress=False)
    ends, costs = (np.concatenate(part) for part in zip(*tiles, strict=True)) if tiles else steps[1:]
    return starts, ends, costs


def _lists(start: Indices, end: Indices, number: int) -> tuple[Indices, Indices]:
    starts, order = group_by_end(start.astype(np.uint32), number)
    return starts, end[order]


def _free(lists: tuple[Indices, Indices]) -> Table:
    """Steps that cost nothing."""
    return *lists, np.zeros(len(lists[1]))


def _cheapest_unlisted(row: Indices, cost: Floats, rows: int, most: int) -> Floats:
    """For each row: no step that is not listed costs less than this. Infinite if all are listed."""
    dearest = np.zeros(rows)
    np.maximum.at(dearest, row, cost)
    return np.where(np.bincount(row, minlength=rows) == most, dearest, np.inf)


def _alone(
    row: Indices, column: Indices, held_row: Indices, held_column: Indices, supply: Indices
) -> np.typing.NDArray[np.bool_]:
    """Steps from a row of one person to the column it is matched with: no detour."""
    has = np.full(len(supply), -1, np.intp)
    one = supply[held_row] == 1
    has[held_row[one]] = held_column[one]
    return np.asarray(has[row] == column)
