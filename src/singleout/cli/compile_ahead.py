"""Compile what a command will call in processes of their own, while the command itself begins at the beginning.

    python -P -m singleout.cli.compile_ahead AUDIT|MATCH NUMBER OF

Kernels and kinds of arguments are found by the same work on a few synthetic people, in plain Python. What is compiled
is kept on disk, where the command finds it. Ends when its input ends, as it does with the command.
"""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import joblib

if TYPE_CHECKING:
    from singleout.reading.events import Events

MOST = 3
"""Processes in addition to the command itself; each of them finds out anew what is to be compiled."""
PEOPLE, PLACES, MANY_PLACES = 12, 8, 2_000


def start(command: str) -> list[subprocess.Popen[bytes]]:
    """One process for every further core, where the command calls many kernels."""
    others = min(joblib.cpu_count() - 1, MOST) if command in WORK else 0
    words = [sys.executable, "-P", "-m", "singleout.cli.compile_ahead", command]
    return [_start([*words, str(number), str(others)]) for number in range(others)]


def _start(words: list[str]) -> subprocess.Popen[bytes]:
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere)  # noqa: S603 - our own words


def few_sides(places: int) -> list[Any]:
    """A few people, each at some six places, on two sides; made without reading, which takes as long as to compile."""
    import numpy as np
    from scipy import sparse

    import singleout as so

    draw, share = np.random.default_rng(1).random, min(0.75, 6 / places)
    counts = [sparse.csr_array((draw((PEOPLE, places)) < share).astype(np.int64)) for _ in range(2)]
    return [so.Histograms(each, range(PEOPLE), range(places)) for each in counts]


def match_few() -> None:
    """Call what a matching calls."""
    import singleout as so

    # people who share few places are compared by other kernels than those who share many
    for places in (MANY_PLACES, PLACES):
        so.ladder(*few_sides(places), similarities=["js"])


def attack_few() -> None:
    """Call what an audit of an event log calls at once, each once; a whole audit would take several times as long."""
    import singleout as so

    matching = so.ladder(*few_sides(MANY_PLACES), similarities=["js"]).matching
    matching.margins()
    matching.explain(0)
    networks = so.networks(_few_calls())
    for name in ("size", "summary"):
        so.assign(so.graph_scores(networks, networks, kernel=name, top=3))
    so.ladder(*few_sides(MANY_PLACES), similarities=["evidence"], known_pairs=0.5)


def protect_few() -> None:
    """Call what it calls later, when protections are tried."""
    import singleout as so
    from singleout.similarity.half_counts import HALF_COUNTS

    sides = few_sides(PLACES)
    so.match(*sides, similarity=HALF_COUNTS)
    so.ladder(*sides, similarities=["js", "evidence"])
    so.microaggregate(sides[0], 3)


def count_unique_few() -> None:
    """Call what it calls meanwhile, on a thread of its own: Numba lets no other go on while one compiles."""
    import singleout as so

    so.anonymity(so.networks(_few_calls()), top=3)


def _few_calls() -> Events:
    import singleout as so

    calls = so.synthetic_calls(people=PEOPLE, antennas=PLACES, regions=2, seed=1).table
    return so.read_events(calls, user="user", time="time", place="place")


AUDIT = count_unique_few, attack_few, protect_few
WORK: dict[str, tuple[Callable[[], None], ...]] = {"match": (match_few,), "audit": AUDIT, "demo": AUDIT}
"""What a command calls, in the order in which it is to be compiled ahead."""
CALLED_FIRST = match_few, attack_few
"""What the command begins with: it compiles that from the beginning, one kernel after the other; we from the end."""


def compile_ahead(command: str, number: int, processes: int) -> None:
    """A share of the command's kernels; those on disk already take no time."""
    from singleout._kernels import jit

    calls = jit.CALLS = {}
    known, order = 0, []
    for work in WORK[command]:
        with contextlib.suppress(Exception), joblib.parallel_config(backend="threading", n_jobs=1):
            work()  # what was called before it failed is compiled all the same
        new, known = list(calls)[known:], len(calls)
        order += new[::-1] if work in CALLED_FIRST else new
    for kernel, kinds in order[number::processes]:
        with contextlib.suppress(Exception):
            kernel.compile(kinds)


def _end_with_the_command() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_the_command, daemon=True).start()
    gc.disable()  # it ends soon
    compile_ahead(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
