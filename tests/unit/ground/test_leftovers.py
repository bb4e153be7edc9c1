"""What a killed command left behind is cleared away, and nothing else."""

import errno
import os
import subprocess
import sys

import pytest

from singleout.ground.files import check_target
from singleout.ground.leftovers import HOST
from tests.result_folders import RESULT, names, write_result


def test_what_a_kill_left_is_cleared_away_once_its_owner_is_gone(tmp_path, monkeypatch):
    from singleout.ground import leftovers

    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))

    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    kinds = {
        "dead": (leftovers.HOST, gone.pid),
        "elsewhere": ("0" * 8, gone.pid),
        "alive": (leftovers.HOST, os.getpid()),
    }
    for kind, (host, pid) in kinds.items():
        folder = tmp_path / f".singleout-{host}-{pid}-{'0' * 8}.unfinished"
        folder.mkdir()
        (folder / "result.txt").write_text(kind)
        os.utime(folder, (0, 0))
    (tmp_path / f".singleout-{leftovers.HOST}-{gone.pid}-{'1' * 8}.unfinished").mkdir()
    (tmp_path / f"singleout-{leftovers.HOST}-{gone.pid}-ab_c1").mkdir()
    (tmp_path / f"singleout-{leftovers.HOST}-{gone.pid}-ab_c1" / "spilled.tmp").write_text("")
    (tmp_path / "singleout-mine").mkdir()
    check_target(tmp_path / "out", RESULT)
    stay = {f".singleout-{host}-{pid}-{'0' * 8}.unfinished" for host, pid in list(kinds.values())[1:]}
    assert set(names(tmp_path)) == stay | {"singleout-mine"}


@pytest.mark.parametrize("locks", [True, False])
def test_what_another_process_holds_is_not_cleared_away_although_its_number_means_nothing_here(
    tmp_path, monkeypatch, locks
):
    from singleout.ground import leftovers

    def none(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    folder = tmp_path / f".singleout-{leftovers.HOST}-{gone.pid}-{'0' * 8}.unfinished"
    folder.mkdir()
    held = os.open(folder, os.O_RDONLY)
    if locks:
        leftovers._lock(held)
    else:
        monkeypatch.setattr(leftovers, "_lock", none)
    check_target(tmp_path / "out", RESULT)
    assert folder.exists()
    os.utime(folder, (0, 0))
    os.close(held)
    check_target(tmp_path / "out", RESULT)
    assert not folder.exists()


def test_an_earlier_result_that_a_kill_left_beside_the_new_one_loses_no_file_of_others(tmp_path):
    from singleout.ground import leftovers

    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    write_result(tmp_path / "out", "one")
    (tmp_path / "out" / "remarks").write_text("years of work")
    folder = tmp_path / f".singleout-{leftovers.HOST}-{gone.pid}-{'0' * 8}.unfinished"
    (tmp_path / "out").rename(folder)
    check_target(tmp_path / "out", RESULT)
    assert names(folder) == ["remarks"]


def test_of_an_unfinished_folder_only_files_that_the_command_writes_are_cleared_away(tmp_path):
    ours, mixed = (tmp_path / f".singleout-{HOST}-{gone_process()}-{number * 8}.unfinished" for number in "ab")
    for folder in (ours, mixed):
        folder.mkdir()
        (folder / "result.txt").write_text("half a re")
    (mixed / "thesis.txt").write_text("years of work")
    check_target(tmp_path / "out", RESULT)
    assert not ours.exists()
    assert names(mixed) == ["thesis.txt"]


def gone_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid
