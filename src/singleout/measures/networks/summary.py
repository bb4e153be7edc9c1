"""Networks in figures: size, density, clustering, distances, recurrence (M18 Table 1 and Fig. 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout._kernels import graphs as kernels
from singleout._kernels import hops
from singleout.ground.errors import DataError, bad_argument
from singleout.ground.notebooks import Pictured, WithoutNotes
from singleout.ground.parallel import map_tiles
from singleout.ground.plain_data import NotNegative
from singleout.ground.text_tables import align_rows
from singleout.statistics.graphs import Graphs
from singleout.statistics.networks import Networks

COLUMNS = ("nodes", "edges", "density", "clustering", "diameter", "mean_path")
PEOPLE = 32
"""People per tile: distances within a large network take a while."""


@dataclass(frozen=True, eq=False)
class NetworkSummary(WithoutNotes, Pictured):
    """Figures of every person's network, undirected as in the paper's Table 1, and directed alongside.

    Distances are over the pairs of places that can be reached from each other; the diameter is the longest of them.
    ``recurrence`` is the share of transitions over an edge already used. A network without a pair of places has
    density, clustering and distances 0.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> found = so.network_summary(so.networks(log.events), top=5)
    >>> found.to_arrow().column_names
    ['figure', 'network', 'mean', 'deviation']
    """

    top: int | None
    undirected: dict[str, NDArray[np.float64]]
    directed: dict[str, NDArray[np.float64]]
    recurrence: NDArray[np.float64]
    average_weight: NDArray[np.float64]
    days: NDArray[np.float64] | None
    trace_lengths: NDArray[np.int64]
    typical_degrees: NDArray[np.int64]
    """Degrees in the network of median size (M18 Fig. 4c)."""

    def to_arrow(self) -> pa.Table:
        """One row per figure: mean and standard deviation over people."""
        rows = [_figure_row(name, "undirected", values) for name, values in self.undirected.items()]
        rows += [_figure_row(name, "directed", values) for name, values in self.directed.items()]
        rows += [
            _figure_row("recurrence", "directed", self.recurrence),
            _figure_row("average_weight", "directed", self.average_weight),
        ]
        rows += [_figure_row("visits", "", self.trace_lengths)]
        return pa.Table.from_pylist(rows if self.days is None else [*rows, _figure_row("days", "", self.days)])

    def degree_ccdf(self) -> pa.Table:
        """Share of a typical person's places with at least each degree, in and out together."""
        degree, count = np.unique(self.typical_degrees, return_counts=True)
        at_least = count[::-1].cumsum()[::-1] / max(len(self.typical_degrees), 1)
        return pa.table({"degree": degree, "at_least": at_least})

    def __repr__(self) -> str:
        which = "all places" if self.top is None else f"top {self.top}"
        first = f"NetworkSummary({len(self.recurrence):,} people, {which}; mean ± deviation over people)"
        both = self.undirected, self.directed
        rows = [(name.replace("_", " "), *(_spread(side[name]) for side in both)) for name in COLUMNS]
        rows += [("recurrence", "", _spread(self.recurrence)), ("visits", _spread(self.trace_lengths))]
        return "\n".join([first, *align_rows(rows, ":<", "undirected:>", "directed:>")])


class FigureRow(TypedDict):
    """A figure of people's networks: mean and standard deviation over people."""

    figure: str
    network: Literal["undirected", "directed", ""]
    mean: float
    deviation: NotNegative


def _figure_row(name: str, way: Literal["undirected", "directed", ""], values: Any) -> FigureRow:
    return {"figure": name, "network": way, "mean": float(values.mean()), "deviation": float(values.std())}


def _spread(values: Any) -> str:
    digits = 2 if abs(values.mean()) < 100 else 1
    return f"{values.mean():.{digits}f} ± {values.std():.{digits}f}"


def network_summary(networks: Networks, *, top: int | None = None, progress: bool | None = None) -> NetworkSummary:
    """Describe people's networks of ``top`` places (None: as they are).

    Parameters
    ----------
    networks
        Networks of ``so.networks``.
    top
        Only this many of each person's most visited places; None: as they are.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    NetworkSummary
        Figures of every person's network.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> found = so.network_summary(so.networks(log.events))
    >>> print(f"{found.recurrence.mean():.2f}")
    0.54
    """
    if not isinstance(networks, Networks):
        hint = "Make them with so.networks(…)."
        raise bad_argument("network_summary", "networks", "Networks", type(networks).__name__, hint)
    if not len(networks):
        raise DataError("there are no people.", function="network_summary")
    asked = networks if top is None else networks.at(top=top)
    graphs, union = asked.graphs, asked.graphs.undirected()
    return NetworkSummary(
        asked.top,
        _figures(union, 2, progress),
        _figures(graphs, 1, progress),
        asked.recurrence,
        graphs.traversals / np.maximum(graphs.edges, 1),
        None if asked.sequences is None else asked.sequences.days,
        asked.trace_lengths,
        _typical_degrees(graphs),
    )


def _figures(graphs: Graphs, arcs_an_edge: int, progress: bool | None) -> dict[str, NDArray[np.float64]]:
    nodes, edges = graphs.nodes.astype(np.float64), graphs.edges / arcs_an_edge
    pairs = nodes * (nodes - 1) / arcs_an_edge
    options: dict[str, Any] = {"label": "measuring networks", "progress": progress, "tile": PEOPLE}
    arrays = graphs.node_starts, *graphs.arcs
    shape = np.concatenate(map_tiles(hops.shape_figures, len(graphs), *arrays, **options))
    clustering = np.concatenate(map_tiles(kernels.mean_clustering, len(graphs), *arrays, *graphs.arcs_back, **options))
    density = np.divide(edges, pairs, out=np.zeros_like(pairs), where=pairs > 0)
    return dict(zip(COLUMNS, (nodes, edges, density, clustering, shape[:, 0], shape[:, 1]), strict=True))


def _typical_degrees(graphs: Graphs) -> NDArray[np.int64]:
    person = int(np.argsort(graphs.nodes, kind="stable")[len(graphs) // 2])
    edges = slice(graphs.edge_starts[person], graphs.edge_starts[person + 1])
    ends = np.concatenate([graphs.source[edges], graphs.target[edges]])
    return np.bincount(ends, minlength=int(graphs.nodes[person]))
