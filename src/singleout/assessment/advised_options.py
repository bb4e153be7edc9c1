"""The options of a command that is advised: those proposed, and of those that were given all that can stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from singleout.assessment.audit_options import OF_PLACES, AuditOptions
from singleout.assessment.option_rules import parse_options
from singleout.reading.proposals import GRID

OF_CELLS = ("lat", "lng", "grid", "box", "coordinate_scale")
COORDINATES = ("lat", "lng")


def merge_options(proposed: Mapping[str, Any], given: Mapping[str, Any], *, two_files: bool) -> dict[str, Any]:
    """What is proposed and what was given, without what is wrong: a command that repeats a mistake fails again."""
    left = _without(given, ("split",)) if two_files else dict(given)
    start, left = _one_way_to_places(dict(proposed), left)
    if left.get("user_from_name"):
        start = _without(start, ("user",))
    known = set(_faults(start))
    while new := set(_faults(start | left)) - known:
        kinder = (name for name in left if len(set(_faults(start | _without(left, (name,)))) - known) < len(new))
        wrong = next(kinder, None)
        if wrong is None:
            break
        left = _without(left, (wrong,))
    return start | left


def _one_way_to_places(proposed: dict[str, Any], given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Places by a column or by coordinates, never by both; half of the coordinates does not count."""
    if "place" in given:
        return _without(proposed, OF_CELLS), _without(given, OF_CELLS)
    if "place" not in proposed:
        return proposed, given
    others = [value for name, value in proposed.items() if name in OF_PLACES and name not in COORDINATES]
    named = [given[name] for name in COORDINATES if name in given]
    if len(named) == len(COORDINATES) and not any(name in others for name in named):
        return _without(proposed, ("place",)) | {"grid": GRID}, given
    return proposed, _without(given, OF_CELLS)


def _without(options: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}


def _faults(options: Mapping[str, Any]) -> list[str]:
    """What an audit would find wrong; code of the user's own is not run again."""
    return parse_options(AuditOptions, _without(options, ("plugin",)))[1]
