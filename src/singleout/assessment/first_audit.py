"""From the columns of a file to a first audit: the proposal in words, three questions, a file of options, a command."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from singleout.assessment.about import RELEASE_MODELS, AboutOptions
from singleout.assessment.config_files import DATA, KNOWN, OUT, toml_line, toml_value
from singleout.assessment.options import OF_FILES, split_list
from singleout.ground.errors import InputError
from singleout.ground.notes import WIDTH, cut_middle, number_of
from singleout.reading.proposals import Proposal, Role
from singleout.reading.sources import Source
from singleout.reading.time_formats import EXAMPLE, either

LONGEST_NAME = 24
HEURISTIC = "These are guesses from the names of columns and from what their values look like: please check them."
NO_LIMIT = "# max_risk = 0.05"
"""An example, which sets no limit."""
UNNAMED = {Role.RELEASED, Role.UNUSED}


@dataclass(frozen=True)
class Answers:
    """What only the people who release the data know."""

    release_model: str = ""
    """Empty: not decided yet, as the recipient and ``max_risk``."""
    recipient: str = ""
    known: tuple[str, ...] | None = None
    """Of a table the columns that others know, or by which they link theirs to it; None: those proposed."""
    known_file: str | None = None
    """What others have: an event log, or a table."""
    max_risk: float | None = None


def show_proposal(proposal: Proposal, name: str) -> str:
    """The columns with their roles and the reasons, on a terminal of 80 columns."""
    kind = "event log" if proposal.is_log else "table"
    head = f"{name}: {kind}, {proposal.reason}."
    width = max((len(_shown(each.column)) for each in proposal.roles), default=0)
    room = max((len(each.role.in_words) for each in proposal.roles), default=0)
    lines = textwrap.wrap(head, WIDTH)
    for each in proposal.roles:
        label = f"  {_shown(each.column):{width}}  {each.role.in_words:{room}}  "
        lines += textwrap.wrap(each.reason, WIDTH, initial_indent=label, subsequent_indent=" " * len(label))
    missing = [textwrap.fill(each, WIDTH) for each in missing_roles(proposal)]
    return "\n".join([*lines, *missing, textwrap.fill(HEURISTIC, WIDTH)])


def _shown(name: str) -> str:
    return cut_middle(name, LONGEST_NAME)


def missing_roles(proposal: Proposal, known: str | None = None) -> list[str]:
    """What an audit needs and no column seems to be, in words; ``known`` is the file that others have."""
    if not proposal.is_log:
        return _missing_columns(proposal)
    missing = []
    if not proposal.columns(Role.PLACE) and not proposal.columns(Role.LAT):
        missing.append("No column seems to hold places: set place.")
    if not proposal.columns(Role.TIME) and known is None:
        missing.append(
            f"No column holds dates, so the log cannot be split: set time (and time_format, such as {EXAMPLE!r}), "
            "or known to a file that others have."
        )
    return missing


def missing_options(proposal: Proposal, known: str | None = None) -> list[str]:
    """What a file of options lacks, in words: columns, and a format of times that only people can name."""
    if proposal.formats:
        wanted = [f"Day and month of the dates could be swapped: set time_format to {either(proposal.formats)}."]
    else:
        wanted = [f"The format of times is not recognised: set time_format, such as {EXAMPLE!r}."]
    return missing_roles(proposal, known) + (wanted if proposal.needs_format else [])


def _missing_columns(proposal: Proposal) -> list[str]:
    """Of a table: nothing that others know, or by which they could link theirs."""
    if proposal.known_names is None:
        return [] if proposal.columns(Role.KNOWN) else ["No column seems to be known to others: set known_columns."]
    none = "No column of the two files has a name and values in common: set on, and known_on for the second file."
    return [] if proposal.columns(Role.ON) else [none]


def options_of(proposal: Proposal, answers: Answers) -> dict[str, Any]:
    """The options that follow from proposal and answers."""
    found = proposal.options()
    if answers.known is not None:
        found[Role.KNOWN if proposal.known_names is None else Role.ON] = list(answers.known)
        found.pop("known_on", None)
        found |= proposal.names_there(found)
        for role in (Role.SENSITIVE, Role.NOT_RELEASED):
            rest = [name for name in found.pop(role, ()) if name not in answers.known]
            found |= {str(role): rest} if rest else {}
        named = [name for name in proposal.columns(Role.NOT_RELEASED) if name in answers.known]
        found |= {"allow": named} if named else {}
        if found.get(Role.WEIGHT) in answers.known:
            del found[Role.WEIGHT]
    return found


def config_text(
    source: str, out: str, proposal: Proposal, answers: Answers, today: date, files: Mapping[str, Any] | None = None
) -> str:
    """The file of options, with the reason for each column as a comment. ``files`` says how they are written."""
    known = answers.known_file
    about = {"assessed_on": today.isoformat(), "release_model": answers.release_model, "recipient": answers.recipient}
    lines = [
        "# Options of an audit, proposed by singleout init from the columns of the file. Check every line.",
        "# Paths are relative to the folder in which the command runs. Flags of the command line override this file.",
        "",
        toml_line(DATA, source),
        *([] if known is None else [toml_line(KNOWN, known)]),
        *(toml_line(name, value) for name, value in (files or {}).items()),
        toml_line(OUT, out),
        "",
        "# About this assessment",
        *(toml_line(name, value) for name, value in about.items() if value),
        *(f"# {toml_line(each.name, '')}" for each in fields(AboutOptions) if not about.get(each.name)),
        "",
        f"# {'An event log' if proposal.is_log else 'A table'}: {proposal.reason}",
        *_role_lines(proposal, options_of(proposal, answers)),
        *(f"# MISSING: {each}" for each in missing_options(proposal, known)),
        "",
        "# The largest acceptable risk: the upper end of its interval. What is acceptable is your decision.",
        *([NO_LIMIT] if answers.max_risk is None else [toml_line("max_risk", answers.max_risk)]),
    ]
    return "\n".join(_visible(line) for line in lines) + "\n"


def _role_lines(proposal: Proposal, options: Mapping[str, Any]) -> Iterator[str]:
    named: list[Any] = []
    for name, value in options.items():
        columns = value if isinstance(value, list) else [value]
        named += columns
        for each in proposal.roles:
            if each.column in columns:
                was_asked = each.role in UNNAMED  # then the reason is one for leaving it out
                yield f"# {toml_value(each.column)}: {'as you answered' if was_asked else each.reason}"
        yield toml_line(name, value)
    rest = [toml_value(each.column) for each in proposal.roles if each.role in UNNAMED and each.column not in named]
    if rest:
        yield f"# {'released, but not known' if not proposal.is_log else 'not used'}: {', '.join(rest)}"


def _visible(line: str) -> str:
    """One line whatever a name holds; text of TOML is escaped already."""
    return "".join(sign if sign.isprintable() or sign == "\t" else "?" for sign in line)


def advised_command(files: Sequence[str], options: Mapping[str, Any]) -> str:
    """The command of an audit with these options."""
    return shlex.join(["singleout", "audit", *files, *_flags(options)])


def _flags(options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        plain = ",".join(f"{each:g}" if isinstance(each, float) else str(each) for each in _listed(value))
        flag = name.replace("_", "-")
        yield from [f"--{'' if value else 'no-'}{flag}"] if isinstance(value, bool) else [f"--{flag}", plain]


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def parse_release(text: str) -> tuple[str, str]:
    """The release model, and the recipient after a colon; nothing where nothing is decided."""
    model, _, recipient = (part.strip() for part in text.partition(":"))
    if not text.strip():
        return "", ""
    found = [each for each in RELEASE_MODELS if each == model.lower()]
    if not found:
        raise InputError(f"answer with one of {', '.join(RELEASE_MODELS)}, or with nothing; a name may follow a colon.")
    return found[0], recipient


def parse_columns(text: str, proposal: Proposal, source: Source) -> tuple[str, ...]:
    """Names of columns separated by commas, all of which the file has; if there is a second table, that as well."""
    names = tuple(dict.fromkeys(split_list(text)))
    for name in names:
        if name not in source.column_types:
            hint = source.columns_there(name, source.column_types)  # the names were shown
            raise InputError(f"{cut_middle(repr(name), LONGEST_NAME)} is not a column.", hint=hint)
        if proposal.known_names is not None and name not in proposal.known_names:
            raise InputError(f"the known file has no column {cut_middle(repr(name), LONGEST_NAME)}.")
    if not names:
        raise InputError("answer with at least one column.")
    return names


def propose_in_words(files: Sequence[str], proposal: Proposal, options: Mapping[str, Any]) -> str:
    """What to add to an error about missing options; ``options`` are those of the command."""
    sizes = number_of(len(proposal.roles), "columns")
    lacking = "".join(f"\n  {each}" for each in missing_roles(proposal, *files[1:]))
    written = _flags({name: value for name, value in options.items() if name in OF_FILES})
    return (
        f"\n  Proposed from its {sizes}, to be checked:\n  {advised_command(files, options)}{lacking}\n"
        f"  For the reasons, and a file of options: {shlex.join(['singleout', 'init', *files, *written])}"
    )
