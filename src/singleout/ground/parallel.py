"""One way to be parallel: kernels take one tile of rows and release the GIL; threads or joblib run the tiles.

Threads of this process by default. Inside ``joblib.parallel_config(backend="dask")``, or any other backend, tiles go
to other processes or machines (``other_processes``). Longer pieces of work are jobs: those that need nothing but arrays
go there whole, and their tiles with them; the others stay here, and their tiles go.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar, cast

import joblib
from joblib.parallel import get_active_backend
from threadpoolctl import threadpool_limits

from singleout.ground.other_processes import Cut, jobs_asked, jobs_elsewhere, tiles_elsewhere
from singleout.ground.progress import Advance, show_progress, silence_thread

Result = TypeVar("Result")
Job = TypeVar("Job")
Ready = TypeVar("Ready")

ROWS_PER_TILE = 256
OURS = "singleout-tile"
"""How our threads are named: work inside one of them is not divided again."""
JOBS = "singleout-job"
"""How threads are named that carry out whole jobs: their tiles are divided, their jobs are not."""
MOST_JOBS = 4
"""Jobs carried out at a time: each has tables of its own in memory."""


def map_tiles(
    work: Callable[..., Result],
    rows: int,
    *arguments: Any,
    label: str,
    progress: bool | None = None,
    tile: int | None = None,
    here: bool = False,
) -> list[Result]:
    """``work(first, last, *arguments)`` for every tile of ``rows``, results in order of the tiles.

    The results must not depend on where the tiles are cut, and ``work`` must be a function that pickle can name.
    ``here``: in this process at any rate, since it takes longer to send the arguments elsewhere than to do the work.
    """
    end_if_stopped()
    height = ROWS_PER_TILE if tile is None else tile
    cuts = [(first, min(first + height, rows)) for first in range(0, rows, height)]
    with show_progress(label, progress) as advance:
        if len(cuts) < 2:  # a pool would cost more than the work
            return [work(*cut, *arguments) for cut in cuts]
        if shares_memory():
            return list(_in_threads(work, cuts, arguments, advance))
        if here:
            return [work(*cut, *arguments) for cut in cuts]
        done = tiles_elsewhere(work, cuts, arguments, advance)
        return [done[cut] if cut in done else work(*cut, *arguments) for cut in cuts]


def shares_memory() -> bool:
    """Whether tiles are computed in this process, so that they can write into one array."""
    backend, _ = get_active_backend(prefer="threads")
    return bool(getattr(backend, "supports_sharedmem", False))


class Stopped(Exception):  # noqa: N818 - not an error: the jobs around it were given up
    """Raised inside a job that nobody waits for any more."""


_of_thread = threading.local()


def end_if_stopped() -> None:
    """End this job if the one who asked for it has given up: threads see no Ctrl-C."""
    asked = getattr(_of_thread, "stop", None)
    if asked is not None and asked.is_set():
        raise Stopped


def map_jobs(
    work: Callable[[Job], Result], jobs: Sequence[Job], *, label: str, progress: bool | None = None
) -> list[Result]:
    """``work(job)`` for every job, some at a time, results in order of the jobs; the first error ends all.

    For pieces of work that are long and each partly of one thread. They stay in this process: for those that need a
    database, or whose results are large. Tiles inside are divided as ever; jobs inside a job, and jobs while tiles go
    to other processes, are carried out one after the other.
    """
    with show_progress(label, progress) as advance:
        return _carry_out(work, jobs, advance)


def send_jobs(
    work: Callable[[Ready], Result],
    jobs: Sequence[Job],
    *,
    prepare: Callable[[Job], Ready] | None = None,
    label: str,
    progress: bool | None = None,
) -> list[Result]:
    """The same, ``work(prepare(job))``, for jobs that go where tiles go: to threads, or to workers of a cluster.

    ``prepare`` makes of a job what can be pickled, such as counts of a query; it stays in this process. A worker
    computes the tiles of its job itself. What was lost with a worker is handed out again; work or jobs that cannot be
    pickled, such as a user's own function without a name, are carried out here, and only their tiles go.
    """

    def both(job: Job) -> Result:
        return work(_prepared(prepare, job))

    with show_progress(label, progress) as advance:
        if shares_memory() or len(jobs) < 2:
            return _carry_out(both, jobs, advance)
        done = jobs_elsewhere(work, jobs, lambda job: _prepared(prepare, job), advance)
        return [done[number] if number in done else both(job) for number, job in enumerate(jobs)]


def _prepared(prepare: Callable[[Job], Ready] | None, job: Job) -> Ready:
    return prepare(job) if prepare is not None else cast(Ready, job)


def _carry_out(work: Callable[[Job], Result], jobs: Sequence[Job], advance: Advance) -> list[Result]:
    """In this process: on threads, unless we are in one of ours, or tiles go elsewhere."""
    inside = threading.current_thread().name.startswith((OURS, JOBS))
    at_a_time = min(joblib.effective_n_jobs(jobs_asked()), MOST_JOBS, len(jobs))
    if inside or at_a_time < 2 or not shares_memory():
        found: Iterator[Result] = (work(job) for job in jobs)
    else:
        found = _run_jobs(work, jobs, at_a_time)
    done = []
    for result in found:
        done.append(result)
        advance(len(done) / len(jobs))
    return done


def _run_jobs(work: Callable[[Job], Result], jobs: Sequence[Job], at_a_time: int) -> Iterator[Result]:
    with _threads_for_jobs(at_a_time) as pool:
        for job in [pool.submit(work, each) for each in jobs]:
            yield job.result()


@contextmanager
def _threads_for_jobs(number: int) -> Iterator[ThreadPoolExecutor]:
    """Threads for as long as the block lasts; what is still going on then is asked to stop."""
    stop = threading.Event()

    def begin() -> None:
        _of_thread.stop = stop
        silence_thread()

    pool = ThreadPoolExecutor(number, thread_name_prefix=JOBS, initializer=begin)
    try:
        yield pool
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def meanwhile(work: Callable[[], Result]) -> Iterator[Callable[[], Result]]:
    """Carry out ``work`` while the block runs, in which a call of what is yielded waits for the result.

    With one core, or while tiles go to other processes, it is carried out when its result is asked for.
    """
    if joblib.effective_n_jobs(jobs_asked()) < 2 or not shares_memory():
        yield work
        return
    with _threads_for_jobs(1) as pool:
        yield pool.submit(work).result


class _OneThread:
    """While anyone is inside, BLAS uses one thread; the last one out restores what was there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._limits: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._limits = threadpool_limits(1, user_api="blas")
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limits.restore_original_limits()


