"""Linked records and matched profiles as text, as plain data and as a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from singleout.ground.files import whole_folder, write_json
from singleout.ground.notes import Note, NoteDict, cut_middle, in_lines, number_of
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, FieldsOf, NotNegative, Share
from singleout.ground.text_tables import align_rows
from singleout.matching.candidates import WITHOUT_CANDIDATES, Profiles
from singleout.matching.ranked_links import ProbableLinks, ProbableLinksDict
from singleout.matching.records import Links, LinksDict
from singleout.measures.accuracy import Accuracy
from singleout.measures.intervals import Estimate, EstimateDict
from singleout.measures.links import LinkAccuracy
from singleout.measures.selectivity import GROUPS, Selectivity, selectivity

LINK_FILES = ("links.parquet", "result.json")
PROFILE_FILES = ("profiles.parquet", "result.json")
INTERVAL = "Wilson, on the expected count"
OTHER_WAY = "To allow for errors add --agreement probable, or --max-disagreements 1."
COLUMNS = (":<", "none:>,", "one:>,", "two+:>,", "selectivity:<", "sd:>.3f", "candidates:>,.1f", "sd:>,.1f")


class MeasuredDict(TypedDict):
    """How often an attack is right."""

    expected: NotNegative
    rate: EstimateDict
    precision: EstimateDict
    random: Share
    shuffled: Share


class LinkDocument(LinksDict):
    """The result file of ``link``, with complete agreement."""

    schema: Literal["singleout/links/1"]
    interval: str
    rate: EstimateDict | None
    overall: EstimateDict | None
    random: Share


class ProbableLinkDocument(ProbableLinksDict):
    """The result file of ``link --agreement probable``."""

    schema: Literal["singleout/probable-links/1"]
    interval: str
    measured: Annotated[Mapping[str, Any], FieldsOf(LinkAccuracy)] | None


class MethodDict(TypedDict):
    """One way to compare profiles, and how often it is right."""

    method: str
    groups: list[Annotated[Mapping[str, Any], FieldsOf(Selectivity)]]
    accuracy: MeasuredDict | None
    joint: MeasuredDict | None
    notes: list[NoteDict]


class ProfileSizes(TypedDict):
    """What was compared."""

    label: str
    synthetic: bool
    released: Count
    known: Count


class ProfileDocument(TypedDict):
    """The result file of ``profiles``."""

    schema: Literal["singleout/profiles/1"]
    data: ProfileSizes
    interval: str
    random: Share
    methods: list[MethodDict]


def accuracy_json(found: Accuracy | None) -> MeasuredDict | None:
    """Plain data; None where the truth is not known."""
    if found is None:
        return None
    return {
        "expected": found.expected,
        "rate": found.rate.to_dict(),
        "precision": found.precision.to_dict(),
        "random": found.random,
        "shuffled": found.shuffled,
    }


@dataclass(frozen=True, eq=False)
class LinkReport:
    """Links, and how often they are right where the truth is known; ``rate`` is None where nothing was linked."""

    links: Links
    rate: Estimate | None = None
    overall: Estimate | None = None

    def to_dict(self) -> LinkDocument:
        """The result file: counts and shares, no values."""
        return {
            "schema": "singleout/links/1",
            **self.links.to_dict(),
            "interval": INTERVAL,
            "rate": None if self.rate is None else self.rate.to_dict(),
            "overall": None if self.overall is None else self.overall.to_dict(),
            "random": self.links.random,
        }

    def __str__(self) -> str:
        lines = [self.links.in_words(), *([] if self.links.max_disagreements else [OTHER_WAY])]
        if self.rate is not None:
            lines.append(f"Correct: {self.rate} of the links; links made at random {percent(self.links.random)}.")
        if self.overall is not None:
            lines.append(f"Correctly linked: {self._overall(self.overall)} of the released records.")
        return "\n".join(lines)

    def _overall(self, overall: Estimate) -> str:
        return f"{percent(overall.value)} [{percent(overall.low)}, {percent(overall.high)}]"

    def write(self, target: Path, manifest: dict[str, Any], *, reveal: bool) -> None:
        """Write links.parquet, result.json and manifest.json."""
        _write(target, LINK_FILES, self.links.to_arrow(reveal=reveal), self.to_dict(), manifest)


@dataclass(frozen=True, eq=False)
class ProbableLinkReport:
    """Probable links, and how often they are right where the truth is known."""

    links: ProbableLinks
    measured: LinkAccuracy | None = None

    def to_dict(self) -> ProbableLinkDocument:
        """The result file: counts, shares and weights, no values."""
        measured = None if self.measured is None else self.measured.to_dict()
        return {
            "schema": "singleout/probable-links/1",
            **self.links.to_dict(),
            "interval": INTERVAL,
            "measured": measured,
        }

    def __str__(self) -> str:
        lines = [self.links.in_words(), *self._thresholds(), *self._weights()]
        if self.measured is None:
            return "\n".join(lines)
        found = self.measured
        if found.precision is not None:
            lines.append(f"Correct: {found.precision} of the links; links made at random {percent(found.random)}.")
        if found.recall is not None:
            lines.append(f"Found: {found.recall} of the pairs of the same person.")
        return "\n".join([*lines, f"Correctly linked: {found.rate} of the released records."])

    def _thresholds(self) -> list[str]:
        rows = [
            (f"{row['threshold']:.2f}", row["links"], *(row[name] for name in ("precision", "recall")))
            for row in self.links.curve().to_pylist()
            if row["links"]
        ]
        return ["Estimated without truth:", *align_rows(rows, "from:>", "links:>,", "precision:>.1%", "recall:>.1%")]

    def _weights(self) -> list[str]:
        """What the first and the last level of each column say; all of them are in result.json."""
        weights: dict[str, list[float]] = {}
        for row in self.links.weights().to_pylist():
            weights.setdefault(row["field"], []).append(row["weight"])
        rows = [(cut_middle(name, 40), each[0], each[-1]) for name, each in weights.items()]
        return ["Evidence in bits:", *align_rows(rows, "column:<", "equal:>+.1f", "different:>+.1f")]

    def write(self, target: Path, manifest: dict[str, Any], *, reveal: bool) -> None:
        """Write links.parquet, result.json and manifest.json."""
        _write(target, LINK_FILES, self.links.to_arrow(reveal=reveal), self.to_dict(), manifest)


@dataclass(frozen=True, eq=False)
class Method:
    """One way to compare profiles, and how often its best guess, and joint matching of its scores, are right."""

    name: str
    profiles: Profiles
    accuracy: Accuracy | None = None
    joint: Accuracy | None = None

    @property
    def single(self) -> int:
        """People of whom one candidate is better than all others."""
        return int((self.profiles.ties == 1).sum())

    def to_dict(self) -> MethodDict:
        """Plain data for a result file."""
        return {
            "method": self.name,
            "groups": [selectivity(self.profiles, at_least=at_least).to_dict() for at_least in GROUPS],
            "accuracy": accuracy_json(self.accuracy),
            "joint": accuracy_json(self.joint),
            "notes": [note.to_dict() for note in self.profiles.notes],
        }

    def cells(self) -> tuple[object, ...]:
        """People with no candidate, one, and two or more; of the last, selectivity and candidates with deviations."""
        found, candidates = selectivity(self.profiles, at_least=2), self.profiles.candidates
        people = self.name, (candidates == 0).sum(), (candidates == 1).sum(), found.people
        if found.selectivity is None:
            return people
        mean = found.selectivity
        text = f"{mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}]"
        return *people, text, found.deviation, found.candidates, found.candidates_deviation


@dataclass(frozen=True, eq=False)
class ProfileReport:
    """Several ways to compare the same profiles (R12 Table III)."""

    methods: tuple[Method, ...]
    label: str
    synthetic: bool

    @property
    def random(self) -> float:
        """What guessing at random would achieve."""
        return selectivity(self.methods[0].profiles).random

    def to_dict(self) -> ProfileDocument:
        """The result file: counts and shares, no ids."""
        first = self.methods[0].profiles
        return {
            "schema": "singleout/profiles/1",
            "data": {
                "label": self.label,
                "synthetic": self.synthetic,
                "released": len(first.released_side),
                "known": len(first.known_side),
            },
            "interval": INTERVAL,
            "random": self.random,
            "methods": [method.to_dict() for method in self.methods],
        }

    def __str__(self) -> str:
        first = self.methods[0].profiles
        sizes = f"{len(first.released_side):,} released against {len(first.known_side):,} known profiles"
        heads = "People by candidates, and averages over those with two or more (R12 Table III):"
        table = align_rows([method.cells() for method in self.methods], *COLUMNS)
        lines = [f"Data: {self.label}", sizes, *in_lines(self._notes()), heads, *table, *self._rates(), self.sentence()]
        return "\n".join(
            [*lines, f"Guessing at random would re-identify {percent(self.random)}. Selectivity is not accuracy."]
        )

    def sentence(self) -> str:
        """How many people the strongest way leads to a single candidate."""
        best = max(self.methods, key=lambda method: method.single)
        everybody = number_of(len(best.profiles.released_side), "people")
        return f"{best.name} narrows {best.single:,} of {everybody} released down to a single best candidate."

    def _notes(self) -> list[str]:
        """Notes of all methods, each once; who has no candidate is in the table."""
        speakers: dict[Note, list[str]] = {}
        for method in self.methods:
            for note in method.profiles.notes:
                if note.code != WITHOUT_CANDIDATES:
                    speakers.setdefault(note, []).append(method.name)
        return [f"{', '.join(names)}: {note}" for note, names in speakers.items()]

    def _rates(self) -> list[str]:
        measured = [method for method in self.methods if method.accuracy is not None]
        if not measured or measured[0].accuracy is None:
            return []
        people = f"Re-identified, of {measured[0].accuracy.common:,} people on both sides:"
        rows = [(each.name, *(found.rate for found in (each.accuracy, each.joint) if found)) for each in measured]
        joint = ["joint:<"] if measured[0].joint else []
        return [people, *align_rows(rows, ":<", "one by one:<", *joint)]

    def write(self, target: Path, manifest: dict[str, Any], *, reveal: bool) -> None:
        """Write profiles.parquet, result.json and manifest.json."""
        parts = [_with_names(method, reveal) for method in self.methods]
        _write(target, PROFILE_FILES, pa.concat_tables(parts), self.to_dict(), manifest)


def _with_names(method: Method, reveal: bool) -> pa.Table:
    table = method.profiles.to_arrow(reveal=reveal)
    return table.add_column(0, "method", pa.array([method.name] * table.num_rows, pa.string()))


def _write(
    target: Path, files: tuple[str, str], table: pa.Table, document: Mapping[str, Any], manifest: dict[str, Any]
) -> None:
    with whole_folder(target, manifest, files) as folder:
        pq.write_table(table, folder / files[0])
        write_json(folder / files[1], document)
