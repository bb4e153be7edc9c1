"""Tiles and jobs by other processes, on this machine or others: whatever befalls a worker, the result is the same.

What they work on is written to files that all workers can see (``JOBLIB_TEMP_FOLDER``); only the names of these travel.
What is lost with a worker is handed out again, and carried out here in the end.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import joblib
from joblib import Parallel, delayed
from joblib.parallel import get_active_backend

from singleout.ground.progress import Advance

Result = TypeVar("Result")
Job = TypeVar("Job")
Ready = TypeVar("Ready")
Key = TypeVar("Key")
Cut = tuple[int, int]

ATTEMPTS = 3
"""How often what was lost is handed out again before it is computed here."""
SILENCE = 120.0
"""Seconds without a sign of life after which what is still out counts as lost.

A tile takes a few: the sign is that one comes back. A job may take hours: the worker that carries it out gives signs.
"""
SIGNS = 10
"""How often in this time a sign is given, and looked for."""
FOR_EVER = 1e7
BATCHES = 4
"""How many batches of calls each worker gets where calls go in batches."""


def tiles_elsewhere(
    work: Callable[..., Result], cuts: Sequence[Cut], arguments: tuple[Any, ...], advance: Advance
) -> dict[Cut, Result]:
    """``work`` on every tile; arguments that workers map into memory are written once."""
    with _shared_folder() as folder:
        file = folder / "arguments.pkl"
        joblib.dump((work, arguments), file)
        done: dict[Cut, Result] = {}
        hand_out = delayed(_tile)
        _collect(done, cuts, lambda missing: (hand_out(str(file), *cut) for cut in missing), advance)
    return done


def jobs_elsewhere(
    work: Callable[[Ready], Result], jobs: Sequence[Job], prepare: Callable[[Job], Ready], advance: Advance
) -> dict[int, Result]:
    """``work(prepare(job))`` by the number of the job, for those that could be carried out elsewhere.

    All are prepared here, one after the other, since their tiles go elsewhere too; each is in memory only until it is
    written. What pickle cannot write stays here, such as functions without a name.
    """
    done: dict[int, Result] = {}
    with _shared_folder() as folder:
        shared, sign = folder / "work.pkl", folder / "sign"
        if not _write(work, shared):
            return done
        sign.touch()
        files = {number: folder / f"job{number}.pkl" for number in range(len(jobs))}
        ready = [number for number, file in files.items() if _write(prepare(jobs[number]), file)]
        hand_out = delayed(_job)

        def calls(missing: Iterable[int]) -> Iterator[Any]:
            for number in missing:
                yield hand_out(number, str(shared), str(files[number]), str(sign), SILENCE / SIGNS)

        _collect(done, ready, calls, advance, len(jobs), sign)
    return done


@contextmanager
def _shared_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="singleout-", dir=os.environ.get("JOBLIB_TEMP_FOLDER")) as folder:
        yield Path(folder)


def _write(what: Any, file: Path) -> bool:
    """Whether it could be written."""
    try:
        joblib.dump(what, file)
    except Exception:  # a user's function may be anything, and fail in any way
        return False
    return True


def _collect(
    done: dict[Key, Result],
    keys: Sequence[Key],
    calls: Callable[[Sequence[Key]], Iterator[Any]],
    advance: Advance,
    of_all: int | None = None,
    sign: Path | None = None,
) -> None:
    """Hand out calls and fill in what comes back; what was lost is handed out again, a few times."""
    refused: set[Key] = set()
    for _ in range(ATTEMPTS):
        missing = [key for key in keys if key not in done and key not in refused]
        if not missing:
            return
        try:
            with _kept.pool() as pool, nullcontext() if sign is None else _until_silent(pool, sign):
                pool.batch_size = _calls_at_once(len(missing))
                for key, result, error in pool(calls(missing)):
                    if isinstance(error, Unreadable):
                        refused.add(key)
                        continue
                    if error is not None:
                        raise _WorkFailed(error)
                    done[key] = result
                    advance(len(done) / (of_all or len(keys)))
        except _WorkFailed as failed:
            raise failed.error from None
        except Exception:  # noqa: S112 - whatever it is, it befell a worker, not the work
            continue


class _Kept(threading.local):
    """The workers that joblib has called, from one sweep to the next: those of ray take seconds to start."""

    def __init__(self) -> None:
        self.inside = 0
        self.opened: tuple[Any, Parallel] | None = None

    @contextmanager
    def pool(self) -> Iterator[Parallel]:
        """Workers of the backend that is asked for; whatever goes wrong, these are not called again."""
        asked = get_active_backend()
        if self.opened is None or self.opened[0] != asked:
            self.close()
            pool = Parallel(n_jobs=jobs_asked(), return_as=_order(), timeout=SILENCE, pre_dispatch="all")
            self.opened = asked, pool.__enter__()
        pool, whole = self.opened[1], False
        pool.timeout = SILENCE
        try:
            yield pool
            whole = True
        finally:
            if not (whole and self.inside):
                self.close()

    def close(self) -> None:
        """Let them go."""
        opened, self.opened = self.opened, None
        if opened is not None:
            opened[1].__exit__(None, None, None)


_kept = _Kept()


@contextmanager
def workers_kept() -> Iterator[None]:
    """Keep workers for the length of the block, in which several sweeps follow each other."""
    _kept.inside += 1
    try:
        yield
    finally:
        _kept.inside -= 1
        if not _kept.inside:
            _kept.close()


@contextmanager
def _until_silent(pool: Parallel, sign: Path) -> Iterator[None]:
    """Let the pool wait for as long as any worker gives signs of life."""
    ended, pool.timeout = threading.Event(), FOR_EVER

    def watch() -> None:
        last, since = None, time.monotonic()
        while not ended.wait(SILENCE / SIGNS):
            found = sign.stat().st_mtime_ns if sign.exists() else None
            if found != last:
                last, since = found, time.monotonic()
            elif time.monotonic() - since > SILENCE:
                pool.timeout = 0.0  # joblib looks at it all the time
                return

    watcher = threading.Thread(target=watch, name="singleout-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _order() -> str:
    """Results as they come, where the backend can; Spark only has all of them at once."""
    backend, _ = get_active_backend()
    return "generator_unordered" if getattr(backend, "supports_return_generator", False) else "list"


def _calls_at_once(number: int) -> Any:
    """Calls that go to a worker together: Spark takes a moment for each time, and returns none before all are done."""
    return max(1, number // (BATCHES * joblib.effective_n_jobs(jobs_asked()))) if _order() == "list" else "auto"


class _WorkFailed(Exception):  # noqa: N818 - only carries the error that the work itself raised
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class Unreadable(Exception):  # noqa: N818 - a message to where the job came from
    """A worker cannot read a job, such as a function that only the program has that asks for it."""


def _tile(file: str, first: int, last: int) -> tuple[Cut, Any, Exception | None]:
    """One tile in another process. An error of the work comes back as a value: only workers' own faults are raised."""
    work, arguments = _open(file)
    try:
        return (first, last), work(first, last, *arguments), None
    except Exception as error:
        return (first, last), None, error


