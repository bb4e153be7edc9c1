"""A file of a user's that registers similarities: run once, and refused in one line where it is wrong."""

import os
import sys

import pytest

import singleout as so
from singleout.ground.errors import SourceError
from singleout.similarity.plugins import load_plugin
from singleout.similarity.registry import registered_by_user

GOOD = "import singleout as so\nso.register_similarity('mine', lambda p, q: p * q, 0.0)\n"


def plugin(folder, text, name="own.py"):
    (folder / name).write_text(text)
    return folder / name


def test_a_plugin_registers_and_runs_once(tmp_path):
    counter = tmp_path / "runs"
    count = f"from pathlib import Path\nwith Path({str(counter)!r}).open('a') as file:\n    file.write('x')\n"
    file = plugin(tmp_path, GOOD + count)
    load_plugin(file)
    load_plugin(str(file))
    assert [each.name for each in registered_by_user()] == ["mine"]
    assert counter.read_text() == "x"


def test_nothing_is_written_beside_a_plugin(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    load_plugin(plugin(tmp_path, GOOD))
    assert [file.name for file in tmp_path.iterdir()] == ["own.py"]
    assert not sys.dont_write_bytecode


def test_a_changed_plugin_runs_again(tmp_path):
    load_plugin(plugin(tmp_path, GOOD))
    load_plugin(plugin(tmp_path, GOOD.replace("mine", "other")))
    assert [each.name for each in registered_by_user()] == ["mine", "other"]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("x = 1\n", "own.py", r"own.py registers nothing. Call so.register_similarity"),
        ("\n1 / 0\n", "own.py", "own.py failed: ZeroDivisionError in own.py, line 2"),
        ("def f(:\n", "own.py", "own.py failed: SyntaxError in line 1"),
        ("raise SystemExit\n", "own.py", "own.py failed: SystemExit in own.py, line 1"),
        (GOOD, "own.txt", "own.txt is not a Python file"),
        (GOOD.replace("mine", "js"), "own.py", "own.py: register_similarity: name must be a new name"),
    ],
)
def test_a_plugin_that_is_wrong_says_why(tmp_path, text, name, message):
    with pytest.raises(SourceError, match=message):
        load_plugin(plugin(tmp_path, text, name))


def test_a_missing_plugin_says_so(tmp_path):
    with pytest.raises(SourceError, match=r"cannot read none.py: No such file or directory"):
        load_plugin(tmp_path / "none.py")


def test_an_audit_takes_a_plugin_as_an_option(tmp_path):
    file = plugin(tmp_path, GOOD)
    options = so.AuditOptions(user="u", place="p", time="t", plugin=str(file), similarities=["mine"])
    assert options.non_defaults()["plugin"] == "own.py"
    with pytest.raises(so.InputError, match="`?plugin`?: own2.py registers nothing"):
        so.AuditOptions(user="u", place="p", time="t", plugin=str(plugin(tmp_path, "x = 1\n", "own2.py")))


def test_a_pipe_or_a_device_is_refused_as_reading_it_may_never_end(tmp_path):
    (tmp_path / "own.py").symlink_to(os.devnull)
    with pytest.raises(SourceError, match=r"own\.py is not a plain file"):
        load_plugin(tmp_path / "own.py")
    with pytest.raises(SourceError, match="is not a plain file"):
        load_plugin(tmp_path)


def test_a_long_error_of_a_plugin_is_one_line(tmp_path):
    with pytest.raises(SourceError, match=r"line 1 \(no no [^\n]*…[^\n]*\)\.$") as raised:
        load_plugin(plugin(tmp_path, "raise ValueError('no\\n' * 70_000)\n"))
    assert len(str(raised.value)) < 500


def test_an_error_of_a_plugin_that_cannot_say_what_it_is_is_named_by_its_kind(tmp_path):
    text = "class Odd(Exception):\n    def __str__(self):\n        raise ValueError\nraise Odd\n"
    with pytest.raises(SourceError, match=r"own\.py failed: Odd in own\.py, line 4\.$"):
        load_plugin(plugin(tmp_path, text))
