"""The command line: parse, call one public function, print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from singleout.cli import interrupt

if TYPE_CHECKING:
    import typer

    app: typer.Typer


def main() -> None:
    """Run the command line; Ctrl-C is heard while the rest loads."""
    interrupt.watch_loading()
    from singleout.cli.commands import run

    run()


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from singleout.cli.commands import app

    return app
