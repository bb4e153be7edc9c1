"""Outputs appear whole or not at all: a full disk, Ctrl-C and a kill leave nothing half-written."""

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import singleout as so
from singleout.ground.earlier_results import MANIFEST
from singleout.ground.files import check_target, manifest, whole_folder, write_json
from tests.result_folders import ABOUT, FILES, RESULT, names, write_result


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
    deep = "[" * 100_000
    for text in ("{}", "[]", "nonsense", deep, '{"schema": "other/1", "files": ["thesis.tex"]}'):
        (tmp_path / "mine" / "manifest.json").write_text(text)
        with pytest.raises(so.OutputError, match="holds other files"):
            write_result(tmp_path / "mine", "three")
    (tmp_path / "out" / "notes.ipynb").write_text("added later")
    with pytest.raises(so.OutputError, match="holds other files"):
        write_result(tmp_path / "out", "three")
    assert (tmp_path / "out" / "notes.ipynb").exists()
    with pytest.raises(so.OutputError, match="is not a folder"):
        write_result(tmp_path / "mine" / "thesis.tex", "four")


@pytest.mark.parametrize(
    ("failure", "raised", "says"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), so.OutputError, "No space left on device"),
        (KeyboardInterrupt("now"), KeyboardInterrupt, "^now$"),
        (ValueError("ours"), ValueError, "^ours$"),
    ],
)
@pytest.mark.parametrize("earlier", [False, True])
def test_a_failure_while_writing_leaves_everything_as_it_was(tmp_path, failure, raised, says, earlier):
    if earlier:
        write_result(tmp_path / "out", "earlier")
    before = names(tmp_path)
    with pytest.raises(raised, match=says), whole_folder(tmp_path / "out", ABOUT, FILES) as folder:
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
            patched.setattr("singleout.ground.files._exchange", full)
        says = r"No space left on device \(\d+ bytes or more needed, .* free\). Nothing was left half-written"
        with pytest.raises(so.OutputError, match=says):
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

    monkeypatch.setattr("singleout.ground.files._exchange", lambda *_: False)
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
        with whole_folder(Path(sys.argv[1]), {}, ["result.txt"]) as folder:
            (folder / "result.txt").write_text("half")
            print("writing", flush=True)
            time.sleep(60)
    """
    arguments = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "out")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "writing\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not (tmp_path / "out").exists()


def test_json_refuses_nan_and_keeps_its_bytes(tmp_path):
    write_json(tmp_path / "a.json", {"b": 1, "a": [0.1, "é"]})
    write_json(tmp_path / "b.json", {"b": 1, "a": [0.1, "é"]})
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "c.json", {"a": float("nan")})


def test_the_manifest_names_files_digests_and_versions_but_no_paths(tmp_path):
    (tmp_path / "log.csv").write_text("a\n")
    document = manifest(command="x", parameters={}, inputs=[tmp_path / "log.csv"], seed=3, reveal=False)
    text = json.dumps(document)
    assert str(tmp_path) not in text
    assert document["inputs"][0]["sha256"] == "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
    assert document["versions"]["singleout"]


def test_names_of_files_that_are_people_are_not_in_the_manifest(tmp_path):
    for name in ("anna.csv", "bob.csv"):
        (tmp_path / name).write_text("x")
    about = {"command": "audit", "parameters": {}, "seed": 0, "reveal": False}
    document = manifest(**about, inputs=sorted(tmp_path.iterdir()), hide_names=True)
    assert [each["name"] for each in document["inputs"]] == ["file 1 of 2", "file 2 of 2"]


@pytest.mark.parametrize("system", ["exchanges", "renames twice"])
def test_a_result_is_replaced_on_every_system(tmp_path, monkeypatch, system):
    if system == "renames twice":
        monkeypatch.setattr("singleout.ground.files._exchange", lambda *_: False)
    write_result(tmp_path / "out", "one")
    write_result(tmp_path / "out", "two")
    assert (tmp_path / "out" / "result.txt").read_text() == "two"
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("through", ["nosuch/../reports", "nosuch/../../{here}/reports", "link", "reports/."])
def test_a_path_through_anywhere_is_checked_where_it_leads(tmp_path, monkeypatch, through):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "keep").write_text("years of work")
    (tmp_path / "link").symlink_to(tmp_path / "reports")
    target = type(tmp_path)(through.format(here=tmp_path.name))
    with pytest.raises(so.OutputError, match="holds other files"):
        write_result(target, "lost")
    assert (tmp_path / "reports" / "keep").read_text() == "years of work"
    assert names(tmp_path) == ["link", "reports"]


@pytest.mark.parametrize("here", [".", "nosuch/..", "..", "../..", "/"])
def test_the_working_folder_and_those_above_are_never_replaced(tmp_path, monkeypatch, here):
    write_result(tmp_path / "work", "one")
    monkeypatch.chdir(tmp_path / "work")
    with pytest.raises(
        so.OutputError, match=r"out must be a new folder, such as result \(got .*\)\. .* cannot be replaced"
    ):
        write_result(type(tmp_path)(here), "lost")
    assert names(tmp_path / "work") == ["manifest.json", "result.txt"]


def test_a_file_that_the_command_does_not_declare_ends_it_and_stays(tmp_path):
    with (
        pytest.raises(so.OutputError, match="a file that is not of this result"),
        whole_folder(tmp_path / "out", ABOUT, FILES) as folder,
    ):
        (folder / "surprise.txt").write_text("x")
    (left,) = tmp_path.iterdir()
    assert names(left) == ["surprise.txt"], "it may be somebody's"


def test_files_that_come_while_we_are_at_work_are_not_lost(tmp_path):
    write_result(tmp_path / "out", "one")
    with (
        pytest.raises(so.OutputError, match="holds other files"),
        whole_folder(tmp_path / "out", ABOUT, FILES) as folder,
    ):
        (folder / "result.txt").write_text("two")
        (tmp_path / "out" / "remarks").write_text("years of work")
    assert names(tmp_path / "out") == ["manifest.json", "remarks", "result.txt"]
    assert names(tmp_path) == ["out"]


def test_files_that_come_at_the_very_moment_of_the_swap_are_not_lost(tmp_path, monkeypatch):
    write_result(tmp_path / "out", "one")
    from singleout.ground import files

    exchange = files._exchange

    def late(one, other):
        (other / "remarks").write_text("years of work")
        return exchange(one, other)

    monkeypatch.setattr(files, "_exchange", late)
    write_result(tmp_path / "out", "two")
    assert (tmp_path / "out" / "result.txt").read_text() == "two"
    (kept,) = tmp_path.rglob("remarks")
    assert kept.read_text() == "years of work"


@pytest.mark.parametrize("inside", ["out/input.csv", "out/deep/input.csv", "link.csv", "out/link.csv"])
def test_an_input_inside_the_target_is_refused(tmp_path, inside):
    (tmp_path / "out" / "deep").mkdir(parents=True)
    (tmp_path / "other.csv").write_text("a")
    for file in ("out/input.csv", "out/deep/input.csv"):
        (tmp_path / file).write_text("a")
    (tmp_path / "link.csv").symlink_to(tmp_path / "out" / "input.csv")
    (tmp_path / "out" / "link.csv").symlink_to(tmp_path / "other.csv")
    with pytest.raises(so.OutputError, match=f"contains the input {Path(inside).name}, which would be lost"):
        check_target(tmp_path / "out", RESULT, [tmp_path / inside])


@pytest.mark.parametrize("target", ["loop", "loop/out", "n" * 300, "file/out"])
def test_targets_that_no_file_system_takes_are_named(tmp_path, target):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").write_text("")
    with pytest.raises(so.OutputError, match="cannot write"):
        write_result(tmp_path / target, "x")


def test_a_revealed_result_is_for_its_owner_only(tmp_path):
    with whole_folder(tmp_path / "out", ABOUT | {"reveal": True}, FILES) as folder:
        (folder / "result.txt").write_text("names")
    modes = {path.name: path.stat().st_mode & 0o777 for path in [tmp_path / "out", *(tmp_path / "out").iterdir()]}
    assert modes == {"out": 0o700, "result.txt": 0o600, "manifest.json": 0o600}


def modes(folder):
    return {path.name: oct(path.stat().st_mode & 0o777) for path in (folder, *folder.iterdir())}


@pytest.mark.parametrize("system", ["exchanges", "renames twice"])
def test_who_could_not_read_an_earlier_result_cannot_read_the_new_one(tmp_path, monkeypatch, system):
    if system == "renames twice":
        monkeypatch.setattr("singleout.ground.files._exchange", lambda *_: False)
    out = tmp_path / "out"
    write_result(out, "one")
    for path in (out / "result.txt", out / MANIFEST):
        path.chmod(0o600)
    out.chmod(0o700)
    with whole_folder(out, ABOUT, FILES) as folder:
        for name in FILES:
            (folder / name).write_text("two")
    assert modes(out) == {"out": "0o700", "result.txt": "0o600", "other.txt": "0o600", MANIFEST: "0o600"}
    with whole_folder(out, ABOUT | {"reveal": True}, FILES) as folder:
        (folder / "result.txt").write_text("three")
    out.chmod(0o777)
    (out / "result.txt").chmod(0o666)
    write_result(out, "four")  # what the user opened is as open as any new result, not more
    assert modes(out) == {"out": oct(0o777 & ~umask()), "result.txt": oct(0o666 & ~umask()), MANIFEST: "0o600"}


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_an_empty_folder_closed_to_others_stays_closed(tmp_path):
    (tmp_path / "out").mkdir(mode=0o700)
    write_result(tmp_path / "out", "one")
    assert modes(tmp_path / "out")["out"] == "0o700"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("", r"a new folder, such as result \(got an empty name or '.'\)\. The current folder cannot be replaced"),
        ("..", r"\(got '\.\.'\)\. A folder that contains the current one cannot be replaced"),
        ("/", r"\(got '/'\)\. A folder that contains the current one cannot be replaced"),
        ("file/deep/out", "cannot write file/deep/out: file is a file, not a folder"),
    ],
)
def test_a_target_that_cannot_be_is_refused_for_its_own_reason(tmp_path, monkeypatch, target, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(so.OutputError, match=says):
        write_result(type(tmp_path)(target), "x")
