"""All commands, in the order of ``singleout --help``, each with its examples."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import singleout as so
from singleout.cli.audit import audit
from singleout.cli.bench import bench
from singleout.cli.compare import compare
from singleout.cli.convert import convert
from singleout.cli.demo import demo
from singleout.cli.errors import BAD_INPUT, with_known_options
from singleout.cli.init import init
from singleout.cli.interrupt import EXIT_OF_SIGNALS, leave
from singleout.cli.link import link
from singleout.cli.match import match
from singleout.cli.options import name_values
from singleout.cli.profiles import profiles
from singleout.cli.protect import protect
from singleout.cli.reproduce import reproduce
from singleout.cli.similarities import similarities
from singleout.cli.suda import suda
from singleout.cli.topology import topology
from singleout.cli.variables import variables
from singleout.cli.verify import verify
from singleout.ground.errors import OutputError
from singleout.ground.terminal_filter import VisibleText

COMMANDS = (
    (demo, ["singleout demo"]),
    (init, ["singleout init survey.csv", "singleout init survey.csv register.csv --yes --out survey.toml"]),
    (
        audit,
        [
            "singleout audit log.csv --user card --time at --place shop --max-risk 0.05",
            "singleout audit people.csv --known-columns age,sex,town",
            "singleout audit survey.csv register.csv --on born,sex,town --truth person",
            "singleout audit --config audit.toml",
        ],
    ),
    (match, ["singleout match log.csv --user card --time at --place shop --split halves"]),
    (
        protect,
        [
            "singleout protect log.csv --user card --place shop --microaggregate 20",
            "singleout protect log.csv --user card --time at --place shop --split halves --compare --keep 100,1000",
            "singleout protect people.csv --known-columns age,sex,town --k 5 --recode age=0,18,30,45,65",
        ],
    ),
    (
        verify,
        [
            "singleout verify out/protected.csv log.csv --user card --time at --place shop --key out/key.csv",
            "singleout verify out/protected.csv --known-columns age,sex,town --k 5",
        ],
    ),
    (
        compare,
        [
            "singleout compare last-release/audit this-release/audit",
            "singleout compare old/audit.json new/audit.json --fail-if-worse --markdown",
        ],
    ),
    (similarities, ["singleout similarities --plugin my_attack.py"]),
    (topology, ["singleout topology log.csv --user card --time at --place shop"]),
    (suda, ["singleout suda people.csv --known-columns age,sex,town,job"]),
    (
        variables,
        [
            "singleout variables people.csv --known-columns age,sex",
            "singleout variables people.csv --known-columns age,sex --against voters.csv --coverage 0.7",
        ],
    ),
    (
        link,
        [
            "singleout link released.csv known.csv --on age,sex,town",
            "singleout link released.csv known.csv --on last,born,town --agreement probable --block last+born,town",
        ],
    ),
    (profiles, ["singleout profiles site-a.csv site-b.csv --id id --truth email"]),
    (reproduce, ["singleout reproduce naini-table2"]),
    (convert, ["singleout convert geolife Geolife-Trajectories --data data"]),
    (bench, ["singleout bench matching --people 4000"]),
)

SIGNS_OF_A_SOURCE = re.compile(r"[./\\:*?]")
"""Signs that are in names of files and addresses, and in those of no command."""


class Commands(TyperGroup):
    """All commands; where a file stands in the place of one, the error names the command to start with."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named first, and what follows it."""
        name = args[0]
        is_source = bool(SIGNS_OF_A_SOURCE.search(name)) or os.path.lexists(name)
        if is_source and self.get_command(ctx, name) is None:
            ctx.fail(f"No such command {name!r}. To audit a file: singleout init {shlex.quote(name)}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Measure how many people in your data could be re-identified, who is most at risk and why, and what would "
    "protect them.",
)


class Command(TyperCommand):
    """A command whose help shows no type for a switch, and that takes no option twice: one of them would not count."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse what was given twice; later, only the last of its values is there."""
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
            for name, number in Counter(map(_option_once, order)).items():
                if name is not None and number > 1:
                    several = f", several values with commas: {name} A,B" if name in _lists(order) else ""
                    ctx.fail(f"{name} is given {number} times. Give it once{several}.")
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, the one for help included."""
        found = super().get_params(ctx)
        for each in found:
            if getattr(each, "is_flag", False):
                each.metavar = ""
        return found


def _option_once(parameter: Any) -> str | None:
    """The name of an option that may be given only once; None for switches, arguments and lists of sets."""
    is_several = parameter.multiple if parameter.param_type_name == "option" else True
    return None if is_several or parameter.is_flag else str(parameter.opts[0])


def _lists(order: list[Any]) -> set[str]:
    """Options of lists."""
    return {each.opts[0] for each in order if "," in str(each.metavar)}


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"singleout {so.__version__}")
        raise typer.Exit


@app.callback()
def _main_options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options before a command."""


for _command, _examples in COMMANDS:
    _heading = "Example:" if len(_examples) == 1 else "Examples:"
    app.command(cls=Command, epilog="\n\n".join([_heading, *_examples]))(with_known_options(name_values(_command)))


def run() -> None:
    """Run the command line. A terminal that lacks a character shows another in its place."""
    for name in ("stdout", "stderr"):
        # a stream that was closed by the caller is none at all
        stream = getattr(sys, name) or Path(os.devnull).open("w")  # noqa: SIM115 - stays open to the end
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
        setattr(sys, name, VisibleText(stream))
    try:
        app()
    except OutputError as error:  # help and version are printed outside of any command
        sys.stderr.write(f"error: {error}\n")
        sys.exit(BAD_INPUT)
    except SystemExit as ended:
        if isinstance(ended.code, int) and ended.code > EXIT_OF_SIGNALS:
            leave(ended.code)
        raise
