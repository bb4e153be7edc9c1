"""What campaigns share: small data, a command in a process of its own, and what must hold of how it ended."""

import hashlib
import json
import os
import re
import subprocess
import sys

import pyarrow as pa

import singleout as so

COLUMNS = ["--user", "user", "--time", "time", "--place", "place"]
QUICK = [*COLUMNS, "--split", "weeks", "--similarities", "js", "--no-protect", "--topology", "no", "--known-pairs", "0"]


def log(people=80):
    """Calls, with ids of people and places as text: in a file of text they are text, and are ordered as such."""
    table = so.synthetic_calls(people=people, seed=1).table
    return pa.table(
        {name: table[name].cast(pa.int64() if name == "time" else pa.string()) for name in table.column_names}
    )


def run(words, folder, env=None, limits=None, **more):
    """A command in a process of its own; ``limits`` are set in it, by the names that the system has for them."""

    def limited():
        import resource  # not on Windows, where tests are collected too

        for what, most in (limits or {}).items():
            resource.setrlimit(getattr(resource, what), (most, most))

    return subprocess.run(
        [sys.executable, "-m", "singleout", *map(str, words)],
        cwd=folder, env={**os.environ, "TMPDIR": str(folder), **(env or {})}, preexec_fn=limited,
        capture_output=True, text=True, timeout=900, **more,
    )  # fmt: skip


def run_well(words, folder):
    """A command that must do its work, or nothing after it means anything."""
    done = run(words, folder)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr[-500:]}")
    return done


def is_refusal(done):
    """Whether a command ended as promised where it could not do its work."""
    # a library may warn before
    return (
        done.returncode == 2
        and bool(re.search("^error: ", done.stderr, re.MULTILINE))
        and "Traceback" not in done.stderr
    )


def is_whole(folder):
    """Whether a folder holds one result, every file of it as its manifest says, and nothing else."""
    try:
        listed = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
        there = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    except (OSError, ValueError, LookupError):
        return False
    return bool(listed) and {each["name"]: each["sha256"] for each in listed} == {
        name: digest for name, digest in there.items() if name != "manifest.json"
    }
