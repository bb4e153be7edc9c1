"""What the site shows of the package itself: its public names by room, and what every command says with --help."""

from __future__ import annotations

import inspect
from pathlib import Path

from click import Command, Context
from sphinx.application import Sphinx
from typer.main import get_command

import singleout as so
from singleout.cli.commands import COMMANDS, app

ROOMS = {
    "reading": "Reading and splitting",
    "statistics": "Histograms and networks",
    "similarity": "Similarities",
    "matching": "Matching",
    "measures": "Measures",
    "protection": "Protection",
    "assessment": "Whole assessments",
    "report": "Charts",
    "ground": "Notes and errors",
}


def room_of(name: str) -> str:
    """The package that a public name comes from."""
    return getattr(so, name).__module__.split(".")[1]


def python_page() -> str:
    """Every public name, by room in the order of the path; as reStructuredText, which autosummary looks for."""
    parts = [
        underlined("Python", "="),
        "Every public name. ``import singleout as so`` loads each when it is first used.",
    ]
    for room, title in ROOMS.items():
        names = [name for name in so.__all__ if name != "__version__" and room_of(name) == room]
        listed = "\n".join(f"   {name}" for name in names)
        table = f".. currentmodule:: singleout\n.. autosummary::\n   :toctree: python\n\n{listed}"
        parts += [underlined(title, "-"), table]
    return "\n\n".join(parts) + "\n"


def underlined(title: str, sign: str) -> str:
    """A heading."""
    return f"{title}\n{sign * len(title)}"


def commands_page() -> str:
    """Every command: what it does, how it is called, examples, and its options by panel, as its --help has them."""
    parts = ["# Command line", "What each command says with `--help`."]
    known = get_command(app).commands
    for command, examples in COMMANDS:
        name = command.__name__.replace("_", "-")
        parts += [f"## singleout {name}", inspect.cleandoc(known[name].help), fenced("\n".join(examples), "sh")]
        parts += options_of(known[name])
    return "\n\n".join(parts) + "\n"


def options_of(command: Command) -> list[str]:
    """One table for each panel."""
    context = Context(command)
    panels: dict[str, list[str]] = {}
    for each in command.params:
        shown = each.get_help_record(context) or (each.make_metavar(context), getattr(each, "help", ""))
        title = getattr(each, "rich_help_panel", None) or ("Options" if each.param_type_name == "option" else "Files")
        row = " | ".join(f"{text}".replace("|", "\\|") for text in (f"`{shown[0]}`", in_one_line(shown[1])))
        panels.setdefault(title, []).append(f"| {row} |")
    tables = ("\n".join(["| | |", "|---|---|", *rows]) for rows in panels.values())
    return [part for title, table in zip(panels, tables, strict=True) for part in (f"**{title}**", table)]


def in_one_line(text: str) -> str:
    """As a cell of a table."""
    return " ".join((text or "").split()).replace("<", "&lt;").replace("*", "\\*")


def fenced(text: str, language: str) -> str:
    """As a block of code."""
    return f"```{language}\n{text}\n```"


def write_pages(app: Sphinx) -> None:
    """Write both pages where they differ from what is there, so that a second build has little to do."""
    for name, text in (("python.rst", python_page()), ("commands.md", commands_page())):
        file = Path(app.srcdir) / "reference" / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_pages, priority=100)
    return {"parallel_read_safe": True}
