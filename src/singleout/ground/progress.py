"""Progress on a terminal: bars where the end is known, a moving line where it is not, silence elsewhere."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from singleout.ground.numbers import duration
from singleout.ground.terminal_filter import visible

Advance = Callable[[float], None]
"""Takes the share done so far, 0 to 1."""
WIDTH = 80
ALMOST = 0.98
"""A step that takes longer than expected stays at this share of its bar."""


_silent: ContextVar[bool] = ContextVar("silent", default=False)
_spoken: ContextVar[bool] = ContextVar("spoken", default=False)


@contextmanager
def silence_progress(silent: bool) -> Iterator[None]:
    """For a command: show no progress inside the block if ``silent``, else also what is found on the way."""
    before = _silent.set(silent), _spoken.set(not silent)
    try:
        yield
    finally:
        _silent.reset(before[0])
        _spoken.reset(before[1])


def silence_thread() -> None:
    """Show no progress from this thread: those who wait for it show theirs."""
    _silent.set(True)


_stage: ContextVar[str] = ContextVar("stage", default="")


@contextmanager
def stage(text: str) -> Iterator[None]:
    """Put ``text`` before every label shown inside the block: how far a longer piece of work has come."""
    before = _stage.set(f"{text}: ")
    try:
        yield
    finally:
        _stage.reset(before)


_bars: ContextVar[Any] = ContextVar("bars", default=None)
"""The bars that are drawn already: a terminal has room for one drawing at a time."""


@contextmanager
def show_progress(label: str, progress: bool | None) -> Iterator[Advance]:
    """Show ``label`` while the block runs and yield a function that takes the share done (0 to 1).

    ``progress`` None shows it on a terminal only. It is drawn on standard error and wiped when done, so that
    results stay clean.
    """
    if not _is_shown(progress):
        yield lambda share: None
        return
    if not sys.stderr.isatty():
        # asked for by name where nothing can be drawn: one line for each piece of work
        print(_stage.get() + label, file=sys.stderr, flush=True)  # noqa: T201
        yield lambda share: None
        return
    with _drawing() as bars:
        task = bars.add_task(visible(_stage.get() + label), total=None, left="")
        steps = _under_way.get()

        def advance(share: float) -> None:
            bars.update(task, total=1.0, completed=share)
            if steps is not None:
                steps.draw()

        try:
            yield advance
        finally:
            bars.remove_task(task)


def _is_shown(progress: bool | None) -> bool:
    return sys.stderr.isatty() and not _silent.get() if progress is None else progress


@contextmanager
def _drawing() -> Iterator[Any]:
    """The bars on the terminal: those that are there, or new ones."""
    there = _bars.get()
    if there is not None:
        yield there
        return
    # only where a bar is drawn: it takes long to load
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
    )
    # bars steer the terminal, so they go past the filter of the command line, and their labels through it
    console = Console(file=getattr(sys.stderr, "unfiltered", sys.stderr))
    with Progress(*columns, console=console, transient=True) as bars:
        before = _bars.set(bars)
        try:
            yield bars
        finally:
            _bars.reset(before)


def announce(text: str, progress: bool | None) -> None:
    """Say what was found while the work goes on: where progress is shown, and on the way of a command."""
    bars, lines = _bars.get(), textwrap.fill(visible(text), WIDTH)
    if bars is not None:
        bars.console.print(lines, markup=False, highlight=False)
    elif _is_shown(progress) or (progress is None and _spoken.get()):
        print(lines, file=sys.stderr, flush=True)  # noqa: T201


_under_way: ContextVar[Steps | None] = ContextVar("under_way", default=None)
"""The steps of the work that is drawn."""


class Steps:
    """A long piece of work in steps: which one is under way, what is done, and how long the rest may take.

    ``expect`` says how many seconds steps may take; what is left is estimated from how long those took that are done.
    """

    def __init__(self, names: Sequence[str], progress: bool | None) -> None:
        self._names, self._progress = list(names), progress
        self._expected = dict.fromkeys(self._names, 1.0)
        self._done: dict[str, float] = {}
        self._now, self._since = "", time.monotonic()
        self._bars: Any = None
        self._task: Any = None

    def expect(self, seconds: Mapping[str, float], left_out: Sequence[str] = ()) -> None:
        """How many seconds some of the steps may take, and which are not taken."""
        self._expected |= seconds
        self._names = [each for each in self._names if each not in left_out]

    @contextmanager
    def shown(self) -> Iterator[Steps]:
        """Draw a bar of all steps, above those of the work inside."""
        if not (_is_shown(self._progress) and sys.stderr.isatty()):
            yield self
            return
        with _drawing() as bars:
            self._bars, self._task = bars, bars.add_task("", total=1.0, left="")
            before = _under_way.set(self)
            try:
                yield self
            finally:
                _under_way.reset(before)
                bars.remove_task(self._task)
                self._bars = None

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Take one step."""
        self._now, self._since = name, time.monotonic()
        self.draw()
        yield
        self._done[name] = time.monotonic() - self._since
        self._now = ""

    @property
    def seconds_left(self) -> float:
        """An estimate, from the steps that are done and what is expected of the others."""
        ahead = [each for each in self._names if each not in self._done and each != self._now]
        return self._pace * (self._expected_now - self._done_now + sum(self._expected[each] for each in ahead))

    @property
    def _pace(self) -> float:
        """How many times longer than expected the steps took that are done."""
        expected = sum(self._expected[each] for each in self._done)
        return sum(self._done.values()) / expected if expected else 1.0

    @property
    def _expected_now(self) -> float:
        return self._expected.get(self._now, 0.0)

    @property
    def _done_now(self) -> float:
        """How much of the step under way is done, in expected seconds; never all of it."""
        elapsed = (time.monotonic() - self._since) / self._pace if self._now and self._pace else 0.0
        return min(elapsed, ALMOST * self._expected_now)

    def draw(self) -> None:
        """Show which step is under way, what is done, and what is left."""
        if self._bars is None or self._now not in self._names:
            return
        number = self._names.index(self._now) + 1
        done = sum(self._expected[each] for each in self._names if each in self._done) + self._done_now
        left = f"about {duration(self.seconds_left)} left" if self._done else ""
        text, all_of_it = (
            f"step {number} of {len(self._names)}: {self._now}",
            sum(self._expected[each] for each in self._names),
        )
        self._bars.update(self._task, description=text, completed=done / all_of_it, left=left)
