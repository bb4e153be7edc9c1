"""Files of options: read, written as TOML, and the paths of an audit that may be in one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from singleout.assessment.options import OptionGroup
from singleout.ground.errors import InputError, SourceError, must_in_words

DATA, KNOWN, OUT = PATHS = ("data", "known", "out")
"""What is given without a name on the command line, and the folder of the result."""


def paths_from(config: Path | None) -> dict[str, str]:
    """The files of an audit, and its folder, that a file of options names."""
    listed = {} if config is None else read_config(config)
    found = {name: listed[name] for name in PATHS if name in listed}
    for name, value in found.items():
        if not isinstance(value, str) or not value:
            raise InputError(must_in_words(name, "the name of a file or folder, as text", ""), function="audit")
    return found


def read_config(config: Path) -> dict[str, Any]:
    """The options of a file by name; dashes in names are underscores."""
    try:
        if config.exists() and not config.is_file():
            raise SourceError(f"{config.name} is not a plain file.", argument="config")
        listed = tomllib.loads(config.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(f"cannot read {config.name}: {reason}.", argument="config") from error
    except RecursionError as error:
        problem = f"{config.name} is nested too deeply; options are names and values."
        raise SourceError(problem, argument="config") from error
    except ValueError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{config.name} is not a valid TOML file in UTF-8: {error}.", argument="config") from error
    return {name.replace("-", "_"): value for name, value in listed.items()}


def print_config(options: OptionGroup, paths: Mapping[str, str | None]) -> str:
    """Everything that would run, as a file of options; defaults as comments."""
    own = {each.name: getattr(options, each.name) for each in fields(options)}
    defaults = {each.name: each.default for each in fields(options)}
    given = {name: value for name, value in own.items() if value != defaults[name]}
    rest = {name: value for name, value in own.items() if value is not None and name not in given}
    lines = [toml_line(name, value) for name, value in {**paths, **given}.items() if value is not None]
    return "\n".join([*lines, "", "# defaults", *(f"# {toml_line(name, value)}" for name, value in rest.items())])


def toml_line(name: str, value: Any) -> str:
    """An option as TOML."""
    return f"{name} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """A value as TOML: text, a number, true or false, or a list of them."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    # text of JSON is text of TOML, but for one control code
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else repr(value)
