"""The same command twice writes the same files, byte for byte: nothing in them depends on a clock."""

import pytest

from tests.commands import COLUMNS, contents, run


@pytest.mark.parametrize(
    "asked",
    [
        ("audit", *COLUMNS, "--similarities", "js", "--topology", "no", "--microaggregate", "5"),
        ("match", *COLUMNS, "--split", "weeks", "--similarities", "js"),
    ],
    ids=lambda asked: asked[0],
)
def test_a_command_writes_the_same_files_again(log, tmp_path, asked):
    command, *rest = asked
    for number in (1, 2):
        done = run(command, log, *rest, "--quiet", "--out", tmp_path / f"out{number}")
        assert done.exit_code == 0, done.output
    first, second = (contents(tmp_path / f"out{number}") for number in (1, 2))
    assert "manifest.json" in first
    assert first == second
