"""The result of a matching: costs, bounds, and what only some matchings have."""

import numpy as np
import pytest

import singleout as so
from tests.small_logs import noisy_sides


def test_cost_gap_and_bound_belong_together():
    found = so.match(*noisy_sides())
    assert found.bound == found.cost - found.gap
    assert found.cost == pytest.approx(found.costs.sum())
    assert found.relative_gap == 0


def test_costs_in_bits_are_for_similarities_that_are_logarithms():
    found = so.match(*noisy_sides())
    assert found.costs_in_bits() == pytest.approx(found.costs / np.log(2))
    with pytest.raises(so.InputError, match="js or glrt, which are logarithms"):
        so.match(*noisy_sides(), similarity="l1").costs_in_bits()


def test_only_joint_matchings_have_margins_and_only_those_of_histograms_reasons():
    with pytest.raises(so.DataError, match="this one was made one by one"):
        so.match(*noisy_sides(), method="one-by-one").margins()
    scores = so.Scores(np.eye(3), "abc", "abc")
    with pytest.raises(so.DataError, match="no places that could explain it"):
        so.assign(scores).explain(0)
    with pytest.raises(so.InputError, match="the number of a pair, from 0 to 39"):
        so.match(*noisy_sides()).explain(40)


def test_pairs_are_a_table_without_ids_unless_revealed():
    found = so.match(*noisy_sides())
    assert found.to_arrow().column_names == ["released_row", "known_row", "cost", "chance"]
    assert "released_id" in found.to_arrow(reveal=True).column_names
