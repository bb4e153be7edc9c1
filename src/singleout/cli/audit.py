"""The command ``audit``: options (declared in assessment/audit_options) in, a folder with page and evidence out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from singleout.assessment.audit_options import AuditOptions, options_from
from singleout.assessment.options import RUN
from singleout.cli.errors import GATE_FAILED
from singleout.cli.options import AsJson, Given, Out, Quiet, with_options
from singleout.cli.output import Output
from singleout.cli.sides import own_files

if TYPE_CHECKING:
    from singleout.assessment.audit_result import Audit

FILES = PAGE, EVIDENCE = "audit.html", "audit.json"


@with_options
def audit(
    source: Annotated[str, typer.Argument(help="Event log or table to be released. File or glob.")],
    known: Annotated[
        str | None, typer.Argument(help="Event log or table (--on) the intruder has. A log alone is split by time.")
    ] = None,
    *,
    asked: Annotated[Given, AuditOptions],
    config: Annotated[
        Path | None,
        typer.Option(help="TOML file with options; command-line flags override it.", rich_help_panel=RUN),
    ] = None,
    out: Out = Path("singleout-audit"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Audit a release: how many people could be re-identified, who, why, and what would protect them."""
    import singleout as so
    from singleout.reading.sources import input_files

    for each in (source, known):
        if each is not None:
            input_files(each, "audit")  # a file that does not exist is reported before wrong options
    options = options_from(config, asked)
    output = Output("audit", out, options.seed, as_json, quiet, options.reveal, files=FILES)
    code = [Path(each) for each in (options.plugin, config) if each is not None]
    output.check(source, known, *options.place_files, files=code)
    given = [each for each in (source, known, *options.place_files) if each is not None]
    result = so.audit(source, known, options=options)
    read = [file for each in given for file in input_files(each, "audit")]
    write_audit(output, result, options, [*read, *own_files(options.plugin)])


def write_audit(output: Output, result: Audit, options: AuditOptions, inputs: Iterable[Path]) -> None:
    """Write page, evidence and manifest, whole or not at all; print; and fail the gate where a limit is not met."""
    from singleout.ground.files import whole_folder, write_json
    from singleout.ground.progress import stage
    from singleout.report.pages.audit import audit_page
    from singleout.report.terminal import show_audit

    with stage("writing the page"):
        about = output.manifest(options.non_defaults(), inputs)
        page = audit_page(result, about)
        with whole_folder(output.folder, about, output.files) as folder:
            (folder / PAGE).write_text(page, encoding="utf-8")
            write_json(folder / EVIDENCE, result.to_dict())
    holds = " It contains ids and names." if output.reveal else ""
    output.show(result, f" Open {output.folder / PAGE}.{holds}", display=show_audit)
    if not result.passed:
        typer.echo(f"gate failed: {' '.join(_failed_limits(result))}", err=True)
        raise typer.Exit(GATE_FAILED)


def _failed_limits(result: Audit) -> list[str]:
    from singleout.ground.numbers import percent

    failed = list(result.worst_off.faults() if result.worst_off else ())
    if result.doubt:
        failed.insert(0, result.doubt)
    inside, limit = result.from_inside, f"--max-risk {percent(result.risk_limit)}"
    if result.limit_set and result.risk.high > result.risk_limit:
        high = percent(result.risk.high)
        what = high if result.risk.is_exact else f"{high}, the upper end of the interval,"
        failed.insert(0, f"{what} is above {limit}.")
    elif result.limit_set and inside is not None and inside.high > result.risk_limit:
        failed.insert(
            0, f"{percent(inside.high)}, for an intruder with data from the released period, is above {limit}."
        )
    return failed
