"""The path for a table of records: read, group by what is known, measure, protect, tell."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from singleout._audit_options import AuditOptions
from singleout._audit_trials import curve_of_people, limit_of, untold
from singleout.ground.errors import DataError, InputError, SourceError
from singleout.ground.notes import Note
from singleout.ground.progress import stage
from singleout.measures.homogeneity import agreements
from singleout.measures.intervals import Estimate, wilson
from singleout.measures.isolation import Vulnerability
from singleout.measures.suda import suda
from singleout.measures.uniqueness import Uniqueness, uniqueness
from singleout.measures.vulnerability import vulnerability
from singleout.protection.recoding import Recoding, entropy, recodings
from singleout.reading.roles import signs_of_events
from singleout.reading.tables import Column, Table, read_table
from singleout.report.audit import (
    AtRisk,
    Attempt,
    Audit,
    Cause,
    Curve,
    Reason,
    Remedy,
    Size,
    Step,
    WorstOff,
    about,
    at_least,
    guessed,
)
from singleout.report.audit_words import assumptions_of_tables, tests_of_tables
from singleout.report.model import share
from singleout.statistics.partitions import partition_by

REASONS = 3
LARGEST_UNIQUE = 3
"""Columns of a special unique that are looked at."""


def audit_table(source: Any, options: AuditOptions, label: str, progress: bool | None) -> Audit:
    """Measure how many records can be picked out by whoever knows some of their columns."""
    if not options.known_columns:
        raise InputError("audit: known_columns must name at least one column that the intruder knows.")
    return _Records(source, options, progress).audited(label)


@dataclass(frozen=True, eq=False)
class _Records:
    """An audit of a table, stage by stage; every stage is worked out once, when it is first asked for."""

    source: Any
    options: AuditOptions
    progress: bool | None

    def audited(self, label: str) -> Audit:
        """All stages, in the order of the path."""
        return Audit(
            kind="table",
            label=label,
            synthetic=False,
            released=Size(len(self.table), columns=len(self.table.columns)),
            known=None,
            attempts=self.attempts,
            curves=tuple(curve for curve in (self.by_people, self.by_columns) if len(curve.steps) > 1),
            at_risk=self.at_risk,
            found=self.classes.single,
            causes=self.causes,
            remedies=self.remedies,
            sections=tests_of_tables(self.attempts, self.classes, self.added, agreements(self.table, self.known)),
            assumptions=assumptions_of_tables(self.known, len(self.table.columns)),
            notes=(*self._judged[1], *self.table.notes_on(self.table.columns), *untold(self.by_people, self.options)),
            asked=self.options.given(),
            limit=limit_of(self.options),
            gate=self.options.max_risk is not None,
            reveal=self.options.reveal,
            seed=self.options.seed,
            worst_off=WorstOff(
                int(self.classes.sizes[0]), self.classes.single, self.options.k, self.options.max_singled_out
            ),
        )

    # READ and GROUP

    @property
    def table(self) -> Table:
        """The records."""
        return self._judged[0]

    @cached_property
    def _judged(self) -> tuple[Table, tuple[Note, ...]]:
        """The records, and a note where they may be events."""
        options = self.options
        reading: dict[str, Any] = {"columns": options.columns, "drop": options.drop or (), "encoding": options.encoding}
        table = read_table(self.source, survey_weight=options.survey_weight, **reading)
        away = [name for name in self.known if name not in table.columns]
        if away:
            raise SourceError(f"audit: known_columns names what is not released: {', '.join(away)}.")
        if not len(table):
            raise DataError("audit: the table holds no records.")
        return table, () if options.one_row_per_person else _possible_events(table, options)

    @property
    def known(self) -> tuple[str, ...]:
        """The columns the intruder knows."""
        return self.options.known_columns or ()

    @cached_property
    def columns(self) -> list[Column]:
        """The same as codes."""
        return self.table.coded(self.known, progress=self.progress)

    @cached_property
    def classes(self) -> Uniqueness:
        """Records that look alike to the intruder."""
        return uniqueness(self.table, columns=self.known, progress=self.progress)

    # MEASURE

    @cached_property
    def added(self) -> Vulnerability | None:
        """What one more column adds; None where all are known."""
        if set(self.known) == set(self.table.columns):
            return None
        options: dict[str, Any] = {"strategy": "all", "add": 1, "seed": self.options.seed, "progress": self.progress}
        found = vulnerability(self.table, known_columns=list(self.known), **options)
        assert isinstance(found, Vulnerability)
        return found

    @cached_property
    def attempts(self) -> tuple[Attempt, ...]:
        """What is known, sure and by guessing among those alike; for comparison one column more, and all of them."""
        random, by = 1 / len(self.table), ", ".join(self.known)
        tried = [guessed(random, len(self.table), self.options.level)]
        tried.append(Attempt("known columns, alone", by, self._rate(self.classes.single), random, "sure to be found"))
        guess = "one of each class is guessed rightly"
        tried.append(Attempt("known columns", by, self._rate(len(self.classes.sizes)), random, guess))
        if self.added is not None:
            best = max(self.added.rows, key=lambda row: row.isolated).columns
            for name, more, detail in (
                ("one more column", best, "if it were known too"),
                ("all columns", tuple(self.table.columns), "if everything were known"),
            ):
                rate = self._rate(self._classes(self.table.coded(dict.fromkeys([*self.known, *more]))))
                which = ", ".join(more) if more is best else f"{len(more)} columns"
                tried.append(Attempt(name, which, rate, random, detail, False))
        return tuple(tried)

    def _rate(self, count: float) -> Estimate:
        return wilson(count, len(self.table), self.options.level)

    def _classes(self, columns: list[Column]) -> int:
        """Records that guessing among those alike names rightly, in the mean: one of each class."""
        return len(partition_by(columns, len(self.table)).ends)

    # HOW IT CHANGES

    @cached_property
    def by_people(self) -> Curve:
        """Fewer records; and many more, where a population was stated."""
        # drawn by content, not by place in the file
        ordered = np.lexsort([column.codes for column in self.columns])

        def rate_of(numbers: Any) -> float:
            rows = ordered[numbers]
            few = [Column(each.name, each.codes[rows], each.values, each.any_missing) for each in self.columns]
            return len(partition_by(few, len(rows)).ends) / len(rows)

        return curve_of_people(len(self.table), rate_of, self.options, "records")

    @cached_property
    def by_columns(self) -> Curve:
        """The known columns one after another, each time the one that tells most."""
        chosen: list[Column] = []
        left = list(self.columns)
        steps = []
        while left:
            counts = [self._classes([*chosen, column]) for column in left]
            best = int(np.argmax(counts))
            chosen.append(left.pop(best))
            steps.append(Step(len(chosen), self._rate(counts[best])))
        order = ", ".join(column.name for column in chosen)
        return Curve("columns", "Columns known", f"columns known, in this order: {order}", tuple(steps))

    # WHO and WHY

    @cached_property
    def at_risk(self) -> tuple[AtRisk, ...]:
        """The records that fewest columns single out, and the rarest of their values."""
        if len(self.known) < 2 or not self.options.listed:
            return ()
        scores = suda(self.table, columns=self.known, max_size=LARGEST_UNIQUE, progress=self.progress)
        order = np.argsort(-scores.scores, kind="stable")[: self.options.listed]
        return tuple(
            AtRisk(int(row), float(scores.scores[row]), self._reasons(int(row)), _fewest(scores.minimal[row]))
            for row in order
            if scores.scores[row] > 0
        )

    def _reasons(self, row: int) -> tuple[Reason, ...]:
        """Each column's part: the bits its value tells, the most first."""
        with_value = [int(column.counts[column.codes[row]]) for column in self.columns]
        bits = -np.log2(np.array(with_value) / len(self.table))
        whole = float(bits.sum()) or 1.0
        order, reveal = np.argsort(-bits, kind="stable")[:REASONS], self.options.reveal
        return tuple(
            Reason("column", about(float(bits[k]) / whole, reveal), at_least(with_value[k], reveal), self.known[k])
            for k in order
        )

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """Each known column: the share of those picked out who would not be without it."""
        whole = len(self.classes.sizes)
        found = []
        for number, column in enumerate(self.columns):
            without = self._classes([*self.columns[:number], *self.columns[number + 1 :]])
            left = f"without it {share(without / len(self.table))} are picked out"
            found.append(Cause(column.name, (whole - without) / whole, left))
        return tuple(sorted(found, key=lambda cause: -cause.share))

    # PROTECT

    @cached_property
    def remedies(self) -> tuple[Remedy, ...]:
        """Each known column made coarser by itself; several together, until the limit is met; and records emptied."""
        if not self.options.protect:
            return ()
        with stage("making columns coarser"):
            tried = [self._recoded([way]) for ways in self.ways.values() for way in ways]
        if all(remedy.rate.high > limit_of(self.options) for remedy in tried):
            tried += self._several()
        return _marked([*tried, *map(self._emptied, (2, 5, 10, round(1 / limit_of(self.options))))])

    def _emptied(self, least: int) -> Remedy:
        """Nothing is released of the known columns of records in small classes: they become one class."""
        small = self.classes.sizes < least
        records = int(self.classes.sizes[small].sum())
        sizes = [*self.classes.sizes[~small], *([records] if records else [])]
        name, detail = "empty known columns in classes below", f"{records:,} records lose what is known of them"
        return self._remedy(name, str(least), np.array(sizes), records / len(self.table), detail)

    def _remedy(self, name: str, strength: str, sizes: Any, loss: float, detail: str) -> Remedy:
        """``sizes`` are those of the classes that are left."""
        remedy = Remedy(name, strength, self._rate(len(sizes)), loss, True, "in your own tools", detail)
        return replace(remedy, smallest=int(sizes.min()), singled_out=int((sizes == 1).sum()))

    @cached_property
    def ways(self) -> dict[str, list[Recoding]]:
        """How each known column can be made coarser."""
        return {column.name: recodings(column) for column in self.columns}

    def _several(self) -> list[Remedy]:
        """One step after another, each time the one that takes most risk for what it costs, until the limit is met."""
        chosen: dict[str, Recoding] = {}
        found: list[Remedy] = []
        while not found or found[-1].rate.high > limit_of(self.options):
            risk = found[-1].rate.value if found else len(self.classes.sizes) / len(self.table)
            options = [
                (remedy, ways)
                for name, each in self.ways.items()
                for way in each
                if way.loss > (chosen[name].loss if name in chosen else 0.0)
                for ways in [chosen | {name: way}]
                for remedy in [self._recoded(list(ways.values()))]
            ]
            better = [each for each in options if each[0].rate.value < risk]
            if not better:
                break
            lost = found[-1].loss if found else 0.0
            best = max(better, key=lambda each: (risk - each[0].rate.value) / max(each[0].loss - lost, 1e-9))
            found.append(best[0])
            chosen = best[1]
        return found[1:]  # the first step is among those tried alone

    def _recoded(self, ways: list[Recoding]) -> Remedy:
        by_name = {way.name: way.column for way in ways}
        after = [by_name.get(column.name, column) for column in self.columns]
        whole = sum(entropy(column) for column in self.columns) or 1.0
        lost = sum(way.loss * entropy(column) for way in ways for column in self.columns if column.name == way.name)
        named = "; ".join(f"{way.name}: {way.how}" for way in ways)
        detail = f"{share(lost / whole)} of what the known columns tell is lost"
        return self._remedy(named, "", partition_by(after, len(self.table)).sizes, lost / whole, detail)


