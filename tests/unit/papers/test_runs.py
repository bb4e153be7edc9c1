"""Which tables and figures can be run, what is missing for the others, and what is written."""

import json

import pyarrow.csv

from singleout.papers import runs
from singleout.papers.data_sets import Shelf
from singleout.papers.registry import experiment, experiments
from tests.reproductions import curve
from tests.result_folders import ABOUT, names


def test_what_is_skipped_or_run_on_less_says_what_to_get():
    (skipped,) = runs.lacking(experiment("naini-fig11"), Shelf())
    assert skipped.startswith("naini-fig11 skipped: needs ")
    assert " in --data (" in skipped
    partly = runs.lacking(experiment("naini-table2"), Shelf())
    assert all(line.startswith("naini-table2 without it: needs ") for line in partly)
    assert len(partly) == len(experiment("naini-table2").missing(Shelf())) == 2
    assert runs.lacking(experiment("manousakas-table2"), Shelf()) == []


def test_every_file_that_may_be_written_is_declared():
    declared = runs.all_files()
    assert {"index.html", "naini-fig5.json", "naini-fig5.vl.json", "naini-fig5.csv"} <= declared
    assert len(declared) == 1 + 3 * len(experiments())


def test_results_come_in_the_order_asked_for():
    ready = [experiment("manousakas-table2"), experiment("unnikrishnan-table1")][:1] * 2
    assert [result.id for result in runs.run(ready, Shelf())] == ["manousakas-table2"] * 2


def test_numbers_table_page_and_a_picture_of_curves_are_written(tmp_path):
    drawn, table = curve(id="naini-fig5"), curve(id="naini-table2", axis=None)
    runs.write(tmp_path / "out", [drawn, table], "<html>é", ABOUT)
    assert set(names(tmp_path / "out")) == {
        "index.html", "manifest.json", "naini-fig5.json", "naini-fig5.vl.json", "naini-fig5.csv", "naini-table2.json",
        "naini-table2.csv",
    }  # fmt: skip
    assert (tmp_path / "out" / "index.html").read_text(encoding="utf-8") == "<html>é"
    assert json.loads((tmp_path / "out" / "naini-fig5.json").read_text()) == json.loads(json.dumps(drawn.to_dict()))
    assert pyarrow.csv.read_csv(tmp_path / "out" / "naini-fig5.csv").num_rows == len(drawn.rows)
