"""How many people of the population share a record's values: the risk of a sample, not of the file.

A record that is unique in a sample of one in a hundred is shared by far fewer than a hundred people if its values are
rare. Models say by how many. The tree (Skinner and Holmes; Skinner and Shlomo): counts in the population are
Poisson with means of a log-linear model whose pairs of columns form a tree (Chow and Liu). Benedetti and Franconi: the
number in the population is negative binomial, given the number in the sample and the sum of their weights. The
Pitman-Yor law, which knows class sizes only, is shown alongside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import expit, hyp2f1, logit, ndtri

from singleout.ground.arrays import Floats, Indices, Integers
from singleout.ground.errors import DataError, bad_argument, check_level, check_seed, is_number
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, nonzero
from singleout.ground.numbers import percent
from singleout.measures.extrapolation import extrapolate_classes
from singleout.measures.intervals import Estimate
from singleout.measures.tables.population_tree import expected_counts, people_of, rest_of_population, tree_risks
from singleout.reading.columns import Column, Rows
from singleout.reading.tables import Table, check_table
from singleout.statistics.partitions import partition_by

LARGE = 200_000
"""Above this many records which of them were drawn matters far less than the error of the model."""
GROUPS = 10
"""The interval comes from leaving out one tenth of the records at a time."""
MODEL_ERROR = 0.25
"""How far the tree is off, as a standard deviation of its log-odds, beyond which records were drawn."""
MOST_SEEN_ONCE = 0.02
"""Where more records than this have a value of a column to themselves, shares in the sample say too little."""
LARGEST_POPULATION = 10**12
SERIES_ABOVE = 50
"""For classes larger than this a few terms of a series are exact, where the library function overflows."""
TERMS = 60
SMALLEST = 1e-12


@dataclass(frozen=True)
class MethodRisk:
    """What one model says: mean risk, sample uniques that would be re-identified, and population uniques among them."""

    method: str
    mean: float
    unique_right: float | None
    population_unique: float | None


@dataclass(frozen=True, eq=False)
class PopulationRisk(Tabular):
    """The risk of every record if the intruder does not know who is in the sample.

    ``rate`` is the mean risk by the tree, with an interval; ``rows`` are all models side by side. Of each row of the
    table, which is a record or stands for several (``times``): ``sizes`` is how many records of the file share its
    values, ``expected`` how many people of the population do on average by the tree, and ``risks`` the mean of one by
    that number.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.population_risk(table, columns=["area"], population=10_000)
    >>> [row.method for row in found.rows]
    ['tree', 'Benedetti-Franconi', 'Pitman-Yor']
    """

    columns: tuple[str, ...]
    population: float
    rate: Estimate
    rows: tuple[MethodRisk, ...]
    sizes: Indices
    expected: Floats
    risks: Floats
    individual_risks: Floats
    """Of Benedetti and Franconi."""
    notes: tuple[Note, ...] = ()
    times: Integers | None = None

    @property
    def records(self) -> int:
        """All records."""
        return Rows(len(self.sizes), self.times).records

    @property
    def unique(self) -> int:
        """Records that are unique in the file."""
        return int(np.count_nonzero(self.sizes == 1))

    def to_arrow(self) -> pa.Table:
        """One row per record, in the order of the file; of distinct rows with the number of their records."""
        return pa.table(
            {
                **({} if self.times is None else {"records": self.times}),
                "sample": self.sizes,
                "population": self.expected,
                "risk": self.risks,
                "benedetti_franconi": self.individual_risks,
            }
        )

    def in_words(self) -> str:
        """The estimate in two sentences."""
        tree = self.rows[0]
        return (
            f"Mean risk in the population: {self.rate.in_words()}. Of {self.unique:,} records that are unique here, "
            f"about {tree.unique_right or 0:,.0f} would be re-identified and {tree.population_unique or 0:,.0f} are "
            "unique in the population."
        )

    def __str__(self) -> str:
        first = f"{self.records:,} records for a population of {self.population:,.0f}, by {', '.join(self.columns)}."
        return "\n".join([first, self.in_words(), *(f"{row.method}: {percent(row.mean)}" for row in self.rows[1:])])

    __repr__ = __str__


def population_risk(
    table: Table,
    *,
    columns: Sequence[str],
    population: int | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    progress: bool | None = None,
) -> PopulationRisk:
    """Estimate how likely a link to each record is to be right, if the file is a sample of a population.

    Records count by the survey weight that ``read_table`` was given, or all the same for a ``population`` of this many
    people. Missing counts as a value. The interval covers which records were drawn (one tenth of them is left out at a
    time) and how far the model is off on census data, where the truth is known (benchmarks/population.py). Where many
    values are those of one record only, no model can tell how many people have them: a note says so, and the interval
    reaches up to the risk within the file.

    Parameters
    ----------
    table
        A table of ``so.read_table``.
    columns
        Columns that the intruder knows.
    population
        The number of people in the population; None: the sum of the survey weights.
    confidence_level
        Confidence level of the interval.
    seed
        Seed for everything random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    PopulationRisk
        The estimate, by three methods.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.population_risk(table, columns=["area", "region"], population=10_000)
    >>> found.rate
    Estimate(0.10% [0.06%, 0.16%] of 500)
    """
    check_table("population_risk", table)
    names = table.check_columns("population_risk", "columns", columns)
    check_level("population_risk", confidence_level)
    check_seed("population_risk", seed)
    encoded = table.encode_rows(names, progress=progress)
    weights = weights_of(table, population)
    found = population_of(names, encoded, weights, confidence_level, seed)
    return replace(found, notes=table.notes_on(names) + found.notes)


def population_of(
    names: tuple[str, ...], columns: Sequence[Column], weights: Floats, confidence_level: float = 0.95, seed: int = 0
) -> PopulationRisk:
    """The same for columns as codes, and the number of people that each record of a row stands for."""
    in_table = columns[0].times
    columns, weights, of_row = _combine(columns, weights)
    rows = columns[0].rows
    groups = partition_by(columns, rows)
    sizes = groups.spread(groups.sizes)
    expected = expected_counts(columns, weights)
    risks = tree_risks(sizes, expected, weights)
    individual = individual_risks(columns, sizes, weights)
    rate = _interval(columns, weights, _mean(risks, rows), confidence_level, seed)
    doubtful = [column.name for column in columns if _seen_once(column) > MOST_SEEN_ONCE]
    if doubtful:
        # values that nobody else in the sample has may be unique in the population, or common
        rate = replace(rate, low=min(rate.low, _mean(individual, rows)), high=_mean(1 / sizes, rows))
    rest = rest_of_population(expected, weights)
    alone = sizes == 1
    total = float(people_of(columns, weights).sum())
    law = extrapolate_classes(groups.sizes, round(total))
    models = (
        MethodRisk("tree", _mean(risks, rows), float(risks[alone].sum()), float(np.exp(-rest[alone]).sum())),
        MethodRisk("Benedetti-Franconi", _mean(individual, rows), float(individual[alone].sum()), None),
        *(() if law is None else (MethodRisk("Pitman-Yor", law, None, None),)),
    )
    each = sizes[of_row], (sizes + rest)[of_row], risks[of_row], individual[of_row]
    return PopulationRisk(names, total, rate, models, *each, _notes(doubtful), in_table)


def _combine(columns: Sequence[Column], weights: Floats) -> tuple[list[Column], Floats, Indices]:
    """Rows that differ, with their numbers of records, and which of them each row is.

    They are in an order that does not depend on the file's, so that sums do not either.
    """
    keys: list[NDArray[Any]] = [weights, *(column.codes for column in columns)]
    order = np.lexsort(keys)
    differs = np.zeros(len(order), dtype=bool)
    differs[:1] = True
    for key in keys:
        differs[1:] |= key[order[1:]] != key[order[:-1]]
    first = order[differs]
    of_row = np.empty(len(order), dtype=np.intp)
    of_row[order] = np.cumsum(differs) - 1
    rows = Rows(len(first), columns[0].rows.count(of_row, len(first)), first)
    return [column.at(rows) for column in columns], weights[first], of_row


def _mean(values: Floats, rows: Rows) -> float:
    """Over all records."""
    return float(values.mean()) if rows.times is None else float(values @ rows.times) / rows.records


def _seen_once(column: Column) -> float:
    """Share of the records whose value nobody else has."""
    return float((column.counts == 1).sum()) / max(column.records, 1)


def _notes(doubtful: list[str]) -> tuple[Note, ...]:
    named = ", ".join(doubtful)
    why = "nothing says how common these are in the population, so the interval reaches up to the risk within the file"
    return nonzero(Note(len(doubtful), f"columns with many values that only one record has ({named})", why))


def weights_of(table: Table, population: int | None) -> Floats:
    """The number of people that each record of a row stands for, by its survey weight or the same for all."""
    if table.survey_weights is not None:
        if population is not None:
            raise bad_argument("population_risk", "population", "omitted if records have survey weights", population)
        weights = table.survey_weights
        total = table.rows.total(weights)
        if not len(table) <= total <= LARGEST_POPULATION:
            problem = f"the survey weights add up to {total:,.4g} people for {len(table):,} records"
            hint = "Each must be the number of people that a record stands for; normalised weights are not."
            raise DataError(f"{problem}. {hint}", function="population_risk")
        return weights
    if population is None:
        hint = "Give read_table a survey_weight, or give population=…"
        raise DataError(
            f"without survey weights the size of the population is needed. {hint}", function="population_risk"
        )
    if not is_number(population) or not len(table) <= population <= LARGEST_POPULATION:
        must = f"from the {len(table):,} records to {LARGEST_POPULATION:,}"
        raise bad_argument("population_risk", "population", must, population)
    return np.full(table.rows.number, population / len(table))


def class_sizes(columns: Sequence[Column], rows: Rows | int) -> Indices:
    """How many records share each row's values."""
    groups = partition_by(columns, rows)
    return groups.spread(groups.sizes)


