"""Costs, proofs and margins on thousands of random small problems of every shape, against SciPy."""

import numpy as np
import pytest

import singleout as so
from tests.reference.costs import TWINS, all_pairs
from tests.reference.matching import margins, padded_cost


def sides(released, known):
    places = list(range(released.shape[1]))
    return tuple(so.Histograms(counts, list(range(len(counts))), places) for counts in (released, known))


def random_problem(rng):
    """From one person to twelve a side; some dense, some sparse with ties, empty rows and people who share nothing."""
    people, places = rng.integers(1, 13, 2), int(rng.integers(2, 16))
    rate = rng.choice([0.1, 0.3, 1.0, 4.0])
    released, known = (rng.poisson(rate, (number, places)) for number in people)
    released[0, 0] = known[-1, 0] = 1
    size = None if rng.random() < 0.5 else int(rng.integers(1, min(people) + 1))
    return released, known, size


@pytest.mark.parametrize("similarity", TWINS)
def test_costs_gaps_and_margins(similarity):
    rng = np.random.default_rng(TWINS_SEED[similarity])
    for _ in range(700):
        released, known, size = random_problem(rng)
        matching = so.match(*sides(released, known), similarity=similarity, size=size, seed=int(rng.integers(100)))
        costs = all_pairs(similarity, released, known)
        assert matching.cost == pytest.approx(padded_cost(costs, len(matching)), abs=1e-8)
        assert len(matching) == (size or min(costs.shape))
        assert matching.relative_gap <= 1e-9
        pairs = zip(matching.released, matching.known, strict=True)
        np.testing.assert_allclose(matching.margins().values, margins(costs, pairs, len(matching)), atol=1e-8)


TWINS_SEED = {similarity: number for number, similarity in enumerate(TWINS)}
