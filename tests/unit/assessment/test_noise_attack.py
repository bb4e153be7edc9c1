"""Counts recovered from shares, and the likelihood of noise against its definition."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import singleout as so
from singleout.assessment import written_file
from singleout.assessment.noise_attack import COUNTS, compare_counts, may_have_noise, recover_counts
from singleout.assessment.release import release
from singleout.assessment.release_options import ReleaseOptions
from singleout.similarity import half_counts
from singleout.statistics.classes import classes_of
from tests.reference.noise import likelihoods

EPSILON = 0.4


def shares_of(counts):
    counts = np.asarray(counts, dtype=float)
    return so.Histograms(counts / counts.sum(axis=1, keepdims=True), range(len(counts)), range(counts.shape[1]))


@given(st.lists(st.lists(st.integers(0, 400), min_size=4, max_size=4).filter(any), min_size=1, max_size=6))
def test_shares_give_the_least_counts_that_have_them(rows):
    found = recover_counts(shares_of(rows)).toarray()
    least = [np.array(row) // np.gcd.reduce(row) for row in rows]
    assert found.tolist() == [row.tolist() for row in least]


def test_shares_that_are_not_of_whole_counts_are_not_recovered():
    assert recover_counts(so.Histograms([[np.pi, np.e]], ["a"], [1, 2])) is None


@pytest.mark.parametrize(("places", "scale"), [(50, 10), (500, 100), (2000, 333), (300, 100_000)])
def test_counts_with_much_noise_are_recovered(places, scale):
    counts = so.Histograms(np.ones((30, places), dtype=int), range(30), range(places))
    noisy = so.add_noise(counts, epsilon=1 / scale, seed=1)
    found = recover_counts(shares_of(noisy.counts.toarray()))
    assert np.array_equal(found.toarray(), noisy.counts.toarray())


def test_one_row_that_tells_nothing_does_not_stop_the_attack_on_the_others():
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 90, size=(9, 20))
    shares = np.vstack([counts / counts.sum(axis=1, keepdims=True), rng.dirichlet(np.ones(20))])
    found = recover_counts(so.Histograms(shares, range(10), range(20))).toarray()
    assert np.array_equal(found[:9], counts)
    assert found[9].sum() == pytest.approx(np.median(counts.sum(axis=1)), abs=20), "a usual total"


def test_rounded_shares_are_no_counts_out_of_a_round_number():
    counts = np.random.default_rng(3).integers(1, 90, size=(9, 20))
    rounded = np.round(counts / counts.sum(axis=1, keepdims=True), 6)
    assert recover_counts(so.Histograms(rounded, range(9), range(20))) is None


def noisy_sides(seed):
    """Counts with noise and their shares, and what is known: half of each count."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(0.3, 6, size=(40, 12))) + np.eye(40, 12, dtype=int)
    released = so.add_noise(so.Histograms(counts, range(40), range(12)), epsilon=EPSILON, seed=seed)
    known = so.Histograms(rng.binomial(counts, 0.5) + np.eye(40, 12, dtype=int), range(40), range(12))
    return released, known


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("names", [str, int], ids=["text", "numbers"])
def test_pairs_are_as_likely_as_the_noise_makes_them(seed, names):
    released, known = noisy_sides(seed)
    whole = recover_counts(shares_of(released.counts.toarray())).toarray()
    there = [names(place) for place in range(12)]
    file = so.Histograms(whole / whole.sum(axis=1, keepdims=True), range(40), there)
    sides = list(compare_counts(file, recover_counts(file), so.Histograms(known.counts, range(40), there)))
    for times, (mine, theirs) in zip((1, 2), sides, strict=True):
        likely = likelihoods(whole, times * known.counts.toarray(), EPSILON)
        nearest = so.match(mine, theirs, similarity=COUNTS, method="one-by-one")
        best = likely.max(axis=1)
        chosen = likely[nearest.released, nearest.known]
        assert chosen == pytest.approx(best[nearest.released])
        joint = so.match(mine, theirs, similarity=COUNTS)
        rows, columns = linear_sum_assignment(-likely)
        assert likely[joint.released, joint.known].sum() == pytest.approx(likely[rows, columns].sum())


