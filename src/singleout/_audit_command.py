"""The commands ``audit`` and ``demo``: flags or a file of options in, a folder with page and evidence out."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from singleout._audit import audit as audited
from singleout._audit_options import KINDS, AuditOptions, options_from
from singleout._command import AsJson, Out, Quiet, Seed, Told, errors_in_words
from singleout.ground.files import whole_folder, write_json
from singleout.ground.progress import silenced, stage
from singleout.reading.demo import demo_data
from singleout.reading.sources import input_files
from singleout.report.audit import Audit
from singleout.report.html import audit_page
from singleout.report.model import share
from singleout.report.terminal import show_audit

FILES = PAGE, EVIDENCE = "audit.html", "audit.json"
GATE_FAILED = 1


def _flag(name: str, text: str, default: Any) -> Any:
    """An option of the command line; None where it is not given, so that a file of options can say."""
    told = "" if default in (None, False, True) else f" [default: {default}]"
    if KINDS[name] is bool:
        switch = f"--no-{name}" if default else f"--{name.replace('_', '-')}"
        return Annotated[bool, typer.Option(switch, help=f"Do not {text[0].lower()}{text[1:]}" if default else text)]
    plain = {int: int, int | None: int, float: float, float | None: float}.get(KINDS[name], str)
    return Annotated[plain | None, typer.Option(help=text + told)]


def with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take every audit option as a flag; it gets those that were given, as one dictionary."""
    options = {each.name: each for each in fields(AuditOptions)}
    own = [each for each in inspect.signature(command, eval_str=True).parameters.values() if each.name != "flags"]
    kind = inspect.Parameter.KEYWORD_ONLY
    flags = [
        inspect.Parameter(
            name,
            kind,
            default=False if KINDS[name] is bool else None,
            annotation=_flag(name, each.metadata["help"], each.default),
        )
        for name, each in options.items()
    ]

    @wraps(command)
    def _taken_apart(**given: Any) -> None:
        asked = {name: given.pop(name) for name in options}
        # a switch that was not touched says nothing
        chosen = {name: value for name, value in asked.items() if value is not None and value is not False}
        if "protect" in chosen:
            chosen["protect"] = False
        command(**given, flags=chosen)

    named = [*(each.replace(kind=kind) for each in own), *flags]
    _taken_apart.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    _taken_apart.__annotations__ = {each.name: each.annotation for each in named}
    return _taken_apart


@with_flags
def audit(
    source: Annotated[str, typer.Argument(help="Event log or table to be released. File or glob.")],
    known: Annotated[str | None, typer.Argument(help="Event log the intruder has; one log is split.")] = None,
    *,
    flags: dict[str, Any],
    config: Annotated[Path | None, typer.Option(help="TOML file of options; flags go before it.")] = None,
    out: Out = Path("singleout-audit"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Audit a release: how many can be picked out, who, why, and what would protect them. One page, one JSON."""
    with errors_in_words("audit"), silenced(quiet):
        options = options_from(config, flags)
        told = Told("audit", out, options.seed, as_json, quiet, options.reveal, files=FILES)
        told.check(source, known, options.hierarchy, files=[] if config is None else [config])
        given = [each for each in (source, known, options.hierarchy) if each is not None]
        result = audited(source, known, options=options)
        _finish(told, result, options, [file for each in given for file in input_files(each, "audit")])


def demo(
    out: Out = Path("singleout-demo"),
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reveal: Annotated[bool, typer.Option("--reveal", help="Tell ids and places.")] = False,
) -> None:
    """Audit a year of real purchases (extra 'demo'), or made-up calls without it. Needs no file."""
    told = Told("demo", out, seed, as_json, quiet, reveal, files=FILES)
    with errors_in_words(told.command), silenced(quiet):
        told.check()
        data = demo_data(seed)
        columns: dict[str, Any] = dict(data.columns)
        options = AuditOptions(**columns, split=data.split, label=data.label, seed=seed, reveal=reveal)
        result = audited(data.source, options=options, synthetic=data.synthetic)
        _finish(told, result, options, [data.source] if isinstance(data.source, Path) else [])


def _finish(told: Told, result: Audit, options: AuditOptions, inputs: Iterable[Path]) -> None:
    """Write page, evidence and manifest, whole or not at all; print; and fail the gate where a limit was passed."""
    with stage("writing the page"):
        about = told.manifest(options.given(), inputs)
        page = audit_page(result, about)
        with whole_folder(told.out, about, told.files) as folder:
            (folder / PAGE).write_text(page, encoding="utf-8")
            write_json(folder / EVIDENCE, result.as_json())
    if told.as_json:
        typer.echo(json.dumps(result.as_json(), indent=2, allow_nan=False))
    elif not told.quiet:
        console = Console()
        show_audit(result, console)
        holds = " It holds ids and names." if told.reveal else ""
        where = f"\nWritten to {told.out}{told.replaced}; open {told.out / PAGE}.{holds}"
        console.print(where, markup=False, highlight=False, soft_wrap=True)
    if not result.passed:
        failed = list(result.worst_off.faults() if result.worst_off else ())
        inside, limit = result.from_inside, f"--max-risk {share(result.limit)}"
        if result.gate and result.risk.high > result.limit:
            failed.insert(0, f"{share(result.risk.high)}, the upper end of the interval, is above {limit}.")
        elif result.gate and inside is not None and inside.high > result.limit:
            failed.insert(0, f"{share(inside.high)} with knowledge from inside the released period is above {limit}.")
        typer.echo(f"gate failed: {' '.join(failed)}", err=True)
        raise typer.Exit(GATE_FAILED)
