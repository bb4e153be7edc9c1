"""Progress on a terminal: bars where the end is known, a moving line where it is not, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from singleout.ground.terminal_filter import visible

Advance = Callable[[float], None]
"""Takes the share done so far, 0 to 1."""


_silent: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def silence_progress(silent: bool) -> Iterator[None]:
    """Show no progress inside the block, whatever the terminal, unless it is asked for by name."""
    before = _silent.set(silent)
    try:
        yield
    finally:
        _silent.reset(before)


_stage: ContextVar[str] = ContextVar("stage", default="")


@contextmanager
def stage(text: str) -> Iterator[None]:
    """Put ``text`` before every label shown inside the block: how far a longer piece of work has come."""
    before = _stage.set(f"{text}: ")
    try:
        yield
    finally:
        _stage.reset(before)


@contextmanager
def show_progress(label: str, progress: bool | None) -> Iterator[Advance]:
    """Show ``label`` while the block runs and yield a function that takes the share done (0 to 1).

    ``progress`` None shows it on a terminal only. It is drawn on standard error and wiped when done, so that
    results stay clean.
    """
    if not (sys.stderr.isatty() and not _silent.get() if progress is None else progress):
        yield lambda share: None
        return
    if not sys.stderr.isatty():
        # asked for by name where nothing can be drawn: one line for each piece of work
        print(_stage.get() + label, file=sys.stderr, flush=True)  # noqa: T201
        yield lambda share: None
        return
    # only where a bar is drawn: it takes long to load
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TimeElapsedColumn(),
    )
    # bars steer the terminal, so they go past the filter of the command line, and their labels through it
    console = Console(file=getattr(sys.stderr, "unfiltered", sys.stderr))
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task(visible(_stage.get() + label), total=None)
        yield lambda share: bars.update(task, total=1.0, completed=share)
