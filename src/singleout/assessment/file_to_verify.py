"""The file that goes out and the key to its pseudonyms, read back as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.assessment.written_file import WrittenFile
from singleout.ground.earlier_results import MANIFEST, digest
from singleout.ground.errors import DataError, SourceError
from singleout.ground.notes import Note, number_of
from singleout.protection.pseudonyms import DIGITS
from singleout.reading.database import quote
from singleout.reading.events import Events, read_events
from singleout.reading.forms import Form
from singleout.reading.grid import Grid
from singleout.reading.sources import Source, open_source
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import Ids, as_ids, comparable

FUNCTION = "verify"
PERSON, PLACE, ID = "person", "place", "id"
AMOUNTS = ("share", "count")
"""Columns with how much of a person's events a place has: one of them is there."""
POSITION = ("lat", "lng")
ADDED_QUOTE = re.compile(r"'['=+\-@\t\r\n]")


def read_protected(source: Any, grid: Grid | None, encoding: str | None = None) -> tuple[Histograms, int]:
    """The people of a protected file, under their pseudonyms, and its number of rows.

    ``grid`` are the cells of what is known: where the file has positions its places must be the same cells.
    """
    opened = open_source(source, function=FUNCTION, form=Form(encoding))
    amount = next((name for name in AMOUNTS if name in opened.column_types), None)
    missing = [name for name in (PERSON, PLACE) if name not in opened.column_types]
    if missing or amount is None:
        problem = f"{opened.display_name} has no column {missing[0] if missing else ' or '.join(AMOUNTS)}."
        hint = "Give the file that protect wrote, with one row per person and place; or `known_columns` for a table."
        raise SourceError(problem, function=FUNCTION, argument="protected", hint=hint)
    events = read_events(opened, user=PERSON, place=PLACE, count=amount)
    rows = histograms(events)
    if grid is not None and all(name in opened.column_types for name in POSITION):
        _check_cells(opened, grid)
        rows = replace(rows, grid=grid)
    return rows, events.log.row_counts["rows"]


def without_added_quotes(rows: Histograms, known: Histograms) -> Histograms:
    """The same with places as they are known, where ``protect --quote-formulas`` put an apostrophe before them."""
    there = set(known.places.tolist())
    plain = [
        place[1:] if isinstance(place, str) and place not in there and ADDED_QUOTE.match(place) else place
        for place in rows.places.tolist()
    ]
    return rows if len(set(plain)) < len(plain) else replace(rows, places=as_ids(FUNCTION, PLACE, plain))


def _check_cells(opened: Source, grid: Grid) -> None:
    """Refuse cells of another size: they would go by the numbers of other places."""
    kinds = {PLACE: "BIGINT", **dict.fromkeys(POSITION, "DOUBLE")}  # text files hold text
    chosen = ", ".join(f"TRY_CAST({quote(name)} AS {kind}) AS {name}" for name, kind in kinds.items())
    table = _query(opened, f"SELECT DISTINCT {chosen} FROM {opened.relation} WHERE {quote(PLACE)} IS NOT NULL")
    if not any(column.null_count for column in table.columns):
        middles = np.round(grid.middles(table[PLACE].to_numpy()), DIGITS)
        if np.allclose(middles, [table[name].to_numpy() for name in POSITION], rtol=0, atol=2 * 10.0**-DIGITS):
            return
    raise DataError(
        f"the cells of {opened.display_name} are not those of what is known.",
        function=FUNCTION,
        hint="Give the `grid` and `box` that protect was given, and `coarsen` if it was.",
    )


def read_key(source: Any, people: Ids) -> dict[Any, Any]:
    """Who each pseudonym in a file is; ``source`` is the file that ``protect`` wrote, or a mapping."""
    if isinstance(source, Mapping):
        source = pa.table({PERSON: pa.array(map(str, source)), ID: pa.array([str(each) for each in source.values()])})
    opened = open_source(source, function=FUNCTION)
    missing = [name for name in (PERSON, ID) if name not in opened.column_types]
    if missing:
        problem = f"{opened.display_name} has no column {missing[0]}."
        hint = "Give the key.csv that protect wrote next to the file."
        raise SourceError(problem, function=FUNCTION, argument="key", hint=hint)
    table = _query(opened, f"SELECT {PERSON}, {ID} FROM {opened.relation}")
    if any(table[name].null_count or len(table[name].unique()) < table.num_rows for name in (PERSON, ID)):
        problem = f"every person and every id must be there once in {opened.display_name}."
        raise DataError(problem, function=FUNCTION, argument="key")
    names, wanted = comparable(as_ids(FUNCTION, PERSON, table[PERSON].to_pylist()), people)
    owner = dict(zip(names.tolist(), as_ids(FUNCTION, ID, table[ID].to_pylist()).tolist(), strict=True))
    unknown = sum(name not in owner for name in wanted.tolist())
    if unknown:
        problem = f"{number_of(unknown, 'people')} in the file are not in {opened.display_name}."
        raise DataError(problem, function=FUNCTION, argument="key", hint="Give the key that belongs to this file.")
    return {name: owner[shown] for name, shown in zip(people.tolist(), wanted.tolist(), strict=True)}


def check_key_belongs(key: Any, protected: Any) -> tuple[Note, ...]:
    """Refuse the key of another file: attacks would seem to fail. The manifest next to a key lists the file it is for.

    A note where there is no such manifest.
    """
    unchecked = (Note(1, "key taken as it is", "no manifest of protect is next to it to say which file it belongs to"),)
    if not all(isinstance(each, str | PathLike) and Path(each).is_file() for each in (key, protected)):
        return unchecked
    try:
        document = json.loads((Path(key).parent / MANIFEST).read_text(encoding="utf-8"))
        listed = {str(each["sha256"]) for each in document["files"]}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return unchecked
    if digest(Path(key)) not in listed:
        return unchecked
    if digest(Path(protected)) not in listed:
        problem = f"{Path(key).name} belongs to another file, or that file was changed since protect wrote it."
        raise DataError(problem, function=FUNCTION, argument="key", hint="Give the file and the key of one folder.")
    return ()


def _query(opened: Source, sql: str) -> pa.Table:
    return opened.query(sql, function=FUNCTION, label="reading")


@dataclass(frozen=True, eq=False)
class OpenedFile:
    """The file, who is who in it (empty without the key), and what is known in the forms it is compared in."""

    file: WrittenFile
    rows: int
    log: Events
    knowledge: tuple[Histograms, ...]
    notes: tuple[Note, ...] = ()
    """On the key."""
    doubt: str = ""
    """Why attacks may find far fewer people than can be re-identified."""

    @property
    def known(self) -> Histograms:
        """What is known, as the file should be compared with it: with the steps applied that were named."""
        return self.knowledge[-1]

    @property
    def truth(self) -> dict[Any, Any]:
        """The known person of each person of the original."""
        ids = as_ids(FUNCTION, "key", self.file.key.values())
        mine, theirs = comparable(ids, self.known.people)
        _, rows, others = np.intersect1d(mine, theirs, return_indices=True)
        return dict(zip(ids[rows].tolist(), self.known.people[others].tolist(), strict=True))

    def with_ids(self) -> Histograms:
        """The rows of the file under the ids of known people; nobody else is there twice, so theirs stay apart."""
        truth = self.truth
        names = [truth.get(self.file.key[name], f"not known: {name}") for name in self.file.rows.people.tolist()]
        return replace(self.file.rows, people=as_ids(FUNCTION, "key", _of_one_type(names)))


def _of_one_type(names: list[Any]) -> list[Any]:
    return names if len({type(name) for name in names}) == 1 else [str(name) for name in names]
