"""Too little memory or disk, said in words: how much was needed, and how much there was."""

from __future__ import annotations

import errno
import re
import shutil
from contextlib import suppress
from pathlib import Path

UNITS = {"byte": 1, "bytes": 1, "B": 1}
UNITS |= {f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGTPE", 1)}
UNITS |= {f"{prefix}B": 1000**power for power, prefix in enumerate("KMGTPE", 1)} | {"kB": 1000}
AMOUNT = re.compile(r"(\d+(?:\.\d+)?) (" + "|".join(UNITS) + r")\b|size (\d+) failed")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def in_bytes(number: float) -> str:
    """A number of bytes in a unit that fits."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "bytes" or number >= 10 else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"


def is_full(error: BaseException) -> bool:
    """Whether a disk had no room."""
    return isinstance(error, OSError) and error.errno in FULL


def is_too_little_memory(error: BaseException) -> bool:
    """Whether there was too little memory, by whichever library noticed it; threads that cannot start need memory."""
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ in ("OutOfMemoryException", "ArrowMemoryError")
        or (isinstance(error, RuntimeError) and "can't start new thread" in str(error))
    )


def memory_in_words(error: BaseException) -> str:
    """What was asked for last, and how much was in use; libraries say it in their messages, with no value of data."""
    asked = _bytes_asked_for(str(error))
    more = f"{in_bytes(asked)} more were asked for" if asked else "more was asked for"
    used = _most_used()
    return f"too little memory: {f'{in_bytes(used)} were in use and ' if used else ''}{more}."


def free_on_disk(path: Path) -> int:
    """Bytes free on the disk where a path lies or would lie."""
    with suppress(OSError, StopIteration):
        return shutil.disk_usage(next(each for each in (path, *path.absolute().parents) if each.exists())).free
    return 0


def _bytes_asked_for(text: str) -> int:
    found = AMOUNT.search(text)
    if found is None:
        return 0
    return int(found[3]) if found[3] else round(float(found[1]) * UNITS[found[2]])


def _most_used() -> int:
    """The most memory this process ever had; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024
