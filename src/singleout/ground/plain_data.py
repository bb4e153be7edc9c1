"""Types of the plain data in result files; their JSON Schemas are generated from them (report/json_schema.py).

What ``Annotated`` adds to a type goes into the schema: its ``Limits``, and a text that describes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True)
class Limits:
    """The least and greatest value of a number, or the values next to it: ``above`` and ``below``."""

    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None


@dataclass(frozen=True)
class OneOf:
    """The only values of a text."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class FieldsOf:
    """Says that plain data holds the fields of a data class, as ``dataclasses.asdict`` gives them."""

    kind: type


Share = Annotated[float, Limits(0, 1)]
ShareOrNone = Annotated[float | None, Limits(0, 1)]
Count = Annotated[int, Limits(0)]
CountOrNone = Annotated[int | None, Limits(0)]
Positive = Annotated[int, Limits(1)]
NotNegative = Annotated[float, Limits(0)]
Level = Annotated[float, Limits(above=0, below=1)]
"""A confidence level."""
