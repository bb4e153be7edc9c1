"""Protected tables keep what they promise, counted again from the file by a database of its own."""

import csv
from functools import partial

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so

KNOWN = ["age", "sex", "town"]
protect_people = partial(so.protect_table, allow=["name"])
"""Their names are released, so that records can be compared one by one."""


def people(records=2_000, seed=0):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "name": [f"id{number:05}" for number in rng.permutation(records)],
            "age": rng.integers(18, 90, records),
            "sex": rng.choice(["f", "m"], records),
            "town": rng.choice([f"t{number}" for number in range(30)], records, p=weights(30)),
            "illness": rng.choice(["none", "flu", "other"], records, p=[0.7, 0.2, 0.1]),
            "weight": rng.integers(5, 40, records),
        }
    )


def weights(number):
    share = 1 / np.arange(1, number + 1)
    return share / share.sum()


def counts(path, columns):
    """The records of every combination, by DuckDB from the file."""
    chosen = ", ".join(f'"{name}"' for name in columns) or "1"
    rows = duckdb.sql(f"SELECT count(*) FROM '{path}' GROUP BY {chosen}").fetchall()
    return [row[0] for row in rows]


def left(found):
    return [name for name in KNOWN if name in found.table.column_names]


@pytest.mark.parametrize(
    "asked",
    [
        {"k": 5},
        {"k": 11, "max_suppressed": 0.05},
        {"max_risk": 0.05},
        {"max_risk": 0.1, "risk": "maximum"},
        {"k": 4, "method": "cells"},
        {"max_risk": 0.1, "method": "cells"},
        {"k": 3, "loss": "per-column"},
        {"k": 3, "loss": "discernibility"},
        {"k": 3, "loss": "class-size", "max_suppressed": 0.02},
        {"k": 5, "recode": {"age": [30, 50, 70], "town": "rare:0.02"}, "max_suppressed": 0.1},
        {"k": 5, "importance": {"sex": 50.0}},
    ],
    ids=lambda asked: "-".join(f"{value}" for value in asked.values())[:30],
)
def test_the_file_that_is_written_meets_the_limit(tmp_path, asked):
    found = protect_people(people(), known_columns=KNOWN, **asked)
    path = tmp_path / "safe.parquet"
    found.write(path)
    sizes = counts(path, left(found))
    assert found.risk.k == min(sizes)
    assert found.risk.average == pytest.approx(len(sizes) / sum(sizes))
    assert min(sizes) >= asked.get("k", 1)
    if "max_risk" in asked:
        worst = 1 / min(sizes) if asked.get("risk") else len(sizes) / sum(sizes)
        assert worst <= asked["max_risk"]
    assert sum(sizes) == found.table.num_rows == 2_000 - found.change.left_out
    assert found.change.left_out <= asked.get("max_suppressed", 0) * 2_000
    assert 0 <= found.loss <= 1


def test_l_and_t_hold_in_the_file(tmp_path):
    found = protect_people(people(), known_columns=KNOWN, k=3, l=2, t=0.4, sensitive=["illness"], max_suppressed=0.02)
    path = tmp_path / "safe.csv"
    found.write(path)
    chosen = ", ".join(left(found))
    rows = duckdb.sql(f"SELECT {chosen}, illness, count(*) FROM '{path}' GROUP BY ALL").fetchall()
    overall, classes = {}, {}
    for *key, value, number in rows:
        overall[value] = overall.get(value, 0) + number
        classes.setdefault(tuple(key), {})[value] = number
    total = sum(overall.values())
    for each in classes.values():
        size = sum(each.values())
        assert size >= 3
        assert len(each) >= 2
        assert sum(abs(each.get(v, 0) / size - n / total) for v, n in overall.items()) / 2 <= 0.4 + 1e-9


def test_in_a_sample_the_limit_is_one_in_the_population():
    survey = so.read_table(people(), survey_weight="weight", drop=["name"])
    alone = so.population_risk(survey, columns=KNOWN)
    limit = alone.rate.high / 3
    found = protect_people(survey, known_columns=KNOWN, max_risk=limit)
    again = so.population_risk(so.read_table(found.table, survey_weight="weight"), columns=left(found))
    assert again.rate.high <= limit
    assert "weight" in found.table.column_names
    assert "name" not in found.table.column_names
    file = protect_people(people(), known_columns=KNOWN, max_risk=limit)
    assert found.loss < file.loss, "in the population there are others with the same values"