one_blas_thread = _OneThread()
"""For many short products one after another: the threads of BLAS would spin in between and take our tiles' cores."""


def _in_threads(
    work: Callable[..., Result], cuts: list[Cut], arguments: tuple[Any, ...], advance: Advance
) -> Iterator[Result]:
    workers = joblib.effective_n_jobs(jobs_asked())
    if workers == 1 or threading.current_thread().name.startswith(OURS):
        tiles: Iterator[Result] = (work(*cut, *arguments) for cut in cuts)
    else:
        tiles = _run(_threads(workers), work, cuts, arguments)
    for number, result in enumerate(tiles, start=1):
        advance(number / len(cuts))
        yield result


def _run(
    pool: ThreadPoolExecutor, work: Callable[..., Result], cuts: list[Cut], arguments: tuple[Any, ...]
) -> Iterator[Result]:
    """Results in order; whatever ends the iteration early, no further tile is begun."""
    waiting = [pool.submit(work, *cut, *arguments) for cut in cuts]
    try:
        for tile in waiting:
            yield tile.result()
    finally:
        for tile in waiting:
            tile.cancel()


@cache
def _threads(workers: int) -> ThreadPoolExecutor:
    """Threads that stay: to start them anew for every call takes longer than most calls."""
    return ThreadPoolExecutor(workers, thread_name_prefix=OURS)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)
