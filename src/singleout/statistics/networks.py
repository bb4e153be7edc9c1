"""Mobility networks: how often each person goes from where to where, with all names removed (M18 section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout._kernels import sequences as kernels
from singleout.ground.arrays import count_up
from singleout.ground.errors import bad_argument, is_whole, unknown_name
from singleout.ground.lazy import cached_property
from singleout.ground.names import EdgeRule
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, nonzero
from singleout.ground.parallel import map_tiles
from singleout.reading.events import Events
from singleout.reading.times import microseconds_of
from singleout.statistics.graphs import Graphs, starts_of
from singleout.statistics.ids import Ids
from singleout.statistics.sequences import Sequences, sequences

EDGES: tuple[EdgeRule, ...] = get_args(EdgeRule)
MOST, LONGEST = 2**31, 100
Paths = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False, repr=False)
class Networks(Tabular):
    """One network per person; row ``i`` is the ``i``-th person in order of id.

    Nodes are places (or the last ``order`` places), numbered separately for each person; an edge's weight is how often
    it was used. Keeps the sequences, so that ``at`` can use other sizes; a perturbed network has none.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> found = so.networks(log.events)
    >>> len(found.at(top=3)) == len(found)
    True
    """

    people: Ids
    graphs: Graphs
    sequences: Sequences | None
    top: int | None
    edges: str
    order: int
    notes: tuple[Note, ...]
    kept: dict[Any, Any] = field(init=False, repr=False, default_factory=dict)
    """What was last made of them for a comparison: several kernels look at the same."""

    def at(self, *, top: int | None, edges: str | None = None) -> Networks:
        """The same people's networks of their ``top`` most visited places (None: all of them)."""
        edges = self.edges if edges is None else edges
        _check(top, edges, self.order, "at")
        if self.sequences is not None:
            return _assemble(self.sequences, top, edges, self.order)
        smaller = top is not None and (self.top is None or top < self.top)
        if edges != self.edges or (smaller and edges == "contract"):
            hint = "Choose top and edges before adding noise."
            raise bad_argument("at", "edges", "'induced' from the start for networks without sequences", edges, hint)
        if top is None or not smaller:
            return self
        return replace(self, graphs=self.graphs.first_nodes(top), top=top)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Nodes of each person."""
        return self.graphs.nodes

    @property
    def trace_lengths(self) -> NDArray[np.int64]:
        """Visits of each person, to all places: shorter traces seem more unique."""
        if self.sequences is not None:
            return self.sequences.lengths
        return np.add.reduceat(np.append(self.graphs.visits, 0), self.graphs.node_starts[:-1]) * (self.sizes > 0)

    @cached_property
    def recurrence(self) -> NDArray[np.float64]:
        """Share of each person's transitions over an edge already used; 0 for people without transitions."""
        traversals = self.graphs.traversals
        again = np.maximum(traversals - self.graphs.edges, 0.0)
        return np.divide(again, traversals, out=np.zeros_like(traversals), where=traversals > 0)

    def __len__(self) -> int:
        return len(self.people)

    def to_arrow(self) -> pa.Table:
        """One row per person, in order of id: places, edges and visits."""
        sizes = {"places": self.graphs.nodes, "edges": self.graphs.edges, "visits": self.trace_lengths}
        return pa.table({"person": np.arange(len(self))} | sizes)

    def __repr__(self) -> str:
        which = "all places" if self.top is None else f"top {self.top} places, edges {self.edges}"
        order = "" if self.order == 1 else f", order {self.order}"
        size = f"{len(self):,} people, {which}{order}, {len(self.graphs.visits):,} nodes"
        noted = "".join(f"\n  {note}" for note in self.notes)
        return f"Networks({size}, {len(self.graphs.weight):,} edges){noted}"