@pytest.mark.parametrize("ending", ["csv", "parquet", "json", "jsonl", "tsv"])
def test_a_file_comes_out_as_it_went_in(tmp_path, ending):
    table = people(400).drop_columns(["weight"])
    source = tmp_path / f"in.{ending}"
    if ending == "parquet":
        pq.write_table(table, source)
    else:
        kinds = {"csv": "csv, header", "tsv": "csv, header, delimiter E'\\t'", "json": "json, array true"}
        duckdb.from_arrow(table).create_view("rows", replace=True)
        duckdb.sql(f"COPY rows TO '{source}' (FORMAT {kinds.get(ending, 'json')})")
    found = protect_people(source, known_columns=KNOWN, k=5, recode={"sex": "keep"})
    out = tmp_path / f"out.{ending}"
    found.write(out)
    before, after = (duckdb.sql(f"SELECT * FROM '{path}'") for path in (source, out))
    kept = [name for name in before.columns if name in after.columns]
    assert after.columns == kept, "in the same order"
    assert found.name == f"protected.{ending}"
    names = "name, sex, illness"
    one, other = (sorted(duckdb.sql(f"SELECT {names} FROM '{path}'").fetchall()) for path in (source, out))
    assert one == other, "values of each record as they were"


def test_text_files_keep_their_separator_and_quotes(tmp_path):
    source = tmp_path / "in.csv"
    with source.open("w", newline="") as file:
        rows = csv.writer(file, delimiter=";")
        rows.writerow(["age", "note; or two", "zip"])
        rows.writerows([20 + n % 3, 'says "hi"; bye' if n % 2 else "", f"{n:05}"] for n in range(60))
    found = so.protect_table(source, known_columns=["age"], k=5)
    found.write(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        after = list(csv.reader(file, delimiter=";"))
    with source.open(newline="") as file:
        header, *rows = csv.reader(file, delimiter=";")
    assert after[0] == header
    assert sorted(after[1:]) == sorted(rows)


def test_csv_and_parquet_of_the_same_data_are_changed_in_the_same_way(tmp_path):
    table = people()
    pq.write_table(table, tmp_path / "a.parquet")
    pyarrow.csv.write_csv(table, tmp_path / "a.csv")
    one, other = (protect_people(tmp_path / name, known_columns=KNOWN, k=5) for name in ("a.parquet", "a.csv"))
    assert one.loss == pytest.approx(other.loss, abs=1e-12)
    assert one.cuts() == other.cuts()


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_rows_does_not_matter(seed):
    table = people(200)
    shuffled = table.take(pa.array(np.random.default_rng(seed).permutation(200)))
    one, other = (protect_people(each, known_columns=KNOWN, k=3, max_suppressed=0.05) for each in (table, shuffled))
    assert one.cuts() == other.cuts()
    assert sorted(map(str, one.table.to_pylist())) == sorted(map(str, other.table.to_pylist()))


def test_every_cut_is_named_and_values_only_if_revealed():
    found = protect_people(people(), known_columns=KNOWN, k=5)
    plain = found.to_dict()
    assert [each["column"] for each in plain["columns"]] == KNOWN
    assert "values" not in str(plain["columns"])
    shown = {each["column"]: each for each in found.to_dict(reveal=True)["columns"]}
    ranges = shown["age"].get("values")
    assert ranges is None or all(int(age) >= 0 for age in ranges)
    assert any(each.get("cuts") or each.get("combined") or each["level"] == "drop" for each in plain["columns"])
    assert "Measured on the file: k = " in str(found)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "give a limit"),
        ({"k": 5, "method": "magic"}, "method"),
        ({"k": 5, "loss": "tears"}, "loss"),
        ({"k": 5, "method": "cells", "recode": {"age": "keep"}}, "require `?method"),
        ({"k": 5, "max_suppressed": 1.5}, "max_suppressed must be a share"),
        ({"k": 5, "recode": {"name": "keep"}}, "recode must be for columns in known_columns"),
        ({"k": 5, "recode": {"age": "keep"}, "hierarchies": {"age": {}}}, "either `?recode"),
        ({"k": 5, "importance": {"age": -1}}, "importance must be numbers of 0 or more"),
        ({"k": 5, "importance": {"age": 2}, "loss": "class-size"}, "requires `?loss"),
        ({"k": 5_000}, "not even the coarsest levels of all known columns meet k = 5000"),
        ({"l": 5, "sensitive": ["illness"]}, "not even the coarsest levels"),
        ({"k": 5, "sensitive": ["nope"]}, "is not a column"),
        ({"k": 5, "recode": {"age": "keep", "sex": "keep", "town": "keep"}}, "not even the coarsest levels"),
    ],
)
def test_what_cannot_be_done_is_refused(asked, message):
    with pytest.raises(so.InputError, match=message):
        protect_people(people(300), known_columns=KNOWN, **asked)


