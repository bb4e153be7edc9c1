"""Progress is drawn on a terminal only."""

import os
import pty
import subprocess
import sys
import textwrap

from singleout.ground.progress import show_progress, stage


def test_progress_is_silent_when_not_a_terminal(capfd):
    with show_progress("working", None) as advance:
        advance(0.5)
    assert capfd.readouterr() == ("", "")


def test_progress_is_drawn_on_a_terminals_standard_error_and_results_stay_clean():
    script = """
        from singleout.ground.progress import show_progress, silence_progress
        with show_progress("working", None) as advance:
            advance(0.5)
        with silence_progress(True), show_progress("unwanted", None) as advance:
            advance(0.5)
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


def test_progress_asked_for_where_nothing_can_be_drawn_is_one_line_for_each_piece_of_work(capsys):
    with stage("round 2"), show_progress("pricing", True) as advance:
        advance(0.5)
    assert capsys.readouterr().err == "round 2: pricing\n"
