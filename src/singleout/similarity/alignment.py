"""Two sides over the same columns: places and channels aligned by id."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, comparable


def align_sides(
    released: Histograms, known: Histograms
) -> tuple[tuple[sparse.csr_array, sparse.csr_array], Indices, Indices]:
    """Both count tables over the same columns, ordered by channel and place id; the channel of each column.

    Last, the aligned column of each column of the known side.
    """
    places = comparable(released.places, known.places)
    labels = comparable(*_labels(released, known))
    place, place_names = _number_ids(*places)
    channel, _ = _number_ids(*labels)
    keys = [channel[side] * len(place_names) + place[side] for side in (0, 1)]
    for name, side in (("released", released), ("known", known)):
        if not len(side.places):
            raise DataError(f"`{name}` contains no events: every count is zero.", function="match")
    if not np.intersect1d(keys[0], keys[1]).size:
        raise DataError(
            "`released` and `known` have no place in common. Do both sides use the same place ids?",
            function="match",
        )
    columns = np.union1d(keys[0], keys[1])
    tables = []
    for side, key in zip((released, known), keys, strict=True):
        moved = side.counts.tocoo()
        column = np.searchsorted(columns, key)[moved.coords[1]]
        table = sparse.csr_array((moved.data, (moved.coords[0], column)), shape=(len(side), len(columns)))
        table.sort_indices()
        tables.append(table)
    # channels without any column on either side do not exist; those that do are numbered from zero
    _, dense_channel = np.unique(columns // len(place_names), return_inverse=True)
    return (tables[0], tables[1]), dense_channel.astype(np.intp), np.searchsorted(columns, keys[1])


def _labels(released: Histograms, known: Histograms) -> tuple[Ids, Ids]:
    if (released.channels is None) != (known.channels is None):
        raise DataError(
            "one side has channels and the other does not. Make both histograms in the same way.", function="match"
        )
    if released.channels is None or known.channels is None:
        return np.zeros(len(released.places), dtype=np.int64), np.zeros(len(known.places), dtype=np.int64)
    return released.channels, known.channels


def _number_ids(first: Ids, second: Ids) -> tuple[tuple[Indices, Indices], Ids]:
    """Number the ids of both sides together, in ascending order of id."""
    names, number = np.unique(np.concatenate([first, second]), return_inverse=True)
    return (number[: len(first)], number[len(first) :]), names
