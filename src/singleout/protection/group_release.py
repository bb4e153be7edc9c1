"""What is released of a group of micro-aggregated people, so that no digit of it is one person's.

A mean of k exact histograms is a sum of fractions a / n: where one member alone has a place, their fraction stands
there and gives away how many events they have, and with that the rest of their histogram. So nobody's fractions enter:
each member gets the same whole number of units, spread over their places; a group releases the sums of these units, and
only of places that several members hold.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from singleout.ground.errors import DataError
from singleout.ground.notes import Note, counted
from singleout.protection.microaggregation import Clusters
from singleout.statistics.histograms import Histograms

UNITS = 50
"""Units of each member. More of them keep more of a group's shares, and say more about each member's."""
MEMBERS = 3
"""A place is released of a group if at least this many members hold a unit there: with two, each could subtract."""


def release_groups(
    original: Histograms, clusters: Clusters, *, units: int = UNITS, members: int = MEMBERS, seed: int = 0
) -> Histograms:
    """Everyone's row as their group may release it: whole numbers, the same for all members.

    ``original`` are the histograms that were clustered. People of a group that has no place in common enough are left
    with nothing and counted in the notes.
    """
    people = np.argsort(original.people, kind="stable")  # drawn in order of id, so that the order of rows tells nothing
    spread = spread_units(original.shares()[people], units, np.random.default_rng(seed))
    labels = clusters.labels[people]
    groups = int(labels.max()) + 1
    joined = sparse.csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(groups, len(labels)))
    sums, holders = (joined @ spread).tocsr(), (joined @ (spread > 0).astype(np.int64)).tocsr()
    sums.sort_indices()
    holders.sort_indices()
    kept = sums.copy()
    kept.data = np.where(holders.data >= members, sums.data, 0)
    kept.eliminate_zeros()
    if not kept.nnz:
        raise DataError(
            f"no group has a place that {members} members share, so nothing can be released. "
            "Use larger groups, or coarsen the places first.",
            function="microaggregate",
        )
    dropped = 1.0 - float(kept.sum()) / max(float(sums.sum()), 1.0)
    rows = kept[clusters.labels]
    emptied = int(((original.totals > 0) & (np.diff(rows.indptr) == 0)).sum())
    notes = counted(
        Note(len(original), "people micro-aggregated", f"each group releases sums of {units} units a member"),
        Note(round(100 * dropped), "percent of all units dropped", f"at places of fewer than {members} members"),
        Note(emptied, "people emptied", "their group has no place that enough members share"),
    )
    return replace(original, counts=rows.astype(np.int64), notes=original.notes + notes, unit="unit")


def spread_units(shares: sparse.csr_array, units: int, rng: np.random.Generator) -> sparse.csr_array:
    """The same whole number of units for every person with events, spread by their shares (largest remainders).

    Of equal remainders the one that comes first in an order of places drawn at random gets the unit. Where people have
    several channels each channel gets the units.
    """
    order = rng.permutation(shares.shape[1])
    exact = shares.data * units
    whole = np.floor(exact + 1e-9)
    row = np.repeat(np.arange(shares.shape[0]), np.diff(shares.indptr))
    missing = np.round(
        np.bincount(row, shares.data, shares.shape[0]) * units - np.bincount(row, whole, shares.shape[0])
    )
    ranked = np.lexsort((order[shares.indices], -np.round(exact - whole, 9), row))
    place = np.arange(len(row)) - np.repeat(shares.indptr[:-1], np.diff(shares.indptr))
    given: NDArray[np.int64] = whole.astype(np.int64)
    given[ranked] += place < missing[row]
    spread = sparse.csr_array((given, shares.indices.copy(), shares.indptr.copy()), shape=shares.shape)
    spread.eliminate_zeros()
    return spread
