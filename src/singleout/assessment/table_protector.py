"""Protections of one table under any limits: search, write the file, read it again and measure it there."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.assessment.protected_file import ProtectedTable
from singleout.assessment.table_limits import AVERAGE, TableLimits
from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, InputError, bad_argument, is_number, unknown_name
from singleout.ground.lazy import cached_property
from singleout.ground.leftovers import WorkingFolder
from singleout.ground.notes import Note, nonzero
from singleout.measures.tables.diversity import Sensitive
from singleout.measures.tables.population import weights_of
from singleout.measures.tables.table_risk import TableRisk, risk_of_columns
from singleout.protection.column_levels import Level
from singleout.protection.lattice import Combinations, Lattice
from singleout.protection.lattice_limits import FileLimits, Population
from singleout.protection.lattice_losses import LOSSES, loss_named
from singleout.protection.level_choices import choose_levels
from singleout.protection.released_file import release_name, sort_rows, type_like, write_columns
from singleout.protection.table_changes import TableChange, average, least_k, recode, suppress
from singleout.reading.columns import Column, Rows
from singleout.reading.database import quote
from singleout.reading.tables import Table, canonical, read_table, with_records

FUNCTION = "protect_table"
ATTEMPTS = 6
"""How often a search in the population is repeated with a stricter limit, if the file turns out to be above it."""
LEVEL = 0.95
RECORDS = "singleout_records"
"""The column of a file of distinct rows that says how many records each stands for."""


@dataclass(eq=False)
class TableProtector:
    """Protections of one table, under any limits; what they share is prepared once."""

    table: Table
    names: tuple[str, ...]
    sensitive: tuple[str, ...]
    hierarchies: dict[str, Any] = field(default_factory=dict)
    recode: dict[str, Any] = field(default_factory=dict)
    loss: str = "entropy"
    importance: dict[str, float] = field(default_factory=dict)
    population: int | None = None
    progress: bool | None = None

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise unknown_name(FUNCTION, "loss", str(self.loss), LOSSES)
        for argument in ("hierarchies", "recode", "importance"):
            foreign = [name for name in getattr(self, argument) if name not in self.names]
            if foreign:
                raise bad_argument(FUNCTION, argument, "for columns in known_columns", foreign[0])
        both = [name for name in self.recode if name in self.hierarchies]
        if both:
            raise InputError(f"give either `recode` or `hierarchies` for {both[0]!r}.", function=FUNCTION)
        if any(not is_number(each) or each < 0 for each in self.importance.values()):
            raise bad_argument(FUNCTION, "importance", "numbers of 0 or more", "a negative number")
        if self.importance and self.loss not in ("entropy", "per-column"):
            raise InputError("`importance` requires `loss=entropy` or `loss=per-column`.", function=FUNCTION)

    # PREPARE

    @cached_property
    def known(self) -> list[Column]:
        """The known columns."""
        return self.table.encode_rows(self.names, progress=self.progress)

    @cached_property
    def hidden(self) -> list[Column]:
        """The sensitive columns."""
        return self.table.encode_rows(self.sensitive, progress=self.progress)

    @cached_property
    def weights(self) -> Floats | None:
        """The people that each record of a row stands for; None if the file is all there is."""
        if self.table.survey_weight is None and self.population is None:
            return None
        return weights_of(self.table, self.population)

    @cached_property
    def before(self) -> TableRisk:
        """The table as it is."""
        return risk_of_columns(self.known, self.hidden, self.table.rows, self.weights)

    @cached_property
    def levels(self) -> list[list[Level]]:
        """The levels of each known column."""
        return choose_levels(self.known, self.recode, self.hierarchies)

    @cached_property
    def lattice(self) -> Lattice:
        """All combinations of them, over the combinations of values that there are."""
        table = Combinations.of([*self.known, *self.hidden], self.table.rows)
        return Lattice(table, [[level.codes for level in each] for each in self.levels])

    # CHANGE

    def protect(self, limits: TableLimits, method: str = "recode", max_suppressed: float = 0.0) -> ProtectedTable:
        """Search, write, read again and measure."""
        self.table.rows.check_single()
        found = self.write(self.settle(limits, method, max_suppressed)[0], limits)
        if limits.faults(found.risk):
            raise DataError(f"the file does not meet {limits.in_words()}.", function=FUNCTION)
        return found

    def settle(
        self, limits: TableLimits, method: str = "recode", max_suppressed: float = 0.0
    ) -> tuple[TableChange, TableRisk]:
        """A change that meets limits, and the risk it leaves; searched again if the estimate is above the limit."""
        strictness = 1.0
        for _ in range(ATTEMPTS):
            change = self.change(limits, method, max_suppressed, strictness)
            risk = self.measure(change)
            if not limits.faults(risk):
                return change, risk
            strictness *= 0.95 * min(1.0, (limits.max_risk or 1.0) / limits.measured(risk))
        raise DataError(f"no change was found that meets {limits.in_words()}.", function=FUNCTION)

    def change(
        self, limits: TableLimits, method: str = "recode", max_suppressed: float = 0.0, strictness: float = 1.0
    ) -> TableChange:
        """The least destructive change of a kind that meets limits."""
        if not is_number(max_suppressed) or not 0 <= max_suppressed < 1:
            must = "a share of the records, from 0 to below 1"
            raise bad_argument(FUNCTION, "max_suppressed", must, max_suppressed)
        if method == "recode":
            return self._recode(limits, max_suppressed, strictness)
        k = limits.least_class(in_population=False)
        if limits.max_risk is not None and limits.risk == AVERAGE:
            k = max(k, ceil(1 / (limits.max_risk * strictness)))
        if method == "microaggregate":
            rows = self.table.rows.single()
            return average([column.at(rows) for column in self.known], k, self.progress, rows)
        return self._suppress(limits, k, strictness)

    def _suppress(self, limits: TableLimits, most: int, strictness: float) -> TableChange:
        """Cells; for an average risk, or one in the population, with the smallest k that is enough."""
        table = Combinations.of(self.known, self.table.rows)
        if limits.max_risk is None or (limits.risk != AVERAGE and self.weights is None):
            return suppress(self.known, table, most, self.progress)
        limit = limits.max_risk * strictness

        def is_enough(k: int) -> bool:
            """Whether the risk is met with this k."""
            return limits.measured(self.measure(suppress(self.known, table, k, False))) <= limit

        return suppress(self.known, table, max(least_k(is_enough, most), limits.k or 1), self.progress)

    def _recode(self, limits: TableLimits, max_suppressed: float, strictness: float) -> TableChange:
        importance = [float(self.importance.get(name, 1.0)) for name in self.names]
        loss = loss_named(self.loss, self.lattice, importance)
        wanted = self._file_limits(limits, floor(max_suppressed * len(self.table)), strictness)
        change = recode(self.known, self.lattice, self.levels, wanted, loss, self.progress)
        if change is None:
            problem = f"not even the coarsest levels of all known columns meet {limits.in_words()}."
            raise DataError(problem, function=FUNCTION)
        return change

    def _file_limits(self, limits: TableLimits, most_left_out: int, strictness: float) -> FileLimits:
        table, inside = self.lattice.table, self.weights is not None
        sensitive = tuple(
            Sensitive.of(column, table.codes[:, len(self.names) + number]) for number, column in enumerate(self.hidden)
        )
        among = None
        if limits.max_risk is not None and self.weights is not None:
            rows = self.table.rows
            effective = rows.total(self.weights) ** 2 / rows.total(self.weights**2)
            people = self.weights if rows.times is None else self.weights * rows.times
            combined = np.asarray(np.bincount(table.of_row, people), dtype=np.float64)
            among = Population(combined, effective, limits.max_risk * strictness, LEVEL, limits.risk == AVERAGE)
        return FileLimits(
            k=limits.least_class(inside),
            mean_risk=limits.mean_risk(inside),
            l=limits.l or 1,
            t=1.0 if limits.t is None else limits.t,
            sensitive=sensitive,
            most_left_out=most_left_out,
            population=among,
        )

    # MEASURE

    def measure(self, change: TableChange) -> TableRisk:
        """The risk of the table as it would be written, counted without writing it."""
        chosen = np.flatnonzero(change.kept)
        rows = change.rows.take(chosen)
        after = [
            _as_column(each.column.name, each.after[chosen], rows)
            for each in change.columns
            if not each.level.is_left_out
        ]
        hidden = [column.at(rows) for column in self.hidden]
        weights = None if self.weights is None else self._remaining(self.weights, rows)
        return risk_of_columns(after, hidden, rows, weights)

    def _remaining(self, weights: Floats, rows: Rows) -> Floats:
        """Those of a file without some records: a survey keeps its weights, a sample the size of its population."""
        left = weights if rows.index is None else weights[rows.index]
        return left if self.population is None else left * (len(self.table) / rows.records)

    def write(self, change: TableChange, limits: TableLimits) -> ProtectedTable:
        """Write the file, a row for each record, read it again and measure it."""
        repeated = Rows(int(change.kept.sum()), change.rows.take(np.flatnonzero(change.kept)).times).single()
        changed = self._apply(change)
        # the order of the input may follow a known column, or a list of names that someone else has
        written = sort_rows(changed if repeated.index is None else changed.take(repeated.index))
        source = self.table.source
        separator = "," if source.text is None else source.text.separator
        name = release_name(type_like(source.files))
        risk = self._measure_as_file(written, name, separator)
        gone = Note(change.left_out, "records left out of the file", "their combinations of known values are rare")
        notes = (*self.table.notes_on(self.table.columns), *nonzero(gone, *self._warnings()))
        return ProtectedTable(written, change, self.before, risk, limits, change.margins(), separator, name, notes)

    def confirm(self, change: TableChange) -> TableRisk:
        """The risk measured on a file: of distinct rows, with the number of their records, where these came."""
        times = change.rows.take(np.flatnonzero(change.kept)).times
        if times is None:
            return self.write(change, TableLimits()).risk
        counted = self._apply(change).append_column(RECORDS, pa.array(times))
        return self._measure_as_file(counted, release_name(".parquet"), ",", RECORDS)

    def _apply(self, change: TableChange) -> pa.Table:
        """The rows that are kept, as they are written."""
        source, kinds = self.table.source, self.table.source.column_types
        released = [name for name in kinds if name in (*self.table.columns, self.table.survey_weight)]
        # what was counted as equal must be equal in the file
        chosen = ", ".join(
            f"{canonical(quote(name), kinds[name])} AS {quote(name)}" if name in self.names else quote(name)
            for name in released
        )
        rows = source.query(
            f"SELECT {chosen} FROM {source.relation}", function=FUNCTION, label="reading rows", progress=self.progress
        )
        return change.apply(rows)

    def _warnings(self) -> list[Note]:
        """What the file says about people besides their known columns."""
        others = len(self.table.columns) - len(self.names)
        more = "released unchanged; what follows from a known column would undo its protection"
        weight = "it is released as it is; a weight that few records have points at them"
        return [
            Note(others, "columns besides the known ones", more),
            Note(self.table.survey_weight is not None, "column with the survey weight", weight),
        ]

    def _measure_as_file(self, written: pa.Table, name: str, separator: str, records: str | None = None) -> TableRisk:
        """What is found in the file, once it is written and read again; ``records`` names a column of their numbers."""
        with WorkingFolder() as folder:
            path = Path(folder) / name
            write_columns(written, path, separator)
            table = read_table(path, survey_weight=self.table.survey_weight)
            return self._measure_file(table if records is None else with_records(table, records))

    def _measure_file(self, table: Table) -> TableRisk:
        left = [name for name in self.names if name in table.columns]
        weights = None if self.weights is None else weights_of(table, self.population)
        found = risk_of_columns(table.encode_rows(left), table.encode_rows(self.sensitive), table.rows, weights)
        classes = found.rows.count(found.label, found.classes)
        if left and _count_in_file(table, left) != sorted(classes.tolist()):
            raise DataError("the file would tell apart records that were counted as equal.", function=FUNCTION)
        return found


def _as_column(name: str, codes: Indices, rows: Rows) -> Column:
    """Codes with no gaps between them."""
    there, plain = np.unique(codes, return_inverse=True)
    return Column(name, plain.astype(np.int32), np.arange(len(there)), any_missing=False, times=rows.times)


def _count_in_file(table: Table, columns: list[str]) -> list[int]:
    """How many records have each combination, by the values as they stand in the file."""
    by = ", ".join(quote(name) for name in columns)
    sql = f"SELECT {table.source.count_sql()} AS n FROM {table.source.relation} GROUP BY {by}"
    return sorted(table.source.query(sql, function=FUNCTION, label="measuring the file")["n"].to_pylist())
