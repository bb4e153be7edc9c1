"""Ramachandran et al. 2012 continued: what more columns in common change (III-D)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from singleout.ground.notes import number_of
from singleout.ground.progress import stage
from singleout.measures.intervals import wilson
from singleout.papers.attacks import rises
from singleout.papers.census_samples import FIELDS, Linking, Samples, Way, draw_samples, read_people
from singleout.papers.data_sets import CENSUS, Shelf
from singleout.papers.registry import reproduces
from singleout.papers.result import Finding, Reproduction, Row

ERRORS = (0.1, 0.0, 0.2)
ORDERS, QUICK_ORDERS = 10, 1
FEWEST = 30
"""Accuracy is compared where at least this many records are linked."""
FEWER_AGREE = "a record that agrees on more columns agrees on fewer"


@dataclass(frozen=True)
class Step:
    """A number of common columns: both sides, those linked, those linked correctly, known ones that agree."""

    columns: int
    released: int
    known: int
    linked: int
    right: int
    agreeing: float

    @staticmethod
    def of(linking: Linking) -> Step:
        """The counts of a linking; ``agreeing`` is for each record that is unique by these columns."""
        counts, unique, sizes = linking.tally(), linking.links.uniques, linking.links.sizes
        each = unique.known / max(unique.released, 1)
        return Step(len(linking.links.on), *sizes, counts.linked, counts.right, each)


@reproduces("ramachandran-iii-d", "III-D: accuracy by the number of columns in common", CENSUS)
def more_fields(shelf: Shelf) -> Reproduction:
    """The samples of Table I, linked by one column, by two, and so on; other orders of columns are open choices."""
    people, rng = read_people(shelf), np.random.default_rng(shelf.seed)
    drawn = [draw_samples(people, Way(errors=errors), shelf.seed) for errors in ERRORS[: 1 if shelf.quick else None]]
    tried = [(samples, FIELDS) for samples in drawn]
    orders = QUICK_ORDERS if shelf.quick else ORDERS
    tried += [(drawn[0], tuple(rng.permutation(FIELDS).tolist())) for _ in range(orders)]
    with stage(f"{len(tried)} orders of {len(FIELDS)} columns"):
        curves = [add_columns(samples, order) for samples, order in tried]
    rows = [row for number in range(len(FIELDS)) for row in _rows([curve[number] for curve in curves])]
    return Reproduction(tuple(rows), tuple(_findings(curves)), OPEN, NOTES, axis="columns in common")


OPEN = (
    "which column comes next (ours: address, sex, age, ethnicity, income, then marital status, schooling, ownership; "
    f"or {ORDERS} random orders), errors in the list (ours: in 10% of the values of a column; none; 20%)"
)
NOTES = (
    "Survey and list are those of Table I. Shares: linked and correct are of the released records, accuracy is of the "
    "links. Sets of up to seven columns are searched, as in the paper; all common columns must agree.",
    f"Whether accuracy rises is judged where at least {FEWEST} records are linked.",
)


def add_columns(samples: Samples, order: Sequence[str]) -> list[Step]:
    """Link by the first column, by the first two, and so on."""
    return [Step.of(samples.link(tuple(order[:number]))) for number in range(1, len(order) + 1)]


def _rows(steps: Sequence[Step]) -> list[Row]:
    """One number of columns: ours first, then the open choices."""
    ours, chance = steps[0], 1 / steps[0].known
    linked, right = (tuple(getattr(step, of) / step.released for step in steps) for of in ("linked", "right"))
    exact = tuple(step.right / step.linked for step in steps if step.linked)
    rows = [
        Row(CENSUS, "linked", ours.columns, wilson(ours.linked, ours.released), choices=linked),
        Row(CENSUS, "linked correctly", ours.columns, wilson(ours.right, ours.released), None, chance, right),
    ]
    if ours.linked:
        rows.append(Row(CENSUS, "accuracy", ours.columns, wilson(ours.right, ours.linked), None, chance, exact))
    at = f"known records each, {number_of(ours.columns, 'columns')}"
    rows.append(Row(CENSUS, "unique released records", at, ours.agreeing, choices=tuple(s.agreeing for s in steps)))
    return rows


def _findings(curves: Sequence[Sequence[Step]]) -> list[Finding]:
    improved = tuple(_improves(curve) for curve in curves)
    fewer = tuple(curve[-1].agreeing < max(step.agreeing for step in curve) for curve in curves)
    return [
        Finding("each further column in common improves the accuracy", improved[0], improved),
        Finding("and fewer known records agree", fewer[0], fewer, FEWER_AGREE),
    ]


def _improves(curve: Sequence[Step]) -> bool:
    shares = [step.right / step.linked for step in curve if step.linked >= FEWEST]
    return len(shares) > 1 and rises(shares)