def networks(
    events: Events,
    *,
    min_dwell: str | float | timedelta | None = None,
    max_gap: str | float | timedelta | None = "24h",
    top: int | None = None,
    edges: EdgeRule = "induced",
    order: int = 1,
    progress: bool | None = None,
) -> Networks:
    """Build every person's mobility network from the order of their events (Manousakas 2018 sections 3.2 and 4.2).

    Places are numbered separately for each person, so only the shape can be compared between people.

    Parameters
    ----------
    events
        Events of ``so.read_events``, with times.
    min_dwell
        Leave out visits shorter than this, such as "15min" (Manousakas's (2018) rule for cell towers). A visit lasts
        from its first record to the first at the next place. None keeps every visit: check-ins and web visits have no
        duration.
    max_gap
        Cut a trace where two records are further apart, and count no transition across a cut. None never cuts
        (Manousakas 2018).
    top
        Only each person's most visited places; ties by the first visit. None: all.
    edges
        With ``top``: ``"induced"`` keeps transitions between kept places; ``"contract"`` drops other visits first.
    order
        Nodes are the last ``order`` places (Manousakas 2018 section 3.2); ``top`` selects places before that.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Networks
        One network per person.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> so.networks(log.events, top=5).headline()
    'Networks(50 people, top 5 places, edges induced, 218 nodes, 455 edges)'
    """
    if not isinstance(events, Events):
        raise bad_argument("networks", "events", "Events", type(events).__name__, "Make them with so.read_events(…).")
    _check(top, edges, order, "networks")
    dwell = microseconds_of("networks", "min_dwell", min_dwell)
    gap = microseconds_of("networks", "max_gap", max_gap)
    return _assemble(sequences(events, dwell, gap, progress), top, edges, order)


def check_size(function: str, argument: str, top: object) -> None:
    """Refuse what is not a number of places."""
    if not is_whole(top) or not 1 <= int(top) <= MOST:  # type: ignore[call-overload]
        raise bad_argument(function, argument, f"a whole number of places from 1 to {MOST:,}", top)


def _check(top: object, edges: str, order: object, function: str) -> None:
    if top is not None:
        check_size(function, "top", top)
    if edges not in EDGES:
        raise unknown_name(function, "edges", str(edges), EDGES)
    if not is_whole(order) or not 1 <= int(order) <= LONGEST:  # type: ignore[call-overload]
        raise bad_argument(function, "order", f"a whole number from 1 to {LONGEST}", order)


def _assemble(visited: Sequences, top: int | None, edges: str, order: int) -> Networks:
    starts, state, fresh = paths(visited, top, edges)
    states, visits, state_starts = visited.states, visited.visits, visited.state_starts
    if top is not None:
        chosen = count_up(states) < top
        states, visits = np.minimum(states, top), visits[chosen]
        state_starts = starts_of(states)
    if order > 1:
        starts, state, fresh = kernels.windows(starts, state, fresh, order, states)
        state_starts, visits, state = kernels.rank_states(starts, state)
        states = np.diff(state_starts)
    arguments = starts, state, fresh, states
    parts = map_tiles(kernels.transitions, len(states), *arguments, label="counting transitions", progress=False)
    edge_counts, *columns = (np.concatenate([part[k] for part in parts]) for k in range(5))
    graphs = Graphs(state_starts, visits, starts_of(edge_counts), *columns)
    without = int((graphs.edges == 0).sum())
    fewer = 0 if top is None else int((visited.states < top).sum())
    notes = visited.notes + nonzero(
        Note(fewer, f"people with fewer than {top or 0:,} places", "all of their places are kept"),
        Note(without, "people without a transition", "their networks have no edges"),
    )
    return Networks(visited.people, graphs, visited, top, edges, order, notes)


def paths(visited: Sequences, top: int | None, edges: str) -> Paths:
    """Visits to each person's most visited places: starts of people, states, and which visits start a path."""
    if top is None:
        return visited.starts, visited.state, visited.fresh
    stays = visited.state < top
    kept: Paths = kernels.join_visits(visited.starts, visited.state, visited.fresh, stays, edges == "contract")
    return kept
