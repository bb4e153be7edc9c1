"""One way to be parallel: kernels take one tile of rows and release the GIL; threads or joblib run the tiles.

Threads of this process by default. Inside ``joblib.parallel_config(backend="dask")``, or any other backend, tiles go
to other processes or machines: what they work on is written once to a file that all of them map into memory, so it must
lie where all of them see it (``JOBLIB_TEMP_FOLDER``). Tiles lost with a worker are handed out again.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import joblib
from joblib import Parallel, delayed
from joblib.parallel import get_active_backend
from threadpoolctl import threadpool_limits

from singleout.ground.progress import Advance, show_progress, silence_thread

Result = TypeVar("Result")
Job = TypeVar("Job")
Cut = tuple[int, int]

ROWS_PER_TILE = 256
OURS = "singleout-tile"
"""How our threads are named: work inside one of them is not divided again."""
ATTEMPTS = 3
"""How often lost tiles are handed out again before they are computed here."""
JOBS = "singleout-job"
"""How threads are named that carry out whole jobs: their tiles are divided, their jobs are not."""
MOST_JOBS = 4
"""Jobs carried out at a time: each has tables of its own in memory."""
SILENCE = 120.0
"""Seconds without any tile coming back after which those still out count as lost. A tile takes a few."""


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
        if len(cuts) == 1:  # a pool would cost more than the work
            return [work(*cuts[0], *arguments)]
        if shares_memory():
            return list(_in_threads(work, cuts, arguments, advance))
        if here:
            return [work(*cut, *arguments) for cut in cuts]
        done = _elsewhere(work, cuts, arguments, advance)
    return [done[cut] for cut in cuts]


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

    For pieces of work that are long and each partly of one thread, such as attacks on files. Tiles inside are divided
    as ever; jobs inside a job, and jobs while tiles go to other processes, are carried out one after the other.
    """
    with show_progress(label, progress) as advance:
        inside = threading.current_thread().name.startswith((OURS, JOBS))
        at_a_time = min(joblib.effective_n_jobs(_jobs()), MOST_JOBS, len(jobs))
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
    """Carry out ``work`` beside the block, in which a call of what is yielded waits for the result.

    With one core, or while tiles go to other processes, it is carried out when its result is asked for.
    """
    if joblib.effective_n_jobs(_jobs()) < 2 or not shares_memory():
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
    workers = joblib.effective_n_jobs(_jobs())
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


def _elsewhere(
    work: Callable[..., Result], cuts: list[Cut], arguments: tuple[Any, ...], advance: Advance
) -> dict[Cut, Result]:
    """Tiles by other processes; a worker that dies or hangs costs time, not the result."""
    done: dict[Cut, Result] = {}
    with tempfile.TemporaryDirectory(prefix="singleout-", dir=os.environ.get("JOBLIB_TEMP_FOLDER")) as folder:
        file = Path(folder) / "arguments.pkl"
        joblib.dump((work, arguments), file)
        for _ in range(ATTEMPTS):
            missing = [cut for cut in cuts if cut not in done]
            if not missing:
                break
            pool = Parallel(n_jobs=_jobs(), return_as=_order(), timeout=SILENCE, pre_dispatch="all")
            try:
                for cut, result, error in pool(delayed(_tile)(str(file), *cut) for cut in missing):
                    if error is not None:
                        raise _WorkFailed(error)
                    done[cut] = result
                    advance(len(done) / len(cuts))
            except _WorkFailed as failed:
                raise failed.error from None
            except Exception:  # noqa: S112 - whatever it is, it befell a worker, not the work
                continue
    for cut in cuts:
        if cut not in done:
            done[cut] = work(*cut, *arguments)
    return done


def _order() -> str:
    """Results as they come, where the backend can; Spark only has all of them at once."""
    backend, _ = get_active_backend()
    return "generator_unordered" if getattr(backend, "supports_return_generator", False) else "list"


class _WorkFailed(Exception):  # noqa: N818 - only carries the error that the work itself raised
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


def _tile(file: str, first: int, last: int) -> tuple[Cut, Any, Exception | None]:
    """One tile in another process. An error of the work comes back as a value: only workers' own faults are raised."""
    work, arguments = _open(file)
    try:
        return (first, last), work(first, last, *arguments), None
    except Exception as error:
        return (first, last), None, error


@lru_cache(maxsize=2)
def _open(file: str) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """What the tiles work on, mapped into memory; copied on write, so that kernels see ordinary arrays."""
    return joblib.load(file, mmap_mode="c")  # type: ignore[no-any-return]


def _jobs() -> int:
    """All cores, unless a ``joblib.parallel_config`` around us says how many."""
    _, configured = get_active_backend()
    return -1 if configured is None else int(configured)
