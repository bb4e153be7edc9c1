"""Libraries that are not installed are named with their install line, when they are needed."""

import sys

import pytest

import singleout as so
from tests.small_files import WORKS
from tests.small_sources import read


@pytest.mark.parametrize(
    ("library", "kind", "message"),
    [
        ("python_calamine", "Excel", "Excel and OpenDocument files require python-calamine"),
        ("pyreadstat", "SPSS", "SPSS files require pyreadstat"),
    ],
)
def test_a_missing_library_is_named_with_its_install_line(library, kind, message, tmp_path, monkeypatch):
    file = WORKS[kind](tmp_path)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(so.SourceError, match=rf"{message}, which is not installed: pip install \S+"):
        read(file)
