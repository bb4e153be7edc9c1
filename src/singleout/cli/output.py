"""Where a command's result goes: a folder, and the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import typer

from singleout.cli.interrupt import INTERRUPTED
from singleout.ground.earlier_results import ResultOf, is_earlier_result
from singleout.ground.files import check_target, manifest

if TYPE_CHECKING:
    from rich.console import Console

    from singleout.assessment.ladder import Ladder


class Result(Protocol):
    """A result that prints itself and is plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""


@dataclass(frozen=True)
class Output:
    """The folder of a result, and what is printed."""

    command: str
    folder: Path
    seed: int
    as_json: bool
    quiet: bool
    reveal: bool | None = None
    files: Collection[str] = field(kw_only=True)
    """Every file that the command may write."""
    servers: list[str] = field(default_factory=list)
    """Addresses of sources that are no files, without passwords."""

    def __post_init__(self) -> None:
        folder = self.folder.expanduser()
        # a name with .. may lead through a folder that does not exist
        object.__setattr__(self, "folder", folder.resolve() if ".." in folder.parts else folder)

    def check(self, *sources: str | None, files: Iterable[Path] = ()) -> None:
        """Refuse a folder that cannot be written, or whose replacement would lose something, such as a source."""
        from singleout.reading.addresses import is_server, parse_address
        from singleout.reading.locations import input_files

        given = [source for source in sources if source is not None]
        self.servers.extend(parse_address(each).shown for each in given if is_server(each))
        read = [file for source in given for file in input_files(source, self.command)]
        check_target(self.folder, ResultOf(self.command, frozenset(self.files)), [*read, *files])
        self.replaced  # noqa: B018 - looked at now: later the new result stands there

    @cached_property
    def replaced(self) -> str:
        """What to say about an earlier result in the same folder."""
        return ", where it replaced an earlier result" if is_earlier_result(self.folder) else ""

    def manifest(self, parameters: dict[str, Any], inputs: Iterable[Path]) -> dict[str, object]:
        """Where the result came from; options that were left out are left out."""
        return manifest(
            command=self.command,
            parameters={name: value for name, value in parameters.items() if value is not None},
            inputs=inputs,
            seed=self.seed,
            reveal=self.reveal,
            hide_names=bool(parameters.get("user_from_name")) and not self.reveal,
            servers=self.servers,
        )

    def write_ladder(self, ladder: Ladder, parameters: dict[str, Any], inputs: Iterable[Path]) -> None:
        """Write the folder of an attack, then print; an interrupted one ends with its own exit code."""
        from singleout.report.folder import write_result
        from singleout.report.terminal import show

        write_result(self.folder, ladder, self.manifest(parameters, inputs), reveal=bool(self.reveal))
        self.show(ladder, " It contains ids and names." if self.reveal else "", display=show)
        if ladder.interrupted:
            gap = ladder.matching.relative_gap
            typer.echo(
                f"interrupted: wrote what there was; its matching is proven to be within {gap:.2%} of the optimum.",
                err=True,
            )
            raise typer.Exit(INTERRUPTED)

    def show(self, result: Any, more: str = "", *, display: Callable[[Any, Console], None] | None = None) -> None:
        """Print a result that is written, on a console where it has a ``display`` of its own."""
        if self.as_json:
            self.print_json(result)
        elif not self.quiet:
            where = f"Written to {self.folder}{self.replaced}.{more}"
            if display is None:
                typer.echo(f"{result}\n{where}")
                return
            from rich.console import Console

            console = Console()
            display(result, console)
            console.print(f"\n{where}", markup=False, highlight=False, soft_wrap=True)

    def warn(self, text: str) -> None:
        """Print a warning, if there is one."""
        if text and not self.quiet:
            typer.echo(f"warning: {text}", err=True)

    def print_json(self, result: Result) -> None:
        """Print plain data."""
        typer.echo(json.dumps(result.to_dict(), indent=2, allow_nan=False))
