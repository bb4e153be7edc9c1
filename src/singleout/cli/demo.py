"""The command ``demo``: an audit that needs no file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from singleout.cli.audit import FILES, write_audit
from singleout.cli.options import AsJson, Out, Quiet, Reveal, Seed
from singleout.cli.output import Output


def demo(
    out: Out = Path("singleout-demo"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Reveal = False,
) -> None:
    """Audit a year of real purchases (needs the 'demo' extra), or synthetic phone calls otherwise. Needs no input."""
    import singleout as so
    from singleout.reading.synthetic.demo import demo_data

    output = Output("demo", out, seed, as_json, quiet, reveal, files=FILES)
    output.check()
    data = demo_data(seed)
    columns: dict[str, Any] = dict(data.columns)
    words: dict[str, Any] = {"label": data.label, "place_name": data.place_name}
    options = so.AuditOptions(**columns, **words, split=data.split, seed=seed, reveal=reveal)
    result = so.audit(data.source, options=options, synthetic=data.synthetic)
    write_audit(output, result, options, [data.source] if isinstance(data.source, Path) else [])
