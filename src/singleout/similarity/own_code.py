"""Running a function that a user brings: on copies, without ids, and with one line where it fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from copy import copy
from threading import RLock
from typing import Any

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import InputError, SingleoutError, where_it_failed
from singleout.statistics.histograms import Histograms

SHUFFLE = 5_640_113
"""The order in which a function sees people: the same in every run, and another than that of their ids."""


_one_at_a_time = RLock()
"""A user's function may know nothing of threads, but may itself match by another one."""


def shuffle_orders(sides: Sequence[Histograms]) -> list[Indices]:
    """A random order of the people of each side."""
    rng = np.random.default_rng(SHUFFLE)
    return [rng.permutation(len(side)) for side in sides]


def shuffle_people(side: Histograms, order: Indices) -> Histograms:
    """A copy with rows in another order, and people numbered from zero."""
    shuffled = copy(side.only(side.people[order]))
    object.__setattr__(shuffled, "people", np.arange(len(side)))
    object.__setattr__(shuffled, "counts", shuffled.counts.copy())
    return shuffled


def run_own(what: str, function: Callable[..., Any], *sides: Histograms) -> Any:
    """What a user's function returns; what it prints must not mix with a result. Threads take turns."""
    try:
        with _one_at_a_time, redirect_stdout(sys.stderr):
            return function(*sides)
    except SingleoutError:
        raise
    except Exception as error:
        # only where it failed: the message of an error may quote the data
        raise InputError(f"{what} failed: {where_it_failed(error)}.", function="match") from error
