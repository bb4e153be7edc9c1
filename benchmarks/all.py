"""Everything that docs/benchmarks.md shows, or a choice of it; ends with the page rewritten.

    SINGLEOUT_DATA=… python benchmarks/all.py [--only NAME …] [--write PAGE]

Each script runs in a process of its own and writes its own sections. One that fails leaves them as they were. Seconds
are worth writing only if the machine does nothing else; each section says how busy it was.
"""

import subprocess
import sys
import time
from pathlib import Path

import page

MINUTES = {
    "rejection": 1,
    "probability": 1,
    "population": 3,
    "linking": 1,
    "variables": 1,
    "protected_tables": 2,
    "networks": 4,
    "linkage": 1,
    "linkage --million": 1,
    "intervals": 6,
    "extrapolation": 6,
    "intruder": 15,
    "microaggregation": 4,
    "planning": 5,
    "warehouse": 11,
    "sizing": 15,
    "matching": 10,
    "matching --million": 12,
    "speed": 25,
}
"""About what each takes on two idle cores. Rows of speed that take longest run only where they are named there."""


def chosen(names):
    """The commands to run; a name stands for all of its script."""
    known = {words.split()[0] for words in MINUTES}
    wrong = sorted(set(names) - known)
    if wrong:
        sys.exit(f"--only: no script {', '.join(wrong)}; there are {', '.join(sorted(known))}")
    return [words for words in MINUTES if not names or words.split()[0] in names]


def run(words, target):
    """Whether a script ended well."""
    script, *options = words.split()
    print(f"== {words}: about {MINUTES[words]} min", flush=True)
    started = time.perf_counter()
    command = [sys.executable, str(page.ROOT / "benchmarks" / f"{script}.py"), *options, "--write", str(target)]
    well = subprocess.run(command, check=False).returncode == 0
    told = "written" if well else "failed: its sections stay as they were"
    print(f"== {words}: {told}, after {(time.perf_counter() - started) / 60:.1f} min", flush=True)
    return well


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="only these scripts")
    parser.set_defaults(write=page.PAGE)
    asked = parser.parse_args()
    page.data()
    commands = chosen(asked.only)
    print(f"{len(commands)} runs, about {sum(MINUTES[words] for words in commands)} min on two idle cores")
    failed = [words for words in commands if not run(words, Path(asked.write))]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
