"""``singleout similarities`` and ``--plugin``: one's own attacks on the command line."""

import json

import pytest

from tests.commands import COLUMNS, run

PLUGIN = """
import singleout as so

so.register_similarity("mine", lambda p, q: 2.0 * min(p, q), 2.0, description="total variation")
"""


@pytest.fixture
def plugin(tmp_path):
    (tmp_path / "own.py").write_text(PLUGIN)
    return tmp_path / "own.py"


def test_all_similarities_are_listed_with_ones_own(plugin):
    listed = run("similarities", "--plugin", plugin).stdout
    assert "evidence" in listed
    assert listed.splitlines()[-1].split() == ["mine", "yours", "total", "variation"]
    rows = json.loads(run("similarities", "--json").stdout)["rows"]
    assert {"js", "evidence"} <= {row["name"] for row in rows}


def test_match_tries_what_a_plugin_registers_and_the_manifest_names_it(plugin, log, tmp_path):
    asked = [*COLUMNS, "--split", "weeks", "--out", tmp_path / "out"]
    assert run("match", log, *asked, "--plugin", plugin).exit_code == 0
    rows = json.loads((tmp_path / "out" / "result.json").read_text())["rows"]
    assert {"mine", "js"} <= {row["similarity"] for row in rows}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["parameters"]["plugin"] == "own.py"
    assert "own.py" in {each["name"] for each in manifest["inputs"]}


def test_a_plugin_that_fails_is_one_line(log, tmp_path):
    (tmp_path / "bad.py").write_text("1 / 0\n")
    for command in (["similarities"], ["audit", log, *COLUMNS]):
        found = run(*command, "--plugin", tmp_path / "bad.py")
        assert found.exit_code == 2
        assert (
            found.stderr == "error: --plugin: bad.py failed: ZeroDivisionError in bad.py, line 1 (division by zero).\n"
        )
