"""Too little memory or disk, said in words: how much was needed, and how much there was."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

UNITS = {"byte": 1, "bytes": 1, "B": 1}
UNITS |= {f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGTPE", 1)}
UNITS |= {f"{prefix}B": 1000**power for power, prefix in enumerate("KMGTPE", 1)} | {"kB": 1000}
AMOUNT = re.compile(r"(\d+(?:\.\d+)?) (" + "|".join(UNITS) + r")\b|size (\d+) failed")
GROUPS = (
    ("", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    (
        "memory",
        "/sys/fs/cgroup/memory",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "total_inactive_file",
    ),
)
"""Where Linux says what a control group may take and has, in its second version and in the first: the controller that
the group of a process is listed under, the folder of all groups, and the names of files and of what can go."""
OWN_GROUPS = Path("/proc/self/cgroup")
UNLIMITED = 2**60
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


def free_memory() -> float | None:
    """Bytes that this process may still take, with those it has: of the machine, of its group, by its own limits.

    None where the system does not say.
    """
    known = [each for each in (_free_of_machine(), _left_to_group(), _own_limit()) if each is not None]
    return min(known, default=None)


def _free_of_machine() -> float | None:
    with suppress(OSError, ValueError, TypeError):
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        found = re.search(r"MemAvailable:\s+(\d+) kB", text)
        return None if found is None else int(found[1]) * 1024.0 + _used_now()
    with suppress(OSError, ValueError, AttributeError):  # systems without /proc: all there is
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return None


def _left_to_group() -> float | None:
    """What the control groups of this process leave, as in a container or a batch job."""
    left = [each for version in GROUPS for each in _left_by_version(*version)]
    return min(left) + _used_now() if left else None


def _left_by_version(controller: str, folder: str, limit: str, used: str, cached: str) -> Iterator[float]:
    """What the group of this process leaves, and each that it is part of; files that are only cached can go."""
    top = Path(folder)
    group = top / _group_of_process(controller).lstrip("/")
    for each in (group, *group.parents):
        with suppress(OSError, ValueError):
            most = (each / limit).read_text(encoding="ascii").strip()
            if most != "max" and int(most) < UNLIMITED:
                taken = int((each / used).read_text(encoding="ascii"))
                found = re.search(
                    rf"^{cached} (\d+)$", (each / "memory.stat").read_text(encoding="ascii"), re.MULTILINE
                )
                yield float(int(most) - taken + (int(found[1]) if found else 0))
        if each == top:
            return


def _group_of_process(controller: str) -> str:
    """The path of the group of this process as the machine names it, which a container may not have."""
    with suppress(OSError, ValueError):
        for line in OWN_GROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if controller in controllers.split(","):
                return path
    return ""


def _own_limit() -> float | None:
    """What the limit of this process leaves: it counts addresses too that are reserved and hold nothing."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit in (resource.RLIM_INFINITY, -1):
        return None
    addresses, used = _size_now()
    return float(max(0, limit - (addresses - used)))


def _used_now() -> int:
    """The memory of this process."""
    return _size_now()[1]


def _size_now() -> tuple[int, int]:
    """The addresses of this process in bytes, and those that hold something; zeros where the system does not say."""
    with suppress(OSError, ValueError, IndexError, AttributeError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[:2]
        addresses, used = (int(each) * os.sysconf("SC_PAGE_SIZE") for each in pages)
        return addresses, used
    return 0, 0


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
