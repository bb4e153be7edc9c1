"""``singleout demo``: real purchases if they are installed, synthetic calls if not."""

import json
from functools import partial

import pytest

import singleout as so
from singleout.reading.synthetic import demo
from tests.commands import run

pytestmark = pytest.mark.heavy


def test_the_demo_without_the_extra_is_labelled_synthetic(tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "_installed_purchases", lambda: None)
    monkeypatch.setattr(demo, "CALLERS", 150)
    result = run("demo", "--out", tmp_path / "demo")
    assert result.exit_code == 0, result.output
    assert "synthetic" in result.stdout
    assert "only as an example" in result.stdout
    assert json.loads((tmp_path / "demo" / "audit.json").read_text())["data"]["synthetic"] is True
    assert (tmp_path / "demo" / "audit.html").exists()


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
