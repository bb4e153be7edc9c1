"""Micro-aggregation: groups of at least k people, everyone replaced by the average of their group (N16 V-B)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, get_args
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa
from scipy import sparse

from singleout._kernels.cluster import find_broken
from singleout.ground.arrays import Flags, Floats, Indices
from singleout.ground.errors import DataError, bad_argument, is_whole, unknown_name
from singleout.ground.lazy import cached_property
from singleout.ground.names import ClusterMethod, Norm
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note
from singleout.ground.progress import Advance, show_progress
from singleout.protection.nearest_lists import NearestLists, OpeningLists
from singleout.protection.record_distances import DenseSpace, Space, SparseSpace
from singleout.reading.events import Events
from singleout.statistics.classes import classes_of, row_digests
from singleout.statistics.histograms import Histograms

METHODS: tuple[ClusterMethod, ...] = get_args(ClusterMethod)
NORMS: tuple[Norm, ...] = get_args(Norm)
LARGEST = 4
"""Refinement never makes a group this many times k."""
MEANS_LOOKED_AT = 8
LISTED = 100
"""Nearest records that are kept of each of Histograms, which are often grouped again: enough for groups of 26."""
PASSES = 10
ROUNDING = 1e-12
LARGEST_NUMBER = 1e100
"""Sums of squares of larger numbers would overflow."""


@dataclass(frozen=True, eq=False)
class Clusters(Tabular):
    """A partition into groups of at least ``k``, and what is released instead of the data.

    ``loss`` is Naini's (2016) L (eq. 11) for the norm l1, SSE/SST for l2. ``means`` has one row per group.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> groups = so.microaggregate(released, 5)
    >>> len(groups.labels), groups.k
    (50, 5)
    """

    labels: Indices
    loss: float
    means: Any
    k: int
    method: str
    norm: str
    original: Any = field(repr=False)

    @cached_property
    def protected(self) -> Any:
        """Every row replaced by the mean of its group: Histograms of shares if Histograms were given, else an array."""
        rows = self.means[self.labels]
        if not isinstance(self.original, Histograms):
            return np.asarray(rows)
        return replace(self.original, counts=rows, notes=self.notes)

    @property
    def number(self) -> int:
        """The number of groups (g in Naini 2016)."""
        return int(self.labels.max()) + 1

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was done to the records, including earlier steps."""
        earlier = self.original.notes if isinstance(self.original, Histograms) else ()
        return (*earlier, Note(len(self.labels), "people replaced by the average of their group", "micro-aggregation"))

    def to_arrow(self) -> pa.Table:
        """One row per record, by number: its group."""
        return pa.table({"row": np.arange(len(self.labels)), "cluster": self.labels})

    def __repr__(self) -> str:
        sizes = np.bincount(self.labels)
        size = f"{self.number:,} groups of {sizes.min():,} to {sizes.max():,} records"
        return f"Clusters({size}, k {self.k}, {self.method}, {self.norm} loss {self.loss:.4f})"


def microaggregate(
    data: Histograms | Any,
    k: int,
    *,
    method: ClusterMethod = "gsms",
    norm: Norm = "l1",
    refine: bool = True,
    progress: bool | None = None,
) -> Clusters:
    """Form groups of at least k records and replace each by the average of its group.

    Parameters
    ----------
    data
        Histograms (people are compared by their shares, channel by channel), or a table of numbers with one row per
        record, used as it is: standardise its columns first if their units differ.
    k
        Everyone becomes identical to at least k - 1 others.
    method
        ``"gsms"``: successive groups, each the one that leaves the least loss; ``"mdav"``: groups around the records
        farthest from the mean. Ties are broken by content, then by id.
    norm
        ``"l1"``, as Naini 2016 measures loss, or ``"l2"`` (squares), as the literature on micro-aggregation does.
    refine
        Dissolve groups into their neighbours if that reduces the loss. Never increases it.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Clusters
        The groups, and what is released instead of the data.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> so.microaggregate(released, 5)
    Clusters(10 groups of 5 to 5 records, k 5, gsms, l1 loss 0.8018)
    """
    if method not in METHODS:
        raise unknown_name("microaggregate", "method", str(method), METHODS)
    if norm not in NORMS:
        raise unknown_name("microaggregate", "norm", str(norm), NORMS)
    records = _prepare(data, norm)
    people = records.space.size
    if not is_whole(k) or k < 1:
        raise bad_argument("microaggregate", "k", "a whole number above zero", k)
    if k > people:
        who = "people" if isinstance(data, Histograms) else "records"
        raise bad_argument("microaggregate", "k", f"at most the number of {who}, {people:,}", k)
    space, order = records.space, records.order
    with show_progress("grouping", progress) as advance:
        groups = _labels(space, _groups(records, int(k), method), advance)
    if refine and k > 1:
        with show_progress("refining groups", progress):
            groups = refine_groups(space, groups, int(k))
    labels = np.empty(people, dtype=np.intp)
    labels[order] = groups
    return Clusters(labels, _relative_loss(space, groups), _means(records.table, groups), int(k), method, norm, data)


