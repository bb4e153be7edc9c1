"""Commands in reports: complete, so that they can be copied and run in the folder of the data."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.assessment.options import OptionGroup, ReadOptions, Repeated
from singleout.reading.addresses import is_server, parse_address
from singleout.reading.locations import hide_query

NO_FILE = "FILE"
"""Stands for data that did not come from a file: it has to be saved first."""


def source_names(*sources: Any) -> tuple[str, ...]:
    """How a command names each source: as it was given, but for folders that only this machine has."""
    return tuple(_name(os.fspath(each)) if isinstance(each, str | PathLike) else NO_FILE for each in sources)


def _name(source: str) -> str:
    if is_server(source):
        return parse_address(source).shown
    hidden = hide_query(source)
    scheme, sign, rest = hidden.partition(":///")
    path = Path(rest if sign else hidden)
    elsewhere = path.is_absolute() or ".." in path.parts or path.parts[:1] == ("~",)
    shown = path.name if elsewhere else str(path)
    return f"{scheme}{sign}{shown}" if sign else shown


def as_typed(source: str) -> str:
    """A source as it was given, but for a password: for the terminal of the one who gave it."""
    return parse_address(source).shown if is_server(source) else source


def command_line(command: str, sources: Sequence[str], *flags: str) -> str:
    """A command with its sources and flags, quoted for a shell; patterns too, which commands read themselves."""
    return shlex.join(["singleout", command, *sources, *flags])


def flags_of(options: OptionGroup, names: Collection[str] | None = None) -> list[str]:
    """What was asked for, as flags; only these options, where they are named."""
    changed = options.non_defaults()
    return [word for name in changed if names is None or name in names for word in _flag(options, name, changed[name])]


def read_flags(options: ReadOptions) -> list[str]:
    """How an event log is read, as flags."""
    return flags_of(options, {each.name for each in fields(ReadOptions)})


def _flag(options: OptionGroup, name: str, value: Any) -> Iterator[str]:
    flag = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        yield flag if value else f"--no-{name}"
    elif isinstance(getattr(options, name), Repeated):
        for each in value:
            yield from (flag, str(each))
    else:
        listed = value if isinstance(value, list) else [value]
        yield from (flag, ",".join(f"{each:g}" if isinstance(each, float) else str(each) for each in listed))
