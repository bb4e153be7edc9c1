"""Joint matching compared with the alternatives, on synthetic callers, in one run.

Every row of the table runs in a separate process, so that its peak memory is its own. Kernels are compiled before the
clock starts. The others need the dense table of all costs: for ``SciPy cdist`` SciPy computes it too, as most people
would; for the others a NumPy loop over places does, which is about the best one can write in a few lines.
"""

from __future__ import annotations

import multiprocessing
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np

from singleout.ground.errors import bad_argument
from singleout.matching.matching import match
from singleout.reading.split import split
from singleout.reading.synthetic.calls import HEAVY_TAIL, synthetic_calls
from singleout.statistics.histograms import Histograms, histograms

OTHERS_UP_TO = 4_000
"""The most people for the others: beyond, the dense table takes minutes and gigabytes."""
WHOLE_COSTS = 10**6
"""OR-tools needs whole numbers: costs are multiplied by this and rounded."""
Result = TypeVar("Result")
PARTS = ("preparing", "candidates", "solving", "pricing")
HEADING = "   people solver      seconds  ratio peak MB prepar. cands. solving pricing  gap"


@dataclass(frozen=True)
class Timing:
    """One solver on one number of people. ``ratio`` says how many times longer than ours it took."""

    people: int
    solver: str
    seconds: float
    ratio: float
    peak_mb: float
    parts: dict[str, float]
    cost: float
    relative_gap: float | None

    def __str__(self) -> str:
        proof = "" if self.relative_gap is None else f"{self.relative_gap:.1%}"
        laps = "".join(_lap(self.parts.get(part)) for part in PARTS)
        whole = f"{self.people:9,} {self.solver:11} {self.seconds:7.2f} {self.ratio:6.1f} {self.peak_mb:7,.0f}"
        return f"{whole} {laps} {proof:>5}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def _lap(seconds: float | None) -> str:
    if seconds is None:
        return " " * 7
    return f"{seconds:7.2f}" if seconds < 100 else f"{seconds:7,.0f}"


@dataclass(frozen=True)
class SideBySide:
    """The time of one task, and of another way to do it; ``difference`` between the two results."""

    people: int
    what: str
    seconds: float
    theirs: float | None = None
    difference: float | None = None

    def __str__(self) -> str:
        line = f"{self.people:9,} {self.what:24} {self.seconds:8.2f}"
        if self.theirs is None or self.difference is None:
            return line
        return f"{line} {self.theirs:7.1f} {self.theirs / self.seconds:6.1f}  {self.difference:.0g}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def measure_time(work: Callable[[], Result]) -> tuple[Result, float]:
    """What ``work`` returns, and the seconds it took."""
    started = time.perf_counter()
    return work(), time.perf_counter() - started


def timings(
    people: Iterable[int], *, hard: bool = False, tolerance: float = 0.0, others: bool = True, seed: int = 0
) -> Iterator[Timing]:
    """Match synthetic callers (js), ours first; then each solver that is installed, up to 4,000 people.

    ``hard``: a third of the people are left with one place only, so that very many are indistinguishable.
    """
    for number in people:
        if number < 2:
            raise bad_argument("bench", "people", "at least 2", number)
        # generated in a separate process, so that it does not add to any peak
        both, _ = _in_own_process(sides, number, hard, seed)
        ours, peak = _in_own_process(_ours, both, tolerance)
        yield Timing(number, "singleout", ratio=1.0, peak_mb=peak, **ours)
        if not others or number > OTHERS_UP_TO:
            continue
        for solver, module in SOLVERS.items():
            if find_spec(module) is not None:
                theirs, peak = _in_own_process(_theirs, solver, both)
                yield Timing(number, solver, ratio=theirs["seconds"] / ours["seconds"], peak_mb=peak, **theirs)


def missing_solvers() -> list[str]:
    """Solvers of the extra ``bench`` that are not installed."""
    return [solver for solver, module in SOLVERS.items() if find_spec(module) is None]


def machine() -> str:
    """The machine that the figures were measured on."""
    return f"{multiprocessing.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def sides(people: int, hard: bool, seed: int) -> list[Histograms]:
    """Two weeks of synthetic callers, week against week; always the same preset, so that figures stay comparable."""
    log = synthetic_calls(people=people, preset=HEAVY_TAIL, seed=seed)
    both = [histograms(part, progress=False) for part in split(log.events, by="weeks")]
    return [_single_places(side) for side in both] if hard else both


def _single_places(side: Histograms) -> Histograms:
    """Every third person with only their most visited place."""
    counts = side.counts.tolil()
    for row in range(0, len(side), 3):
        places, values = counts.rows[row], counts.data[row]
        if places:
            best = int(np.argmax(values))
            counts.rows[row], counts.data[row] = [places[best]], [values[best]]
    return Histograms(counts.tocsr(), side.people, side.places)


