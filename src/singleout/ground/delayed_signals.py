"""A step that signals may come before or after, but not into."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""What asks a process to end; the last is not on Windows."""


@contextmanager
def unbroken() -> Iterator[None]:
    """Let a Ctrl-C or SIGTERM that comes meanwhile wait for the end of the block."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread hears signals
        yield
        return
    waiting: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        waiting.append(number)

    before: dict[int, Callable[[int, FrameType | None], Any]] = {}
    try:
        for name in ENDING:
            handler = signal.getsignal(getattr(signal, name, signal.SIGINT))
            if callable(handler) and handler is not wait:
                before[getattr(signal, name)] = handler
                signal.signal(getattr(signal, name), wait)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in waiting:
            signal.raise_signal(number)
