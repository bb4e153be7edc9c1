"""The command ``audit``: options (declared in assessment/audit_options) in, a folder with page and evidence out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from singleout.assessment.audit_options import (
    NAMES,
    OF_PLACES,
    ONLY_EVENTS,
    AuditOptions,
    open_sources,
    options_from,
    time_is_missing,
)
from singleout.assessment.config_files import PATHS, read_config
from singleout.assessment.options import OF_FILES, RUN, FileOptions
from singleout.cli.errors import GATE_FAILED
from singleout.cli.options import WHERE, AsJson, Given, Quiet, Verbose, with_options
from singleout.cli.output import Output
from singleout.cli.sides import own_files
from singleout.ground.errors import InputError, SingleoutError, SourceError
from singleout.ground.progress import add_detail

if TYPE_CHECKING:
    from singleout.assessment.audit_result import Audit
    from singleout.reading.proposals import Proposal

FILES = PAGE, EVIDENCE = "audit.html", "audit.json"
FOLDER = "singleout-audit"
COLUMN, FORMAT = "COLUMN", "FORMAT"
"""What stands in a proposed command for what is not known."""


@with_options
def audit(
    source: Annotated[str | None, typer.Argument(help=f"Event log or table to be released. {WHERE}")] = None,
    known: Annotated[
        str | None, typer.Argument(help="Event log or table (--on) the intruder has. A log alone is split by time.")
    ] = None,
    *,
    asked: Annotated[Given, AuditOptions],
    config: Annotated[
        Path | None,
        typer.Option(
            help="TOML file with options, data, known and out; command-line flags override it.", rich_help_panel=RUN
        ),
    ] = None,
    print_config: Annotated[
        bool,
        typer.Option("--print-config", help="Print what would run as a TOML file, and stop.", rich_help_panel=RUN),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the result; nothing is written if the run fails (default: singleout-audit).",
            rich_help_panel=RUN,
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Audit a release: how many people could be re-identified, who, why, and what would protect them."""
    import singleout as so
    from singleout.assessment import config_files
    from singleout.reading.locations import input_files

    paths = config_files.paths_from(config)
    source = paths.get(config_files.DATA) if source is None else source
    known = paths.get(config_files.KNOWN) if known is None else known
    folder = out or Path(paths.get(config_files.OUT, FOLDER))
    if source is None:
        raise InputError("name a file: `source`, or `data` in the file of options (`config`).")
    if quiet and verbose:
        raise InputError("give either `quiet` or `verbose`, not both.")
    for each in (source, known):
        if each is not None:
            input_files(each, "audit")  # a file that does not exist is reported before wrong options
    options = _check_options(source, known, config, asked)
    if print_config:
        typer.echo(config_files.print_config(options, {"data": source, "known": known, "out": str(folder)}))
        return
    output = Output("audit", folder, options.seed, as_json, quiet, options.reveal, files=FILES)
    code = [Path(each) for each in (options.plugin, config) if each is not None]
    output.check(source, known, *options.place_files, files=code)
    given = [each for each in (source, known, *options.place_files) if each is not None]
    output.warn(options.doubt_final())
    add_detail(_versions_in_words())
    result = so.audit(source, known, options=options)
    read = [file for each in given for file in input_files(each, "audit")]
    write_audit(output, result, options, [*read, *own_files(options.plugin)])


def _check_options(source: str, known: str | None, config: Path | None, asked: Given) -> AuditOptions:
    """The options of file and flags; what is missing is proposed from the columns of the data, all at once."""
    from singleout.reading.event_columns import choose_grid

    listed = ({} if config is None else read_config(config)) | asked
    try:
        options = options_from(config, asked)
    except InputError as error:
        is_table = any(name in listed for name in ("known_columns", "on"))
        if is_table or ("user" in listed and ("place" in listed or "lat" in listed)):
            raise
        raise _with_proposal(error, source, known, listed) from None
    if options.is_table and options.on is None and known is not None:
        raise _with_proposal(InputError("two tables require `on`: columns that both have."), source, known, listed)
    if not options.is_table and options.time is None and known is None:
        open_sources([source], options)  # a column that does not exist is reported first
        raise _with_proposal(time_is_missing(), source, known, listed)
    if not options.is_table and options.user is not None and {"lat", "lng"} & listed.keys():
        try:
            choose_grid(options.user, options.place, options.lat, options.lng, options.grid, None)
        except InputError as error:
            raise (error if "place" in listed else _with_proposal(error, source, known, listed)) from None
    return options


