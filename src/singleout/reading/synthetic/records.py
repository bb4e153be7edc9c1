"""A synthetic table with five vulnerable people, like the one behind R12 Table IV: 10 columns, 500 records.

Every result measured on it must be called synthetic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from singleout.ground.errors import check_seed
from singleout.ground.notebooks import Described

KNOWN = ("area", "region", "home")
FINE = {"occupation": 30, "income": 28, "rent": 26}
"""Columns with many values, none of them rare."""
RARE = {"language": 14, "ancestry": 11, "degree": 8}
"""Columns with this many values that only one household of three has."""
COMMON = 4
COPIES = 3
COLUMNS = (*KNOWN, *FINE, *RARE, "sex")
FILLERS = 156

Record = dict[str, int]


@dataclass(frozen=True, eq=False)
class SyntheticRecords(Described):
    """Synthetic records; ``known_columns`` are the CORE, ``vulnerable`` the rows that are unique on all columns.

    Examples
    --------
    >>> import singleout as so
    >>> made = so.synthetic_records(seed=1)
    >>> made.known_columns
    ('area', 'region', 'home')
    """

    table: pa.Table
    known_columns: tuple[str, ...]
    vulnerable: tuple[int, ...]

    def facts(self) -> dict[str, object]:
        """Sizes."""
        return {
            "records": self.table.num_rows,
            "known columns": list(self.known_columns),
            "vulnerable": len(self.vulnerable),
        }

    def __repr__(self) -> str:
        return f"SyntheticRecords({self.table.num_rows} synthetic records, {len(self.vulnerable)} vulnerable)"


def synthetic_records(*, seed: int = 0) -> SyntheticRecords:
    """Generate a table with the sizes and percentages that Ramachandran 2012 reports in Table IV.

    Every record occurs three times, except those of five people. In addition to the known columns, one is unique by
    language, one by income, one by language and degree, one by ancestry and degree, and one only by language, ancestry
    and degree. The seed decides everything else; these five stay the same.

    Parameters
    ----------
    seed
        Seed for everything random; the same seed gives the same result.

    Returns
    -------
    SyntheticRecords
        The table, what is known, and who is vulnerable.

    Examples
    --------
    >>> import singleout as so
    >>> so.synthetic_records(seed=1)
    SyntheticRecords(500 synthetic records, 5 vulnerable)
    """
    check_seed("synthetic_records", seed)
    rng = np.random.default_rng(seed)
    alone, households = _special()
    records = [record for record in [*households, *_fillers(rng)] for _ in range(COPIES)]
    records += alone
    order = rng.permutation(len(records))
    columns = {name: [records[number][name] for number in order] for name in COLUMNS}
    first_alone = len(records) - len(alone)
    rows = np.flatnonzero(order >= first_alone)
    return SyntheticRecords(pa.table(columns), KNOWN, tuple(rows.tolist()))


def _fillers(rng: np.random.Generator) -> list[Record]:
    """Households that do not hide the five; the first of them have the rare values."""
    records = []
    places = {name: rng.permutation(FILLERS) % levels for name, levels in FINE.items()}
    for number in range(FILLERS):
        area = int(rng.integers(0, 5))
        record = {"area": area, "region": area // 3, "home": int(rng.integers(0, 4)), "sex": int(rng.integers(0, 2))}
        record |= {name: int(own[number]) for name, own in places.items()}
        for name, rare in RARE.items():
            record[name] = COMMON + number if number < rare else int(rng.integers(0, COMMON))
        records.append(record)
    return records


def _special() -> tuple[list[Record], list[Record]]:
    """The five, each in a separate area, and the households there that make fewer columns insufficient."""

    def at(area: int, **values: int) -> Record:
        return dict.fromkeys(COLUMNS, 0) | {"area": area, "region": 2} | values

    alone = [
        at(5, language=1),
        at(6, income=1),
        at(7, language=1),
        at(8, ancestry=1),
        at(9),
    ]
    households = [
        at(5),
        at(6),
        # language 1 and degree 0 both occur, but not together
        *(at(7), at(7, language=1, degree=1)),
        *(at(8), at(8, ancestry=1, degree=1)),
        # any two of the three values occur together, but not all three
        *(at(9, language=1), at(9, ancestry=1), at(9, degree=1)),
    ]
    return alone, households
