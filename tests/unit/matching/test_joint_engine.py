"""The engine's prices are a proof by themselves, and agree with those of another solver."""

import numpy as np
import ot
import pytest

import singleout as so
from tests.reference.costs import TWINS, all_pairs
from tests.small_matchings import sides_of_counts

pytestmark = pytest.mark.kernels


def class_weights(matching, costs):
    """Weights between classes: any member stands for its class."""
    return costs[np.ix_(matching.chances.released.first, matching.chances.known.first)]


@pytest.mark.parametrize("similarity", TWINS)
@pytest.mark.parametrize("seed", range(4))
def test_prices_cover_every_pair_and_add_up_to_the_cost(similarity, seed):
    rng = np.random.default_rng(seed)
    released, known = (rng.poisson(0.8, (45, 9)) for _ in "ab")
    matching = so.match(*sides_of_counts(released, known), similarity=similarity)
    costs = class_weights(matching, all_pairs(similarity, released, known))
    proof = matching.proof
    # gains are a constant minus the costs; for glrt one that is above every similarity
    constants = {"js": 2 * np.log(2), "l1": 2.0, "cosine": 1.0, "dot": 0.0}
    constant = constants[similarity] if similarity != "glrt" else getattr(proof.pairs, "overlaps", proof.pairs).lift
    u, p = proof.solution.prices.rows, proof.solution.prices.columns
    assert (u >= 0).all()
    assert (p >= 0).all()
    assert (u[:, None] + p[None, :] >= constant - costs - 1e-9 * max(1.0, constant)).all()
    bound = constant * len(matching) - proof.supply @ u - proof.demand @ p
    assert bound == pytest.approx(matching.cost, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("similarity", TWINS)
@pytest.mark.parametrize("seed", range(4))
def test_the_bound_equals_what_pots_duals_add_up_to(similarity, seed):
    rng = np.random.default_rng(10 + seed)
    released, known = (rng.poisson(0.8, (40, 9)) for _ in "ab")
    costs = all_pairs(similarity, released, known)
    ones = np.ones(40)
    _, log = ot.emd(ones, ones, costs, log=True)
    dual = ones @ log["u"] + ones @ log["v"]
    matching = so.match(*sides_of_counts(released, known), similarity=similarity)
    assert matching.bound == pytest.approx(dual, rel=1e-9, abs=1e-8)
    # duals of one solver prove the other's matching: every matched pair is tight under POT's prices
    slack = costs - log["u"][:, None] - log["v"][None, :]
    assert slack.min() >= -1e-8
    assert slack[matching.released, matching.known] == pytest.approx(np.zeros(40), abs=1e-8)