def _possible_events(table: Table, options: AuditOptions) -> tuple[Note, ...]:
    """Rows of a log are events: counted as people they would look far safer than they are. Refused, or noted."""
    log = signs_of_events(table.source, options.known_columns or ())
    if log is None:
        return ()
    place = next((name for name in options.known_columns or () if name not in (log.user, log.time)), "COLUMN")
    source = table.files[0].name if table.files else "SOURCE"
    words = ["singleout", "audit", source, "--user", log.user, "--time", log.time or "COLUMN", "--place", place]
    command = shlex.join(words)
    if log.sure:
        raise DataError(
            f"audit: this looks like an event log: column {log.user!r} has {log.values:,} values in {log.rows:,} rows, "
            f"and a table has one row per person. Run: {command}\n"
            "  If every row is another person all the same, say so with one_row_per_person."
        )
    why = (
        f"rows seem to repeat people: column {log.user!r} has {log.values:,} values. If they stand for people, these "
        f"figures are far too low; run: {command}. If every row is another person, say so with one_row_per_person"
    )
    return (Note(log.rows, "rows that may be events", why),)


def _fewest(minimal: Any) -> str:
    """How few columns are enough."""
    size = int(np.flatnonzero(minimal)[0]) + 1
    return "one column is enough" if size == 1 else f"{size} columns are enough"


def _marked(tried: list[Remedy]) -> tuple[Remedy, ...]:
    """Those that no other beats: none has less risk at no more loss."""

    def beaten(one: Remedy) -> bool:
        here = one.rate.value, one.loss
        others = ((other.rate.value, other.loss) for other in tried)
        return any(there[0] <= here[0] and there[1] <= here[1] and there != here for there in others)

    return tuple(replace(one, on_frontier=not beaten(one)) for one in tried)
