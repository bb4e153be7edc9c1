"""Commands in reports: complete, so that they can be copied and run in the folder that is named with them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from singleout.assessment.file_names import NO_FILE, FileNames, Namer, as_typed, name_files
from singleout.assessment.options import OptionGroup, ReadOptions, Repeated


class Command(str):
    """A command as reports show it; ``typed`` has its files as they were given, so that it runs right there."""

    typed: str

    @classmethod
    def build(cls, build: Callable[[Namer], str], files: FileNames) -> Command:
        """The command that ``build`` makes, given what a file is called."""
        made = cls(build(files.name))
        made.typed = build(as_typed)
        return made


def to_run_here(command: str) -> str:
    """A command with its files as they were given, for the terminal of the one who gave them."""
    return command.typed if isinstance(command, Command) else command


def command_line(command: str, sources: Sequence[str], *flags: str) -> str:
    """A command with its sources and flags, quoted for a shell; patterns too, which commands read themselves."""
    return shlex.join(["singleout", command, *sources, *flags])


def flags_of(options: OptionGroup, names: Collection[str] | None = None, *, name_file: Namer = as_typed) -> list[str]:
    """What was asked for, as flags; only these options, where they are named."""
    changed = options.non_defaults() | files_of(options, name_file)
    return [word for name in changed if names is None or name in names for word in _flag(options, name, changed[name])]


def files_of(options: OptionGroup, name_file: Namer) -> dict[str, list[str]]:
    """The options that name files."""
    hierarchies = getattr(options, "hierarchy", None) or ()
    split = [each.partition("=") if _is_of_table(options) else ("", "", each) for each in hierarchies]
    levels, plugin = getattr(options, "file_of_levels", None), getattr(options, "plugin", None)
    named = {
        "hierarchy": [f"{column}{sign}{name_file(file)}" for column, sign, file in split],
        "levels": [] if levels is None else [name_file(levels)],
        "plugin": [] if plugin is None else [name_file(plugin)],
    }
    return {name: values for name, values in named.items() if values}


def name_all_files(options: OptionGroup, *sources: Any) -> FileNames:
    """What commands call the sources, and the files that options name."""
    met: list[Any] = []

    def meet(file: Any) -> str:
        met.append(file)
        return ""

    files_of(options, meet)
    found = name_files([*sources, *met])
    if NO_FILE not in map(found.name, sources):
        return found
    return replace(found, folder=f"{found.folder or 'any folder'}, with the data saved as {NO_FILE}")


def _is_of_table(options: OptionGroup) -> bool:
    return bool(getattr(options, "is_table", False) or getattr(options, "known_columns", None))


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
