"""The command ``topology``: attack the shape of movements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from singleout.assessment.options import ATTACK, DATA, PROTECTION, ReadOptions
from singleout.cli.options import AsJson, Out, Quiet, Seed, with_options
from singleout.cli.output import Output

FILES = ("result.json", "alone.vl.json", "ranks.vl.json", "defences.vl.json")


@with_options
def topology(
    events: Annotated[str, typer.Argument(help="Events in time. File or glob.")],
    *,
    reading: ReadOptions,
    min_dwell: Annotated[
        str | None, typer.Option(help="Leave out shorter visits, such as 15min.", rich_help_panel=DATA)
    ] = None,
    max_gap: Annotated[
        str, typer.Option(help="Cut where nothing was recorded for longer; none: never.", rich_help_panel=DATA)
    ] = "none",
    richest: Annotated[
        int | None, typer.Option(min=2, help="Only the N people with most records.", rich_help_panel=DATA)
    ] = None,
    edges: Annotated[
        str, typer.Option(help="induced, or contract: link across places left out.", rich_help_panel=DATA)
    ] = "induced",
    top: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Most visited places to keep; repeat. (default: 10, 200)", rich_help_panel=ATTACK),
    ] = None,
    kernel: Annotated[
        list[str] | None,
        typer.Option(help="dsp, dwl, sp, wl, dd, wd, size; repeat. (default: dsp)", rich_help_panel=ATTACK),
    ] = None,
    ablations: Annotated[
        bool, typer.Option("--ablations", help="Also show what each choice contributes.", rich_help_panel=ATTACK)
    ] = False,
    defences: Annotated[
        bool, typer.Option("--defences", help="Also try noise on the networks.", rich_help_panel=PROTECTION)
    ] = False,
    out: Out = Path("singleout-topology"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Attack the shape of movements: who is re-identified after every place name is removed."""
    import singleout as so
    from singleout.report.folder import write_documents

    output = Output("topology", out, seed, as_json, quiet, files=FILES)
    output.check(events)
    asked: dict[str, Any] = {"top": top or [10, 200], "kernels": kernel or ["dsp"], "edges": edges}
    asked |= {"min_dwell": min_dwell, "max_gap": max_gap, "richest": richest}
    asked |= {"ablate": ablations, "defend": defences}
    log = reading.read(events)
    found = so.topology(log, label=Path(events).name, seed=seed, **asked)
    documents = {"result.json": found.to_dict(), "alone.vl.json": so.chart(found)}
    documents |= {"ranks.vl.json": so.chart(found.attacks)}
    if found.defences is not None:
        documents["defences.vl.json"] = so.chart(found.defences)
    write_documents(out, documents, output.manifest(reading.non_defaults() | asked, log.files), FILES)
    output.show(found)
