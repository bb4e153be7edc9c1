"""Run a piece of work in a process of its own and bring back its time and peak memory."""

import multiprocessing
import re
import resource
import time
from pathlib import Path


def _peak_mb():
    """Most memory this process had. Linux counts what its parent had before it in ru_maxrss, but not in VmHWM."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1]) / 1024


def _child(work, arguments, results):
    started = time.perf_counter()
    value = work(*arguments)
    seconds = time.perf_counter() - started
    results.put((value, seconds, _peak_mb()))


def measured(work, *arguments):
    """(what ``work`` returns, seconds, peak MB of the whole process) in a fresh interpreter."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=_child, args=(work, arguments, results))
    process.start()
    value, seconds, peak = results.get()
    process.join()
    return value, seconds, peak
