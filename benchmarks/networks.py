"""Networks and their kernels: seconds on synthetic walkers, beside GraKeL, and on real logs.

    SINGLEOUT_DATA=… python benchmarks/networks.py [--people 1500] [--write]

The walkers are those of ``singleout bench topology``; GraKeL gets 400 of them, the pruned graphs ready-made, while our
time includes labels and pruning. Then networks of stays of all of GeoLife, and ``singleout topology --defences`` on
two logs as a command, start included.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import page

import singleout as so
from singleout.bench.topology import HEADING, topology_timings

FEW = 400
LOGS = {"foursquare_nyc": "checkins.parquet", "web_proxy_150users": "visits.parquet"}


def networks_of_stays(root):
    cells = {"lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5, "grid": 500}
    log = so.read_events(root / "geolife" / "points_full_e5.parquet", user="user", time="time", **cells)
    started = time.perf_counter()
    so.networks(log, min_dwell="15min", max_gap=None)
    return "GeoLife's 24.7 million points to networks of stays", time.perf_counter() - started


def defences(file):
    """The whole command."""
    words = [sys.executable, "-m", "singleout", "topology", str(file), "--user", "user", "--time", "time"]
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        subprocess.run(
            [*words, "--place", "place", "--defences", "--out", str(Path(folder) / "out")],
            check=True,
            capture_output=True,
        )
        return f"`singleout topology --defences`, {file.parent.name}", time.perf_counter() - started


def measure(people, root):
    print(HEADING)
    found = [*topology_timings([people], others=False), *topology_timings([min(people, FEW)])]
    print("\n".join(map(str, found)), flush=True)
    real = [networks_of_stays(root), *(defences(root / name / file) for name, file in LOGS.items())]
    for what, seconds in real:
        print(f"{what}: {seconds:.1f} s", flush=True)
    return found, real


def lay_out(results):
    found, real = results
    ours = [row for row in found if row.people == found[0].people and row.theirs is None]
    rows = [(f"{row.people:,}", row.what, f"{row.seconds:.2f}") for row in ours]
    rows += [("", what, f"{seconds:.1f}") for what, seconds in real]
    text = page.table("walkers | what | seconds", rows)
    beside = [row for row in found if row.theirs is not None]
    if not beside:
        return f"{text}\n\nGraKeL is not installed, and left out."
    cells = [
        (
            f"{row.people:,}",
            row.what,
            f"{row.seconds:.2f}",
            f"{row.theirs:.1f}",
            f"{row.theirs / row.seconds:.1f}",
            f"{row.difference:.0g}",
        )
        for row in beside
    ]
    heading = "walkers | kernel | seconds | GraKeL | ratio | largest difference of a score"
    return f"{text}\n\n{page.table(heading, cells)}"


SECTIONS = {"networks": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--people", type=int, default=1_500)
    asked, opening = parser.parse_args(), page.head(timed=True)
    page.write_sections(asked.write, opening, SECTIONS, measure(asked.people, page.data()))


if __name__ == "__main__":
    main()
