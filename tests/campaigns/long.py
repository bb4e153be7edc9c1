"""Campaigns in their long form, by hand: python -m tests.campaigns.long [NAME …] [--write]

Each tries many cases, counts those that broke a promise, and says which. With ``--write`` the counts go to
docs/reliability.md, where campaigns that did not run keep theirs. What is tried follows from seeds, except the moments
of kills, which no seed decides.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.campaigns.outages import disks, kills, memory
from tests.campaigns.sameness import determinism
from tests.campaigns.secrecy import injection, leaks, network
from tests.campaigns.test_hostile_inputs import PARTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"


def hostile(folder):
    """Every hostile call of every command: broken files, odd values of every option, servers that are not there."""
    test = "tests/campaigns/test_hostile_inputs.py::test_hostile_calls"
    words = [sys.executable, "-m", "pytest", "-n", "0", "-s", "--long", "-m", "heavy or not heavy"]
    texts = [folder / f"part {part}" for part in range(PARTS)]
    for running in [_start([*words, f"{test}[{part}]"], text) for part, text in enumerate(texts)]:
        running.wait()
    said = [text.read_text(encoding="utf-8") for text in texts]
    found = [json.loads(line) for text in said for line in re.findall(r'^\.?(\{".*\})$', text, re.MULTILINE)]
    tried = [each["tried"] for each in found if "tried" in each]
    broken = [f"{each['case']}: {', '.join(each['faults'])}: {each['said']}" for each in found if "case" in each]
    return sum(tried), broken + [text[-500:] for text in said if len(tried) < PARTS]


def _start(words, text):
    """A process whose words go to a file, to be looked at meanwhile."""
    with text.open("wb") as file:
        return subprocess.Popen(words, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)


CAMPAIGNS = {each.__name__: each for each in (hostile, leaks, injection, kills, determinism, memory, disks, network)}
HEAD = """# Reliability

What was tried against the command line in its long form, and how often a promise was broken. Written by
`python -m tests.campaigns.long --write`; a sample of the hostile calls is part of every run of `.ci/run`.

| campaign | what is done, and what must hold | cases | broken | at |
|---|---|---|---|---|
"""


def rows_of(page):
    """The row of each campaign on a page."""
    return {line.split("|")[1].strip(): line for line in page.splitlines() if line.startswith("| ")}


def page(earlier, results, at):
    """The page with new rows for these campaigns, and the earlier rows of the others."""
    rows = rows_of(earlier)
    for name, (tried, faults) in results.items():
        does = (CAMPAIGNS[name].__doc__ or "").split("\n\n")[0]
        rows[name] = f"| {name} | {' '.join(does.split())} | {tried:,} | {len(faults):,} | {at} |"
    return HEAD + "\n".join(rows[name] for name in CAMPAIGNS if name in rows) + "\n"


def commit():
    """The commit that is tried; figures are only written of one without changes."""
    changed = ["status", "--porcelain", "--", "src", "tests"]
    said, at = (
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        for words in (changed, ["rev-parse", "--short", "HEAD"])
    )
    return at if not said else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *CAMPAIGNS], metavar="NAME", help="only these")
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md, from a commit without changes")
    asked = parser.parse_args()
    at, broken = commit(), False
    if asked.write and not at:
        sys.exit("--write: commit the changes in src and tests first")
    for name in asked.names or CAMPAIGNS:
        with tempfile.TemporaryDirectory() as folder:
            tried, faults = CAMPAIGNS[name](Path(folder))
        print(f"{name}: {tried:,} cases, {len(faults):,} broke a promise", flush=True)  # noqa: T201
        for fault in faults:
            print(f"  {fault}", flush=True)  # noqa: T201
        broken |= bool(faults)
        if asked.write:
            done = page(PAGE.read_text(encoding="utf-8"), {name: (tried, faults)}, at)
            PAGE.write_text(done, encoding="utf-8")
    sys.exit(broken)


if __name__ == "__main__":
    main()
