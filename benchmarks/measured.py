"""Run a piece of work in a process of its own and bring back its time and peak memory."""

import multiprocessing
import re
import resource
import sys
import time
from pathlib import Path


def _peak_mb():
    """Most memory this process had. Linux counts what its parent had before it in ru_maxrss, but not in VmHWM."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1]) / 1024


def _child(work, arguments, pipe):
    started = time.perf_counter()
    value = work(*arguments)
    seconds = time.perf_counter() - started
    pipe.send((value, seconds, _peak_mb()))


def measured(work, *arguments):
    """(what ``work`` returns, seconds, peak MB of the whole process) in a fresh interpreter."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(work, arguments, there))
    process.start()
    there.close()  # so that the end of the other process is seen
    try:
        return here.recv()
    except EOFError:
        sys.exit(f"the process that ran {work.__name__} ended without a result")
    finally:
        process.join()
