"""Every protection at every strength: its files are made here, and attacked here or by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from textwrap import shorten
from typing import Any, TypeVar

from singleout.assessment.file_attack import Candidate, FileAttack, Point, Tried
from singleout.assessment.protections import Protection
from singleout.ground.errors import DataError, SingleoutError
from singleout.ground.notes import Note
from singleout.ground.parallel import send_jobs, shares_memory

Trial = tuple[Protection | None, Any]
"""A protection and its strength; None: the data as it is."""
Result = TypeVar("Result")
LONGEST_STRENGTH = 60
"""Of a strength in an error: it may be a whole mapping."""
NEAR = 1.25
"""Times the limit up to which all attacks are carried out on everyone."""
SMALL = 0.05
"""What takes the place of the limit there, where there is none."""


def try_all(
    attack: FileAttack,
    trials: Sequence[Trial],
    limit: float | None,
    *,
    skip: bool,
    keep: bool,
    progress: bool | None,
) -> list[Candidate | Note]:
    """Every protection at every strength, some at a time: on threads, or on a cluster.

    What makes the files stays in this process: protections may be anyone's functions, and some work on events, which
    are queries of a database. The attacks on the files, which take most of the time, go where workers are.
    """
    here = replace(attack, progress=False)
    counted = replace(here, columns=[column.counted() for column in attack.columns])
    keep = keep and shares_memory()  # files are not sent back: the one to be recommended is made again
    found = send_jobs(
        partial(_measure, counted, limit, skip, keep),
        trials,
        prepare=partial(_protect, here, skip),
        label="trying protections",
        progress=progress,
    )
    return [
        each if isinstance(each, Note) else Candidate(each[0], protection, each[1])
        for each, (protection, _) in zip(found, trials, strict=True)
    ]


def _protect(attack: FileAttack, skip: bool, trial: Trial) -> Tried | Note:
    """The files that a protection would write; a note where nothing is left and that may be skipped."""
    protection, strength = trial
    name = None if protection is None else protection.name
    return _or_note(lambda: attack.protect(protection, strength), skip, name, strength)


def _measure(
    attack: FileAttack, limit: float | None, skip: bool, keep: bool, tried: Tried | Note
) -> tuple[Point, Tried | None] | Note:
    """What attacks find in these files; with ``keep`` the files too, where they may be recommended."""
    if isinstance(tried, Note):
        return tried

    def measure() -> Point:
        point = attack.measure(tried, attack.similarities)
        if attack.scouts is not None and point.upper <= NEAR * (limit or SMALL):
            # a risk is not called small before every attack was carried out on everyone
            point = replace(attack, scouts=None).measure(tried, attack.similarities)
        return point

    point = _or_note(measure, skip, tried.protection if tried.is_protected else None, tried.strength)
    if isinstance(point, Note):
        return point
    people = max(len(attack.columns[-1].counts), 1)
    if keep and limit is not None and point.is_enough(limit, people):
        return point, tried
    tried.forget_attacks()
    return point, None


def _or_note(step: Callable[[], Result], skip: bool, name: str | None, strength: Any) -> Result | Note:
    """What a step returns, or a note if nothing is left to attack and that may be skipped; errors name the protection.

    Without a name it is about the data as it is.
    """
    try:
        with _naming_protection(name, strength):
            return step()
    except DataError as error:
        if not skip or name is None:
            raise
        return Note(1, "strengths left out", error.in_words())


@contextmanager
def _naming_protection(name: str | None, strength: Any) -> Iterator[None]:
    """Errors inside say which protection at which strength they are about."""
    try:
        yield
    except SingleoutError as error:
        if name is None:
            raise
        strong = shorten(str(strength), LONGEST_STRENGTH, placeholder=" …")
        raise error.within(context=f"protection {name!r} at strength {strong}") from None
