"""Which columns lead from released records to few entries of a public list: as text, as plain data, and as a folder."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from singleout.assessment.variables import FILES
from singleout.ground.files import whole_folder, write_json
from singleout.ground.notes import WIDTH, in_a_row
from singleout.ground.numbers import percent
from singleout.ground.text_tables import align_rows
from singleout.measures.tables.exposure import Exposure, ExposureDict, exposure
from singleout.reading.tables import Table

INTERVAL = "Wilson, on the expected count"


class PublicDataDict(TypedDict):
    """What was compared."""

    released: str
    public: str


class ExposureDocument(TypedDict):
    """The result file of ``variables --against``."""

    schema: Literal["singleout/exposure/1"]
    data: PublicDataDict
    interval: str
    known: Annotated[list[ExposureDict], "One for each set of known columns."]


@dataclass(frozen=True, eq=False)
class ExposureReport:
    """The same question for every set of known columns."""

    found: dict[str, Exposure]
    labels: tuple[str, str]

    def to_dict(self) -> ExposureDocument:
        """Counts, shares and names of columns; no values."""
        return {
            "schema": "singleout/exposure/1",
            "data": {"released": self.labels[0], "public": self.labels[1]},
            "interval": INTERVAL,
            "known": [each.to_dict() for each in self.found.values()],
        }

    def __str__(self) -> str:
        parts = [f"Data: {self.labels[0]} against {self.labels[1]}"]
        for found in self.found.values():
            parts += ["", str(found), *_curves(found), *textwrap.wrap(sentence(found), WIDTH)]
        return "\n".join(parts)

    def write(self, target: Path, manifest: dict[str, Any]) -> None:
        """Write combinations and curves as Parquet, result.json and manifest.json, whole or not at all."""
        with whole_folder(target, manifest, FILES) as folder:
            pq.write_table(_with_known(self.found, "to_arrow"), folder / "combinations.parquet")
            pq.write_table(_with_known(self.found, "curve"), folder / "curve.parquet")
            write_json(folder / "result.json", self.to_dict())


def find_exposure(
    tables: tuple[Table, Table], sets: Mapping[str, Sequence[str]], *, labels: tuple[str, str], **asked: Any
) -> ExposureReport:
    """What each set of known columns leads to; ``asked`` is for ``exposure``."""
    found = {name: exposure(*tables, known_columns=known, **asked) for name, known in sets.items()}
    return ExposureReport(found, labels)


def _with_known(found: dict[str, Exposure], part: str) -> pa.Table:
    tables = []
    for name, each in found.items():
        table = getattr(each, part)()
        tables.append(table.add_column(0, "known", pa.array([name] * table.num_rows, pa.string())))
    return pa.concat_tables(tables)


def _curves(found: Exposure) -> list[str]:
    """What the strongest columns lead to, by the quality of the list."""
    strongest = list(found.rows[0].columns)
    rows = [row for row in found.curve().to_pylist() if row["columns"] == strongest]
    lines = [f"With {', '.join(strongest)}, on lists of other quality:"]
    for rate in dict.fromkeys(row["rate"] for row in rows):
        mine = [row for row in rows if row["rate"] == rate]
        cells = [(rate.replace("_", " "), *(percent(row["value"]) for row in mine))]
        cells.append(("records led there", *(percent(row["led"]) for row in mine)))
        lines += align_rows(cells, ":<", *[":>"] * len(mine), indent=2)
    return lines


def sentence(found: Exposure) -> str:
    """The answer in one sentence."""
    best = found.rows[0]
    names = in_a_row([*found.known, *best.columns])
    few = "a single entry" if found.max_known == 1 else f"at most {found.max_known} entries"
    right = min(best.right, found.sizes[1])  # a list leads to no more people than it has
    return (
        f"{names} would lead {percent(best.share.value)} of {found.sizes[0]:,} released records to {few} of the list "
        f"(columns added at random: {percent(found.random)}); choosing one of the entries would re-identify up to "
        f"{right:,.0f} people ({percent(right / found.sizes[0])}; a random entry: {percent(found.chance)})."
    )
