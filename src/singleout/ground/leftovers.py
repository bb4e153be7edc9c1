"""Folders that are ours for the length of a run: named after their owner, so that a later run can clear them away."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import sys
import tempfile
import time
import weakref
from collections.abc import Collection
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from singleout.ground.earlier_results import MANIFEST, remove_result

OLD = 3600.0
"""Seconds after which what a gone owner left may be cleared away where the file system knows no locks."""
HOST = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
OWNED = r"-(?P<host>[0-9a-f]{8})-(?P<pid>\d+)-"
PART = Path(MANIFEST).with_suffix(".part").name
"""The manifest while it is written."""
UNFINISHED = re.compile(rf"\.singleout{OWNED}[0-9a-f]{{8}}\.unfinished")
WORKING = re.compile(rf"singleout{OWNED}\w+")
_held: dict[Path, int] = {}
"""Locked folders: the system lets go of them when the process ends, however it ends."""


def make_owned_folder(parent: Path) -> Path:
    """A new folder that only its owner may open; its name says which machine and process that is."""
    folder = parent / f".singleout-{HOST}-{os.getpid()}-{secrets.token_hex(4)}.unfinished"
    folder.mkdir(mode=0o700)
    _hold(folder)
    return folder


class WorkingFolder(tempfile.TemporaryDirectory[str]):
    """A folder for files on the way, which a later run clears away where this one is killed."""

    def __init__(self) -> None:
        super().__init__(prefix=f"singleout-{HOST}-{os.getpid()}-", ignore_cleanup_errors=True)
        _hold(Path(self.name))
        weakref.finalize(self, let_go, Path(self.name))


def clear_leftovers(parent: Path, files: Collection[str]) -> None:
    """Remove what runs on this machine left behind when they were killed; nothing of a run that still lives.

    Of a folder next to results only ``files`` go, which the command writes: what else is in it may be somebody's.
    """
    for place, kind, names in ((parent, UNFINISHED, files), (Path(tempfile.gettempdir()), WORKING, None)):
        with suppress(OSError):
            for folder in list(place.iterdir()):
                named = kind.fullmatch(folder.name)
                if named and named["host"] == HOST and _is_left(folder, int(named["pid"])):
                    remove_files(folder, names)


def remove_files(folder: Path, names: Collection[str] | None) -> None:
    """Remove files of an owned folder by their names (None: all), one by one, and the folder if nothing is left in it.

    One with a manifest was a result, and may hold what somebody put there in the last moment: only what is listed goes.
    """
    let_go(folder)
    if (folder / MANIFEST).exists():
        remove_result(folder)
        return
    with suppress(OSError):
        for path in folder.iterdir():
            ours = names is None or path.name in names or path.name == PART
            if ours and (path.is_file() or path.is_symlink()):
                path.unlink()
        folder.rmdir()


def _is_left(folder: Path, owner: int) -> bool:
    """Whether a folder is ours and its owner gone: no such process, and nobody holds it, in a container either."""
    if folder.is_symlink() or not folder.is_dir() or folder in _held or _is_running(owner):
        return False
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return False
    try:
        _lock(handle)
        return True
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return time.time() - os.fstat(handle).st_mtime > OLD
    finally:
        os.close(handle)


def _hold(folder: Path) -> None:
    if sys.platform != "win32":  # which opens no folders
        with suppress(OSError):
            _held[folder] = os.open(folder, os.O_RDONLY)
            _lock(_held[folder])


def let_go(folder: Path) -> None:
    """Hold an owned folder no longer."""
    if folder in _held:
        os.close(_held.pop(folder))


def _lock(handle: int) -> None:
    """Lock an open folder, or fail at once where another process has it."""
    fcntl: Any = import_module("fcntl")  # not on Windows
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_running(pid: int) -> bool:
    """Whether a process lives. Windows has no harmless way to ask, so there every process counts as living."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
