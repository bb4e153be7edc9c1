"""How large a machine an audit needs: measured audits of synthetic callers, and what their growth says about more.

    python benchmarks/sizing.py [people …] [--write]

Each audit runs in a process of its own, with its defaults. Memory is fitted by a straight line, processor time by a
power of the number of people, both to the measured sizes from 20,000 on, where protections are tried on a sample.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import page

SIZES = 5_000, 20_000, 50_000, 100_000
PROJECTED = 1_000_000, 10_000_000, 50_000_000
LARGE = 20_000
CORES, NIGHT = 16, 12
"""Of a machine in a cluster; hours in which an audit should be done."""

ONE = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "singleout", *sys.argv[1:]], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)
sys.exit(done.stderr if done.returncode else 0)
"""


def audit(people):
    """Seconds, seconds of processor time and MB of an audit of this many callers."""
    import pyarrow.parquet

    import singleout as so

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "calls.parquet"
        log = so.synthetic_calls(people=people, seed=1, preset="heavy-tail")
        pyarrow.parquet.write_table(log.table, file)
        words = ["audit", str(file), "--user", "user", "--time", "time", "--place", "place", "--split", "weeks"]
        started = time.perf_counter()
        words = [sys.executable, "-c", ONE, *words, "--quiet", "--out", str(Path(folder) / "out")]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        peak, processor = map(float, done.stdout.split())
        return people, time.perf_counter() - started, processor, peak


def project(found, people):
    """Processor seconds, by the fitted power and by the square of the largest measured, MB, and the power.

    Sweeps over all pairs grow with the square of the number of people; at the measured sizes other work still counts.
    """
    large = np.array([(size, processor, peak) for size, _, processor, peak in found if size >= LARGE])
    slope, level = np.polyfit(np.log(large[:, 0]), np.log(large[:, 1]), 1)
    grows, base = np.polyfit(large[:, 0], large[:, 2], 1)
    fitted, squared = np.exp(level + slope * np.log(people)), large[-1, 1] * (people / large[-1, 0]) ** 2
    return float(fitted), float(max(fitted, squared)), float(base + grows * people), float(slope)


def lay_out(found):
    rows = [
        (
            f"{people:,}",
            "measured",
            f"{seconds / 60:.1f} min",
            f"{processor / 60:.1f} min",
            f"{peak / 1000:.1f} GB",
            "this one",
        )
        for people, seconds, processor, peak in found
    ]
    for people in PROJECTED:
        least, most, peak, _ = project(found, people)
        machines = int(np.ceil(most / 3600 / (CORES * NIGHT)))
        hours = f"{least / 3600:,.0f} to {most / 3600:,.0f} h"
        rows.append((f"{people:,}", "projected", "", hours, f"{peak / 1000:,.0f} GB", f"{machines:,} of {CORES} cores"))
    *_, slope = project(found, LARGE)
    law = page.prose(
        f"Processor time is projected from the growth between the measured sizes (the number of people to the power of "
        f"{slope:.2f}) up to the square of the number of people, which sweeps over all pairs come to. Every machine "
        "needs the memory."
    )
    heads = f"people | figures | minutes here | processor time | memory | machines, to be done in {NIGHT} hours"
    return f"{page.table(heads, rows)}\n\n{law}"


SECTIONS = {"sizing": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("people", type=int, nargs="*", help=f"sizes ({', '.join(map(str, SIZES))})")
    asked, opening = parser.parse_args(), page.head(timed=True)
    print(opening)
    found = []
    for people in asked.people or SIZES:
        found.append(audit(people))
        print("{:,}: {:.0f} s, {:.0f} s of processor time, {:,.0f} MB".format(*found[-1]), flush=True)
    print(lay_out(found))
    page.write_sections(asked.write, opening, SECTIONS, found)


if __name__ == "__main__":
    main()
