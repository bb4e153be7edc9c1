"""A person's network as some seventy plain figures, none of which needs a name of a place.

Sizes, entropies, the largest shares of visits and of edges, degrees of the most visited places, and the shape of the
networks of 20, 50 and all places. Figures are standardised on the known side and compared by Euclidean distance: that
finds more people than comparing paths or subtrees, on every log tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout._kernels import graphs as kernels
from singleout._kernels import hops
from singleout.ground.arrays import Floats, Integers
from singleout.ground.lazy import cached_property
from singleout.ground.parallel import map_tiles
from singleout.similarity.networks.features import squared_distances
from singleout.statistics.graphs import Graphs
from singleout.statistics.networks import Networks

FIRST = 10
"""The most visited places, and the most used edges, whose figures are listed one by one."""
SMALLER = (20, 50)
"""Places of the smaller networks whose shape is measured as well."""
PEOPLE = 32
"""People per tile: distances within a large network take a while."""


@dataclass(frozen=True, eq=False)
class Summary:
    """Minus the Euclidean distance between standardised figures."""

    released: Floats
    known: Floats

    @cached_property
    def _standardised(self) -> tuple[Floats, Floats]:
        """Mean 0 and deviation 1 on the known side; a figure that is the same for everyone known says nothing."""
        mean, deviation = self.known.mean(axis=0), self.known.std(axis=0)
        varies = deviation > 0
        mine, theirs = ((side[:, varies] - mean[varies]) / deviation[varies] for side in (self.released, self.known))
        return mine, theirs

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        released, known = self._standardised
        return np.asarray(-np.sqrt(squared_distances(released[first:last], known)))


def smaller_sizes(tops: Sequence[int | None]) -> list[int]:
    """Sizes of smaller networks that both sides have."""
    return [size for size in SMALLER if all(top is None or size < top for top in tops)]


def summary_figures(networks: Networks, top: int | None, sizes: Sequence[int], progress: bool | None) -> Floats:
    """One row of figures per person, of their networks of ``top`` places (None: all of them) and of these sizes."""
    whole = networks.at(top=top)
    smaller = [networks.at(top=size) for size in sizes]
    parts = [_sizes(whole), _largest_shares(whole.graphs), _first_degrees(whole.graphs), _habits(whole.graphs)]
    parts += [_shape(each, progress) for each in (*smaller, whole)]
    return np.column_stack(parts)


def _sizes(networks: Networks) -> Floats:
    graphs = networks.graphs
    counts = graphs.nodes, graphs.edges, networks.trace_lengths, graphs.traversals
    return np.column_stack([np.log1p(each) for each in counts])


def _largest_shares(graphs: Graphs) -> Floats:
    """Entropies of visits and of transitions, and the largest shares of each."""
    visits = _rows_of(graphs.visits.astype(np.float64), graphs.node_starts)
    weights = _rows_of(graphs.weight, graphs.edge_starts)
    return np.column_stack([_entropy_and_largest(row) for row in (visits, weights)])


def _rows_of(values: Floats, starts: Integers) -> list[Floats]:
    return np.split(values, starts[1:-1])


def _entropy_and_largest(rows: list[Floats]) -> Floats:
    out = np.zeros((len(rows), 1 + FIRST))
    for number, values in enumerate(rows):
        total = values.sum()
        if total > 0:
            shares = np.sort(values)[::-1] / total
            there = shares[shares > 0]
            out[number, 0] = -(there * np.log(there)).sum()
            out[number, 1 : 1 + min(FIRST, len(shares))] = shares[:FIRST]
    return out


def _first_degrees(graphs: Graphs) -> Floats:
    """How many places each of the most visited ones leads to, and how many lead to it."""
    out = np.zeros((len(graphs), 2 * FIRST))
    for offset, ends in ((0, graphs.source), (FIRST, graphs.target)):
        first = ends < FIRST
        np.add.at(out, (graphs.owner[first], offset + ends[first]), 1.0)
    return np.log1p(out)


def _habits(graphs: Graphs) -> Floats:
    """Share of edges that are also used the other way, and of transitions that were made only once."""
    widest = int(graphs.nodes.max(initial=0)) + 1
    there = (graphs.owner * widest + graphs.source) * widest + graphs.target
    back = (graphs.owner * widest + graphs.target) * widest + graphs.source
    both_ways = np.bincount(graphs.owner, np.isin(there, back), len(graphs))
    once = np.bincount(graphs.owner, graphs.weight == 1, len(graphs))
    return np.column_stack([both_ways / np.maximum(graphs.edges, 1), once / np.maximum(graphs.traversals, 1)])


def _shape(networks: Networks, progress: bool | None) -> Floats:
    """Density, clustering, the longest and the mean path, and recurrence."""
    graphs = networks.graphs
    pairs = np.maximum(graphs.nodes * (graphs.nodes - 1.0), 1.0)
    options: dict[str, Any] = {"label": "measuring networks", "progress": progress, "tile": PEOPLE}
    arrays = graphs.node_starts, *graphs.arcs
    paths = np.concatenate(map_tiles(hops.shape_figures, len(graphs), *arrays, **options))
    clustering = np.concatenate(map_tiles(kernels.mean_clustering, len(graphs), *arrays, *graphs.arcs_back, **options))
    return np.column_stack([graphs.edges / pairs, clustering, np.log1p(paths), networks.recurrence])
