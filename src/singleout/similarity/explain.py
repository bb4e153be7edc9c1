"""Why two people are similar: what each shared place contributes to their gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.special import xlogy

from singleout.ground.arrays import Floats, Indices, row_slice
from singleout.ground.notebooks import Tabular, WithoutNotes
from singleout.similarity.overlaps import scale
from singleout.similarity.registry import Similarity
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, comparable


@dataclass(frozen=True, eq=False)
class Explanation(WithoutNotes, Tabular):
    """The places two people share and what each contributes, largest first; cost = constant - sum of terms.

    ``released`` and ``known`` are the values of the term: shares of the total, or counts for glrt. ``rarity`` is how
    much each place counts, and ``reliability`` how much the two people do; both are in the terms.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> why = matching.explain(0)
    >>> len(why.places) == len(why.terms)
    True
    """

    places: Ids
    channels: Ids | None
    terms: Floats
    released: Floats
    known: Floats
    rarity: Floats
    reliability: tuple[float, float]
    cost: float
    constant: float

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """One row per shared place; the place, and how rare it is, only with ``reveal``."""
        columns = {"term": self.terms, "released": self.released, "known": self.known}
        if reveal:
            columns |= {"rarity": self.rarity}
            shown_places = {"place": pa.array(self.places.tolist())}
            if self.channels is not None:
                shown_places["channel"] = pa.array(self.channels.tolist())
            columns = shown_places | columns
        return pa.table(columns)

    def __repr__(self) -> str:
        shared = f"{len(self.terms):,} shared places" if len(self.terms) != 1 else "1 shared place"
        total = float(self.terms.sum())
        share = f", the largest contributes {self.terms[0] / total:.0%} of it" if total > 0 else ""
        return f"Explanation(cost {self.cost:.4g} = {self.constant:.4g} - {self.terms.sum():.4g}: {shared}{share})"


@dataclass(frozen=True, eq=False)
class PlaceFactors:
    """How much each known place counts, and its values that a user's term takes; None: nothing of the kind."""

    rarity: Floats | None
    values: Floats | None

    @classmethod
    def of(cls, known: Histograms, similarity: Similarity) -> PlaceFactors:
        """From the whole known side, so once for all of its people."""
        rarity = None if similarity.rarity is None else similarity.rarity(known.counts)
        return cls(rarity, None if similarity.place_values is None else similarity.place_values(known))


def explanation(
    sides: tuple[Histograms, Histograms],
    rows: tuple[int, int],
    similarity: Similarity,
    total: float,
    factors: PlaceFactors,
) -> Explanation:
    """Terms of one person of each side, whose cost is ``total``."""
    columns, values = zip(*(_row(side, row, similarity) for side, row in zip(sides, rows, strict=True)), strict=True)
    keys = _keys(sides, columns)
    position = {key: number for number, key in enumerate(keys[1])}
    common = [(here, position[key]) for here, key in enumerate(keys[0]) if key in position]
    mine, theirs = (np.array([pair[side] for pair in common], dtype=np.intp) for side in (0, 1))
    p, q = values[0][mine], values[1][theirs]
    rarity = np.ones(len(mine))
    if factors.rarity is not None:
        rarity = factors.rarity[columns[1][theirs]]
    reliability = tuple(_reliability(side, row, similarity) for side, row in zip(sides, rows, strict=True))
    scaled = [x * rarity for x in (p, q)]
    own = [xlogy(x, x) if similarity.own_part else np.zeros(len(x)) for x in scaled]
    if factors.values is not None:
        own = list(factors.values[columns[1][theirs]].T)
    term = similarity.kernels["term"]
    terms = np.array([term(similarity.code, *each) for each in zip(*scaled, *own, strict=True)], dtype=np.float64)
    terms *= reliability[0] * reliability[1]
    order = np.argsort(-terms, kind="stable")
    shown = columns[0][mine[order]]
    channels = None if sides[0].channels is None else sides[0].channels[shown]
    constant = total + float(terms.sum())
    return Explanation(
        sides[0].places[shown],
        channels,
        terms[order],
        p[order],
        q[order],
        rarity[order],
        (reliability[0], reliability[1]),
        total,
        constant,
    )


def _reliability(side: Histograms, row: int, similarity: Similarity) -> float:
    """How much one person counts."""
    events = None if similarity.reliability is None else side.events
    return 1.0 if similarity.reliability is None or events is None else float(similarity.reliability(events)[row])


def _row(side: Histograms, row: int, similarity: Similarity) -> tuple[Indices, Floats]:
    """Columns of one person and the values there, scaled for the similarity, channel by channel."""
    piece = row_slice(side.counts, row)
    columns = side.counts.indices[piece].astype(np.intp)
    channel = np.zeros(len(columns), dtype=np.intp)
    if side.channels is not None:
        channel = np.unique(side.channels[columns], return_inverse=True)[1].astype(np.intp)
    values = side.counts.data[piece].astype(np.float64)
    return columns, scale(values, channel, int(channel.max(initial=-1)) + 1, similarity)


def _keys(sides: tuple[Histograms, Histograms], columns: tuple[Indices, ...]) -> list[list[tuple[object, object]]]:
    """Place and channel of each person's columns, in ids that can be compared."""
    places = comparable(*(side.places[chosen] for side, chosen in zip(sides, columns, strict=True)))
    if sides[0].channels is None or sides[1].channels is None:
        return [[(place, None) for place in ids.tolist()] for ids in places]
    channels = comparable(sides[0].channels[columns[0]], sides[1].channels[columns[1]])
    return [list(zip(ids.tolist(), labels.tolist(), strict=True)) for ids, labels in zip(places, channels, strict=True)]
