"""A user's own similarity goes through the same driver as the built-in ones."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity.registry import (
    BUILT_IN,
    READERS_NAMES,
    STRONGER,
    by_terms,
    find_similarity,
    registered_by_user,
    similarities_to_try,
    similarity_in_words,
)

pytestmark = pytest.mark.kernels


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


def test_a_user_can_replace_an_own_similarity_but_no_built_in_one():
    so.register_similarity("mine", lambda p, q: p * q, 0.0)
    so.register_similarity("mine", lambda p, q: 2.0 * min(p, q), 2.0)
    assert so.match(*sides(), similarity="mine").cost == so.match(*sides(), similarity="l1").cost
    for register in (lambda name: so.register_similarity(name, min, 0.0), lambda name: so.register_attack(name, max)):
        for name in ("js", "evidence"):
            with pytest.raises(so.InputError, match="Built-in similarities cannot be replaced"):
                register(name)


@pytest.mark.parametrize(
    ("name", "term", "constant", "message"),
    [
        ("not a name", min, 1.0, "name must be a name of letters"),
        ("mine", 3, 1.0, "term must be a function"),
        ("mine", min, float("nan"), "constant must be a finite number"),
        ("mine", min, "two", "constant must be a finite number"),
        ("mine", lambda p, q: str(p).encode(q), 1.0, "term must be a function that Numba can compile"),
        ("mine", lambda p, q: "far", 1.0, "term must be a function that returns a number .got 'str'"),
        ("mine", lambda p, q: -p * q, 1.0, "term must be a function that is zero or more everywhere"),
        ("mine", lambda p, q: p * p * q, 1.0, "the same with the two shares swapped"),
        ("mine", lambda p, q, x, y, z: p * q, 1.0, "at most 2 values of a place .got 'a function of 5 arguments'"),
        ("mine", lambda p, q, x: p * q, 1.0, "places must be given: the term takes 1 value of each place"),
    ],
)
def test_a_bad_registration_says_what_is_wrong(name, term, constant, message):
    with pytest.raises(so.InputError, match=message):
        so.register_similarity(name, term, constant)
    assert not registered_by_user()


def test_values_of_places_need_a_term_that_takes_them():
    with pytest.raises(so.InputError, match="places must be omitted if the term takes only two shares"):
        so.register_similarity("mine", lambda p, q: p * q, 0.0, places={0: 1.0})


def test_an_attack_is_a_function_under_a_name():
    with pytest.raises(so.InputError, match="score must be a function of released and known histograms"):
        so.register_attack("mine", 3)
    with pytest.raises(so.InputError, match="name must be a name of letters"):
        so.register_attack("not a name", max)


def test_similarities_are_listed_with_what_they_do_and_ones_own_last():
    so.register_similarity("mine", lambda p, q: p * q, 0.0, description="my first")
    so.register_attack("yours", lambda released, known: np.zeros((len(released), len(known))))
    rows = {each.name: each for each in so.similarities().rows}
    assert list(rows) == [*BUILT_IN, *STRONGER, "mine", "yours"]
    assert (rows["mine"].origin, rows["mine"].description) == ("yours", "my first")
    assert rows["yours"].description == "yours"
    assert so.similarities().to_arrow().num_rows == len(rows)
    assert "rare places and people with more data count more" in str(so.similarities())


def test_what_is_registered_is_tried_like_everything_else():
    so.register_similarity("mine", lambda p, q: p * q, 0.0)
    so.register_attack("yours", lambda released, known: np.zeros((len(released), len(known))))
    assert [each.name for each in similarities_to_try(sides()[0])][-2:] == ["mine", "yours"]


def test_an_unknown_similarity_names_the_near_one():
    with pytest.raises(so.InputError, match=r"got 'cosin'.*mean 'cosine'"):
        so.match(*sides(), similarity="cosin")


def test_whatever_reports_name_is_explained():
    assert [name for name in READERS_NAMES if similarity_in_words(name) == name] == []


def test_similarities_that_add_up_the_same_terms_stand_together():
    def order(*names):
        return [each.name for each in by_terms(map(find_similarity, names))]

    assert order("evidence", "js", "js_popularity", "l1") == ["evidence", "js_popularity", "js", "l1"]
    assert order("js", "l1", "js_reliability", "js_roots") == ["js", "js_reliability", "l1", "js_roots"]
    assert order("evidence", "evidence_mild") == ["evidence", "evidence_mild"]
