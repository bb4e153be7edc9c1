"""From an event log to a protected file: the steps asked for, in the order of the path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.errors import InputError
from singleout.ground.notes import Note
from singleout.measures.utility import Utility, utility
from singleout.protection.coarsening import coarsen
from singleout.protection.microaggregation import microaggregate
from singleout.protection.noise import add_noise
from singleout.protection.suppression import shorten, suppress
from singleout.reading.events import Events
from singleout.report.release import release_name, release_table
from singleout.statistics.histograms import Histograms, histograms


@dataclass(frozen=True)
class Steps:
    """Protections to apply, in this order; None leaves one out."""

    shorten: int | None = None
    coarsen: str | None = None
    level: str | None = None
    keep: int | None = None
    min_people: int | None = None
    noise: float | None = None
    max_total: int | None = None
    microaggregate: int | None = None

    def __post_init__(self) -> None:
        asked = (self.shorten, self.coarsen, self.keep, self.min_people, self.noise, self.microaggregate)
        if all(step is None for step in asked):
            raise InputError(
                "protect: name at least one protection: --microaggregate, --coarsen, --keep, --min-people, "
                "--shorten or --noise."
            )
        for option, needed in (("level", "coarsen"), ("max_total", "noise")):
            if getattr(self, option) is not None and getattr(self, needed) is None:
                raise InputError(f"protect: --{option.replace('_', '-')} goes with --{needed}.")


@dataclass(frozen=True, eq=False)
class Release:
    """The protected table, the file it goes to, and what the protection destroyed."""

    table: pa.Table
    name: str
    people: int
    places: int
    utility: Utility
    notes: tuple[Note, ...]

    def as_json(self) -> dict[str, Any]:
        """Counts and losses; no ids and no places."""
        return {
            "schema": "singleout/release/1",
            "people": self.people,
            "places": self.places,
            "rows": self.table.num_rows,
            "loss": self.utility.loss,
            "popularity_error": self.utility.popularity_error,
            "top_kept": self.utility.top_kept,
            "notes": [note.as_json() for note in self.notes],
        }

    def __str__(self) -> str:
        head = f"{self.people:,} people at {self.places:,} places in {self.table.num_rows:,} rows"
        lost = (
            f"loss {self.utility.loss:.3f} (0 as it was, 1 everyone alike), popularity of places off by "
            f"{self.utility.popularity_error:.1%}, {self.utility.top_kept:.0%} of the ten most popular still are"
        )
        return "\n".join([head, *(f"  {note}" for note in self.notes), lost])


def release(events: Events, steps: Steps, seed: int) -> Release:
    """Apply the steps and number people anew."""
    original = histograms(events)
    if steps.shorten is not None:
        events = shorten(events, days=steps.shorten)
    coarser = None
    if steps.coarsen is not None:
        events = coarsen(events, _target(steps.coarsen), level=steps.level)
        coarser = events.merged()
    protected = _counted_steps(histograms(events), steps, seed)
    lost = utility(original, protected, coarser)
    there = int((np.diff(protected.counts.indptr) > 0).sum())
    name = release_name(_ending(events))
    table = release_table(protected, seed)
    return Release(table, name, there, protected.number_of_places, lost, protected.notes)


def _counted_steps(counts: Histograms, steps: Steps, seed: int) -> Histograms:
    if steps.keep is not None or steps.min_people is not None:
        counts = suppress(counts, keep=steps.keep, min_people=steps.min_people)
    if steps.noise is not None:
        unit = "event" if steps.max_total is None else "person"
        # a stream of its own, so that pseudonyms say nothing of the noise
        own = int(np.random.default_rng([seed, 1]).integers(2**63))
        counts = add_noise(counts, epsilon=steps.noise, unit=unit, max_total=steps.max_total, seed=own)
    if steps.microaggregate is not None:
        counts = microaggregate(counts, steps.microaggregate).protected
    return counts


def _target(text: str) -> float | str:
    """A side in metres, or a file."""
    try:
        return float(text)
    except ValueError:
        return text


def _ending(events: Events) -> str:
    """The ending of the input's first file, without that of a packed one."""
    file = events.files[0]
    return (file.with_suffix("") if file.suffix.lower() in (".gz", ".zst") else file).suffix.lower()