def _with_proposal(error: SingleoutError, source: str, known: str | None, listed: Given) -> SingleoutError:
    """The error, with the command to run in its place."""
    from singleout.assessment.advised_options import merge_options
    from singleout.assessment.first_audit import propose_in_words
    from singleout.reading.event_times import FORMAT_FLAG
    from singleout.reading.forms import make_form
    from singleout.reading.linked_proposals import propose
    from singleout.reading.proposals import refuse_data_in_header
    from singleout.reading.sources import open_source
    from singleout.reading.time_formats import either

    given = {name: value for name, value in listed.items() if name not in PATHS and name in NAMES}
    files = FileOptions(**{name: given[name] for name in OF_FILES if name in given})
    form, named = make_form(**files.writing(), function="audit"), [each for each in (source, known) if each]
    # a file that cannot be read is the first thing to mend
    opened, *second = [open_source(each, function="audit", form=form) for each in named]
    error.problem, error.hint = f"{error.problem} {error.hint}".rstrip(), ""  # what to do comes last
    try:
        for each in (opened, *second):
            refuse_data_in_header(each)
    except SourceError as fault:  # nothing can be proposed
        if given.get("user") in opened.column_types:  # the first line is a header, then
            return error
        error.problem += f"\n  {re.sub('^the', 'The', fault.problem)} {fault.hint}"
        return error
    with suppress(SingleoutError):
        # a file of options may hold anything in the place of a name
        named_columns = {name: given[name] for name in OF_PLACES if name in given}
        away = [n for n, each in named_columns.items() if not isinstance(each, str) or each not in opened.column_types]
        given = {name: value for name, value in given.items() if name not in away}
        proposal = propose(opened, next(iter(second), None), user=given.get("user"))
        if "user" in given and not proposal.is_log:
            given = {name: value for name, value in given.items() if name not in ("user", *ONLY_EVENTS)}
        merged = merge_options(proposal.options(), given, two_files=known is not None)
        asked = _asked_about_times(proposal, merged, alone=known is None) if proposal.is_log else {}
        error.problem += propose_in_words(named, proposal, merged | asked)
        if asked and proposal.formats:
            why = "day and month of the dates could be swapped"
            error.problem += f"\n  {FORMAT} is {either(proposal.formats)}: {why}"
        elif asked:
            error.problem += f"\n  {FORMAT} is how times are written, such as {FORMAT_FLAG}"
    return error


def _asked_about_times(proposal: Proposal, options: Given, *, alone: bool) -> Given:
    """What only people who know the file can say about its times, to be filled in; ``alone``: it will be split."""
    if "time_format" in options:
        return {}
    if "time" not in options:
        return {"time": COLUMN, "time_format": FORMAT} if alone else {}
    is_proposed = options["time"] == proposal.options().get("time")
    return {"time_format": FORMAT} if proposal.needs_format and is_proposed else {}


def _versions_in_words() -> str:
    """What the audit runs on."""
    from singleout.ground.files import versions

    used = versions()
    packages: Any = used["versions"]
    return f"Python {used['python']}, {', '.join(f'{name} {number}' for name, number in packages.items())}"


def write_audit(
    output: Output, result: Audit, options: AuditOptions, inputs: Iterable[Path], *, gate: bool = True
) -> None:
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
    if gate and not result.passed:
        typer.echo(f"gate failed: {' '.join(failed_limits(result))}", err=True)
        raise typer.Exit(GATE_FAILED)


def failed_limits(result: Audit) -> list[str]:
    """Limits that were set and are not met, in sentences."""
    from singleout.assessment.attack_kinds import AttackKind
    from singleout.ground.numbers import percent, percent_above

    failed = list(result.worst_off.faults() if result.worst_off else ())
    if result.doubt:
        failed.insert(0, result.doubt)
    if result.risk_limit is None:
        return failed
    rates = [(result.risk, "")]
    if result.from_inside is not None:
        rates.append((result.from_inside, " by an intruder with data from the released period"))
    rate, whose = max(rates, key=lambda each: each[0].high)
    if rate.high > result.risk_limit:
        high = percent_above(rate.high, result.risk_limit)
        is_bound = result.strongest.kind is AttackKind.IDENTICAL_ROWS
        whose += " (not measured: that needs the key)" if is_bound else ""
        what = f"{high} would" if rate.is_exact and not is_bound else f"up to {high} could"
        limit = f"the risk limit (--max-risk) is {percent(result.risk_limit)}."
        failed.insert(0, f"{what} be re-identified{whose}; {limit}")
    return failed
