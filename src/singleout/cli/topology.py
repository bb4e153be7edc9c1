"""The command ``topology``: attack the shape of movements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from singleout.assessment.options import ATTACK, DATA, PROTECTION, AllowOptions, ReadOptions
from singleout.cli.options import WHERE, AsJson, Out, Quiet, Seed, with_options
from singleout.cli.output import Output

FILES = ("result.json", "unique.vl.json", "ranks.vl.json", "defences.vl.json")


@with_options
def topology(
    events: Annotated[str, typer.Argument(help=f"Event log with times. {WHERE}")],
    *,
    reading: ReadOptions,
    allowed: AllowOptions,
    min_dwell: Annotated[
        str | None, typer.Option(help="Leave out visits shorter than this, such as 15min.", rich_help_panel=DATA)
    ] = None,
    max_gap: Annotated[
        str,
        typer.Option(
            help="Cut a trace where nothing was recorded for longer than this; none: never cut.", rich_help_panel=DATA
        ),
    ] = "none",
    richest: Annotated[
        int | None, typer.Option(min=2, help="Only the N people with the most records.", rich_help_panel=DATA)
    ] = None,
    edges: Annotated[
        str,
        typer.Option(
            help="How to treat places left out: induced (drop moves through them) or contract (link across them).",
            rich_help_panel=DATA,
        ),
    ] = "induced",
    top: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="Number of most visited places to keep; repeat for several. (default: 10, 200)",
            rich_help_panel=ATTACK,
        ),
    ] = None,
    kernel: Annotated[
        list[str] | None,
        typer.Option(
            help="Kernel: summary, dsp, dwl, sp, wl, dd, wd or size; repeat for several. (default: dsp, summary)",
            rich_help_panel=ATTACK,
        ),
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
    """Attack the shape of movements: how many people could be re-identified once every place name is removed."""
    import singleout as so
    from singleout.report.folder import write_documents

    output = Output("topology", out, seed, as_json, quiet, files=FILES)
    output.check(events)
    asked: dict[str, Any] = {"top": top or [10, 200], "kernels": kernel or ["dsp", "summary"], "edges": edges}
    asked |= {"min_dwell": min_dwell, "max_gap": max_gap, "richest": richest}
    asked |= {"ablate": ablations, "defend": defences}
    log = reading.read(events)
    allowed.refuse_distinct(log, {"place": reading.place}, "topology")
    found = so.topology(log, label=Path(events).name, seed=seed, **asked)
    documents = {"result.json": found.to_dict(), "unique.vl.json": so.chart(found)}
    documents |= {"ranks.vl.json": so.chart(found.attacks)}
    if found.defences is not None:
        documents["defences.vl.json"] = so.chart(found.defences)
    write_documents(
        out, documents, output.manifest(reading.non_defaults() | allowed.non_defaults() | asked, log.files), FILES
    )
    output.show(found)
