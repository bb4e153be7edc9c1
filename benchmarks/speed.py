"""How long users wait: this commit beside an older one, the same work in one run, each in a process of its own.

    SINGLEOUT_DATA=… python benchmarks/speed.py [--old COMMIT] [--only WORD …] [--write]

Each row names its commits; with --write, rows of work that was not run stay as they were. Kernels are compiled before
anything is timed, by the same work on a small size; one row times a first run, which compiles them.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import page
from page import ROOT

COLUMNS = "work | before | now | ratio | memory before | memory now | commits"


def callers(people):
    import singleout as so

    log = so.synthetic_calls(people=people, seed=1, preset="heavy-tail")
    events = so.read_events(log.table, user="user", time="time", place="place")
    return [so.histograms(side) for side in so.split(events, by="weeks")]


def match_callers(people, similarity="js"):
    sides = callers(people)
    return lambda so: so.match(*sides, similarity=similarity).relative_gap


def margins_of_callers(people):
    import singleout as so

    matching = so.match(*callers(people))
    return lambda so: len(matching.margins())


def first_run(people, *words):
    """A command in a process that finds no compiled kernel on disk."""
    import pyarrow.csv

    import singleout as so

    file = Path(tempfile.mkdtemp()) / "calls.csv"
    pyarrow.csv.write_csv(so.synthetic_calls(people=people, seed=1, preset="heavy-tail").table, file)
    work = command([words[0], str(file), "--user", "user", "--time", "time", "--place", "place", *words[1:]])

    def run(so):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["NUMBA_CACHE_DIR"] = folder
            return work(so)

    return run


def microaggregate_cards(cards, k):
    import travel_cards

    import singleout as so

    log = so.read_events(travel_cards.travel_cards(cards), user="card", time="time", place="stop")
    counts = so.histograms(log)
    return lambda so: so.microaggregate(counts, k).loss


def six_kernels(people):
    from singleout.bench.topology import KERNELS, VISITS, _compare, _sides, walkers

    sides = _sides(walkers(people, VISITS if people > 300 else 300, 0), 0)
    return lambda so: [_compare(*sides, kernel=name) for name in KERNELS] and None


def read_geolife(_):
    from reading import both_halves

    file = Path(os.environ["SINGLEOUT_DATA"]) / "geolife" / "points_full_e5.parquet"
    return lambda so: both_halves(str(file))


def pairs_of_columns(_):
    from variables import CORE, NOT_RELEASED

    file = Path(os.environ["SINGLEOUT_DATA"]) / "acs2024_householder" / "acs2024_householder_49states.parquet"
    asked = ["--known-columns", ",".join(CORE), "--drop", ",".join(NOT_RELEASED), "--strategy", "all", "--add", "2"]
    return command(["variables", str(file), *asked])


def suda_of_census(_, columns):
    """The first so many columns that are released."""
    from variables import NOT_RELEASED

    import singleout as so

    file = Path(os.environ["SINGLEOUT_DATA"]) / "acs2024_householder" / "acs2024_householder_49states.parquet"
    table = so.read_table(file, drop=NOT_RELEASED)
    return lambda so: so.suda(table, columns=table.columns[:columns], max_size=3) and None


def start(people):
    """A new process that imports the package and matches a few people, with kernels on disk."""
    code = f"import speed, singleout; speed.match_callers({people})(singleout)"
    return lambda so: subprocess.run([sys.executable, "-c", code], check=True) and None


def command(arguments):
    """A command; the time of the first figure is when it is announced."""

    def run(so):
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-m", "singleout", *arguments, "--out", str(Path(folder) / "out")]
            started, first = time.perf_counter(), None
            with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
                for line in process.stderr:
                    if first is None and "%" in line:
                        first = time.perf_counter() - started
            return first

    return run


def audit_demo(_):
    return command(["demo"])


def audit_cards(cards):
    import pyarrow.parquet
    import travel_cards

    file = Path(tempfile.mkdtemp()) / "cards.parquet"
    pyarrow.parquet.write_table(travel_cards.travel_cards(cards), file)
    return command(["audit", str(file), "--user", "card", "--time", "time", "--place", "stop"])


SPLIT = "--split", "weeks"
WORK = {
    "js, certified, 4,000 callers": (match_callers, (4_000,)),
    "js, certified, 46,986 callers": (match_callers, (46_986,)),
    "js, certified, 200,000 callers": (match_callers, (200_000,)),
    "evidence, certified, 46,986 callers": (match_callers, (46_986, "evidence")),
    "evidence_mild, certified, 46,986 callers": (match_callers, (46_986, "evidence_mild")),
    "glrt, certified, 16,000 callers": (match_callers, (16_000, "glrt")),
    "glrt, certified, 46,986 callers": (match_callers, (46_986, "glrt")),
    "margins of all 46,986": (margins_of_callers, (46_986,)),
    "first `match` after installation, 300 callers, compiling included": (first_run, (300, "match", *SPLIT)),
    "first `audit` after installation, 300 callers, compiling included": (first_run, (300, "audit")),
    "micro-aggregation, 20,000 cards, k = 20": (microaggregate_cards, (20_000, 20)),
    "six kernels, 1,500 + 1,500 networks": (six_kernels, (1_500,)),
    "GeoLife, 24.6 million points to both halves": (read_geolife, (0,)),
    "census, `variables` with all pairs of columns": (pairs_of_columns, (0,)),
    "census, SUDA, 10 columns, up to 3 at a time": (suda_of_census, (0, 10)),
    "census, SUDA, 20 columns, up to 3 at a time": (suda_of_census, (0, 20)),
    "start of a process, import and 50 callers matched": (start, (50,)),
    "audit of the demo": (audit_demo, (0,)),
    "audit of 20,000 cards, 2.06 million taps": (audit_cards, (20_000,)),
}
SLOW = {"js, certified, 200,000 callers"}
"""Only where they are named: they take minutes."""


def time_one(name):
    """In this process: prepare, run once on a small size, then time it; prints plain data."""
    import resource

    from measured import _peak_mb

    import singleout as so

    prepare, arguments = WORK[name]
    if arguments[0] and prepare is not first_run:
        prepare(300, *arguments[1:])(so)
    if prepare is audit_demo:  # it has one size only
        audit_cards(300)(so)
    work = prepare(*arguments)
    before = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    started = time.perf_counter()
    first = work(so)
    seconds = time.perf_counter() - started
    after = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime for a, b in zip(before, after, strict=True))
    is_command = prepare in (first_run, audit_demo, audit_cards, pairs_of_columns, start)
    peak = after[1].ru_maxrss / 1024 if is_command else _peak_mb()
    print(json.dumps({"seconds": seconds, "processor": processor, "mb": peak, "first": first if is_command else None}))


def run(name, source, longest):
    """Time one piece of work with the sources of one commit."""
    env = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{ROOT / 'benchmarks'}"}
    command = [sys.executable, str(Path(__file__).resolve()), "--one", name]
    # a group of its own, so that a command it has started ends with it
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            out, errors = process.communicate(timeout=longest)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return {"error": "", "longer": longest}
    return json.loads(out.splitlines()[-1]) if process.returncode == 0 else {"error": errors[-300:]}


def in_words(found):
    if "longer" in found:
        return f"more than {found['longer'] // 60} min"
    if "error" in found:
        return "not possible"
    first = "" if found["first"] is None else f", first figure after {found['first']:.1f} s"
    return f"{found['seconds']:.1f} s ({found['processor']:.0f} s of processor time{first})"


def row(name, old, new, commits):
    ratio = f"{old['seconds'] / new['seconds']:.1f}" if "seconds" in old and "seconds" in new else ""
    memory = [f"{found['mb']:,.0f} MB" if "mb" in found else "" for found in (old, new)]
    return [name, in_words(old), in_words(new), ratio, *memory, commits]


def rows_of(body):
    """The rows of a section by the name of the work."""
    lines = [line.strip("|").strip().split(" | ") for line in body.splitlines() if line.startswith("| ")]
    return {cells[0]: cells for cells in lines if cells[0] != "work"}


def merged(body, rows, machine):
    """The section with these rows; others stay, and name their machine where it was another one."""
    before = re.search(r"Measured on (.*), each row", body)
    kept = rows_of(body)
    if before and before[1] != machine:
        for cells in kept.values():
            cells[-1] += "" if " on " in cells[-1] else f" on {before[1]}"
    together = kept | {cells[0]: cells for cells in rows}
    ordered = [together.pop(name) for name in WORK if name in together]
    opening = f"Measured on {machine}, each row at the commits it names."
    return f"{opening}\n\n{page.table(COLUMNS, [*ordered, *together.values()])}"


SECTIONS = {"speed": merged}


def write(file, rows):
    text = file.read_text(encoding="utf-8")
    (body,) = (found["body"] for found in page.sections(text) if found["name"] == "speed")
    page.write(file, {"speed": merged(body, rows, page.machine())})


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--old", default="4e557f2", help="commit to compare with")
    parser.add_argument("--only", nargs="*", default=[], help="only work whose name contains one of these")
    parser.add_argument("--longest", type=int, default=1_200, help="seconds after which a run is given up")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        time_one(asked.one)
        return
    names = [name for name in WORK if any(word in name for word in asked.only)] if asked.only else set(WORK) - SLOW
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "-C", str(ROOT), "worktree", "add", "-q", "--detach", folder, asked.old], check=True)
        try:
            commits = f"{page.commit(folder)}, {page.commit()}"
            print(f"{page.head(timed=True)}\n\n{page.table(COLUMNS, [])}", flush=True)
            rows = []
            for name in [each for each in WORK if each in names]:
                old, new = (run(name, source, asked.longest) for source in (f"{folder}/src", str(ROOT / "src")))
                rows.append(row(name, old, new, commits))
                print(f"| {' | '.join(rows[-1])} |", flush=True)
        finally:
            subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", folder], check=True)
    if asked.write:
        write(asked.write, rows)


if __name__ == "__main__":
    main()