def _job(number: int, shared: str, file: str, sign: str, seconds: float) -> tuple[int, Any, Exception | None]:
    """One job in another process; its tiles are computed there, by the thread that it has."""
    try:
        work, job = _open(shared), joblib.load(file)
    except Exception:
        return number, None, Unreadable()
    with _signs_of_life(Path(sign), seconds), joblib.parallel_config(backend="threading", n_jobs=1):
        try:
            return number, work(job), None
        except Exception as error:
            return number, None, error


@contextmanager
def _signs_of_life(sign: Path, seconds: float) -> Iterator[None]:
    """Touch a file for as long as this process lives and is inside."""
    ended = threading.Event()

    def touch() -> None:
        with suppress(OSError):  # the file goes with those who wait for us
            os.utime(sign)
            while not ended.wait(seconds):
                os.utime(sign)

    threading.Thread(target=touch, name="singleout-alive", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


@lru_cache(maxsize=2)
def _open(file: str) -> Any:
    """What others wrote, mapped into memory; copied on write, so that kernels see ordinary arrays."""
    return joblib.load(file, mmap_mode="c")


def jobs_asked() -> int:
    """All cores, unless a ``joblib.parallel_config`` around us says how many."""
    _, configured = get_active_backend()
    return -1 if configured is None else int(configured)
