"""The command ``demo``: an audit that needs no file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from singleout.cli.audit import FILES, write_audit
from singleout.cli.options import AsJson, Out, Quiet, Reveal, Seed
from singleout.cli.output import Output

if TYPE_CHECKING:
    from singleout.assessment.audit_result import Audit

LIMIT = 0.05
"""The demo's risk limit: an example, as its help and its page say."""


def demo(
    out: Out = Path("singleout-demo"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Audit a year of real purchases (needs the 'demo' extra), or synthetic phone calls otherwise. Needs no input.

    The risk limit is 5%, as with --max-risk 0.05, only as an example.
    """
    import singleout as so
    from singleout.reading.synthetic.demo import demo_data

    output = Output("demo", out, seed, as_json, quiet, reveal, files=FILES)
    output.check()
    data = demo_data(seed)
    columns: dict[str, Any] = dict(data.columns)
    words: dict[str, Any] = {"label": data.label, "place_name": data.place_name}
    options = so.AuditOptions(**columns, **words, split=data.split, max_risk=LIMIT, seed=seed, reveal=reveal)
    found = so.audit(data.source, options=options, synthetic=data.synthetic)
    result = _as_demo(found, seed, data.folder, reveal=reveal)
    write_audit(output, result, options, [data.source] if isinstance(data.source, Path) else [], gate=False)
    if not (quiet or as_json):
        typer.echo("The risk limit of 5% was set only as an example (--max-risk 0.05).")
        if isinstance(data.source, Path):
            typer.echo(f"The data is {data.source.name} in {data.source.parent}")


def _as_demo(found: Audit, seed: int, folder: str, *, reveal: bool) -> Audit:
    """An audit as the demo shows it: its limit is an example, and it is repeated as it was made."""
    from singleout.assessment.command_lines import command_line

    flags = [*(["--seed", str(seed)] if seed else []), *(["--reveal"] if reveal else [])]
    again, where = command_line("demo", [], *flags), folder or found.command_folder
    return replace(found, is_demo=True, command=again, command_folder=where)
