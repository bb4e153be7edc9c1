"""An attack that a user brings: scores of everyone with everyone, matched, measured and audited like the rest."""

import numpy as np
import pytest
from scipy import sparse

import singleout as so
from tests.audits import COLUMNS
from tests.small_logs import noisy_sides


def common_places(released, known):
    """How many places two people have in common."""
    return (released.counts > 0).astype(float) @ (known.counts > 0).astype(float).T


def sides_and_scores():
    released, known = noisy_sides()
    return (released, known), so.Scores(common_places(released, known), released.people, known.people)


def test_joint_matching_is_that_of_the_scores():
    sides, scores = sides_and_scores()
    so.register_attack("common", common_places)
    found, plain = so.match(*sides, similarity="common"), so.assign(scores)
    assert (found.similarity, found.cost, found.gap) == ("common", plain.cost, plain.gap)
    assert found.known.tolist() == plain.known.tolist()
    assert found.released_side is sides[0]
    assert so.accuracy(found).expected == so.accuracy(plain).expected


@pytest.mark.parametrize(("by", "axis"), [("released", 1), ("known", 0)])
def test_one_by_one_takes_the_highest_score_and_ties_are_chance(by, axis):
    sides, scores = sides_and_scores()
    so.register_attack("common", common_places)
    found = so.match(*sides, similarity="common", method="one-by-one", by=by)
    table = scores.matrix.toarray()
    best = table == table.max(axis=axis, keepdims=True)
    right = np.diag(best / best.sum(axis=axis, keepdims=True))
    assert so.accuracy(found).expected == pytest.approx(right.sum())
    assert np.sort(-found.costs) == pytest.approx(np.sort(table.max(axis=axis)))


def test_forbidden_pairs_are_not_made_one_by_one_and_who_has_none_gets_anyone():
    def nearly_nobody(released, known):
        row, column = released.counts.toarray()[:, 0].argmax(), known.counts.toarray()[:, 1].argmax()
        one = sparse.csr_array(([1.0], ([row], [column])), shape=(3, 3))
        return so.Scores(one, released.people, known.people, absent="forbidden")

    so.register_attack("nearly", nearly_nobody)
    side = so.Histograms(np.eye(3, dtype=int), ["a", "b", "c"], [1, 2, 3])
    found = so.match(side, side, similarity="nearly", method="one-by-one")
    assert found.known[0] == 1
    assert found.chances.of(np.array([1]), np.array([1])) == pytest.approx([1 / 3])


def test_halves_of_the_people_are_matched_by_it_again():
    sides, _ = sides_and_scores()
    so.register_attack("common", common_places)
    rate = so.accuracy(so.match(*sides, similarity="common"), intervals="half-sampling").rate
    assert rate.effective is not None


def test_it_has_no_places_that_explain_it():
    sides, _ = sides_and_scores()
    so.register_attack("common", common_places)
    found = so.match(*sides, similarity="common")
    assert not found.explainable
    with pytest.raises(so.DataError, match="no places that could explain it"):
        found.explain(0)


def test_it_is_a_rung_of_the_ladder_and_may_be_the_headline_of_an_audit():
    so.register_attack("common", count_common, description="how many places are common")
    log = so.synthetic_calls(people=60, antennas=20, regions=3, seed=1)
    sides = [so.histograms(part) for part in so.split(log.events, by="weeks")]
    rungs = so.ladder(*sides, similarities=["js", "common"]).rows
    assert [rung.similarity for rung in rungs] == ["js", "common"] * 2
    frontier = so.frontier(*sides, [so.Protection.keep([5])], similarities=["common"])
    assert {row.protection for row in frontier.rows} == {"none", "keep"}
    # the file as it is would be attacked by the counts behind its shares as well
    asked = {"split": "weeks", "similarities": ["common"], "protect": False, "topology": "no", "known_pairs": 0}
    found = so.audit(log.table, **COLUMNS, **asked, progress=False)
    assert found.strongest.by == "common"
    assert not found.causes
    assert found.people_at_risk.clearest
    assert not found.people_at_risk.clearest[0].reasons
    assert any(note.what == "reasons left out" for note in found.notes)


def count_common(released, known):
    """The same for sides whose places differ."""
    places = {place: number for number, place in enumerate(known.places.tolist())}
    kept = [number for number, place in enumerate(released.places.tolist()) if place in places]
    columns = [places[released.places[number]] for number in kept]
    return (released.counts[:, kept] > 0).astype(float) @ (known.counts[:, columns] > 0).astype(float).T


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (lambda released, known: released.counts, "'odd' must return a matrix of 40 by 40 people"),
        (lambda released, known: released.nothing, r"'odd' failed: AttributeError in test_own_attack.py, line \d+"),
        (lambda released, known: None, "'odd' must return a matrix of 40 by 40 people"),
        (lambda released, known: so.Scores(np.eye(40), range(1, 41), range(40)), r"scores of released\.people"),
        (lambda released, known: np.full((40, 40), np.nan), "'odd' must return finite numbers"),
    ],
)
def test_a_function_that_fails_or_returns_something_else_says_so(score, message):
    so.register_attack("odd", score)
    with pytest.raises(so.InputError, match=message):
        so.match(*noisy_sides(), similarity="odd")


def test_neither_the_order_of_rows_nor_ids_help_it():
    so.register_attack("diagonal", lambda released, known: np.eye(len(released), len(known)))
    assert so.accuracy(so.match(*noisy_sides(200), similarity="diagonal")).rate.value < 0.05
    seen = []
    so.register_attack("looks", lambda released, known: seen.append(released.people) or np.zeros((40, 40)))
    so.match(*noisy_sides(), similarity="looks")
    assert seen[0].tolist() == list(range(40))


def test_what_it_changes_nobody_else_sees():
    def binarise(released, known):
        for side in (released, known):
            side.counts.data[:] = 1
        return np.zeros((len(released), len(known)))

    so.register_attack("binarise", binarise)
    sides = noisy_sides()
    before = so.match(*sides).cost
    so.match(*sides, similarity="binarise")
    assert so.match(*sides).cost == before


def test_pairs_that_are_all_forbidden_re_identify_nobody():
    def nobody(released, known):
        empty = sparse.csr_array((len(released), len(known)))
        return so.Scores(empty, released.people, known.people, absent="forbidden")

    so.register_attack("nobody", nobody)
    found = so.accuracy(so.match(*noisy_sides(), similarity="nobody"))
    assert (found.rate.value, found.precision.value, found.precision.n) == (0, 0, 0)


def test_sparse_scores_with_forbidden_pairs_are_half_sampled_and_judge_protections():
    def sparse_common(released, known):
        scores = common_places(released, known).tocsr()
        scores.data[scores.data < 2] = 0
        scores.eliminate_zeros()
        return so.Scores(scores, released.people, known.people, absent="forbidden")

    so.register_attack("sparse", sparse_common)
    sides = noisy_sides()
    assert so.accuracy(so.match(*sides, similarity="sparse"), intervals="half-sampling").rate.value > 0
    found = so.frontier(*sides, [so.Protection.microaggregate([5])], similarities=["sparse", "js"])
    assert [row.protection for row in found.rows] == ["none", "microaggregate"]
