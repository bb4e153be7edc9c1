"""Noise: its distribution, its seed, what it protects, and what it refuses."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

import singleout as so
from tests.small_logs import PLACES, side


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_noise_is_on_every_cell_zeros_included_and_two_sided_geometric(epsilon):
    people, high = 400, 10_000
    counts = np.full((people, 50), high)
    noisy = so.add_noise(side(counts, list(range(50))), epsilon=epsilon, seed=1)
    noise = noisy.counts.toarray() - high
    # probability of n falls by exp(-epsilon) a step: mean |n| and share of zeros are known
    fall = np.exp(-epsilon)
    assert noise.mean() == pytest.approx(0, abs=0.1 / epsilon)
    assert np.abs(noise).mean() == pytest.approx(2 * fall / (1 - fall**2), rel=0.05)
    assert (noise == 0).mean() == pytest.approx((1 - fall) / (1 + fall), rel=0.05)
    empty = np.zeros((people, 50), dtype=int)
    empty[0, 0] = 1
    appeared = so.add_noise(side(empty, list(range(50))), epsilon=epsilon, seed=1).counts.toarray() > 0
    assert appeared.mean() == pytest.approx(fall / (1 + fall), rel=0.1), "zeros get noise too; the negative half is cut"


def test_noise_that_protects_a_person_cuts_their_events_first():
    noisy = so.add_noise(side([[500, 300, 0, 1], [2, 0, 1, 0]]), epsilon=1e9, unit="person", max_total=10)
    assert noisy.totals.tolist() == [10, 3], "with next to no noise only the cut is left"
    assert (noisy.notes[0].count, noisy.notes[0].what) == (1, "people with events removed")


@pytest.mark.parametrize(("epsilon", "max_total"), [(1.0, 3), (4.0, 10)])
def test_noise_that_protects_a_person_has_twice_the_events_over_epsilon_as_scale(epsilon, max_total):
    empty = np.zeros((400, 50), dtype=int)
    empty[0, 0] = 1
    noisy = so.add_noise(side(empty, list(range(50))), epsilon=epsilon, unit="person", max_total=max_total, seed=2)
    fall = np.exp(-epsilon / (2 * max_total))
    table = noisy.counts.toarray()
    assert (table > 0).mean() == pytest.approx(fall / (1 + fall), rel=0.03)
    assert table.mean() == pytest.approx(fall / (1 - fall**2), rel=0.05), "the positive half of the noise"
    assert noisy.notes[0].why.startswith(f"scale {2 * max_total / epsilon:g}, protecting one person")


def test_people_emptied_by_noise_keep_a_row_and_are_counted():
    counts = np.zeros((60, 2), dtype=int)
    counts[:, 0] = 1
    noisy = so.add_noise(side(counts, ["x", "y"]), epsilon=0.5, seed=1)
    emptied = int((noisy.totals == 0).sum())
    assert emptied > 0
    assert (noisy.notes[-1].count, noisy.notes[-1].what) == (emptied, "people left without data")


def test_noise_depends_on_the_seed_and_not_on_the_order_of_rows():
    counts = np.random.default_rng(0).poisson(3.0, (20, 4))
    first, again, other = (so.add_noise(side(counts), epsilon=0.5, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.counts.toarray(), again.counts.toarray())
    assert (first.counts.toarray() != other.counts.toarray()).any()
    order = np.random.default_rng(1).permutation(20)
    shuffled = so.Histograms(counts[order], [f"u{k}" for k in order], PLACES)
    noisy = so.add_noise(shuffled, epsilon=0.5, seed=3)
    np.testing.assert_array_equal(first.counts.toarray()[order], noisy.counts.toarray())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 0}, "epsilon must be a number above zero"),
        ({"epsilon": float("nan")}, "epsilon must be a number above zero"),
        ({"epsilon": 1, "unit": "person"}, "max_total must be given if, and only if, unit='person'"),
        ({"epsilon": 1, "max_total": 5}, "if, and only if, unit"),
        ({"epsilon": 1, "unit": "person", "max_total": 0}, "max_total must be a whole number above zero"),
        ({"epsilon": 1, "unit": "day"}, "unit must be one of event, person"),
        ({"epsilon": 1e-17}, "epsilon must be at least 1 / 1,099,511,627,776"),
        ({"epsilon": 1e-30}, "epsilon must be at least"),
        ({"epsilon": 5e-324}, "epsilon must be at least"),
        ({"epsilon": 1, "unit": "person", "max_total": 10**38}, "max_total must be at most epsilon times"),
        ({"epsilon": 1, "seed": "a"}, "seed must be a whole number, 0 or more"),
        ({"epsilon": 1, "seed": -1}, "add_noise: seed must be a whole number, 0 or more"),
        ({"epsilon": 1, "seed": 1.5}, "seed must be a whole number, 0 or more"),
    ],
)
def test_noise_that_cannot_be_is_refused(options, message):
    with pytest.raises(so.InputError, match=message):
        so.add_noise(side([[1, 2, 3, 4]]), **options)


def test_without_a_seed_nobody_can_draw_the_same_noise_again():
    counts = np.full((20, 4), 1_000)
    first, second = (so.add_noise(side(counts), epsilon=0.1).counts.toarray() for _ in range(2))
    assert (first != second).any()
    assert (first != so.add_noise(side(counts), epsilon=0.1, seed=0).counts.toarray()).any()


def test_noise_of_the_largest_scale_is_as_large_as_it_says():
    noise = so.add_noise(side(np.full((200, 4), 2**52)), epsilon=2.0**-40, seed=1).counts.toarray() - 2**52
    assert np.abs(noise).mean() == pytest.approx(2**40, rel=0.1)


def test_noise_says_what_one_count_is():
    table = pa.table({"u": list("aabb"), "t": [0, 3_600, 0, 7_200], "p": list("xyxy"), "n": [5, 6, 7, 8]})
    columns = {"user": "u", "time": "t", "place": "p"}
    timed, summed = so.read_events(table, **columns), so.read_events(table, **columns, count="n")
    for counts, one in (
        (so.histograms(timed), "one event"),
        (so.histograms(timed, measure="dwell"), "one second"),
        (so.suppress(so.histograms(timed, measure="dwell"), keep=1), "one second"),
        (so.histograms(summed), "one unit of the count"),
    ):
        notes = so.add_noise(counts, epsilon=1, seed=0).notes
        assert [note.why for note in notes if note.what == "counts with noise"] == [
            f"scale 1, protecting {one}, for this release only"
        ]


def test_noise_on_too_many_cells_says_how_many_may_be():
    many = so.Histograms(sparse.eye_array(2**14, dtype=np.int64), range(2**14), range(2**14))
    with pytest.raises(so.DataError, match="16,384 people at 16,384 places have more than 134,217,728"):
        so.add_noise(many, epsilon=1)


def test_noise_needs_whole_counts():
    with pytest.raises(so.DataError, match="whole numbers"):
        so.add_noise(side([[0.5, 0.5, 0, 0]]), epsilon=1)
