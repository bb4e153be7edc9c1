"""Ctrl-C while the command line still loads: one line, like later on, in place of a traceback of imports.

Imported before anything heavy. Where singleout is a library this does nothing.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

EXIT_OF_SIGNALS = 128
INTERRUPTED = 130
SOON = 0.05


def _watch_loading() -> None:
    """As long as the command loads, leave at once: nothing is open yet, and imports may swallow exceptions."""
    if Path(sys.argv[0]).stem == "singleout" and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _leave)


def watch_running() -> None:
    """From here on Ctrl-C and SIGTERM are exceptions, so that what is unfinished is cleared away."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in ("SIGTERM", "SIGHUP"):  # the second is not on Windows, and ignored under nohup
            if signal.getsignal(getattr(signal, name, signal.SIGTERM)) is not signal.SIG_IGN:
                signal.signal(getattr(signal, name, signal.SIGTERM), _terminate)
        sys.unraisablehook = _again


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, b"interrupted; nothing was written.\n")
    os._exit(INTERRUPTED)


def _again(lost: sys.UnraisableHookArgs) -> None:
    """Where an exception can go nowhere, as in a callback of the compiler, Ctrl-C comes once more a moment later."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        number = signal.SIGINT
    elif isinstance(lost.exc_value, SystemExit) and isinstance(lost.exc_value.code, int):
        number = signal.Signals(lost.exc_value.code - EXIT_OF_SIGNALS)
    else:
        sys.__unraisablehook__(lost)
        return
    threading.Timer(SOON, _thread.interrupt_main, [number]).start()


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(EXIT_OF_SIGNALS + number)


_watch_loading()
