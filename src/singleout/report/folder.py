"""A result as a folder: pairs, numbers and manifest, whole or not at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from singleout.ground.files import whole_folder, write_json
from singleout.report.model import Ladder

FILES = ("matches.parquet", "result.json")


def write_result(target: Path, ladder: Ladder, manifest: dict[str, Any], *, reveal: bool) -> None:
    """Write matches.parquet, result.json and manifest.json."""
    with whole_folder(target, manifest, FILES) as folder:
        pq.write_table(ladder.matching.to_arrow(reveal=reveal), folder / FILES[0])
        write_json(folder / FILES[1], ladder.as_json())


def write_documents(
    target: Path, documents: Mapping[str, Any], manifest: dict[str, Any], files: Collection[str]
) -> None:
    """Write documents by the names of their files, and manifest.json; ``files`` are all that the command may write."""
    with whole_folder(target, manifest, files) as folder:
        for name, document in documents.items():
            write_json(folder / name, document)