def test_noise_is_seen_by_places_that_hardly_anyone_visits():
    log = so.synthetic_calls(people=300, seed=1)
    counts = so.histograms(log.events)
    alone, alike = (classes_of(np.arange(300)[:, None] // number, counts.people) for number in (1, 2))
    assert not may_have_noise(counts, alone)
    for epsilon in (0.1, 1.0, 2.0):
        noisy = so.add_noise(counts, epsilon=epsilon, seed=1)
        assert may_have_noise(noisy, alone)
        assert not may_have_noise(noisy, alike), "averages of groups are at many places too"


def test_a_file_with_noise_is_attacked_by_the_likelihood_of_its_counts(monkeypatch):
    log = so.synthetic_calls(people=300, seed=1)
    sides = [so.histograms(side) for side in so.split(log.events, by="weeks")]
    found = so.frontier(*sides, [so.Protection.noise([0.15])], inside=(sides[0], [None]))
    plain = so.Protection(
        "noise", [0.15], lambda x, e, trial: so.add_noise(x, epsilon=e, seed=trial.seed), intruder_applies_it=False
    )
    monkeypatch.setattr(written_file, "counts_of_shares", lambda _file: None)
    without = so.frontier(*sides, [plain], inside=(sides[0], [None]))
    assert "likelihood of counts" in found.rows[1].attack
    assert found.rows[1].risk.value > without.rows[1].risk.value + 0.05


@pytest.fixture
def busy(tmp_path):
    """A file with noise of people with many events, its key, and what is known."""
    rng = np.random.default_rng(5)
    counts = rng.poisson(rng.gamma(0.01, 40_000, size=(60, 400))) + 1
    released = so.Histograms(counts, [f"p{number}" for number in range(60)], [f"c{number}" for number in range(400)])
    known = [(person, place, int(n)) for person, row in zip(released.people, rng.poisson(counts), strict=True)
             for place, n in zip(released.places, row, strict=True) if n]  # fmt: skip
    columns = dict(zip(("user", "place", "count"), map(list, zip(*known, strict=True)), strict=True))
    names = {number: str(person) for number, person in enumerate(released.people)}
    noisy = so.add_noise(released, epsilon=0.00005, seed=1).counts.toarray()
    rows = [
        (number, f"c{place}", n / row.sum()) for number, row in enumerate(noisy) for place, n in enumerate(row) if n
    ]
    table = dict(zip(("person", "place", "share"), map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(table), tmp_path / "protected.parquet")
    table["share"] = np.round(table["share"], 6)
    pq.write_table(pa.table(table), tmp_path / "rounded.parquet")
    return {"folder": tmp_path, "known": pa.table(columns), "key": names}


def verify_file(busy, name, **options):
    asked = {"user": "user", "place": "place", "count": "count", "progress": False} | options
    return so.verify(busy["folder"] / name, busy["known"], key=busy["key"], **asked)


def test_noise_on_many_events_is_seen_through(busy):
    found = verify_file(busy, "protected.parquet", max_risk=0.5)
    assert not found.doubt
    counts = next(each for each in found.attacks if each.by == "counts")
    shares = verify_file(busy, "protected.parquet", similarities="js,l1,cosine")
    assert found.risk.value >= counts.rate.value > shares.risk.value + 0.1


def test_no_limit_is_met_where_the_attack_on_noise_cannot_be_carried_out(busy):
    found = verify_file(busy, "rounded.parquet", max_risk=0.999)
    assert "could not be carried out" in found.doubt
    assert not found.passed
    assert found.verdict().startswith("These figures may be far too low.")
    assert "likelihood of counts" not in " ".join(found.assumptions)
    named = verify_file(busy, "rounded.parquet", similarities="js", max_risk=0.999)
    assert not named.doubt, "whoever names similarities leaves the attack out"


def test_where_people_are_too_many_it_is_said_who_was_compared_by_counts(busy, monkeypatch):
    log = so.synthetic_calls(people=40, seed=1).table
    asked = {"user": "user", "time": "time", "place": "place"}

    def notes():
        events = so.read_events(log, **asked)
        made = release(events, ReleaseOptions(**asked, keep=50), 0)
        verified = verify_file(busy, "protected.parquet")
        return [[str(note) for note in found.notes if "by the counts" in str(note)] for found in (made, verified)]

    assert notes() == [[], []]
    monkeypatch.setattr(half_counts, "MOST_PAIRS", 100)
    monkeypatch.setattr(half_counts, "FEWEST_COMPARED", 5)
    (made,), (verified,) = notes()
    assert made.startswith("5 people drawn at random")
    assert verified.startswith("5 people drawn at random")
