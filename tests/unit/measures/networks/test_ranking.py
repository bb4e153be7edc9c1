"""Ranks with ties, privacy loss and curves equal the paper's formulas; the figures of 1,500 people come out."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.similarity import scores as storing
from tests.reference import network_measures as twin

N = 1_500
HARMONIC = sum(1 / k for k in range(1, N + 1))


def square(table):
    table = np.asarray(table, dtype=float)
    return so.Scores(table, range(len(table)), range(table.shape[1]))


tables = st.integers(1, 7).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(table=tables)
def test_ranks_and_losses_with_ties_equal_their_twins(table):
    found = so.ranking(square(table))
    assert found.ranks.tolist() == [float(twin.rank(row, k)) for k, row in enumerate(table)]
    assert so.ranks(square(table)).tolist() == found.ranks.tolist()
    losses = [float(twin.privacy_loss(row, k)) for k, row in enumerate(table)]
    assert found.loss == pytest.approx(losses, abs=1e-12)
    assert so.privacy_loss(square(table)) == pytest.approx(losses, abs=1e-12)


@pytest.mark.kernels
def test_scores_nearer_than_a_trillionth_are_equal():
    table = [[0.5, 0.5 + 4e-13, 0.5 - 4e-13, 0.5 + 3e-12], *np.eye(4)[1:]]
    found = so.ranking(square(table))
    assert (found.ahead[0], found.tied[0], found.ranks[0]) == (1, 2, 3.0)


def ladder_of_ranks():
    """Everybody's true person one rank further down, without ties."""
    return square([[(k - row) % N if k != row else N - row - 0.5 for k in range(N)] for row in range(N)])


def test_without_ties_the_loss_is_n_over_r_times_the_harmonic_number():
    scores = ladder_of_ranks()
    found = so.ranking(scores)
    assert sorted(found.ranks.tolist()) == sorted(set(found.ranks.tolist()))
    assert found.loss == pytest.approx(N / (found.ranks * HARMONIC) - 1, abs=1e-9)
    assert found.loss.max() == pytest.approx(189.1, abs=0.05)
    assert ((found.loss >= 0) == (found.ranks <= 190)).all()
    (of_the_paper,) = found.loss[found.ranks == 54]
    assert of_the_paper == pytest.approx(2.52, abs=0.005)


@pytest.mark.parametrize("n", [1, 2, 50])
def test_all_tied_loses_nothing(n):
    found = so.ranking(square(np.full((n, n), 0.3)))
    assert found.loss == pytest.approx(np.zeros(n), abs=1e-12)
    assert set(found.ranks.tolist()) == {(n + 1) / 2}
    assert found.one_by_one.value == pytest.approx(1 / n)


def test_a_random_order_loses_nothing_in_the_mean():
    found = so.ranking(square(np.random.default_rng(0).random((N, N))))
    # the deviation of n / (r H) over ranks is about 6, so of the mean 0.16
    assert abs(found.loss.mean()) < 0.5
    assert np.median(found.loss) == pytest.approx(-0.747, abs=0.01)
    assert found.ranks.mean() == pytest.approx(found.expected_at_random, rel=0.05)
    exact = [N / (r * HARMONIC) - 1 for r in range(1, N + 1)]
    assert np.mean(exact) == pytest.approx(0, abs=1e-12)
    assert np.median(exact) == pytest.approx(-0.747, abs=5e-4)


def test_ties_count_as_chance_in_shares():
    table = [[1, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0], [2, 2, 3, 1]]
    found = so.ranking(square(table))
    assert found.one_by_one.value == pytest.approx((1 / 3 + 1 + 1 / 4 + 0) / 4)
    assert found.within(2).value == pytest.approx((2 / 3 + 1 + 2 / 4 + 0) / 4)
    assert found.within(4).value == 1.0
    assert found.within(99).value == 1.0
    assert found.one_by_one.low < found.one_by_one.value < found.one_by_one.high
    for most in (0, 1.5, True):
        with pytest.raises(so.InputError, match="within: most must be a whole number above zero"):
            found.within(most)


def test_the_curve_reaches_one_and_stands_beside_chance():
    table = so.ranking(square(np.random.default_rng(1).random((40, 40)))).cdf().to_pydict()
    assert table["rank"][0] == 1
    assert table["rank"][-1] == 40
    assert table["share"][-1] == table["random"][-1] == 1.0
    assert table["share"] == sorted(table["share"])
    assert all(
        low <= share <= high for low, share, high in zip(table["low"], table["share"], table["high"], strict=True)
    )


def test_a_given_belief_is_used():
    table = [[1.0, 3.0], [0.0, 0.5]]
    linear = so.privacy_loss(square(table), f=lambda scores: scores)
    assert linear == pytest.approx([2 * 1 / 4 - 1, 2 * 1 - 1])
    soft = so.privacy_loss(square(table), f=np.exp)
    assert soft == pytest.approx([2 / (1 + np.exp(2)) - 1, 2 / (1 + np.exp(-0.5)) - 1])
    for bad in (lambda s: s[:1], lambda s: s * np.nan, lambda s: -s - 1, lambda s: s * 0):
        with pytest.raises(so.InputError, match="privacy_loss: f must be a function that returns one finite number"):
            so.privacy_loss(square(table), f=bad)


