"""Commands compile their kernels when they first run, which takes seconds: that is said once, and other cores help."""

from __future__ import annotations

import gc
from functools import cache
from pathlib import Path
from typing import Any

import typer

from singleout.cli import compile_ahead

COMPILING = "Compiling for the first time, which takes a few seconds."
RARELY = 100_000, 50, 1_000
"""Compiling makes millions of objects that live on: looking for dead ones as usual takes a fifth of the time."""


def watch_compiling(command: str, *, quiet: bool) -> None:
    """When a kernel is compiled that later runs will find on disk, say so and compile what comes later on other cores.

    Other cores begin at once where no run has left any kernel. A user's own term is compiled every time.
    """
    watch = _watch()
    watch.command, watch.quiet = command, quiet
    if not _is_any_on_disk():
        watch.compile_ahead()


def _is_any_on_disk() -> bool:
    """Whether Numba would find a kernel of an earlier run; also where it can keep none, so that no run is the last."""
    from singleout._kernels.overlap import best_gains

    folder = getattr(getattr(best_gains, "stats", None), "cache_path", None)
    return folder is None or any(Path(folder).glob("*.nbi"))


@cache
def _watch() -> Any:
    """Hears from Numba when it begins to compile."""
    from numba.core import event

    class Watch(event.Listener):  # type: ignore[misc]
        command, quiet, is_first = "", True, True
        helpers: Any = None

        def compile_ahead(self) -> None:
            """Other processes compile what the command will call."""
            if self.helpers is None:
                self.helpers = compile_ahead.start(self.command)

        def on_start(self, started: Any) -> None:
            dispatcher = started.data["dispatcher"]
            is_kept = getattr(getattr(dispatcher, "stats", None), "cache_path", None) is not None
            if not is_kept or not self.is_first:
                return
            self.is_first = False
            gc.set_threshold(*RARELY)
            self.compile_ahead()
            if not self.quiet:
                typer.echo(COMPILING, err=True)

        def on_end(self, ended: Any) -> None:
            pass

    watch = Watch()
    event.register("numba:compile", watch)
    return watch
