"""Numeric times that seem to count from zero, such as seconds since a study began: Unix times of 1970."""

from __future__ import annotations

from collections.abc import Mapping

from singleout.ground.notes import Note
from singleout.reading.times import FLOATS, INTEGERS, SECOND

YEAR_1980 = 315_532_800 * SECOND
NUMBER_TIME = "number_time"


def number_time(column: str, kind: str, moment: str) -> dict[str, str]:
    """SQL for the moment of times that are numbers; nothing for a column of timestamps."""
    if kind.split("(")[0] in INTEGERS | FLOATS:
        return {NUMBER_TIME: moment}
    if kind == "VARCHAR":
        return {NUMBER_TIME: f"(CASE WHEN TRY_CAST({column} AS DOUBLE) IS NOT NULL THEN {moment} END)"}
    return {}


def from_zero_count(columns: Mapping[str, str]) -> dict[str, str]:
    """SQL for the number of events with a time if all times are numbers from zero to before 1980; else 0."""
    if NUMBER_TIME not in columns:
        return {}
    moment = columns[NUMBER_TIME]
    small = f"min({moment}) >= 0 AND max({moment}) < {YEAR_1980}"
    return {"from_zero": f"CASE WHEN {small} THEN count({moment}) ELSE 0 END"}


def from_zero_note(found: Mapping[str, int], unit: str) -> Note:
    """Say that dates of such times have no meaning, or that the unit is wrong."""
    why = (
        "their times seem to count from zero and not from 1970, so dates, weekdays and hours have no meaning; "
        f"or is time_unit={unit!r} wrong?"
    )
    return Note(found.get("from_zero", 0), "events dated before 1980", why)
