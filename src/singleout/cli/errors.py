"""Errors as one or two lines and an exit code; never a traceback for a user's mistake."""

from __future__ import annotations

import ast
import inspect
import os
import shlex
import traceback
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import typer
from typer.models import ArgumentInfo

from singleout.cli.first_run import watch_compiling
from singleout.cli.interrupt import INTERRUPTED, fault_of_machine, watch_running
from singleout.ground.errors import SingleoutError, as_argument
from singleout.ground.files import WRITTEN
from singleout.ground.notes import cut_middle
from singleout.ground.progress import silence_progress
from singleout.ground.resources import is_too_little_memory, memory_in_words

LIBRARIES = ("duckdb", "numba", "pyarrow", "scipy.sparse")
GATE_FAILED, BAD_INPUT, INTERNAL = 1, 2, 3
LONGEST_MESSAGE, LONGEST_NAME = 2_000, 200
TRACEBACK = "SINGLEOUT_TRACEBACK"
PACKAGE = f"{os.sep}singleout{os.sep}"
QUOTES = "'\""
OPTION_OF = {
    ("microaggregate", "k"): "microaggregate",
    ("add_noise", "epsilon"): "noise",
    ("coarsen", "to"): "coarsen",
    ("hierarchy", "level"): "hierarchy_level",
    ("hierarchy", "to"): "hierarchy",
    ("shorten", "days"): "shorten",
    ("shorten", "events"): "source",
    ("split", "by"): "split",
    ("presets", "name"): "preset",
    ("match", "similarity"): "similarities",
    ("histograms", "days"): "weekdays",
    ("vulnerability", "k"): "max_class_size",
    ("suda", "columns"): "known_columns",
    ("match_profiles", "compare"): "score",
}
"""Arguments whose options have another name."""
FLAG_OF = {"audience": "for"}
"""Options whose first name is no word that Python could use."""


class Usage(NamedTuple):
    """What a command takes, by the names of its function's arguments: options, and what is given without a name."""

    options: tuple[str, ...] = ()
    positional: tuple[str, ...] = ()


_usage: ContextVar[Usage] = ContextVar("usage", default=Usage())  # noqa: B039 - it cannot be changed
"""That of the running command."""


def with_known_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let errors name what a command takes as its usage line does: --time, SOURCE."""
    taken = {
        each.name: any(isinstance(kind, ArgumentInfo) for kind in each.annotation.__metadata__)
        for each in inspect.signature(command, eval_str=True).parameters.values()
    }
    usage = Usage(*(tuple(name for name, unnamed in taken.items() if unnamed is way) for way in (False, True)))

    @wraps(command)
    def run(**given: Any) -> None:
        _usage.set(usage)
        speech = {"silent": bool(given.get("quiet")), "verbose": bool(given.get("verbose"))}
        with exit_on_error():
            # before all that takes long to load: what other cores compile is needed soon
            watch_compiling(command.__name__, quiet=bool(given.get("quiet")))
            _load_libraries()
            watch_running()
            with silence_progress(**speech):
                command(**given)

    return run


@contextmanager
def exit_on_error() -> Iterator[None]:
    """A user's mistake is one or two lines and exit code 2."""
    before = len(WRITTEN)
    try:
        yield
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        raise _report_interruption(before) from None
    except SystemExit:  # a signal to end
        typer.echo(f"ended by a signal; {_so_far(before)}.", err=True)
        raise
    except Exception as error:
        # Ctrl-C on the way out of a compiled kernel comes as a SystemError, with what happened as its cause
        if isinstance(error, SystemError) and isinstance(
            error.__cause__ or error.__context__, KeyboardInterrupt | SystemExit
        ):
            raise _report_interruption(before) from None
        raise _report_failure(error, before) from error