def _ours(both: list[Histograms], tolerance: float) -> dict[str, Any]:
    few = [Histograms(side.counts[:100], side.people[:100], side.places) for side in both]
    match(*few, tolerance=tolerance, progress=False)  # compiles kernels, or reads them from disk
    started = time.perf_counter()
    matching = match(*both, tolerance=tolerance, progress=None)
    seconds = time.perf_counter() - started
    parts = {**matching.seconds, "drawing": seconds - sum(matching.seconds.values())}
    return {
        "seconds": seconds,
        "parts": parts,
        "cost": matching.cost,
        "relative_gap": matching.relative_gap,
    }


def _theirs(solver: str, both: list[Histograms]) -> dict[str, Any]:
    solve = _SOLVE[solver]
    started = time.perf_counter()
    costs = _costs_by_cdist(both) if solver == "SciPy cdist" else _costs_by_places(both)
    weighed = time.perf_counter()
    rows, columns = solve(costs)
    ended = time.perf_counter()
    cost = float(costs[rows, columns].sum())
    parts = {"preparing": weighed - started, "solving": ended - weighed}
    return {"seconds": ended - started, "parts": parts, "cost": cost, "relative_gap": None}


def _costs_by_cdist(both: list[Histograms]) -> Any:
    """The js costs of all pairs by SciPy: twice the squared Jensen-Shannon distance."""
    from scipy.spatial.distance import cdist

    return 2 * cdist(*_dense_shares(both), "jensenshannon") ** 2


def _costs_by_places(both: list[Histograms]) -> Any:
    """The same, place by place: what pairs of people at a place share."""
    first, second = _dense_shares(both)
    costs = np.full((len(first), len(second)), 2 * np.log(2))
    for column in range(first.shape[1]):
        rows, others = np.flatnonzero(first[:, column]), np.flatnonzero(second[:, column])
        p, q = first[rows, column][:, None], second[others, column][None, :]
        costs[np.ix_(rows, others)] -= (p + q) * np.log(p + q) - p * np.log(p) - q * np.log(q)
    return costs


def _dense_shares(both: list[Histograms]) -> list[Any]:
    columns = 1 + max(int(side.places.max()) for side in both)
    tables = []
    for side in both:
        table = np.zeros((len(side), columns))
        table[:, side.places] = side.counts.toarray()
        tables.append(table / table.sum(axis=1, keepdims=True))
    return tables


def _by_scipy(costs: Any) -> tuple[Any, Any]:
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(costs)  # type: ignore[no-any-return]


def _by_lapx(costs: Any) -> tuple[Any, Any]:
    import lap

    _, columns, _ = lap.lapjv(costs, extend_cost=True)
    rows = np.flatnonzero(columns >= 0)
    return rows, columns[rows]


def _by_ortools(costs: Any) -> tuple[Any, Any]:
    from ortools.graph.python import linear_sum_assignment

    # it needs equal sides: added people cost the same with everyone
    size = max(costs.shape)
    square = np.zeros((size, size), dtype=np.int64)
    square[: costs.shape[0], : costs.shape[1]] = np.rint(costs * WHOLE_COSTS)
    solver = linear_sum_assignment.SimpleLinearSumAssignment()
    ends = np.arange(size, dtype=np.int32)
    solver.add_arcs_with_cost(np.repeat(ends, size), np.tile(ends, size), square.ravel())
    solver.solve()
    chosen = np.array([solver.right_mate(row) for row in range(costs.shape[0])])
    rows = np.flatnonzero(chosen < costs.shape[1])
    return rows, chosen[rows]


def _by_pot(costs: Any) -> tuple[Any, Any]:
    import ot

    size = max(costs.shape)
    square = np.zeros((size, size))
    square[: costs.shape[0], : costs.shape[1]] = costs
    plan = ot.emd(np.ones(size), np.ones(size), square, numItermax=10**8)
    return np.nonzero(plan[: costs.shape[0], : costs.shape[1]] > 0.5)  # type: ignore[return-value]


SOLVERS = {"SciPy cdist": "scipy", "SciPy": "scipy", "lapx": "lap", "OR-tools": "ortools", "POT": "ot"}
_SOLVE: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "SciPy cdist": _by_scipy,
    "SciPy": _by_scipy,
    "lapx": _by_lapx,
    "OR-tools": _by_ortools,
    "POT": _by_pot,
}


def _in_own_process(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """The result of ``work`` in a new interpreter, and the peak memory of that process in MB."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_report, args=(there, work, arguments))
    process.start()
    there.close()
    try:
        value, peak = here.recv()
    except EOFError:
        raise MemoryError(f"bench: the process that ran {work.__name__.strip('_')} ended without a result") from None
    finally:
        process.join()
    return value, peak


def _report(pipe: Any, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        value = work(*arguments)
    except KeyboardInterrupt:
        return  # the process at the other end of the pipe is interrupted too
    import resource  # not on Windows

    pipe.send((value, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
