"""One table or figure, reproduced: what the paper reports, what we get, on which data, and which findings hold."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

import numpy as np
import pyarrow as pa

from singleout.ground.notebooks import Tabular
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, Positive
from singleout.ground.text_tables import align_rows
from singleout.measures.intervals import Estimate

LABELS = SAME, STAND_IN, SYNTHETIC = "same data", "stand-in", "synthetic"


class NumberRow(TypedDict):
    """One number of a paper and ours, one value a column."""

    data: str
    label: str
    series: str
    at: str
    paper: float | None
    ours: float
    low: float | None
    high: float | None
    confidence_level: float | None
    n: int | None
    random: float | None
    least: Annotated[float | None, "Ours under the open choices of the paper: the least."]
    most: float | None


class FindingDict(TypedDict):
    """What the paper concludes, and whether our numbers agree."""

    text: str
    holds: bool
    holds_under: NotRequired[Annotated[Count, "Open choices under which it holds, where there are any."]]
    of_open_choices: NotRequired[Positive]
    not_counted: NotRequired[Annotated[str, "Why it is shown but not counted."]]


class DataDict(TypedDict):
    """Data that numbers were measured on, and what the paper used."""

    name: str
    label: str
    instead_of: str


class ReproductionDocument(TypedDict):
    """The result file of one table or figure of ``reproduce``."""

    schema: Literal["singleout/reproduction/1"]
    id: str
    title: str
    data: list[DataDict]
    findings: list[FindingDict]
    open_choices: str
    notes: list[str]
    rows: list[NumberRow]


@dataclass(frozen=True)
class Data:
    """What a number was measured on, and what the paper used.

    ``file`` is expected in the folder of data sets; None: no file is needed. ``get`` says where to get it.
    """

    name: str
    label: str
    original: str
    file: str | None = None
    get: str = ""


@dataclass(frozen=True)
class Row:
    """One number: ``printed`` in the paper (None: only drawn, or not given) and ``ours``.

    A share of people is an Estimate, with what ``random`` guessing achieves; anything else is a plain number.
    ``choices`` holds our results under each choice that the paper leaves open.
    """

    data: Data
    series: str
    at: str | float
    ours: Estimate | float
    printed: float | None = None
    random: float | None = None
    choices: tuple[float, ...] = ()

    @property
    def value(self) -> float:
        """Our number, without its interval."""
        return self.ours.value if isinstance(self.ours, Estimate) else self.ours

    def as_row(self) -> NumberRow:
        """Plain data, one number per column."""
        found = self.ours if isinstance(self.ours, Estimate) else None
        return {
            "data": self.data.name,
            "label": self.data.label,
            "series": self.series,
            "at": str(self.at),
            "paper": self.printed,
            "ours": self.value,
            "low": None if found is None else found.low,
            "high": None if found is None else found.high,
            "confidence_level": None if found is None else found.confidence_level,
            "n": None if found is None else found.n,
            "random": self.random,
            "least": min(self.choices, default=None),
            "most": max(self.choices, default=None),
        }

    def cells(self) -> list[str]:
        """The cells of a table: data, label, series, at, paper, ours, open choices."""
        write = percent if isinstance(self.ours, Estimate) else _number
        ours = write(self.value)
        if isinstance(self.ours, Estimate):
            ours += f" [{percent(self.ours.low)}, {percent(self.ours.high)}]"
        spread = f"{write(min(self.choices))} to {write(max(self.choices))}" if self.choices else ""
        printed = "" if self.printed is None else write(self.printed)
        at = self.at if isinstance(self.at, str) else _number(self.at)
        return [self.data.name, self.data.label, self.series, at, printed, ours, spread]


HEADING = ("data", "label", "series", "at", "paper", "ours [interval]", "open choices")


def _number(value: float) -> str:
    if value == round(value) or value >= 100:
        return f"{value:,.0f}"
    return np.format_float_positional(float(f"{value:.3g}"), trim="-")


@dataclass(frozen=True)
class Finding:
    """What the paper concludes, and whether our numbers agree; ``choices``: under each open choice.

    ``aside`` says why it is shown but not counted: it could not have failed, or our data cannot decide.
    """

    text: str
    holds: bool
    choices: tuple[bool, ...] = ()
    aside: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is counted among those that hold or do not."""
        return not self.aside

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        if self.aside:
            return "not counted"
        under = f" (under {sum(self.choices)} of {len(self.choices)} open choices)" if self.choices else ""
        return f"{'holds' if self.holds else 'does not hold'}{under}"

    def __str__(self) -> str:
        return f"{self.verdict}: {self.text}" + (f" ({self.aside})" if self.aside else "")

    def to_dict(self) -> FindingDict:
        """Plain data."""
        document: FindingDict = {"text": self.text, "holds": self.holds}
        if self.choices:
            document["holds_under"] = sum(self.choices)
            document["of_open_choices"] = len(self.choices)
        if self.aside:
            document["not_counted"] = self.aside
        return document


