"""What commands that read event logs share: the two sides, and lists with commas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from singleout.assessment.options import SPLIT_CHOICES, SplitOptions, split_list
from singleout.ground.errors import InputError

if TYPE_CHECKING:
    from singleout.reading.events import Events
    from singleout.reading.split import Sides


def read_sides(logs: Sequence[Events], splitting: SplitOptions, *, seed: int) -> Sides:
    """What is released and what is known: two logs as they are, or one in two parts."""
    from singleout.reading.split import Sides

    if len(logs) == 2 and splitting.split is not None:
        raise InputError(f"give either a second file or `split` ({SPLIT_CHOICES}), not both.")
    if len(logs) == 1 and splitting.split is None:
        raise InputError(f"give a second file, or split this one with `split` ({SPLIT_CHOICES}).")
    if splitting.split is None:
        _refuse_idle(splitting)
        return Sides(logs[0], logs[1])
    return splitting.split_log(logs[0], seed=seed)


def _refuse_idle(splitting: SplitOptions) -> None:
    """Options that would have no effect."""
    if splitting != SplitOptions():
        raise InputError("`week_start`, `longer_first` and `dates` require `split`.")


def input_paths(logs: Sequence[Events]) -> tuple[Path, ...]:
    """The files that logs were read from."""
    return tuple(file for log in logs for file in log.files)


def words(text: str) -> tuple[str, ...]:
    """Words separated by commas, each once."""
    return tuple(dict.fromkeys(split_list(text)))


def own_files(file: str | None) -> list[Path]:
    """A file besides the data that a result depends on, if one was given."""
    return [] if file is None else [Path(file)]
