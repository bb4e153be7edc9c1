"""Matchings of histograms: interrupted, rough, of fewer pairs."""

import numpy as np
import pytest

import singleout as so
from singleout.matching import joint_engine
from tests.small_matchings import sides_of_counts

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("size", [None, 110])
@pytest.mark.parametrize("step", ["bid", "search_from_rows", "search_from_cols", "index"])
def test_an_interruption_carries_a_whole_matching_with_a_certified_gap(monkeypatch, size, step):
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 2)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(1)
    released, known = rng.poisson(0.7, (120, 10)), rng.poisson(0.7, (125, 10))
    real, calls = getattr(joint_engine.Graph, step), []

    def second_call_is_interrupted(self, *arguments):
        calls.append(step)
        if len(calls) == (1 if step == "bid" else 2):
            raise KeyboardInterrupt
        return real(self, *arguments)

    exact = so.match(*sides_of_counts(released, known), size=size)
    monkeypatch.setattr(joint_engine.Graph, step, second_call_is_interrupted)
    with pytest.raises(so.MatchingInterrupted, match="certified gap") as caught:
        so.match(*sides_of_counts(released, known), size=size)
    assert isinstance(caught.value, KeyboardInterrupt)
    matching = caught.value.matching
    assert len(matching) == (size or 120)
    assert len(set(matching.released.tolist())) == len(set(matching.known.tolist())) == len(matching)
    assert matching.bound - 1e-9 <= exact.cost <= matching.cost + 1e-9


def test_fewer_pairs_than_people_and_rough_matchings_are_noted(monkeypatch):
    monkeypatch.setattr(joint_engine, "ROW_CANDIDATES", 1)
    monkeypatch.setattr(joint_engine, "COLUMN_CANDIDATES", 1)
    rng = np.random.default_rng(0)
    both = sides_of_counts(*(rng.poisson(0.6, (150, 10)) for _ in "ab"))
    assert so.match(*both).notes == ()
    (few,) = so.match(*both, size=20).notes
    assert (few.count, few.what) == (20, "pairs made")
    (rough,) = so.match(*both, tolerance=0.5).notes
    assert rough.what == "pairs not proven optimal"
    assert "within" in rough.why
