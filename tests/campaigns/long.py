"""Campaigns in their long form, by hand: python -m tests.campaigns.long [NAME …] [--write]

Each tries many cases, counts those that broke a promise, and says which. With ``--write`` the counts become
docs/reliability.md. What is tried follows from seeds, except the moments of kills, which no seed decides.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import singleout as so

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"
COLUMNS = ["--user", "user", "--time", "time", "--place", "place"]
QUICK = [*COLUMNS, "--split", "weeks", "--similarities", "js", "--no-protect", "--topology", "no", "--known-pairs", "0"]


def log(people=80):
    """Calls, with ids of people and places as text: in a file of text they are text, and are ordered as such."""
    table = so.synthetic_calls(people=people, seed=1).table
    return pa.table(
        {name: table[name].cast(pa.int64() if name == "time" else pa.string()) for name in table.column_names}
    )


def run(words, folder, env=None, limits=None, **more):
    """A command in a process of its own; ``limits`` are set in it."""

    def limited():
        for what, most in (limits or {}).items():
            resource.setrlimit(what, (most, most))

    return subprocess.run(
        [sys.executable, "-m", "singleout", *map(str, words)],
        cwd=folder, env={**os.environ, "TMPDIR": str(folder), **(env or {})}, preexec_fn=limited,
        capture_output=True, text=True, timeout=600, **more,
    )  # fmt: skip


def is_refusal(done):
    """Whether a command ended as promised where it could not do its work."""
    # a library may warn before
    return (
        done.returncode == 2
        and bool(re.search("^error: ", done.stderr, re.MULTILINE))
        and "Traceback" not in done.stderr
    )


def hostile(folder):
    """Every hostile call: broken files, odd values of every option, canaries and markup in every name."""
    words = [sys.executable, "-m", "pytest", "-n", "0", "-s", "--long", "tests/campaigns/test_hostile_inputs.py"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.search(r'\{"tried": (\d+), "of": \d+, "failed": (\d+)\}', done.stdout)
    if found is None:
        return 0, [done.stdout[-500:]]
    return int(found[1]), ["see pytest --long tests/campaigns"] * int(found[2])


def kills(folder, times=100):
    """An audit that replaces an earlier result is ended at a random moment: the folder holds one whole result."""
    pyarrow.parquet.write_table(log(), folder / "log.parquet")
    words = ["audit", "log.parquet", *QUICK, "--quiet", "--out", "out"]
    started = time.monotonic()
    assert run(words, folder).returncode == 0
    lasts, rng, faults = time.monotonic() - started, np.random.default_rng(), []
    for number in range(times):
        how = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT][number % 3]
        child = [sys.executable, "-m", "singleout", *words]
        nowhere = subprocess.DEVNULL
        with subprocess.Popen(
            child, cwd=folder, env={**os.environ, "TMPDIR": str(folder)}, stdout=nowhere, stderr=nowhere
        ) as process:
            time.sleep(rng.uniform(0, lasts))
            process.send_signal(how)
        whole = all((folder / "out" / name).exists() for name in ("audit.html", "audit.json", "manifest.json"))
        if not whole or json.loads((folder / "out" / "audit.json").read_text())["schema"][:9] != "singleout":
            faults.append(f"{how.name}: no whole result")
    assert run(words, folder).returncode == 0
    left = sorted({each.name for each in folder.iterdir()} - {"log.parquet", "out"})
    return times, faults + [f"left behind after the next run: {each}" for each in left]


def determinism(folder):
    """The same audit under other threads, locales, time zones, hash seeds, orders of rows and kinds of files."""
    table = log()
    pyarrow.parquet.write_table(table, folder / "log.parquet")
    shuffled = table.take(np.random.default_rng(0).permutation(table.num_rows))
    pyarrow.parquet.write_table(shuffled, folder / "shuffled.parquet")
    pyarrow.csv.write_csv(table, folder / "log.csv")
    changes = [({}, "log.parquet"), ({}, "shuffled.parquet"), ({}, "log.csv")]
    changes += [({"PYTHONHASHSEED": seed}, "log.parquet") for seed in ("1", "2", "3")]
    changes += [({"TZ": zone}, "log.parquet") for zone in ("Asia/Kolkata", "America/St_Johns", "UTC")]
    changes += [({"LC_ALL": name}, "log.parquet") for name in ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8")]
    changes += [({"LOKY_MAX_CPU_COUNT": cores}, "log.parquet") for cores in ("1", "2", "4")]
    digests, faults = {}, []
    for number, (env, name) in enumerate(changes):
        out = folder / f"out{number}"
        asked = ["audit", name, *QUICK[:-2], "--label", "calls", "--quiet", "--out", out]
        done = run(asked, folder, env)
        if done.returncode:
            faults.append(f"{env} {name}: {done.stderr[-200:]}")
            continue
        text = re.sub(r'"command": "[^"]*"|singleout [^"]*log[^"]*', "", (out / "audit.json").read_text())
        digests[f"{env} {name}"] = hashlib.sha256(text.replace(name, "").encode()).hexdigest()
    usual = next(iter(digests.values()), "")
    return len(changes), faults + [f"{how}: another result" for how, each in digests.items() if each != usual]


def memory(folder):
    """Less and less memory: an audit ends well, or with one line, and writes nothing then."""
    pyarrow.parquet.write_table(log(400), folder / "log.parquet")
    faults, sizes = [], range(500, 8_000, 500)
    for size in sizes:
        out = folder / f"out{size}"
        done = run(
            ["audit", "log.parquet", *QUICK, "--quiet", "--out", out], folder, limits={resource.RLIMIT_AS: size * 10**6}
        )
        well = done.returncode == 0 and (out / "audit.html").exists()
        if not well and not (is_refusal(done) and not out.exists()):
            faults.append(f"{size} MB: exit code {done.returncode}, {done.stderr[-200:]}")
    return len(sizes), faults


def disks(folder):
    """Files may not grow beyond a limit, as on a full disk: an audit ends well, or with a line and nothing written."""
    pyarrow.parquet.write_table(log(), folder / "log.parquet")
    faults, sizes = [], [0, 10, 100, 1_000, 10_000, 50_000, 100_000, 300_000, 700_000, 1_200_000, 2_000_000, 10**8]
    for size in sizes:
        out = folder / f"out{size}"
        done = run(
            ["audit", "log.parquet", *QUICK, "--quiet", "--out", out], folder, limits={resource.RLIMIT_FSIZE: size}
        )
        well = done.returncode == 0 and (out / "audit.html").exists()
        if not well and not (is_refusal(done) and not out.exists()):
            faults.append(f"{size} bytes: exit code {done.returncode}, {done.stderr[-200:]}")
    return len(sizes), faults


def network(folder):
    """No command opens a connection, watched by strace."""
    if shutil.which("strace") is None:
        return 0, ["strace is not installed"]
    pyarrow.parquet.write_table(log(), folder / "log.parquet")
    commands = {
        "audit": ["audit", "log.parquet", *QUICK],
        "match": ["match", "log.parquet", *COLUMNS, "--split", "weeks"],
        "protect": ["protect", "log.parquet", *COLUMNS, "--microaggregate", "5"],
    }
    faults = []
    for name, words in commands.items():
        trace = folder / f"{name}.trace"
        command = ["strace", "-f", "-e", "trace=connect,sendto", "-o", trace, sys.executable, "-m", "singleout", *words]
        done = subprocess.run(
            [*map(str, command), "--out", name], cwd=folder, capture_output=True, text=True, check=False
        )
        calls = re.findall(r".*AF_INET.*", trace.read_text(errors="replace"))
        faults += [f"{name}: {call[:200]}" for call in calls]
        faults += [] if done.returncode == 0 else [f"{name}: {done.stderr[-200:]}"]
    return len(commands), faults


SECRET = "Quagga"
"""Part of every id, place and value in the data; nobody but the data has it."""
LATITUDE = "46.731"
"""How every latitude begins."""


def secret_files(folder):
    """A log, the same log of a second source, and a table, in which whatever is about a person is marked."""
    rng, calls = np.random.default_rng(0), log()
    places = calls["place"].to_pylist()
    marked = {name: [f"{SECRET} {name} {each}" for each in calls[name].to_pylist()] for name in ("user", "place")}
    near = [float(f"{LATITUDE}{int(each):04d}") for each in places]
    table = pa.table(marked | {"time": calls["time"], "lat": near, "lng": near})
    pyarrow.csv.write_csv(table, folder / "log.csv")
    pyarrow.csv.write_csv(table.slice(0, table.num_rows // 2), folder / "known.csv")
    values = {name: [f"{SECRET}{each}" for each in rng.integers(9, size=300)] for name in ("home", "job", "club")}
    people = pa.table({"name": [f"{SECRET} {each}" for each in range(300)], **values})
    pyarrow.csv.write_csv(people, folder / "table.csv")


TOLD = {
    "audit": ["audit", "log.csv", *COLUMNS, "--similarities", "js", "--max-risk", "0.05"],
    "audit, cells": ["audit", "log.csv", *COLUMNS[:4], "--lat", "lat", "--lng", "lng", "--grid", "100", "--no-protect"],
    "audit, two logs": ["audit", "log.csv", "known.csv", *COLUMNS, "--no-protect"],
    "audit, table": ["audit", "table.csv", "--drop", "name", "--known-columns", "home,job,club"],
    "match": ["match", "log.csv", *COLUMNS, "--split", "weeks"],
    "protect": ["protect", "log.csv", *COLUMNS, "--microaggregate", "5"],
    "protect, table": [
        "protect",
        "table.csv",
        "--drop",
        "name",
        "--known-columns",
        "home,job",
        "--k",
        "3",
        "--method",
        "cells",
    ],
    "compare": ["protect", "log.csv", *COLUMNS, "--split", "weeks", "--compare", "--keep", "5"],
    "topology": ["topology", "log.csv", *COLUMNS, "--top", "5", "--kernel", "dd"],
    "link": ["link", "table.csv", "table.csv", "--on", "home,job"],
    "suda": ["suda", "table.csv", "--drop", "name", "--known-columns", "home,job,club"],
    "init": ["init", "log.csv", "--yes"],
}
RELEASED = re.compile(r"(protected|key|links|matches|pairs)\b.*\.(csv|parquet)")
"""Files that are data: they hold values because that is what they are for."""


def leaks(folder):
    """Every id, place and value is marked: no terminal, page, result or leftover file shows a mark or a coordinate."""
    secret_files(folder)
    given, faults = {each.name for each in folder.iterdir()}, []
    for name, words in TOLD.items():
        out = folder / re.sub(r"\W+", "-", name)
        done = run([*words, *([] if name == "init" else ["--out", out])], folder)
        if done.returncode not in (0, 1):
            faults.append(f"{name}: {done.stderr[-300:]}")
        told = {"terminal": done.stdout + done.stderr}
        for path in folder.rglob("*"):
            if path.is_file() and path.name not in given and not RELEASED.search(path.name):
                told[path.name] = path.read_text(errors="replace")
        faults += [f"{name}: {where}" for where, text in told.items() if SECRET in text or LATITUDE in text]
        shutil.rmtree(out, ignore_errors=True)
    return len(TOLD), faults


PAYLOADS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "<!--",
    "{{ 7 * 7 }}{% include 'x' %}",
    "javascript:alert(1)",
    "=HYPERLINK(1)",
    "\x1b[2J\x1b]0;title\x07",
    "\u202egnp.exe",
)
ABOUT = ("--label", "--organisation", "--purpose", "--recipient", "--prepared-by", "--reference")


class Elements(HTMLParser):
    """What a page consists of: elements with the names of their attributes, and what addresses lead to."""

    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        self.found.add((tag, *sorted(name for name, _ in attrs)))
        self.found |= {(tag, name, value) for name, value in attrs if "javascript:" in (value or "").lower()}


def elements(page):
    reader = Elements()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader.found


def injection(folder):
    """Markup, formulas and codes as values, names of columns and files, and words about the assessment: none acts."""
    calls, faults = log(), []
    asked = [*QUICK, "--reveal", "--max-risk", "0.05"]

    def audit(name, table, words):
        pyarrow.parquet.write_table(table, folder / name)
        shutil.rmtree(folder / "out", ignore_errors=True)
        return run(["audit", name, *words, "--out", "out"], folder)

    plain = audit("log.parquet", calls, [*asked, *(word for flag in ABOUT for word in (flag, "plain"))])
    assert plain.returncode in (0, 1), plain.stderr
    usual = elements(folder / "out" / "audit.html")
    for payload in PAYLOADS:
        places = pa.array([f"{payload}{each}" for each in calls["place"].to_pylist()])
        people = pa.array([f"{payload}{each}" for each in calls["user"].to_pylist()])
        names = [payload if name == "place" else name for name in calls.column_names]
        with_name = [payload if word == "place" else word for word in asked]
        file = re.sub(r"[/\x00]", "", payload)[:80] + ".parquet"
        cases = {
            "place": ("log.parquet", calls.set_column(calls.column_names.index("place"), "place", places), asked),
            "person": ("log.parquet", calls.set_column(calls.column_names.index("user"), "user", people), asked),
            "column": ("log.parquet", calls.rename_columns(names), with_name),
            "file": (f"./{file}", calls, asked),
            "words": ("log.parquet", calls, [*asked, *(f"{flag}={payload}" for flag in ABOUT)]),
        }
        for where, (name, table, words) in cases.items():
            done = audit(name, table, words)
            said = f"{payload!r} as {where}"
            if done.returncode == 2 and is_refusal(done):
                continue  # to refuse such a name is safe
            if done.returncode not in (0, 1):
                faults.append(f"{said}: {done.stderr[-300:]}")
                continue
            faults += [f"{said}: {new}" for new in elements(folder / "out" / "audit.html") - usual]
            faults += [f"{said}: a control code"] * bool(CODES.search(done.stdout + done.stderr))
            json.loads((folder / "out" / "audit.json").read_text())
    return len(PAYLOADS) * len(cases), faults


CODES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What steers a terminal."""
CAMPAIGNS = {each.__name__: each for each in (hostile, leaks, injection, kills, determinism, memory, disks, network)}


