"""All js costs of synthetic callers by the overlap driver, beside SciPy's dense cdist on the same histograms.

python benchmarks/weights.py [people …]
"""

import sys
import time

import numpy as np
from scipy.spatial.distance import cdist

import singleout as so
from singleout.similarity.overlaps import overlaps
from singleout.similarity.registry import find_similarity


def sides(people):
    log = so.synthetic_calls(people=people, preset="heavy-tail", seed=0)
    return [so.histograms(part) for part in so.split(log.events, by="weeks")]


def dense(side, columns):
    counts = np.zeros((len(side), columns))
    counts[:, side.places] = side.counts.toarray()
    return counts / counts.sum(axis=1, keepdims=True)


def main():
    overlaps(*sides(50), find_similarity("js")).gains()  # compile
    for people in map(int, sys.argv[1:] or ["1000", "4000"]):
        released, known = sides(people)
        started = time.perf_counter()
        pairs = overlaps(released, known, find_similarity("js"))
        gains = pairs.gains()
        ours = time.perf_counter() - started
        columns = 1 + max(released.places.max(), known.places.max())
        started = time.perf_counter()
        distances = cdist(dense(released, columns), dense(known, columns), "jensenshannon")
        scipys = time.perf_counter() - started
        ours_again = 2 * np.log(2) - gains[np.ix_(pairs.released.classes.label, pairs.known.classes.label)]
        # SciPy's distance is the square root of half the similarity of N16 eq. 7
        off = np.abs(2 * distances**2 - ours_again).max()
        print(
            f"{people:,} people: singleout {ours:.2f} s, SciPy {scipys:.2f} s, ratio {scipys / ours:.0f}, off {off:.1e}"
        )


if __name__ == "__main__":
    main()
