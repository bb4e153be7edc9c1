"""What columns lead to on a public list, in words and as a folder."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

import singleout as so
from singleout.assessment.exposure import find_exposure, sentence


def report(**asked):
    released = pa.table({"town": ["secretville", "ulm", "ulm"], "age": [1, 2, 3], "sex": list("fmf")})
    tables = so.read_table(released), so.read_table(released)
    return find_exposure(tables, {"sex": ["sex"], "": []}, labels=("a.csv", "b.csv"), **asked)


def test_each_set_of_known_columns_has_a_sentence_with_its_baselines():
    made = report(max_known=1)
    told = sentence(made.found["sex"])
    assert told.startswith("sex and town would lead 100.0% of 3 released records to a single entry of the list")
    assert "columns added at random: 100.0%" in told
    assert "a random entry: 33.3%" in told
    assert max(map(len, str(made).splitlines())) <= 80


def test_the_folder_holds_combinations_and_curves_and_no_value(tmp_path):
    made = report()
    made.write(tmp_path / "out", {})
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "combinations.parquet",
        "curve.parquet",
        "result.json",
        "manifest.json",
    }
    curve = pq.read_table(tmp_path / "out" / "curve.parquet")
    assert set(curve["known"].to_pylist()) == {"sex", ""}
    text = (tmp_path / "out" / "result.json").read_text()
    assert "secretville" not in text + str(made)
    assert json.loads(text) == made.to_dict()
