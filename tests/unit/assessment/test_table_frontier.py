"""Protections of a table side by side."""

import json

import numpy as np
import pyarrow as pa
import pytest

import singleout as so


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(2)
    return pa.table(
        {"a": rng.integers(0, 70, 600), "b": rng.integers(100, 900, 600), "c": rng.choice(list("xyz"), 600)}
    )


@pytest.fixture(scope="module")
def found(table):
    return so.table_frontier(table, known_columns=["a", "b"], k=[2, 10])


def test_every_way_is_tried_at_every_strength(found):
    ways = "recode", "recode-and-leave-out", "suppress-cells", "microaggregate"
    expected = [(name, k) for k in (2, 10) for name in ways]
    # with k = 10 the best way that may leave records out leaves none out: it is listed once
    expected.remove(("recode-and-leave-out", 10))
    assert [(row.way.name, row.way.limits.k) for row in found.rows] == expected
    assert all(row.risk.k >= row.way.limits.k for row in found.rows)


def test_those_that_no_other_beats_are_marked(found):
    for row in found.rows:
        beaten = any(
            other.rate.value <= row.rate.value and other.loss <= row.loss
            and (other.rate.value, other.loss) != (row.rate.value, row.loss)
            for other in found.rows
        )  # fmt: skip
        assert row.on_frontier == (not beaten)


def test_it_is_plain_data_a_table_and_a_picture(found):
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["schema"] == "singleout/table-frontier/1"
    assert found.to_arrow().num_rows == len(found.rows)
    assert so.chart(found)["title"]["text"] == "Remaining risk and information loss of each protection"
    assert "no other has less risk at no more loss" in str(found)


def test_in_a_sample_the_risk_in_the_population_is_compared(table):
    found = so.table_frontier(table, known_columns=["a", "c"], k=[3], population=60_000)
    assert all(row.rate == row.risk.population.rate for row in found.rows)
    assert "in the population" in str(found)


def test_what_cannot_be_met_is_noted(table):
    found = so.table_frontier(table, known_columns=["c"], k=[5_000])
    assert found.rows == () or all(row.risk.k >= 5_000 for row in found.rows)
    assert "protections not possible" in str(found.notes[0])


@pytest.mark.parametrize("k", [[], [1], [2.5]])
def test_strengths_that_make_no_sense_are_refused(table, k):
    with pytest.raises(so.InputError, match="k must be whole numbers, 2 or more"):
        so.table_frontier(table, known_columns=["c"], k=k)
