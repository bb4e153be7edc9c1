"""Ctrl-C and too small a machine while the command line loads: one line, and the right exit code."""

import pytest

from singleout.cli.interrupt import fault_of_machine
from tests.commands import run_script

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


AS_A_LIBRARY = """
import signal
import singleout
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_ctrl_c_while_the_command_loads_is_one_line():
    assert run_script(WHILE_LOADING) == (130, "", "interrupted; nothing was written.\n")


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_an_interruption_that_python_would_drop_comes_again(number, code):
    assert run_script(IN_A_CALLBACK, number) == (code, "", "")


def test_a_library_leaves_ctrl_c_alone():
    assert run_script(AS_A_LIBRARY) == (0, "True\n", "")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "too little memory to load all libraries."),
        (OSError("x.so: failed to map segment from shared object"), "too little memory to load all libraries."),
        (RuntimeError("can't start new thread"), "too little memory to load all libraries."),
        (ImportError(name="numba"), "singleout is not installed completely: numba cannot be loaded."),
        (ImportError("no name"), "singleout is not installed completely: a library cannot be loaded."),
        (OSError(24, "Too many open files"), "cannot start: Too many open files."),
        (OSError(), "cannot start: OSError."),
        (RuntimeError("of ours"), ""),
        (KeyError("x"), ""),
    ],
)
def test_what_the_machine_lacks_is_said_and_nothing_else_is_its_fault(error, message):
    assert fault_of_machine(error) == message


def test_a_working_folder_that_is_gone_is_the_reason(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert (
        fault_of_machine(OSError(2, "No such file")) == "the folder you are in no longer exists. Change to another one."
    )


LEAVING = """
import atexit, sys
from singleout.cli.interrupt import leave
atexit.register(lambda: print("cleared away", flush=True))
sys.stdout.write("said before; ")
try:
    leave(143)
finally:
    print("went on")
"""


def test_leaving_prints_what_was_said_clears_away_and_goes_no_further():
    assert run_script(LEAVING) == (143, "said before; cleared away\n", "")


UNCAUGHT = """
import sys
from singleout.cli import interrupt
interrupt.watch_loading()
raise {error}
"""


@pytest.mark.parametrize(
    ("error", "ended"),
    [
        ("KeyError('Eve')", (3, "", "internal error: KeyError. Set SINGLEOUT_TRACEBACK=1 to see more.\n")),
        ("MemoryError()", (2, "", "error: too little memory to load all libraries.\n")),
    ],
)
def test_what_no_command_could_catch_is_one_line_without_values(error, ended):
    assert run_script(UNCAUGHT.format(error=error)) == ended
    more = run_script(UNCAUGHT.format(error=error), SINGLEOUT_TRACEBACK="1")
    assert more[0] == ended[0]
    assert more[2].startswith("Traceback")


IGNORED = """
import signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from singleout.cli import interrupt
interrupt.watch_loading()
interrupt.watch_running()
print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, signal.getsignal(signal.SIGTERM) is interrupt._terminate)
"""


def test_what_nohup_ignores_stays_ignored():
    assert run_script(IGNORED) == (0, "True True\n", "")
