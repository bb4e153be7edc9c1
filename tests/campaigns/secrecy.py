"""Campaigns of what must stay inside: no command opens a connection, shows a person's value, or runs what data says."""

import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from tests.campaigns.odd_contents import GOWALLA_FILE, GOWALLA_TEXT, PLUGIN
from tests.campaigns.runs import COLUMNS, QUICK, is_refusal, log, run, run_well


def network(folder):
    """No command, of all there are, opens a connection where its data are files, watched by strace."""
    if shutil.which("strace") is None:
        return 0, ["strace is not installed"]
    secret_files(folder)
    (folder / "own.py").write_text(PLUGIN)
    (folder / GOWALLA_FILE).write_text(GOWALLA_TEXT)
    calls = {name: _with_out(name, words) for name, words in TOLD.items()} | OTHERS
    faults = []
    for name, words in calls.items():
        trace = folder / "trace"
        watch = ["strace", "-f", "--seccomp-bpf", "-e", "trace=connect,bind,sendto,sendmsg,sendmmsg", "-o", trace]
        command = [*map(str, watch), sys.executable, "-m", "singleout", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        opened = re.findall(r".*AF_INET.*", trace.read_text(errors="replace"))
        faults += [f"{name}: {call[:200]}" for call in opened]
        faults += [] if done.returncode in (0, 1) else [f"{name}: {done.stderr[-200:]}"]
    return len(calls), faults


OTHERS = {
    "demo": ["demo", "--quiet"],
    "similarities": ["similarities", "--plugin", "own.py"],
    "reproduce": ["reproduce", "naini-table1", "--quick"],
    "convert": ["convert", "snap-checkins", GOWALLA_FILE, "--data", "data"],
    "bench": ["bench", "matching", "--people", "50", "--ours-only"],
}
"""Commands that read no data of people."""


def _with_out(name, words):
    """A call with a folder of its own; the command init writes a file."""
    return words if words[0] == "init" else [*words, "--out", re.sub(r"\W+", "-", name)]


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
    # a table of which a few people have the marked values: variables shows those that at least five have
    rare = {name: [f"{SECRET}{n // 4}" if n < 60 else f"usual{n % 7}" for n in range(300)] for name in ("home", "job")}
    pyarrow.csv.write_csv(pa.table(rare | {"club": rare["job"][::-1]}), folder / "rare.csv")
    run_well([*TOLD["protect"], "--out", "given"], folder)
    run_well([*TOLD["protect, table"], "--out", "given-table"], folder)
    run_well(["audit", "log.csv", *QUICK, "--out", "first"], folder)


PEOPLE, TWICE = ["table.csv", "--drop", "name"], ["table.csv", "table.csv"]
TOLD = {
    "audit": ["audit", "log.csv", *COLUMNS, "--similarities", "js", "--max-risk", "0.05"],
    "audit, cells": ["audit", "log.csv", *COLUMNS[:4], "--lat", "lat", "--lng", "lng", "--grid", "100", "--no-protect"],
    "audit, two logs": ["audit", "log.csv", "known.csv", *COLUMNS, "--no-protect"],
    "audit, table": ["audit", *PEOPLE, "--known-columns", "home,job,club"],
    "audit, two tables": ["audit", *TWICE, "--on", "home,job", "--truth", "name"],
    "match": ["match", "log.csv", *COLUMNS, "--split", "weeks"],
    "protect": ["protect", "log.csv", *COLUMNS, "--microaggregate", "5"],
    "protect, table": ["protect", *PEOPLE, "--known-columns", "home,job", "--k", "3", "--method", "cells"],
    "protect, compared": ["protect", "log.csv", *COLUMNS, "--split", "weeks", "--compare", "--keep", "5"],
    "verify": ["verify", "given/protected.csv", "known.csv", *COLUMNS, "--key", "given/key.csv"],
    "verify, no key": ["verify", "given/protected.csv", "known.csv", *COLUMNS],
    "verify, table": ["verify", "given-table/protected.csv", "--known-columns", "home,job"],
    "compare": ["compare", "first", "first"],
    "topology": ["topology", "log.csv", *COLUMNS, "--top", "5", "--kernel", "dd"],
    "link": ["link", *TWICE, "--on", "home,job"],
    "suda": ["suda", *PEOPLE, "--known-columns", "home,job,club"],
    "variables": ["variables", "rare.csv", "--known-columns", "home"],
    "profiles": ["profiles", *TWICE, "--id", "name", "--block", "home=exact", "--score", "job=exact:1"],
    "init": ["init", "log.csv", "--yes"],
}
RELEASED = re.compile(r"(protected|key|links|matches|pairs)\b.*\.(csv|parquet)")
"""Files that are data: they hold values because that is what they are for."""


def leaks(folder):
    """Every id, place and value is marked: no terminal, page, result or leftover file shows a mark or a coordinate."""
    secret_files(folder)
    given, faults = set(folder.rglob("*")), []
    for name, words in TOLD.items():
        done = run(_with_out(name, words), folder)
        if done.returncode not in (0, 1):
            faults.append(f"{name}: {done.stderr[-300:]}")
        told = {"terminal": done.stdout + done.stderr}
        for path in sorted(set(folder.rglob("*")) - given):
            if path.is_file() and not RELEASED.search(path.name):
                told[path.name] = path.read_text(errors="replace")
        faults += [f"{name}: {where}" for where, text in told.items() if SECRET in text or LATITUDE in text]
        for path in set(folder.iterdir()) - given:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
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
