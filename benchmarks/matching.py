"""Joint matching of synthetic callers (js): growth with the number of people, and beside SciPy where that fits.

    python benchmarks/matching.py [people …]

Every row runs in a process of its own, so that its peak memory is its own. Kernels are compiled before the clock
starts. SciPy's two calls (cdist with jensenshannon, linear_sum_assignment) run up to 4,000 people.
"""

import sys
import time

from measured import measured

SCIPY_UP_TO = 4_000


def sides(people):
    import singleout as so

    log = so.synthetic_calls(people=people, seed=0)
    return [so.histograms(part) for part in so.split(log.events, by="weeks")]


def ours(people):
    import singleout as so

    so.match(*sides(100))
    released, known = sides(people)
    started = time.perf_counter()
    matching = so.match(released, known)
    seconds = time.perf_counter() - started
    return seconds, matching.cost, matching.relative_gap, matching.seconds


def scipys(people):
    import numpy as np
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    released, known = sides(people)
    columns = 1 + max(released.places.max(), known.places.max())
    tables = []
    for side in (released, known):
        table = np.zeros((len(side), columns))
        table[:, side.places] = side.counts.toarray()
        tables.append(table / table.sum(axis=1, keepdims=True))
    started = time.perf_counter()
    weights = 2 * cdist(*tables, "jensenshannon") ** 2
    cost = weights[linear_sum_assignment(weights)].sum()
    return time.perf_counter() - started, cost


def main():
    print(
        "people      seconds  peak MB  relative gap  candidates  solving  pricing   SciPy's seconds, ratio, cost off by"
    )
    for people in map(int, sys.argv[1:] or ["1000", "4000", "16000", "46986"]):
        (seconds, cost, gap, parts), _, peak = measured(ours, people)
        beside = ""
        if people <= SCIPY_UP_TO:
            (theirs, their_cost), _, _ = measured(scipys, people)
            beside = f"{theirs:8.1f} {theirs / seconds:8.0f} {abs(cost - their_cost):.1e}"
        laps = " ".join(f"{parts[name]:9.2f}" for name in ("candidates", "solving", "pricing"))
        print(f"{people:9,} {seconds:9.2f} {peak:8,.0f} {gap:13.1e} {laps}   {beside}", flush=True)


if __name__ == "__main__":
    main()
