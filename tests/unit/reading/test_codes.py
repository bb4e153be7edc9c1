"""Columns as codes; text that reads the same is the same, with accents as letters of their own (NFD) or not (NFC)."""

import unicodedata

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.codes import compose, composed_sql, encode, whole_if_whole

NAMES = ["José", "Zoë", "Ann"]
COMPOSED, APART = ([unicodedata.normalize(form, name) for name in NAMES] for form in ("NFC", "NFD"))
DAY = 86_400
START = 15_000 * DAY


def test_the_two_spellings_differ():
    assert [a == b for a, b in zip(COMPOSED, APART, strict=True)] == [False, False, True]


def test_records_are_linked():
    links = so.link_records(pa.table({"name": COMPOSED}), pa.table({"name": APART}))
    assert (links.released.tolist(), links.known.tolist()) == ([0, 1, 2], [0, 1, 2])


def test_records_of_a_table_are_one_class():
    table = so.read_table(pa.table({"name": [*COMPOSED, *APART]}))
    assert so.uniqueness(table, columns=["name"]).sizes.tolist() == [2, 2, 2]
    as_categories = pd.DataFrame({"name": pd.Categorical([*COMPOSED, *APART])})
    assert so.uniqueness(so.read_table(as_categories), columns=["name"]).sizes.tolist() == [2, 2, 2]


def test_profiles_meet_in_fields_ids_and_spellings():
    released, known = (pa.table({"id": names, "name": names}) for names in (COMPOSED, APART))
    found = so.match_profiles(released, known, id="id", block={"name": "exact"}, compare={})
    assert found.candidates.tolist() == [1, 1, 1]
    assert so.accuracy(found).common == 3
    assert so.accuracy(found, dict(zip(APART, COMPOSED, strict=True))).common == 3
    nickname = {"name": {APART[0]: "Pepe"}}
    pepe = so.match_profiles(
        released, pa.table({"id": ["p"], "name": ["pepe"]}), id="id", block={"name": "exact"}, compare={},
        spellings=nickname,
    )  # fmt: skip
    assert pepe.candidates.tolist() == [1, 0, 0]


def test_people_and_places_of_event_logs_meet(tmp_path):
    rows = {"user": [*COMPOSED, *APART], "place": [*APART, *COMPOSED], "time": [START + k for k in range(6)]}
    pd.DataFrame(rows).to_csv(tmp_path / "log.csv", index=False)
    for source in (pa.table(rows), tmp_path / "log.csv"):
        counts = so.histograms(so.read_events(source, user="user", time="time", place="place"))
        assert sorted(counts.people.tolist()) == sorted(COMPOSED)
        assert sorted(counts.places.tolist()) == sorted(COMPOSED)
        assert (counts.counts.sum(axis=1) == 2).all()


def test_ids_given_by_hand_meet_those_that_were_read():
    counts = np.eye(3, dtype=int)
    released, known = (so.Histograms(counts, names, names) for names in (COMPOSED, APART))
    assert so.accuracy(so.match(released, known)).expected == pytest.approx(3)
    assert len(released.only(APART[:2])) == 2
    coarse = so.coarsen(known, dict.fromkeys(COMPOSED, "everywhere"))
    assert coarse.places.tolist() == ["everywhere"]


@pytest.mark.parametrize(
    ("column", "codes", "values"),
    [
        (pa.array(["b", None, "a", "b"]), [1, -1, 0, 1], ["a", "b"]),
        (pa.array([30, 4, None]), [1, 0, -1], [4, 30]),
        (pa.array([2.0, None, 1.0]), [1, -1, 0], [1, 2]),
        (pa.array([2.5, 1.0]), [1, 0], [1.0, 2.5]),
        (pa.array([None, None], pa.string()), [-1, -1], []),
        (pa.array([], pa.int64()), [], []),
    ],
)
def test_values_are_numbered_in_ascending_order_and_missing_ones_are_minus_one(column, codes, values):
    for chunked in (pa.chunked_array([column]), pa.chunked_array([column.slice(0, 1), column.slice(1)])):
        found, distinct = encode(chunked)
        assert (found.tolist(), distinct.tolist()) == (codes, values)


def test_a_column_without_pieces_has_no_codes():
    found, distinct = encode(pa.chunked_array([], pa.string()))
    assert (len(found), len(distinct)) == (0, 0)


@pytest.mark.parametrize(
    ("numbers", "kind"), [([1.0, -3.0], "i"), ([1.0, 2.5], "f"), ([2.0**63, 1.0], "f"), ([np.inf, 1.0], "f")]
)
def test_floats_become_whole_only_where_none_is_lost(numbers, kind):
    found = whole_if_whole(np.array(numbers))
    assert (found.dtype.kind, found.tolist()) == (kind, numbers)


def test_text_is_composed_in_the_database_as_in_python():
    for text in (*APART, "ﬁ", "한"):
        ((stored,),) = duckdb.execute(f"SELECT {composed_sql('t')} FROM (SELECT ? AS t)", [text]).fetchall()
        assert stored == compose(text)
