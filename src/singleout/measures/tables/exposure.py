"""Which columns lead from released records to few entries of a public list (R12 VI: with public data as well)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, Literal, TypedDict

import numpy as np
import pyarrow as pa
from scipy.stats import binom

from singleout._kernels.records import count_keys
from singleout.ground.arrays import Floats, Indices, Integers
from singleout.ground.errors import DataError, InputError, bad_argument, is_number, is_whole
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, NoteDict, cut_middle, in_lines, nonzero
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, NotNegative, Positive, Share
from singleout.ground.progress import show_progress
from singleout.ground.text_tables import align_rows
from singleout.matching.record_search import Codes, record_keys
from singleout.measures.intervals import Estimate, wilson
from singleout.reading.columns import Rows
from singleout.reading.tables import as_table
from singleout.statistics.common_columns import common_columns, common_names

FUNCTION = "exposure"
MOST_COMBINATIONS = 20_000
SHOWN = 10
CURVES = 5
DIGITS = 9
"""Probabilities are rounded, so that what cannot happen is zero."""
RATES = {
    "coverage": tuple(np.linspace(1, 0.1, 10).round(1).tolist()),
    "error_rate": (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5),
    "missing_rate": (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5),
}
"""The values at which curves are computed."""


@dataclass(frozen=True)
class PublicList:
    """How good a public list is: who is on it, and how many of its values are wrong or missing."""

    coverage: float = 1.0
    error_rate: float = 0.0
    missing_rate: float = 0.0

    def survives(self, columns: int) -> float:
        """The probability that an entry is on the list with all of these columns right."""
        return self.coverage * ((1 - self.error_rate) * (1 - self.missing_rate)) ** columns


@dataclass(frozen=True, eq=False)
class Lead:
    """Columns added to the known ones, and how many released records they lead to few public entries.

    ``led`` records are expected to meet at least one entry and at most ``max_known``; ``right`` of them would be
    re-identified by choosing one of the entries at random, if everyone's entry is on the complete list. ``entries``
    and ``records``: numbers of entries of the given list, and how many released records meet as many.
    """

    columns: tuple[str, ...]
    led: float
    right: float
    total: int
    entries: Indices = field(repr=False)
    records: Indices = field(repr=False)

    @property
    def share(self) -> Estimate:
        """The share of the released records that are led to few entries."""
        return wilson(min(self.led, self.total), self.total)


class LedDict(TypedDict):
    """Records that the known columns alone lead to few entries."""

    led: NotNegative
    right: NotNegative


class LeadDict(LedDict):
    """Columns added to the known ones, and how many records they lead to few entries."""

    columns: list[str]
    share: Share
    low: Share
    high: Share


class LeadPointDict(TypedDict):
    """What columns lead to on a list of another quality."""

    columns: list[str]
    rate: Literal["coverage", "error_rate", "missing_rate"]
    value: Share
    led: Share
    right: Share


class ExposureDict(TypedDict):
    """Which columns lead released records to few entries of a public list."""

    released: Count
    public: Count
    known: list[str]
    max_known: Positive
    coverage: Share
    error_rate: Share
    missing_rate: Share
    by_known: LedDict | None
    random: Share
    chance: Share
    combinations: list[LeadDict]
    curve: list[LeadPointDict]
    notes: list[NoteDict]


@dataclass(frozen=True, eq=False)
class Exposure(Pictured):
    """Which columns lead released records to at most ``max_known`` entries of a public list, the strongest first.

    ``by_known``: the known columns alone, None if nothing is known. ``random``: the share of records that columns added
    at random lead there, on average; ``chance``: the probability that a random entry is right.

    Examples
    --------
    >>> import singleout as so
    >>> import pyarrow as pa
    >>> released = pa.table({"town": ["Ulm", "Bonn", "Bonn"], "born": [1950, 1960, 1971]})
    >>> known = pa.table({"town": ["Bonn", "Ulm", "Kiel"], "born": [1971, 1950, 1980]})
    >>> found = so.exposure(released, known, max_known=1)
    >>> found.rows[0].led
    3.0
    """

    rows: tuple[Lead, ...]
    by_known: Lead | None
    known: tuple[str, ...]
    max_known: int
    public: PublicList
    sizes: tuple[int, int]
    notes: tuple[Note, ...] = ()

    @property
    def random(self) -> float:
        """The share that random columns lead to few entries, on average over all choices."""
        return float(np.mean([row.led for row in self.rows])) / self.sizes[0]

    @property
    def chance(self) -> float:
        """The probability that an entry chosen at random is right."""
        return 1 / self.sizes[1]

    def curve(self) -> pa.Table:
        """What the strongest columns lead to on lists of other quality: one of the three rates is varied at a time."""
        rows = []
        for lead in self.rows[:CURVES]:
            for rate, values in RATES.items():
                for value in values:
                    public = PublicList(**(vars(self.public) | {rate: value}))
                    led, right = _expect(lead, public, len(self.known) + len(lead.columns), self.max_known)
                    varied: dict[str, Any] = {"columns": list(lead.columns), "rate": rate, "value": float(value)}
                    rows.append(varied | {"led": led / self.sizes[0], "right": right / self.sizes[0]})
        return pa.Table.from_pylist(rows)

    def to_arrow(self) -> pa.Table:
        """One row per choice of columns: records led to few entries, and expected to be re-identified."""
        return pa.Table.from_pylist(
            [
                {"columns": list(row.columns), "led": row.led, "right": row.right}
                | {"share": row.share.value, "low": row.share.low, "high": row.share.high}
                for row in self.rows
            ]
        )

    def to_dict(self) -> ExposureDict:
        """Plain data, no values."""
        alone = self.by_known
        return {
            "released": self.sizes[0],
            "public": self.sizes[1],
            "known": list(self.known),
            "max_known": self.max_known,
            "coverage": self.public.coverage,
            "error_rate": self.public.error_rate,
            "missing_rate": self.public.missing_rate,
            "by_known": None if alone is None else {"led": alone.led, "right": alone.right},
            "random": self.random,
            "chance": self.chance,
            "combinations": self.to_arrow().to_pylist(),
            "curve": self.curve().to_pylist(),
            "notes": [note.to_dict() for note in self.notes],
        }

    def __repr__(self) -> str:
        whole = self.sizes[0]
        first = f"Exposure({whole:,} released records against a list of {self.sizes[1]:,})"
        about = f"known: {', '.join(self.known) or 'nothing'}; led to at most {self.max_known} entries of the list"
        rates = [(name.replace("_", " "), percent(value)) for name, value in vars(self.public).items()]
        quality = ", ".join(f"{name} {value}" for name, value in rates)
        alone = [] if self.by_known is None else [("(nothing)", *_cells(self.by_known))]
        rows = [*alone, *((cut_middle(", ".join(row.columns), 30), *_cells(row)) for row in self.rows[:SHOWN])]
        rows.append(("at random", "", percent(self.random)))
        heads = "added:<", "records:>", "share:>", "95% interval:>", "right:>"
        table = align_rows(rows, *heads, indent=2)
        return "\n".join([first, f"  {about}", f"  {quality}", *table, *in_lines(self.notes)])


def _cells(lead: Lead) -> tuple[str, ...]:
    share = lead.share
    bounds = f"{percent(share.low)} - {percent(share.high)}"
    return f"{lead.led:,.0f}", percent(share.value), bounds, f"{lead.right:,.0f}"


def exposure(
    released: Any,
    known: Any,
    *,
    known_columns: Sequence[str] = (),
    on: Sequence[str] | None = None,
    add: int = 1,
    max_known: int = 5,
    coverage: float = 1.0,
    error_rate: float = 0.0,
    missing_rate: float = 0.0,
    progress: bool | None = None,
) -> Exposure:
    """Rank columns by how many released records they lead to few entries of a public list.

    Parameters
    ----------
    released, known
        Tables of ``read_table``, or sources that it reads; ``known`` is the public list.
    known_columns
        Columns that an intruder uses in any case; may be empty.
    on
        The common columns; by default every column that both sides have.
    add
        How many columns are added; every choice is counted.
    max_known
        Few: at least one entry and at most this many have the values of a record (Ramachandran's (2012) theta(P)).
        Missing values match nothing.
    coverage, error_rate, missing_rate
        If an intruder's list is worse than the one given: the share of its entries that are on it, and the shares of
        their values that are wrong and that are missing. An entry still meets a record if it is on the list and all
        its values are right; that wrong values may meet other records is neglected. ``curve`` varies each.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Exposure
        One row per choice of columns, the strongest first.

    Examples
    --------
    >>> import singleout as so
    >>> import pyarrow as pa
    >>> released = pa.table({"town": ["Ulm", "Bonn", "Bonn"], "born": [1950, 1960, 1971]})
    >>> known = pa.table({"town": ["Bonn", "Ulm", "Kiel"], "born": [1971, 1950, 1980]})
    >>> found = so.exposure(released, known, max_known=1)
    >>> found.rows[0].columns
    ('town',)
    """
    _check(add, max_known, {"coverage": coverage, "error_rate": error_rate, "missing_rate": missing_rate})
    tables = as_table(released), as_table(known)
    names = common_names(FUNCTION, tables, on)
    core = tables[0].check_columns(FUNCTION, "known_columns", known_columns, empty=True)
    for name in core:
        if name not in names:
            raise bad_argument(FUNCTION, "known_columns", "columns that both tables have", name)
    others = [name for name in names if name not in core]
    _check_number(others, add)
    columns = common_columns(FUNCTION, tables, [*core, *others], single=False, progress=progress)
    sizes = tuple(column.size for column in columns)
    codes = Codes(tuple(c.released for c in columns), sizes), Codes(tuple(c.known for c in columns), sizes)
    sides = Compared(codes, (tables[0].rows, tables[1].rows))
    public = PublicList(float(coverage), float(error_rate), float(missing_rate))
    base = tuple(range(len(core)))
    chosen = list(combinations(range(len(core), len(columns)), add))
    leads = []
    with show_progress("counting public entries", progress) as advance:
        for number, places in enumerate(chosen, start=1):
            added = tuple(columns[place].name for place in places)
            leads.append(_lead(sides, base + places, added, public, max_known))
            advance(number / len(chosen))
    notes = tuple(note for column in columns for note in column.notes) + _missing(sides)
    return Exposure(
        tuple(sorted(leads, key=lambda lead: -lead.led)),
        _lead(sides, base, (), public, max_known) if core else None,
        core,
        max_known,
        public,
        (len(tables[0]), len(tables[1])),
        notes,
    )


def _check(add: Any, max_known: Any, rates: dict[str, Any]) -> None:
    for name, value in (("add", add), ("max_known", max_known)):
        if not is_whole(value) or value < 1:
            raise bad_argument(FUNCTION, name, "a whole number of at least 1", value)
    for name, value in rates.items():
        if not is_number(value) or not 0 <= value <= 1:
            raise bad_argument(FUNCTION, name, "from 0 to 1", value)


def _check_number(others: list[str], add: int) -> None:
    if not others:
        raise DataError("all common columns are known; there is none to add.", function=FUNCTION)
    if add > len(others):
        raise bad_argument(FUNCTION, "add", f"at most {len(others)}, the columns that are not known", add)
    if comb(len(others), add) > MOST_COMBINATIONS:
        number = f"{add} of {len(others)} columns make {comb(len(others), add):,} combinations"
        raise InputError(
            f"{number}, but at most {MOST_COMBINATIONS:,} are counted. Use a smaller `add` or fewer columns.",
            function=FUNCTION,
        )


@dataclass(frozen=True, eq=False)
class Compared:
    """Both sides as codes of rows, and how many records or entries each row stands for."""

    codes: tuple[Codes, Codes]
    rows: tuple[Rows, Rows]

    def count(self, places: tuple[int, ...]) -> tuple[Indices, Indices]:
        """Numbers of entries with equal values, and how many released records meet as many."""
        wanted, keys = record_keys(self.codes, places, never=True)
        number = count_keys(wanted, keys)[0] if self.rows[1].times is None else self._count_entries(wanted, keys)
        met = np.flatnonzero(number)
        entries, records = self.rows[0].take(met).by_value(number[met])
        return entries, records.astype(np.intp)

    def _count_entries(self, wanted: Integers, keys: Integers) -> Indices:
        there = np.flatnonzero(keys >= 0)
        found, entries = self.rows[1].take(there).by_value(keys[there])
        if not len(found):
            return np.zeros(len(wanted), dtype=np.intp)
        place = np.minimum(np.searchsorted(found, wanted), len(found) - 1)
        return np.where(found[place] == wanted, entries[place], 0).astype(np.intp)


def _lead(sides: Compared, places: tuple[int, ...], added: tuple[str, ...], public: PublicList, max_known: int) -> Lead:
    entries, records = sides.count(places)
    total = sides.rows[0].records
    lead = Lead(added, 0.0, 0.0, total, entries, records)
    return Lead(added, *_expect(lead, public, len(places), max_known), total, entries, records)


def _expect(lead: Lead, public: PublicList, columns: int, max_known: int) -> tuple[float, float]:
    """Records that meet at least one entry and at most ``max_known`` on such a list, and those guessed rightly.

    Of n entries each survives with the same probability, so their number is binomial; whichever survive, a random one
    is the right one in 1 of n cases.
    """
    led = _few_survive(lead.entries, public.survives(columns), max_known) * lead.records
    return float(led.sum()), float((led / lead.entries).sum())


def _few_survive(entries: Indices, share: float, most: int) -> Floats:
    """The probability that at least one of these entries survives, and at most this many do."""
    return np.asarray(np.round(binom.cdf(most, entries, share) - binom.pmf(0, entries, share), DIGITS))


def _missing(sides: Compared) -> tuple[Note, ...]:
    lacking = [np.logical_or.reduce([column < 0 for column in side.columns]) for side in sides.codes]
    counts = [rows.of(each) for rows, each in zip(sides.rows, lacking, strict=True)]
    why = "missing values match nothing"
    names = ("released", "public")
    return nonzero(
        *(Note(n, f"records with missing values ({name})", why) for n, name in zip(counts, names, strict=True))
    )
