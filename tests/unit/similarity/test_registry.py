"""A user's own similarity goes through the same driver as the built-in ones."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity import registry

NO_NUMBER = float("nan")


@pytest.fixture
def _forget_own_similarities(monkeypatch):
    monkeypatch.setattr(registry, "_similarities", dict(registry.BUILT_IN))


pytestmark = [pytest.mark.usefixtures("_forget_own_similarities"), pytest.mark.kernels]


def sides():
    rng = np.random.default_rng(0)
    people, places = [f"u{k}" for k in range(12)], list(range(9))
    return tuple(so.Histograms(rng.poisson(0.7, (12, 9)), people, places) for _ in range(2))


def test_a_users_copy_of_l1_gives_the_same_answer_as_l1():
    so.register_similarity("mine", lambda p, q: 2.0 * min(p, q), 2.0)
    for method in ("joint", "one-by-one"):
        own, built_in = (so.match(*sides(), similarity=name, method=method) for name in ("mine", "l1"))
        assert own.cost == built_in.cost
        assert np.array_equal(own.known, built_in.known)


def test_a_user_can_replace_an_own_weight_but_no_built_in_one():
    so.register_similarity("mine", lambda p, q: p * q, 0.0)
    so.register_similarity("mine", lambda p, q: 2.0 * min(p, q), 2.0)
    assert so.match(*sides(), similarity="mine").cost == so.match(*sides(), similarity="l1").cost
    with pytest.raises(so.InputError, match="Built-in similarities cannot be replaced"):
        so.register_similarity("js", lambda p, q: p * q, 0.0)


def test_a_negative_term_is_refused_when_it_shows():
    so.register_similarity("odd", lambda p, q: -p * q, 0.0)
    so.register_similarity("none", lambda p, q: p * q * NO_NUMBER, 0.0)
    for similarity in ("odd", "none"):
        for method in ("joint", "one-by-one"):
            with pytest.raises(so.DataError, match="negative number or NaN"):
                so.match(*sides(), similarity=similarity, method=method)


@pytest.mark.parametrize(
    ("name", "term", "constant", "message"),
    [
        ("not a name", min, 1.0, "name must be a name of letters"),
        ("mine", 3, 1.0, "term must be a function"),
        ("mine", min, float("nan"), "constant must be a finite number"),
        ("mine", lambda p, q: str(p).encode(q), 1.0, "term must be a function that Numba can compile"),
    ],
)
def test_a_bad_registration_says_what_is_wrong(name, term, constant, message):
    with pytest.raises(so.InputError, match=message):
        so.register_similarity(name, term, constant)


def test_an_unknown_weight_names_the_near_one():
    with pytest.raises(so.InputError, match=r"one of cosine, dot, glrt, js, l1, got 'cosin'.*mean 'cosine'"):
        so.match(*sides(), similarity="cosin")
