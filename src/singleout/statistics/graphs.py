"""Packed graphs: the nodes and edges of all people's networks in a few arrays, one person after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from singleout._kernels import graphs as kernels
from singleout.ground.arrays import Integers
from singleout.ground.lazy import cached_property


def starts_of(sizes: Integers) -> Integers:
    """Where items packed one after another start, given their sizes; one more for where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Graphs:
    """Directed, weighted graphs without self-loops.

    Nodes are numbered per graph from 0 by ``visits``, most visited first. Edges are in order of (source, target);
    ``taken_first`` says at which visit an edge was first used.
    """

    node_starts: Integers
    visits: Integers
    edge_starts: Integers
    source: Integers
    target: Integers
    weight: NDArray[np.float64]
    taken_first: Integers

    def __len__(self) -> int:
        return len(self.node_starts) - 1

    @property
    def nodes(self) -> Integers:
        """Nodes of each graph."""
        return np.diff(self.node_starts)

    @property
    def edges(self) -> Integers:
        """Edges of each graph."""
        return np.diff(self.edge_starts)

    @cached_property
    def owner(self) -> Integers:
        """The graph each edge belongs to."""
        return np.repeat(np.arange(len(self)), self.edges)

    @cached_property
    def node_owner(self) -> Integers:
        """The graph each node belongs to."""
        return np.repeat(np.arange(len(self)), self.nodes)

    @cached_property
    def node_number(self) -> Integers:
        """The number of each node within its graph."""
        return np.arange(len(self.visits)) - self.node_starts[self.node_owner]

    @cached_property
    def traversals(self) -> NDArray[np.float64]:
        """Transitions of each person: the sum of the edges' weights."""
        return np.asarray(np.bincount(self.owner, self.weight, len(self)), dtype=np.float64)

    def first_nodes(self, top: int) -> Graphs:
        """Each graph's ``top`` most visited nodes and the edges between them."""
        return self.subgraphs(self.node_number < top, (self.source < top) & (self.target < top))

    def subgraphs(self, nodes: NDArray[np.bool_], edges: NDArray[np.bool_]) -> Graphs:
        """Only these nodes, renumbered in the same order, and these edges, whose ends must be among them."""
        number = np.cumsum(nodes) - 1
        node_starts = np.concatenate([[0], np.cumsum(nodes)])[self.node_starts]
        edge_starts = np.concatenate([[0], np.cumsum(edges)])[self.edge_starts]
        owner = self.owner[edges]
        ends = [number[self.node_starts[owner] + end[edges]] - node_starts[owner] for end in (self.source, self.target)]
        return Graphs(
            node_starts, self.visits[nodes], edge_starts, ends[0], ends[1], self.weight[edges], self.taken_first[edges]
        )

    def undirected(self) -> Graphs:
        """Both arcs wherever there is one: the union, without meaningful weights."""
        starts, source, target, weight = kernels.both_ways(self.edge_starts, self.source, self.target, self.nodes)
        first = np.zeros(len(source), dtype=np.int64)
        return Graphs(self.node_starts, self.visits, starts, source, target, weight, first)

    @cached_property
    def arcs(self) -> tuple[Integers, Integers]:
        """Where each node's outgoing edges start, over all graphs, and their targets (numbered within the graph)."""
        return kernels.arc_starts(self.node_starts, self.edge_starts, self.source), self.target

    @cached_property
    def arcs_back(self) -> tuple[Integers, Integers]:
        """The same for incoming edges."""
        starts, sources = kernels.reverse_edges(self.node_starts, self.edge_starts, self.source, self.target)
        return starts, sources
