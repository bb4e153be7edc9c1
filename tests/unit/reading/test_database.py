"""A query ends at once when it is interrupted, and says what it ran out of."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import Future

import duckdb
import pytest

import singleout as so
from singleout.reading.database import Database


def test_ctrl_c_stops_a_long_query_at_once():
    # a shell starts what runs in the background with Ctrl-C ignored, and tests may run there
    script = """
        import signal
        from singleout.reading.database import Database
        signal.signal(signal.SIGINT, signal.default_int_handler)
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


class EndsAsTheWaitDoes(Future):
    """Has its result the moment after somebody has given up waiting for it."""

    def result(self, timeout=None):
        if timeout is not None:
            self.set_result("found")
            raise TimeoutError
        return super().result()


def test_a_query_that_ends_as_the_wait_for_it_does_is_answered():
    running = EndsAsTheWaitDoes()
    threading.Timer(0.3, running.set_result, ["found"]).start()
    assert Database()._await(running, lambda share: None) == "found"


def test_ctrl_c_before_a_query_has_begun_stops_it_all_the_same(monkeypatch):
    ended, plain = threading.Event(), Database._run

    def begins_late(self, sql):
        time.sleep(0.3)
        try:
            return plain(self, sql)
        finally:
            ended.set()

    def interrupted(self, running, advance):
        raise KeyboardInterrupt("pressed")

    monkeypatch.setattr(Database, "_run", begins_late)
    database = Database()
    monkeypatch.setattr(Database, "_await", interrupted)
    with pytest.raises(KeyboardInterrupt, match="pressed"):
        database.table("SELECT count(*) FROM range(100000000000) a WHERE (a.range * 7) % 13 = 5")
    assert ended.wait(60)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            duckdb.OutOfMemoryException("could not allocate block of size 256.0 KiB"),
            "too little memory: .* 262 kB more",
        ),
        (duckdb.IOException("Could not write: No space left on device"), "too little disk space .* free. Set TMPDIR"),
        (duckdb.OutOfMemoryException("This limit was set by the 'max_temp_directory_size' setting"), "too little disk"),
    ],
)
def test_a_query_that_runs_out_is_no_fault_of_the_file(tmp_path, monkeypatch, error, message):
    (tmp_path / "log.csv").write_text("who,where\n1,a\n")
    log = so.read_events(tmp_path / "log.csv", user="who", place="where")

    def fails(self, sql):
        raise error

    monkeypatch.setattr(Database, "_run", fails)
    with pytest.raises(so.ResourceError, match=message):
        so.histograms(log)
