"""Ctrl-C and SIGTERM at any moment: one line or none, the right exit code, and nothing left behind."""

import pytest

from singleout.ground.earlier_results import is_earlier_result
from tests.commands import run_script

pytestmark = pytest.mark.heavy

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


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [("SIGINT", 130, "interrupted; nothing was written.\n"), ("SIGTERM", 143, ENDED), ("SIGHUP", 129, ENDED)],
)
def test_an_interruption_while_reading_leaves_nothing_behind(tmp_path, number, code, said):
    (tmp_path / "log.csv").write_text("who,where\na,x\nb,y\n")
    (tmp_path / "spill").mkdir()
    command = ("protect", tmp_path / "log.csv", "--user", "who", "--place", "where", "--keep", 1)
    ran = run_script(WHILE_READING, number, *command, "--out", tmp_path / "out", TMPDIR=str(tmp_path / "spill"))
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
    ran = run_script(IN_A_DEAF_QUERY, number, *command, timeout=300, TMPDIR=str(tmp_path / "spill"))
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
    assert run_script("from singleout.cli import main; main()", *command, "--keep", 3, "--seed", 1)[0] == 0
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    ran = run_script(WHILE_REPLACING, number, *command, "--keep", 2, "--seed", 1)
    assert ran == (code, "", f"{start}; the result in {tmp_path / 'out'} is complete.\n")
    assert (tmp_path / "out" / "manifest.json").read_bytes() != before
    assert is_earlier_result(tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.csv", "out"]
