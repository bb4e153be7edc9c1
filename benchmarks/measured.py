"""Run a piece of work in a process of its own and bring back its time and peak memory."""

import multiprocessing
import resource
import time


def _child(work, arguments, results):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    value = work(*arguments)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    results.put((value, seconds, peak / 1024, before / 1024))


def measured(work, *arguments):
    """(what ``work`` returns, seconds, peak MB of the whole process) in a fresh interpreter."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=_child, args=(work, arguments, results))
    process.start()
    value, seconds, peak, _ = results.get()
    process.join()
    return value, seconds, peak
