"""Networks prepared for comparison: labels, weak edges pruned, the largest component (M18 section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from singleout._kernels import graphs as kernels
from singleout.ground.arrays import Integers
from singleout.ground.names import TieRule
from singleout.ground.parallel import map_tiles
from singleout.statistics.graphs import Graphs

TIES: tuple[TieRule, ...] = get_args(TieRule)
LABELS = (1, 3, "mass")


@dataclass(frozen=True, eq=False)
class Shapes:
    """Graphs with a label (from 0) on every node, and how many ties the pruning met."""

    graphs: Graphs
    label: Integers
    labels: int
    all_edges: int
    tied_edges: int
    """Edges as weak as the last one dropped of their graph: the tie rule decides which of them are dropped."""
    kept: dict[Any, Any] = field(init=False, repr=False, default_factory=dict)
    """What was counted in them: a deep kernel counts the same as the plain one."""


def shape_graphs(
    graphs: Graphs, *, labels: int | str, prune: float, ties: str, component: bool, seed: int, undirected: bool
) -> Shapes:
    """Label the nodes, drop the weakest edges, keep the largest component; in this order."""
    label = label_nodes(graphs, labels)
    kept, tied = strongest_edges(graphs, prune, ties, seed)
    everyone = np.ones(len(graphs.visits), dtype=np.bool_)
    pruned = graphs.subgraphs(everyone, kept)
    if component:
        arrays = pruned.node_starts, pruned.visits, pruned.edge_starts, pruned.source, pruned.target
        inside = kernels.largest_components(*arrays)
        # an edge lies inside its component with both ends or none
        pruned, label = (
            pruned.subgraphs(inside, inside[pruned.node_starts[pruned.owner] + pruned.source]),
            label[inside],
        )
    return Shapes(
        pruned.undirected() if undirected else pruned, label, 1 if labels == 1 else 3, len(graphs.weight), tied
    )


def label_nodes(graphs: Graphs, labels: int | str) -> Integers:
    """2 for the most visited 20% of a person's nodes, 1 for the next up to 80%, 0 for the rest (M18 section 5.2).

    Nodes are in order of visits. ``"mass"``: the nodes that make the first 20 and 80% of all visits.
    """
    if labels == 1:
        return np.zeros(len(graphs.visits), dtype=np.int64)
    place, size = graphs.node_number, graphs.nodes[graphs.node_owner]
    if labels == "mass":
        before = np.concatenate([[0], np.cumsum(graphs.visits)])
        place = before[:-1] - before[graphs.node_starts[graphs.node_owner]]
        size = np.diff(before[graphs.node_starts])[graphs.node_owner]
    # a place is in the first fifth if fewer than ceil(size / 5) come before it: whole numbers, no rounding
    return (5 * place < size).astype(np.int64) + (5 * place < 4 * size)


def strongest_edges(graphs: Graphs, prune: float, ties: str, seed: int) -> tuple[NDArray[np.bool_], int]:
    """Which edges remain if the weakest share of them is dropped; and how many are tied at the threshold."""
    dropped = np.floor(prune * graphs.edges + 1e-9).astype(np.int64)
    keys = _tie_breakers(graphs, ties, seed)
    # the bits of numbers from zero up are whole numbers in the same order, which other kernels sort as well
    arguments = graphs.edge_starts, graphs.weight.view(np.int64), keys.view(np.int64), dropped
    parts = map_tiles(kernels.strongest, len(graphs), *arguments, label="pruning networks", progress=False)
    stays, at_cut = (np.concatenate([part[k] for part in parts]) for k in range(2))
    torn = np.bincount(graphs.owner, at_cut & stays, len(graphs)) > 0
    tied = int((at_cut & torn[graphs.owner]).sum())
    return (stays & ~at_cut if ties == "drop_ties" else stays), tied


def _tie_breakers(graphs: Graphs, ties: str, seed: int) -> NDArray[np.float64]:
    """Ranks equally weak edges: those between less visited nodes are dropped first, then those used earlier.

    Never the order of pseudonyms. Graphs are in order of id, so random draws do not depend on the order of rows.
    """
    if ties == "random":
        return np.random.default_rng(seed).random((1, len(graphs.weight)))
    base = graphs.node_starts[graphs.owner]
    ends = graphs.visits[base + graphs.source], graphs.visits[base + graphs.target]
    return np.array([np.minimum(*ends), np.maximum(*ends), graphs.taken_first], dtype=np.float64)
