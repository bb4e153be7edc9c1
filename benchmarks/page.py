"""The sections of docs/benchmarks.md, each written by the script that measured it.

A section stands between two comments, of which the first names the script; its head says at which commit and on which
machine it was measured. Prose without figures stands outside. A script lists its sections in ``SECTIONS``, each with
the function that turns results into text; ``python benchmarks/SCRIPT.py --write`` replaces them.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
MARKED = re.compile(
    r"<!-- (?P<name>[\w-]+): written by benchmarks/(?P<script>\w+)\.py -->\n(?P<body>.*?)<!-- end of (?P=name) -->",
    re.DOTALL,
)


def parser(doc):
    """Options of a script, of which ``--write`` is common to all."""
    made = argparse.ArgumentParser(description=doc.splitlines()[0])
    help_of_write = "write what was measured into docs/benchmarks.md, or into this copy of it"
    made.add_argument("--write", nargs="?", const=PAGE, type=Path, metavar="PAGE", help=help_of_write)
    return made


def data():
    return Path(os.environ.get("SINGLEOUT_DATA") or sys.exit("set SINGLEOUT_DATA to the folder of data sets"))


def whole(asked, *choices):
    """A section is written whole: a run that was given a choice of its cases has nothing to write."""
    for choice in choices:
        if asked.write and getattr(asked, choice):
            sys.exit(f"--write: a section is written whole; leave out --{choice}")


def git(folder, *words):
    found = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def commit(folder=ROOT):
    changed = git(folder, "status", "--porcelain", "--", "src", "benchmarks")
    return f"{git(folder, 'rev-parse', '--short', 'HEAD')}{' with changes' if changed else ''}"


def machine():
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = f"{len(names)} cores, {names[0]}" if names else model
    return f"{model}, Python {platform.python_version()}"


def load():
    """How much of the processors others take, over a second, in words; nothing where the system does not say."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return ""
    spent = []
    for pause in (1.0, 0.0):
        spent.append([int(number) for number in stat.read_text().splitlines()[0].split()[1:9]])
        time.sleep(pause)
    user, nice, system, idle, waiting, *rest = (after - before for before, after in zip(*spent, strict=True))
    busy = 1 - (idle + waiting) / max(user + nice + system + idle + waiting + sum(rest), 1)
    return f"; other work took {busy:.0%} of the processors when it began"


def head(timed=False):
    """First line of a section, to be made before anything is measured."""
    return f"Measured at {commit()} on {machine()}{load() if timed else ''}."


def table(heading, rows):
    """A table; the heading's names are parted by bars."""
    lines = [f"| {heading} |", "|" + "---|" * (heading.count(" | ") + 1)]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, cells))} |" for cells in rows)])


def prose(text):
    return textwrap.fill(" ".join(text.split()), 120, break_on_hyphens=False, break_long_words=False)


def sections(text):
    """Every marked section of a page, as a match with ``name``, ``script`` and ``body``."""
    return list(MARKED.finditer(text))


def replaced(text, name, body):
    """The page with another text in this section."""
    for found in sections(text):
        if found["name"] == name:
            start, end = found.span("body")
            return f"{text[:start]}\n{body.strip()}\n\n{text[end:]}"
    raise LookupError(f"the page has no section <!-- {name}: written by … -->")


def write(page, bodies):
    """Replace these sections of the page, all or none."""
    text = page.read_text(encoding="utf-8")
    for name, body in bodies.items():
        text = replaced(text, name, body)
    beside = page.with_suffix(".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(page)


def write_sections(page, opening, written, results):
    """Lay out the results for each of these sections and write them."""
    if page:
        write(page, {name: f"{prose(opening)}\n\n{lay_out(results)}" for name, lay_out in written.items()})
