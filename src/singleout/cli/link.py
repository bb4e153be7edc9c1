"""The command ``link``: which released records lead to a single known one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.options import ATTACK, DATA, ENCODING_HELP, ENCODING_WORD, REPORT
from singleout.cli.options import AsJson, Out, Quiet, Reveal, Seed, with_options
from singleout.cli.output import Output
from singleout.cli.sides import words

if TYPE_CHECKING:
    from singleout.matching.records import Links
    from singleout.reading.tables import Table

Truth = Annotated[
    str | None,
    typer.Option(
        help="Column on both sides that is the same for the same person.", metavar="COLUMN", rich_help_panel=REPORT
    ),
]
Encoding = Annotated[str, typer.Option(help=ENCODING_HELP, metavar=ENCODING_WORD, rich_help_panel=DATA)]


@with_options
def link(
    released: Annotated[str, typer.Argument(help="Table to be released. File or glob.")],
    known: Annotated[str, typer.Argument(help="Table the intruder has.")],
    *,
    encoding: Encoding = "utf-8",
    on: Annotated[
        str | None,
        typer.Option(
            help="Common columns (default: every column the two files share).", metavar="A,B,…", rich_help_panel=ATTACK
        ),
    ] = None,
    max_columns: Annotated[
        int, typer.Option(help="Largest number of columns in a combination.", rich_help_panel=ATTACK)
    ] = 7,
    max_released: Annotated[
        int, typer.Option(help="Rare: shared by at most this many released records.", rich_help_panel=ATTACK)
    ] = 10,
    max_known: Annotated[
        int, typer.Option(help="Rare: shared by at most this many known records.", rich_help_panel=ATTACK)
    ] = 5,
    missing: Annotated[
        str,
        typer.Option(
            help="How missing values match: value (each other only), never (nothing), or any (anything).",
            rich_help_panel=ATTACK,
        ),
    ] = "value",
    truth: Truth = None,
    out: Out = Path("singleout-link"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Link released records to known ones: which of them lead to a single person, and through which columns."""
    import singleout as so
    from singleout.assessment.linking import LINK_FILES

    output = Output("link", out, seed, as_json, quiet, reveal, files=LINK_FILES)
    output.check(released, known)
    sides = [so.read_table(source, encoding=encoding) for source in (released, known)]
    check_columns(sides, {} if truth is None else {"truth": truth})
    names = None if on is None else words(on)
    if names is None and truth is not None:
        names = tuple(name for name in sides[0].columns if name in sides[1].columns and name != truth)
    asked: dict[str, Any] = {"on": names, "max_columns": max_columns, "max_released": max_released}
    asked |= {"max_known": max_known, "missing": missing}
    report = _link_report(so.link_records(*sides, **asked), truth)
    inputs = [file for side in sides for file in side.files]
    report.write(out, output.manifest(asked | {"truth": truth}, inputs), reveal=reveal)
    output.show(report, " It contains ids, places and rare values (--reveal)." if reveal else "")


def _link_report(links: Links, truth: str | None) -> Any:
    import singleout as so
    from singleout.assessment.linking import LinkReport

    if truth is None:
        return LinkReport(links)
    measured = so.accuracy(links, truth)
    return LinkReport(links, measured.precision, measured.rate)


def check_columns(tables: list[Table], options: dict[str, str]) -> None:
    """Columns that options name, checked here so that errors name these options."""
    for table in tables:
        for option, name in options.items():
            table.source.column("read_table", option, name)
