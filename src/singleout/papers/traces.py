"""What M18's experiments take from a log of visits, each thing worked out once and shared by all of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

import singleout as so

T = TypeVar("T")


@dataclass(frozen=True)
class Way:
    """One way of doing what M18 leaves open; as it stands, what it says, or else our default.

    ``gap``: longer ones cut a trace (the paper has no such rule). ``edges``: what "rearranging the edges" means.
    ``ties``: which of equally weak edges go. ``draw``: another point at which each trace is split.
    """

    gap: str | None = None
    edges: str = "induced"
    ties: str = "visits"
    draw: int = 0


PLAIN = Way()
BUILT = (PLAIN, Way(edges="contract"), Way(gap="24h"), Way(gap="24h", edges="contract"))
TIES = (PLAIN, Way(ties="drop_ties"), Way(ties="random"))
ATTACKED = (*TIES, Way(edges="contract"), Way(gap="24h"), Way(draw=1), Way(draw=2))
HOW_BUILT = "edges among the top places (ours: those taken; or contracted), gaps (ours: none cuts; or those over 24 h)"
HOW_ATTACKED = f"which of tied edges are pruned, the points at which traces are split, {HOW_BUILT}"


@dataclass(frozen=True, eq=False)
class Traces:
    """People's visits one after another, split in two at a point per person; ``quick``: fewer open choices."""

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
        """The ways of making networks to look at, the one shown first."""
        return BUILT[:2] if self.quick else BUILT

    @property
    def attacked(self) -> tuple[Way, ...]:
        """The ways of attacking to look at, the one shown first."""
        return TIES[:2] if self.quick else ATTACKED

    @property
    def draws(self) -> tuple[Way, ...]:
        """Only other points at which traces are split."""
        return tuple(way for way in self.attacked if way == Way(draw=way.draw))

    def whole(self, way: Way = PLAIN) -> so.Networks:
        """Networks of whole traces."""
        cut = self._once(("whole", way.gap), lambda: so.networks(self.events, max_gap=way.gap))
        return cut if way.edges == cut.edges else cut.at(top=None, edges=way.edges)

    def summary(self, top: int | None, way: Way = PLAIN) -> so.NetworkSummary:
        """Networks of so many places in figures; which edges are left does not matter where all places are."""
        asked = way if top is not None else replace(way, edges=PLAIN.edges)
        return self._once(("summary", top, asked), lambda: so.network_summary(self.whole(asked), top=top))

    def parts(self, way: Way = PLAIN) -> tuple[so.Events, so.Events]:
        """What comes before each person's point is known, the rest is released (M18 5.1)."""
        return self._once(("parts", way.draw), lambda: so.split(self.events, by="point", seed=self.seed + way.draw))

    def sides(self, way: Way = PLAIN) -> tuple[so.Networks, so.Networks]:
        """Released and known networks."""
        known, released = self._once(
            ("sides", way.draw, way.gap),
            lambda: tuple(so.networks(part, max_gap=way.gap) for part in self.parts(way)),
        )
        if way.edges == known.edges:
            return released, known
        return released.at(top=None, edges=way.edges), known.at(top=None, edges=way.edges)

    def ranking(self, kernel: str, way: Way = PLAIN, **options: Any) -> so.Ranking:
        """Where the true people stand by one kernel."""
        return self._once(
            ("ranking", kernel, way, *sorted(options.items())),
            lambda: so.ranking(
                so.graph_scores(*self.sides(way), kernel=kernel, ties=way.ties, seed=self.seed, **options)
            ),
        )

    def alike(self, top: int, *, directed: bool, way: Way = PLAIN) -> so.Anonymity:
        """Classes of people whose networks of so many places are the same."""
        key = "alike", top, directed, way
        return self._once(key, lambda: so.anonymity(self.whole(way), top=top, directed=directed))

    def alike_by_chance(self, top: int, *, directed: bool) -> so.Anonymity:
        """The same when the order of each person's visits is dealt by lot: what is left of a trace without habits."""
        dealt = self._once("dealt", self._dealt)
        key = "alike by chance", top, directed
        return self._once(key, lambda: so.anonymity(dealt, top=top, directed=directed))

    def _dealt(self) -> so.Networks:
        rows = self.events.rows("person", "place", "moment", "placed", "line")
        before = "lag(place) OVER (PARTITION BY person ORDER BY moment, line)"
        visits = self.events.answered(
            f"SELECT person, place FROM {rows} WHERE placed QUALIFY {before} IS DISTINCT FROM place"
            " ORDER BY person, moment, line",
            label="finding visits",
        )
        person = np.unique(visits["person"].to_numpy(), return_inverse=True)[1]
        lots = np.lexsort((np.random.default_rng(self.seed).random(len(person)), person))
        columns = {"user": visits["person"], "time": np.arange(len(person)), "place": visits["place"].take(lots)}
        return so.networks(so.read_events(pa.table(columns), user="user", time="time", place="place"), max_gap=None)
