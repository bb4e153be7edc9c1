"""Too little memory or disk says how much was needed."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from singleout.ground import resources
from singleout.ground.resources import free_on_disk, in_bytes, is_full, is_too_little_memory, memory_in_words


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (25_000_000, "25 MB"), (3.2e9, "3.2 GB"), (5e12, "5.0 TB")],
)
def test_bytes_in_a_unit_that_fits(number, text):
    assert in_bytes(number) == text


@pytest.mark.parametrize(
    ("error", "amount"),
    [
        (MemoryError("Unable to allocate 14.9 GiB for an array with shape (2000000000,)"), "16 GB more"),
        (pa.ArrowMemoryError("malloc of size 64000 failed"), "64 kB more"),
        (
            duckdb.OutOfMemoryException("failed to allocate data of size 256.0 KiB (1.0 MiB/1.0 MiB used)"),
            "262 kB more",
        ),
        (RuntimeError("can't start new thread"), "more was asked for"),
        (MemoryError(), "more was asked for"),
    ],
)
def test_every_librarys_way_to_run_out_is_known(error, amount):
    assert is_too_little_memory(error)
    assert amount in memory_in_words(error)
    assert "were in use" in memory_in_words(error)


def test_other_errors_are_not_about_memory():
    assert not is_too_little_memory(RuntimeError("other"))
    assert not is_too_little_memory(ValueError("of size 3"))
    with pytest.raises(MemoryError, match="Unable to allocate") as caught:
        np.zeros(2**57)
    assert "TB more" in memory_in_words(caught.value)


def test_a_full_disk_is_told_by_its_number():
    assert is_full(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert not is_full(OSError(errno.EACCES, os.strerror(errno.EACCES)))
    assert free_on_disk(Path("nosuch/folder")) > 0


def test_free_memory_is_at_most_what_the_machine_has():
    free = resources.free_memory()
    assert free is None or 1e7 < free < 1e15


SECOND = ("", "memory.max", "memory.current", "inactive_file")
FIRST = ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Control groups in a folder: what each path may take in all, and the one of this process."""

    def build(limits, *, own, version=SECOND):
        controller, limit, used, cached = version
        for path, most in limits.items():
            group = tmp_path / "groups" / path
            group.mkdir(parents=True, exist_ok=True)
            (group / limit).write_text(f"{most}\n")
            (group / used).write_text("300000000\n")
            (group / "memory.stat").write_text(f"anon 1\n{cached} 200000000\n")
        (tmp_path / "own").write_text(
            f"9:name=systemd:/other\n4:cpu,{controller}:/{own}\n" if controller else f"0::/{own}\n"
        )
        monkeypatch.setattr(resources, "GROUPS", ((controller, str(tmp_path / "groups"), limit, used, cached),))
        monkeypatch.setattr(resources, "OWN_GROUPS", tmp_path / "own")
        monkeypatch.setattr(resources, "_used_now", lambda: 0)

    return build


@pytest.mark.parametrize("version", [SECOND, FIRST], ids=["second", "first"])
@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"": "max"}, None),
        ({"": 10**9}, 900_000_000),
        ({"": 2**62, "jobs": 10**9, "jobs/mine": 2**62, "others": 5 * 10**8}, 900_000_000),
        ({"jobs": 2 * 10**9, "jobs/mine": 10**9}, 900_000_000),
    ],
    ids=["none", "container", "batch-job", "nested"],
)
def test_groups_of_processes_may_have_less(groups, version, limits, expected):
    groups(limits, own="jobs/mine", version=version)
    assert resources._left_to_group() == expected


@pytest.mark.parametrize("own", ["kubepods/pod1", "../elsewhere", ""])
def test_a_group_that_a_container_does_not_show_is_the_folder_itself(groups, own):
    groups({"": 10**9}, own=own)
    assert resources._left_to_group() == 900_000_000


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say how large a process is")
def test_addresses_that_are_reserved_and_hold_nothing_count_towards_the_limit_of_a_process():
    script = """
import mmap, resource
from singleout.ground.resources import free_memory
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
before = free_memory()
reserved = mmap.mmap(-1, 6 << 30)
print(8 << 30 > before, free_memory() < 2 << 30)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True"]
