"""Noise on networks: labels, edges, nodes and weights changed by lot (M18 section 5.5)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from singleout._kernels import perturb as kernels
from singleout.ground.errors import bad_argument, check_seed, is_number
from singleout.ground.notes import Note, counted
from singleout.statistics.graphs import Graphs
from singleout.statistics.networks import Networks

Chosen = NDArray[np.bool_]
NAMES = ("labels", "add", "remove", "rewire", "nodes", "weights")


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
        random node. No edge joins a node with itself or doubles another, so a dense network gains fewer.
    nodes
        Share of nodes removed with their edges.
    weights
        Deviation of the logarithm of a factor on every weight.

    Shares are rounded down per person where edges or nodes are counted. The result keeps no sequences.
    """
    if not isinstance(networks, Networks):
        raise bad_argument("perturb", "networks", "Networks", type(networks).__name__, "Make them with so.networks(…).")
    shares = {"labels": labels, "add": add, "remove": remove, "rewire": rewire, "nodes": nodes}
    for name, value in shares.items():
        if not is_number(value) or not 0 <= value <= 1:
            raise bad_argument("perturb", name, "a share, from 0 to 1", value)
    if not is_number(weights) or weights < 0:
        raise bad_argument("perturb", "weights", "a deviation, zero or more", weights)
    check_seed("perturb", seed)
    return change_by_lot(networks, shares | {"weights": weights}, seed)[0]


def change_by_lot(networks: Networks, asked: dict[str, float], seed: int) -> tuple[Networks, NDArray[np.int64]]:
    """Perturbed networks, and the number that each of their nodes had before."""
    given = {name: asked.get(name, 0.0) for name in NAMES}
    rng = np.random.default_rng(seed)
    before = networks.graphs
    graphs, kept = _without_nodes(before, given["nodes"], rng)
    graphs = _without_edges(graphs, given["remove"], rng)
    graphs = _with_new_edges(graphs, given["rewire"], given["add"], rng)
    factor = np.exp(given["weights"] * rng.standard_normal(len(graphs.weight)))
    graphs, order = _relabelled(replace(graphs, weight=graphs.weight * factor), given["labels"], rng)
    emptied = int(((graphs.edges == 0) & (before.edges > 0)).sum())
    changed = counted(
        Note(len(before.visits) - len(graphs.visits), "nodes removed", f"perturb(nodes={given['nodes']:g})"),
        Note(len(before.weight), "edges perturbed", _told(given)),
        Note(emptied, "people left without an edge", "all of theirs were removed"),
    )
    return replace(networks, graphs=graphs, sequences=None, notes=networks.notes + changed), kept[order]


def _told(given: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in given.items() if value) or "nothing asked for"


def _by_lot(starts: NDArray[np.int64], share: float, rng: np.random.Generator) -> Chosen:
    """The same share of every person's items, rounded down, drawn by lot."""
    counts = np.diff(starts)
    owner = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((rng.random(len(owner)), owner))
    place = np.arange(len(owner)) - np.repeat(starts[:-1], counts)
    chosen = np.zeros(len(owner), dtype=np.bool_)
    chosen[order] = place < np.floor(share * counts + 1e-9)[owner]
    return chosen


def _without_nodes(graphs: Graphs, share: float, rng: np.random.Generator) -> tuple[Graphs, NDArray[np.int64]]:
    """Also the numbers that the remaining nodes had."""
    kept = ~_by_lot(graphs.node_starts, share, rng)
    base = graphs.node_starts[graphs.owner]
    number = np.arange(len(graphs.visits)) - np.repeat(graphs.node_starts[:-1], graphs.nodes)
    return graphs.subgraphs(kept, kept[base + graphs.source] & kept[base + graphs.target]), number[kept]


def _without_edges(graphs: Graphs, share: float, rng: np.random.Generator) -> Graphs:
    everyone = np.ones(len(graphs.visits), dtype=np.bool_)
    return graphs.subgraphs(everyone, ~_by_lot(graphs.edge_starts, share, rng))


def _with_new_edges(graphs: Graphs, rewire: float, add: float, rng: np.random.Generator) -> Graphs:
    """Lead some edges elsewhere and add others, whose weights are those of edges drawn by lot."""
    nodes = graphs.nodes[graphs.owner]
    moved, copied = (_by_lot(graphs.edge_starts, share, rng) for share in (rewire, add))
    elsewhere, *ends = np.floor(rng.random((3, len(nodes))) * nodes).astype(np.int64)
    arrays = graphs.edge_starts, graphs.source, graphs.target, graphs.nodes
    target, placed = kernels.placed_edges(*arrays, moved, elsewhere, copied, np.array(ends))
    owner = np.concatenate([graphs.owner, graphs.owner[placed]])
    source, target = np.concatenate([graphs.source, ends[0][placed]]), np.concatenate([target, ends[1][placed]])
    order = np.lexsort((target, source, owner))
    return replace(
        graphs,
        edge_starts=np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(graphs)))]),
        source=source[order],
        target=target[order],
        weight=np.concatenate([graphs.weight, graphs.weight[placed]])[order],
        taken_first=np.concatenate([graphs.taken_first, graphs.taken_first[placed]])[order],
    )


def _relabelled(graphs: Graphs, share: float, rng: np.random.Generator) -> tuple[Graphs, NDArray[np.intp]]:
    """Deal the visits of some nodes anew among them, then number nodes by visits again; also their new order."""
    chosen = np.flatnonzero(_by_lot(graphs.node_starts, share, rng))
    owner = np.repeat(np.arange(len(graphs)), graphs.nodes)
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
