"""Merging places into coarser ones: mappings, and hierarchies of several levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.errors import DataError, bad_argument
from singleout.reading.grid import Grid
from singleout.reading.sources import open_source
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import Ids, as_ids, comparable

FROM, TO = "fine", "coarse"


def read_mapping(to: Any, level: str | None) -> tuple[Ids, Ids]:
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
    return read_mapping(to, None)[0]


def _refuse_gaps(number: int) -> None:
    if number:
        gaps = "1 place or coarser place is" if number == 1 else f"{number:,} places or coarser places are"
        raise DataError(f"{gaps} missing in the mapping. Fill the gaps, for example with 'other'.", function="coarsen")


def _is_missing(value: Any) -> bool:
    """None, or what is not equal to itself: NaN, and the gaps of frames."""
    itself = value == value
    return value is None or not isinstance(itself, bool | np.bool_) or not itself


def merge_columns(x: Histograms, fine: Ids, coarse: Ids, grid: Grid | None = None) -> Histograms:
    """The same people at coarser places: ``coarse`` is that of each of ``fine``, among which all places are."""
    places, named = comparable(x.places, fine)
    position = {place: number for number, place in enumerate(named.tolist())}
    found = [position.get(place, -1) for place in places.tolist()]
    if -1 in found:
        raise no_coarser_place(found.count(-1))
    labels = [None] * len(found) if x.channels is None else x.channels.tolist()
    keys = list(zip(labels, coarse[found].tolist(), strict=True))
    columns = {key: number for number, key in enumerate(sorted(set(keys), key=_sortable))}
    target = np.array([columns[key] for key in keys], dtype=np.intp)
    merge = sparse.csr_array(
        (np.ones(len(target)), (np.arange(len(target)), target)), shape=(len(target), len(columns))
    )
    channels = None if x.channels is None else as_ids("coarsen", "x", [label for label, _ in columns])
    left = as_ids("coarsen", "to", [place for _, place in columns])
    return replace(x, counts=x.counts @ merge, places=left, channels=channels, grid=grid)


def _sortable(key: tuple[Any, Any]) -> tuple[str, Any]:
    return str(key[0]), key[1]


def no_coarser_place(number: int) -> DataError:
    """Places would disappear."""
    places = "1 place has" if number == 1 else f"{number:,} places have"
    advice = "Every place needs one: add a row for each, with a coarser place such as 'other'."
    return DataError(f"{places} no coarser place in the mapping. {advice}", function="coarsen")
