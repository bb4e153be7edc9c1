"""Groups of options as flags, and the options that all commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from singleout.assessment.options import PANELS, RUN, OptionGroup, Repeated

Out = Annotated[
    Path, typer.Option(help="Folder for the result; nothing is written if the run fails.", rich_help_panel=RUN)
]
Seed = Annotated[
    int,
    typer.Option(
        min=0, help="Seed for breaking ties at random; the same seed gives the same result.", rich_help_panel=RUN
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.", rich_help_panel=RUN)]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.", rich_help_panel=RUN)]
Verbose = Annotated[
    bool,
    typer.Option("--verbose", help="Also print versions, counts and the seconds of each step.", rich_help_panel=RUN),
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Also write ids, places and rare values.", rich_help_panel=RUN)]
WHERE = "File, glob, or address such as postgresql://host/database?table=NAME."
"""How a source is named, in the help of every command that takes one."""
Given = dict[str, Any]
"""Of a group of options only those that were given, by name: what ``Annotated[Given, Group]`` gets."""
METAVARS = {
    int: "N", float: "X", Path: "PATH",
    tuple[int, ...]: "N,…", tuple[float, ...]: "X,…", tuple[str, ...]: "A,B,…",
}  # fmt: skip


def parse_share(text: str | float) -> float:
    """A share such as 0.05 or 5%, of an option that is not in a group."""
    from singleout.ground.numbers import as_share

    try:
        return as_share(text)
    except ValueError as error:
        raise typer.BadParameter(f"must be {error} (got {text!r}).") from None


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take groups of options: Typer sees their fields as flags, the command the groups."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())
    groups = {each.name: _group_of(each.annotation) for each in own}
    flags = [flag for group in groups.values() if group is not None for flag in _flags(group)]
    shown = [each for each in own if groups[each.name] is None] + flags

    @wraps(command)
    def run(**given: Any) -> None:
        """The command, with its flags put back into groups."""
        for name, group in groups.items():
            if group is not None:
                values = {each.name: given.pop(each.name) for each in fields(group)}
                # an option that was not given says nothing
                chosen = {key: value for key, value in values.items() if value not in (None, False, [])}
                chosen |= {key: False for key in chosen if _is_switched_off(group, key)}
                given[name] = chosen if get_origin(_annotation(own, name)) is Annotated else group(**chosen)
        command(**given)

    # by name only, so that what is required may follow what is not; panels in their order
    ordered = sorted(shown, key=_panel_number)
    named = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in ordered]
    run.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in named}
    return run


def _annotation(own: list[inspect.Parameter], name: str) -> Any:
    return next(each.annotation for each in own if each.name == name)


def _group_of(annotation: Any) -> type[OptionGroup] | None:
    kinds = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, OptionGroup)), None)


def _flags(group: type[OptionGroup]) -> list[inspect.Parameter]:
    kinds = get_type_hints(group)
    return [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if kinds[each.name] is bool else None,
            annotation=_flag(each.name, kinds[each.name], each.default, **each.metadata),
        )
        for each in fields(group)
    ]


def _flag(
    name: str,
    kind: Any,
    default: Any,
    *,
    help: str,  # noqa: A002
    panel: str,
    metavar: str | None,
    flag: str | None,
) -> Any:
    """An option of the command line; None where it is not given, so that a file of options can say.

    Values stay text: one parser reads those of the command line, of files and of Python.
    """
    if kind is bool:
        switch = f"--no-{name}" if default else f"--{name.replace('_', '-')}"
        text = f"Do not {help[0].lower()}{help[1:]}" if default else help
        return Annotated[bool, typer.Option(switch, help=text, rich_help_panel=panel)]
    shown = "" if default is None else f" (default: {default})"
    return Annotated[
        list[str] | None if kind == Repeated | None else str | None,
        typer.Option(
            *([flag, f"--{name}"] if flag else ()),
            help=help + shown,
            metavar=metavar or _metavar(kind),
            rich_help_panel=panel,
        ),
    ]


def name_values(command: Callable[..., None]) -> Callable[..., None]:
    """Let the help of a command say what it takes in our words, not in Typer's; what has no name in capitals."""
    for each in inspect.signature(command, eval_str=True).parameters.values():
        kind, *about = get_args(each.annotation)
        for info in about:
            if isinstance(info, OptionInfo) and info.metavar is None and kind is not bool:
                info.metavar = _metavar(kind)
            if isinstance(info, ArgumentInfo):
                info.metavar = each.name.upper()
    return command


def _metavar(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return METAVARS[kind]
    plain = next((each for each in get_args(kind) if each is not type(None)), kind)
    return METAVARS.get(get_args(plain)[0] if get_origin(plain) is list else plain, "TEXT")


def _is_switched_off(group: type[OptionGroup], name: str) -> bool:
    """Whether a flag such as --no-protect stands for false."""
    return group.__dataclass_fields__[name].default is True


def _panel_number(each: inspect.Parameter) -> int:
    """Arguments first, then panels in their order."""
    panel = next(
        (getattr(info, "rich_help_panel", None) for info in getattr(each.annotation, "__metadata__", ())), None
    )
    return PANELS.index(panel) if panel in PANELS else -1
