"""What the library says, in the words of the command line: arguments become options."""

from __future__ import annotations

import re
from collections.abc import Iterable

import singleout as so

OPTION_OF = {
    ("microaggregate", "k"): "microaggregate",
    ("add_noise", "epsilon"): "noise",
    ("coarsen", "to"): "coarsen",
    ("shorten", "days"): "shorten",
    ("split", "by"): "split",
    ("presets", "name"): "preset",
}
"""Arguments whose options go by another name."""


def in_options(message: str, options: Iterable[str]) -> str:
    """Put the options of a command in the place of the arguments of the functions that it calls.

    >>> in_options("read_events: time='when' is not a column of log.csv.", ["time"])
    '--time when is not a column of log.csv.'
    """
    there = set(options)

    def option(found: re.Match[str]) -> str:
        function, argument = found["function"], found["argument"]
        name = OPTION_OF.get((function, argument), argument)
        return _dashed(name) if name in there else found[0]

    def given(found: re.Match[str]) -> str:
        argument, value = found["argument"], found["value"]
        return f"{_dashed(argument)} {value}" if argument in there else found[0]

    message = re.sub(r"read_events\(…, (.*?)\)", r"\1", message)
    message = re.sub(r"(?P<function>\w+): (?P<argument>\w+)(?= must be )", option, message)
    message = re.sub(
        r"(?:\bread_\w+: )?\b(?P<argument>\w+)(?: \((?:released|known)\))?='(?P<value>[^']*)'", given, message
    )
    underscored = re.compile(r"(?<!-)\b[a-z]+_[a-z_]+\b")
    message = underscored.sub(lambda found: _dashed(found[0]) if found[0] in there else found[0], message)
    message = re.sub(r"\bread_\w+: ", "", message)
    return re.sub(r"^(\w+): ", lambda found: _speaker(found[1], there), message)


def _speaker(function: str, options: set[str]) -> str:
    """Who is speaking: an option, or nobody where it is a function of the library."""
    if function in options:
        return f"{_dashed(function)}: "
    return "" if hasattr(so, function) else f"{function}: "


def _dashed(name: str) -> str:
    return "--" + name.replace("_", "-")
