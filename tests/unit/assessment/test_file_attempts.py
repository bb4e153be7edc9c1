"""One attack on a file; where people are too many, some of either side are compared with everyone on the other."""

from dataclasses import replace

import numpy as np
import pytest

import singleout as so
from singleout.assessment.noise_attack import BY_COUNTS
from singleout.assessment.written_file import attack_each, attack_with_any, written_file
from singleout.similarity import half_counts
from singleout.similarity.registry import find_similarity

PEOPLE = 600


@pytest.fixture(scope="module")
def merged():
    """A file of few places, which counts tell more of than shares, and half of its events."""
    rng = np.random.default_rng(4)
    counts = rng.poisson(rng.gamma(0.6, 30, size=(PEOPLE, 4))) + np.eye(PEOPLE, 4, dtype=int)
    rows = so.Histograms(counts, range(PEOPLE), list("abcd"))
    known = replace(rows, counts=so.Histograms(rng.binomial(counts, 0.5), range(PEOPLE), list("abcd")).counts)
    return written_file(rows, ".csv", 1), known


def attack(file, known, seed=0, **more):
    asked = {"similarities": [find_similarity("js")], "seed": seed, "progress": False}
    return attack_with_any(replace(file, attempts={}), [((known,), {k: k for k in range(PEOPLE)})], **asked, **more)


def test_some_people_compared_with_everyone_estimate_what_is_found_of_all(merged, monkeypatch):
    """One by one, and on the low side: the table of all pairs, which is scaled over all matchings, is not there."""
    jointly = attack(*merged).share
    monkeypatch.setattr(half_counts, "MOST_KEPT", 0)
    whole = attack(*merged)
    assert jointly > whole.one_by_one / PEOPLE
    assert whole.drawn is None
    shares = replace(merged[0], counts=None)
    alone = whole.one_by_one / PEOPLE
    assert alone > attack(shares, merged[1]).share + 0.1
    monkeypatch.setattr(half_counts, "MOST_PAIRS", 1)
    monkeypatch.setattr(half_counts, "FEWEST_COMPARED", 150)
    few = [attack(*merged, seed=seed) for seed in range(8)]
    for each in few:
        assert (each.people, each.drawn, each.partly) == (PEOPLE, 150, 150)
        assert each.similarity == BY_COUNTS[0].name
        assert each.rate(0.95).n == 150
        assert each.rate(0.95).low - 0.03 <= alone <= each.rate(0.95).high + 0.03
    mean = np.mean([each.share for each in few])
    assert alone - 0.05 < mean < alone + 0.02, "not the rate among 150 people, of whom more are found"


def test_halves_of_the_people_are_matched_for_the_interval_of_some(merged, monkeypatch):
    monkeypatch.setattr(half_counts, "MOST_PAIRS", 1)
    monkeypatch.setattr(half_counts, "FEWEST_COMPARED", 100)
    found = attack(*merged, halves=True)
    assert 0 < found.independent <= 1
    assert found.rate(0.95).n == 100


def test_the_same_people_are_compared_whatever_the_order_of_rows(merged, monkeypatch):
    file, known = merged
    monkeypatch.setattr(half_counts, "MOST_PAIRS", 1)
    monkeypatch.setattr(half_counts, "FEWEST_COMPARED", 100)
    order = np.random.default_rng(1).permutation(PEOPLE)
    assert attack(file, known).expected == pytest.approx(attack(file, known.only_rows(order)).expected)


def test_each_similarity_is_listed_with_what_it_found(merged, monkeypatch):
    file, known = merged
    monkeypatch.setattr(half_counts, "MOST_PAIRS", 1)
    monkeypatch.setattr(half_counts, "FEWEST_COMPARED", 100)
    asked = {"truth": {k: k for k in range(PEOPLE)}, "seed": 0, "progress": False}
    found = attack_each(replace(file, attempts={}), [known], similarities=[find_similarity("js")], **asked)
    assert {each.similarity: each.drawn for each in found} == {"js": None, BY_COUNTS[0].name: 100}
