"""Histograms: how often each person was at each place. Sparse counts with ids, normalised only when needed.

N16 eq. 1 and UN13 section II. Dwell histograms and channels follow UN13 section IV.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import pyarrow as pa
from scipy import sparse

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument, unknown_name
from singleout.ground.names import Measure
from singleout.ground.notebooks import Tabular, facts_table
from singleout.ground.notes import Note, nonzero, number_of
from singleout.reading.codes import encode
from singleout.reading.events import Events
from singleout.reading.grid import Grid
from singleout.reading.times import WEEKDAYS
from singleout.statistics.counting import EVENT, MEASURES, UNIT_OF_COUNT, Counting, day_numbers, seconds_of
from singleout.statistics.ids import Ids, as_ids

LARGEST_COUNT = 2**53
SMALLEST_COUNT = 1e-100
FINEST = "(finest)"
"""The channel of places as they are, where there are several levels."""
DAYPARTS = ("night", "morning", "afternoon", "evening")


@final
@dataclass(frozen=True, eq=False, init=False)
class Histograms(Tabular):
    """Counts of people (rows) at places (columns).

    Parameters
    ----------
    counts
        SciPy sparse matrix or array of finite, non-negative counts.
    people, places
        Ids of the rows and columns, each of one type. People are unique; places are unique within a channel.
    channels
        One label per column: columns of one channel form one histogram, and the costs of channels are added
        (Unnikrishnan and Naini 2013 IV-C). None: all columns form one histogram.
    unit
        What is counted, such as event or second.
    records
        Each person's number of events, where something else is counted, such as seconds.

    Examples
    --------
    >>> import singleout as so
    >>> so.Histograms([[3, 1], [0, 2]], people=["a", "b"], places=["home", "gym"])
    Histograms(2 people, 2 places, 3 entries)
    """

    counts: sparse.csr_array
    people: Ids
    places: Ids
    channels: Ids | None
    grid: Grid | None
    notes: tuple[Note, ...]
    unit: str
    records: Floats | None

    def __init__(
        self,
        counts: Any,
        people: Iterable[Any],
        places: Iterable[Any],
        *,
        channels: Iterable[Any] | None = None,
        grid: Grid | None = None,
        notes: tuple[Note, ...] = (),
        unit: str = EVENT,
        records: Any = None,
    ) -> None:
        fields = {
            "counts": _clean_counts(counts),
            "people": as_ids("Histograms", "people", people),
            "places": as_ids("Histograms", "places", places),
            "channels": None if channels is None else as_ids("Histograms", "channels", channels),
            "grid": grid,
            "notes": notes,
            "unit": unit,
            "records": None if records is None else np.asarray(records, dtype=np.float64),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self._check_ids()

    def _check_ids(self) -> None:
        rows, columns = self.counts.shape
        for argument, ids, length, line in (
            ("people", self.people, rows, "row"),
            ("places", self.places, columns, "column"),
        ):
            if len(ids) != length:
                raise bad_argument("Histograms", argument, f"{length} ids, one per {line} of counts", f"{len(ids)} ids")
        if self.records is not None and not (self.records.shape == (rows,) and (self.records >= 0).all()):
            raise bad_argument("Histograms", "records", f"{rows} numbers of events, one per row of counts", "others")
        if len(set(self.people.tolist())) < rows:
            twice = rows - len(set(self.people.tolist()))
            raise DataError(
                f"`people` contains {twice:,} duplicates. Give one row per person, with the sum of their counts.",
                function="Histograms",
            )
        names = self.places.tolist()
        if self.channels is not None and len(self.channels) != columns:
            raise bad_argument("Histograms", "channels", f"{columns} labels, one per column", len(self.channels))
        if len(set(names if self.channels is None else zip(self.channels.tolist(), names, strict=True))) < columns:
            raise DataError(
                "`places` contains duplicates. Give one column per place (and channel).", function="Histograms"
            )

    @property
    def totals(self) -> Any:
        """Each person's total count."""
        return np.asarray(self.counts.sum(axis=1)).ravel()

    @property
    def events(self) -> Floats | None:
        """Each person's number of events; None where it is not known, as with shares."""
        if self.records is not None:
            return self.records
        counted = self.unit in (EVENT, UNIT_OF_COUNT) and self.counts.dtype.kind == "i"
        return self.totals.astype(np.float64) if counted else None

    def shares(self) -> sparse.csr_array:
        """Counts as shares of each person's total, channel by channel; an empty row stays empty."""
        row = np.repeat(np.arange(self.counts.shape[0]), np.diff(self.counts.indptr))
        channel = np.zeros(self.counts.shape[1], dtype=np.intp)
        if self.channels is not None:
            channel = np.unique(self.channels, return_inverse=True)[1].astype(np.intp)
        segment = row * (int(channel.max(initial=0)) + 1) + channel[self.counts.indices]
        data = self.counts.data.astype(np.float64)
        shares = data / np.bincount(segment, data)[segment] if len(data) else data
        return sparse.csr_array((shares, self.counts.indices, self.counts.indptr), shape=self.counts.shape)

    @property
    def number_of_places(self) -> int:
        """Different places, at the finest level; one place may have a column in each channel."""
        return len(self.finest().places) if self.has_levels or self.channels is None else len(set(self.places.tolist()))

    @property
    def has_levels(self) -> bool:
        """Whether channels are levels: the same events at coarser and coarser places."""
        return self.channels is not None and len(self.channels) > 0 and self.channels[0] == FINEST

    def finest(self) -> Histograms:
        """Places as they are, without coarser levels."""
        if not self.has_levels or self.channels is None:
            return self
        columns = np.flatnonzero(self.channels == FINEST)
        return replace(self, counts=self.counts[:, columns], places=self.places[columns], channels=None, records=None)

    def only(self, people: Iterable[Any]) -> Histograms:
        """The rows of these people, in this order."""
        wanted = as_ids("only", "people", people)
        row = {person: number for number, person in enumerate(self.people.tolist())}
        unknown = sum(person not in row for person in wanted.tolist())
        if unknown:
            raise bad_argument("only", "people", "ids of people in the histograms", f"{unknown:,} others")
        if len(set(wanted.tolist())) < len(wanted):
            raise DataError("`people` contains someone more than once.", function="only")
        return self.only_rows(np.array([row[person] for person in wanted.tolist()], dtype=np.intp))

    def only_rows(self, rows: Indices) -> Histograms:
        """The people with these row numbers, each at most once, in this order."""
        few = copy(self)  # places were checked when the rows were made, and there may be many
        object.__setattr__(few, "counts", _as_whole(self.counts[rows]))
        object.__setattr__(few, "people", self.people[rows])
        object.__setattr__(few, "records", None if self.records is None else self.records[rows])
        return few

    def __len__(self) -> int:
        return len(self.people)

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """One row per person and place with a count: row and column numbers; ids only with ``reveal``."""
        entries = self.counts.tocoo()
        rows, columns = entries.coords
        named: dict[str, Any] = {"person": rows, "place": columns}
        if reveal:
            named = {"person": self.people[rows], "place": self.places[columns]}
        channels = {} if self.channels is None else {"channel": pa.array(self.channels[columns].tolist())}
        return pa.table(
            {name: pa.array(ids.tolist()) for name, ids in named.items()} | channels | {"count": entries.data}
        )

    def to_dict(self) -> dict[str, Any]:
        """Sizes and notes; no ids."""
        sizes = {"people": len(self), "places": self.number_of_places, "entries": int(self.counts.nnz)}
        return sizes | {"unit": self.unit, "notes": [note.to_dict() for note in self.notes]}

    def headline(self) -> str:
        """None: the facts say it all."""
        return ""

    def _shown_table(self) -> pa.Table:
        """Sizes; the counts are in ``to_arrow``."""
        facts = {
            "people": len(self),
            "places": self.number_of_places,
            "people and places with a count": self.counts.nnz,
        }
        facts |= {} if self.channels is None else {"channels": len(set(self.channels.tolist()))}
        return facts_table("Histograms", facts | {f"{self.unit}s": round(float(self.counts.sum()))})

    def __repr__(self) -> str:
        channels = "" if self.channels is None else f" in {len(set(self.channels.tolist()))} channels"
        noted = "".join(f"\n  {note}" for note in self.notes)
        sizes = [number_of(len(self), "people"), number_of(self.number_of_places, "places") + channels]
        return f"Histograms({', '.join([*sizes, f'{self.counts.nnz:,} entries'])}){noted}"


