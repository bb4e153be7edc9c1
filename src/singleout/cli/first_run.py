"""The first run after installation compiles kernels, which takes seconds: that is said once, and other cores help."""

from __future__ import annotations

from functools import cache
from typing import Any

import typer

from singleout.cli import compile_ahead

COMPILING = "Compiling, a few seconds: only in the first run after installation."


def watch_compiling(command: str, *, quiet: bool) -> None:
    """When a kernel is compiled that later runs will find on disk, say so and compile what comes later on other cores.

    A user's own term is compiled every time.
    """
    watch = _watch()
    watch.command, watch.quiet = command, quiet


@cache
def _watch() -> Any:
    """Hears from Numba when it begins to compile."""
    from numba.core import event

    class Watch(event.Listener):  # type: ignore[misc]
        command, quiet, is_first = "", True, True

        def on_start(self, started: Any) -> None:
            dispatcher = started.data["dispatcher"]
            is_kept = getattr(getattr(dispatcher, "stats", None), "cache_path", None) is not None
            if not is_kept or not self.is_first:
                return
            self.is_first, self.helpers = False, compile_ahead.start(self.command)
            if not self.quiet:
                typer.echo(COMPILING, err=True)

        def on_end(self, ended: Any) -> None:
            pass

    watch = Watch()
    event.register("numba:compile", watch)
    return watch
