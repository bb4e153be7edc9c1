"""Record linkage (R12 III): which released records lead to a single known one, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.arrays import Indices
from singleout.ground.errors import bad_argument, is_number, is_whole, unknown_name
from singleout.ground.names import MissingInRecords
from singleout.ground.notebooks import Tabular
from singleout.ground.notes import Note, NoteDict, in_a_row, in_lines, nonzero, number_of, of_two_sides
from singleout.ground.plain_data import Count, FieldsOf, Positive, Share
from singleout.ground.text_tables import align_rows
from singleout.matching.near_agreement import NearLinking
from singleout.matching.record_search import MISSING, Codes, Linking, number_of_sets, sets_by_power
from singleout.reading.tables import Table, as_table
from singleout.statistics.common_columns import CommonColumn, common_columns, common_names

MOST_SETS, MOST_NEAR_SETS = 100_000, 5_000
"""Combinations of columns; fewer if columns may disagree, because every one must then be looked at."""
RULES = {
    "value": "counted as a value",
    "never": "they match nothing",
    "any": "they match anything, after more complete records",
    "neutral": "they neither agree nor differ",
}
"""How missing values are treated."""


@dataclass(frozen=True)
class Uniques:
    """Released records that differ from all others on the common columns, and known ones that agree (R12 III-C).

    Unique in a sample is not unique in the population: ``known`` counts the known records that agree with them. ``few``
    of them agree with at least one and fewer than ``max_known`` known records (R12: fewer than 5), ``few_known`` in
    total.
    """

    released: int
    known: int
    few: int
    few_known: int


class LinksByColumns(TypedDict):
    """How many links a set of columns made."""

    columns: list[str]
    links: Positive


class LinksDict(TypedDict):
    """Released records that a rare combination of columns links to a single known record."""

    agreement: Literal["complete", "nearly complete"]
    max_disagreements: Count
    released: Count
    known: Count
    on: list[str]
    power: Annotated[dict[str, float], "How well each column distinguishes records."]
    links: Count
    share_linked: Share
    sharing_a_known_record: Count
    unique_released: Annotated[dict[str, int], FieldsOf(Uniques)]
    by_columns: list[LinksByColumns]
    notes: list[NoteDict]


@dataclass(frozen=True, eq=False)
class Links(Tabular):
    """Released records that a rare combination of columns links to a single known record (Ramachandran's (2012) V).

    ``released`` and ``known`` are row numbers from 0. ``columns`` are the first, by power, on which the record is rare;
    ``released_count`` and ``known_count`` say how many records of each side have its values there. ``identical``: how
    many released records, itself included, agree with it on all common columns. ``shared``: another released record is
    linked to the same known one, so at most one of them is right.

    Examples
    --------
    >>> import singleout as so
    >>> import pyarrow as pa
    >>> released = pa.table({"town": ["Ulm", "Bonn", "Bonn"], "born": [1950, 1960, 1971]})
    >>> known = pa.table({"town": ["Bonn", "Ulm", "Kiel"], "born": [1971, 1950, 1980]})
    >>> links = so.link_records(released, known, max_released=1, max_known=2)
    >>> links.to_arrow().column_names[:3]
    ['released_row', 'known_row', 'columns']
    """

    released: Indices
    known: Indices
    columns: tuple[tuple[str, ...], ...]
    released_count: Indices
    known_count: Indices
    identical: Indices
    on: tuple[str, ...]
    power: dict[str, float]
    uniques: Uniques
    sizes: tuple[int, int]
    tables: tuple[Table, Table] = field(repr=False)
    max_disagreements: int = 0
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.released)

    @property
    def shared(self) -> NDArray[np.bool_]:
        """Which links lead to a known record that another link also leads to."""
        return np.bincount(self.known, minlength=self.sizes[1])[self.known] > 1

    @property
    def random(self) -> float:
        """The share of random links that would be right."""
        return 1 / self.sizes[1]

    def agreement(self) -> str:
        """What was required of a link, in words."""
        if not self.max_disagreements:
            return f"complete agreement only, on {in_a_row(self.on)}: one error is enough to hide a record"
        few = number_of(self.max_disagreements, "columns")
        return f"of {in_a_row(self.on)} at most {few} outside the rare combination may disagree"

    def by_columns(self) -> list[tuple[tuple[str, ...], int]]:
        """How many links each set of columns made, most first."""
        return sorted(Counter(self.columns).items(), key=lambda item: (-item[1], item[0]))

    def to_arrow(self, *, reveal: bool = False) -> pa.Table:
        """One row per link: row numbers, columns, counts; the values of the common columns only with ``reveal``."""
        table: dict[str, Any] = {"released_row": self.released, "known_row": self.known}
        table["columns"] = pa.array([list(names) for names in self.columns], pa.list_(pa.string()))
        table |= {"released_count": self.released_count, "known_count": self.known_count}
        table |= {"identical": self.identical, "shared": self.shared}
        if reveal:
            for column in self.tables[0].encode(self.on):
                table[f"value of {column.name}"] = pa.array(column.decode()[self.released].tolist())
        return pa.table(table)

    def to_dict(self) -> LinksDict:
        """Counts for a result file, no values."""
        return {
            "agreement": "complete" if not self.max_disagreements else "nearly complete",
            "max_disagreements": self.max_disagreements,
            "released": self.sizes[0],
            "known": self.sizes[1],
            "on": list(self.on),
            "power": self.power,
            "links": len(self),
            "share_linked": len(self) / self.sizes[0],
            "sharing_a_known_record": int(self.shared.sum()),
            "unique_released": vars(self.uniques),
            "by_columns": [{"columns": list(names), "links": number} for names, number in self.by_columns()],
            "notes": [note.to_dict() for note in self.notes],
        }

    def __repr__(self) -> str:
        other = "" if self.max_disagreements else " (so.probable_links allows for errors)"
        return f"Links({self._linked()})\n{self._details(other)}"

    def in_words(self) -> str:
        """The same for readers who never called a function."""
        return f"{self._linked()}.\n{self._details()}"

    def _linked(self) -> str:
        return f"{len(self):,} of {self.sizes[0]:,} released records linked to one of {self.sizes[1]:,} known ones"

    def _details(self, other: str = "") -> str:
        unique, shared = self.uniques, int(self.shared.sum())
        said = [
            f"{self.agreement()}{other}",
            f"{number_of(shared, 'links')} {'leads' if shared == 1 else 'lead'} to a known record that another link "
            "leads to as well",
            f"{_records(unique.released, 'released')} {'is' if unique.released == 1 else 'are'} unique on these "
            f"columns; {_records(unique.known, 'known')} {'agrees' if unique.known == 1 else 'agree'} with one of them",
            f"{_records(unique.few, 'unique')} {'agrees' if unique.few == 1 else 'agree'} with one or a few known "
            f"records ({_records(unique.few_known, 'known')} in all)",
        ]
        most = self.by_columns()[:MOST_SHOWN]
        rows = [(number_of(number, "links"), f"through {in_a_row(names)}") for names, number in most]
        rare = ["rare combinations of values through which records were linked:"] if rows else []
        table = align_rows(rows, ":>", ":<", indent=4)
        return "\n".join([*in_lines([*said, *rare]), *table, *in_lines(self.notes)])


MOST_SHOWN = 10


def _records(count: int, kind: str) -> str:
    return f"{count:,} {kind} {'record' if count == 1 else 'records'}"


def link_records(
    released: Any,
    known: Any,
    *,
    on: Sequence[str] | None = None,
    max_columns: int = 7,
    max_released: int = 10,
    max_known: int = 5,
    missing: MissingInRecords = "value",
    max_disagreements: int = 0,
    min_power: float = 0.0,
    progress: bool | None = None,
) -> Links:
    """Link released records to known ones by rare combinations of the columns both have.

    Ramachandran 2012, Algorithm 1.

    A record is linked if a combination of up to ``max_columns`` of its values is rare on both sides and exactly one
    known record agrees with it on all common columns. Defaults are the paper's. One typing error is enough to hide a
    record: ``probable_links`` links records although they have errors.

    Parameters
    ----------
    released, known
        Tables of ``read_table``, or sources that it reads.
    on
        The common columns (M); by default every column that both sides have.
    max_columns
        The largest combination (alpha).
    max_released, max_known
        A combination of values is rare if at most this many released, and known, records have it (theta).
    missing
        Whether a missing value counts as a ``"value"``, agrees ``"never"``, or agrees with ``"any"``. In the last case
        records agree if they share a value and differ in none that both have; a known record is passed over if another
        agrees on the same columns and on more.
    max_disagreements
        How many of the columns that are not in the combination may differ. Above 0 missing values neither agree nor
        differ, and no combination contains one.
    min_power
        Only columns with at least this distinguishing power make combinations; all are checked. If they would make
        more than 100,000 combinations (5,000 if columns may disagree), as many of the strongest as make fewer are
        taken, which is noted.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Links
        The links, by row numbers.

    Examples
    --------
    >>> import singleout as so
    >>> import pyarrow as pa
    >>> released = pa.table({"town": ["Ulm", "Bonn", "Bonn"], "born": [1950, 1960, 1971]})
    >>> known = pa.table({"town": ["Bonn", "Ulm", "Kiel"], "born": [1971, 1950, 1980]})
    >>> links = so.link_records(released, known, max_released=1, max_known=2)
    >>> links.released.tolist(), links.known.tolist()
    ([0, 2], [1, 0])
    """
    tables = as_table(released), as_table(known)
    limits = {"max_columns": max_columns, "max_released": max_released, "max_known": max_known}
    names = common_names("link_records", tables, on)
    _check(limits, missing)
    _check_tolerance(max_disagreements, min_power, missing)
    columns = common_columns("link_records", tables, names, progress=progress)
    # the strongest first: most distinct values among the released; of equals the first one given
    ordered = sorted(columns, key=lambda column: -column.distinct)
    sizes = tuple(column.size for column in ordered)
    sides = [Codes(tuple(getattr(column, side) for column in ordered), sizes) for side in ("released", "known")]
    power = _power(ordered)
    most_sets = MOST_NEAR_SETS if max_disagreements else MOST_SETS
    combined = _combined(list(power.values()), max_columns, min_power, most_sets)
    linking = Linking(sides[0], sides[1], missing="any" if max_disagreements else missing, combined=combined, **limits)
    identical = linking.count_identical()
    if max_disagreements:
        near = NearLinking(sides[0], sides[1], max_released, max_known, max_disagreements)
        found, agree, one = near.links(list(sets_by_power(combined, max_columns)), progress)
    else:
        agree, one = linking.agreeing()
        found = linking.links(np.flatnonzero(agree == 1), one, progress)
    used = tuple(tuple(ordered[number].name for number in numbers) for numbers in found.columns)
    return Links(
        found.rows,
        one[found.rows],
        used,
        found.released_count,
        found.known_count,
        identical[found.rows],
        names,
        power,
        _uniques(identical, agree, max_known),
        (len(linking.released), len(linking.known)),
        tables,
        max_disagreements,
        _itself(sides)
        + _notes(tables, columns, sides, "neutral" if max_disagreements else missing)
        + _not_combined(power, combined, min_power, most_sets),
    )


def _check(limits: dict[str, int], missing: str) -> None:
    for name, limit in limits.items():
        if not is_whole(limit) or limit < 1:
            raise bad_argument("link_records", name, "a whole number of at least 1", limit)
    if missing not in MISSING:
        raise unknown_name("link_records", "missing", str(missing), MISSING)


def _check_tolerance(max_disagreements: Any, min_power: Any, missing: str) -> None:
    if not is_whole(max_disagreements) or max_disagreements < 0:
        must = "a whole number of at least 0"
        raise bad_argument("link_records", "max_disagreements", must, max_disagreements)
    if max_disagreements and missing == "never":
        must = "value or any if columns may disagree: missing values then neither agree nor differ"
        raise bad_argument("link_records", "missing", must, missing)
    if not is_number(min_power) or not 0 <= min_power <= 1:
        raise bad_argument("link_records", "min_power", "from 0 to 1", min_power)


def _combined(power: list[float], most: int, min_power: float, most_sets: int) -> int:
    """How many columns, the strongest first, make combinations; always one."""
    strong = max(1, sum(each >= min_power for each in power))
    while number_of_sets(strong, most) > most_sets:
        strong -= 1
    return strong


def _not_combined(power: dict[str, float], combined: int, min_power: float, most_sets: int) -> tuple[Note, ...]:
    left = list(power)[combined:]
    if not left:
        return ()
    weak = all(power[name] < min_power for name in left)
    why = f"their power is below {min_power:g}" if weak else f"all would make more than {most_sets:,} combinations"
    return (Note(len(left), f"columns checked but not combined ({', '.join(left)})", why),)


def _power(columns: list[CommonColumn]) -> dict[str, float]:
    """Distinguishing power (R12 III-B): distinct released values relative to the column with most."""
    most = max(column.distinct for column in columns)
    return {column.name: column.distinct / most if most else 0.0 for column in columns}


def _uniques(identical: Indices, agree: Indices, max_known: int) -> Uniques:
    met = agree[identical == 1]
    few = met[(met > 0) & (met < max_known)]
    return Uniques(len(met), int(met.sum()), len(few), int(few.sum()))


def _itself(sides: list[Codes]) -> tuple[Note, ...]:
    """A note if both sides contain the same records, in whatever form the sources were given."""
    if not all(np.array_equal(mine, theirs) for mine, theirs in zip(sides[0].columns, sides[1].columns, strict=True)):
        return ()
    why = "both sides contain the same records, so links show who is unique, not who could be found elsewhere"
    return (Note(len(sides[0]), "records compared with themselves as well", why),)


def _notes(
    tables: tuple[Table, Table], columns: list[CommonColumn], sides: list[Codes], missing: str
) -> tuple[Note, ...]:
    names = [column.name for column in columns]
    notes = [*of_two_sides(*(table.notes_on(names) for table in tables))]
    notes += [note for column in columns for note in column.notes]
    for name, side in zip(("released", "known"), sides, strict=True):
        lacking = int(np.logical_or.reduce([column < 0 for column in side.columns]).sum())
        notes.append(Note(lacking, f"records with missing values ({name})", RULES[missing]))
    return nonzero(*notes)
