"""The command ``link``: which released records lead to a single known one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.linking_options import CompleteLinkOptions, ProbableLinkOptions
from singleout.assessment.options import ATTACK, AllowOptions, FileOptions
from singleout.assessment.table_options import CommonColumnOptions
from singleout.cli.options import WHERE, AsJson, Out, Quiet, Reveal, Seed, with_options
from singleout.cli.output import Output
from singleout.ground.errors import InputError, unknown_name
from singleout.ground.notes import in_a_row

if TYPE_CHECKING:
    from singleout.matching.ranked_links import ProbableLinks
    from singleout.matching.records import Links
    from singleout.reading.tables import Table

COMPLETE, PROBABLE = AGREEMENTS = ("complete", "probable")


@with_options
def link(
    released: Annotated[str, typer.Argument(help=f"Table to be released. {WHERE}")],
    known: Annotated[str, typer.Argument(help="Table the intruder has.")],
    *,
    files: FileOptions,
    common: CommonColumnOptions,
    allowed: AllowOptions,
    exact: CompleteLinkOptions,
    probable: ProbableLinkOptions,
    agreement: Annotated[
        str,
        typer.Option(
            help="complete: equal on all common columns (R12); probable: similar, by a model trained without truth.",
            rich_help_panel=ATTACK,
        ),
    ] = "complete",
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
    given, chosen = exact.non_defaults(), probable.non_defaults()
    _refuse_idle(agreement, given, chosen)
    if probable.block is not None:
        chosen["block"] = _parse_block(probable.block)
    first = so.read_table(released, **files.writing())
    same = agreement == PROBABLE and known == released
    sides = [first, first if same else _read_known(known, files, common)]
    truth = common.truth
    check_columns(sides, {} if truth is None else {"truth": truth})
    asked = {"on": _columns(sides, common, allowed)} | (given if agreement == COMPLETE else chosen)
    find: Any = so.link_records if agreement == COMPLETE else partial(so.probable_links, seed=seed)
    report = _report(find(*sides, **asked), truth)
    inputs = [file for side in dict.fromkeys(sides) for file in side.files]
    manifest = {"agreement": agreement} | common.non_defaults() | allowed.non_defaults() | asked
    report.write(out, output.manifest(manifest, inputs), reveal=reveal)
    output.show(report, " It contains ids, places and rare values (--reveal)." if reveal else "")


def _refuse_idle(agreement: str, exact: dict[str, Any], chosen: dict[str, Any]) -> None:
    """Options that have no effect on this kind of agreement."""
    if agreement not in AGREEMENTS:
        raise unknown_name("link", "agreement", agreement, AGREEMENTS)
    idle, other = (chosen, PROBABLE) if agreement == COMPLETE else (exact, COMPLETE)
    if idle:
        names = in_a_row([f"`{name}`" for name in idle])
        raise InputError(f"{names} require{'s' if len(idle) == 1 else ''} `agreement` {other}.")


def _read_known(known: str, files: FileOptions, common: CommonColumnOptions) -> Table:
    """The table that the intruder has, with the names of the released one."""
    from singleout.reading.forms import make_form
    from singleout.reading.sources import open_source
    from singleout.reading.tables import read_table

    source = open_source(known, function="read_table", form=make_form(**files.writing(), function="read_table"))
    for name in common.known_on or ():
        source.column("read_table", "known_on", name)
    if common.known_truth is not None:
        source.column("read_table", "known_truth", common.known_truth)
    return read_table(common.as_released(source))


def _columns(sides: list[Table], common: CommonColumnOptions, allowed: AllowOptions) -> tuple[str, ...] | None:
    """The columns named, or every common one but the truth."""
    if common.on is not None:
        return common.on
    shared = tuple(name for name in sides[0].columns if name in sides[1].columns and name != common.truth)
    _refuse_identifiers(sides[0], shared, allowed.allow)
    return None if common.truth is None else shared


def _refuse_identifiers(released: Table, shared: tuple[str, ...], allow: tuple[str, ...] | None) -> None:
    """Columns that nobody named must not identify people directly: links through them would say nothing."""
    from singleout.reading.identifiers import refuse_identifiers

    hint = "Name the columns to link by with `on`, or the one that says who is who with `truth`"
    refuse_identifiers(released, shared, allow, "link", otherwise=hint)


def _parse_block(text: str) -> list[list[str]]:
    """``last+born,email``: two rules."""
    rules = [[part.strip() for part in rule.split("+")] for rule in text.split(",")]
    if not all(part for rule in rules for part in rule):
        raise InputError("`block` must be columns joined by + and rules separated by commas, such as last+born,email.")
    return rules


def _report(links: Links | ProbableLinks, truth: str | None) -> Any:
    import singleout as so
    from singleout.assessment.linking import LinkReport, ProbableLinkReport

    measured = None if truth is None else so.accuracy(links, truth)
    if isinstance(links, so.ProbableLinks):
        return ProbableLinkReport(links, measured)
    return LinkReport(links) if measured is None else LinkReport(links, measured.precision, measured.rate)


def check_columns(tables: list[Table], options: dict[str, str]) -> None:
    """Columns that options name, checked here so that errors name these options."""
    for table in tables:
        for option, name in options.items():
            table.source.column("read_table", option, name)
