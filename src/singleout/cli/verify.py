"""The command ``verify``: the very file that goes out, attacked, with a page to keep."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from singleout.assessment.audit_options import group_from
from singleout.assessment.config_files import DATA as PROTECTED
from singleout.assessment.config_files import KNOWN, paths_from
from singleout.assessment.options import DATA, RUN
from singleout.assessment.verify_options import VerifyOptions
from singleout.cli.audit import failed_limits
from singleout.cli.errors import GATE_FAILED
from singleout.cli.options import WHERE, AsJson, Given, Out, Quiet, with_options
from singleout.cli.output import Output
from singleout.ground.errors import InputError

if TYPE_CHECKING:
    from singleout.assessment.audit_result import Audit

FILES = PAGE, EVIDENCE = "verify.html", "verify.json"


@with_options
def verify(
    protected: Annotated[str | None, typer.Argument(help="File that goes out, as protect wrote it.")] = None,
    known: Annotated[
        str | None, typer.Argument(help=f"Event log the intruder has; for a protected table, none. {WHERE}")
    ] = None,
    *,
    asked: Annotated[Given, VerifyOptions],
    config: Annotated[
        Path | None,
        typer.Option(
            help="TOML file with options, data (the file that goes out) and known; command-line flags override it.",
            rich_help_panel=RUN,
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            help="The key.csv that protect wrote: who is who in the file. Only used to count correct matches.",
            metavar="FILE",
            rich_help_panel=DATA,
        ),
    ] = None,
    out: Out = Path("singleout-verify"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Attack the very file that goes out, and write the page for it.

    Without the key of a protected event log: only what the file guarantees, and estimates. Columns (--user, --place, …)
    are those of what is known. If protect made days or places coarser (--shorten, --coarsen, --hierarchy), give the
    same here, since an intruder can do so too.
    """
    import singleout as so
    from singleout.reading.locations import input_files

    paths = paths_from(config)
    protected, known = protected or paths.get(PROTECTED), known or paths.get(KNOWN)
    if protected is None:
        raise InputError("name a file: `protected`, or `data` in the file of options (`config`).")
    options = group_from(VerifyOptions, config, asked)
    output = Output("verify", out, options.seed, as_json, quiet, options.reveal, files=FILES)
    # the key is named in no manifest: the digest of a short one would tell who is who
    own = [*options.protection_files, *options.attack_files]
    private = [each for each in (key, config) if each is not None]
    output.check(protected, known, options.file_of_levels, files=[*own, *private])
    output.warn(options.doubt_final())
    result = so.verify(protected, known, key=key, options=options)
    if key is not None and _is_open(key):
        output.warn(f"others can read {key.name}, which says who is who. Close it: chmod 600 {key}")
    given = [each for each in (protected, known) if each is not None]
    read = [file for each in given for file in input_files(each, "verify")]
    _write(output, result, options, [*read, *own], with_key=key is not None)


def _write(output: Output, result: Audit, options: VerifyOptions, inputs: list[Path], *, with_key: bool) -> None:
    from singleout.ground.files import whole_folder, write_json
    from singleout.report.pages.verify import verify_page
    from singleout.report.verification_text import show_verification

    about = output.manifest(options.non_defaults() | {"key": "given" if with_key else None}, inputs)
    with whole_folder(output.folder, about, FILES) as folder:
        (folder / PAGE).write_text(verify_page(result, about), encoding="utf-8")
        write_json(folder / EVIDENCE, result.to_dict())
    holds = " It contains ids and names." if output.reveal else ""
    output.show(result, f" Open {output.folder / PAGE}.{holds}", display=show_verification)
    if not result.passed:
        typer.echo(f"gate failed: {' '.join(failed_limits(result))}", err=True)
        raise typer.Exit(GATE_FAILED)


def _is_open(key: Path) -> bool:
    """Whether others can read the key, so that it protects nobody."""
    return key.is_file() and bool(key.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
