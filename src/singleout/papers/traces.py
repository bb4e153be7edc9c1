"""What M18's experiments derive from a log of visits, each computed once and shared by all of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

import singleout as so
from singleout.ground.names import Kernel, TieRule, TraceShare
from singleout.papers.degree_bins import own_range_scores
from singleout.statistics.sequences import Sequences

T = TypeVar("T")


@dataclass(frozen=True)
class Way:
    """One choice of what M18 leaves open; by default what it says, or else our default.

    ``gap``: longer ones cut a trace (the paper has no such rule). ``edges``: what "rearranging the edges" means.
    ``ties``: which of equally weak edges are dropped. ``draw``: another random point at which each trace is split.
    ``cut``: whether that is a share of the person's time (the paper: "by time") or of their events. ``late``: of
    equally visited places, the one whose first visit was last is in the top. ``bins``: of the degree kernels, the same
    for all networks or each network's own range. ``likeness``: M of the deep shortest-path kernel, as options of
    ``graph_scores``.
    """

    gap: str | None = None
    edges: str = "induced"
    ties: TieRule = "visits"
    draw: int = 0
    cut: TraceShare = "time"
    late: bool = False
    bins: str = "common"
    likeness: tuple[tuple[str, Any], ...] = ()

    def seen_by(self, kernel: str) -> Way:
        """The same without what does not affect a kernel."""
        bins = self.bins if kernel in DEGREES else PLAIN.bins
        likeness = self.likeness if kernel == "dsp" else PLAIN.likeness
        return replace(self, bins=bins, likeness=likeness)


DEGREES = ("dd", "wd")
PLAIN = Way()
BUILT = (PLAIN, Way(edges="contract"), Way(gap="24h"), Way(gap="24h", edges="contract"), Way(late=True))
TIES = (PLAIN, Way(ties="drop_ties"), Way(ties="random"))
LIKENESSES = (("gamma", 0.5),), (("gamma", 2.0),), (("similarity", "ppmi"),)
ATTACKED = (
    *TIES,
    Way(edges="contract"),
    Way(gap="24h"),
    Way(draw=1),
    Way(draw=2),
    Way(cut="events"),
    Way(late=True),
    Way(bins="own"),
    *(Way(likeness=each) for each in LIKENESSES),
)
HOW_BUILT = (
    "edges between the top places (ours: those used; or contracted), gaps (ours: none cuts; or those over 24 h), which "
    "of equally visited places are in the top (ours: the one visited first; or last)"
)
HOW_ATTACKED = (
    "which of tied edges are pruned, the points at which traces are split, whether these are shares of a person's time "
    "(ours, as the paper says) or of their events, the range of the bins of dd and wd (ours: the same for all; or "
    f"each network's own), M of dsp (ours: edit distance with γ = 1; or 0.5, 2, ppmi), {HOW_BUILT}"
)


def in_order(sides: so.Sides) -> tuple[so.Events, so.Events]:
    """The earlier part and the later one: N16 releases the earlier, M18 the later."""
    return sides.known, sides.released


@dataclass(frozen=True, eq=False)
class Traces:
    """People's sequences of visits, split in two at a point per person; ``quick``: fewer open choices."""

    events: so.Events
    quick: bool = False
    seed: int = 0
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def _once(self, key: Hashable, work: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = work()
        kept: T = self._kept[key]
        return kept

    @property
    def built(self) -> tuple[Way, ...]:
        """The choices for building networks, the one shown first."""
        return BUILT[:2] if self.quick else BUILT

    @property
    def attacked(self) -> tuple[Way, ...]:
        """The choices for attacks, the one shown first."""
        return TIES[:2] if self.quick else ATTACKED

    @property
    def draws(self) -> tuple[Way, ...]:
        """Only other points at which traces are split."""
        return tuple(way for way in self.attacked if way == Way(draw=way.draw))

    @property
    def cuts(self) -> tuple[Way, ...]:
        """Only other points at which traces are split, and points by share of events."""
        return (*self.draws, Way(cut="events"))

    def whole(self, way: Way = PLAIN) -> so.Networks:
        """Networks of whole traces."""
        return self._once(
            ("whole", way.gap, way.edges, way.late),
            lambda: _as_in(way, self._once(("visits", way.gap), lambda: so.networks(self.events, max_gap=way.gap))),
        )

    @property
    def tied_places(self) -> int:
        """People whose tenth and eleventh most visited place have equally many visits."""
        visited = self.whole().sequences
        assert visited is not None
        long = visited.states > TIED_AT
        first = visited.state_starts[:-1][long] + TIED_AT
        return int((visited.visits[first] == visited.visits[first - 1]).sum())

    def summary(self, top: int | None, way: Way = PLAIN) -> so.NetworkSummary:
        """Figures of networks of this many places; with all places, the choice of edges does not matter."""
        asked = way if top is not None else replace(way, edges=PLAIN.edges)
        return self._once(("summary", top, asked), lambda: so.network_summary(self.whole(asked), top=top))

    def parts(self, way: Way = PLAIN) -> tuple[so.Events, so.Events]:
        """What comes before each person's point is known, the rest is released (M18 5.1)."""
        return self._once(
            ("parts", way.draw, way.cut),
            lambda: in_order(so.split(self.events, by="point", of=way.cut, seed=self.seed + way.draw)),
        )

    def sides(self, way: Way = PLAIN) -> tuple[so.Networks, so.Networks]:
        """Released and known networks."""
        known, released = self._once(
            ("sides", way.draw, way.cut, way.gap),
            lambda: tuple(so.networks(part, max_gap=way.gap) for part in self.parts(way)),
        )
        return self._once(
            ("sides", way.draw, way.cut, way.gap, way.edges, way.late),
            lambda: (_as_in(way, released), _as_in(way, known)),
        )

    def ranking(self, kernel: Kernel, way: Way = PLAIN, **options: Any) -> so.Ranking:
        """The ranks of the true people by one kernel."""
        seen = way.seen_by(kernel)
        return self._once(
            ("ranking", kernel, seen, *sorted(options.items())), lambda: self._rank(kernel, seen, options)
        )

    def _rank(self, kernel: Kernel, way: Way, options: dict[str, Any]) -> so.Ranking:
        sides = self.sides(way)
        if way.bins == "own":
            return so.ranking(own_range_scores(*sides, kernel))
        asked = dict(way.likeness) | options
        return so.ranking(so.graph_scores(*sides, kernel=kernel, ties=way.ties, seed=self.seed, **asked))

    def anonymity(self, top: int, *, directed: bool, way: Way = PLAIN) -> so.Anonymity:
        """Classes of people whose networks of this many places are the same."""
        key = "anonymity", top, directed, way
        return self._once(key, lambda: so.anonymity(self.whole(way), top=top, directed=directed))

    def anonymity_by_chance(self, top: int, *, directed: bool) -> so.Anonymity:
        """The same with each person's visits in random order: what remains of a trace without habits."""
        shuffled = self._once("shuffled", self._shuffle)
        key = "anonymity by chance", top, directed
        return self._once(key, lambda: so.anonymity(shuffled, top=top, directed=directed))

    def _shuffle(self) -> so.Networks:
        rows = self.events.rows("person", "place", "moment", "placed", "line")
        before = "lag(place) OVER (PARTITION BY person ORDER BY moment, line)"
        visits = self.events.query_part(
            f"SELECT person, place FROM {rows} WHERE placed QUALIFY {before} IS DISTINCT FROM place"
            " ORDER BY person, moment, line",
            label="finding visits",
        )
        person = np.unique(visits["person"].to_numpy(), return_inverse=True)[1]
        order = np.lexsort((np.random.default_rng(self.seed).random(len(person)), person))
        columns = {"user": visits["person"], "time": np.arange(len(person)), "place": visits["place"].take(order)}
        return so.networks(so.read_events(pa.table(columns), user="user", time="time", place="place"), max_gap=None)


TIED_AT = 10


def _as_in(way: Way, networks: so.Networks) -> so.Networks:
    """Networks with the edges, and the order of equally visited places, of a way."""
    if way.late:
        assert networks.sequences is not None
        networks = replace(networks, sequences=latest_first(networks.sequences)).at(top=None)
    return networks if way.edges == networks.edges else networks.at(top=None, edges=way.edges)


def latest_first(visited: Sequences) -> Sequences:
    """The same visits, with equally visited places numbered from the one whose first visit was last."""
    person = np.repeat(np.arange(len(visited.states)), visited.states)
    opens = np.ones(len(person), dtype=np.bool_)
    opens[1:] = (person[1:] != person[:-1]) | (visited.visits[1:] != visited.visits[:-1])
    group = np.cumsum(opens) - 1
    first = np.flatnonzero(opens)
    last = np.append(first[1:], len(person)) - 1
    turned = first[group] + last[group] - np.arange(len(person))
    base = np.repeat(visited.state_starts[:-1], visited.lengths)
    return replace(visited, state=turned[base + visited.state] - base)
