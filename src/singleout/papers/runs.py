"""Running the papers' tables and figures: which can be run, and the folder they are written to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.csv

from singleout.ground.files import whole_folder, write_json
from singleout.ground.progress import stage
from singleout.papers import (  # noqa: F401 - they list themselves
    manousakas_2018,
    manousakas_2018_anonymity,
    manousakas_2018_attack,
    naini_2016,
    naini_2016_places,
    naini_2016_subsets,
    ramachandran_2012,
    ramachandran_2012_fields,
    ramachandran_2012_profiles,
    ramachandran_2012_variables,
    ramachandran_2012_variables_on_tables,
    unnikrishnan_naini_2013,
    unnikrishnan_naini_2013_theory,
)
from singleout.papers.data_sets import Shelf
from singleout.papers.pictures import vega_lite
from singleout.papers.registry import Experiment, experiments
from singleout.papers.result import Reproduction

PAGE = "index.html"


def lacking(each: Experiment, shelf: Shelf) -> list[str]:
    """What is left out of a table or figure, and what to get for it."""
    whole = "skipped" if not each.runs(shelf) else "without it"
    return [f"{each.id} {whole}: needs {data.file} in --data ({data.get})." for data in each.missing(shelf)]


def _documents(results: Sequence[Reproduction]) -> dict[str, Any]:
    """Numbers of each and, where it is a curve, a picture."""
    documents: dict[str, Any] = {f"{each.id}.json": each.to_dict() for each in results}
    drawn = {f"{each.id}.vl.json": vega_lite(each) for each in results}
    return documents | {name: picture for name, picture in drawn.items() if picture is not None}


def all_files() -> frozenset[str]:
    """Every file that the command may write, whichever tables and figures are asked for."""
    endings = (".json", ".vl.json", ".csv")
    return frozenset({PAGE, *(f"{each.id}{ending}" for each in experiments() for ending in endings)})


def run(ready: Sequence[Experiment], shelf: Shelf) -> Iterator[Reproduction]:
    """Run one after another, with its progress."""
    for number, each in enumerate(ready, 1):
        with stage(f"{each.id} ({number} of {len(ready)})"):
            result = each.run(shelf)
        yield result


def write(target: Path, results: Sequence[Reproduction], text: str, manifest: dict[str, object]) -> None:
    """For each a table, numbers and a picture; one page with all; whole or not at all."""
    with whole_folder(target, manifest, all_files()) as folder:
        for name, document in _documents(results).items():
            write_json(folder / name, document)
        for each in results:
            pyarrow.csv.write_csv(each.to_arrow(), folder / f"{each.id}.csv")
        (folder / PAGE).write_text(text, encoding="utf-8")
