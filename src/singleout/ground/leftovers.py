"""Folders that are ours for the length of a run: named after their owner, so that a later run can clear them away."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import sys
import time
from contextlib import suppress
from pathlib import Path

OLD = 3600.0
"""Seconds after which an unfinished folder whose owner is gone may be cleared away."""
HOST = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
UNFINISHED = re.compile(r"\.singleout-(?P<host>[0-9a-f]{8})-(?P<pid>\d+)-[0-9a-f]{8}\.unfinished")


def make_owned_folder(parent: Path) -> Path:
    """A new folder that only its owner may open; its name says which machine and process that is."""
    folder = parent / f".singleout-{HOST}-{os.getpid()}-{secrets.token_hex(4)}.unfinished"
    folder.mkdir(mode=0o700)
    return folder


def clear_leftovers(parent: Path) -> None:
    """Remove what runs on this machine left behind when they were killed; nothing of a run that still lives."""
    with suppress(OSError):
        for folder in list(parent.glob(".singleout-*.unfinished")):
            named = UNFINISHED.fullmatch(folder.name)
            if named and named["host"] == HOST and not _is_running(int(named["pid"])) and _is_old(folder):
                remove_files(folder)


def remove_files(folder: Path) -> None:
    """Remove an owned folder and the files in it, one by one; what cannot be removed stays."""
    with suppress(OSError):
        for path in folder.iterdir():
            if path.is_file() or path.is_symlink():
                path.unlink()
        folder.rmdir()


def _is_old(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and time.time() - folder.stat().st_mtime > OLD


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
