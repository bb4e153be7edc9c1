"""What an audit of a table advises: the least destructive, with the command that carries it out."""

import shlex
import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import singleout as so
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.audit_table_protections import limits_of_records
from singleout.cli import app


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(5)
    town = rng.choice([f"t{number}" for number in range(12)], 900)
    sex, weight = rng.choice(["f", "m"], 900), rng.integers(5, 20, 900)
    table = pa.table({"age": rng.integers(18, 80, 900), "town": town, "sex": sex, "w": weight})
    pyarrow.csv.write_csv(table, place / "people.csv")
    pq.write_table(table, place / "people.parquet")
    lines = [f"t{number},r{number % 3}" for number in range(12)]
    (place / "towns.csv").write_text("\n".join(["town,region", *lines]) + "\n")
    return place


ASKED = [
    {"max_risk": 0.05},
    {"k": 5},
    {"max_risk": 0.1, "risk": "maximum"},
    {"max_risk": 0.05, "hierarchy": ["town=towns.csv"], "recode": ["age=30,50"]},
    {"max_risk": 0.1, "survey_weight": "w"},
    {"max_risk": 0.05, "sensitive": ["sex"], "l": 2},
]


@pytest.mark.heavy
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: "-".join(asked))
def test_every_advised_command_runs_and_keeps_what_was_said(folder, tmp_path, monkeypatch, asked):
    monkeypatch.chdir(folder)
    known = ["age", "town"] if "sensitive" in asked else ["age", "town", "sex"]
    found = so.audit("people.csv", options=AuditOptions(known_columns=known, **asked), progress=False)
    assert found.protections
    for number, each in enumerate(found.protections):
        program, *words = shlex.split(each.command)
        assert program == "singleout"
        out = tmp_path / str(number)
        result = CliRunner().invoke(app, [*words, "--out", str(out)])
        assert result.exit_code == 0, (each.command, result.output)
        file = out / "protected.csv"
        left = [name for name in duckdb.sql(f"FROM '{file}'").columns if name in known]
        by = f"GROUP BY {', '.join(left)}" if left else ""
        sizes = [row[0] for row in duckdb.sql(f"SELECT count(*) FROM '{file}' {by}").fetchall()]
        assert min(sizes) == each.smallest
        if found.known is None and "survey_weight" not in asked:
            assert len(sizes) / sum(sizes) == pytest.approx(each.rate.value)
            limit = asked.get("max_risk")
            above = None if limit is None else sum(size for size in sizes if 1 / size > limit * (1 + 1e-12))
            assert each.above_limit == above
    best = found.recommended
    assert best is not None
    assert not best.faults
    assert found.risk_limit is None or best.upper <= found.risk_limit


def test_csv_and_parquet_of_the_same_data_get_the_same_advice(folder, monkeypatch):
    monkeypatch.chdir(folder)
    options = AuditOptions(known_columns=["age", "town", "sex"], max_risk=0.03)
    one, other = (so.audit(f"people.{kind}", options=options, progress=False) for kind in ("csv", "parquet"))
    assert one.advice() == other.advice()
    assert [each.does for each in one.protections] == [each.does for each in other.protections]


def test_limits_for_records_are_those_that_are_not_averages():
    limits = limits_of_records(AuditOptions(known_columns=["a"], max_risk=0.1, k=3))
    assert (limits.k, limits.max_risk) == (3, None)
    worst = limits_of_records(AuditOptions(known_columns=["a"], max_risk=0.1, risk="maximum"))
    assert worst.max_risk == 0.1


def test_as_many_records_may_be_left_out_as_was_asked(folder, monkeypatch):
    monkeypatch.chdir(folder)
    options = AuditOptions(known_columns=["age", "town", "sex"], k=5, max_suppressed=0.1)
    found = so.audit("people.csv", options=options, progress=False)
    assert any("--max-suppressed 0.1" in each.command for each in found.protections)
    assert not any("--max-suppressed 0.02" in each.command for each in found.protections)


def test_commands_name_a_pattern_or_a_database_as_it_was_given(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    people = pyarrow.csv.read_csv("people.csv").select(["age", "town"])
    for number in range(2):
        pyarrow.csv.write_csv(people.slice(450 * number, 450), f"part {number}.csv")
    with closing(sqlite3.connect("people.db")) as database, database:
        database.execute("CREATE TABLE all_people (age INTEGER, town TEXT)")
        database.executemany("INSERT INTO all_people VALUES (?, ?)", zip(*people.to_pydict().values(), strict=True))
    for source in ("part *.csv", "sqlite:///people.db?table=all_people"):
        found = so.audit(source, known_columns=["age", "town"], k=2, progress=False)
        _, command, *words = shlex.split(found.recommended.command)
        assert (command, words[0]) == ("protect", source)
        result = CliRunner().invoke(app, [command, *words, "--out", str(tmp_path / source[:4])])
        assert result.exit_code == 0, result.output
        assert f"{900 - round(900 * found.recommended.emptied)}" in (tmp_path / source[:4] / "result.json").read_text()
