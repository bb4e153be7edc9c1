"""The steps that protect an event log: compared with each other, or carried out in the order of the path to a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from singleout._frontier import MOST_FOR_GLRT, Protection, Trial
from singleout._written import attack_with_any, known_half, known_parts, written_file
from singleout.ground.errors import InputError, bad_argument
from singleout.ground.notes import Note, counted, number_of
from singleout.measures.intervals import Estimate
from singleout.measures.reconstruction import count_right, reconstruct
from singleout.measures.utility import Utility, utility
from singleout.protection.coarsening import coarsen
from singleout.protection.group_release import MEMBERS, release_groups
from singleout.protection.microaggregation import microaggregate
from singleout.protection.noise import add_noise
from singleout.protection.suppression import shorten, suppress
from singleout.reading.events import Events
from singleout.reading.sources import open_source
from singleout.report.model import share
from singleout.report.release import ending_of, release_name, release_table
from singleout.statistics.histograms import Histograms, histograms
from singleout.weights.registry import BUILT_IN, STRONGER

ORDER = ("shorten", "coarsen", "keep", "min_people", "noise", "microaggregate")
ROUNDING = 1e-9
LEVEL = 0.95


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

    def popular(x: Any, trial: Trial, **options: Any) -> Any:
        # as counted in the file that is written: what an intruder can see is which places are left there
        return suppress(x, popularity=[trial.released], **options)

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
    key: pa.Table
    name: str
    people: int
    places: int
    utility: Utility
    risk: FileRisk
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
            "risk": self.risk.as_json(),
            "notes": [note.as_json() for note in self.notes],
        }

    def __str__(self) -> str:
        rows = number_of(self.table.num_rows, "rows")
        head = f"{number_of(self.people, 'people')} at {number_of(self.places, 'places')} in {rows}"
        return "\n".join([head, *(f"  {note}" for note in self.notes), str(self.utility), str(self.risk)])


def release(events: Events, steps: Steps, seed: int) -> Release:
    """Apply the steps, number people anew, and attack the file that comes of it."""
    original = protected = histograms(events)
    whole = events
    idle = []
    for name in ORDER:
        if getattr(steps, name) is not None:
            before, (events, protected) = protected, _applied(name, steps, events, protected, seed)
            if _same(before, protected, events.merged() if name == "coarsen" else None):
                idle.append(Note(1, "step without effect", f"{name.replace('_', '-')} left all as it was"))
    lost = utility(original, protected, coarser=events.merged())
    table, key = release_table(protected, seed)
    there = pc.count_distinct(table["person"]).as_py()
    absent = Note(len(protected) - there, "people not in the file", "they have no events, or none that is left")
    places = pc.count_distinct(table["place"]).as_py()
    notes = (*protected.notes, *counted(absent), *idle)
    ending = ending_of(events.files[0])
    risk = _own_risk(whole, steps, original, protected, seed)
    return Release(table, key, release_name(ending), there, places, lost, risk, notes)


def _own_risk(events: Events, steps: Steps, original: Histograms, protected: Histograms, seed: int) -> FileRisk:
    """What someone who knows half of what each person did finds in the file, whichever half that is."""
    file = written_file(protected, ending_of(events.files[0]), seed)
    parts = [
        (tried, {person: person for person in tried[0].people.tolist()}) for tried in _known_halves(events, steps, seed)
    ]
    weights = tuple(name for name in (*BUILT_IN, *STRONGER) if name != "glrt" or len(protected) <= MOST_FOR_GLRT)
    found = attack_with_any(file, parts, weights=weights, seed=0, progress=None, halves=True)
    most = found.most if int(file.classes.size.min()) > 1 else None
    reconstructed = None
    if steps.microaggregate is not None:
        truly = original.only(list(file.key.values()))
        reconstructed = count_right(reconstruct(file.rows), truly)
    return FileRisk(found.rate(LEVEL), f"{found.attack} ({found.weight})", most, reconstructed)


def _known_halves(events: Events, steps: Steps, seed: int) -> Iterator[tuple[Histograms, Histograms]]:
    """Each half that may be known, as it is and with the steps that an intruder can take."""
    for part in known_parts(events):
        known = events if part is None else part
        plain = applied = histograms(known)
        for name in ("shorten", "coarsen"):
            if getattr(steps, name) is not None:
                known, applied = _applied(name, steps, known, applied, seed)
        yield (plain, applied) if part is not None else (known_half(plain), known_half(applied))


@dataclass(frozen=True)
class FileRisk:
    """What the strongest attack finds in the file written, by someone who knows half of what each person did.

    That is the first half of each person's active weeks, the second, or a random half of the events, whichever finds
    most; ``inside`` is a share of the people in the file whom they know.

    ``guarantee``: no attack can be right for more than this share on average, since rows are identical.
    ``reconstructed``: exact histograms of people that the digits of their group give away.
    """

    inside: Estimate
    attack: str
    guarantee: float | None
    reconstructed: int | None

    @property
    def upper(self) -> float:
        """What the risk is within."""
        return self.inside.high if self.guarantee is None else min(self.inside.high, self.guarantee)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "inside": self.inside.as_json(),
            "attack": self.attack,
            "guarantee": self.guarantee,
            "reconstructed": self.reconstructed,
        }

    def __str__(self) -> str:
        rate, sure = self.inside, ""
        if self.guarantee is not None:
            sure = f" No attack can be right for more than {share(self.guarantee)} on average."
        return (
            "Measured on the file: someone who knows half of what each person did (the first half of their weeks, the "
            f"second or a random half, whichever finds most) would re-identify {share(rate.value)} of the {rate.n:,} "
            f"people in it ({rate.level:.0%} interval {share(rate.low)} to {share(rate.high)}; strongest attack: "
            f"{self.attack}).{sure}"
        )


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
        if strength < MEMBERS:
            must = f"{MEMBERS} or more where a file is released: two people would see each other through their mean"
            raise bad_argument("microaggregate", "k", must, strength)
        own = int(np.random.default_rng([seed, 2]).integers(2**63))
        return events, release_groups(counts, microaggregate(counts, strength), seed=own)
    else:
        return events, suppress(counts, **{name: strength})
    return events, histograms(events)


def _same(before: Histograms, after: Histograms, coarser: dict[Any, Any] | None) -> bool:
    """Whether a step left all shares as they were, if perhaps under other names of places."""
    lost = utility(before, after, coarser=coarser)
    changed = max(lost.loss, lost.popularity_error, lost.emptied)
    return changed < ROUNDING and after.number_of_places == before.number_of_places
