"""Ctrl-C and SIGTERM at any moment: one line or none, the right exit code, and nothing left behind."""

import os
import subprocess
import sys

import pytest
import typer

from singleout.cli.errors import exit_on_error
from singleout.ground.earlier import is_earlier_result

WHILE_LOADING = """
import signal, sys
sys.argv[0] = "singleout"
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "numba":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Watch())
from singleout.cli import main
sys.argv[1:] = ["bench", "matching", "--people", "10"]
main()
"""

IN_A_CALLBACK = """
import signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
sys.argv[0] = "singleout"
from singleout.cli import interrupt
interrupt.watch_loading()
interrupt.watch_running()
class Lost:
    def __del__(self):
        signal.raise_signal(signal.Signals[sys.argv[1]])
        list(range(10))
try:
    Lost()
    for _ in range(600):
        time.sleep(0.1)  # it comes between two instructions, not into a call
    print("went on")
except KeyboardInterrupt:
    sys.exit(130)
"""

WHILE_READING = """
import os, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
sys.argv[0] = "singleout"
from singleout.cli import main
from singleout.reading.database import Database
def killed(self, sql):
    os.kill(os.getpid(), signal.Signals[number])
    time.sleep(0.5)
    return real(self, sql)
number, real, Database._run = sys.argv.pop(1), Database._run, killed
main()
"""

WHILE_REPLACING = """
import os, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
sys.argv[0] = "singleout"
from singleout.cli import main
from singleout.ground import files
def killed(one, other):
    done = real(one, other)
    os.kill(os.getpid(), signal.Signals[number])
    time.sleep(0.2)
    return done
number, real, files._exchange = sys.argv.pop(1), files._exchange, killed
main()
"""

IN_A_DEAF_QUERY = """
import os, signal, sys, threading, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
sys.argv[0] = "singleout"
from singleout.cli import main
from singleout.reading.database import Database
def deaf(self, sql):
    os.kill(os.getpid(), signal.Signals[number])
    time.sleep(3600)
number, Database._run = sys.argv.pop(1), deaf
main()
"""

ENDED = "ended by a signal; nothing was written.\n"

AS_A_LIBRARY = """
import signal
import singleout
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def done(script, *arguments, timeout=None, **environment):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}, timeout=timeout
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_ctrl_c_while_the_command_loads_is_one_line():
    assert done(WHILE_LOADING) == (130, "", "interrupted; nothing was written.\n")


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_an_interruption_that_python_would_drop_comes_again(number, code):
    assert done(IN_A_CALLBACK, number) == (code, "", "")


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [("SIGINT", 130, "interrupted; nothing was written.\n"), ("SIGTERM", 143, ENDED), ("SIGHUP", 129, ENDED)],
)
def test_an_interruption_while_reading_leaves_nothing_behind(tmp_path, number, code, said):
    (tmp_path / "log.csv").write_text("who,where\na,x\nb,y\n")
    (tmp_path / "spill").mkdir()
    command = ("protect", tmp_path / "log.csv", "--user", "who", "--place", "where", "--keep", 1)
    ran = done(WHILE_READING, number, *command, "--out", tmp_path / "out", TMPDIR=str(tmp_path / "spill"))
    assert ran == (code, "", said)
    assert list((tmp_path / "spill").iterdir()) == []
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [("SIGINT", 130, "interrupted; nothing was written.\n"), ("SIGTERM", 143, ENDED), ("SIGHUP", 129, ENDED)],
)
def test_a_query_that_hears_no_signal_is_left_behind(tmp_path, number, code, said):
    (tmp_path / "log.csv").write_text("who,where\na,x\nb,y\n")
    (tmp_path / "spill").mkdir()
    command = ("variables", tmp_path / "log.csv", "--known-columns", "who", "--out", tmp_path / "out")
    ran = done(IN_A_DEAF_QUERY, number, *command, timeout=300, TMPDIR=str(tmp_path / "spill"))
    assert ran == (code, "", said)
    assert list((tmp_path / "spill").iterdir()) == []
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("number", "code", "start"),
    [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "ended by a signal"), ("SIGHUP", 129, "ended by a signal")],
)
def test_an_interruption_at_the_moment_of_replacing_says_what_is_written(tmp_path, number, code, start):
    (tmp_path / "log.csv").write_text("who,where\na,x\na,z\nb,y\n")
    command = ("protect", tmp_path / "log.csv", "--user", "who", "--place", "where", "--out", tmp_path / "out")
    assert done("from singleout.cli import main; main()", *command, "--keep", 3, "--seed", 1)[0] == 0
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    ran = done(WHILE_REPLACING, number, *command, "--keep", 2, "--seed", 1)
    assert ran == (code, "", f"{start}; the result in {tmp_path / 'out'} is complete.\n")
    assert (tmp_path / "out" / "manifest.json").read_bytes() != before
    assert is_earlier_result(tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.csv", "out"]


def test_a_library_leaves_ctrl_c_alone():
    assert done(AS_A_LIBRARY) == (0, "True\n", "")


@pytest.mark.parametrize("cause", [KeyboardInterrupt(), SystemExit(143)])
def test_an_interruption_on_the_way_out_of_a_kernel_is_one_too(cause, capsys):
    with pytest.raises(typer.Exit, match="^130$"), exit_on_error():
        raise SystemError("a kernel returned a result with an exception set") from cause
    assert capsys.readouterr().err == "interrupted; nothing was written.\n"


def test_another_fault_of_the_interpreter_is_a_fault_of_ours(capsys):
    with pytest.raises(typer.Exit, match="^3$"), exit_on_error():
        raise SystemError("bad call")
    assert capsys.readouterr().err.startswith("internal error: SystemError")