@dataclass(frozen=True, eq=False)
class _Records:
    """Records in an order that depends on content, then id, under a distance; and the nearest of each."""

    table: Any
    order: Indices
    space: Space
    opening: OpeningLists


_kept: WeakKeyDictionary[Histograms, dict[str, _Records]] = WeakKeyDictionary()
_keeping = Lock()


def _prepare(data: Histograms | Any, norm: Norm) -> _Records:
    """The records, prepared once for groups of several sizes where they are Histograms."""
    if not isinstance(data, Histograms):
        return _records_of(data, norm)
    with _keeping:
        kept = _kept.setdefault(data, {})
        if norm not in kept:
            kept[norm] = _records_of(data, norm)
        return kept[norm]


def _records_of(data: Histograms | Any, norm: Norm) -> _Records:
    table, order = _numbers_and_order(data)
    table = table[order]
    space = SparseSpace(table, norm) if sparse.issparse(table) else DenseSpace(table, norm)
    return _Records(table, order, space, OpeningLists(space, LISTED if isinstance(data, Histograms) else 0))


def _numbers_and_order(data: Histograms | Any) -> tuple[Any, Indices]:
    """The records as numbers, and an order of them that depends on content, then id."""
    if isinstance(data, Histograms):
        shares = data.shares()
        digests = row_digests(shares.indptr, shares.indices, shares.data)
        return shares, classes_of(digests, data.people).members
    if isinstance(data, Events):
        hint = "Groups are made from counts: use so.histograms(events) first."
        raise bad_argument("microaggregate", "data", "Histograms or a table of records by columns", "Events", hint)
    table = _numbers(data)
    if not np.isfinite(table).all():
        raise DataError("`data` contains a number that is not finite.", function="microaggregate")
    if np.abs(table).max() > LARGEST_NUMBER:
        raise DataError(
            f"`data` contains a number above {LARGEST_NUMBER:g}. Use larger units.", function="microaggregate"
        )
    return table, np.lexsort((np.arange(len(table)), *table.T[::-1]))


def _numbers(data: Any) -> Floats:
    """A table of numbers as an array; values that are not numbers are not quoted, since they may be names."""
    must = "Histograms or a table of numbers, records by columns"
    kind = type(data).__name__
    if isinstance(data, str) or sparse.issparse(data):
        hint = "Read the file first." if isinstance(data, str) else "Use so.Histograms(…) for sparse counts."
        raise bad_argument("microaggregate", "data", must, kind, hint)
    try:
        table = np.ascontiguousarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        hint = "Remove columns of text; convert the others to numbers."
        raise bad_argument("microaggregate", "data", must, kind, hint) from None
    if table.ndim != 2 or not table.size:
        raise bad_argument("microaggregate", "data", must, f"shape {table.shape}")
    return table


def _groups(records: _Records, k: int, method: str) -> Iterator[Indices]:
    if k == 1:
        return (np.array([row]) for row in range(records.space.size))
    return _successive_groups(records, k) if method == "gsms" else _groups_around_the_farthest(records.space, k)


def _groups_around_the_farthest(space: Space, k: int) -> Iterator[Indices]:
    """MDAV: r farthest from the mean and s farthest from r, each with its k - 1 nearest."""
    alive = np.ones(space.size, dtype=bool)

    def take(start: int) -> Indices:
        group = np.append(start, space.nearest(np.array([start]), k - 1, alive)[0])
        alive[group] = False
        return group

    def farthest(distances: Floats) -> int:
        return int(np.argmax(np.where(alive, distances, -np.inf)))

    while alive.sum() >= 3 * k:
        first = farthest(space.from_mean(alive))
        from_first = space.from_record(first)
        second = farthest(from_first)
        yield take(first)
        # if records are identical the second may be in the group of the first
        yield take(second if alive[second] else farthest(from_first))
    if alive.sum() >= 2 * k:
        yield take(farthest(space.from_mean(alive)))
    yield np.flatnonzero(alive)


