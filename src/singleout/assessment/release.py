"""The steps that protect an event log: compared with each other, or carried out in the order of the path to a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from singleout.assessment.inside_knowledge import known_half, known_parts, people_known
from singleout.assessment.noise_attack import note_drawn
from singleout.assessment.options import CoarserOptions, ProtectOptions
from singleout.assessment.protections import Protection, use_hierarchy
from singleout.assessment.written_file import attack_with_any, written_file
from singleout.ground.errors import InputError, bad_argument
from singleout.ground.names import NoiseUnit
from singleout.ground.notes import Note, NoteDict, nonzero, number_of
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, CountOrNone, NotNegative, Share, ShareOrNone
from singleout.measures.intervals import Estimate, EstimateDict
from singleout.measures.reconstruction import count_right, reconstruct
from singleout.measures.utility import Utility, utility
from singleout.protection.coarsening import coarsen
from singleout.protection.group_release import MEMBERS, release_groups
from singleout.protection.microaggregation import microaggregate
from singleout.protection.noise import add_noise
from singleout.protection.pseudonyms import release_table
from singleout.protection.released_file import release_name, type_like
from singleout.protection.suppression import shorten, suppress
from singleout.reading.events import Events
from singleout.similarity.registry import similarities_to_try
from singleout.statistics.histograms import Histograms, histograms

ORDER = ("shorten", "coarsen", "hierarchy", "keep", "min_people", "noise", "microaggregate")
"""Protections are applied in this order."""
PLACES = ("coarsen", "hierarchy")
COARSER = ("shorten", *PLACES)
"""Steps that an intruder can apply to what they know."""
ROUNDING = 1e-9
LEVEL = 0.95


def protections(options: ProtectOptions) -> list[Protection]:
    """Each protection that was asked for, at all its strengths."""
    listed = []
    for name in ORDER:
        strengths = options.place_hierarchy if name == "hierarchy" else getattr(options, name)
        if strengths:
            ready: Any = getattr(Protection, name)
            more: dict[str, Any] = {"max_total": options.max_total} if name == "noise" else {}
            more |= {"levels": options.hierarchy_level} if name == "hierarchy" else {}
            listed.append(ready(strengths, **more))
    return listed


def check_protections(options: ProtectOptions, *, several: bool) -> None:
    """Refuse to protect by nothing, and several strengths where one file is written."""
    asked = [name for name in ORDER if getattr(options, name) is not None]
    if not asked:
        named = ", ".join(f"`{name}`" for name in ORDER[:-1])
        raise InputError(f"name at least one protection: {named} or `{ORDER[-1]}`.", function="protect")
    for name in () if several else (*asked, "hierarchy_level"):
        strengths = getattr(options, name)
        if isinstance(strengths, tuple) and len(strengths) > 1:
            raise InputError(f"`{name}` takes only one value unless you add `compare`.", function="protect")


class FileRiskDict(TypedDict):
    """What the strongest attack finds in the file written, by someone who knows half of what each person did."""

    inside: EstimateDict
    attack: str
    guarantee: ShareOrNone
    reconstructed: CountOrNone


class ReleaseDocument(TypedDict):
    """The result file of ``protect`` for an event log."""

    schema: Literal["singleout/release/1"]
    people: Count
    places: Count
    rows: Count
    loss: NotNegative
    popularity_error: Share
    top_kept: Share
    emptied: NotNegative
    risk: FileRiskDict
    notes: list[NoteDict]


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

    def to_dict(self) -> ReleaseDocument:
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
            "risk": self.risk.to_dict(),
            "notes": [note.to_dict() for note in self.notes],
        }

    def __str__(self) -> str:
        rows = number_of(self.table.num_rows, "rows")
        head = f"{number_of(self.people, 'people')} at {number_of(self.places, 'places')} in {rows}"
        return "\n".join([head, *(f"  {note}" for note in self.notes), str(self.utility), str(self.risk)])


def release(events: Events, options: ProtectOptions, seed: int) -> Release:
    """Apply the protections, number people anew, and attack the file that comes of it."""
    check_protections(options, several=False)
    original = protected = histograms(events)
    whole = events
    idle = []
    for name in ORDER:
        if getattr(options, name) is not None:
            before, (events, protected) = protected, _apply(name, options, events, protected, seed)
            if _same(before, protected, events.merged_places() if name in PLACES else None):
                idle.append(Note(1, "step without effect", f"{name.replace('_', '-')} changed nothing"))
    lost = utility(original, protected, coarser=events.merged_places())
    table, key = release_table(protected, seed)
    there = pc.count_distinct(table["person"]).as_py()
    absent = Note(len(protected) - there, "people not in the file", "they have no events, or none that is left")
    places = pc.count_distinct(table["place"]).as_py()
    notes = (*protected.notes, *nonzero(absent), *idle)
    ending = type_like(events.files)
    risk, more = _own_risk(whole, options, original, protected, seed)
    notes += more
    return Release(table, key, release_name(ending), there, places, lost, risk, notes)


def _own_risk(
    events: Events, options: ProtectOptions, original: Histograms, protected: Histograms, seed: int
) -> tuple[FileRisk, tuple[Note, ...]]:
    """What someone who knows half of what each person did finds in the file, whichever half that is, and notes."""
    file = written_file(protected, type_like(events.files), seed, noisy=options.noise is not None)
    parts = [
        (tried, {person: person for person in people_known(tried[0]).tolist()})
        for tried in _known_halves(events, options)
    ]
    found = attack_with_any(
        file, parts, similarities=similarities_to_try(protected), seed=0, progress=None, halves=True
    )
    most = found.most if int(file.classes.size.min()) > 1 else None
    reconstructed = None
    if options.microaggregate is not None:
        truly = original.only(list(file.key.values()))
        reconstructed = count_right(reconstruct(file.rows), truly)
    risk = FileRisk(found.rate(LEVEL), found.in_words(), most, reconstructed, by_weeks=len(parts) > 1)
    return risk, note_drawn(found.partly)


def forms_of_knowledge(known: Events, options: CoarserOptions) -> tuple[Histograms, Histograms]:
    """What an intruder knows, as it is and with the steps of a protection that they can take too."""
    plain, coarser = histograms(known), known
    for name in COARSER:
        if getattr(options, name) is not None:
            coarser = _make_coarser(name, options, coarser)
    return plain, plain if coarser is known else histograms(coarser)


def _known_halves(events: Events, options: ProtectOptions) -> Iterator[tuple[Histograms, Histograms]]:
    """Each half that may be known, as it is and with the steps that an intruder can take."""
    for part in known_parts(events):
        known = events if part is None else part
        plain, applied = forms_of_knowledge(known, options)
        yield (plain, applied) if part is not None else (known_half(plain), known_half(applied))


@dataclass(frozen=True)
class FileRisk:
    """What the strongest attack finds in the file written, by someone who knows half of what each person did.

    That is the first half of each person's active weeks, the second, or a random half of the events, whichever
    re-identifies the most people; ``inside`` is a share of the people in the file whom they know.

    ``guarantee``: no attack can re-identify more than this share on average, since rows are identical.
    ``reconstructed``: exact histograms of people that the digits of their group reveal. ``by_weeks`` False: only a
    random half was tried, since time does not divide the events.
    """

    inside: Estimate
    attack: str
    guarantee: float | None
    reconstructed: int | None
    by_weeks: bool = True

    @property
    def upper(self) -> float:
        """What the risk is within."""
        return self.inside.high if self.guarantee is None else min(self.inside.high, self.guarantee)

    def to_dict(self) -> FileRiskDict:
        """Plain data."""
        return {
            "inside": self.inside.to_dict(),
            "attack": self.attack,
            "guarantee": self.guarantee,
            "reconstructed": self.reconstructed,
        }

    def __str__(self) -> str:
        rate, sure = self.inside, ""
        if self.guarantee is not None:
            sure = f" No attack can re-identify more than {percent(self.guarantee)} on average."
        half = "a random half of their events"
        if self.by_weeks:
            half = "the first half of their weeks, the second or a random half, whichever re-identifies the most people"
        return (
            f"Measured on the file: someone who knows half of what each person did ({half}) would re-identify "
            f"{percent(rate.value)} of the {rate.n:,} people in it whom they know ({rate.interval_in_words()}; "
            f"strongest attack: {self.attack}).{sure}"
        )


def _apply(
    name: str, options: ProtectOptions, events: Events, counts: Histograms, seed: int
) -> tuple[Events, Histograms]:
    """One step: on events, which are then counted anew, or on counts."""
    asked = getattr(options, name)
    strength = asked[0] if isinstance(asked, tuple) else asked
    if name in COARSER:
        events = _make_coarser(name, options, events)
    elif name == "noise":
        # a stream of its own, so that pseudonyms say nothing of the noise
        own = int(np.random.default_rng([seed, 1]).integers(2**63))
        unit: NoiseUnit = "event" if options.max_total is None else "person"
        return events, add_noise(counts, epsilon=strength, unit=unit, max_total=options.max_total, seed=own)
    elif name == "microaggregate":
        if strength < MEMBERS:
            must = f"{MEMBERS} or more: in a group of two, each person could work back from the average to the other"
            raise bad_argument("microaggregate", "k", must, strength)
        own = int(np.random.default_rng([seed, 2]).integers(2**63))
        return events, release_groups(counts, microaggregate(counts, strength), seed=own)
    else:
        return events, suppress(counts, **{name: strength})
    return events, histograms(events)


def _make_coarser(name: str, options: CoarserOptions, events: Events) -> Events:
    asked = getattr(options, name)
    coarser: Events
    if name == "hierarchy":
        coarser = use_hierarchy(events, Path(asked[0]), (options.hierarchy_level or (None,))[0])
    else:
        coarser = shorten(events, days=asked[0]) if name == "shorten" else coarsen(events, asked[0])
    return coarser


def _same(before: Histograms, after: Histograms, coarser: dict[Any, Any] | None) -> bool:
    """Whether a step left all shares as they were, if perhaps under other names of places."""
    lost = utility(before, after, coarser=coarser)
    changed = max(lost.loss, lost.popularity_error, lost.emptied)
    return changed < ROUNDING and after.number_of_places == before.number_of_places