def tally(findings: Iterable[Finding]) -> tuple[int, int]:
    """How many of the findings that count hold, and how many count."""
    counted = [finding.holds for finding in findings if finding.counts]
    return sum(counted), len(counted)


@dataclass(frozen=True, eq=False)
class Reproduction(Tabular):
    """A table or figure, reproduced.

    ``open_choices`` says what the paper leaves open; ``axis`` is what ``at`` counts if there is a chart, else None;
    ``logarithmic`` names the logarithmic axes: x, y, xy or none. The list of experiments sets ``id`` and ``title``.
    """

    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    open_choices: str = ""
    notes: tuple[str, ...] = ()
    axis: str | None = None
    logarithmic: str = ""
    id: str = ""
    title: str = ""

    @property
    def holds(self) -> bool:
        """Whether every counted finding of the paper holds."""
        held, counted = tally(self.findings)
        return held == counted

    @property
    def labels(self) -> tuple[str, ...]:
        """Same data, stand-in, synthetic: those of its rows."""
        return tuple(dict.fromkeys(row.data.label for row in self.rows))

    def of(self, series: str, data: Data | None = None) -> list[float]:
        """Our numbers of one series, in order; of one data set if there are several."""
        return [row.value for row in self.rows if row.series == series and data in (None, row.data)]

    def to_arrow(self) -> pa.Table:
        """One row per number."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows], schema=_SCHEMA)

    def to_dict(self) -> ReproductionDocument:
        """The result file."""
        originals = {row.data.name: row.data for row in self.rows}
        return {
            "schema": "singleout/reproduction/1",
            "id": self.id,
            "title": self.title,
            "data": [
                {"name": data.name, "label": data.label, "instead_of": data.original} for data in originals.values()
            ],
            "findings": [finding.to_dict() for finding in self.findings],
            "open_choices": self.open_choices,
            "notes": list(self.notes),
            "rows": [row.as_row() for row in self.rows],
        }

    def __str__(self) -> str:
        lines = [f"{self.id}: {self.title} ({', '.join(self.labels)})"]
        columns = "series:<", "at:<", "paper:>", "ours [interval]:<", "open choices:<"
        lines += align_rows([row.cells()[2:] for row in self.rows], *columns, indent=2)
        lines += [line for finding in self.findings for line in _WRAPPED.wrap(str(finding))]
        return "\n".join([*lines, *(f"  Note: {note}" for note in self.notes)])

    def __repr__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"Reproduction({self.id}, {', '.join(self.labels)}, {len(self.rows)} numbers: {verdict})"


_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("data", "label", "series", "at")]
    + [(name, pa.float64()) for name in ("paper", "ours", "low", "high", "confidence_level")]
    + [("n", pa.int64())]
    + [(name, pa.float64()) for name in ("random", "least", "most")]
)


_WRAPPED = textwrap.TextWrapper(118, initial_indent="  ", subsequent_indent="    ")
