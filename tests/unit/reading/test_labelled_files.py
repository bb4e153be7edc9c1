"""Files of statistics packages: labels, dates and gaps come over."""

import datetime as dt
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import singleout as so
from singleout.reading import labelled_files
from tests.small_sources import rows_of

FRAME = pd.DataFrame(
    {
        "sex": [1.0, 2.0, np.nan, 9.0],
        "town": ["Zürich", "", "Bern", "Bern"],
        "born": [dt.date(1980, 1, 2), None, dt.date(1990, 3, 4), dt.date(1990, 3, 4)],
        "seen": [dt.datetime(2025, 12, 31, 14, 5), None, None, dt.datetime(2026, 1, 1)],
    }
)
LABELS = {"sex": {1.0: "male", 2.0: "female"}}
EXPECTED = [
    ("male", "Zürich", "1980-01-02", "2025-12-31 14:05:00"),
    ("female", None, None, None),
    (None, "Bern", "1990-03-04", None),
    ("9", "Bern", "1990-03-04", "2026-01-01 00:00:00"),
]


@pytest.mark.parametrize(("writer", "name"), [("write_sav", "t.sav"), ("write_dta", "t.dta")])
def test_labels_dates_and_gaps_come_over(writer, name, tmp_path):
    getattr(pyreadstat, writer)(FRAME, tmp_path / name, variable_value_labels=LABELS)
    assert rows_of(so.read_table(tmp_path / name)) == EXPECTED


def test_sas_transport_files_have_dates_but_no_labels(tmp_path):
    pyreadstat.write_xport(FRAME, tmp_path / "t.xpt")
    assert [row[1:] for row in rows_of(so.read_table(tmp_path / "t.xpt"))] == [row[1:] for row in EXPECTED]


def test_a_sas_file_is_read_by_its_own_reader(tmp_path, monkeypatch):
    mark = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
    (tmp_path / "t.sas7bdat").write_bytes(mark + bytes(100))

    def read_sas7bdat(file, **given):
        return {"a": [1.0, None], "b": ["x", ""]}, SimpleNamespace(variable_value_labels={})

    monkeypatch.setattr(pyreadstat, "read_sas7bdat", read_sas7bdat)
    assert rows_of(so.read_table(tmp_path / "t.sas7bdat")) == [(1, "x"), (None, None)]
    monkeypatch.undo()
    with pytest.raises(so.SourceError, match="t.sas7bdat is not a complete, readable SAS file"):
        so.read_table(tmp_path / "t.sas7bdat")


def test_two_values_with_one_label_stay_apart(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0]})
    labels = {"a": {1.0: "other", 2.0: "other", 3.0: "none"}}
    pyreadstat.write_sav(frame, tmp_path / "t.sav", variable_value_labels=labels)
    assert rows_of(so.read_table(tmp_path / "t.sav")) == [("other (1)",), ("other (2)",), ("none",)]


def test_rows_come_some_at_a_time_in_their_order(tmp_path, monkeypatch):
    frame = pd.DataFrame({"n": [float(n) for n in range(10)], "late": [None] * 8 + [1.5, 2.5]})
    pyreadstat.write_sav(frame, tmp_path / "t.sav")
    monkeypatch.setattr(labelled_files, "ROWS_AT_ONCE", 4)
    assert [row[0] for row in rows_of(so.read_table(tmp_path / "t.sav", columns=["n"]))] == list(range(10))
