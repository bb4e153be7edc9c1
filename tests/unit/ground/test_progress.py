"""Progress is drawn on a terminal only."""

import os
import pty
import subprocess
import sys
import textwrap

from singleout.ground.progress import Steps, announce, show_progress, silence_progress, stage


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


def run_on_a_terminal(script):
    terminal, inside = pty.openpty()
    arguments = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=inside, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    ) as process:
        process.communicate(timeout=30)
    drawn = os.read(terminal, 100_000).decode()
    os.close(inside)
    os.close(terminal)
    return drawn


def test_steps_say_which_one_is_under_way_and_what_is_left():
    drawn = run_on_a_terminal("""
        import time
        from singleout.ground.progress import Steps, announce, show_progress
        steps = Steps(["reading", "attacks", "page"], None)
        with steps.shown():
            with steps.step("reading"):
                time.sleep(0.2)
            steps.expect({"reading": 1.0, "attacks": 600.0})
            announce("found a number", None)
            with steps.step("attacks"), show_progress("pricing", None) as advance:
                advance(0.5)
                time.sleep(0.3)
    """)
    assert "step 1 of 3: reading" in drawn
    assert "step 2 of 3: attacks" in drawn
    assert "pricing" in drawn
    assert "found a number" in drawn
    assert "about 2 min left" in drawn


def test_what_is_left_follows_the_pace_so_far():
    steps = Steps(["a", "b", "c"], False)
    steps.expect({"a": 10.0, "b": 20.0, "c": 30.0})
    with steps.step("a"):
        pass
    steps._done["a"] = 5.0  # twice as fast as expected
    with steps.step("b"):
        assert 24.0 < steps.seconds_left <= 25.0
    steps._done["b"] = 40.0
    assert round(steps.seconds_left) == 45
    steps.expect({}, left_out=["c"])
    assert steps.seconds_left == 0.0


def test_a_command_announces_what_it_finds_and_a_library_does_not(capsys):
    announce("unheard", None)
    with silence_progress(True):
        announce("silenced", None)
    with silence_progress(False):
        announce("a number", None)
        announce("not wanted", False)
    assert capsys.readouterr() == ("", "a number\n")


def test_jobs_on_threads_of_their_own_draw_nothing():
    drawn = run_on_a_terminal("""
        import time, joblib
        from singleout.ground.parallel import map_jobs
        from singleout.ground.progress import Steps, show_progress

        def job(number):
            with show_progress("inside a job", None) as advance:
                advance(0.5)
                time.sleep(0.2)

        steps = Steps(["attacks"], None)
        with steps.shown(), steps.step("attacks"), joblib.parallel_config(backend="threading", n_jobs=2):
            map_jobs(job, range(4), label="some jobs", progress=None)
        print("done", flush=True)
    """)
    assert "some jobs" in drawn
    assert "inside a job" not in drawn
    assert "Error" not in drawn
