"""How often the links of records are right (R12 Table I)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.arrays import Indices
from singleout.ground.errors import bad_argument
from singleout.ground.notebooks import Summary
from singleout.ground.numbers import percent
from singleout.matching.ranked_links import ProbableLinks
from singleout.matching.records import Links
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.truth import Pairs, pairs_by_column, pairs_by_rows

AnyLinks = Links | ProbableLinks


@dataclass(frozen=True, repr=False)
class LinkAccuracy(Summary):
    """How many links are right.

    ``precision``: share of the links made (Ramachandran's (2012) accuracy), None without links. ``rate``: share of all
    released records (Ramachandran's (2012) overall vulnerability). ``recall``: share of the true pairs, None without
    any. ``random`` is the precision of random links.

    Examples
    --------
    >>> import singleout as so
    >>> import pyarrow as pa
    >>> released = pa.table({"town": ["Ulm", "Bonn", "Bonn"], "born": [1950, 1960, 1971]})
    >>> known = pa.table({"town": ["Bonn", "Ulm", "Kiel"], "born": [1971, 1950, 1980]})
    >>> links = so.link_records(released, known, max_released=1, max_known=2)
    >>> so.accuracy(links, {0: 1, 2: 0}).correct
    2
    """

    correct: int
    precision: Estimate | None
    rate: Estimate
    recall: Estimate | None
    random: float

    def __str__(self) -> str:
        right = "no links" if self.precision is None else f"{self.precision} of the links are right"
        found = "" if self.recall is None else f"; {self.recall} of the true pairs are linked"
        return f"{right}{found}; {self.rate} of the released records are linked rightly; chance {percent(self.random)}"


def measure_links(links: AnyLinks, truth: str | Mapping[int, int] | None, confidence_level: float) -> LinkAccuracy:
    """``truth``: a column on both sides that is the same for the same person, or a dict of released to known rows.

    Of a table with itself ``rate`` counts the records that have at least one right link.
    """
    rows, others = _true_pairs(links, truth)
    itself = isinstance(links, ProbableLinks) and links.itself
    if itself:
        rows, others = _each_once(rows, others)
    width = links.sizes[1]
    right = np.isin(links.released * width + links.known, rows * width + others)
    correct = int(right.sum())
    people = links.sizes[0]
    ends = [links.released[right], links.known[right]] if itself else [links.released[right]]
    found = len(np.unique(np.concatenate(ends)))
    precision = wilson(correct, len(links), confidence_level) if len(links) else None
    recall = wilson(correct, len(rows), confidence_level) if len(rows) else None
    chance = len(rows) / (people * (people - 1) / 2) if itself else _chance(links, len(rows))
    return LinkAccuracy(correct, precision, wilson(found, people, confidence_level), recall, chance)


def _chance(links: AnyLinks, true_pairs: int) -> float:
    """The share of random links that are right."""
    return links.random if isinstance(links, Links) else true_pairs / (links.sizes[0] * links.sizes[1])


def _each_once(rows: Indices, others: Indices) -> Pairs:
    """Pairs of different rows of one table, the earlier row first."""
    pairs = np.unique(np.sort(np.stack([rows, others], axis=1), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return pairs[:, 0], pairs[:, 1]


def _true_pairs(links: AnyLinks, truth: Any) -> Pairs:
    if not isinstance(truth, str):
        return pairs_by_rows("accuracy", truth, links.sizes)
    if truth in links.on:
        raise bad_argument("accuracy", "truth", "a column that was not used for linking", truth)
    return pairs_by_column("accuracy", links.tables, truth)