def test_recodings_alone_need_no_limit():
    found = protect_people(people(), known_columns=KNOWN, recode={"age": "round:10", "sex": "keep", "town": "keep"})
    assert set(found.table["age"].to_pylist()) == {20, 30, 40, 50, 60, 70, 80, 90}
    assert sorted(found.table["town"].to_pylist()) == sorted(people()["town"].to_pylist())


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.string(), ["", None, None, None, None, "Bern", "Bern", "Bern", "Bern", "Bern"]),
        (pa.string(), ["Zu\u0308rich"] + ["Z\u00fcrich"] * 4 + ["Bern"] * 5),
        (pa.float64(), [float("nan")] + [None] * 4 + [1.5] * 5),
        (pa.float64(), [-0.0] + [0.0] * 4 + [1.5] * 5),
        (pa.float32(), [-0.0] + [0.0] * 4 + [1.5] * 5),
    ],
    ids=["empty", "composed", "nan", "zero", "single"],
)
@pytest.mark.parametrize("method", ["recode", "cells"])
def test_what_is_counted_as_equal_is_equal_in_the_file(tmp_path, kind, values, method):
    """A file in which a record is alone by its bytes is not protected, however its values are compared."""
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"x": pa.array(values, kind), "n": list(range(10))}), source)
    found = so.protect_table(source, known_columns=["x"], k=5, method=method)
    found.write(out)
    written = pq.read_table(out)["x"].to_pylist()
    spelt = [repr(value) for value in written]
    assert min(spelt.count(each) for each in spelt) >= 5
    assert pq.read_schema(out).field("x").type == kind


@pytest.mark.parametrize("method", ["recode", "cells"])
def test_the_order_of_rows_is_that_of_their_values_whatever_the_input(tmp_path, method):
    shuffled = np.random.default_rng(0).permutation(200)
    for number, table in enumerate([people(200), people(200).sort_by("age"), people(200).take(shuffled)]):
        protect_people(table, known_columns=KNOWN, k=3, method=method).write(tmp_path / f"{number}.csv")
    first, *others = ((tmp_path / f"{number}.csv").read_bytes() for number in range(3))
    assert others == [first, first]


def test_many_columns_are_searched_with_fewer_levels_or_refused():
    rng = np.random.default_rng(0)
    table = pa.table({f"c{number}": rng.integers(0, 4, 300) for number in range(20)})
    names = table.column_names
    found = so.protect_table(table, known_columns=names[:14], k=3)
    assert found.risk.k >= 3
    with pytest.raises(so.InputError, match="20 known columns have too many combinations"):
        so.protect_table(table, known_columns=names, k=3)
    some = dict.fromkeys(names[4:], "drop")
    assert so.protect_table(table, known_columns=names, k=3, recode=some).risk.k >= 3


def test_sensitive_numbers_are_as_close_in_text_as_in_columns_of_numbers(tmp_path):
    table = people(600)
    pq.write_table(table, tmp_path / "a.parquet")
    pyarrow.csv.write_csv(table, tmp_path / "a.csv")
    found = [
        so.table_risk(so.read_table(tmp_path / name), known_columns=["sex", "town"], sensitive=["age"])
        for name in ("a.parquet", "a.csv")
    ]
    assert found[0].diversity == found[1].diversity


def test_t_of_text_numbers_is_searched_by_their_order(tmp_path):
    """As text 100 comes before 20: by that order another combination would be chosen, or none."""
    rng = np.random.default_rng(6)
    age = rng.integers(20, 60, 800)
    pay = (age // 10 * 40 + rng.integers(0, 60, 800)).astype(int)
    table = pa.table({"age": age, "sex": rng.choice(["f", "m"], 800), "pay": pay})
    pq.write_table(table, tmp_path / "a.parquet")
    pyarrow.csv.write_csv(table, tmp_path / "a.csv")
    asked = {"known_columns": ["age", "sex"], "t": 0.2, "sensitive": ["pay"]}
    one, other = (so.protect_table(tmp_path / name, **asked) for name in ("a.parquet", "a.csv"))
    assert one.cuts() == other.cuts()
    assert 0 < one.loss == other.loss
    assert one.risk.diversity == other.risk.diversity


def test_direct_identifiers_are_refused_unless_they_are_allowed_or_dropped():
    identifier = r"'name' \(a different value in every row\)\. Give drop=\['name'\] .*allow=\['name'\]"
    with pytest.raises(so.DataError, match=identifier):
        so.protect_table(people(300), known_columns=["sex"], k=3)
    dropped = so.read_table(people(300), drop=["name"])
    assert so.protect_table(dropped, known_columns=["sex"], k=3).risk.k >= 3
    with pytest.raises(so.InputError, match="`?allow`?='?nmae'? is not a column"):
        so.protect_table(people(300), known_columns=["sex"], k=3, allow=["nmae"])


def test_no_limit_is_met_by_columns_that_distinguish_nobody():
    table = pa.table({"same": ["x"] * 60, "age": [n % 7 for n in range(60)]})
    with pytest.raises(so.DataError, match="known_columns distinguishes nobody: 'same' has one value only"):
        so.protect_table(table, known_columns=["same"], k=5)
