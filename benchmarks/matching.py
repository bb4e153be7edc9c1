"""Joint matching (js): growth with the number of people, beside other solvers where they fit; and the margins.

    python benchmarks/matching.py [people …]

The same as ``singleout bench matching``, over the sizes that docs/benchmarks.md repeats, then the hard kind (a third of
the people with a single place), then margins of everybody.
"""

import sys
import time

from singleout.bench.matching import HEADING, machine, sides, timings


def margins(people):
    import singleout as so

    so.match(*sides(100, False, 0)).margins()
    matching = so.match(*sides(people, False, 0))
    started = time.perf_counter()
    found = matching.margins()
    return time.perf_counter() - started, found


def main():
    people = [int(number) for number in sys.argv[1:]] or [1_000, 4_000, 16_000, 46_986, 200_000]
    for hard in (False, True):
        print(f"{machine()}{', a third of the people with one place' if hard else ''}\n{HEADING}", flush=True)
        for row in timings(people, hard=hard, others=not hard):
            print(row, flush=True)
    for number in people:
        if number <= 46_986:
            seconds, found = margins(number)
            print(f"margins of {number:,}: {seconds:.1f} s, {found}", flush=True)


if __name__ == "__main__":
    main()
