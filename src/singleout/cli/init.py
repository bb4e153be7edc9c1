"""The command ``init``: what the columns of a file most likely are, three questions, and a file of options."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from singleout.assessment.options import RUN, FileOptions
from singleout.cli.errors import in_options
from singleout.cli.options import WHERE, Quiet, with_options
from singleout.ground.errors import InputError, OutputError

if TYPE_CHECKING:
    from singleout.assessment.first_audit import Answers
    from singleout.reading.forms import Form
    from singleout.reading.proposals import Proposal
    from singleout.reading.sources import Source

CONFIG = Path("audit.toml")
Answer = TypeVar("Answer")


@with_options
def init(
    source: Annotated[str, typer.Argument(help=f"Event log or table to be released. {WHERE}")],
    known: Annotated[str | None, typer.Argument(help="Event log or table the intruder has, if there is one.")] = None,
    *,
    files: FileOptions,
    out: Annotated[Path, typer.Option(help="File of options to write.", rich_help_panel=RUN)] = CONFIG,
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask nothing: take every proposal as it is.", rich_help_panel=RUN)
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file of options if it exists.", rich_help_panel=RUN)
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Start with a file: propose what each column is, ask three questions, and write the options of an audit."""
    from singleout.assessment.first_audit import Answers, config_text, missing_options, show_proposal
    from singleout.ground.files import write_whole
    from singleout.ground.notes import number_of
    from singleout.reading.event_times import FORMAT_FLAG
    from singleout.reading.forms import make_form
    from singleout.reading.linked_proposals import propose
    from singleout.reading.proposals import Role

    if not yes and not can_ask():
        raise InputError("nobody can be asked here: standard input is not a terminal. Add `yes` to ask nothing.")
    _refuse_existing(out, force)
    form = make_form(**files.writing(), function="init")
    opened, *second = [_open(each, form) for each in (source, known) if each is not None]
    proposal = propose(opened, next(iter(second), None))
    if not quiet or not yes:
        # names of several files may be those of people
        several = len(opened.files) > 1 or proposal.user_from_name
        name = number_of(len(opened.files), "files") if several else opened.display_name
        typer.echo(show_proposal(proposal, name))
    answers = Answers(known_file=known) if yes else _ask(proposal, opened, known)
    today = datetime.now().astimezone().date()
    write_whole(out, config_text(source, f"singleout-{out.stem}", proposal, answers, today, files.non_defaults()))
    if not quiet:
        command = shlex.join(["singleout", "audit", "--config", str(out)])
        do = "Complete it where it says MISSING" if missing_options(proposal, answers.known_file) else "Check it"
        typer.echo(f"\nWritten to {out}. {do}, then run:\n  {command}")
        if proposal.is_log and not proposal.columns(Role.TIME) and answers.known_file is None:
            typer.echo(f"If a column holds times, name it and its format:\n  {command} --time COLUMN {FORMAT_FLAG}")


def can_ask() -> bool:
    """Whether there is somebody to answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def _open(source: str, form: Form) -> Source:
    from singleout.reading.addresses import is_server
    from singleout.reading.locations import input_files
    from singleout.reading.sources import open_source

    if is_server(source):
        input_files(source, "init")  # refuses plain passwords, which would be written to the file of options as well
    return open_source(source, function="init", form=form)


def _refuse_existing(out: Path, force: bool) -> None:
    """A file of options may have been edited by hand; anything else is none of ours."""
    if out.is_dir() or (out.exists() and not out.is_file()):
        raise OutputError(f"{out} is not a file.", argument="out", hint="Name a file, such as audit.toml.")
    if out.exists() and not force:
        raise OutputError(f"{out} exists.", argument="out", hint="Name another file, or add `force` to replace it.")
    if not out.absolute().parent.is_dir():
        raise OutputError(f"the folder of {out} does not exist.", argument="out")


def _ask(proposal: Proposal, source: Source, known: str | None) -> Answers:
    from singleout.assessment.first_audit import Answers, parse_columns, parse_release
    from singleout.reading.addresses import is_server
    from singleout.reading.locations import input_files
    from singleout.reading.proposals import Role

    def file_or_nothing(text: str) -> str | None:
        return str(text) if text and (input_files(text, "init") or is_server(text)) else None

    model, recipient = _question(
        "Who may get the data? public, group, one recipient or internal; a name may follow a colon; empty: not decided",
        "", parse_release,
    )  # fmt: skip
    columns = None
    if not proposal.is_log:
        role = Role.KNOWN if proposal.known_names is None else Role.ON
        could = "What could they know?" if role == Role.KNOWN else "By which columns could they link the two files?"
        columns = _question(
            f"{could} Columns, separated by commas",
            ",".join(proposal.columns(role)),
            lambda text: parse_columns(text, proposal, source),
        )
    elif known is None:
        known = _question(
            "What could they know? A file that they have; empty: what the same people did earlier", "", file_or_nothing
        )
    limit = _question(
        "Which share of the people may be re-identified at most? A share such as 5%; empty: no limit", "", _parse_limit
    )
    return Answers(model, recipient, columns, known, limit)


def _parse_limit(text: str) -> float | None:
    """A risk limit, as options take it; None where there is none: no number is usual."""
    from singleout.ground.numbers import as_share

    if not text.strip():
        return None
    with suppress(ValueError):
        share = as_share(text)
        if 0 < share < 1:
            return share
    raise InputError("answer with a share between 0 and 1, such as 0.05 or 5%, or with nothing for no limit.")


def _question(text: str, default: str, parse: Callable[[str], Answer]) -> Answer:
    """Ask until the answer can be used."""
    while True:
        try:
            return parse(typer.prompt(f"\n{text}", default=default, show_default=bool(default)))
        except InputError as error:
            typer.echo(in_options(error), err=True)
        except typer.Abort:  # the end of the input is Ctrl-C by other means
            raise KeyboardInterrupt from None
