"""Who is most clearly re-identified, and why: the places a person has on both sides, and how many others have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from singleout.ground.arrays import Floats, Indices, row_slice
from singleout.matching.result import Matching
from singleout.measures.precision import chances_of_being_right
from singleout.similarity.explain import Explanation
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, comparable

LIKELY = 0.5
"""A person counts as re-identified if random tie-breaking makes the pair right at least this often."""
SAMPLE = 2_000
"""The most people examined one by one; if more were re-identified, this many of them at random."""
POPULARITY = (5, 20, 100)
"""Groups of places by the number of people there: fewer than this, and so on; the last: at least this many."""


@dataclass(frozen=True, eq=False)
class IdentifiedPeople:
    """People whom a joint matching re-identifies: pair numbers, the clearest first, and the margin of each."""

    matching: Matching
    pairs: Indices
    margins: Floats

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def sides(self) -> tuple[Histograms, Histograms]:
        """What is released and what is known."""
        released, known = self.matching.released_side, self.matching.known_side
        assert isinstance(released, Histograms)
        assert isinstance(known, Histograms)
        return released, known

    def visitors(self) -> dict[tuple[object, object], int]:
        """How many released people are at each place, by channel and place."""
        released = self.sides[0]
        people = np.bincount(released.counts.indices, minlength=len(released.places))
        return dict(zip(keys_of(released.channels, released.places), people.tolist(), strict=True))

    def sample(self, seed: int) -> Indices:
        """The pairs, or ``SAMPLE`` of them at random if there are more."""
        if len(self) <= SAMPLE:
            return self.pairs
        return np.sort(np.random.default_rng(seed).choice(self.pairs, SAMPLE, replace=False))


def keys_of(channels: Ids | None, places: Ids) -> Iterator[tuple[object, object]]:
    """Channel and place: the same place may be in several channels, and levels may use the same numbers."""
    return zip([None] * len(places) if channels is None else channels.tolist(), places.tolist(), strict=True)


def find_identified(matching: Matching, margins: Floats) -> IdentifiedPeople:
    """The pairs that are most likely right, in descending order of margin; equals in order of row."""
    right = np.flatnonzero(chances_of_being_right(matching, None) >= LIKELY)
    order = np.lexsort((matching.released[right], -margins[right]))
    return IdentifiedPeople(matching, right[order], margins[right[order]])


@dataclass(frozen=True)
class Group:
    """Places of similar popularity: their share of what identifies people, and of those people's events."""

    below: int | None
    share: float
    of_events: float


def group_by_popularity(found: IdentifiedPeople, seed: int) -> list[Group]:
    """What identifies people, by how many people are at a place, the rarest places first."""
    visitors, released = found.visitors(), found.sides[0].finest()
    visitors_here = np.bincount(released.counts.indices, minlength=len(released.places))
    given, events = np.zeros(len(POPULARITY) + 1), np.zeros(len(POPULARITY) + 1)
    for pair in found.sample(seed):
        why = found.matching.explain(int(pair))
        shared = [visitors[key] for key in keys_of(why.channels, why.places)]
        group = np.searchsorted(POPULARITY, shared, side="right")
        given += np.bincount(group, why.terms, len(given))
        columns, counts = _columns(released, int(found.matching.released[pair]))
        group = np.searchsorted(POPULARITY, visitors_here[columns], side="right")
        events += np.bincount(group, counts / counts.sum(), len(events))
    bounds: list[int | None] = [*POPULARITY, None]
    whole, all_events = given.sum() or 1.0, events.sum() or 1.0
    return [
        Group(below, float(part / whole), float(of / all_events))
        for below, part, of in zip(bounds, given, events, strict=True)
    ]


@dataclass(frozen=True)
class InferenceGain:
    """What an intruder learns about a person whom they re-identify: new places, and the share of events there."""

    places: float
    events: float


def measure_inference(found: IdentifiedPeople, seed: int) -> InferenceGain | None:
    """On average over the people re-identified; None if nobody was."""
    sample = found.sample(seed)
    if not len(sample):
        return None
    released, known = (side.finest() for side in found.sides)
    mine, theirs = comparable(released.places, known.places)
    new_places, new_events = [], []
    for pair in sample:
        rows = int(found.matching.released[pair]), int(found.matching.known[pair])
        columns, counts = _columns(released, rows[0])
        new = ~np.isin(mine[columns], theirs[_columns(known, rows[1])[0]])
        new_places.append(int(new.sum()))
        new_events.append(counts[new].sum() / counts.sum())
    return InferenceGain(float(np.mean(new_places)), float(np.mean(new_events)))


def _columns(side: Histograms, row: int) -> tuple[Indices, Floats]:
    piece = row_slice(side.counts, row)
    return side.counts.indices[piece].astype(np.intp), side.counts.data[piece].astype(np.float64)


def strongest_reasons(why: Explanation, most: int) -> list[tuple[tuple[object, object], float]]:
    """The places that identify a person most, by channel and place, each with its share of the total."""
    whole = float(why.terms.sum()) or 1.0
    keys = list(keys_of(why.channels, why.places))[:most]
    return [(key, float(term) / whole) for key, term in zip(keys, why.terms, strict=False)]
