"""Noise on networks: random changes to labels, edges, nodes and weights (M18 section 5.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from singleout._kernels import perturb as kernels
from singleout.ground.arrays import Flags, count_up
from singleout.ground.errors import bad_argument, check_seed, is_number
from singleout.ground.names import Noise
from singleout.ground.notes import Note, nonzero
from singleout.statistics.graphs import Graphs, starts_of
from singleout.statistics.networks import Networks

LARGEST_DEVIATION = 20
"""Largest deviation of the logarithm of a factor: beyond it nothing of the weights is left, and numbers overflow."""
NOISES: tuple[Noise, ...] = get_args(Noise)


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
    """Change every person's network at random, in this order: nodes, remove, rewire, add, weights, labels.

    Numbers of edges and nodes are rounded down for each person. The result has no sequences.

    Parameters
    ----------
    networks
        Networks of ``so.networks``.
    labels
        Share of nodes whose numbers of visits are shuffled among them: how often each is visited becomes uncertain.
    add, remove, rewire
        Share of edges added between random nodes (weights drawn from the person's own), removed, or moved to
        another random node. No edge joins a node to itself or repeats another, so a nearly complete network gains
        fewer; the notes say how many were placed.
    nodes
        Share of nodes removed with their edges.
    weights
        Standard deviation of the logarithm of a random factor on every weight.
    seed
        Seed for everything random; the same seed gives the same result.

    Returns
    -------
    Networks
        Networks of the same people.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> noisy = so.perturb(so.networks(log.events, top=5), add=0.2, seed=1)
    >>> len(noisy)
    50
    """
    if not isinstance(networks, Networks):
        raise bad_argument("perturb", "networks", "Networks", type(networks).__name__, "Make them with so.networks(…).")
    asked = {"labels": labels, "add": add, "remove": remove, "rewire": rewire, "nodes": nodes, "weights": weights}
    for name, value in asked.items():
        check_strength("perturb", name, name, value)
    check_seed("perturb", seed)
    return apply_noise(networks, asked, seed)[0]


def check_strength(function: str, argument: str, name: str, value: object) -> None:
    """Refuse a strength that this type of noise cannot have."""
    if name == "weights":
        if not is_number(value) or not 0 <= float(value) <= LARGEST_DEVIATION:  # type: ignore[arg-type]
            must = f"a deviation, from 0 to {LARGEST_DEVIATION}"
            raise bad_argument(function, argument, must, value)
    elif not is_number(value) or not 0 <= float(value) <= 1:  # type: ignore[arg-type]
        raise bad_argument(function, argument, "a share, from 0 to 1", value)


def apply_noise(networks: Networks, asked: dict[str, float], seed: int) -> tuple[Networks, NDArray[np.int64]]:
    """Perturbed networks, and the number that each of their nodes had before."""
    given = {name: asked.get(name, 0.0) for name in NOISES}
    rng = np.random.default_rng(seed)
    before = networks.graphs
    graphs, kept = _remove_nodes(before, given["nodes"], rng)
    graphs = _remove_edges(graphs, given["remove"], rng)
    gone = len(before.weight) - len(graphs.weight)
    graphs, placed = _place_edges(graphs, given["rewire"], given["add"], rng)
    factor = np.exp(given["weights"] * rng.standard_normal(len(graphs.weight)))
    graphs, order = _relabel(replace(graphs, weight=graphs.weight * factor), given["labels"], rng)
    emptied = int(((graphs.edges == 0) & (before.edges > 0)).sum())
    changed = nonzero(
        Note(len(before.visits) - len(graphs.visits), "nodes removed", f"perturb(nodes={given['nodes']:g})"),
        Note(len(before.weight) if given["weights"] else gone + placed, "edges changed", _in_words(given)),
        Note(emptied, "people left without edges", "all of their edges were removed"),
    )
    return replace(networks, graphs=graphs, sequences=None, notes=networks.notes + changed), kept[order]


def _in_words(given: Mapping[Noise, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in given.items() if value)


def _draw_share(starts: NDArray[np.int64], share: float, rng: np.random.Generator) -> Flags:
    """A random selection of the same share of every person's items, rounded down."""
    draws, chosen = rng.random(starts[-1]), np.zeros(starts[-1], dtype=np.bool_)
    if share == 0:
        return chosen
    counts = np.diff(starts)
    owner = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((draws, owner))
    chosen[order] = count_up(counts) < np.floor(share * counts + 1e-9)[owner]
    return chosen


def _remove_nodes(graphs: Graphs, share: float, rng: np.random.Generator) -> tuple[Graphs, NDArray[np.int64]]:
    """Remove a share of nodes; also returns the numbers that the remaining nodes had."""
    kept = ~_draw_share(graphs.node_starts, share, rng)
    base = graphs.node_starts[graphs.owner]
    return graphs.subgraphs(kept, kept[base + graphs.source] & kept[base + graphs.target]), graphs.node_number[kept]


def _remove_edges(graphs: Graphs, share: float, rng: np.random.Generator) -> Graphs:
    everyone = np.ones(len(graphs.visits), dtype=np.bool_)
    return graphs.subgraphs(everyone, ~_draw_share(graphs.edge_starts, share, rng))


def _place_edges(graphs: Graphs, rewire: float, add: float, rng: np.random.Generator) -> tuple[Graphs, int]:
    """Move some edges and add others, with weights of random edges; also returns how many could be placed."""
    moved, copied = (_draw_share(graphs.edge_starts, share, rng) for share in (rewire, add))
    arrays = graphs.edge_starts, graphs.source, graphs.target, graphs.nodes
    seed = np.uint64(rng.integers(2**63))
    target, ends = kernels.place_edges(*arrays, moved, copied, seed)
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


def _relabel(graphs: Graphs, share: float, rng: np.random.Generator) -> tuple[Graphs, NDArray[np.intp]]:
    """Shuffle the visits of some nodes, then number nodes by visits again; also returns their new order."""
    chosen = np.flatnonzero(_draw_share(graphs.node_starts, share, rng))
    owner = graphs.node_owner
    shuffled = chosen[np.lexsort((rng.random(len(chosen)), owner[chosen]))]
    visits = graphs.visits.copy()
    visits[chosen] = graphs.visits[shuffled]
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
