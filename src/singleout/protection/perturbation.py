"""Noise on networks: labels, edges, nodes and weights changed by lot (M18 section 5.5)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from singleout._kernels import perturb as kernels
from singleout.ground.errors import bad_argument, check_seed, is_number
from singleout.ground.notes import Note, counted
from singleout.statistics.graphs import Graphs, starts_of
from singleout.statistics.networks import Networks

Chosen = NDArray[np.bool_]
LARGEST_DEVIATION = 20
"""Of the logarithm of a weight's factor: beyond it nothing of the weights is left, and numbers run out."""
NOISES = ("labels", "add", "remove", "rewire", "nodes", "weights")


def perturb(
    networks: Networks,
    *,
    labels: float = 0.0,
    add: float = 0.0,
    remove: float = 0.0,
    rewire: float = 0.0,
    nodes: float = 0.0,
    weights: float = 0.0,
    seed: int = 0,
) -> Networks:
    """Change every person's network by lot, in this order: nodes, remove, rewire, add, weights, labels.

    Parameters
    ----------
    labels
        Share of nodes whose numbers of visits are dealt anew among them: who is visited how often becomes uncertain.
    add, remove, rewire
        Share of edges added between random nodes (weights drawn from the person's own), removed, or led to another
        random node. No edge joins a node with itself or doubles another, so a network that is nearly full gains fewer;
        the notes say how many were placed.
    nodes
        Share of nodes removed with their edges.
    weights
        Deviation of the logarithm of a factor on every weight.

    Shares are rounded down per person where edges or nodes are counted. The result keeps no sequences.
    """
    if not isinstance(networks, Networks):
        raise bad_argument("perturb", "networks", "Networks", type(networks).__name__, "Make them with so.networks(…).")
    asked = {"labels": labels, "add": add, "remove": remove, "rewire": rewire, "nodes": nodes, "weights": weights}
    for name, value in asked.items():
        check_strength("perturb", name, name, value)
    check_seed("perturb", seed)
    return change_by_lot(networks, asked, seed)[0]


def check_strength(function: str, argument: str, name: str, value: object) -> None:
    """Refuse a strength that this kind of noise cannot have."""
    if name == "weights":
        if not is_number(value) or not 0 <= float(value) <= LARGEST_DEVIATION:  # type: ignore[arg-type]
            must = f"a deviation, from 0 to {LARGEST_DEVIATION}"
            raise bad_argument(function, argument, must, value)
    elif not is_number(value) or not 0 <= float(value) <= 1:  # type: ignore[arg-type]
        raise bad_argument(function, argument, "a share, from 0 to 1", value)


def change_by_lot(networks: Networks, asked: dict[str, float], seed: int) -> tuple[Networks, NDArray[np.int64]]:
    """Perturbed networks, and the number that each of their nodes had before."""
    given = {name: asked.get(name, 0.0) for name in NOISES}
    rng = np.random.default_rng(seed)
    before = networks.graphs
    graphs, kept = _without_nodes(before, given["nodes"], rng)
    graphs = _without_edges(graphs, given["remove"], rng)
    gone = len(before.weight) - len(graphs.weight)
    graphs, placed = _with_new_edges(graphs, given["rewire"], given["add"], rng)
    factor = np.exp(given["weights"] * rng.standard_normal(len(graphs.weight)))
    graphs, order = _relabelled(replace(graphs, weight=graphs.weight * factor), given["labels"], rng)
    emptied = int(((graphs.edges == 0) & (before.edges > 0)).sum())
    changed = counted(
        Note(len(before.visits) - len(graphs.visits), "nodes removed", f"perturb(nodes={given['nodes']:g})"),
        Note(len(before.weight) if given["weights"] else gone + placed, "edges changed", _told(given)),
        Note(emptied, "people left without an edge", "all of theirs were removed"),
    )
    return replace(networks, graphs=graphs, sequences=None, notes=networks.notes + changed), kept[order]


def _told(given: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in given.items() if value)


def _by_lot(starts: NDArray[np.int64], share: float, rng: np.random.Generator) -> Chosen:
    """The same share of every person's items, rounded down, drawn by lot."""
    lots, chosen = rng.random(starts[-1]), np.zeros(starts[-1], dtype=np.bool_)
    if share == 0:
        return chosen
    counts = np.diff(starts)
    owner = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((lots, owner))
    place = np.arange(len(owner)) - np.repeat(starts[:-1], counts)
    chosen[order] = place < np.floor(share * counts + 1e-9)[owner]
    return chosen


def _without_nodes(graphs: Graphs, share: float, rng: np.random.Generator) -> tuple[Graphs, NDArray[np.int64]]:
    """Also the numbers that the remaining nodes had."""
    kept = ~_by_lot(graphs.node_starts, share, rng)
    base = graphs.node_starts[graphs.owner]
    return graphs.subgraphs(kept, kept[base + graphs.source] & kept[base + graphs.target]), graphs.node_number[kept]


def _without_edges(graphs: Graphs, share: float, rng: np.random.Generator) -> Graphs:
    everyone = np.ones(len(graphs.visits), dtype=np.bool_)
    return graphs.subgraphs(everyone, ~_by_lot(graphs.edge_starts, share, rng))


def _with_new_edges(graphs: Graphs, rewire: float, add: float, rng: np.random.Generator) -> tuple[Graphs, int]:
    """Lead some edges elsewhere and add others, with weights of edges drawn by lot; also how many could be placed."""
    moved, copied = (_by_lot(graphs.edge_starts, share, rng) for share in (rewire, add))
    arrays = graphs.edge_starts, graphs.source, graphs.target, graphs.nodes
    seed = np.uint64(rng.integers(2**63))
    target, ends = kernels.placed_edges(*arrays, moved, copied, seed)
    placed = ends[0] >= 0
    owner = np.concatenate([graphs.owner, graphs.owner[placed]])
    source, targets = np.concatenate([graphs.source, ends[0][placed]]), np.concatenate([target, ends[1][placed]])
    order = np.lexsort((targets, source, owner))
    changed = replace(
        graphs,
        edge_starts=starts_of(np.bincount(owner, minlength=len(graphs))),
        source=source[order],
        target=targets[order],
        weight=np.concatenate([graphs.weight, graphs.weight[placed]])[order],
        taken_first=np.concatenate([graphs.taken_first, graphs.taken_first[placed]])[order],
    )
    return changed, int((target != graphs.target).sum()) + int(placed.sum())


def _relabelled(graphs: Graphs, share: float, rng: np.random.Generator) -> tuple[Graphs, NDArray[np.intp]]:
    """Deal the visits of some nodes anew among them, then number nodes by visits again; also their new order."""
    chosen = np.flatnonzero(_by_lot(graphs.node_starts, share, rng))
    owner = graphs.node_owner
    dealt = chosen[np.lexsort((rng.random(len(chosen)), owner[chosen]))]
    visits = graphs.visits.copy()
    visits[chosen] = graphs.visits[dealt]
    order = np.lexsort((np.arange(len(owner)), -visits, owner))
    number = np.empty(len(owner), dtype=np.int64)
    number[order] = np.arange(len(owner))
    number -= graphs.node_starts[owner]
    base = graphs.node_starts[graphs.owner]
    source, target = number[base + graphs.source], number[base + graphs.target]
    edges = np.lexsort((target, source, graphs.owner))
    ends = source[edges], target[edges]
    relabelled = Graphs(
        graphs.node_starts,
        visits[order],
        graphs.edge_starts,
        *ends,
        graphs.weight[edges],
        graphs.taken_first[edges],
    )
    return relabelled, order
