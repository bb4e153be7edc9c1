"""A result as a folder: pairs, numbers and manifest, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from singleout.ground.files import MANIFEST, whole_folder, write_json
from singleout.report.frontier import Frontier
from singleout.report.model import Ladder

FILES = ("matches.parquet", "result.json")
COMPARISON = ("frontier.json", "frontier.vl.json")


def write_result(target: Path, ladder: Ladder, manifest: dict[str, Any], *, reveal: bool) -> None:
    """Write matches.parquet, result.json and manifest.json."""
    with whole_folder(target) as folder:
        pq.write_table(ladder.matching.to_arrow(reveal=reveal), folder / FILES[0])
        write_json(folder / FILES[1], ladder.as_json())
        write_json(folder / MANIFEST, manifest)


def write_comparison(target: Path, frontier: Frontier, chart: dict[str, Any], manifest: dict[str, Any]) -> None:
    """Write frontier.json, its picture as Vega-Lite, and manifest.json."""
    with whole_folder(target) as folder:
        write_json(folder / COMPARISON[0], frontier.as_json())
        write_json(folder / COMPARISON[1], chart)
        write_json(folder / MANIFEST, manifest)