# BENEDETTI and FRANCONI


def individual_risks(columns: Sequence[Column], sizes: Indices, weights: Floats) -> Floats:
    """The mean of 1 / F if F is negative binomial with f records and probability f / (sum of their weights)."""
    groups = partition_by(columns, columns[0].rows)
    represented = groups.spread(np.add.reduceat(people_of(columns, weights)[groups.order], np.r_[0, groups.ends[:-1]]))
    probability = sizes / np.maximum(represented, sizes)
    return np.asarray(probability / sizes * _mean_series(sizes.astype(np.float64), 1 - probability))


def _mean_series(sizes: Floats, rest: Floats) -> Floats:
    """Gauss's hypergeometric function of 1, 1; f + 1 at a rest below one."""
    large = sizes > SERIES_ABOVE
    found = np.empty(len(sizes))
    found[~large] = hyp2f1(1, 1, sizes[~large] + 1, rest[~large])
    term = total = np.ones(int(large.sum()))
    for k in range(1, TERMS):
        term = term * k * rest[large] / (sizes[large] + k)
        total = total + term
    found[large] = total
    return found


# THE INTERVAL


def risk_of_classes(
    columns: Sequence[Column], sizes: Indices, weights: Floats, effective: float, confidence_level: float
) -> tuple[float, float]:
    """The upper end of the mean risk, and the greatest, from one row per class: its records and the people they are.

    The interval covers the error of the model only; which records were drawn matters far less.
    """
    risks = tree_risks(sizes, expected_counts(columns, weights, effective), weights / sizes)
    mean = float(sizes @ risks / sizes.sum())
    upper = 1.0 if mean >= 1 else float(expit(logit(mean) + ndtri(0.5 + confidence_level / 2) * MODEL_ERROR))
    return upper, float(risks.max())


