"""A survey and a public list, both drawn from one census file, so that it is known who is who (R12 III)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import singleout as so
from singleout.ground.arrays import Indices, Integers
from singleout.ground.names import MissingInRecords
from singleout.papers.data_sets import CENSUS, Shelf

CLASSES = ("STATE", "PUMA", "SEX", "AGEP")
"""The most interesting common attributes, according to the paper."""
INCOME = "income"
COMMON = (*CLASSES, "RAC1P", "HISP", INCOME)
"""What the paper's list has in common with the survey: address, sex, birth date, ethnicity and income."""
FIELDS = (*COMMON, "MAR", "SCHL", "TEN")
"""With three more that a list might have: marital status, schooling, and whether the home is owned."""
BRACKET, BRACKETS = 25_000, 9
STATES = {"Florida": "12", "New York": "36", "Pennsylvania": "42"}
"""The three with most records in the file; of the paper's states only Florida is in it."""
EVERYWHERE = "all three"

Values = dict[str, NDArray[Any]]
"""By the name of the column."""


@dataclass(frozen=True)
class Way:
    """One way to draw a survey and a public list from the same people: what the paper leaves open.

    ``surveyed`` and ``listed``: shares of the people. They are drawn independently, so that this share of the survey is
    on the list too; ``all_listed``: everyone in the survey is. ``errors``: share of the values in each column of the
    list, except the state, that are wrong or missing, half of them each. ``missing``: as in ``link_records``. ``draw``
    is the number of the draw.
    """

    columns: tuple[str, ...] = COMMON
    surveyed: float = 0.05
    listed: float = 0.35
    errors: float = 0.1
    all_listed: bool = False
    missing: MissingInRecords = "value"
    draw: int = 0


@dataclass(frozen=True)
class Tally:
    """Released records of a state, those linked, and those linked correctly."""

    released: int
    linked: int
    right: int


@dataclass(frozen=True, eq=False)
class Linking:
    """A survey linked to a list; ``right`` says for each link whether it is, ``state`` where each record is from."""

    links: so.Links
    state: NDArray[np.generic]
    right: NDArray[np.bool_]

    def tally(self, state: str = EVERYWHERE) -> Tally:
        """Counts of one state, or of all three."""
        inside = np.isin(self.state, list(STATES.values()) if state == EVERYWHERE else STATES[state])
        here = inside[self.links.released]
        return Tally(int(inside.sum()), int(here.sum()), int(self.right[here].sum()))


def read_people(shelf: Shelf) -> Values:
    """The columns of all householders of the three states."""
    names = [name for name in FIELDS if name != INCOME]
    table = pq.read_table(
        shelf.file(CENSUS), columns=[*names, "HINCP"], filters=[("STATE", "in", list(STATES.values()))]
    )
    # as numbers that stand for the values, which is all that matters to equal and unequal
    columns = {name: np.unique(table[name].to_numpy(), return_inverse=True)[1] for name in names}
    columns |= {"STATE": table["STATE"].to_numpy().astype(str), "AGEP": table["AGEP"].to_numpy().astype(np.int64)}
    income = np.nan_to_num(table["HINCP"].to_numpy().astype(np.float64))
    return columns | {INCOME: np.clip(income // BRACKET, 0, BRACKETS - 1).astype(np.int64)}


@dataclass(frozen=True, eq=False)
class Samples:
    """A survey and a list: the rows of their people in the census file, and what each of them shows."""

    surveyed: NDArray[np.intp]
    listed: NDArray[np.intp]
    survey: pa.Table
    public: pa.Table

    def link(self, columns: tuple[str, ...], missing: MissingInRecords = "value") -> Linking:
        """Link them by some common columns with the paper's limits."""
        survey = self.survey.select(columns)
        links = so.link_records(survey, self.public.select(columns), on=columns, missing=missing)
        right = self.surveyed[links.released] == self.listed[links.known]
        return Linking(links, self.survey["STATE"].to_numpy(), right)


def draw_samples(people: Values, way: Way, seed: int) -> Samples:
    """Draw a survey, and a list with errors."""
    rng = np.random.default_rng([seed, way.draw])
    surveyed, listed = draw_rows(len(people["STATE"]), way, rng)
    survey = pa.table({name: values[surveyed] for name, values in people.items()})
    public = copy_with_errors({name: values[listed] for name, values in people.items()}, way.errors, rng)
    return Samples(surveyed, listed, survey, public)


def draw_rows(everybody: int, way: Way, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows of the people in the survey, and of those on the list."""
    number = round(way.listed * everybody)
    surveyed = rng.choice(everybody, round(way.surveyed * everybody), replace=False)
    if not way.all_listed:
        return surveyed, rng.choice(everybody, number, replace=False)
    others = np.setdiff1d(np.arange(everybody), surveyed)
    more = rng.choice(others, number - len(surveyed), replace=False)
    return surveyed, rng.permutation(np.concatenate([surveyed, more]))


def copy_with_errors(listed: Values, errors: float, rng: np.random.Generator) -> pa.Table:
    """The list with a share of wrong and missing values in each column except the state.

    A wrong age is a year off; any other wrong value is that of someone else on the list in the same state.
    """
    states = [np.flatnonzero(listed["STATE"] == code) for code in STATES.values()]
    copies = {"STATE": pa.array(listed["STATE"])}
    for name, values in listed.items():
        if name != "STATE":
            chance = rng.random(len(values))
            other = _a_year_off(values, rng) if name == "AGEP" else _of_someone_else(values, states, rng)
            copies[name] = pa.array(
                np.where(chance < errors / 2, other, values), mask=(chance >= errors / 2) & (chance < errors)
            )
    return pa.table(copies)


def _a_year_off(ages: Integers, rng: np.random.Generator) -> Integers:
    return np.asarray(ages + rng.choice([-1, 1], len(ages)))


def _of_someone_else(values: Integers, groups: Sequence[Indices], rng: np.random.Generator) -> Integers:
    """The values of each group of rows in another order."""
    others = values.copy()
    for rows in groups:
        others[rows] = values[rng.permutation(rows)]
    return others
