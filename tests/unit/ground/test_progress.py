"""Progress is drawn on a terminal only."""

import os
import subprocess
import sys
import textwrap
import threading
from contextlib import nullcontext

import pytest

from singleout.ground.progress import Lines, Steps, add_detail, announce, show_progress, silence_progress, stage


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
    pty = pytest.importorskip("pty")
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
    pty = pytest.importorskip("pty")
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
        from singleout.ground.progress import Steps, add_detail, announce, show_progress
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


class Clock:
    """Time that passes only when it is told to."""

    now = 100.0

    def __call__(self):
        return self.now

    def wait(self, seconds, steps):
        """Let seconds pass one by one, as the thread that prints the lines does."""
        for _ in range(seconds):
            self.now += 1.0
            steps.print_if_due()


def test_without_a_terminal_a_line_every_ten_seconds_says_how_far_it_is(capsys):
    clock = Clock()
    steps = Steps(["reading", "joint matching", "page"], None, clock=clock)
    with steps.step("reading"):
        clock.wait(9, steps)
    assert capsys.readouterr().err == "", "a step that ends sooner has no line"
    steps.expect({"reading": 9.0, "joint matching": 200.0, "page": 60.0})
    with steps.step("joint matching"):
        clock.wait(9, steps)
        assert capsys.readouterr().err == ""
        clock.wait(1, steps)
        assert capsys.readouterr().err == "step 2 of 3: joint matching, 19 s so far, about 4 min left\n"
        clock.wait(100, steps)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[-1] == "step 2 of 3: joint matching, 2 min so far, about 2 min left"
    clock.wait(50, steps)
    assert capsys.readouterr().err == "", "no step is under way"


def test_nothing_is_said_about_what_is_left_where_nothing_is_expected(capsys):
    clock = Clock()
    steps = Steps(["reading", "linking"], None, clock=clock)
    with steps.step("reading"):
        pass
    with steps.step("linking"):
        clock.wait(10, steps)
    assert capsys.readouterr().err == "step 2 of 2: linking, 10 s so far\n"


@pytest.mark.parametrize(
    ("progress", "silent", "printed"),
    [(None, None, False), (None, True, False), (None, False, True), (True, None, True), (False, False, False)],
)
def test_lines_come_from_commands_or_where_progress_is_asked_for(progress, silent, printed):
    def watched():
        return "progress" in [thread.name for thread in threading.enumerate()]

    steps = Steps(["work"], progress)
    command = nullcontext() if silent is None else silence_progress(silent)
    with command, steps.shown(), steps.step("work"):
        assert watched() is printed
    assert not watched()


def test_the_thread_prints_lines_until_the_work_ends(monkeypatch):
    monkeypatch.setattr("singleout.ground.progress.EVERY", 0.001)
    steps, heard = Steps(["work"], True), threading.Event()
    monkeypatch.setattr(steps, "print_if_due", heard.set)
    with steps.shown(), steps.step("work"):
        assert heard.wait(20)


def test_control_codes_in_a_line_cannot_steer_the_terminal(capsys):
    clock = Clock()
    steps = Steps(["\x1b[2Jwork"], None, clock=clock)
    with steps.step("\x1b[2Jwork"):
        clock.wait(10, steps)
    assert capsys.readouterr().err == "step 1 of 1: ?[2Jwork, 10 s so far\n"


def test_a_verbose_command_reports_each_step_and_what_was_counted(capsys):
    clock = Clock()
    for verbose in (False, True):
        with silence_progress(False, verbose=verbose):
            steps = Steps(["reading"], None, clock=clock)
            with steps.step("reading"):
                clock.now += 2.5
            add_detail("3 people")
        assert capsys.readouterr().err == ("step 1 of 1: reading: 2.5 s\n3 people\n" if verbose else "")


def test_a_command_without_a_terminal_prints_what_it_is_doing_every_ten_seconds(capsys):
    now = [0.0]
    lines = Lines(clock=lambda: now[0])
    with lines.working("attack: matching"):
        for now[0] in (5.0, 10.0, 15.0, 20.0):
            lines.print_if_due()
        with lines.working("reading"), lines.left_to_steps():
            now[0] = 40.0
            lines.print_if_due()
        for now[0] in (45.0, 50.0):
            lines.print_if_due()
    now[0] = 60.0
    lines.print_if_due()
    assert capsys.readouterr().err.splitlines() == [
        "attack: matching, 10 s so far", "attack: matching, 20 s so far", "attack: matching, 50 s so far",
    ]  # fmt: skip


@pytest.mark.parametrize("silent", [True, False])
def test_any_work_of_a_command_is_a_line_unless_it_is_silent(monkeypatch, capsys, silent):
    monkeypatch.setattr("singleout.ground.progress.EVERY", 0.001)
    printed = threading.Event()
    monkeypatch.setattr("singleout.ground.progress.visible", lambda text: printed.set() or text)
    with silence_progress(silent), stage("attack"), show_progress("matching", None):
        printed.wait(0.05 if silent else 20)
    assert ("attack: matching, " in capsys.readouterr().err) is not silent
