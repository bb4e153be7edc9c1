"""Every public result is taken by Arrow, pandas, polars and DuckDB, is plain data, and shows itself in a notebook."""

import inspect
import json
import re

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import singleout as so
from tests.small_people import PEOPLE, people_with_errors
from tests.small_releases import COLUMNS, small_release

DATA = {"Events", "Sides", "SyntheticLog", "Table", "SyntheticRecords", "ProfileSites", "Protection"}
"""What results are computed from: shown in notebooks by facts, and no table of results."""
PLAIN = {"AuditOptions", "VerifyOptions", "Note", "Trial"}
"""Small values without a table."""
SECRET = re.compile(r"eve-\d|clinic-\d")
LONG_NUMBER = re.compile(r"\d\.\d{6,}")


@pytest.fixture(scope="module")
def log():
    """Sixty people whose names, and those of places, must not be shown."""
    made = so.synthetic_calls(people=60, seed=3).table
    named = {
        name: [f"{word}-{each}" for each in made[name].to_pylist()]
        for name, word in (("user", "eve"), ("place", "clinic"))
    }
    return pa.table(named | {"time": made["time"]})


@pytest.fixture(scope="module")
def values(log):
    """One of each public type, by its name."""
    columns = {"user": "user", "time": "time", "place": "place"}
    events = so.read_events(log, **columns)
    found = [
        events,
        so.split(events, by="weeks"),
        *of_people(events),
        *of_tables(),
        *of_records(),
        *of_synthetic_data(),
    ]
    found.append(so.audit(log, **columns, split="weeks", protect=False, progress=False))
    found.append(so.compare_audits(found[-1], found[-1]))
    released = small_release(microaggregate=5)
    found.append(so.verify(released.protected, released.log, key=released.key, **COLUMNS))
    found.append(so.VerifyOptions(**columns))
    found += [so.AuditOptions(**columns), so.Note(1, "people", "left out"), so.similarities()]
    return {type(each).__name__: each for each in found}


def of_people(events):
    """Whatever two sides of an event log lead to."""
    sides = so.split(events, by="weeks")
    counts = [so.histograms(side) for side in sides]
    networks = [so.networks(side) for side in sides]
    scores = so.graph_scores(*networks, top=10)
    matching = so.match(*counts)
    measured, likely = so.accuracy(matching), so.probabilities(matching)
    yield from (counts[0], networks[0], scores, matching, measured, measured.rate, likely, likely.reliability)
    yield from (matching.margins(), matching.explain(0), matching.decide(0.1, 100, rule="paper"))
    yield from (so.precision_by_margin(matching), so.compare_attacks(matching, so.match(*counts, similarity="cosine")))
    yield from (so.ranking(scores), so.anonymity(networks[0], top=5), so.network_summary(networks[0]))
    choices = [so.Protection.keep([5, 20]), so.Protection.microaggregate([5])]
    yield from (choices[0], so.Trial(*counts, 0), so.microaggregate(counts[0], 5), so.frontier(*counts, choices))
    yield from (so.utility(counts[0], so.suppress(counts[0], keep=20)), so.ladder(*counts, similarities=["js"]))
    found = so.topology(events, top=[5])
    yield from (found, found.attacks, so.defence_curve(*networks, kernels=["summary"], top=5))


def of_tables():
    """Whatever one table leads to."""
    table = so.read_table(so.synthetic_records(seed=1).table)
    columns = list(table.columns)[:3]
    yield from (table, so.uniqueness(table, columns=columns), so.vulnerability(table, known_columns=columns[:1]))
    yield so.vulnerability(table, known_columns={"a": columns[:1], "b": columns[1:2]})
    yield from (so.exposure(table, table, on=columns), so.suda(table, columns=columns, max_size=2))
    yield from (so.table_risk(table, known_columns=columns), so.protect_table(table, known_columns=columns, k=5))
    yield from (
        so.table_frontier(table, known_columns=columns, k=[5]),
        so.population_risk(table, columns=columns, population=10_000),
    )


def of_records():
    """Whatever two tables lead to."""
    released, known = people_with_errors(200, seed=1)
    links = so.link_records(released, known, on=PEOPLE, max_columns=2)
    sites = so.synthetic_profiles(people=40, known=100, seed=1)
    profiles = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    yield from (links, so.accuracy(links, "person"), so.probable_links(released, known, on=PEOPLE))
    yield from (profiles, so.selectivity(profiles))


def of_synthetic_data():
    yield from (so.synthetic_calls(people=20, seed=1), so.synthetic_records(seed=1))
    yield so.synthetic_profiles(people=10, known=20, seed=1)


@pytest.fixture(scope="module")
def results(values):
    return {name: value for name, value in values.items() if name not in DATA | PLAIN}


def public_types():
    classes = {name: getattr(so, name) for name in so.__all__ if inspect.isclass(getattr(so, name))}
    return {name for name, each in classes.items() if not issubclass(each, BaseException)}


def test_no_public_type_is_left_out_here(values):
    assert set(values) == public_types()


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


def test_every_result_is_plain_data_and_has_notes(results):
    for name, result in results.items():
        json.dumps(result.to_dict(), allow_nan=False)
        assert all(isinstance(note, so.Note) for note in result.notes), name


def test_everything_but_options_shows_itself_in_a_notebook(values):
    for name in set(values) - PLAIN:
        shown = values[name]._repr_html_()
        assert "<table>" in shown, name
        assert not SECRET.search(shown), name
        assert not LONG_NUMBER.search(shown), (name, LONG_NUMBER.search(shown))


def test_everything_prints_what_a_reader_wants_in_short_numbers_and_without_ids(values):
    for name, value in values.items():
        for printed in (repr(value), str(value)):
            assert not SECRET.search(printed), name
            assert not LONG_NUMBER.search(printed), (name, printed)
            assert not re.search(r"object at 0x|<function|array\(|pyarrow", printed), (name, printed)


def test_what_has_a_chart_has_a_plot_with_a_drawing(results):
    for name, result in results.items():
        if hasattr(result, "plot"):
            assert "<svg" in result.plot()._repr_mimebundle_()["image/svg+xml"], name


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert so.__version__ == version("singleout")
