"""Progress: bars on a terminal, lines from commands without one (the steps of long work), silence from the library."""

from __future__ import annotations

import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
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
_verbose: ContextVar[bool] = ContextVar("verbose", default=False)


@contextmanager
def silence_progress(silent: bool, *, verbose: bool = False) -> Iterator[None]:
    """For a command: show no progress inside the block if ``silent``, else also what is found on the way.

    ``verbose``: also every step with its seconds, what it used and what it counted.
    """
    lines = None if silent or sys.stderr.isatty() else Lines()
    before = _silent.set(silent), _spoken.set(not silent), _verbose.set(verbose), _lines.set(lines)
    try:
        with nullcontext() if lines is None else _watched(lines.print_if_due, "lines"):
            yield
    finally:
        _silent.reset(before[0])
        _spoken.reset(before[1])
        _verbose.reset(before[2])
        _lines.reset(before[3])


def silence_thread() -> None:
    """Show no progress from this thread: those who wait for it show theirs."""
    _silent.set(True)


_stage: ContextVar[Callable[[], str]] = ContextVar("stage", default=str)


@contextmanager
def stage(text: str | Callable[[], str]) -> Iterator[None]:
    """Put ``text`` before every label shown inside the block: how far a longer piece of work has come.

    A function is asked only where something is shown.
    """
    before = _stage.set(lambda: f"{text() if callable(text) else text}: ")
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
        lines = None if progress is not None or _silent.get() else _lines.get()
        with nullcontext() if lines is None else lines.working(_stage.get()() + label):
            yield lambda share: None
        return
    if not sys.stderr.isatty():
        # asked for by name where nothing can be drawn: one line for each piece of work
        print(_stage.get()() + label, file=sys.stderr, flush=True)  # noqa: T201
        yield lambda share: None
        return
    with _drawing() as bars:
        task = bars.add_task(visible(_stage.get()() + label), total=None, left="")
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


def add_detail(text: str) -> None:
    """Say what a step used or counted, if the command was asked to be verbose."""
    if _verbose.get():
        announce(text, None)


_under_way: ContextVar[Steps | None] = ContextVar("under_way", default=None)
"""The steps of the work that is drawn."""


EVERY = 10.0
"""Seconds between lines where no bar can be drawn."""
Clock = Callable[[], float]


