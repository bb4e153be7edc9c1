"""The steps that protect an event log: compared with each other, or carried out in the order of the path to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from singleout._frontier import Protection, Trial
from singleout.ground.errors import InputError
from singleout.ground.notes import Note, counted, number_of
from singleout.measures.utility import Utility, utility
from singleout.protection.coarsening import coarsen
from singleout.protection.microaggregation import microaggregate
from singleout.protection.noise import add_noise
from singleout.protection.suppression import shorten, suppress
from singleout.reading.events import Events
from singleout.reading.sources import open_source
from singleout.report.release import release_name, release_table
from singleout.statistics.histograms import Histograms, histograms

ORDER = ("shorten", "coarsen", "keep", "min_people", "noise", "microaggregate")
ROUNDING = 1e-9


@dataclass(frozen=True)
class Steps:
    """Protections to apply, in this order, each with its strength; several strengths where they are to be compared.

    ``coarsen`` is sides of cells in metres, or a hierarchy file whose columns are named by ``level``.
    """

    shorten: tuple[int, ...] | None = None
    coarsen: tuple[float, ...] | Path | None = None
    level: tuple[str, ...] | None = None
    keep: tuple[int, ...] | None = None
    min_people: tuple[int, ...] | None = None
    noise: tuple[float, ...] | None = None
    max_total: int | None = None
    microaggregate: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if all(getattr(self, step) is None for step in ORDER):
            raise InputError(
                "protect: name at least one protection: --microaggregate, --coarsen, --keep, --min-people, "
                "--shorten or --noise."
            )
        for option, needed in (("level", "coarsen"), ("max_total", "noise")):
            if getattr(self, option) is not None and getattr(self, needed) is None:
                raise InputError(f"protect: --{option.replace('_', '-')} goes with --{needed}.")
        if self.level is not None and not isinstance(self.coarsen, Path):
            raise InputError("protect: --level names a column of a hierarchy file; --coarsen must be such a file.")

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that the steps read."""
        return open_source(self.coarsen, function="coarsen").files if isinstance(self.coarsen, Path) else ()

    def only(self, name: str) -> Any:
        """The one strength of a step; None where it was not asked for."""
        strengths = getattr(self, name)
        if strengths is None or isinstance(strengths, Path):
            return strengths
        if len(strengths) > 1:
            raise InputError(f"protect: --{name.replace('_', '-')} takes several strengths only with --compare.")
        return strengths[0]

    def noisy(self, counts: Histograms, epsilon: float, seed: int) -> Histograms:
        """Noise for one event, or for a person where their events are cut."""
        unit = "event" if self.max_total is None else "person"
        return add_noise(counts, epsilon=epsilon, unit=unit, max_total=self.max_total, seed=seed)


def protections(steps: Steps) -> list[Protection]:
    """Each step as a protection of its own, to be compared with the others at all its strengths."""
    file = steps.coarsen if isinstance(steps.coarsen, Path) else None
    sides = () if isinstance(steps.coarsen, Path) else steps.coarsen or ()
    levels = () if file is None else steps.level or (None,)

    def popular(x: Any, trial: Trial, **options: int) -> Any:
        return suppress(x, popularity=[trial.released, trial.known], **options)

    cut, counts, kept = (True, True), (False, False), (True, False)
    listed: list[tuple[str, Any, Any, tuple[bool, bool]]] = [
        ("shorten", steps.shorten, lambda x, days, trial: shorten(x, days=days), cut),
        ("coarsen", sides, lambda x, side, trial: coarsen(x, side), cut),
        ("coarsen", levels, lambda x, level, trial: coarsen(x, file, level=level), cut),
        ("keep", steps.keep, lambda x, n, trial: popular(x, trial, keep=n), kept),
        ("min-people", steps.min_people, lambda x, n, trial: popular(x, trial, min_people=n), kept),
        ("noise", steps.noise, lambda x, e, trial: steps.noisy(x, e, trial.seed), counts),
        ("microaggregate", steps.microaggregate, lambda x, k, trial: microaggregate(x, k), counts),
    ]
    return [Protection(name, strengths, apply, *how) for name, strengths, apply, how in listed if strengths]


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
            "emptied": self.utility.emptied,
            "notes": [note.as_json() for note in self.notes],
        }

    def __str__(self) -> str:
        rows = number_of(self.table.num_rows, "rows")
        head = f"{number_of(self.people, 'people')} at {number_of(self.places, 'places')} in {rows}"
        return "\n".join([head, *(f"  {note}" for note in self.notes), str(self.utility)])


def release(events: Events, steps: Steps, seed: int) -> Release:
    """Apply the steps and number people anew."""
    original = protected = histograms(events)
    idle = []
    for name in ORDER:
        if getattr(steps, name) is not None:
            before, (events, protected) = protected, _applied(name, steps, events, protected, seed)
            if _same(before, protected, events.merged() if name == "coarsen" else None):
                idle.append(Note(1, "step without effect", f"{name.replace('_', '-')} left all as it was"))
    lost = utility(original, protected, coarser=events.merged())
    table = release_table(protected, seed)
    there = pc.count_distinct(table["person"]).as_py()
    absent = Note(len(protected) - there, "people not in the file", "they have no events, or none that is left")
    places = pc.count_distinct(table["place"]).as_py()
    notes = (*protected.notes, *counted(absent), *idle)
    return Release(table, release_name(_ending(events)), there, places, lost, notes)


def _applied(name: str, steps: Steps, events: Events, counts: Histograms, seed: int) -> tuple[Events, Histograms]:
    """One step: on events, which are then counted anew, or on counts."""
    strength = steps.only(name)
    if name == "shorten":
        events = shorten(events, days=strength)
    elif name == "coarsen":
        events = coarsen(events, strength, level=steps.only("level"))
    elif name == "noise":
        # a stream of its own, so that pseudonyms say nothing of the noise
        own = int(np.random.default_rng([seed, 1]).integers(2**63))
        return events, steps.noisy(counts, strength, own)
    elif name == "microaggregate":
        return events, microaggregate(counts, strength).protected
    else:
        return events, suppress(counts, **{name: strength})
    return events, histograms(events)


def _same(before: Histograms, after: Histograms, coarser: dict[Any, Any] | None) -> bool:
    """Whether a step left all shares as they were, if perhaps under other names of places."""
    lost = utility(before, after, coarser=coarser)
    changed = max(lost.loss, lost.popularity_error, lost.emptied)
    return changed < ROUNDING and after.number_of_places == before.number_of_places


def _ending(events: Events) -> str:
    """The ending of the input's first file, without that of a packed one."""
    file = events.files[0]
    return (file.with_suffix("") if file.suffix.lower() in (".gz", ".zst") else file).suffix.lower()
