"""Coarsening: merging several places into one (N16 IV-A6, Fig. 11)."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, TypeVar

import pyarrow as pa

from singleout.ground.errors import InputError, bad_argument
from singleout.ground.notes import Note, number_of
from singleout.reading.events import Events
from singleout.reading.grid import Grid
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, as_ids, as_text, comparable
from singleout.statistics.merging import FROM, TO, merge_columns, no_coarser_place, read_mapping

Data = TypeVar("Data", Events, Histograms)
ROUNDING = 1e-9


def coarsen(x: Data, to: Any, *, level: str | None = None) -> Data:
    """Merge places: the same people, fewer places.

    A place that is not in the mapping or hierarchy is an error: no place should disappear silently. Events are read
    once to count the places.

    Parameters
    ----------
    x
        Events or histograms.
    to
        A number: the side in metres of larger cells, if places are cells of a grid; for Histograms a whole multiple of
        the side they have. A mapping from each place to its coarser place. Or a hierarchy: a file or frame with the
        places in the first column and hierarchy levels in the others.
    level
        The column of the hierarchy to use; by default the second.

    Returns
    -------
    Events or Histograms
        The type that was given.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> regions = dict(zip(log.places["place"].to_pylist(), log.places["region"].to_pylist()))
    >>> so.coarsen(released, regions)
    Histograms(50 people, 61 places, 143 entries)
      193 places merged: 61 places left
    """
    if not isinstance(x, Events | Histograms):
        raise bad_argument("coarsen", "x", "Events or Histograms", type(x).__name__)
    if isinstance(x, Histograms) and x.has_levels:
        raise bad_argument("coarsen", "x", "counted without levels", x)
    if isinstance(to, Real) and not isinstance(to, bool):
        return _larger_cells(x, float(to))
    fine, coarse = read_mapping(to, level)
    return _map_events(x, fine, coarse) if isinstance(x, Events) else _merge(x, fine, coarse)


def _larger_cells(x: Data, side: float) -> Data:
    """Events get the cell of their point; counted cells the cell that contains their middle."""
    finer = x.log.grid if isinstance(x, Events) else x.grid
    if finer is None:
        hint = "Give `lat`, `lng` and `grid`, or use `hierarchy`."
        raise InputError(f"`to={side:g}` works only on cells of a grid.", function="coarsen", hint=hint)
    if not side >= finer.side:
        raise bad_argument("coarsen", "to", f"at least the side of the cells, {finer.side:g} metres", side)
    grid = replace(finer, side=side)
    if isinstance(x, Events):
        return _larger_cells_of_events(x, grid)
    if abs(side / finer.side - round(side / finer.side)) > ROUNDING:
        must = f"a whole multiple of the side of the cells, {finer.side:g} metres"
        raise bad_argument("coarsen", "to", must, side, "Or coarsen the events before they are counted.")
    return _merge(x, x.places, grid.containing(x.places, finer), grid)


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


def _merge(x: Histograms, fine: Ids, coarse: Ids, grid: Grid | None = None) -> Histograms:
    merged = merge_columns(x, fine, coarse, grid)
    return replace(merged, notes=(*x.notes, _note(x.number_of_places, merged.number_of_places)))


def _note(before: int, after: int) -> Note:
    return Note(before, "places merged", f"{number_of(after, 'places')} left")


def _map_events(x: Events, fine: Ids, coarse: Ids) -> Events:
    """Look up the place of every event when it is read."""
    place = x.log.columns["place"]
    there = x.log.query(f"SELECT DISTINCT place FROM {x.rows('place', both=True)} WHERE place IS NOT NULL")
    places, named = comparable(as_ids("coarsen", "x", there["place"].to_pylist()), fine)
    becomes = dict(zip(named.tolist(), coarse.tolist(), strict=True))
    missing = sum(place not in becomes for place in places.tolist())
    if missing:
        raise no_coarser_place(missing)
    as_place = as_text(fine) if places.dtype.kind == "O" else fine
    table = x.log.database.view(pa.table({FROM: pa.array(as_place.tolist()), TO: pa.array(coarse.tolist())}))
    compared = f"({place})::VARCHAR" if places.dtype.kind == "O" else place
    looked_up = f"(SELECT any_value({TO}) FROM {table} WHERE {table}.{FROM} = {compared})"
    note = _note(len(places), len({becomes[place] for place in places.tolist()}))
    return x.with_columns(_places(x, looked_up), note, grid=None)
