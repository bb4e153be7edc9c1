"""Outputs appear whole or not at all: a full disk, Ctrl-C and a kill leave nothing half-written."""

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import singleout as so
from singleout.ground.files import manifest, whole_folder, write_json


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def write_result(target, text):
    with whole_folder(target) as folder:
        write_json(folder / "manifest.json", {"schema": "singleout/manifest/1", "files": ["result.txt"]})
        (folder / "result.txt").write_text(text)


def test_a_folder_appears_with_all_its_files(tmp_path):
    write_result(tmp_path / "deep" / "out", "one")
    assert names(tmp_path / "deep") == ["out"]
    assert names(tmp_path / "deep" / "out") == ["manifest.json", "result.txt"]


def test_an_earlier_result_is_replaced_and_foreign_files_are_not(tmp_path):
    write_result(tmp_path / "out", "one")
    write_result(tmp_path / "out", "two")
    assert (tmp_path / "out" / "result.txt").read_text() == "two"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    with pytest.raises(so.OutputError, match="holds other files"):
        write_result(tmp_path / "mine", "three")
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "years of work"
    for manifest_text in ("{}", "[]", "nonsense", '{"schema": "other/1", "files": ["thesis.tex"]}'):
        (tmp_path / "mine" / "manifest.json").write_text(manifest_text)
        with pytest.raises(so.OutputError, match="holds other files"):
            write_result(tmp_path / "mine", "three")
    (tmp_path / "out" / "notes.ipynb").write_text("added later")
    with pytest.raises(so.OutputError, match="holds other files"):
        write_result(tmp_path / "out", "three")
    assert (tmp_path / "out" / "notes.ipynb").exists()
    with pytest.raises(so.OutputError, match="is not a folder"):
        write_result(tmp_path / "mine" / "thesis.tex", "four")


@pytest.mark.parametrize(
    "failure", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt(), ValueError()]
)
@pytest.mark.parametrize("earlier", [False, True])
def test_a_failure_while_writing_leaves_everything_as_it_was(tmp_path, failure, earlier):
    if earlier:
        write_result(tmp_path / "out", "earlier")
    before = names(tmp_path)
    expected = so.OutputError if isinstance(failure, OSError) else type(failure)
    with pytest.raises(expected), whole_folder(tmp_path / "out") as folder:
        (folder / "result.txt").write_text("half")
        raise failure
    assert names(tmp_path) == before
    if earlier:
        assert (tmp_path / "out" / "result.txt").read_text() == "earlier"


@pytest.mark.parametrize("step", ["fsync", "rename"])
def test_a_disk_that_fills_up_at_the_last_moment_is_named(tmp_path, monkeypatch, step):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write_result(tmp_path / "out", "earlier")
    with monkeypatch.context() as patched:
        if step == "fsync":
            patched.setattr(os, "fsync", full)
        else:
            patched.setattr("pathlib.Path.rename", full)
        with pytest.raises(so.OutputError, match="No space left on device. Nothing was left half-written"):
            write_result(tmp_path / "out", "half")
    assert names(tmp_path) == ["out"]
    assert (tmp_path / "out" / "result.txt").read_text() == "earlier"


def test_a_failed_swap_puts_the_earlier_result_back(tmp_path, monkeypatch):
    write_result(tmp_path / "out", "earlier")
    real, calls = type(tmp_path).rename, []

    def second_fails(self, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(self, target)

    monkeypatch.setattr("pathlib.Path.rename", second_fails)
    with pytest.raises(so.OutputError, match="Input/output error"):
        write_result(tmp_path / "out", "half")
    assert (tmp_path / "out" / "result.txt").read_text() == "earlier"
    assert names(tmp_path) == ["out"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(so.OutputError, match="cannot write .*file/out"):
        write_result(tmp_path / "file" / "out", "x")


def test_a_link_to_a_folder_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_result(tmp_path / "link", "one")
    assert (tmp_path / "real" / "result.txt").read_text() == "one"
    assert (tmp_path / "link").is_symlink()


def test_a_folder_that_may_not_be_written_is_named(tmp_path, monkeypatch):
    def denied(**_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("tempfile.mkdtemp", denied)
    with pytest.raises(so.OutputError, match="cannot write .*Permission denied"):
        write_result(tmp_path / "out", "x")


def test_a_killed_process_leaves_no_result_folder(tmp_path):
    script = """
        import sys, time
        from pathlib import Path
        from singleout.ground.files import whole_folder
        with whole_folder(Path(sys.argv[1])) as folder:
            (folder / "result.txt").write_text("half")
            print("writing", flush=True)
            time.sleep(60)
    """
    arguments = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "out")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "writing\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    time.sleep(0.05)
    assert not (tmp_path / "out").exists()


def test_json_refuses_nan_and_keeps_its_bytes(tmp_path):
    write_json(tmp_path / "a.json", {"b": 1, "a": [0.1, "é"]})
    write_json(tmp_path / "b.json", {"b": 1, "a": [0.1, "é"]})
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "c.json", {"a": float("nan")})


def test_the_manifest_names_files_digests_and_versions_but_no_paths(tmp_path):
    (tmp_path / "log.csv").write_text("a\n")
    document = manifest(
        command="x", parameters={}, inputs=[tmp_path / "log.csv"], files=[], seed=3, seconds=1.23456, reveal=False
    )
    text = json.dumps(document)
    assert str(tmp_path) not in text
    assert document["inputs"][0]["sha256"] == "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
    assert document["versions"]["singleout"]
