"""Every result is taken by Arrow, pandas, polars and DuckDB, is plain data, and shows itself in a notebook."""

import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import singleout as so
from tests.small_people import PEOPLE, people_with_errors


@pytest.fixture(scope="module")
def calls():
    return so.synthetic_calls(people=60, seed=3)


@pytest.fixture(scope="module")
def table():
    return so.read_table(so.synthetic_records(seed=1).table)


@pytest.fixture(scope="module")
def results(calls, table):
    log = calls.events
    sides = so.split(log, by="weeks")
    counts = [so.histograms(side) for side in sides]
    matching = so.match(*counts)
    shapes = [so.networks(side) for side in sides]
    scores = so.graph_scores(*shapes, top=10)
    profiles = so.synthetic_profiles(people=40, known=100, seed=1)
    named = so.match_profiles(profiles.released, profiles.known, id="id", **so.presets("nameMatch"))
    columns = list(table.columns)[:3]
    linked = so.link_records(table, table, on=columns, max_columns=2)
    return {
        "matching": matching,
        "accuracy": so.accuracy(matching),
        "estimate": so.accuracy(matching).rate,
        "margins": matching.margins(),
        "explanation": matching.explain(0),
        "precision": so.precision_by_margin(matching),
        "ranking": so.ranking(scores),
        "anonymity": so.anonymity(shapes[0], top=5),
        "network summary": so.network_summary(shapes[0]),
        "clusters": so.microaggregate(counts[0], 5),
        "utility": so.utility(counts[0], so.suppress(counts[0], keep=20)),
        "frontier": so.frontier(*counts, [so.Protection.keep([5, 20]), so.Protection.microaggregate([5])]),
        "ladder": so.ladder(*counts, similarities=["js"]),
        "topology": so.topology(log, top=[5]),
        "attacks": so.topology(log, top=[5]).attacks,
        "profiles": named,
        "selectivity": so.selectivity(named),
        "links": linked,
        "link accuracy": so.accuracy(linked, {row: row for row in range(len(table))}),
        "probable links": so.probable_links(*people_with_errors(200, seed=1), on=PEOPLE),
        "uniqueness": so.uniqueness(table, columns=columns),
        "vulnerability": so.vulnerability(table, known_columns=columns[:1]),
        "known sets": so.vulnerability(table, known_columns={"a": columns[:1], "b": columns[1:2]}),
        "exposure": so.exposure(table, table, on=columns),
        "suda": so.suda(table, columns=columns, max_size=2),
        "audit": so.audit(calls.table, user="user", time="time", place="place", split="weeks", protect=False),
    }


def test_every_result_is_a_table_to_every_library(results):
    for name, result in results.items():
        rows = result.to_arrow()
        assert isinstance(rows, pa.Table), name
        assert pl.DataFrame(result).shape == rows.shape, name
        assert result.to_polars().columns == rows.column_names, name
        assert isinstance(result.to_pandas(), pd.DataFrame), name
        connection = duckdb.connect()
        connection.register("result", pa.RecordBatchReader.from_stream(result))
        assert connection.sql("SELECT count(*) FROM result").fetchall() == [(rows.num_rows,)], name


def test_every_result_is_plain_data_and_shows_itself(results):
    for name, result in results.items():
        json.dumps(result.to_dict(), allow_nan=False)
        assert "<table>" in result._repr_html_(), name
        assert all(isinstance(note, so.Note) for note in getattr(result, "notes", ())), name


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert so.__version__ == version("singleout")
