"""The command ``protect`` for tables: write the protected file, or compare protections."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from singleout.cli.errors import GATE_FAILED
from singleout.cli.output import Output
from singleout.ground.errors import OutputError, SingleoutError

if TYPE_CHECKING:
    from singleout.assessment.release_options import ReleaseOptions

AGAIN = "To measure the file again, with a page to keep: "
AGAIN_SAID = {
    "sensitive", "risk", "k", "l", "t", "max_risk", "population", "survey_weight", "one_row_per_person",
}  # fmt: skip
"""Options that the command for this says again."""


def protect_file(output: Output, source: str, asked: ReleaseOptions, chosen: dict[str, Any]) -> None:
    """Write the protected table, every cut, and what was measured on the file."""
    import singleout as so
    from singleout.assessment.command_lines import flags_of
    from singleout.protection.released_file import WRITTEN_TYPES
    from singleout.report.folder import write_protected

    if output.folder.suffix.lower() in WRITTEN_TYPES:
        hint = f"Name a folder, such as {output.folder.stem}: the file in it is called protected{output.folder.suffix}."
        raise OutputError("", argument="out", must="a folder", got=repr(output.folder.name), hint=hint)

    table = asked.read_table(source)
    doubt = asked.doubt_rows(table, asked.known_columns or (), "protect")
    if doubt and any(each is not None for each in (asked.k, asked.l, asked.t, asked.max_risk)):
        # k rows that are one person hide nobody: no limit counts as met
        typer.echo(f"gate failed: {doubt}\nNothing was written.", err=True)
        raise typer.Exit(GATE_FAILED)
    how: dict[str, Any] = {"method": asked.method, "loss": asked.loss, "risk": asked.risk}
    with _as_protect():
        result = so.protect_table(
            table,
            known_columns=asked.known_columns or (),
            k=asked.k,
            max_risk=asked.max_risk,
            l=asked.l,
            t=asked.t,
            sensitive=asked.sensitive or (),
            hierarchies=asked.column_hierarchies,
            recode=asked.recodings,
            max_suppressed=asked.max_suppressed,
            **how,
            population=asked.population,
            allow=asked.allow or (),
        )
    output.warn(doubt)
    manifest = output.manifest(asked.non_defaults() | chosen, [*table.files, *asked.protection_files])
    cuts = result.cuts(reveal=bool(output.reveal))
    write_protected(
        output.folder, result, result.to_dict(reveal=bool(output.reveal)), manifest | {"columns": cuts},
        quote_formulas=bool(chosen["quote_formulas"]),
    )  # fmt: skip
    holds = " result.json lists the values that were combined." if output.reveal else ""
    left = [name for name in asked.known_columns or () if name in result.table.column_names]
    again = ""
    if left and result.risk.k < result.risk.records:  # where nothing distinguishes people, there is nothing to measure
        limits = flags_of(asked, AGAIN_SAID)
        named = str(output.folder / result.name), "--known-columns", ",".join(left), *limits
        again = f"\n{AGAIN}{shlex.join(['singleout', 'verify', *named])}"
    output.show(result, f" Release only {result.name}.{holds}{again}")


def compare_tables(output: Output, source: str, asked: ReleaseOptions, chosen: dict[str, Any]) -> None:
    """Protect the table in several ways, and measure the risk and the loss of each."""
    import singleout as so
    from singleout.assessment.table_frontier import STRENGTHS
    from singleout.report.folder import write_documents

    table = asked.read_table(source)
    doubt = asked.doubt_rows(table, asked.known_columns or (), "protect")
    asked.refuse_identifiers(table, table.columns, "protect")
    with _as_protect():
        found = so.table_frontier(
            table,
            known_columns=asked.known_columns or (),
            sensitive=asked.sensitive or (),
            population=asked.population,
            hierarchies=asked.column_hierarchies,
            recode=asked.recodings,
            k=STRENGTHS if asked.k is None else [asked.k],
        )
    output.warn(doubt)
    manifest = output.manifest(
        asked.non_defaults() | chosen | {"compare": True}, [*table.files, *asked.protection_files]
    )
    documents = {"frontier.json": found.to_dict(), "frontier.vl.json": so.chart(found)}
    write_documents(output.folder, documents, manifest, output.files)
    output.show(found)


@contextmanager
def _as_protect() -> Iterator[None]:
    """Errors name the command, not the function behind it."""
    try:
        yield
    except SingleoutError as error:
        raise error.within(function="protect") from None
