"""Ctrl-C and too small a machine while the command line still loads: one line in place of a traceback of imports.

Installed by the command line before anything heavy is imported; a library installs nothing.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType, TracebackType

BAD_MACHINE, FAULT_OF_OURS = 2, 3
EXIT_OF_SIGNALS = 128
INTERRUPTED = 130
SOON = 0.05
LEAST_MEMORY = 4 * 10**9
"""Bytes of addresses, most of them never used, that libraries take: with fewer some abort, or wait for ever."""
LACKS = ("Cannot allocate memory", "failed to map segment", "can't start new thread")
"""What libraries say where there is too little memory for them."""


def watch_loading() -> None:
    """As long as the command loads, leave at once: nothing is open yet, and imports may swallow exceptions."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _leave)
        sys.excepthook = _in_one_line
        _refuse_too_little_memory()


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


def _in_one_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What no command could catch: exit code 1 would say that a gate failed."""
    if os.environ.get("SINGLEOUT_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)
    message = fault_of_machine(error)
    if message:
        _end(f"error: {message}", BAD_MACHINE)
    _end(f"internal error: {kind.__name__}. Set SINGLEOUT_TRACEBACK=1 to see more.", FAULT_OF_OURS)


def _end(line: str, code: int) -> None:
    os.write(2, f"{line}\n".encode(errors="replace"))
    os._exit(code)


def _refuse_too_little_memory() -> None:
    """Under a limit this low OpenBLAS ends the process by itself, with exit code 1, or never ends loading."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if allowed != resource.RLIM_INFINITY and allowed < LEAST_MEMORY:
        _end(
            f"error: too little memory to start: {allowed / 1e6:.0f} MB are allowed, 4 GB of addresses are needed.",
            BAD_MACHINE,
        )


def fault_of_machine(error: BaseException) -> str:
    """What the machine lacks; nothing where that is not the reason. Libraries that cannot be mapped lack memory too."""
    if isinstance(error, MemoryError) or (
        isinstance(error, ImportError | OSError | RuntimeError) and any(lack in str(error) for lack in LACKS)
    ):
        return "too little memory to load all libraries."
    if isinstance(error, ImportError):
        return f"singleout is not installed completely: {error.name or 'a library'} cannot be loaded."
    if not isinstance(error, OSError):
        return ""
    try:
        Path.cwd()
    except OSError:
        return "the folder you are in no longer exists. Change to another one."
    return f"cannot start: {error.strerror or type(error).__name__}."


def leave(code: int) -> None:
    """End at once what a signal ended: at a usual exit Python waits for a query that hears nothing."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    atexit._run_exitfuncs()  # temporary folders go
    os._exit(code)


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
