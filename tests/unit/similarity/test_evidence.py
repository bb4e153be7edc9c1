"""Evidence: rare places and people with more events count more, in joint matching and out of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

import singleout as so
from tests.reference.costs import EVIDENCE, evidence

pytestmark = pytest.mark.kernels
PLACES = list(range(5))


def sides(released, known, **options):
    return tuple(
        so.Histograms(counts, [f"u{k}" for k in range(len(counts))], PLACES, **options) for counts in (released, known)
    )


def twin_costs(name, released, known):
    rarity, reliability = EVIDENCE[name]
    return evidence(released, known, rarity(known), reliability)


def counts_of(people):
    return arrays(np.int64, (people, 5), elements=st.integers(0, 4))


shapes = (
    st.tuples(st.integers(1, 6), st.integers(1, 6))
    .flatmap(lambda n: st.tuples(counts_of(n[0]), counts_of(n[1])))
    .filter(lambda counts: (counts[0].sum(axis=0) * counts[1].sum(axis=0)).any())
)


@pytest.mark.parametrize("name", EVIDENCE)
@given(counts=shapes)
def test_the_joint_matching_has_the_least_cost_of_all(name, counts):
    costs = twin_costs(name, *counts)
    found = so.match(*sides(*counts), similarity=name)
    assert found.cost == pytest.approx(costs[linear_sum_assignment(costs)].sum(), abs=1e-9)
    assert found.costs == pytest.approx(costs[found.released, found.known], abs=1e-12)
    assert found.gap == pytest.approx(0, abs=1e-9)
    assert (found.costs <= 0).all()


@pytest.mark.parametrize("name", EVIDENCE)
@given(counts=shapes)
def test_margins_are_what_the_best_matching_without_a_pair_costs_more(name, counts):
    costs = twin_costs(name, *counts)
    found = so.match(*sides(*counts), similarity=name)
    margins = found.margins().values
    for pair, (row, column) in enumerate(zip(found.released, found.known, strict=True)):
        without = costs.copy()
        without[row, column] = 1e6
        other = without[linear_sum_assignment(without)].sum()
        expected = np.inf if other > 1e5 else other - found.cost
        assert margins[pair] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("by", ["released", "known"])
@pytest.mark.parametrize("name", EVIDENCE)
@given(counts=shapes)
def test_one_by_one_only_places_count(name, by, counts):
    rarity, _ = EVIDENCE[name]
    costs = evidence(*counts, rarity(counts[1]), lambda events: 1.0)
    found = so.match(*sides(*counts), similarity=name, method="one-by-one", by=by)
    least = costs.min(axis=1) if by == "released" else costs.min(axis=0)
    chosen = found.released if by == "released" else found.known
    assert found.costs == pytest.approx(least[chosen], abs=1e-12)


@pytest.mark.parametrize("name", EVIDENCE)
@given(counts=shapes)
def test_an_explanation_names_all_factors(name, counts):
    rarity, reliability = EVIDENCE[name]
    found = so.match(*sides(*counts), similarity=name)
    for pair, (row, column) in enumerate(zip(found.released, found.known, strict=True)):
        why = found.explain(pair)
        assert why.terms.sum() == pytest.approx(-found.costs[pair], abs=1e-12)
        assert why.reliability == pytest.approx(
            [reliability(counts[0][row].sum()), reliability(counts[1][column].sum())]
        )
        assert why.rarity == pytest.approx([rarity(counts[1])[place] for place in why.places])
        for place, p, q in zip(why.places, why.released, why.known, strict=True):
            assert p == pytest.approx(counts[0][row][place] / counts[0][row].sum())
            assert q == pytest.approx(counts[1][column][place] / counts[1][column].sum())


def test_equal_shares_of_different_numbers_are_distinguishable_in_joint_matching_only():
    released = np.array([[1, 1, 0, 0, 0], [4, 4, 0, 0, 0]])
    known = np.array([[4, 4, 0, 0, 0], [1, 1, 0, 0, 0]])
    joint = so.match(*sides(released, known), similarity="evidence")
    assert len(joint.chances.released.size) == 2
    one_by_one = so.match(*sides(released, known), similarity="evidence", method="one-by-one")
    everyone = np.meshgrid([0, 1], [0, 1])
    assert one_by_one.chances.of(*(each.ravel() for each in everyone)).tolist() == [0.5] * 4
    assert joint.known.tolist() == [1, 0], "people with more events go with people with more events"


def test_where_numbers_of_events_are_unknown_everybody_counts_the_same_and_a_note_says_so():
    released = np.array([[0.25, 0.75, 0, 0, 0], [0.5, 0, 0.5, 0, 0]])
    known = np.array([[1, 3, 0, 0, 0], [9, 0, 9, 0, 0]])
    found = so.match(*sides(released, known), similarity="evidence")
    assert any("numbers of events" in note.what and note.count == 1 for note in found.notes)
    assert found.explain(0).reliability == pytest.approx([1.0, 4 / 9])
    assert not so.match(*sides(released, known), similarity="js").notes


def test_seconds_of_stays_are_not_events():
    rows = {
        "who": ["a", "a", "a", "b", "b"],
        "at": [f"2024-03-04T{hour}:00:00" for hour in ("09", "10", "11", "09", "16")],
        "where": ["x", "y", "x", "x", "y"],
    }
    events = so.read_events(rows_as_table(rows), user="who", time="at", place="where")
    stays = so.histograms(events, measure="dwell", window=("09:00", "17:00"))
    assert stays.totals.tolist() == [8 * 3600, 8 * 3600]
    assert stays.events.tolist() == [3, 2]
    assert stays.only(["b"]).events.tolist() == [2]


def rows_as_table(rows):
    import pyarrow as pa

    return pa.table(rows)


@pytest.mark.parametrize("name", EVIDENCE)
def test_names_and_order_of_people_and_places_do_not_matter(name):
    rng = np.random.default_rng(4)
    released, known = (rng.poisson(0.7, (12, 5)) for _ in range(2))
    plain = so.match(*sides(released, known), similarity=name)
    rows, columns, places = rng.permutation(12), rng.permutation(12), rng.permutation(5)
    moved = so.match(*sides(released[rows][:, places], known[columns][:, places]), similarity=name)
    assert moved.cost == pytest.approx(plain.cost, abs=1e-12)
    chances = plain.chances.of(np.repeat(rows, 12), np.tile(columns, 12))
    assert moved.chances.of(*np.divmod(np.arange(144), 12)) == pytest.approx(chances)
