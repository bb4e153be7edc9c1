"""The engine: exact joint matching without the matrix of all pairs, with a proof (N16 III-E).

A few candidates per class are matched exactly; then all pairs are priced by a sweep of the overlap driver. Pairs that
the prices undervalue join the candidates and the matching continues from where it was, until no pair is missing. Every
sweep also gives a bound that no matching can beat, so a run can stop early and say how far from the optimum it is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from singleout.ground.arrays import Floats, Indices
from singleout.ground.progress import show_progress, stage
from singleout.matching.candidate_graph import Graph
from singleout.similarity.pairs import Pairs, Priced, SweepRequest

ROW_CANDIDATES = 32
COLUMN_CANDIDATES = 16
AUCTION_STEP = 0.005
"""Share of the mean best gain. Smaller: longer auction, shorter searches; little difference between 0.002 and 0.02."""
MANY_MISSING = 0.5
"""Missing pairs per row above which a new auction is cheaper than searches that continue from the old prices."""
MOST_AUCTIONS = 20
"""The most new auctions in a run. Each starts from nothing, so that only searches are sure to terminate."""
SUMMING = 1e-13
"""Bound and gain are sums of many numbers in different orders: closer than this share of them, they are equal."""
ROUNDING = 1e-12
"""Differences below this share of the largest gain are not worth a candidate."""
GRID = 2.0**-44
"""Gains are rounded to this share of the largest, so that equal ones, summed in different orders, are equal."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A flow between classes, its gain, and a bound that no flow can beat.

    ``absent`` is how many units of each row were left out on purpose. ``seconds`` says how the time was spent.
    """

    row: Indices
    col: Indices
    people: Indices
    absent: Indices
    gain: float
    bound: float
    rounds: int
    candidates: int
    seconds: dict[str, float]
    prices: Prices
    exact: bool
    """Whether the prices prove that no flow is better; else only ``bound`` is proven."""

    def swap_sides(self) -> Solution:
        """The same flow from columns to rows, where nobody was left out on purpose."""
        order = np.lexsort((self.row, self.col))
        prices = replace(self.prices, rows=self.prices.columns, columns=self.prices.rows)
        return replace(
            self, row=self.col[order], col=self.row[order], people=self.people[order],
            absent=np.zeros(len(prices.rows), np.intp), prices=prices,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Prices:
    """What proves a flow: no pair has a gain above the prices of its two ends.

    ``absent`` is the price of staying out if some must, ``absent_gain`` what everyone gains by it.
    """

    rows: Floats
    columns: Floats
    absent: float
    absent_gain: float


class Interrupted(Exception):  # noqa: N818 - not an error: the user asked for it
    """Ctrl-C: carries the best flow so far."""

    def __init__(self, solution: Solution) -> None:
        super().__init__("interrupted")
        self.solution = solution


def greatest_gain(
    pairs: Pairs, supply: Indices, demand: Indices, *, absent: int = 0, tolerance: float = 0.0,
    progress: bool | None = None,
) -> Solution:  # fmt: skip
    """The flow of greatest total gain from rows to columns, proven up to ``tolerance`` (relative to the gain).

    ``absent`` units of the rows must stay out: they go to an extra column that everyone prefers to any other
    (N16 III-E, A2). Ctrl-C raises ``Interrupted`` with the best flow so far once there is a bound for it.
    """
    run = _Run(pairs, supply, demand, absent, progress)
    # a run that may stop early is served best by a first round that is nearly right
    run.find_candidates(ROW_CANDIDATES if tolerance > 0 else COLUMN_CANDIDATES)
    try:
        run.start()
        while not run.is_finished(tolerance):
            run.take_in_missing(tolerance)
    except KeyboardInterrupt:
        raise Interrupted(run.solution()) from None
    return run.solution()


class _Run:
    """One run of the engine: the graph, the best bound so far, and what the last sweep found."""

    def __init__(self, pairs: Pairs, supply: Indices, demand: Indices, absent: int, progress: bool | None) -> None:
        self.pairs, self.progress, self.absent = pairs, progress, absent
        self.supply, self.demand = supply, np.append(demand, absent)
        self.graph = Graph(self.supply.copy(), self.demand.copy(), np.zeros(len(supply)), np.zeros(len(demand) + 1))
        self.rounds, self.bound, self.lift = 0, np.inf, 0.0
        self.missing, self.proven = (np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)), False
        self.best, self.most = self.graph.carrying(), 0.0
        self.started = time.perf_counter()
        self._since, self.seconds = self.started, {"candidates": 0.0, "solving": 0.0, "pricing": 0.0}

    def find_candidates(self, of_columns: int) -> None:
        """The best few of each row and of each column, and the column of the absent for every row."""
        u, p = self.graph.u, self.graph.p[:-1]
        dear_rows, dear_cols = self.pairs.opening_prices()
        none, sides = (np.zeros(len(u)), np.zeros(len(p))), (self.pairs, self.pairs.swap_sides())
        asked = SweepRequest(0.0, ROW_CANDIDATES, self.progress)
        found = sides[0].price(np.arange(len(u)), none[0], dear_cols, asked)
        self.graph.add(found.row, found.other, found.gain)
        best = found.best
        found = sides[1].price(np.arange(len(p)), none[1], dear_rows, replace(asked, most=of_columns))
        self.graph.add(found.other, found.row, found.gain)
        self.graph.add(*self.pairs.spanning())
        self._set_scale()
        p[:] = dear_cols
        if self.absent:
            # more than any gain: a gain is at most what it leaves a row at the opening price, plus that price
            self.lift = 1.5 * float(best.max(initial=0.0) + dear_cols.max(initial=0.0)) + 1.0
            self.graph.add(np.arange(len(u)), np.full(len(u), len(p)), np.full(len(u), self.lift))
        self.graph.index()
        self.opening = self.graph.p.copy()
        self.bound = float(self.supply @ np.maximum(best, self.lift) + self.demand @ self.graph.p)
        self._lap("candidates")

    def _set_scale(self) -> None:
        """What counts as a small difference, and the auction's step, from the gains of the candidates."""
        graph, natural = self.graph, np.zeros(len(self.graph.u))
        row, col = graph.row_of.astype(np.intp), graph.col_of.astype(np.intp)
        largest = float(graph.gain.max(initial=0.0))
        np.maximum.at(natural, row, graph.gain - self.pairs.offsets(row, col))
        self.slack, self.step = ROUNDING * largest, AUCTION_STEP * (float(natural.mean()) or largest)
        self.grid = GRID * 2.0 ** np.ceil(np.log2(largest or 1.0))
        graph.gain = self._round(graph.gain)

    def _round(self, gain: Floats) -> Floats:
        return np.asarray(np.rint(gain / self.grid) * self.grid)

    def start(self, *, rough: bool = False) -> None:
        """Rough prices by auction, then an exact matching of the candidates.

        With ``rough`` only if few pairs are missing at those prices: else the matching would not last.
        """
        self.graph.p[:] = self.opening
        with stage(self._stage), show_progress("auction", self.progress):
            self.graph.bid(self.step)
        self._lap("solving")
        if rough:
            self._sweep_all()
            if self._are_many_missing:
                self.rounds += 1
                return
        self._solve()
        self._sweep_all()

    @property
    def _are_many_missing(self) -> bool:
        """Whether a new auction is worth its time."""
        return len(self.missing[0]) > MANY_MISSING * len(self.graph.u) and self.rounds <= MOST_AUCTIONS

    def is_finished(self, tolerance: float) -> bool:
        """Whether a sweep over all pairs found none missing, or the bound is close enough."""
        if not len(self.missing[0]):
            if not self.proven:
                self._sweep_all()
            return not len(self.missing[0]) or self._near(tolerance)
        # a bound from earlier prices may be reached while these prices still leave pairs out: margins need the prices
        return self.proven and tolerance > 0 and self._near(tolerance)

    def _near(self, tolerance: float) -> bool:
        return self.bound - self.graph.total <= tolerance * self._natural()

    def take_in_missing(self, tolerance: float) -> None:
        """Add the missing pairs, take back the flow of their rows, continue from these prices, and sweep again."""
        graph, (row, col, gain) = self.graph, self.missing
        if self._are_many_missing:
            graph.withdraw(np.arange(len(graph.u)))
            graph.add(row, col, gain)
            graph.index()
            self._lap("candidates")
            # one that may stop early needs a matching to stop with
            self.start(rough=tolerance == 0)
            return
        needed = np.zeros(len(graph.u))
        np.maximum.at(needed, row, gain - graph.p[col])
        changed = np.flatnonzero(needed > graph.u)
        graph.withdraw(changed)
        graph.u[changed] = needed[changed]
        graph.add(row, col, gain)
        graph.index()
        self._lap("candidates")
        before = graph.u.copy(), graph.p.copy()
        self._solve()
        if tolerance > 0:
            self._sweep_all()
        else:
            self._sweep_fallen(*before)

    def solution(self) -> Solution:
        """The current flow, with the best bound so far."""
        graph, width = self.graph, len(self.demand) - 1
        if self.absent:
            graph.fill(width)
        (row, col, people), total = graph.carrying(), graph.total
        if total < self.most:  # interrupted with less than there was before
            (row, col, people), total = self.best, self.most
        real = col < width
        out = np.bincount(row[~real], people[~real], len(self.supply)).astype(np.intp)
        placed = self.lift * float(out.sum())
        # gains of candidates are rounded, those in the bound are not
        rounding = SUMMING * total + self.grid * float(self.supply.sum())
        bound = self.bound if self.bound - total > rounding else total
        return Solution(
            row[real], col[real], people[real], out, total - placed, bound - placed,
            self.rounds, len(graph.gain), self.seconds,
            Prices(graph.u, graph.p[:width], float(graph.p[width]), self.lift),
            exact=self.proven and not len(self.missing[0]),
        )  # fmt: skip

    def _solve(self) -> None:
        self.rounds += 1
        with stage(self._stage), show_progress("matching", self.progress):
            self.graph.search_from_rows()
            self.graph.search_from_cols()
        self.best, self.most = self.graph.carrying(), self.graph.total
        self._lap("solving")

    def _stage(self) -> str:
        """The progress of the run: round, proven gap, time."""
        gained = self._natural()
        gap = f", within {min(1.0, (self.bound - self.graph.total) / gained):.2%}" if gained > 0 else ""
        return f"round {self.rounds}{gap}, {time.perf_counter() - self.started:.0f} s"

    def _sweep_all(self) -> None:
        """Price all pairs: what is missing, and a bound for the whole problem."""
        graph, width = self.graph, len(self.demand) - 1
        everyone = np.arange(len(graph.u))
        found = self._price(self.pairs, everyone, graph.u, graph.p[:width])
        best = np.maximum(found.best, self.lift - graph.p[width]) if self.absent else found.best
        self.bound = min(self.bound, float(self.supply @ best + self.demand @ graph.p))
        self.missing, self.proven, self._crowded = (found.row, found.other, found.gain), True, np.empty(0, np.intp)
        self._lap("pricing")

    def _sweep_fallen(self, u_before: Floats, p_before: Floats) -> None:
        """Price the pairs of rows and of columns whose price has fallen: no other pair can be missing now.

        A column that had more missing pairs than it could return is examined again.
        """
        graph, width = self.graph, len(self.demand) - 1
        rows = np.flatnonzero(graph.u < u_before)
        cols = np.union1d(np.flatnonzero((graph.p < p_before)[:width]), self._crowded)
        ahead = self._price(self.pairs, rows, graph.u, graph.p[:width])
        back = self._price(self.pairs.swap_sides(), cols, graph.p[:width], graph.u)
        number = np.bincount(back.row, minlength=width)
        self._crowded = np.flatnonzero(number >= ROW_CANDIDATES)
        row, col = np.concatenate([ahead.row, back.other]), np.concatenate([ahead.other, back.row])
        self.missing, self.proven = (row, col, np.concatenate([ahead.gain, back.gain])), False
        self._lap("pricing")

    def _price(self, pairs: Pairs, rows: Indices, price: Floats, other_price: Floats) -> Priced:
        with stage(self._stage):
            found = pairs.price(rows, price, other_price, SweepRequest(self.slack, ROW_CANDIDATES, self.progress))
        return replace(found, gain=self._round(found.gain))

    def _natural(self) -> float:
        """The gain without what was added to make gains positive."""
        row, col, people = self.graph.carrying()
        real = col < len(self.demand) - 1
        row, col, people = row[real], col[real], people[real]
        placed = self.lift * float(self.supply.sum() - people.sum()) if self.absent else 0.0
        return self.graph.total - min(placed, self.lift * self.absent) - float(people @ self.pairs.offsets(row, col))

    def _lap(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] += now - self._since
        self._since = now
