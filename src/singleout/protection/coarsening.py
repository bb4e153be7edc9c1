"""Coarsening: merging several places into one (N16 IV-A6, Fig. 11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from scipy import sparse

from singleout.ground.errors import DataError, bad_argument
from singleout.ground.notes import Note, number_of
from singleout.reading.events import Events
from singleout.reading.grid import Grid
from singleout.reading.sources import open_source
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, as_ids, as_text, comparable

Data = TypeVar("Data", Events, Histograms)
FROM, TO = "fine", "coarse"
ROUNDING = 1e-9


def coarsen(x: Data, to: Any, *, level: str | None = None) -> Data:
    """Merge places: the same people, fewer places. Returns the type that was given: Events or Histograms.

    Parameters
    ----------
    to
        A number: the side in metres of larger cells, if places are cells of a grid; for Histograms a whole multiple of
        the side they have. A mapping from each place to its coarser place. Or a hierarchy: a file or frame with the
        places in the first column and hierarchy levels in the others.
    level
        The column of the hierarchy to use; by default the second.

    A place that is not in the mapping or hierarchy is an error: no place should disappear silently. Events are read
    once to count the places.
    """
    if not isinstance(x, Events | Histograms):
        raise bad_argument("coarsen", "x", "Events or Histograms", type(x).__name__)
    if isinstance(to, Real) and not isinstance(to, bool):
        return _larger_cells(x, float(to))
    fine, coarse = _mapping(to, level)
    return _map_events(x, fine, coarse) if isinstance(x, Events) else _map_histograms(x, fine, coarse)


def _larger_cells(x: Data, side: float) -> Data:
    """Events get the cell of their point; counted cells the cell that contains their middle."""
    finer = x.log.grid if isinstance(x, Events) else x.grid
    if finer is None:
        hint = "Read coordinates with a grid, or give a mapping of places."
        must = "a mapping of places or a hierarchy file, if places are not cells of a grid"
        raise bad_argument("coarsen", "to", must, side, hint)
    if not side >= finer.side:
        raise bad_argument("coarsen", "to", f"at least the side of the cells, {finer.side:g} metres", side)
    grid = replace(finer, side=side)
    if isinstance(x, Events):
        return _larger_cells_of_events(x, grid)
    if abs(side / finer.side - round(side / finer.side)) > ROUNDING:
        must = f"a whole multiple of the side of the cells, {finer.side:g} metres"
        raise bad_argument("coarsen", "to", must, side, "Or coarsen the events before they are counted.")
    return _map_histograms(x, x.places, grid.containing(x.places, finer), grid)


def _larger_cells_of_events(x: Events, grid: Grid) -> Events:
    merged = x.with_columns(_places(x, f"({grid.cell(*x.log.degrees)})"), grid=grid)
    (found,) = x.log.query(
        "SELECT count(DISTINCT fine) AS fine, count(DISTINCT place) AS place"
        f" FROM {merged.rows('fine', 'place', both=True)}"
    ).to_pylist()
    return replace(merged, step_notes=(*merged.step_notes, _note(found["fine"], found["place"])))


def _places(x: Events, place: str) -> dict[str, str]:
    """Columns with other places, which keep the places that were read."""
    return {"place": place, "fine": x.log.columns.get("fine", x.log.columns["place"])}


def _note(before: int, after: int) -> Note:
    return Note(before, "places merged", f"{number_of(after, 'places')} left")


def _mapping(to: Any, level: str | None) -> tuple[Ids, Ids]:
    """Fine and coarse ids, one row each."""
    if isinstance(to, Mapping):
        if level is not None:
            raise bad_argument("coarsen", "level", "omitted if to is a mapping", level)
        if not to:
            raise bad_argument("coarsen", "to", "a mapping that is not empty", to)
        _refuse_gaps(sum(_is_missing(place) for pair in to.items() for place in pair))
        return as_ids("coarsen", "to", to.keys()), as_ids("coarsen", "to", to.values())
    source = open_source(to, function="coarsen")
    names = list(source.column_types)
    if len(names) < 2:
        raise DataError(
            "a hierarchy needs a column of places and at least one column of coarser places.", function="coarsen"
        )
    wanted = names[1] if level is None else level
    columns = [source.column("coarsen", "level", name) for name in (names[0], wanted)]
    rows = source.database.table(f"SELECT {columns[0]} AS {FROM}, {columns[1]} AS {TO} FROM {source.relation}")
    _refuse_gaps(rows[FROM].null_count + rows[TO].null_count)
    fine = as_ids("coarsen", "to", rows[FROM].to_pylist())
    if len(set(fine.tolist())) < len(fine):
        raise DataError("the hierarchy contains a place twice. Give one row per place.", function="coarsen")
    return fine, as_ids("coarsen", "to", rows[TO].to_pylist())


def hierarchy_levels(file: Any) -> tuple[str, ...]:
    """The levels of a hierarchy: its columns after that of the places."""
    levels = tuple(open_source(file, function="coarsen").column_types)[1:]
    if not levels:
        raise DataError("a hierarchy needs a column of places and at least one level.", function="coarsen")
    return levels


def places_of_hierarchy(to: Any) -> Ids:
    """The places in a hierarchy."""
    return _mapping(to, None)[0]


def _refuse_gaps(number: int) -> None:
    if number:
        gaps = "1 place or coarser place is" if number == 1 else f"{number:,} places or coarser places are"
        raise DataError(f"{gaps} missing in the mapping. Fill the gaps, for example with 'other'.", function="coarsen")


def _is_missing(value: Any) -> bool:
    """None, or what is not equal to itself: NaN, and the gaps of frames."""
    itself = value == value
    return value is None or not isinstance(itself, bool | np.bool_) or not itself


def _no_coarser_place(number: int) -> DataError:
    places = "1 place has" if number == 1 else f"{number:,} places have"
    advice = "Every place needs one: add a row for each, with a coarser place such as 'other'."
    return DataError(f"{places} no coarser place in the mapping. {advice}", function="coarsen")


def _map_histograms(x: Histograms, fine: Ids, coarse: Ids, grid: Grid | None = None) -> Histograms:
    places, named = comparable(x.places, fine)
    position = {place: number for number, place in enumerate(named.tolist())}
    found = [position.get(place, -1) for place in places.tolist()]
    if -1 in found:
        raise _no_coarser_place(found.count(-1))
    labels = [None] * len(found) if x.channels is None else x.channels.tolist()
    keys = list(zip(labels, coarse[found].tolist(), strict=True))
    columns = {key: number for number, key in enumerate(sorted(set(keys), key=_sortable))}
    target = np.array([columns[key] for key in keys], dtype=np.intp)
    merge = sparse.csr_array(
        (np.ones(len(target)), (np.arange(len(target)), target)), shape=(len(target), len(columns))
    )
    notes = (*x.notes, _note(x.number_of_places, len({key[1] for key in columns})))
    channels = None if x.channels is None else as_ids("coarsen", "x", [label for label, _ in columns])
    left = as_ids("coarsen", "to", [place for _, place in columns])
    return replace(x, counts=x.counts @ merge, places=left, channels=channels, grid=grid, notes=notes)


def _sortable(key: tuple[Any, Any]) -> tuple[str, Any]:
    return str(key[0]), key[1]


def _map_events(x: Events, fine: Ids, coarse: Ids) -> Events:
    """Look up the place of every event when it is read."""
    place = x.log.columns["place"]
    there = x.log.query(f"SELECT DISTINCT place FROM {x.rows('place', both=True)} WHERE place IS NOT NULL")
    places, named = comparable(as_ids("coarsen", "x", there["place"].to_pylist()), fine)
    becomes = dict(zip(named.tolist(), coarse.tolist(), strict=True))
    missing = sum(place not in becomes for place in places.tolist())
    if missing:
        raise _no_coarser_place(missing)
    as_place = as_text(fine) if places.dtype.kind == "O" else fine
    table = x.log.database.view(pa.table({FROM: pa.array(as_place.tolist()), TO: pa.array(coarse.tolist())}))
    compared = f"({place})::VARCHAR" if places.dtype.kind == "O" else place
    looked_up = f"(SELECT any_value({TO}) FROM {table} WHERE {table}.{FROM} = {compared})"
    note = _note(len(places), len({becomes[place] for place in places.tolist()}))
    return x.with_columns(_places(x, looked_up), note, grid=None)
