"""Joint matching (js): growth with the number of people, beside other solvers where they fit; and the margins.

    python benchmarks/matching.py [people …] [--million] [--write]

The same as ``singleout bench matching``, over the sizes that docs/benchmarks.md repeats, then the hard kind (a third of
the people with a single place), then margins of everybody. --million: a million people alone, proven to be within 1% of
the best.
"""

import resource
import time

import page

from singleout.bench.matching import HEADING, missing_solvers, sides, timings

SIZES = 1_000, 4_000, 16_000, 46_986, 200_000
MOST_FOR_MARGINS = 46_986
MILLION, TOLERANCE = 1_000_000, 0.01


def margins(people):
    import singleout as so

    so.match(*sides(100, False, 0)).margins()
    matching = so.match(*sides(people, False, 0))
    started = time.perf_counter()
    found = matching.margins()
    return people, time.perf_counter() - started, int(found.above.sum())


def measure(people):
    """Rows of singleout beside the others, rows of the hard kind, and margins."""
    found = {}
    for hard in (False, True):
        print(f"{'A third of the people with one place' if hard else 'All as they are'}\n{HEADING}", flush=True)
        found[hard] = []
        for row in timings(people, hard=hard, others=not hard):
            print(row, flush=True)
            found[hard].append(str(row))
    found["margins"] = []
    for number in people:
        if number <= MOST_FOR_MARGINS:
            found["margins"].append(margins(number))
            print("margins of {:,}: {:.1f} s, {:,} of them lower bounds".format(*found["margins"][-1]), flush=True)
    return found


def lay_out(found):
    missing = missing_solvers()
    left_out = f"\n\nNot installed, and left out: {', '.join(missing)}." if missing else ""
    return block(found[False]) + left_out


def lay_out_hard(found):
    return block(found[True])


def block(rows):
    return "\n".join(["```text", HEADING, *rows, "```"])


def lay_out_margins(found):
    rows = [(f"{people:,}", f"{seconds:.1f}", f"{bounds:,}") for people, seconds, bounds in found["margins"]]
    return page.table("people | seconds | margins that are only lower bounds", rows)


def measure_million():
    """One row, and the processor time of everything: generating the people is part of it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    (row,) = timings([MILLION], tolerance=TOLERANCE, others=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return row, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lay_out_million(found):
    row, processor = found
    minutes = f"{row.seconds / 60:.1f} | {processor / 60:.1f} | {row.peak_mb:,.0f} | {row.relative_gap:.2%}"
    heading = "people | minutes | minutes of processor time, generating included | peak MB | gap"
    return page.table(heading, [(f"{row.people:,}", minutes)])


SECTIONS = {
    "matching": lay_out,
    "matching-hard": lay_out_hard,
    "margins": lay_out_margins,
    "matching-million": lay_out_million,
}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("people", type=int, nargs="*", help="sizes (1,000 to 200,000)")
    parser.add_argument("--million", action="store_true")
    asked, opening = parser.parse_args(), page.head(timed=True)
    print(opening)
    if asked.million:
        results, names = measure_million(), ["matching-million"]
        print(lay_out_million(results))
    else:
        results, names = measure(asked.people or SIZES), ["matching", "matching-hard", "margins"]
    page.write_sections(asked.write, opening, {name: SECTIONS[name] for name in names}, results)


if __name__ == "__main__":
    main()
