"""Probable links, the most probable first, and how far down the list to go."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypedDict

import numpy as np
import pyarrow as pa

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import bad_argument, is_number
from singleout.ground.lazy import cached_property
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, NoteDict, in_lines
from singleout.ground.numbers import capitalise, percent
from singleout.ground.plain_data import Count, NotNegative, Share, ShareOrNone
from singleout.reading.tables import Table
from singleout.similarity.profiles.training import Trained

LEAST_LIKELY = 0.5
"""No pair that is more likely wrong than right is a link."""
CURVE = (0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
"""Probabilities at which the curve of estimated precision and recall is shown."""


@dataclass(frozen=True, eq=False)
class RankedPairs:
    """Every pair that is not improbable, the most probable first: row numbers from 0, probability, ln of the odds."""

    released: Indices
    known: Indices
    probability: Floats
    log_odds: Floats

    @classmethod
    def of(cls, pairs: tuple[Indices, Indices], probability: Floats, log_odds: Floats) -> RankedPairs:
        """In this order; equals by row."""
        order = np.lexsort((pairs[1], pairs[0], -log_odds, -probability))
        return cls(pairs[0][order], pairs[1][order], probability[order], log_odds[order])

    def __len__(self) -> int:
        return len(self.released)

    @cached_property
    def expected(self) -> Floats:
        """How many of the first 0, 1, 2, … pairs are expected to be right."""
        return np.concatenate([[0.0], np.cumsum(self.probability)])

    def enough(self, precision: float) -> int:
        """The most pairs of which at least this share is expected to be right, each of them rather than not."""
        likely = self.expected[: int((self.probability >= LEAST_LIKELY).sum()) + 1]
        return int(np.flatnonzero(likely >= precision * np.arange(len(likely)))[-1])


class LinkPointDict(TypedDict):
    """Links above a probability, and how many are estimated to be right."""

    threshold: Share
    links: Count
    precision: ShareOrNone
    recall: Share


class FieldWeightDict(TypedDict):
    """What was learnt of one level of a column."""

    field: str
    level: str
    m: Annotated[Share, "How often pairs of the same person agree like this."]
    u: Annotated[Share, "How often pairs of different people do."]
    weight: Annotated[float, "Evidence in bits."]


class ProbableLinksDict(TypedDict):
    """Pairs of records that are probably of the same person."""

    agreement: Literal["probable"]
    released: Count
    known: Count
    same_table: bool
    one_to_one: bool
    on: list[str]
    block: list[str]
    candidates: Count
    links: Count
    share_linked: Share
    precision_asked: Share
    threshold: ShareOrNone
    estimated_precision: ShareOrNone
    estimated_recall: Share
    estimated_matches: NotNegative
    random: Share
    curve: list[LinkPointDict]
    weights: list[FieldWeightDict]
    notes: list[NoteDict]


@dataclass(frozen=True, eq=False)
class ProbableLinks(Pictured):
    """Released records linked to known ones, the most probable first.

    ``ranked`` holds every pair that is not improbable; the links are as many of the first as have the estimated
    ``precision``, as long as they are more likely right than wrong. ``candidates`` pairs were compared. ``trained`` is
    the model, and what it estimates.

    Examples
    --------
    >>> import singleout as so
    >>> people = so.synthetic_profiles(people=200, known=400, both=0.5, seed=2)
    >>> found = so.probable_links(people.released, people.known, on=["first", "last", "location"])
    >>> found.to_arrow().column_names
    ['released_row', 'known_row', 'probability', 'weight']
    """

    ranked: RankedPairs = field(repr=False)
    precision: float
    trained: Trained = field(repr=False)
    candidates: int
    rules: tuple[str, ...]
    on: tuple[str, ...]
    sizes: tuple[int, int]
    itself: bool
    one_to_one: bool
    tables: tuple[Table, Table] = field(repr=False)
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return self._number

    @cached_property
    def _number(self) -> int:
        return self.ranked.enough(self.precision)

    @property
    def released(self) -> Indices:
        """The released row of each link."""
        return self.ranked.released[: len(self)]

    @property
    def known(self) -> Indices:
        """The known row of each link; of a table with itself the other row."""
        return self.ranked.known[: len(self)]

    @property
    def probability(self) -> Floats:
        """The probability that each link is right."""
        return self.ranked.probability[: len(self)]

    @property
    def threshold(self) -> float | None:
        """The lowest probability of a link; None without links."""
        return float(self.probability[-1]) if len(self) else None

    @property
    def share_linked(self) -> float:
        """The share of the released records that have a link; of a table with itself, of all records."""
        ends = [self.released, self.known] if self.itself else [self.released]
        return len(np.unique(np.concatenate(ends))) / self.sizes[0]

    @property
    def random(self) -> float:
        """The estimated share of random pairs of records that are of the same person."""
        return self.matches / self.trained.pairs

    @property
    def matches(self) -> float:
        """The estimated number of pairs of records of the same person, compared or not."""
        return max(self.trained.matches, float(self.ranked.expected[-1]))

    @property
    def estimated_precision(self) -> float | None:
        """The share of the links that are right, by their probabilities; None without links."""
        return float(self.probability.mean()) if len(self) else None

    @property
    def estimated_recall(self) -> float:
        """The share of all pairs of the same person that are linked, by the probabilities."""
        return float(self.probability.sum()) / self.matches

    def keep(self, *, precision: float) -> ProbableLinks:
        """The same pairs, of which as many are links as have this estimated precision."""
        if not is_number(precision) or not 0 < precision < 1:
            raise bad_argument("keep", "precision", "above 0 and below 1", precision)
        return replace(self, precision=float(precision))

    def curve(self) -> pa.Table:
        """Estimated precision and recall of the links above several probabilities; no truth is needed."""
        rows = []
        for threshold in CURVE:
            number = int((self.ranked.probability >= threshold).sum())
            right = float(self.ranked.expected[number])
            row: dict[str, Any] = {"threshold": threshold, "links": number}
            rows.append(row | {"precision": right / number if number else None, "recall": right / self.matches})
        return pa.Table.from_pylist(rows)

    def weights(self) -> pa.Table:
        """What was learnt of each column: per level m, u and the weight in bits."""
        return pa.Table.from_pylist(self.trained.model.to_rows())

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """One row per link: row numbers and probability; the values of the columns only with ``reveal``."""
        table: dict[str, Any] = {"released_row": self.released, "known_row": self.known}
        table["probability"] = self.probability
        table["weight"] = self.ranked.log_odds[: len(self)] / np.log(2)
        if reveal:
            for side, rows, values in zip(("released", "known"), (self.released, self.known), self.tables, strict=True):
                for column in values.encode(self.on):
                    table[f"{side} value of {column.name}"] = pa.array(column.decode()[rows].tolist())
        return pa.table(table)

    def to_dict(self) -> ProbableLinksDict:
        """Counts, estimates and weights for a result file, no values."""
        return {
            "agreement": "probable",
            "released": self.sizes[0],
            "known": self.sizes[1],
            "same_table": self.itself,
            "one_to_one": self.one_to_one,
            "on": list(self.on),
            "block": list(self.rules),
            "candidates": self.candidates,
            "links": len(self),
            "share_linked": self.share_linked,
            "precision_asked": self.precision,
            "threshold": self.threshold,
            "estimated_precision": self.estimated_precision,
            "estimated_recall": self.estimated_recall,
            "estimated_matches": self.matches,
            "random": self.random,
            "curve": self.curve().to_pylist(),
            "weights": self.weights().to_pylist(),
            "notes": [note.to_dict() for note in self.notes],
        }

    def __repr__(self) -> str:
        return f"ProbableLinks({self._linked()})\n{self._details()}"

    def in_words(self) -> str:
        """The same for readers who never called a function."""
        return f"{capitalise(self._linked())}.\n{self._details()}"

    def _linked(self) -> str:
        if self.itself:
            return f"{len(self):,} pairs of the same person among {self.sizes[0]:,} records"
        share = f"{len(self):,} links: {percent(self.share_linked)} of {self.sizes[0]:,} released records"
        return f"{share}, {self.sizes[1]:,} known"

    def _details(self) -> str:
        return "\n".join([*self._estimates(), *in_lines([*self._rules(), *self.notes])])

    def _estimates(self) -> list[str]:
        found = [f"  {self.candidates:,} pairs compared; about {self.matches:,.0f} are estimated to be of one person"]
        if self.threshold is not None and self.estimated_precision is not None:
            found.append(f"  links have a probability of at least {self.threshold:.3f}")
            right = f"{percent(self.estimated_precision)} of the links are right (random ones: {percent(self.random)}),"
            found.append(f"  estimated without truth: {right}")
            found.append(f"    and {percent(self.estimated_recall)} of the records of the same person are linked")
        return found

    def _rules(self) -> list[str]:
        return [f"compared if they agree on {'; or on '.join(self.rules)}"]
