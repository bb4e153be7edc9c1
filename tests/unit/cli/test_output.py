"""Where a result goes: the folder that is named, as the user would name it."""

from pathlib import Path

import pytest

from singleout.cli.output import Output


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    ("named", "folder"),
    [("out", "out"), ("~/out", "{here}/home/out"), ("nowhere/../out", "{here}/out"), ("../out", "{above}/out")],
)
def test_the_folder_printed_is_one_that_can_be_opened(here, named, folder):
    output = Output("audit", Path(named), 0, False, False, files=())
    assert str(output.folder) == folder.format(here=here.resolve(), above=here.resolve().parent)
