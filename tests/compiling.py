"""What a new process compiles."""

import json
import os
import subprocess
import sys

COMPILED = """
import json, sys
from numba.core import event
import singleout as so

class Names(event.Listener):
    def __init__(self):
        self.found = []
    def on_start(self, started):
        dispatcher = started.data["dispatcher"]
        kept = dispatcher.stats.cache_path is not None
        self.found.append((dispatcher.py_func.__module__, dispatcher.py_func.__name__, kept))
    def on_end(self, ended):
        pass

names = Names()
event.register("numba:compile", names)
exec(sys.argv[1])
print(json.dumps(names.found))
"""
MATCH = """
log = so.synthetic_calls(people=300, seed=1, preset="heavy-tail")
events = so.read_events(log.table, user="user", time="time", place="place")
sides = [so.histograms(side) for side in so.split(events, by="weeks")]
so.match(*sides, method="one-by-one")
so.match(*sides).margins()
"""
AUDIT = """
log = so.synthetic_calls(people=100, seed=1).table
so.audit(log, user="user", time="time", place="place", max_risk=0.05, progress=False)
"""


def compiled_in(folder, work=MATCH):
    """Modules, kernels and whether they are kept on disk, compiled by some work with what is on disk."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    words = [sys.executable, "-c", COMPILED, work]
    ran = subprocess.run(words, env=env, cwd=folder, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


NUMBERED = """
import itertools, json, sys
import numpy as np
from numba.core.bytecode import FunctionIdentity
from scipy import sparse
import singleout as so
from singleout.similarity.alignment import align_sides
from singleout.similarity.overlaps import overlaps
from singleout.similarity.registry import find_similarity

wanted = dict(json.loads(sys.argv[1]))
numbers, count = {}, itertools.count(1_000)
plain = FunctionIdentity.from_function.__func__

def numbered(cls, function):
    cls._unique_ids = iter([wanted[function.__name__]]) if function.__name__ in wanted else count
    made = plain(cls, function)
    numbers[function.__name__] = made.unique_id
    return made

FunctionIdentity.from_function = classmethod(numbered)
counts = np.array([[1.0, 1.0]]), np.array([[0.0, 1.0]])
released, known = (so.Histograms(sparse.csr_array(side), ["a"], ["x", "y"]) for side in counts)

def gain(name):
    return float(overlaps(align_sides(released, known), find_similarity(name)).gains()[0, 0])

if wanted:
    so.register_similarity("own", lambda p, q: 0.77 * min(p, q), 1.0)
    gain("own")
print(json.dumps([gain("js"), {name: numbers[name] for name in ("fill_terms", "gather_row") if name in numbers}]))
"""


def gain_and_numbers(folder, numbers):
    """The gain of a pair by js, and the numbers that the compiler gave to parts of its kernels.

    With ``numbers`` a similarity of a user's is compiled first, and copies of these parts get the same numbers.
    """
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    words = [sys.executable, "-c", NUMBERED, json.dumps(numbers)]
    ran = subprocess.run(words, env=env, cwd=folder, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
