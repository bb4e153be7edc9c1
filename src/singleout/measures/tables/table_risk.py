"""The risk of a table: how many records share a combination of known values, on average and for those worst off.

Within the file everything is exact: the file is counted, nothing is drawn. A prosecutor knows that the person is in the
file and looks for a record: the maximum risk is that of the smallest class. A marketer is content with many: the
average risk is the number of classes by the number of records. A journalist looks for anyone of the population: that
needs a survey weight or the size of the population, and is an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices, Integers
from singleout.ground.errors import bad_argument
from singleout.ground.names import MissingInTable
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, NoteDict, number_of
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, CountOrNone, FieldsOf, NotNegative, Positive, Share
from singleout.ground.text_tables import align_rows
from singleout.measures.intervals import EstimateDict
from singleout.measures.tables.diversity import Diversity, Sensitive, diversity
from singleout.measures.tables.population import PopulationRisk, population_of, weights_of
from singleout.measures.tables.suda import Suda, suda
from singleout.measures.tables.wildcards import matching_records
from singleout.reading.columns import Column, Rows, as_rows
from singleout.reading.tables import Table, check_table
from singleout.statistics.partitions import partition_by

SHOWN_BELOW = (2, 3, 5, 11, 20)
"""The numbers of records that rules of statistical offices ask to share a combination."""
MISSING: tuple[MissingInTable, ...] = get_args(MissingInTable)
LARGEST_UNIQUE = 3


class PopulationDict(EstimateDict):
    """The average risk in the population that the file is a sample of."""

    people: NotNegative
    maximum: Annotated[Share, "The risk of the record that is worst off."]


class TableRiskDict(TypedDict):
    """How many records share a combination of known values, on average and at worst."""

    columns: list[str]
    records: Count
    k: Annotated[Positive, "The least number of records that share a combination."]
    unique: Count
    below: Annotated[dict[str, Count], "Records whose combination fewer than this many records share."]
    average: Share
    maximum: Share
    diversity: list[Annotated[dict[str, Any], FieldsOf(Diversity)]]
    population: PopulationDict | None
    notes: list[NoteDict]


class LimitedTableRiskDict(TableRiskDict):
    """How many records share a combination of known values, and how many are above the risk limit."""

    above_limit: Annotated[CountOrNone, "Records whose own risk is above the risk limit; null where none was set."]


@dataclass(frozen=True, eq=False)
class TableRisk(Tabular):
    """How many records share the known values of each row (``sizes``, in the order of the file), and what follows.

    A row is a record, or stands for several equal ones: ``times``. ``label`` is the class of each. ``diversity`` has l
    and t of each sensitive column, ``population`` the estimate for the population, if there is one, and ``suda`` how
    few columns single out a record, if asked for.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.table_risk(table, known_columns=["area", "region"])
    >>> found.below(20)
    32
    """

    columns: tuple[str, ...]
    sizes: Indices
    label: Indices
    diversity: tuple[Diversity, ...] = ()
    population: PopulationRisk | None = None
    suda: Suda | None = None
    notes: tuple[Note, ...] = ()
    times: Integers | None = None

    @property
    def rows(self) -> Rows:
        """The rows of the table, and how many records each stands for."""
        return Rows(len(self.sizes), self.times)

    @property
    def records(self) -> int:
        """All records."""
        return self.rows.records

    @property
    def classes(self) -> int:
        """Different combinations of known values."""
        return int(self.label.max(initial=-1)) + 1

    @property
    def k(self) -> int:
        """The least number of records that share a combination of known values."""
        return int(self.sizes.min())

    @property
    def unique(self) -> int:
        """Records that are alone with their combination."""
        return self.below(2)

    @property
    def average(self) -> float:
        """The share of records re-identified by guessing among indistinguishable ones; exact."""
        # by size, so that a share such as 50 in 1,000 is not a little more
        sizes, records = self.rows.by_value(self.sizes)
        return float((records / sizes).sum() / self.records)

    @property
    def maximum(self) -> float:
        """How likely the record that is worst off is to be re-identified; exact."""
        return 1.0 / self.k

    def below(self, k: int) -> int:
        """Records whose combination fewer than k records share."""
        return self.rows.of(self.sizes < k)

    def above(self, limit: float) -> int:
        """Records whose own risk is above a limit."""
        return self.rows.of(1.0 / self.sizes > limit * (1 + 1e-12))

    def to_dict(self) -> TableRiskDict:
        """Counts and risks of the whole table; no single records."""
        among = self.population
        return {
            "columns": list(self.columns),
            "records": self.records,
            "k": self.k,
            "unique": self.unique,
            "below": {str(k): self.below(k) for k in SHOWN_BELOW},
            "average": self.average,
            "maximum": self.maximum,
            "diversity": [vars(each) for each in self.diversity],
            "population": None if among is None else _among(among),
            "notes": [note.to_dict() for note in self.notes],
        }

    def to_arrow(self) -> pa.Table:
        """One row per record, in the order of the file: class size, risk, estimate for the population, SUDA scores.

        Of a table of distinct rows, one per distinct row, with the number of its records.
        """
        columns: dict[str, NDArray[Any]] = {"row": np.arange(len(self.sizes))}
        columns |= {} if self.times is None else {"records": self.times}
        columns |= {"class_size": self.sizes, "risk": 1.0 / self.sizes}
        if self.population is not None:
            columns |= {"population": self.population.expected, "population_risk": self.population.risks}
        if self.suda is not None:
            columns |= {"suda": self.suda.scores}
            columns |= {} if self.suda.dis is None else {"dis_suda": self.suda.dis}
        return pa.table(columns)

    def __str__(self) -> str:
        by = ", ".join(self.columns)
        lines = [f"{number_of(self.records, 'records')} by {by}: k = {self.k:,}."]
        rows = [(f"fewer than {k}", self.below(k), percent(self.below(k) / self.records)) for k in SHOWN_BELOW]
        lines += align_rows(rows, "share a combination with:<", "records:>,", "share:>", indent=2)
        lines.append(
            f"Average risk {percent(self.average)} (marketer), maximum risk {percent(self.maximum)} (prosecutor), "
            "both exact."
        )
        if self.population is not None:
            lines.append(f"In a population of {self.population.population:,.0f}: {self.population.rate.in_words()}.")
        lines += [
            f"{each.column}: l = {each.distinct} (entropy {each.entropy:.2f}), t = {each.t:.3f}; "
            f"{number_of(each.revealed, 'records')} in classes with a single value."
            for each in self.diversity
        ]
        return "\n".join(lines)

    __repr__ = __str__


def _among(found: PopulationRisk) -> PopulationDict:
    return {"people": found.population, "maximum": float(found.risks.max()), **found.rate.to_dict()}


def table_risk(
    table: Table,
    *,
    known_columns: Sequence[str],
    sensitive: Sequence[str] = (),
    population: int | None = None,
    missing: MissingInTable = "value",
    scores: bool = False,
    progress: bool | None = None,
) -> TableRisk:
    """Count how many records share each record's known values, and what they reveal about sensitive columns.

    Parameters
    ----------
    table
        A table of ``so.read_table``.
    known_columns
        Columns that the intruder knows.
    sensitive
        Columns whose values must not be revealed: their l-diversity and t-closeness are measured.
    population
        The number of people that the file is a sample of, if it has no survey weight.
    missing
        "value": a missing value is a value of its own. "any": it agrees with every value, as suited to files in which
        single cells were suppressed; an intruder who knows which cells may do better.
    scores
        Also compute SUDA scores, of up to three columns, and DIS-SUDA where the population is known.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    TableRisk
        Class sizes, and what follows from them.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> found = so.table_risk(table, known_columns=["area", "region", "home"])
    >>> found.k, found.unique
    (4, 0)
    """
    check_table("table_risk", table)
    names = table.check_columns("table_risk", "known_columns", known_columns)
    kept = table.check_columns("table_risk", "sensitive", sensitive, empty=True)
    both = [name for name in kept if name in names]
    if both:
        raise bad_argument("table_risk", "sensitive", "columns that are not in known_columns", both[0])
    if missing not in MISSING:
        raise bad_argument("table_risk", "missing", f"one of {', '.join(MISSING)}", missing)
    columns, hidden = table.encode_rows(names, progress=progress), table.encode_rows(kept, progress=progress)
    weighted = table.survey_weight is not None or population is not None
    weights = weights_of(table, population) if weighted else None
    found = risk_of_columns(columns, hidden, table.rows, weights, missing=missing)
    few = None
    if scores and len(names) > 1:
        share = None if weights is None else min(1.0, len(table) / table.rows.total(weights))
        few = suda(table, columns=names, max_size=LARGEST_UNIQUE, sampling_fraction=share, progress=progress)
    return replace(found, suda=few, notes=table.notes_on(names) + found.notes)


def risk_of_columns(
    columns: Sequence[Column],
    sensitive: Sequence[Column],
    rows: Rows | int,
    weights: Floats | None = None,
    *,
    missing: str = "value",
    confidence_level: float = 0.95,
) -> TableRisk:
    """The same for columns as codes; ``weights`` are the people that each record of a row stands for, in a sample."""
    names, times = tuple(column.name for column in columns), as_rows(rows).times
    groups = partition_by(columns, rows)
    of_class = groups.sizes
    label = groups.spread(np.arange(len(of_class), dtype=np.intp))
    sizes = of_class[label] if missing == "value" else matching_records(columns, label, of_class)
    among = None if weights is None or not columns else population_of(names, columns, weights, confidence_level)
    each = tuple(diversity(label, Sensitive.of(column), times) for column in sensitive)
    notes = () if among is None else among.notes
    return TableRisk(names, sizes.astype(np.intp), label, each, among, notes=notes, times=times)