def _clean_counts(counts: Any) -> sparse.csr_array:
    """CSR with ascending columns and no explicit zeros; whole counts as int64, others as float64."""
    if not sparse.issparse(counts):
        counts = np.asarray(counts)
        if counts.ndim != 2:
            raise bad_argument("Histograms", "counts", "a matrix of people by places", f"{counts.ndim} dimensions")
    if counts.dtype.kind not in "biuf":
        raise bad_argument("Histograms", "counts", "numbers", str(counts.dtype))
    # a copy, so that the caller's matrix is not changed
    matrix = sparse.csr_array(counts, copy=True)
    matrix.sum_duplicates()
    data = matrix.data
    bad = ~np.isfinite(data) | (data < 0)
    if bad.any():
        row = int(np.searchsorted(matrix.indptr, np.flatnonzero(bad)[0], side="right"))
        raise DataError(
            f"counts must be finite and zero or more; row {row:,} contains one that is not.", function="Histograms"
        )
    if ((data > 0) & (data < SMALLEST_COUNT)).any():
        raise DataError(
            f"counts between 0 and {SMALLEST_COUNT:g} are too small. Count in smaller units.", function="Histograms"
        )
    if (data > LARGEST_COUNT).any():
        raise DataError("counts above 2**53 cannot be stored exactly. Count in larger units.", function="Histograms")
    matrix = _as_whole(matrix)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def _as_whole(matrix: sparse.csr_array) -> sparse.csr_array:
    """Whole counts as int64, others as float64."""
    whole = matrix.dtype.kind in "biu" or bool((matrix.data == np.floor(matrix.data)).all())
    return matrix.astype(np.int64 if whole else np.float64, copy=False)


