"""Which columns single people out: printed, as plain data and as a folder, without values of few people."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

import singleout as so
from singleout.assessment.variables import FILES, combinations_to_dict, find_variables, sentence, write_variables
from tests.result_folders import ABOUT, names
from tests.small_tables import random_table

RECORDS = pa.table(
    {
        "town": ["ulm"] * 20 + ["secretville"] * 2 + ["bonn"] * 18,
        "sex": ["f", "m"] * 20,
        "job": [f"job{k // 2}" for k in range(40)],
    }
)


def found(table=RECORDS, sets=None, *, reveal=False, **asked):
    sets = {"town": ["town"], "nothing": []} if sets is None else sets
    return find_variables(so.read_table(table), sets, label="survey.csv", seed=0, reveal=reveal, **asked)


def test_each_set_of_known_columns_has_its_classes_and_its_answer():
    result = found()
    plain = result.to_dict()
    assert plain["data"] == {"label": "survey.csv", "records": 40, "columns": ["town", "sex", "job"]}
    town, nothing = plain["known"]
    assert town["classes"] == {"all": 3, "below_10": 1, "below_5": 1, "single": 0, "population": None}
    assert nothing["classes"] is None, "no column makes no classes"
    assert town["isolated"] == 0
    assert plain["vulnerable"] == 40
    assert json.loads(json.dumps(plain, allow_nan=False))["known"][0]["columns"] == ["town"]


def test_it_prints_on_eighty_columns_and_ends_with_a_sentence():
    text = str(found())
    assert max(map(len, text.splitlines())) <= 80
    assert "Known: town" in text
    assert "Known: nothing" in text
    assert "3 classes: 1 of fewer than 10 records, 1 of fewer than 5, 0 of a single record" in text
    assert "at random" in text


def test_values_of_few_people_are_shown_only_if_revealed(tmp_path):
    for reveal in (False, True):
        result = found(sets={"sex": ["sex", "job"]}, reveal=reveal)
        write_variables(tmp_path / str(reveal), result, ABOUT)
        levels = pq.read_table(tmp_path / str(reveal) / "levels.parquet")
        assert ("secretville" in str(levels.to_pydict())) == reveal
        assert ("secretville" in str(result)) == reveal


def test_the_folder_holds_every_combination(tmp_path):
    result = found()
    write_variables(tmp_path / "out", result, ABOUT)
    assert set(names(tmp_path / "out")) == {*FILES, "manifest.json"} - {"curve.parquet"}
    assert pq.read_table(tmp_path / "out" / "combinations.parquet").equals(result.found.to_arrow())
    columns = pq.read_table(tmp_path / "out" / "columns.parquet")
    assert columns["known"].to_pylist() == ["town"] * 3 + ["nothing"] * 3
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == json.loads(json.dumps(result.to_dict()))


def test_the_sentence_names_what_is_known_and_the_strongest_addition():
    one = so.vulnerability(so.read_table(RECORDS), known_columns=["sex"], strategy="all")
    assert sentence(one) == (
        "40 of 40 records are unique on all 3 columns; knowing sex isolates 0% of them; knowing job as well "
        f"isolates 100.0% (a column added at random: {one.random:.1%})."
    )
    few = so.vulnerability(so.read_table(RECORDS), known_columns=[], k=3)
    assert sentence(few).startswith(
        "40 of 40 records are in a class of at most 3 records on all 3 columns; knowing nothing"
    )
    same = so.vulnerability(so.read_table(pa.table({"x": [1] * 5, "y": [1] * 5})), known_columns=["x"])
    assert sentence(same) == "0 of 5 records are unique on all 2 columns: nobody is singled out."


def test_a_search_that_did_not_try_all_says_how_many_it_tried():
    asked = {"add": 2, "strategy": "all"}
    short = found(random_table(columns=12), {"nothing": []}, **asked, budget=1e-9)
    assert "38 of 66 combinations tried" in str(short)
    assert "combinations tried" not in str(found(random_table(columns=4), {"nothing": []}, **asked))


def test_names_cannot_steer_the_terminal():
    text = str(found(pa.table({"\x1b[31mred": ["x", "y"], "[bold]": ["a", "b"]}), {"none": []}))
    assert "\x1b" not in text
    assert "?[31mred" in text
    assert "[bold]" in text


def test_combinations_without_an_interval_have_no_share():
    none = so.vulnerability(so.read_table(pa.table({"x": [1] * 5, "y": [1] * 5})), known_columns=["x"])
    assert combinations_to_dict(none.rows) == [{"columns": ["y"], "ranks": [1], "isolated": 0, "share": None}]
