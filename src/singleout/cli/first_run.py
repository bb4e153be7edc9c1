"""The first run after installation compiles kernels, which takes seconds: that is said once."""

from __future__ import annotations

from functools import cache
from typing import Any

import typer

COMPILING = "Compiling, about 15 seconds in all: only in the first run after installation."


def watch_compiling(*, quiet: bool) -> None:
    """Say so when a kernel is compiled that later runs will find on disk; a user's own term is compiled every time."""
    _watch().quiet = quiet


@cache
def _watch() -> Any:
    """Hears from Numba when it begins to compile."""
    from numba.core import event

    class Watch(event.Listener):  # type: ignore[misc]
        quiet, said = True, False

        def on_start(self, started: Any) -> None:
            dispatcher = started.data["dispatcher"]
            is_kept = getattr(getattr(dispatcher, "stats", None), "cache_path", None) is not None
            if is_kept and not self.said and not self.quiet:
                self.said = True
                typer.echo(COMPILING, err=True)

        def on_end(self, ended: Any) -> None:
            pass

    watch = Watch()
    event.register("numba:compile", watch)
    return watch