@contextmanager
def _watched(print_if_due: Callable[[], None], name: str) -> Iterator[None]:
    """Lines come from a thread of their own: work may be one call that takes minutes."""
    ended = threading.Event()

    def watch() -> None:
        with suppress(OSError, ValueError):  # nobody reads the lines any more
            while not ended.wait(EVERY / 10):
                print_if_due()

    watcher = threading.Thread(target=watch, name=name, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


class Lines:
    """What a command is doing: a line every ten seconds where no bar can be drawn, unless its steps have lines."""

    def __init__(self, *, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._begun = self._last = clock()
        self._labels: list[str] = []
        self._has_steps = False

    @contextmanager
    def working(self, label: str) -> Iterator[None]:
        """Work with this label is under way."""
        self._labels.append(label)
        try:
            yield
        finally:
            self._labels.remove(label)

    @contextmanager
    def left_to_steps(self) -> Iterator[None]:
        """The steps of the work print lines of their own."""
        self._has_steps = True
        try:
            yield
        finally:
            self._has_steps, self._last = False, self._clock()

    def print_if_due(self) -> None:
        """Print what is under way if there was no line for long enough."""
        now, labels = self._clock(), self._labels[-1:]  # another thread may remove it
        if labels and not self._has_steps and now - self._last >= EVERY:
            self._last = now
            print(visible(f"{labels[0]}, {duration(now - self._begun)} so far"), file=sys.stderr, flush=True)  # noqa: T201


_lines: ContextVar[Lines | None] = ContextVar("lines", default=None)
"""The lines of the running command, where it has no terminal."""


class Steps:
    """A long piece of work in steps: which one is under way, what is done, and how long the rest may take.

    ``expect`` says how many seconds steps may take; what is left is estimated from how long those took that are done.
    """

    def __init__(self, names: Sequence[str], progress: bool | None, *, clock: Clock = time.monotonic) -> None:
        self._names, self._progress, self._clock = list(names), progress, clock
        self._expected = dict.fromkeys(self._names, 1.0)
        self._done: dict[str, float] = {}
        self._now, self._since = "", clock()
        self._begun = self._last_line = self._since
        self._is_expected = False
        self._bars: Any = None
        self._task: Any = None

    def expect(self, seconds: Mapping[str, float], left_out: Sequence[str] = ()) -> None:
        """How many seconds some of the steps may take, and which are not taken."""
        self._expected |= seconds
        self._is_expected = True
        self._names = [each for each in self._names if each not in left_out]

    @contextmanager
    def shown(self) -> Iterator[Steps]:
        """Draw a bar of all steps, above those of the work inside; without a terminal print a line now and then."""
        if sys.stderr.isatty():
            with self._drawn() if _is_shown(self._progress) else nullcontext():
                yield self
        else:
            lines = _lines.get()
            with (
                nullcontext() if lines is None else lines.left_to_steps(),
                _watched(self.print_if_due, "progress") if self._has_lines else nullcontext(),
            ):
                yield self

    @property
    def _has_lines(self) -> bool:
        """Whether lines are printed: by a command, or where progress was asked for."""
        return _spoken.get() if self._progress is None else self._progress

    @contextmanager
    def _drawn(self) -> Iterator[None]:
        with _drawing() as bars:
            self._bars, self._task = bars, bars.add_task("", total=1.0, left="")
            before = _under_way.set(self)
            try:
                yield
            finally:
                _under_way.reset(before)
                bars.remove_task(self._task)
                self._bars = None

    def print_if_due(self) -> None:
        """Print a line if the step under way has been running long enough since it began, or since the last line."""
        text, now = self._in_words(), self._clock()
        if text and now - max(self._since, self._last_line) >= EVERY:
            self._last_line = now
            left = f", about {duration(self.seconds_left)} left" if self._can_estimate else ""
            print(visible(f"{text}, {duration(now - self._begun)} so far{left}"), file=sys.stderr, flush=True)  # noqa: T201

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Take one step."""
        self._since, self._now = self._clock(), name
        self.draw()
        yield
        seconds = self._done[name] = self._clock() - self._since
        if text := self._in_words():
            add_detail(f"{text}: {seconds:.1f} s")
        self._now = ""

    def _in_words(self) -> str:
        """Which step is under way; empty where none is."""
        now, names = self._now, self._names
        return f"step {names.index(now) + 1} of {len(names)}: {now}" if now in names else ""

    @property
    def _can_estimate(self) -> bool:
        return self._is_expected and bool(self._done)

    @property
    def seconds_left(self) -> float:
        """An estimate, from the steps that are done and what is expected of the others."""
        ahead = [each for each in self._names if each not in self._done and each != self._now]
        return self._pace * (self._expected_now - self._done_now + sum(self._expected[each] for each in ahead))

    @property
    def _pace(self) -> float:
        """How many times longer than expected the steps took that are done."""
        done = dict(self._done)  # another thread may add to it
        expected = sum(self._expected[each] for each in done)
        return sum(done.values()) / expected if expected else 1.0

    @property
    def _expected_now(self) -> float:
        return self._expected.get(self._now, 0.0)

    @property
    def _done_now(self) -> float:
        """How much of the step under way is done, in expected seconds; never all of it."""
        elapsed = (self._clock() - self._since) / self._pace if self._now and self._pace else 0.0
        return min(elapsed, ALMOST * self._expected_now)

    def draw(self) -> None:
        """Show which step is under way, what is done, and what is left."""
        text = self._in_words()
        if self._bars is None or not text:
            return
        done = sum(self._expected[each] for each in self._names if each in self._done) + self._done_now
        left = f"about {duration(self.seconds_left)} left" if self._can_estimate else ""
        all_of_it = sum(self._expected[each] for each in self._names)
        self._bars.update(self._task, description=text, completed=done / all_of_it, left=left)