def histograms(
    events: Events,
    *,
    measure: Measure = "events",
    window: tuple[str, str] | None = None,
    channel: str | None = None,
    days: Sequence[str] | None = None,
    whole_window: bool = False,
    overnight: bool = False,
    levels: Any = None,
    progress: bool | None = None,
) -> Histograms:
    """Count each person's events, or seconds, at each place.

    Row ``i`` is the ``i``-th person in order of id. People left without events keep a row and are counted in the notes.

    Parameters
    ----------
    events
        Events of ``so.read_events``, or one side of a split.
    measure
        ``"events"`` counts events (or sums the count column). ``"dwell"`` counts whole seconds: a person stays until
        their next record; the last stay of a day lasts to the end of the window; stays do not cross midnight
        (Unnikrishnan and Naini 2013 IV-A).
    window
        Daily window in the log's time zone, such as ("09:00", "17:00"). Events outside are left out; stays are cut off.
    channel
        ``"weekday"``, ``"daypart"`` (four parts of six hours) or the name of the log's channel column: one histogram
        for each, with their costs added (Unnikrishnan and Naini 2013 IV-C). None merges them.
    days
        Only these weekdays, such as ["monday", "tuesday"].
    whole_window
        Only people seen at or before the start of the window and at or after its end on every day used (Unnikrishnan
        and Naini's (2013) rule).
    overnight
        For ``"dwell"``: consecutive days are one trace. A stay lasts until the person's next record, on any day;
        the window opens on the first of these days and closes on the last, and the nights in between count.
    levels
        Coarser places as well, each level a channel whose gains are added: multiples of the side of a cell, such
        as [1, 4, 16], or a hierarchy (a file or frame with the places in the first column and a level in each other).
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Histograms
        Counts of people at places.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> so.histograms(log.events)
    Histograms(50 people, 266 places, 298 entries)
    """
    if not isinstance(events, Events):
        raise bad_argument("histograms", "events", "Events", type(events).__name__, "Make them with so.read_events(…).")
    if measure not in MEASURES:
        raise unknown_name("histograms", "measure", str(measure), MEASURES)
    plan = Counting(events, measure, seconds_of(window), channel, day_numbers(days), overnight)
    people = plan.present_people() if whole_window else None
    counted_rows = plan.count(people, progress)
    left_out = 0 if people is None else plan.people_without(people)
    counted = _assemble(counted_rows, events, plan, left_out)
    if levels is None:
        return counted
    from singleout.statistics.levels import Levels  # levels are made of histograms

    return Levels.parse(levels).expand(counted)


def _assemble(rows: pa.Table, events: Events, plan: Counting, left_out: int) -> Histograms:
    """From rows of person, place and sum to a sparse matrix with ids in ascending order."""
    if not rows.num_rows:
        raise DataError(
            "nobody has any events left. Use a wider window, more days or another split.", function="histograms"
        )
    person, people = encode(rows["person"])
    place, places = encode(rows["place"])
    total = rows["total"].to_numpy()
    channels = None
    if plan.channel is not None:
        place, places, channels = _channel_columns(rows["channel"], place, places, plan)
    unlabelled = 0
    if plan.channel is not None:
        unlabelled = int(total[np.asarray(rows["channel"].is_null())].sum())
    there = (place >= 0) & (total > 0)
    counts = sparse.coo_array((total[there], (person[there], place[there])), shape=(len(people), len(places)))
    used = np.flatnonzero(np.bincount(place[there], minlength=len(places)))
    empty = int((np.bincount(person[there], minlength=len(people)) == 0).sum())
    notes = events.notes + nonzero(
        Note(left_out, "people left out", "not present for the whole window on every day"),
        Note(_people_without_time(events, len(people), left_out), "people left out", "none of their events has a time"),
        Note(unlabelled, "events left out", "without a channel"),
        Note(empty, "people without events", "they keep an empty row and share no place with anyone"),
    )
    return Histograms(
        counts.tocsr()[:, used],
        people,
        places[used],
        channels=None if channels is None else channels[used],
        grid=events.log.grid,
        notes=notes,
        unit=plan.unit,
        records=np.bincount(person[there], rows["records"].to_numpy()[there], len(people)) if plan.is_dwell else None,
    )


def _people_without_time(events: Events, people: int, left_out: int) -> int:
    """People whose events all lack a time; a split has already counted them, and of some people nothing is said."""
    return events.log.people - people - left_out if events.parts is None and events.some_people is None else 0


def _channel_columns(channel: pa.ChunkedArray, place: Any, places: Ids, plan: Counting) -> tuple[Any, Ids, Ids]:
    """Columns for every pair of channel and place, channel by channel."""
    number, labels = encode(channel)
    if not plan.own_channel:
        names = WEEKDAYS if plan.channel == "weekday" else DAYPARTS
        labels = as_ids("histograms", "channel", [names[int(label)] for label in labels])
    column = np.where((place >= 0) & (number >= 0), number * len(places) + place, -1)
    return column, np.tile(places, len(labels)), np.repeat(labels, len(places))
