"""The command ``demo``: an audit that needs no file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from singleout.cli.audit import FILES, write_audit
from singleout.cli.options import AsJson, Out, Quiet, Reveal, Seed
from singleout.cli.output import Output

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
    result = so.audit(data.source, options=options, synthetic=data.synthetic)
    write_audit(output, result, options, [data.source] if isinstance(data.source, Path) else [], gate=False)
    if not (quiet or as_json):
        typer.echo("The risk limit of 5% was set only as an example (--max-risk 0.05).")