def _interval(columns: Sequence[Column], weights: Floats, mean: float, confidence_level: float, seed: int) -> Estimate:
    """Delete-a-group jackknife of the log-odds, and the error of the model."""
    records = columns[0].records
    if mean >= 1:
        return Estimate(1.0, 1.0, 1.0, confidence_level, records)
    variance = MODEL_ERROR**2
    if records <= GROUPS:
        variance += 1.0 / (records * mean * (1 - mean))
    elif records <= LARGE:
        odds = logit(np.clip(_means_of_rests(columns, weights, seed), SMALLEST, 1 - SMALLEST))
        variance += (GROUPS - 1) / GROUPS * float(((odds - odds.mean()) ** 2).sum())
    half = float(ndtri(0.5 + confidence_level / 2) * np.sqrt(variance))
    low, high = (float(expit(logit(mean) + side * half)) for side in (-1, 1))
    return Estimate(mean, low, high, confidence_level, records)


def _means_of_rests(columns: Sequence[Column], weights: Floats, seed: int) -> list[float]:
    """The mean risk without each tenth of the records, drawn with the seed."""
    rows = columns[0].rows.single()
    row = np.arange(len(weights)) if rows.index is None else rows.index
    group = np.random.default_rng(seed).permutation(len(row)) % GROUPS
    rests = (np.bincount(row[group != left_out], minlength=len(weights)) for left_out in range(GROUPS))
    return [_mean_of(columns, weights, rest) for rest in rests]


def _mean_of(columns: Sequence[Column], weights: Floats, times: Integers) -> float:
    """The mean risk if only ``times`` records of each row had been drawn: each then stands for more people."""
    there = np.flatnonzero(times)
    rows = Rows(len(there), times[there], there)
    few = [column.at(rows) for column in columns]
    whole = float(people_of(columns, weights).sum())
    heavier = weights[there] * (whole / float(people_of(few, weights[there]).sum()))
    sizes = class_sizes(few, rows)
    return _mean(tree_risks(sizes, expected_counts(few, heavier), heavier), rows)
