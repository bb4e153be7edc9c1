"""One way to be parallel: kernels take one tile of rows and release the GIL; joblib runs the tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from joblib import Parallel, delayed
from joblib.parallel import get_active_backend

from singleout.ground.progress import shown

Result = TypeVar("Result")

ROWS_PER_TILE = 256


def map_tiles(
    work: Callable[[int, int], Result],
    rows: int,
    *,
    label: str,
    progress: bool | None = None,
    tile: int = ROWS_PER_TILE,
) -> list[Result]:
    """``work(first, last)`` for every tile of ``rows``, results in order of the tiles.

    Threads by default; inside ``joblib.parallel_config(...)`` whatever backend and number of jobs that names. The
    results must not depend on where the tiles are cut.
    """
    cuts = [(first, min(first + tile, rows)) for first in range(0, rows, tile)]
    if len(cuts) == 1:  # a pool would cost more than the work
        with shown(label, progress):
            return [work(*cuts[0])]
    with shown(label, progress) as advance:
        pool = Parallel(n_jobs=_jobs(), prefer="threads", return_as="generator")
        results = []
        for result in pool(delayed(work)(first, last) for first, last in cuts):
            results.append(result)
            advance(len(results) / len(cuts))
    return results


def _jobs() -> int:
    """All cores, unless a ``joblib.parallel_config`` around us says how many."""
    _, configured = get_active_backend()
    return -1 if configured is None else int(configured)
