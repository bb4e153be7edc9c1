"""What a group of micro-aggregated people releases, such that no digit of it reveals one person.

A mean of k exact histograms is a sum of fractions a / n: where only one member has a place, their fraction appears and
reveals how many events they have, and with that the rest of their histogram. So no one's fractions are used: each
member gets the same whole number of units, spread over their places; a group releases the sums of these units, and only
for places that several members have.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from singleout.ground.arrays import count_up
from singleout.ground.errors import DataError
from singleout.ground.notes import Note, nonzero
from singleout.protection.microaggregation import Clusters
from singleout.statistics.histograms import Histograms

UNITS = 50
"""Units per member. More units preserve more of a group's shares, but reveal more about each member's."""
MEMBERS = 3
"""A group releases a place if at least this many members have a unit there: with two, each could subtract."""


def release_groups(
    original: Histograms, clusters: Clusters, *, units: int = UNITS, members: int = MEMBERS, seed: int = 0
) -> Histograms:
    """Everyone's row as their group releases it: whole numbers, the same for all members.

    ``original`` are the histograms that were clustered. People in a group without a place that enough members share are
    left without data and counted in the notes.
    """
    people = np.argsort(
        original.people, kind="stable"
    )  # drawn in order of id, so that the order of rows reveals nothing
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
    notes = nonzero(
        Note(
            len(original),
            "people micro-aggregated",
            f"a group releases whole numbers that add up to {units} for each member",
        ),
        Note(
            round(100 * dropped),
            "percent of these numbers left out",
            f"they are for places that fewer than {members} members of a group visit",
        ),
        Note(emptied, "people left without data", "their group has no place that enough members share"),
    )
    return replace(original, counts=rows.astype(np.int64), notes=original.notes + notes, unit="unit")


def spread_units(shares: sparse.csr_array, units: int, rng: np.random.Generator) -> sparse.csr_array:
    """The same whole number of units for every person with events, spread by their shares (largest remainders).

    Of equal remainders, the first in a random order of places gets the unit. If people have several channels, each
    channel gets the units.
    """
    order = rng.permutation(shares.shape[1])
    exact = shares.data * units
    whole = np.floor(exact + 1e-9)
    row = np.repeat(np.arange(shares.shape[0]), np.diff(shares.indptr))
    missing = np.round(
        np.bincount(row, shares.data, shares.shape[0]) * units - np.bincount(row, whole, shares.shape[0])
    )
    ranked = np.lexsort((order[shares.indices], -np.round(exact - whole, 9), row))
    place = count_up(np.diff(shares.indptr))
    given: NDArray[np.int64] = whole.astype(np.int64)
    given[ranked] += place < missing[row]
    spread = sparse.csr_array((given, shares.indices.copy(), shares.indptr.copy()), shape=shares.shape)
    spread.eliminate_zeros()
    return spread
