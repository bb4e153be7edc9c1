"""What all commands share: the list of them, common options, where results go, and mistakes told in words."""

from __future__ import annotations

import inspect
import json
import os
import time
import traceback
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Protocol

import pyarrow as pa
import typer
from rich.console import Console
from typer.models import ArgumentInfo as Given

from singleout._start import INTERRUPTED, watch_running
from singleout._wording import in_options
from singleout.ground.earlier import ResultOf, is_earlier_result
from singleout.ground.errors import SingleoutError
from singleout.ground.files import WRITTEN, check_target, manifest
from singleout.ground.notes import shortened
from singleout.ground.resources import is_too_little_memory, memory_in_words
from singleout.reading.sources import input_files
from singleout.report.folder import write_result
from singleout.report.model import Ladder
from singleout.report.terminal import show

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="How many people in your data could be picked out, who, why, and what would protect them.",
)

BAD_INPUT, INTERNAL = 2, 3
LONGEST_MESSAGE = 2_000
TRACEBACK = "SINGLEOUT_TRACEBACK"
PACKAGE = f"{os.sep}singleout{os.sep}"

Out = Annotated[Path, typer.Option(help="Folder for the result; it appears whole or not at all.")]
Seed = Annotated[int, typer.Option(min=0, help="Draws lots for ties. Same seed, same result.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]
Reveal = Annotated[bool, typer.Option("--reveal", help="Write ids beside the row numbers.")]
Encoding = Annotated[str, typer.Option(help="Of text files: utf-8 or latin-1.")]


class Tellable(Protocol):
    """A result that prints itself and is plain data."""

    def as_json(self) -> dict[str, Any]:
        """Plain data."""


@dataclass(frozen=True)
class Told:
    """Where a command's result goes and what is said on the way."""

    command: str
    out: Path
    seed: int
    as_json: bool
    quiet: bool
    reveal: bool | None = None
    files: Collection[str] = field(kw_only=True)
    """Every file that the command may write."""
    started: float = field(default_factory=time.perf_counter)

    def check(self, *sources: str | None, files: Iterable[Path] = ()) -> None:
        """Refuse a folder that cannot be written, or whose replacement would lose something, such as a source."""
        given = [source for source in sources if source is not None]
        read = [file for source in given for file in input_files(source, self.command)]
        check_target(self.out, ResultOf(self.command, frozenset(self.files)), [*read, *files])
        self.replaced  # noqa: B018 - looked at now: later the new result stands there

    @cached_property
    def replaced(self) -> str:
        """What to say of an earlier result in the same folder."""
        return ", where it replaced an earlier result" if is_earlier_result(self.out) else ""

    def manifest(self, parameters: dict[str, Any], inputs: Iterable[Path]) -> dict[str, object]:
        """Where the result came from; options that were left out are left out."""
        return manifest(
            command=self.command,
            parameters={name: value for name, value in parameters.items() if value is not None},
            inputs=inputs,
            seed=self.seed,
            seconds=time.perf_counter() - self.started,
            reveal=self.reveal,
        )

    def attacked(self, ladder: Ladder, parameters: dict[str, Any], inputs: Iterable[Path]) -> None:
        """Write the folder, then print."""
        write_result(self.out, ladder, self.manifest(parameters, inputs), reveal=bool(self.reveal))
        if self.as_json:
            typer.echo(json.dumps(ladder.as_json(), indent=2, allow_nan=False))
        elif not self.quiet:
            console = Console()
            show(ladder, console)
            revealed = " with the ids of people" if self.reveal else ""
            where = f"\nWritten to {self.out}{revealed}{self.replaced}"
            console.print(where, markup=False, highlight=False, soft_wrap=True)
        if ladder.interrupted:
            gap = ladder.matching.relative_gap
            typer.echo(
                f"interrupted: wrote what there was, its matching proven within {gap:.2%} of the best.", err=True
            )
            raise typer.Exit(INTERRUPTED)

    def told(self, result: Tellable, more: str = "") -> None:
        """Print a result that is written."""
        if self.as_json:
            typer.echo(json.dumps(result.as_json(), indent=2, allow_nan=False))
        elif not self.quiet:
            typer.echo(f"{result}\nWritten to {self.out}{self.replaced}.{more}")


def _options_of(command: str) -> list[str]:
    """The options of a command, by the names of its function's arguments; files are given without a name."""
    listed = {str(getattr(each.callback, "__name__", "")): each.callback for each in app.registered_commands}
    taken = inspect.signature(listed[command] or errors_in_words, eval_str=True).parameters.values()
    return [each.name for each in taken if not any(isinstance(kind, Given) for kind in each.annotation.__metadata__)]


@contextmanager
def errors_in_words(command: str) -> Iterator[None]:
    """A user's mistake is one or two lines and exit code 2, never a traceback."""
    # at its first conversion Arrow looks for pandas, and would swallow a Ctrl-C that comes meanwhile
    pa.array([""]).to_numpy(zero_copy_only=False)
    watch_running()
    before = len(WRITTEN)
    try:
        yield
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        raise _interrupted(before) from None
    except SystemExit:  # a signal to end
        if len(WRITTEN) > before:
            typer.echo(f"ended by a signal; {_so_far(before)}.", err=True)
        raise
    except Exception as error:
        # Ctrl-C on the way out of a compiled kernel comes as a SystemError, with what happened as its cause
        if isinstance(error, SystemError) and isinstance(
            error.__cause__ or error.__context__, KeyboardInterrupt | SystemExit
        ):
            raise _interrupted(before) from None
        raise _failed(error, command, before) from error


def _failed(error: Exception, command: str, before: int) -> typer.Exit:
    """Say what went wrong: a mistake, too small a machine, or a fault of ours, which has its own exit code."""
    if isinstance(error, SingleoutError):
        message, code = in_options(shortened(str(error), LONGEST_MESSAGE), _options_of(command)), BAD_INPUT
    elif is_too_little_memory(error):
        message, code = memory_in_words(error), BAD_INPUT
    elif isinstance(error, OSError):
        name = Path(os.fsdecode(error.filename)).name if isinstance(error.filename, str | bytes) else "a file"
        message, code = f"cannot use {name}: {error.strerror or type(error).__name__}.", BAD_INPUT
    else:
        typer.echo(_internal(error, before), err=True)
        return typer.Exit(INTERNAL)
    typer.echo(f"error: {message}", err=True)
    return typer.Exit(code)


def _internal(error: Exception, before: int) -> str:
    """A fault of ours: what and where, and nothing of the data, which the error's own words may quote."""
    if os.environ.get(TRACEBACK):
        return "".join(traceback.format_exception(error))
    place = [frame for frame in traceback.extract_tb(error.__traceback__) if PACKAGE in frame.filename][-1]
    where = f"{place.filename.rpartition(PACKAGE)[2]}, line {place.lineno}"
    return (
        f"internal error: {type(error).__name__} in {where}. This is a fault of singleout, not of your data; "
        f"{_so_far(before)}.\nSet {TRACEBACK}=1 to see more (it may show values of the data), and please report it."
    )


def _interrupted(before: int) -> typer.Exit:
    typer.echo(f"interrupted; {_so_far(before)}.", err=True)
    return typer.Exit(INTERRUPTED)


def _so_far(before: int) -> str:
    """What this command has written, of all that this process has."""
    written = WRITTEN[before:]
    return f"the result in {written[-1].name} is written and whole" if written else "nothing was written"