def _successive_groups(records: _Records, k: int) -> Iterator[Indices]:
    """GSMS: every record proposes itself with its k - 1 nearest; take the proposal that leaves the least total loss."""
    space = records.space
    alive = np.ones(space.size, dtype=bool)
    members, within = np.empty((space.size, k), dtype=np.intp), np.empty(space.size)
    squares = space.norm == "l2"
    alone = space.squares() if squares else space.from_mean(alive)
    value, changed = np.empty(space.size), np.arange(space.size)
    lists = NearestLists(space, k - 1, records.opening)
    while alive.sum() >= 2 * k:
        members[changed, 0] = changed
        members[changed, 1:] = lists.nearest(changed, alive)
        within[changed] = space.losses(np.arange(len(changed) + 1) * k, members[changed].ravel())
        if squares:
            value = _value_by_squares(space, members, within, alone, alive)
        else:
            value[changed] = within[changed] - alone[members[changed]].sum(axis=1)
        chosen = members[int(np.argmin(np.where(alive, value, np.inf)))].copy()
        alive[chosen] = False
        yield chosen
        changed = find_broken(members, alive)
    yield np.flatnonzero(alive)


def _value_by_squares(space: Space, members: Indices, within: Floats, alone: Floats, alive: Flags) -> Floats:
    """Loss of each proposal and of what it leaves, by squares, up to a constant.

    The squares around the mean of m records are the sum of their squares minus the square of their sum over m.
    """
    k, left = members.shape[1], int(alive.sum())
    of_group = k * (alone[members].sum(axis=1) - within)  # the square of the group's sum
    with_all = space.along(alive)[members].sum(axis=1)
    return np.asarray(-(of_group / k + (of_group - 2 * with_all) / (left - k)))


def refine_groups(space: Space, labels: Indices, k: int) -> Indices:
    """Dissolve groups, those with most loss first, into the groups with the nearest means, if that reduces the loss."""
    for _ in range(PASSES):
        before = len(np.unique(labels))
        labels = _refine_once(space, labels, k)
        if len(np.unique(labels)) == before:
            break
    return labels


def _refine_once(space: Space, labels: Indices, k: int) -> Indices:
    near = space.nearest_means(labels, MEANS_LOOKED_AT)
    order, starts = _sorted_groups(labels)
    groups = [order[starts[g] : starts[g + 1]] for g in range(len(starts) - 1)]
    losses = space.losses(starts, order)
    for group in np.argsort(-losses, kind="stable"):
        moved = _new_homes(groups, near, int(group), k)
        if moved is None:
            continue
        targets = list(moved)
        grown = [np.append(groups[target], moved[target]) for target in targets]
        ends = np.cumsum([0, *map(len, grown)])
        new = space.losses(ends, np.concatenate(grown))
        if new.sum() < losses[targets].sum() + losses[group] - ROUNDING:
            for target, people, loss in zip(targets, grown, new, strict=True):
                groups[target], losses[target] = people, loss
            groups[int(group)], losses[group] = np.empty(0, dtype=np.intp), 0.0
    return _labels(space, (people for people in groups if len(people)))


def _new_homes(groups: list[Indices], near: Indices, group: int, k: int) -> dict[int, list[int]] | None:
    """For each member, the nearest other group with room; None if a member has none."""
    moved: dict[int, list[int]] = {}
    for person in groups[group]:
        for target in near[person]:
            size = len(groups[target]) + len(moved.get(int(target), ()))
            if target != group and len(groups[target]) and size < LARGEST * k - 1:
                moved.setdefault(int(target), []).append(int(person))
                break
        else:
            return None
    return moved or None


def _labels(space: Space, groups: Iterator[Indices], advance: Advance = lambda share: None) -> Indices:
    labels, done = np.empty(space.size, dtype=np.intp), 0
    for number, group in enumerate(groups):
        labels[group] = number
        done += len(group)
        advance(done / space.size)
    return labels


def _sorted_groups(labels: Indices) -> tuple[Indices, Indices]:
    order = np.argsort(labels, kind="stable")
    return order, np.concatenate([[0], np.cumsum(np.bincount(labels))])


def _relative_loss(space: Space, labels: Indices) -> float:
    """Loss around the means of clusters over loss around the mean of all; zero if all records are the same."""
    order, starts = _sorted_groups(labels)
    whole = float(space.losses(np.array([0, space.size]), np.arange(space.size))[0])
    return float(space.losses(starts, order).sum()) / whole if whole > ROUNDING * space.size else 0.0


def _means(table: Any, labels: Indices) -> Any:
    """The mean of each cluster, with records added in their order."""
    number = int(labels.max()) + 1
    share = 1.0 / np.bincount(labels)[labels]
    return sparse.csr_array((share, (labels, np.arange(len(labels)))), shape=(number, len(labels))) @ table
