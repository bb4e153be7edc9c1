"""Campaigns of what goes wrong around a command: it is ended at any moment, memory or a disk is too small."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pyarrow.parquet

from tests.campaigns.runs import COLUMNS, QUICK, is_refusal, is_whole, log, run, run_well

KNOWN = [*COLUMNS, "--similarities", "js"]
REPLACED = {
    "audit": (40, ["audit", "log.parquet", *QUICK]),
    "protect": (20, ["protect", "log.parquet", *COLUMNS, "--microaggregate", "5"]),
    "verify": (20, ["verify", "released/protected.parquet", "log.parquet", *KNOWN, "--key", "released/key.csv"]),
    "compare": (20, ["compare", "first", "first"]),
}
"""How often each is ended, and what it is."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
WHILE_IT_WRITES = 0.05
"""Seconds."""


def kills(folder):
    """A command that replaces an earlier result is ended, half the times as it writes: one whole result stays."""
    pyarrow.parquet.write_table(log(), folder / "log.parquet")
    run_well(["audit", "log.parquet", *QUICK, "--quiet", "--out", "first"], folder)
    run_well([*REPLACED["protect"][1], "--quiet", "--out", "released"], folder)
    rng, faults = np.random.default_rng(), []
    for name, (times, words) in REPLACED.items():
        words = [*words, "--quiet", "--out", f"{name}-out"]
        started = time.monotonic()
        run_well(words, folder)
        lasts = time.monotonic() - started
        for number in range(times):
            how = SIGNALS[number % len(SIGNALS)]
            _end(words, folder, how, None if number % 2 else rng.uniform(0, lasts), rng.uniform(0, WHILE_IT_WRITES))
            if not is_whole(folder / f"{name}-out"):
                faults.append(f"{name}, {how.name}: no whole result")
        run_well(words, folder)
        left = {each.name for each in folder.iterdir()} - {"log.parquet", "first", "released"}
        left -= {f"{each}-out" for each in REPLACED}
        faults += [f"{name}, left behind after the next run: {each}" for each in sorted(left)]
    return sum(times for times, _ in REPLACED.values()), faults


def _end(words, folder, how, after, later):
    """Start a command and end it after some seconds, or a moment after it has begun to write."""
    before, nowhere = set(folder.iterdir()), subprocess.DEVNULL
    child = [sys.executable, "-m", "singleout", *words]
    env = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen(child, cwd=folder, env=env, stdout=nowhere, stderr=nowhere) as process:
        if after is None:
            while process.poll() is None and not any(_is_begun(each) for each in set(folder.iterdir()) - before):
                time.sleep(0.001)
        time.sleep(later if after is None else after)
        process.send_signal(how)


def _is_begun(folder):
    """Whether a result is being written there."""
    try:
        return any(path.suffix in (".html", ".csv", ".json", ".md") for path in folder.iterdir())
    except OSError:
        return False


def memory(folder):
    """Less and less memory: an audit ends well, or with one line, and writes nothing then."""
    pyarrow.parquet.write_table(log(400), folder / "log.parquet")
    faults, sizes = [], range(500, 8_000, 500)
    for size in sizes:
        out = folder / f"out{size}"
        done = run(_audit(out), folder, limits={"RLIMIT_AS": size * 10**6})
        faults += _faults(f"{size} MB", done, out)
    return len(sizes), faults


LIMITS = 0, 10, 100, 1_000, 10_000, 50_000, 100_000, 300_000, 700_000, 1_200_000, 2_000_000, 10**8
DISKS = 4, 20, 100, 400, 700, 900, 1_000, 1_100, 1_500, 2_500, 20_000
"""KB: an audit's page has about a thousand."""


def disks(folder):
    """Files that may not grow, a small disk for results, a full one for temporary files: well, or nothing written."""
    pyarrow.parquet.write_table(log(), folder / "log.parquet")
    faults, tried = [], len(LIMITS)
    for size in LIMITS:
        done = run(_audit(folder / f"out{size}"), folder, limits={"RLIMIT_FSIZE": size})
        faults += _faults(f"{size} bytes in a file", done, folder / f"out{size}")
    for size in DISKS if os.geteuid() == 0 else ():  # only root may make disks
        with _small_disk(folder / f"disk{size}", size) as disk:
            for words in (_protect(disk / "protected"), _audit(disk / "out")):
                done, out = run(words, folder), words[-1]
                faults += _faults(f"a disk of {size} kB for {out.name}", done, out)
                faults += [f"{size} kB, left: {each.name}" for each in disk.iterdir() if not is_whole(each)]
        with _small_disk(folder / f"temporary{size}", size) as disk:
            done = run(_audit(folder / f"then{size}"), folder, {"TMPDIR": str(disk)})
            faults += _faults(f"{size} kB for temporary files", done, folder / f"then{size}")
            faults += [f"{size} kB for temporary files, left: {each.name}" for each in disk.iterdir()]
        tried += 3
    return tried, faults


def _audit(out):
    return ["audit", "log.parquet", *QUICK, "--quiet", "--out", out]


def _protect(out):
    return ["protect", "log.parquet", *COLUMNS, "--microaggregate", "5", "--quiet", "--out", out]


def _faults(which, done, out):
    """What is wrong with how a command ended."""
    if (done.returncode == 0 and is_whole(out)) or (is_refusal(done) and not out.exists()):
        return []
    return [f"{which}: exit code {done.returncode}, {done.stderr[-200:]}"]


@contextmanager
def _small_disk(folder, size):
    """A file system in memory of so many kB."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
