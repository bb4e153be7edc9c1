"""Householders of the American Community Survey from the Census Bureau's public-use files (psam_h*, psam_p*)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from singleout.ground.errors import DataError, SourceError
from singleout.ground.notes import Note, nonzero
from singleout.papers.originals.files import Converted, DatasetFiles, Original, files_of, nothing_found, write_parquet
from singleout.reading.database import Database, literal, quote
from singleout.reading.sources import unreadable

FILE = "acs2024_householder_49states.parquet"


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


HOUSEHOLD = _names(
    "SERIALNO STATE REGION PUMA WGTP TEN VALP RNTP GRPIP OCPIP HINCP FINCP MV BDSP RMSP YRBLT BLD HHT HHL MULTG NP NPF "
    "VACS TYPEHUGQ"
)
PERSON = _names(
    "PWGTP AGEP SEX RAC1P HISP CIT NATIVITY LANX ENG SCHL FOD1P MAR FER ESR INDP OCCP COW WKHP WKWN JWMNP JWTRNS PINCP "
    "WAGP POVPIP MIGSP HICOV PRIVCOV PUBCOV DIS DEAR DEYE DREM DPHY MIL"
)
KINDS = (
    dict.fromkeys((*HOUSEHOLD, *PERSON), pa.int8())
    | dict.fromkeys(("WGTP", "RNTP", "YRBLT", "PWGTP", "FOD1P", "INDP", "OCCP", "JWMNP", "POVPIP", "MIGSP"), pa.int16())
    | dict.fromkeys(("VALP", "HINCP", "FINCP", "PINCP", "WAGP"), pa.int32())
    | dict.fromkeys(("SERIALNO", "STATE", "PUMA"), pa.string())
)
SQL_KINDS = {pa.int8(): "TINYINT", pa.int16(): "SMALLINT", pa.int32(): "INTEGER"}
DIGITS = {"STATE": 2, "PUMA": 5}
"""Codes that are written with leading zeros."""
FIRST_PERSON = "TRY_CAST(SPORDER AS INTEGER) = 1"
NOT_HERE = ("06", "48")
"""California and Texas, which the reference figures leave out."""


@dataclass(frozen=True, eq=False)
class _Records:
    """Files of one type, homes or persons, inside a database; ``only`` is SQL, also on columns that are not kept."""

    database: Database
    files: tuple[Path, ...]
    columns: tuple[str, ...]
    only: str = "true"
    also: tuple[str, ...] = ()

    def read(self) -> str:
        """The name of a table of these columns, with typed values; raises for what cannot be read."""
        self._check_columns()
        broken = " OR ".join(
            f"({_trim(name)} IS NOT NULL AND {_value(name)} IS NULL)" for name in self.columns if _is_number(name)
        )
        values = ", ".join(f"{_value(name)} AS {name}" for name in self.columns)
        sql = f"SELECT {values}, {broken} OR SERIALNO IS NULL AS broken FROM {{relation}} WHERE {self.only}"
        name = self._run(sql.format(relation=_relation(self.files)))
        if self.database.row(f"SELECT count(*) AS n FROM {name} WHERE broken")["n"]:
            raise self._locate_fault(f"{broken} OR SERIALNO IS NULL")
        self._refuse_repeats(name)
        return name

    def _run(self, sql: str) -> str:
        try:
            return self.database.keep(sql, label=f"reading {self.files[0].name}")
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise SourceError(f"{unreadable(self.files, error)}", function="convert") from error

    def _check_columns(self) -> None:
        for file in self.files:
            try:
                there = self.database.column_types(_relation([file]))
            except duckdb.Error as error:
                raise SourceError(f"{unreadable((file,), error)}", function="convert") from error
            lacking = [name for name in (*self.columns, *self.also) if name not in there]
            if lacking:
                raise SourceError(
                    f"{file} lacks the column {lacking[0]}. Only the 1-year files of 2024 have all of them.",
                    function="convert",
                )

    def _locate_fault(self, condition: str) -> DataError:
        """Name the first line that contains something other than a number."""
        for file in self.files:
            numbered = f"SELECT *, row_number() OVER () AS row FROM {_relation([file])}"
            found = self.database.table(f"SELECT min(row) AS row FROM ({numbered}) WHERE {self.only} AND ({condition})")
            row = found["row"][0].as_py()
            if row is not None:
                must = "must have a number or nothing in every column used"
                return DataError(f"{file}, line {row + 1:,}: {must}.", function="convert")
        raise AssertionError("a line was broken a moment ago")

    def _refuse_repeats(self, name: str) -> None:
        counts = self.database.row(f"SELECT count(*) - count(DISTINCT SERIALNO) AS n FROM {name}")
        if counts["n"]:
            hint = "Are files of the nation and of a state in one folder?"
            where = f"{self.files[0].name} and similar files"
            raise DataError(f"SERIALNO is repeated {counts['n']:,} times in {where}. {hint}", function="convert")


def _relation(files: Sequence[Path]) -> str:
    names = ", ".join(literal(str(file)) for file in files)
    return f"read_csv([{names}], header=true, skip=0, delim=',', quote='\"', escape='\"', all_varchar=true)"


def _is_number(name: str) -> bool:
    return KINDS[name] in SQL_KINDS


def _trim(name: str) -> str:
    return f"nullif(trim({quote(name)}), '')"


def _value(name: str) -> str:
    """SQL for a typed value; NULL if it is missing or of another type."""
    if _is_number(name):
        return f"TRY_CAST({_trim(name)} AS {SQL_KINDS[KINDS[name]]})"
    return f"lpad({_trim(name)}, {DIGITS[name]}, '0')" if name in DIGITS else _trim(name)


def _find(source: Path) -> DatasetFiles:
    homes, persons = (files_of(source, f"psam_{letter}*.csv") for letter in "hp")
    if source.is_file() or not homes or not persons:
        raise nothing_found(source, "psam_h*.csv and psam_p*.csv together; give the folder that has both")
    return DatasetFiles("acs2024_householder", (*homes, *persons))


def _convert(found: DatasetFiles, folder: Path) -> Converted:
    """Occupied homes with their reference persons."""
    database = Database()
    homes, persons = (tuple(file for file in found.files if file.name.startswith(f"psam_{letter}")) for letter in "hp")
    home = _Records(database, homes, HOUSEHOLD).read()
    person = _Records(database, persons, ("SERIALNO", *PERSON), FIRST_PERSON, ("SPORDER",)).read()
    states = ", ".join(map(literal, NOT_HERE))
    counts = database.row(
        f"SELECT count(*) FILTER (NOT lived) AS empty, count(*) FILTER (lived AND STATE IN ({states})) AS elsewhere,"
        f" count(*) FILTER (lived AND STATE NOT IN ({states}) AND NOT headed) AS alone FROM"
        f" (SELECT STATE, coalesce(TYPEHUGQ = 1 AND NP > 0, false) AS lived,"
        f" SERIALNO IN (SELECT SERIALNO FROM {person}) AS headed FROM {home})"
    )
    joined = database.table(
        f"SELECT {', '.join((*HOUSEHOLD, *PERSON))} FROM {home} JOIN {person} USING (SERIALNO)"
        f" WHERE TYPEHUGQ = 1 AND NP > 0 AND STATE NOT IN ({states}) ORDER BY SERIALNO",
        label="joining homes and persons",
    )
    if not joined.num_rows:
        raise DataError("no home has a reference person. Do the files belong together?", function="convert")
    rows = write_parquet(folder / FILE, [joined], pa.schema(list(KINDS.items())))
    return Converted({FILE: rows}, _notes(counts))


def _notes(counts: dict[str, object]) -> tuple[Note, ...]:
    reasons = {
        "empty": "vacant, or group quarters",
        "elsewhere": "in California or Texas, which the reference figures leave out",
        "alone": "without a reference person",
    }
    return nonzero(*(Note(int(str(counts[kind])), "homes left out", why) for kind, why in reasons.items()))


CENSUS = Original(
    "census",
    "American Community Survey 2024, 1-year public-use files: householders of 48 states and DC",
    "census.gov/programs-surveys/acs/microdata/access.html: csv_hus.zip and csv_pus.zip, or those of states",
    "public-use files of the US Census Bureau; use only to measure uniqueness within the file",
    "the folder with psam_h*.csv and psam_p*.csv",
    f"acs2024_householder/{FILE}",
    (FILE,),
    _find,
    _convert,
)
