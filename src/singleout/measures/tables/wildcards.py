"""Records that agree where neither has a missing value: class counts if missing may be anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Indices
from singleout.reading.columns import Column


def matching_records(columns: Sequence[Column], label: Indices, sizes: Indices) -> Indices:
    """For each row: how many records agree with it in every column in which neither has a missing value.

    ``label`` is the class of each row if missing is a value, ``sizes`` the records of each class. Classes with the
    same columns missing are compared together with those of every other pattern, by the columns that both have.
    """
    first = np.unique(label, return_index=True)[1]
    codes = np.column_stack([column.codes[first] for column in columns]).astype(np.int64)
    missing = np.column_stack(
        [column.any_missing & (codes[:, number] == len(column.values)) for number, column in enumerate(columns)]
    )
    patterns, of_class = np.unique(missing, axis=0, return_inverse=True)
    members = [np.flatnonzero(of_class.ravel() == number) for number in range(len(patterns))]
    found = np.zeros(len(sizes), dtype=np.int64)
    for one, mine in zip(patterns, members, strict=True):
        for other, theirs in zip(patterns, members, strict=True):
            found[mine] += _count_equal(codes[mine], codes[theirs], sizes[theirs], ~(one | other))
    return found[label]


def _count_equal(
    mine: NDArray[np.int64], theirs: NDArray[np.int64], sizes: Indices, shared: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """For each of mine: the records of theirs with the same codes in the shared columns."""
    if not shared.any():
        return np.full(len(mine), int(sizes.sum()))
    both = np.concatenate([mine[:, shared], theirs[:, shared]])
    key = np.unique(both, axis=0, return_inverse=True)[1].ravel()
    there = np.bincount(key[len(mine) :], sizes, minlength=int(key.max()) + 1)
    return there[key[: len(mine)]].astype(np.int64)
