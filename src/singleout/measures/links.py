"""How often the links of records are right (R12 Table I)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.errors import bad_argument
from singleout.ground.notebooks import Summary
from singleout.matching.records import Links
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.truth import Pairs, pairs_by_column, pairs_by_rows


@dataclass(frozen=True)
class LinkAccuracy(Summary):
    """How many links are right.

    ``precision``: share of the links made (R12's accuracy), None without links. ``rate``: share of all released records
    (R12's overall vulnerability). ``random`` is the precision of random links.
    """

    correct: int
    precision: Estimate | None
    rate: Estimate
    random: float


def measure_links(links: Links, truth: str | Mapping[int, int] | None, confidence_level: float) -> LinkAccuracy:
    """``truth``: a column on both sides that is the same for the same person, or a dict of released to known rows."""
    rows, others = _true_pairs(links, truth)
    width = links.sizes[1]
    correct = int(np.isin(links.released * width + links.known, rows * width + others).sum())
    precision = wilson(correct, len(links), confidence_level) if len(links) else None
    return LinkAccuracy(correct, precision, wilson(correct, links.sizes[0], confidence_level), 1 / width)


def _true_pairs(links: Links, truth: Any) -> Pairs:
    if not isinstance(truth, str):
        return pairs_by_rows("accuracy", truth, links.sizes)
    if truth in links.on:
        raise bad_argument("accuracy", "truth", "a column that was not used for linking", truth)
    return pairs_by_column("accuracy", links.tables, truth)
