"""Several tables, and what an intruder might know of each: where R12's heuristics are tried (V)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import singleout as so
from singleout.papers.data_sets import ADULT, CENSUS, CORE, HISTORICAL, NOT_RELEASED, PERSONS, RECORDS, Shelf
from singleout.papers.result import Data

SIZES, QUICK_SIZES = (1_000, 10_000, 100_000), (1_000, 10_000)
AMOUNTS = ("HINCP", "FINCP", "PINCP", "WAGP", "VALP", "RNTP", "POVPIP", "GRPIP", "OCPIP")
"""The columns of the census file that are amounts of money, or shares of them."""
R12 = "R12's CORE"
Sets = dict[str, tuple[str, ...]]
"""Columns that are known together, by a name."""
CENSUS_KNOWN: Sets = {
    R12: CORE,
    "person": ("STATE", "SEX", "AGEP", "RAC1P"),
    "job": ("STATE", "SEX", "OCCP"),
    "home": ("STATE", "TEN", "NP", "YRBLT"),
}
ADULT_KNOWN: Sets = {
    "sex, age": ("sex", "age"),
    "race, country": ("race", "native-country"),
    "education, job": ("education", "occupation"),
}
PERSONS_KNOWN: Sets = {"state": ("state",), "given name": ("given_name",)}
HISTORICAL_KNOWN: Sets = {"gender": ("gender",), "first name": ("first_name",)}
NOT_OF_PERSONS = ("rec_id", "entity_id", "is_original", "soc_sec_id")
"""What identifies people; the true person is a column only if somebody added it."""
NOT_OF_HISTORICAL = ("unique_id", "full_name", "first_and_surname")


@dataclass(frozen=True, eq=False)
class Known:
    """A table, and one set of columns that an intruder knows.

    ``amounts`` says whether a sample of the census file has its amounts of money; None for other tables.
    """

    data: Data
    label: str
    table: so.Table
    columns: tuple[str, ...]
    amounts: bool | None = None


def read_tables(shelf: Shelf) -> Iterator[Known]:
    """All tables that are available with each of their known sets, one table after another."""
    if shelf.has(CENSUS):
        for amounts in (True, False):
            yield from _census(shelf, amounts)
    if shelf.has(ADULT):
        yield from _each(ADULT, so.read_table(shelf.file(ADULT)), ADULT_KNOWN)
    if shelf.has(PERSONS):
        yield from _each(PERSONS, _persons(shelf), PERSONS_KNOWN)
    if shelf.has(HISTORICAL):
        yield from _each(HISTORICAL, so.read_table(_one_of_each(shelf), drop=NOT_OF_HISTORICAL), HISTORICAL_KNOWN)
    made = so.synthetic_records(seed=shelf.seed)
    yield Known(RECORDS, "synthetic: Table IV's", so.read_table(made.table), tuple(made.known_columns))


def _each(data: Data, table: so.Table, known: Sets) -> Iterator[Known]:
    for name, columns in known.items():
        yield Known(data, f"{data.name}: {name}", table, columns)


def _census(shelf: Shelf, amounts: bool) -> Iterator[Known]:
    """The file and samples of it with R12's CORE; the largest sample with the other known sets too."""
    file = shelf.file(CENSUS)
    everybody, names = pq.read_metadata(file).num_rows, pq.read_schema(file).names
    left_out = {*NOT_RELEASED, *(() if amounts else AMOUNTS)}
    columns = [name for name in names if name not in left_out]
    sizes = [size for size in (QUICK_SIZES if shelf.quick else SIZES) if size < everybody]
    rest = "" if amounts else ", no amounts"
    for size in sizes:
        table = so.read_table(_sample(shelf, columns, size))
        for name, known in CENSUS_KNOWN.items():
            if name == R12 or size == sizes[-1]:
                yield Known(CENSUS, f"ACS {size:,}{rest}: {name}", table, known, amounts)
    if not shelf.quick or not sizes:
        table = shelf.census if amounts else so.read_table(file, columns=columns)
        yield Known(CENSUS, f"ACS {everybody:,}{rest}: {R12}", table, CORE, amounts)


def _sample(shelf: Shelf, columns: list[str], size: int) -> pa.Table:
    """Random records of the census file, the same whatever the columns."""
    table = pq.read_table(shelf.file(CENSUS), columns=columns)
    rows = np.random.default_rng([shelf.seed, size]).choice(table.num_rows, size, replace=False)
    return table.take(pa.array(np.sort(rows)))


def _persons(shelf: Shelf) -> so.Table:
    file = shelf.file(PERSONS)
    return so.read_table(file, drop=[name for name in pq.read_schema(file).names if name in NOT_OF_PERSONS])


def _one_of_each(shelf: Shelf) -> pa.Table:
    """The first record of each person, of whom the file has several copies with errors."""
    table = pq.read_table(shelf.file(HISTORICAL))
    _, first = np.unique(table["cluster"].to_numpy(), return_index=True)
    return table.take(pa.array(np.sort(first))).drop_columns(["cluster"])
