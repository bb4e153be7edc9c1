"""Ctrl-C and too small a machine while the command line loads: one line, and the right exit code."""

import pytest

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
