"""How many people share a network: classes of isomorphic networks (M18 sections 3.1 and 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, gcd, prod
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout._kernels import isomorphism as kernels
from singleout.ground.errors import DataError, bad_argument, is_whole
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, nonzero
from singleout.ground.parallel import map_tiles
from singleout.measures.intervals import Estimate, wilson
from singleout.statistics.graphs import Graphs
from singleout.statistics.networks import Networks

BUDGET = 10_000_000
"""Nodes coloured in the exact comparison of two networks (a fraction of a second); beyond it, they are undecided."""
PATIENCE = 20
"""Undecided comparisons among networks that refinement does not distinguish; beyond it, the rest are one class."""
MOST_NODES = 60
SURELY_ENOUGH = 16
"""There are more graphs of this many nodes than people."""


@dataclass(frozen=True, eq=False)
class Anonymity(Tabular):
    """Classes of people whose networks are the same except for the names of places.

    ``sizes`` is each person's class size; ``k`` the smallest; ``identifiability`` the share of people with a unique
    network; ``bound`` the largest possible share if all graphs of ``top`` nodes occurred.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> found = so.anonymity(so.networks(log.events), top=4)
    >>> found.k
    1
    """

    sizes: NDArray[np.int64]
    top: int | None
    directed: bool
    edges: str
    bound: float
    trace_lengths: NDArray[np.int64]
    notes: tuple[Note, ...]

    @property
    def k(self) -> int:
        """The smallest class (Manousakas 2018, definition 3.3)."""
        return int(self.sizes.min())

    @property
    def identifiability(self) -> Estimate:
        """Share of people with a unique network (Manousakas 2018, definition 3.4)."""
        return self.within(1)

    @property
    def median(self) -> float:
        """Median anonymity size over people."""
        return float(np.median(self.sizes))

    def within(self, most: int) -> Estimate:
        """Share of people in classes of at most this many (Manousakas 2018, figure 6b)."""
        return wilson(int((self.sizes <= most).sum()), len(self.sizes))

    def to_arrow(self) -> pa.Table:
        """How many people are in classes of each size."""
        size, people = np.unique(self.sizes, return_counts=True)
        return pa.table({"size": size, "people": people})

    def __repr__(self) -> str:
        which = "all places" if self.top is None else f"top {self.top}, {self.edges}"
        way = "directed" if self.directed else "undirected"
        visits = f"{np.median(self.trace_lengths):,.0f} median visits per person"
        found = f"{self.identifiability} unique, smallest class {self.k:,}, median {self.median:,.0f}"
        noted = "".join(f"\n  {note}" for note in self.notes)
        return (
            f"Anonymity({len(self.sizes):,} people, {which}, {way}: {found}; bound {self.bound:.1%}; {visits}){noted}"
        )


def anonymity(networks: Networks, *, top: int | None = None, directed: bool = True) -> Anonymity:
    """Group people by the shape of their networks of ``top`` places (None: the networks as they are).

    Only the presence of edges matters, not their weights or visits; undirected means an edge wherever there is an arc.
    Exact. If two networks cannot be distinguished within ten million steps, everyone who may belong to the same class
    is counted in one, with a note: nobody counts as unique if another person may have the same network.

    Parameters
    ----------
    networks
        Networks of ``so.networks``.
    top
        Only this many of each person's most visited places; None: as they are.
    directed
        Whether the direction of edges counts.

    Returns
    -------
    Anonymity
        Class sizes, and the share of people who are unique.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> so.anonymity(so.networks(log.events), top=4).identifiability
    Estimate(28.0% [17.5%, 41.7%] of 50)
    """
    if not isinstance(networks, Networks):
        raise bad_argument(
            "anonymity", "networks", "Networks", type(networks).__name__, "Make them with so.networks(…)."
        )
    if not len(networks):
        raise DataError("there are no people.", function="anonymity")
    asked = networks if top is None else networks.at(top=top)
    label, undecided = isomorphism_classes(asked.graphs if directed else asked.graphs.undirected())
    sizes = np.bincount(label)[label]
    fewer = 0 if asked.top is None else int((asked.sizes < asked.top).sum())
    notes = nonzero(
        Note(
            undecided,
            "people whose class may be smaller",
            f"their networks were not distinguished within {BUDGET:,} steps",
        ),
        Note(fewer, f"people with fewer than {asked.top or 0:,} places", "their networks are smaller"),
    )
    bound = _bound(asked, directed)
    return Anonymity(sizes, asked.top, directed, asked.edges, bound, asked.trace_lengths, notes)


def isomorphism_classes(graphs: Graphs, budget: int = BUDGET) -> tuple[Any, int]:
    """A class number for each graph, and how many are in a class that may be smaller."""
    arrays = graphs.node_starts, *graphs.arcs, *graphs.arcs_back
    parts = map_tiles(kernels.all_colours, len(graphs), *arrays, label="refining networks")
    colour, signature = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    order = np.lexsort((signature, graphs.nodes))
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (np.diff(signature[order]) != 0) | (np.diff(graphs.nodes[order]) != 0)
    groups = np.append(np.flatnonzero(new), len(order))
    label, unsure = kernels.classes(*arrays, colour, order, groups, budget, PATIENCE)
    return label, int(unsure.sum())


def _bound(networks: Networks, directed: bool) -> float:
    """The largest share that could be unique: everybody, or all graphs but the one that the rest share (M18 4.4)."""
    sizes = {min(int(size), SURELY_ENOUGH) for size in np.unique(networks.sizes)} | {
        min(networks.top or 0, SURELY_ENOUGH)
    }
    graphs, people = sum(graph_counts(size, directed=directed) for size in sizes if size), len(networks)
    return 1.0 if graphs >= people else (graphs - 1) / people


def graph_counts(n: int, *, directed: bool = False) -> int:
    """The number of graphs with ``n`` nodes, up to names (Burnside; Manousakas 2018 Table 2).

    The paper reports 2128 for directed graphs of 4 nodes; there are 218.

    Parameters
    ----------
    n
        Number of nodes.
    directed
        Whether edges have a direction.

    Returns
    -------
    int
        How many there are.

    Examples
    --------
    >>> import singleout as so
    >>> so.graph_counts(4)
    11
    >>> so.graph_counts(4, directed=True)
    218
    """
    if not is_whole(n) or not 0 <= n <= MOST_NODES:
        raise bad_argument("graph_counts", "n", f"a whole number from 0 to {MOST_NODES}", n)
    total = 0
    for cycles in _partitions(n, n):
        pairs = sum(gcd(a, b) for i, a in enumerate(cycles) for b in cycles[:i])
        exponent = sum(a - 1 for a in cycles) + 2 * pairs if directed else sum(a // 2 for a in cycles) + pairs
        repeats = (cycles.count(length) for length in set(cycles))
        repeated = prod(cycles) * prod(factorial(count) for count in repeats)
        # n! divided by this is the number of permutations with these cycles
        total += 2**exponent * (factorial(n) // repeated)
    return total // factorial(n)


def _partitions(total: int, largest: int) -> list[tuple[int, ...]]:
    """All ways to write ``total`` as a sum of numbers up to ``largest``, regardless of order."""
    if total == 0:
        return [()]
    return [(part, *rest) for part in range(min(total, largest), 0, -1) for rest in _partitions(total - part, part)]
