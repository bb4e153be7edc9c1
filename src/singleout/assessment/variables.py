"""Which columns single people out: on a terminal of 80 columns, as JSON, and as a folder."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from singleout.ground.files import whole_folder, write_json
from singleout.ground.notes import NoteDict, cut_middle, in_a_row, in_lines
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, FieldsOf, NotNegative, Share
from singleout.measures.intervals import EstimateDict
from singleout.measures.tables.column_values import Level
from singleout.measures.tables.combinations import ColumnSearch
from singleout.measures.tables.isolation import (
    ColumnRisk,
    Combination,
    KnownSets,
    Vulnerability,
    prepend_known,
)
from singleout.measures.tables.population import PopulationRisk, population_risk
from singleout.measures.tables.uniqueness import Uniqueness, uniqueness
from singleout.measures.tables.vulnerability import vulnerability
from singleout.reading.tables import Table

FILES = ("combinations.parquet", "columns.parquet", "levels.parquet", "curve.parquet", "result.json")
"""All that the command may write; the curve only against a public list."""
INTERVAL = "none: the file is counted, so its shares are exact"
WIDTH = 80
ROWS_IN_JSON = 100
POPULATIONS = 5
"""Combinations whose risk in the population is estimated."""
ROWS_SHOWN = 10
VALUES_SHOWN = 5


class TableDataDict(TypedDict):
    """What was looked at."""

    label: str
    records: Count
    columns: list[str]


class ColumnsInPopulation(TypedDict):
    """The risk of some columns in the population."""

    columns: list[str]
    people: NotNegative
    rate: EstimateDict
    unique_right: NotNegative | None
    population_unique: NotNegative | None


class ClassesDict(TypedDict):
    """Classes of records that agree on the known columns, by size."""

    all: Count
    below_10: Count
    below_5: Count
    single: Count
    population: ColumnsInPopulation | None


class CombinationDict(TypedDict):
    """Columns added to the known ones, and how many records they isolate together."""

    columns: list[str]
    ranks: list[int] | None
    isolated: Count
    share: EstimateDict | None


class KnownSetDict(TypedDict):
    """What one set of known columns isolates, by itself and with others."""

    columns: list[str]
    isolated: Count
    classes: ClassesDict | None
    random: Share
    tried: Count
    possible: Count
    combinations: list[CombinationDict]
    population: list[ColumnsInPopulation]
    by_column: list[Annotated[dict[str, Any], FieldsOf(ColumnRisk)]]


class VariablesDocument(TypedDict):
    """The result file of ``variables``."""

    schema: Literal["singleout/variables/1"]
    data: TableDataDict
    asked: Annotated[dict[str, Any], FieldsOf(ColumnSearch)]
    interval: str
    vulnerable: Count
    rate: EstimateDict
    known: list[KnownSetDict]
    notes: list[NoteDict]


@dataclass(frozen=True, eq=False)
class Variables:
    """The same question for every set of known columns, and the classes that each set makes by itself."""

    found: KnownSets
    classes: dict[str, Uniqueness]
    label: str
    population: dict[str, list[PopulationRisk]]
    """Of a sample: the risk in the population of the strongest combinations of each set."""
    reveal: bool = False
    """Whether values of few people are shown."""

    def to_dict(self) -> VariablesDocument:
        """Counts, shares and names of columns; no values. The strongest combinations, all of them are in the folder."""
        first = next(iter(self.found.sets.values()))
        return {
            "schema": "singleout/variables/1",
            "data": {"label": self.label, "records": first.records, "columns": list(first.table.columns)},
            "asked": asdict(first.asked),
            "interval": INTERVAL,
            "vulnerable": first.vulnerable,
            "rate": first.rate.to_dict(),
            "known": [self._set_to_dict(name, found) for name, found in self.found.sets.items()],
            "notes": [note.to_dict() for note in self.found.notes],
        }

    def __str__(self) -> str:
        console = Console(file=io.StringIO(), width=WIDTH)
        with console.capture() as captured:
            _show(self, console)
        return captured.get().rstrip()

    def _set_to_dict(self, name: str, found: Vulnerability) -> KnownSetDict:
        classes = self.classes.get(name)
        return {
            "columns": list(found.known),
            "isolated": found.by_known,
            "classes": None if classes is None else _classes_to_dict(classes),
            "random": found.random,
            "tried": found.tried,
            "possible": found.possible,
            "combinations": combinations_to_dict(found.rows[:ROWS_IN_JSON]),
            "population": [_population_to_dict(each) for each in self.population[name]],
            "by_column": [asdict(risk) for risk in found.by_column],
        }


def find_variables(
    table: Table, sets: Mapping[str, Sequence[str]], *, label: str, seed: int, reveal: bool, **asked: Any
) -> Variables:
    """What each set of known columns isolates, by itself and with others; ``asked`` is for ``vulnerability``."""
    found = vulnerability(table, known_columns=sets, seed=seed, **asked)
    classes = {name: uniqueness(table, columns=known) for name, known in sets.items() if known}
    among = {name: _in_population(table, each) for name, each in found.sets.items()}
    return Variables(found, classes, label, among, reveal)


def _in_population(table: Table, found: Vulnerability) -> list[PopulationRisk]:
    """The known columns with each of the strongest combinations, if records have a survey weight."""
    if table.survey_weight is None:
        return []
    strongest = sorted(found.rows, key=lambda row: -row.isolated)[:POPULATIONS]
    return [population_risk(table, columns=[*found.known, *row.columns]) for row in strongest]


def _population_to_dict(found: PopulationRisk) -> ColumnsInPopulation:
    tree = found.rows[0]
    return {
        "columns": list(found.columns),
        "people": found.population,
        "rate": found.rate.to_dict(),
        "unique_right": tree.unique_right,
        "population_unique": tree.population_unique,
    }


def _classes_to_dict(classes: Uniqueness) -> ClassesDict:
    return {
        "all": len(classes.sizes),
        "below_10": classes.below(10),
        "below_5": classes.below(5),
        "single": classes.single,
        "population": None if classes.population is None else _population_to_dict(classes.population),
    }


def combinations_to_dict(rows: tuple[Combination, ...]) -> list[CombinationDict]:
    """Rows as plain data."""
    return [
        {
            "columns": list(row.columns),
            "ranks": None if row.ranks is None else list(row.ranks),
            "isolated": row.isolated,
            "share": None if row.interval is None else row.interval.to_dict(),
        }
        for row in rows
    ]


def write_variables(target: Path, result: Variables, manifest: dict[str, Any]) -> None:
    """Write combinations, columns and levels as Parquet, result.json and manifest.json, whole or not at all."""
    sets = result.found.sets
    columns = [prepend_known(name, found.columns_to_arrow()) for name, found in sets.items()]
    levels = result.found.levels_to_arrow(reveal=result.reveal)
    tables = result.found.to_arrow(), pa.concat_tables(columns), levels
    with whole_folder(target, manifest, FILES) as folder:
        for file, table in zip(FILES, tables, strict=False):
            pq.write_table(table, folder / file)
        write_json(folder / FILES[-1], result.to_dict())


def _plain(text: str) -> Text:
    """Names and values as they are: no markup, and nothing that steers a terminal."""
    return Text("".join(sign if sign.isprintable() else "?" for sign in text))


def _show(result: Variables, console: Console) -> None:
    """Print for each set of known columns what is isolated, the strongest columns, and values that give most away."""

    def say(text: str = "") -> None:
        console.print(_plain(text))

    first = next(iter(result.found.sets.values()))
    say(f"Data: {result.label}, {first.records:,} records, {len(first.table.columns)} columns")
    for line in in_lines(result.found.notes):
        say(line)
    levels = result.found.levels(reveal=result.reveal)
    for name, found in result.found.sets.items():
        say()
        say(f"Known: {', '.join(found.known) or 'nothing'}")
        if name in result.classes:
            say(_classes_in_words(result.classes[name]))
            among = result.classes[name].population
            if among is not None:
                say(among.in_words())
        console.print(_combinations(found))
        if result.population[name]:
            console.print(_populations(result.population[name], found.known))
        if found.possible > found.tried:
            say(f"{found.tried:,} of {found.possible:,} combinations tried")
        say()
        console.print(_columns(found))
        _values(levels[name], console)
        say()
        say(sentence(found))


def _classes_in_words(classes: Uniqueness) -> str:
    number = f"{len(classes.sizes):,} {'class' if len(classes.sizes) == 1 else 'classes'}"
    small = f"{classes.below(10):,} of fewer than 10 records, {classes.below(5):,} of fewer than 5"
    return f"{number}: {small}, {classes.single:,} of a single record"


def _grid(*heads: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in heads:
        grid.add_column(head, justify="left" if head in ("added", "column", "value") else "right")
    return grid


def _combinations(found: Vulnerability) -> Grid:
    grid = _grid("added", "isolated", "of vulnerable")
    alone = Combination((), found.by_known, found.vulnerable)
    for label, row in [("(nothing)", alone), *((", ".join(row.columns), row) for row in found.rows[:ROWS_SHOWN])]:
        grid.add_row(_plain(cut_middle(label, 30)), f"{row.isolated:,}", percent(row.share))
    grid.add_row("at random", "", percent(found.random))
    return grid


def _populations(found: Sequence[PopulationRisk], known: Sequence[str]) -> Grid:
    """How likely links to records are to be right, if nobody knows who is in the sample."""
    grid = _grid("added", "risk in the population", "95% interval", "unique there")
    for each in found:
        added = ", ".join(name for name in each.columns if name not in known)
        bounds = f"{percent(each.rate.low)} - {percent(each.rate.high)}"
        alone = f"{each.rows[0].population_unique or 0:,.0f}"
        grid.add_row(_plain(cut_middle(added, 30)), percent(each.rate.value), bounds, alone)
    return grid


def _columns(found: Vulnerability) -> Grid:
    grid = _grid("column", "values", "rare", "alone", "with known", "needed by")
    whole = max(found.vulnerable, 1)
    for risk in found.by_column[:ROWS_SHOWN]:
        shares = percent(risk.alone / whole), percent(risk.with_known / whole)
        grid.add_row(
            _plain(cut_middle(risk.column, 24)), f"{risk.levels:,}", f"{risk.rare:,}", *shares, f"{risk.needed:,}"
        )
    return grid


def _values(told: tuple[Level, ...], console: Console) -> None:
    """The values that isolate most of their own records, unless few people have them."""
    giving = [level for level in told if level.kind != "hidden" and level.isolated]
    if not giving:
        return
    grid = _grid("column", "value", "records", "isolated", "of these")
    for level in sorted(giving, key=lambda level: (-level.share, -level.isolated))[:VALUES_SHOWN]:
        value = "(missing)" if level.value is None else str(level.value)
        counts = f"{level.records:,}", f"{level.isolated:,}", percent(level.share)
        grid.add_row(_plain(cut_middle(level.column, 24)), _plain(cut_middle(value, 24)), *counts)
    console.print()
    console.print(grid)


def sentence(found: Vulnerability) -> str:
    """The answer in one sentence."""
    rare = "unique" if found.asked.k == 1 else f"in a class of at most {found.asked.k} records"
    who = f"{found.vulnerable:,} of {found.records:,} records are {rare} on all {len(found.table.columns)} columns"
    if not found.vulnerable:
        return f"{who}: nobody is singled out."
    best = max(found.rows, key=lambda row: row.isolated)
    knows = f"knowing {', '.join(found.known)}" if found.known else "knowing nothing else"
    added = "a column" if len(best.columns) == 1 else f"{len(best.columns)} columns"
    start = percent(found.by_known / found.vulnerable)
    return (
        f"{who}; {knows} isolates {start} of them; knowing {in_a_row(best.columns)} as well isolates "
        f"{percent(best.share)} ({added} added at random: {percent(found.random)})."
    )