def test_the_loss_is_against_a_guesser_who_keeps_as_much_for_unseen_people():
    equal = square(np.full((7, 7), 0.3))
    scores = square(np.random.default_rng(2).random((9, 9)))
    for unseen in (0.0, 0.25, 0.9):
        assert so.privacy_loss(equal, unseen=unseen) == pytest.approx(np.zeros(7), abs=1e-12), "no knowledge, no loss"
        assert so.privacy_loss(equal, unseen=unseen, f=np.exp) == pytest.approx(np.zeros(7), abs=1e-12)
        believed = np.array([so.posterior(scores, row, unseen=unseen)[row] for row in range(9)])
        assert so.privacy_loss(scores, unseen=unseen) == pytest.approx(believed / ((1 - unseen) / 9) - 1)
    for unseen in (1, -0.1, "x", float("nan")):
        with pytest.raises(so.InputError, match="privacy_loss: unseen must be a share of at least 0 and below 1"):
            so.privacy_loss(scores, unseen=unseen)


def test_truth_says_who_is_who_and_others_are_left_out():
    scores = so.Scores([[3, 2, 1], [1, 2, 3]], ["p", "q"], ["a", "b", "c"])
    assert so.ranks(scores, {"q": "a", "p": "b"}).tolist() == [2.0, 3.0]
    assert so.ranks(scores, {"q": "c"}).tolist() == [1.0]
    assert so.privacy_loss(scores, {"q": "c"}) == pytest.approx([3 / (1 + 1 / 2 + 1 / 3) - 1])
    assert so.ranks(so.Scores([[3, 2], [1, 2]], [7, 8], [8, 9])).tolist() == [1.0 + 1.0]
    for function in (so.ranks, so.ranking, so.privacy_loss):
        with pytest.raises(so.DataError, match=f"{function.__name__}: nobody is on both sides"):
            function(scores)
        with pytest.raises(so.InputError, match=f"{function.__name__}: scores must be Scores"):
            function([[1.0]])


def test_a_forbidden_true_pair_has_no_rank():
    best = square([[1, 2], [1, 2]]).best(1)
    with pytest.raises(so.DataError, match="ranks: a true pair is forbidden"):
        so.ranks(best)


def test_two_people_and_blocks_of_one_row(monkeypatch):
    scores = square([[1.0, 0.5], [0.5, 0.5]])
    whole = so.ranking(scores)
    monkeypatch.setattr(storing, "BLOCK_PAIRS", 1)
    assert so.ranking(scores).to_arrow().equals(whole.to_arrow())
    assert whole.ranks.tolist() == [1.0, 1.5]
    assert whole.loss == pytest.approx([2 / 1.5 - 1, 0.0])


def test_a_ranking_prints_no_id_and_its_baseline():
    shown = repr(so.ranking(so.Scores(np.eye(3), ["ann", "bob", "cyd"], ["ann", "bob", "cyd"])))
    assert shown.startswith("Ranking(3 people: mean rank 1.0 ± 0.0, at random 2.0; privacy loss median")
    assert "ann" not in shown


def test_the_posterior_is_what_the_privacy_loss_is_made_of():
    rng = np.random.default_rng(5)
    scores = so.Scores(np.round(rng.random((7, 9)), 1), range(7), range(9))
    loss = so.privacy_loss(scores)
    for row in range(7):
        believed = so.posterior(scores, row)
        assert believed.sum() == pytest.approx(1)
        assert believed[row] * 9 - 1 == pytest.approx(loss[row])
        assert (np.argsort(-believed, kind="stable") == np.argsort(-scores.matrix.toarray()[row], kind="stable")).all()
        own = so.posterior(scores, row, f=np.square, unseen=0.25)
        assert own.sum() == pytest.approx(0.75)
        assert own == pytest.approx(
            0.75 * np.square(scores.rows(row, row + 1)[0]) / np.square(scores.rows(row, row + 1)).sum()
        )


@pytest.mark.parametrize(
    ("row", "options", "words"),
    [
        (7, {}, "row must be a row of the released people, 0 to 6"),
        (-1, {}, "row must be a row"),
        (0, {"unseen": 1}, "unseen must be a share"),
        (0, {"f": "x"}, "f must be a function"),
        (0, {"f": lambda line: line[:2]}, "f must be a function that returns one finite number"),
    ],
)
def test_a_posterior_that_cannot_be_is_refused(row, options, words):
    with pytest.raises(so.InputError, match=words):
        so.posterior(so.Scores(np.ones((7, 9)), range(7), range(9)), row, **options)


@pytest.fixture
def only_new_objects():
    """What is collected is made in the test: to look at everything that the process has takes half a second each."""
    gc.freeze()
    yield
    gc.unfreeze()


def test_scores_that_do_not_fit_are_never_held_together(monkeypatch, only_new_objects):
    monkeypatch.setattr(storing, "MOST_PAIRS", 10)
    monkeypatch.setattr(storing, "BLOCK_PAIRS", 60)
    table, alive, most = np.random.default_rng(0).random((30, 30)), [], []

    def produce(first, last):
        block = table[first:last].copy()
        alive.append(weakref.ref(block))
        gc.collect()
        most.append(sum(each() is not None for each in alive))
        return block

    streamed = so.Scores.streamed(produce, range(30), range(30))
    stored = so.Scores(table, range(30), range(30))
    for measure in (so.ranks, so.privacy_loss, lambda scores: so.ranking(scores).loss):
        assert (measure(streamed) == measure(stored)).all()
    streamed.best(3)
    assert len(alive) == 4 * 15
    assert max(most) <= 2  # the one asked for, and the one just left
