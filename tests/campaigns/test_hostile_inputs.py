"""A few hundred hostile calls over all commands (``--long``: all of them), and what must hold of every outcome.

The exit code is one that was promised and never that of a fault of ours; a refusal is a line or a few that start with
``error``; nothing is half-written and no input touched; no value of a person and no control code is printed.
"""

import io
import json
import os
import re
import shutil
import signal
import sys
import threading
from contextlib import contextmanager

import pytest

from singleout.cli import main
from singleout.ground.earlier_results import is_earlier_result
from tests.campaigns.hostile import every_case, lay_out
from tests.campaigns.odd_words import CANARY

pytestmark = pytest.mark.heavy

SHORT = 250
PARTS = 2
"""Calls of processes of their own, that may run at the same time."""
SECONDS = 120
"""On a machine that others use as well."""
MOST_MEMORY = 4 * 10**9
"""Bytes above which a call ends the whole campaign, before it ends the machine: no signal ends a read of /dev/zero."""
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LINES = 30
MEANWHILE = re.compile(r"Compiling for the first time, which takes a few seconds\.\n|.*, \d+ s so far\n")
"""What a slow machine has reported before."""


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal, so that nobody strips codes for us."""

    def isatty(self):
        return True


class Late(BaseException):
    """Nothing catches it as a fault of the machine."""


@contextmanager
def time_limit(seconds):
    def late(*_):
        raise Late(f"no end after {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def watch_memory(case):
    """End this process as soon as it holds far more than any case needs; without /proc nobody watches."""

    def watch():
        while not done.wait(0.1):
            with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - called often
                held = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            if held > MOST_MEMORY:
                fault = {"case": case.name, "faults": [f"{held / 1e9:.0f} GB of memory"], "said": ""}
                os.write(1, f"{json.dumps(fault)}\n".encode())
                os._exit(1)

    done = threading.Event()
    if os.path.exists("/proc/self/statm"):  # noqa: PTH110
        threading.Thread(target=watch, daemon=True).start()
    return done


def called(arguments, monkeypatch):
    """Run the command line in this process; its exit code and what it printed."""
    out, err = Terminal(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "argv", ["singleout", *arguments])
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    code = 0
    try:
        with time_limit(SECONDS):
            main()
    except SystemExit as left:
        code = left.code or 0
    except Late as error:
        code = str(error)
    finally:
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        monkeypatch.undo()
    return code, *texts


def contents(folder):
    """Everything plain in a folder, by path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and not path.is_fifo()
    }


def faults_of(case, code, out, err, before, folder):
    """Everything that is wrong with an outcome, in words."""
    after = contents(folder)
    err = MEANWHILE.sub("", err)
    new = {name: content for name, content in after.items() if name not in before}
    plain = out.replace("\x1b[1m", "").replace("\x1b[0m", "")
    results = [path.parent for path in folder.rglob("manifest.json") if path.is_file()]
    results = [each for each in results if str((each / "manifest.json").relative_to(folder)) not in before]
    told = [text for name, text in new.items() if name.endswith((".json", ".html", ".md")) and "protected." not in name]
    checks = {
        f"exit code {code}": code not in (0, 1, 2),
        "exit code 1 without a gate": code == 1 and "gate failed" not in err,
        "a traceback": "Traceback" in out + err,
        "a refusal in other words": code == 2 and not re.match(r"error: |Usage: |warning: ", err),
        "a long message": code == 2 and (len(err) > 3_000 or err.count("\n") > LINES),
        "something written on a refusal": code == 2 and bool(new),
        "an input changed": any(after.get(name) != content for name, content in before.items()),
        "a result that is not whole": code in (0, 1) and not all(is_earlier_result(each) for each in results),
        # variables shows the values that at least five people have
        "a value of a person in a message": CANARY in err or (CANARY in out and case.arguments[0] != "variables"),
        "a value of a person in a report": case.arguments[0] != "variables"
        and any(CANARY.encode() in text for text in told),
        "NaN in a result": any(re.search(rb": (NaN|-?Infinity)\b", text) for text in told),
        "a control code": bool(STEERING.search(plain + err)),
    }
    return [fault for fault, found in checks.items() if found]


@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_calls(part, request, tmp_path_factory, monkeypatch):
    cases = every_case(seed=0)
    chosen = (cases if request.config.getoption("--long") else cases[:SHORT])[part::PARTS]
    failed = {}
    for case in chosen:
        folder = tmp_path_factory.mktemp("hostile")
        lay_out(case, folder)
        before = contents(folder)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("TMPDIR", str(folder))
        monkeypatch.delenv("SINGLEOUT_DATA", raising=False)
        ended = watch_memory(case)
        outcome = called(case.arguments, monkeypatch)
        ended.set()
        faults = faults_of(case, *outcome, before, folder)
        if faults:
            failed[case.name] = faults, outcome[2][-300:]
            print(json.dumps({"case": case.name, "faults": faults, "said": outcome[2][-300:]}), flush=True)  # noqa: T201
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps({"tried": len(chosen), "of": len(cases), "failed": len(failed)}))  # noqa: T201
    assert not failed, json.dumps(failed, indent=1)
