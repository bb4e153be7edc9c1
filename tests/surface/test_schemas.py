"""Every result file that a command writes keeps to its schema, exactly: no field is missing and none is invented."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.cli.schemas import DOCUMENTS, schemas, write_schemas
from tests.audits import events_audit, table_audit
from tests.commands import COLUMNS, run
from tests.schemas import FOLDER, at, faults, invented_field, is_refused, missing_field, objects, plain, validators
from tests.small_people import people_with_errors

FREE = {"options", "parameters", "versions", "below", "minimal", "by_column", "power", "values"}
"""Objects whose names are data: options, columns and numbers."""
OMITTED = {"effective", "joint", "joint_low", "joint_high", "random", "shuffled", "expected", "precision"}
OMITTED |= {"places", "entries", "columns", "column_names", "reveal", "cuts", "combined", "suppressed"}
OMITTED |= {"holds_under", "of_open_choices", "not_counted"}
"""Fields that are left out where there is nothing to say."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def log(folder):
    rng = np.random.default_rng(3)
    people, visits = 30, 90
    homes = rng.integers(0, 12, people)
    at = np.where(rng.random((people, visits)) < 0.6, homes[:, None], rng.integers(0, 12, (people, visits)))
    columns = {"who": np.repeat(np.arange(people), visits), "when": np.tile(np.arange(visits) * 28_800, people)}
    pq.write_table(pa.table(columns | {"where": at.ravel()}), folder / "log.parquet")
    return folder / "log.parquet"


@pytest.fixture(scope="module")
def people(folder):
    rng = np.random.default_rng(5)
    columns = {"age": rng.integers(20, 60, 300), "town": rng.choice(list("abcd"), 300), "job": rng.integers(0, 9, 300)}
    pyarrow.csv.write_csv(pa.table(columns), folder / "people.csv")
    return folder / "people.csv"


@pytest.fixture(scope="module")
def documents(folder, log, people):
    """What the commands wrote, by the schema that the file names."""
    for name, table in zip(("one", "other"), people_with_errors(200, seed=1), strict=True):
        pyarrow.csv.write_csv(table, folder / f"{name}.csv")
    sites = so.synthetic_profiles(people=60, known=200, seed=3)
    pyarrow.csv.write_csv(sites.released, folder / "released.csv")
    pyarrow.csv.write_csv(sites.known, folder / "known.csv")
    table = (people, "--known-columns", "age,town")
    commands = {
        "match": ("match", log, *COLUMNS, "--split", "halves", "--similarities", "js,cosine"),
        "topology": ("topology", log, *COLUMNS, "--top", 3, "--kernel", "dsp", "--ablations", "--defences"),
        "protect": ("protect", log, *COLUMNS, "--microaggregate", 5),
        "compared": ("protect", log, *COLUMNS, "--split", "halves", "--compare", "--keep", "3,6"),
        "protected": ("protect", *table, "--k", 5),
        "protected-compared": ("protect", *table, "--compare"),
        "variables": ("variables", *table),
        "exposure": ("variables", *table, "--against", people),
        "suda": ("suda", people, "--known-columns", "age,town,job"),
        "links": ("link", people, people, "--on", "age,town,job"),
        "probable": ("link", folder / "one.csv", folder / "other.csv", "--truth", "person", "--agreement", "probable"),
        "profiles": ("profiles", folder / "released.csv", folder / "known.csv", "--preset", "nameMatch"),
        "reproduce": ("reproduce", "naini-table1"),
    }
    for name, command in commands.items():
        result = run(*command, "--out", folder / name, "--quiet")
        assert result.exit_code == 0, (name, result.output)
    written = [json.loads(file.read_text()) for name in commands for file in (folder / name).glob("*.json")]
    for name, seed in (("old", 1), ("new", 2)):
        result = run("audit", *table, "--seed", seed, "--no-protect", "--out", folder / name, "--quiet")
        assert result.exit_code == 0, result.output
    assert run("compare", folder / "old", folder / "new", "--out", folder / "c", "--quiet").exit_code == 0
    written.append(json.loads((folder / "c" / "compare.json").read_text()))
    written += [plain(events_audit().to_dict()), plain(table_audit().to_dict())]
    return [each for each in written if each.get("schema")]


def test_the_schemas_in_the_package_are_those_that_are_generated(tmp_path):
    write_schemas(tmp_path)
    for name in schemas():
        again = "run: python -m singleout.cli.schemas"
        assert (tmp_path / name).read_text() == (FOLDER / name).read_text(), again
    assert {file.name for file in FOLDER.iterdir()} == set(schemas())


def test_every_file_of_every_command_keeps_to_its_schema(documents):
    for document in documents:
        assert faults(document) == [], document["schema"]
    assert {document["schema"] for document in documents} == set(validators())
    assert len(validators()) == len(DOCUMENTS)


def test_an_invented_field_is_refused_wherever_it_stands(documents):
    for document in documents:
        for path in list(objects(document)):
            if not FREE & set(map(str, path)):
                with invented_field(document, path):
                    assert is_refused(document), (document["schema"], path)


def test_a_missing_field_is_refused_wherever_it_is_missing(documents):
    for document in documents:
        for path in list(objects(document)):
            for name in [] if FREE & set(map(str, path)) else set(at(document, path)) - OMITTED - {"schema"}:
                with missing_field(document, path, name):
                    assert is_refused(document), (document["schema"], path, name)


def test_the_page_names_every_schema_and_every_field_of_an_audit():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "audit-json.md").read_text()
    for file, schema in schemas().items():
        assert f"`{schema['title']}` | `{file}`" in page
    assert [name for name in schemas()["audit.schema.json"]["properties"] if f"`{name}`" not in page] == []
