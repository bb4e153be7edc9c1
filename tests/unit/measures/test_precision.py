"""Keeping only the surest pairs."""

import numpy as np
import pytest

import singleout as so
from tests.small_matchings import sides_of_counts


def noisy(seed=0, people=80):
    rng = np.random.default_rng(seed)
    taste = rng.gamma(0.4, size=(people, 15))
    return sides_of_counts(rng.poisson(2 * taste), rng.poisson(2 * taste))


def test_keeping_every_pair_is_the_plain_precision():
    matching = so.match(*noisy())
    first = so.precision_by_margin(matching).rows[0]
    assert (first.margin, first.pairs, first.coverage) == (0.0, len(matching), 1.0)
    assert first.precision == so.accuracy(matching).precision


def test_each_row_counts_the_pairs_of_at_least_its_margin():
    matching = so.match(*noisy())
    margins = matching.margins().values
    right = matching.released == matching.known
    curve = so.precision_by_margin(matching)
    assert len(curve.rows) > 10
    for row in curve.rows[1:]:
        kept = margins >= row.margin
        assert row.pairs == kept.sum()
        assert row.correct == pytest.approx(right[kept].sum()), "above zero no lot is drawn"
    assert curve.rows[-1].precision.value > curve.rows[0].precision.value


def test_where_nobody_can_be_told_apart_only_margin_zero_is_left():
    alike = np.ones((6, 3), dtype=int)
    curve = so.precision_by_margin(so.match(*sides_of_counts(alike, alike)))
    assert [row.margin for row in curve.rows] == [0.0]
    assert curve.rows[0].correct == pytest.approx(1.0)


def test_a_limit_counts_as_the_margin_of_all_above_it():
    curve = so.precision_by_margin(so.match(*noisy()), limit=0.05)
    assert max(row.margin for row in curve.rows) == 0.05
    assert curve.to_arrow().num_rows == len(curve.rows)
    assert "precision" in str(curve)
