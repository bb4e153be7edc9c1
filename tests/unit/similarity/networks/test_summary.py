"""Networks as plain figures."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity.networks.summary import Summary, smaller_sizes, summary_figures
from tests.reference.network_figures import figures
from tests.reference.traces import networks_of, random_people

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("top", [None, 30, 6])
def test_figures_are_those_of_the_twin(top):
    people = random_people(3, people=5, places=60, visits=70) | {5: [[1]], 6: [[1, 2, 1]]}
    found = summary_figures(networks_of(people), top, smaller_sizes([top]), None)
    expected = np.array([figures(paths, top) for paths in people.values()])
    assert found.shape == expected.shape
    assert found == pytest.approx(expected, abs=1e-12)


def test_scores_are_distances_in_deviations_of_the_known_side():
    released, known = np.array([[1.0, 5.0], [3.0, 9.0]]), np.array([[0.0, 5.0], [4.0, 5.0]])
    scores = Summary(released, known).block(0, 2)
    # the second figure is the same for everyone known, so it says nothing
    assert scores == pytest.approx(-np.abs((released[:, :1] - known[:, 0]) / 2.0))


def test_names_of_places_and_order_of_people_do_not_matter():
    released, known = random_people(1, people=8), random_people(2, people=8)
    plain = so.graph_scores(networks_of(released), networks_of(known), kernel="summary").matrix.toarray()
    renamed = {person: [[f"x{7 * place % 11}" for place in path] for path in paths] for person, paths in known.items()}
    moved = {7 - person: paths for person, paths in released.items()}
    other = so.graph_scores(networks_of(moved), networks_of(renamed), kernel="summary").matrix.toarray()
    assert other[::-1] == pytest.approx(plain, abs=1e-9)


def test_the_same_networks_find_each_other():
    people = random_people(4, people=12, places=15)
    matching = so.assign(so.graph_scores(networks_of(people), networks_of(people), kernel="summary"))
    assert so.accuracy(matching).rate.value == 1.0


def test_networks_cut_on_one_side_only_are_compared_by_what_both_have():
    people = {k: [list("abcdefghab"[k:] + "ghijklmn"[:k] + "abca")] for k in range(4)}
    whole = networks_of(people)
    scores = so.graph_scores(whole.at(top=6), whole).matrix.toarray()
    assert scores.shape == (4, 4)
    assert np.isfinite(scores).all()
