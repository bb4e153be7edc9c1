"""Which columns lead to few entries of a public list: against the slow twin, and what is refused."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout as so
from singleout.measures.tables.exposure import PublicList
from tests.reference import exposure as twin

NAMES = ("a", "b", "c")
records = st.lists(
    st.fixed_dictionaries({name: st.sampled_from(["x", "y", "z", None]) for name in NAMES}), min_size=1, max_size=9
)
rates = st.sampled_from([0.0, 0.1, 0.5])


def listed(rows):
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in NAMES})


@given(
    released=records,
    public=records,
    most=st.integers(1, 3),
    share=st.sampled_from([1.0, 0.7]),
    rate=st.tuples(rates, rates),
)
@settings(max_examples=40, deadline=None)
def test_every_choice_of_columns_leads_as_the_twin_says(released, public, most, share, rate):
    options = {"coverage": share, "error_rate": rate[0], "missing_rate": rate[1]}
    found = so.exposure(listed(released), listed(public), known_columns=["a"], max_known=most, **options)
    survives = PublicList(**options).survives(2)
    assert survives == pytest.approx(share * ((1 - rate[0]) * (1 - rate[1])) ** 2)
    for row in found.rows:
        expected = twin.led(released, public, ("a", *row.columns), most, survives)
        assert (row.led, row.right) == pytest.approx(expected, abs=1e-6)
    assert found.rows[0].led >= found.rows[1].led, "the strongest first"
    alone = twin.led(released, public, ("a",), most, PublicList(**options).survives(1))
    assert found.by_known.led == pytest.approx(alone[0], abs=1e-6)


def test_the_expectation_is_the_average_over_lists_thinned_at_random():
    rng = np.random.default_rng(3)
    rows = [{"a": str(rng.integers(0, 4)), "b": str(rng.integers(0, 3)), "c": "x"} for _ in range(30)]
    exact = twin.led(rows[:10], rows, ("a", "b"), 2, 0.6)
    drawn = twin.led_at_random(rows[:10], rows, ("a", "b"), 2, 0.6, rng, 3000)
    assert drawn == pytest.approx(exact, abs=0.15)


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    rows = {"town": rng.integers(0, 50, 800), "sex": rng.integers(0, 2, 800), "age": rng.integers(0, 80, 800)}
    people = pa.table(rows)
    return so.exposure(people.slice(0, 500), people.slice(200), known_columns=["sex"], max_known=3)


def test_shares_have_an_interval_and_two_baselines(found):
    best = found.rows[0]
    assert best.columns == ("age",)
    assert best.share.low < best.share.value < best.share.high
    assert found.random == pytest.approx(np.mean([row.led for row in found.rows]) / 500)
    assert found.chance == 1 / 600
    assert best.right <= best.led <= 500
    assert found.by_known.led == 0, "about 300 entries have the same sex"


def test_curves_vary_one_rate_at_a_time_and_start_at_what_was_asked(found):
    rows = [row for row in found.curve().to_pylist() if row["columns"] == ["age"]]
    assert {row["rate"] for row in rows} == {"coverage", "error_rate", "missing_rate"}
    perfect = [row["led"] for row in rows if (row["rate"], row["value"]) in (("coverage", 1.0), ("error_rate", 0.0))]
    assert perfect == pytest.approx([found.rows[0].led / 500] * 2)


def test_a_thinner_list_leads_more_records_to_few_entries_but_never_more_to_any():
    people = pa.table({"sex": ["f", "m"] * 20})
    few, any_number = (so.exposure(people, people, max_known=most).curve().to_pylist() for most in (5, 40))
    shares = [[row["led"] for row in rows if row["rate"] == "coverage"] for rows in (few, any_number)]
    assert shares[0][0] == 0 < shares[0][-1], "twenty entries have the same sex, of which a tenth are left"
    assert shares[1] == sorted(shares[1], reverse=True)


def test_it_is_drawn_and_fits_a_terminal(found):
    assert len(found.plot().spec["data"]["values"]) == 20, "two choices at ten coverages"
    assert max(map(len, repr(found).splitlines())) <= 80
    assert "at random" in repr(found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"add": 0}, "add must be a whole number of at least 1"),
        ({"add": 3}, "add must be at most 2, the columns that are not known"),
        ({"max_known": 0}, "max_known must be a whole number of at least 1"),
        ({"coverage": 1.5}, r"coverage must be from 0 to 1 \(got 1.5\)"),
        ({"error_rate": -1}, "error_rate must be from 0 to 1"),
        ({"known_columns": ["a", "b", "c"]}, "all common columns are known"),
        ({"known_columns": ["q"]}, "known_columns='q' is not a column"),
        ({"known_columns": ["c"], "on": ["a", "b"]}, "known_columns must be columns that both tables have"),
    ],
)
def test_wrong_input_is_refused_in_words(options, message):
    rows = [{"a": "x", "b": "y", "c": "z"}]
    with pytest.raises(so.InputError, match=message):
        so.exposure(listed(rows), listed(rows), **{"known_columns": ["a"], **options})


def test_too_many_combinations_are_refused_with_their_number():
    wide = pa.table({f"c{k}": [1, 2] for k in range(60)})
    with pytest.raises(so.InputError, match="3 of 60 columns make 34,220 combinations, but at most 20,000"):
        so.exposure(wide, wide, add=3)