def _load_libraries() -> None:
    """All that takes long to load, while Ctrl-C still leaves at once: imports may swallow exceptions."""
    for name in LIBRARIES:
        import_module(name)
    # at its first conversion Arrow looks for pandas, and would swallow a Ctrl-C that comes meanwhile
    import_module("pyarrow").array([""]).to_numpy(zero_copy_only=False)


def _report_failure(error: Exception, before: int) -> typer.Exit:
    """Say what went wrong: a mistake, too small a machine, or a fault of ours, which has its own exit code."""
    if isinstance(error, SingleoutError):
        message = cut_middle(in_options(error), LONGEST_MESSAGE)
    elif is_too_little_memory(error):
        message = memory_in_words(error)
    elif isinstance(error, ImportError) or (isinstance(error, OSError) and error.filename is None):
        message = fault_of_machine(error)
    elif isinstance(error, OSError):
        name = Path(os.fsdecode(error.filename)).name if isinstance(error.filename, str | bytes) else "a file"
        message = f"cannot use {cut_middle(name, LONGEST_NAME)}: {error.strerror or type(error).__name__}."
    else:
        typer.echo(_internal(error, before), err=True)
        return typer.Exit(INTERNAL)
    typer.echo(f"error: {message}", err=True)
    return typer.Exit(BAD_INPUT)


def in_options(error: SingleoutError) -> str:
    """What the library says, in the options of the running command."""
    return error_in_options(error, *_usage.get())


def error_in_options(error: SingleoutError, options: Collection[str], positional: Collection[str] = ()) -> str:
    """What the library says, with what a command takes in the place of the arguments of the library's functions.

    >>> error_in_options(SingleoutError("`time='when'` is not a column of log.csv."), ["time"])
    '--time when is not a column of log.csv.'
    """
    own = OPTION_OF.get((error.function, error.argument), error.argument)
    named = set()

    def as_typed(argument: str, value: str | None) -> str:
        """An option with its dashes, or what is given without a name in capitals."""
        name = OPTION_OF.get((error.function, argument), argument)
        named.add(name)
        if name in positional:
            return name.upper() if value is None else f"{name.upper()} {value.strip(QUOTES)}"
        if name not in options:
            return as_argument(argument, value)
        if value == "False":
            return _with_dashes(f"no_{name}")
        return _with_dashes(name) if value is None else f"{_with_dashes(name)} {_as_one_word(value)}"

    # an option and what it got say which step it was
    text = error.sentences(as_typed) if error.must and own in options else error.in_words(as_typed)
    is_step = error.function in options and own not in options and error.function not in named
    return f"{_with_dashes(error.function)}: {text}" if is_step else text


def _as_one_word(value: str) -> str:
    """A value of Python's as a shell takes it: a list with commas, quoted where there are blanks."""
    plain = ",".join(ast.literal_eval(value)) if value.startswith("['") else value.strip(QUOTES)
    return shlex.quote(plain) if " " in plain else plain


def _with_dashes(name: str) -> str:
    return "--" + FLAG_OF.get(name, name).replace("_", "-")


def _internal(error: Exception, before: int) -> str:
    """A fault of ours: what and where, and nothing of the data, which the error's own words may quote."""
    if os.environ.get(TRACEBACK):
        return "".join(traceback.format_exception(error))
    place = [frame for frame in traceback.extract_tb(error.__traceback__) if PACKAGE in frame.filename][-1]
    where = f"{place.filename.rpartition(PACKAGE)[2]}, line {place.lineno}"
    return (
        f"internal error: {type(error).__name__} in {where}. This is a bug in singleout, not a problem with your data; "
        f"{_so_far(before)}.\nSet {TRACEBACK}=1 to see more (it may show values of the data), and please report it."
    )


def _report_interruption(before: int) -> typer.Exit:
    typer.echo(f"interrupted; {_so_far(before)}.", err=True)
    return typer.Exit(INTERRUPTED)


def _so_far(before: int) -> str:
    """What this command has written, of all that this process has."""
    written = WRITTEN[before:]
    return f"the result in {written[-1]} is complete" if written else "nothing was written"
