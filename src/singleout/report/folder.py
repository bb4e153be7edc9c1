"""A result as a folder: pairs, numbers and manifest, whole or not at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from singleout.assessment.ladder import Ladder
from singleout.assessment.protected_file import ColumnCuts, ProtectedTable
from singleout.ground.earlier_results import MANIFEST
from singleout.ground.files import whole_folder, write_json
from singleout.ground.plain_data import Count
from singleout.measures.tables.suda import Suda
from singleout.protection.released_file import NAME, WRITTEN_TYPES, without_formulas, write_columns, write_table

KEY, RESULT = "key.csv", "result.json"
MATCH_FILES = ("matches.parquet", RESULT)
RELEASE_FILES = (*(f"{NAME}{file_type}" for file_type in WRITTEN_TYPES), KEY, RESULT)


class FileDict(TypedDict):
    """A file by name."""

    name: str
    bytes: Count
    sha256: str


class ManifestDocument(TypedDict):
    """manifest.json: where a result came from, and the files it consists of."""

    schema: Literal["singleout/manifest/4"]
    command: str
    parameters: Annotated[dict[str, Any], "Options that differ from their defaults."]
    seed: Count
    reveal: NotRequired[Annotated[bool, "Omitted where there is nothing to reveal."]]
    sources: NotRequired[Annotated[list[str], "Tables on servers that were read, without passwords."]]
    inputs: list[FileDict]
    python: str
    versions: dict[str, str]
    columns: NotRequired[Annotated[list[ColumnCuts], "What was done to each column of a protected table."]]
    files: list[FileDict]
    sha256: Annotated[str, "The digest of this file without this field."]


def write_result(target: Path, ladder: Ladder, manifest: dict[str, Any], *, reveal: bool) -> None:
    """Write matches.parquet, result.json and manifest.json."""
    with whole_folder(target, manifest, MATCH_FILES) as folder:
        pq.write_table(ladder.matching.to_arrow(reveal=reveal), folder / MATCH_FILES[0])
        write_json(folder / RESULT, ladder.to_dict())


def write_documents(
    target: Path, documents: Mapping[str, Any], manifest: dict[str, Any], files: Collection[str]
) -> None:
    """Write documents by file name, and manifest.json; ``files`` are all that the command may write."""
    with whole_folder(target, manifest, files) as folder:
        for name, document in documents.items():
            write_json(folder / name, document)


def write_release(target: Path, tables: Mapping[str, pa.Table], result: Any, manifest: dict[str, Any]) -> None:
    """Write the protected file, result.json and manifest.json, whole or not at all.

    The manifest holds the seed, and the key says who is who: only their owner may read them.
    """
    with whole_folder(target, manifest, RELEASE_FILES, private=[MANIFEST, KEY]) as folder:
        for name, table in tables.items():
            write_table(table, folder / name)
        write_json(folder / RESULT, result)


def write_scores(target: Path, result: Suda, manifest: dict[str, Any], files: Sequence[str]) -> None:
    """Write the scores of every record, in the order of the file, and their summary."""
    with whole_folder(target, manifest, files) as folder:
        pq.write_table(result.to_arrow(), folder / files[0])
        write_json(folder / files[1], result.to_dict())


def write_protected(
    target: Path, result: ProtectedTable, document: Any, manifest: dict[str, Any], *, quote_formulas: bool
) -> None:
    """Write a protected table, result.json and manifest.json, whole or not at all."""
    table = without_formulas(result.table) if quote_formulas else result.table
    with whole_folder(target, manifest, RELEASE_FILES) as folder:
        write_columns(table, folder / result.name, result.separator)
        write_json(folder / RESULT, document)