def page(results, commit):
    lines = [
        "# Reliability",
        "",
        "What was tried against the command line in its long form, and how often a promise was broken. Written by",
        "`python -m tests.campaigns.long --write`; a sample of the hostile calls is part of every run of the tests.",
        "",
        f"Last run at {commit}, Python {sys.version.split()[0]}.",
        "",
        "| campaign | what is done, and what must hold | cases | broken |",
        "|---|---|---|---|",
    ]
    for name, (tried, faults) in results.items():
        does = " ".join((CAMPAIGNS[name].__doc__ or "").split())
        lines.append(f"| {name} | {does} | {tried:,} | {len(faults):,} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md")
    asked = parser.parse_args()
    results = {}
    for name in asked.names or CAMPAIGNS:
        with tempfile.TemporaryDirectory() as folder:
            results[name] = CAMPAIGNS[name](Path(folder))
        tried, faults = results[name]
        print(f"{name}: {tried:,} cases, {len(faults):,} broke a promise", flush=True)  # noqa: T201
        for fault in faults[:20]:
            print(f"  {fault}", flush=True)  # noqa: T201
    if asked.write:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
        PAGE.write_text(page(results, commit.stdout.strip()), encoding="utf-8")
    sys.exit(any(faults for _, faults in results.values()))


if __name__ == "__main__":
    main()
