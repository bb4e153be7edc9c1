"""Some of the people of a large log, on whom protections are tried: enough for intervals of one point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from scipy.special import ndtri

from singleout.assessment.audit_sides import CountsOf
from singleout.assessment.file_attack import LARGE
from singleout.ground.notes import Note
from singleout.measures.half_samples import draw_people, in_order_of_id
from singleout.reading.events import Events
from singleout.reading.split import Sides
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import as_ids, comparable

HALF_WIDTH = 0.01
"""Of the interval of a rate near one half, where it is widest."""
SAMPLE = "sample"
"""The code of the note that says so."""
STREAM = 6_112_003
"""Separates the draw of these people from all others made with the same seed."""


@dataclass(frozen=True, eq=False)
class Measured:
    """What protections are tried on: logs, sides and counts, of everyone or of some people."""

    logs: Sequence[Events]
    sides: Sides
    counts: CountsOf


def draw_logs(logs: Sequence[Events], number: int | None, seed: int) -> list[Events]:
    """``number`` people of the logs, drawn from those who are in all of them; of the others as large a share.

    All of them where no number is given, or there are no more.
    """
    if number is None:
        return list(logs)
    ids = [as_ids("audit", "user", log.list_people()) for log in logs]
    first, last = comparable(ids[0], ids[-1])
    common = np.intersect1d(first, last)
    if number >= len(common):
        return list(logs)
    rng = np.random.default_rng([seed, STREAM, 1])
    drawn, share = rng.choice(common, number, replace=False), number / len(common)
    why = "asked for with --sample: among fewer people the risk is higher; protections were measured on them only"
    note = Note(number, f"people drawn at random of {len(common):,}", why)

    def are_kept(listed: list[Any]) -> Sequence[bool]:
        theirs = comparable(as_ids("audit", "user", listed), ids[0])[0]
        others = ~np.isin(theirs, common) & (rng.random(len(theirs)) < share)
        return (np.isin(theirs, drawn) | others).tolist()  # type: ignore[no-any-return]

    return [replace(log.only_people(are_kept), step_notes=(*log.step_notes, note)) for log in logs]


def enough_people(confidence_level: float) -> int:
    """How many people give an interval of one point in either direction, whatever the rate."""
    z = float(ndtri((1 + confidence_level) / 2))
    return ceil((z / (2 * HALF_WIDTH)) ** 2)


def draw_sample(everyone: Measured, confidence_level: float, seed: int) -> Measured | None:
    """Some of the people, the same ones in logs, sides and counts; None where there are few enough to take all."""
    released, known = everyone.counts
    ids = comparable(released.people, known.people)
    _, *rows = np.intersect1d(*ids, return_indices=True)
    number = enough_people(confidence_level)
    if len(rows[0]) < max(LARGE, number):
        return None
    rng = np.random.default_rng([seed, STREAM])
    drawn = draw_people(ids, in_order_of_id(ids[1], rows[0], rows[1]), number, number / len(rows[0]), rng)
    counts = CountsOf(released.only_rows(np.sort(drawn.rows[0])), known.only_rows(np.sort(drawn.rows[1])))
    one_log = len(everyone.logs) == 1
    pairs = list(zip(everyone.counts, counts, strict=True))
    of_log = [pairs] if one_log else [[pair] for pair in pairs]
    logs = [_only(log, own, number / len(rows[0]), rng) for log, own in zip(everyone.logs, of_log, strict=True)]
    tables = [logs[0].some_people] * 2 if one_log else [log.some_people for log in logs]
    sides = Sides(*(replace(side, some_people=table) for side, table in zip(everyone.sides, tables, strict=True)))
    return Measured(logs, sides, counts)


def sample_notes(some: Measured | None, *, recommends: bool) -> tuple[Note, ...]:
    """That protections were tried on some people; ``recommends``: one of them is recommended."""
    if some is None:
        return ()
    enough = f"enough for intervals of ±{100 * HALF_WIDTH:g} percentage point"
    all_of_them = "; the one recommended was tried on everyone" if recommends else ""
    why = f"protections were tried on them, {enough}{all_of_them}. Among fewer people the risk is slightly higher"
    return (Note(len(some.counts.released), "people drawn at random", why, SAMPLE),)


def _only(
    log: Events, sides: Sequence[tuple[Histograms, Histograms]], share: float, rng: np.random.Generator
) -> Events:
    """The events of the people drawn, and of those on no side as large a share; ``sides``: all, and those drawn."""

    def are_kept(ids: list[Any]) -> Sequence[bool]:
        theirs = as_ids("audit", "user", ids)
        on_a_side, drawn = np.zeros(len(ids), dtype=bool), np.zeros(len(ids), dtype=bool)
        for everyone, some in sides:
            on_a_side |= np.isin(*comparable(theirs, everyone.people))
            drawn |= np.isin(*comparable(theirs, some.people))
        kept: list[bool] = (drawn | (~on_a_side & (rng.random(len(ids)) < share))).tolist()
        return kept

    return log.only_people(are_kept)
