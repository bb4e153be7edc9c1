"""The command ``compare``: two results of ``audit`` or ``verify``, what changed, and a gate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from singleout.assessment.options import REPORT
from singleout.cli.errors import GATE_FAILED
from singleout.cli.options import AsJson, Out, Quiet, with_options
from singleout.cli.output import Output

FILES = PAGE, EVIDENCE, SUMMARY = "compare.html", "compare.json", "summary.md"


@with_options
def compare(
    old: Annotated[str, typer.Argument(help="Earlier result of audit or verify: its folder, or its JSON file.")],
    new: Annotated[str, typer.Argument(help="Later result: its folder, or its JSON file.")],
    *,
    fail_if_worse: Annotated[
        bool,
        typer.Option(
            "--fail-if-worse",
            help="Exit with code 1 if the new result is worse, or if there are doubts whether it can be compared.",
            rich_help_panel=REPORT,
        ),
    ] = False,
    markdown: Annotated[
        bool,
        typer.Option(
            "--markdown", help="Print the summary in Markdown, for the log of a pipeline.", rich_help_panel=REPORT
        ),
    ] = False,
    out: Out = Path("singleout-compare"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare two results of audit or verify: what changed, and whether the risk is worse."""
    import singleout as so
    from singleout.assessment.audit_file import find_evidence
    from singleout.ground.errors import InputError
    from singleout.ground.files import whole_folder, write_json
    from singleout.report.comparison_text import as_markdown, show_comparison
    from singleout.report.pages.compare import compare_page

    if as_json and markdown:
        raise InputError("give either --json or --markdown, not both.")
    inputs = [find_evidence(Path(each), "compare", which) for each, which in ((old, "old"), (new, "new"))]
    output = Output("compare", out, 0, as_json, quiet, files=FILES)
    output.check(files=inputs)
    found = so.compare_audits(*inputs)
    about = output.manifest({"fail_if_worse": fail_if_worse or None}, inputs)
    with whole_folder(output.folder, about, FILES) as folder:
        (folder / PAGE).write_text(compare_page(found, about), encoding="utf-8")
        (folder / SUMMARY).write_text(as_markdown(found), encoding="utf-8")
        write_json(folder / EVIDENCE, found.to_dict())
    if markdown and not quiet:
        typer.echo(as_markdown(found))
    else:
        output.show(found, f" Open {output.folder / PAGE}.", display=show_comparison)
    if fail_if_worse and not found.passed:
        typer.echo(f"gate failed: {' '.join((*found.faults, *found.doubts))}", err=True)
        raise typer.Exit(GATE_FAILED)
