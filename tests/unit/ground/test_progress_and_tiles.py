"""Progress speaks on a terminal only; tiles come back in order; Ctrl-C reaches a running query."""

import os
import pty
import signal
import subprocess
import sys
import textwrap

import pytest
from joblib import parallel_config

from singleout.ground.parallel import map_tiles
from singleout.ground.progress import shown, stage


def test_progress_is_silent_when_not_a_terminal(capfd):
    with shown("working", None) as advance:
        advance(0.5)
    assert capfd.readouterr() == ("", "")


def test_progress_is_drawn_on_a_terminals_standard_error_and_results_stay_clean():
    script = """
        import time
        from singleout.ground.progress import shown
        from singleout.ground.progress import silenced
        with shown("working", None) as advance:
            advance(0.5)
            time.sleep(0.3)
        with silenced(True), shown("unwanted", None) as advance:
            advance(0.5)
            time.sleep(0.3)
        print("result")
    """
    terminal, inside = pty.openpty()
    arguments = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=inside, env={**os.environ, "TERM": "xterm"}
    ) as process:
        out, _ = process.communicate(timeout=30)
    drawn = os.read(terminal, 100_000).decode()
    os.close(inside)
    os.close(terminal)
    assert out == b"result\n"
    assert "working" in drawn
    assert "unwanted" not in drawn


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_tiles_come_back_in_order_whatever_the_threads(jobs):
    with parallel_config(n_jobs=jobs):
        assert map_tiles(lambda first, last: (first, last), 10, label="t", tile=4) == [(0, 4), (4, 8), (8, 10)]
    assert map_tiles(lambda first, last: first, 0, label="t") == []


def test_ctrl_c_stops_a_long_query_at_once():
    script = """
        from singleout.reading.database import Database
        print("ready", flush=True)
        Database().table("SELECT count(*) FROM range(100000000000) a WHERE (a.range * 7) % 13 = 5")
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=20)
    assert process.returncode != 0
    assert "KeyboardInterrupt" in error


def test_progress_asked_for_where_nothing_can_be_drawn_is_one_line_for_each_piece_of_work(capsys):
    with stage("round 2"), shown("pricing", True) as advance:
        advance(0.5)
    assert capsys.readouterr().err == "round 2: pricing\n"
