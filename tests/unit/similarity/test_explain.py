"""An explanation of a pair adds up to its cost."""

import numpy as np
import pytest
from hypothesis import given

import singleout as so
from tests.reference.costs import TWINS
from tests.small_matchings import pairs_of, sides_of_counts, tables_of_counts

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("similarity", TWINS)
@given(counts=tables_of_counts)
def test_an_explanation_adds_up_to_the_weight(similarity, counts):
    matching = so.match(*sides_of_counts(*counts), similarity=similarity)
    for pair, (row, other) in enumerate(pairs_of(matching)):
        why = matching.explain(pair)
        shared = (counts[0][row] > 0) & (counts[1][other] > 0)
        assert sorted(why.places.tolist()) == np.flatnonzero(shared).tolist()
        assert (np.diff(why.terms) <= 0).all()
        assert why.constant - why.terms.sum() == pytest.approx(matching.costs[pair], abs=1e-12)
        if not counts[0][row].any() or not counts[1][other].any() or similarity == "glrt":
            continue
        assert why.constant == pytest.approx(
            {"js": 2 * np.log(2), "l1": 2, "cosine": 1, "dot": 0}[similarity], abs=1e-9
        )


def test_an_explanation_keeps_channels_apart_and_places_to_itself_until_asked():
    counts = np.array([[3, 1, 0, 2], [0, 2, 5, 1]])
    labels = ["mon", "mon", "tue", "tue"]
    people, places = ["x", "y"], ["home", "shop", "home", "shop"]
    side = so.Histograms(counts, people, places, channels=labels)
    matching = so.match(side, side)
    why = matching.explain(0)
    assert next(zip(why.places, why.channels, strict=True)) == ("shop", "tue")  # all of Tuesday
    assert why.cost == pytest.approx(0.0, abs=1e-12)
    assert "home" not in repr(why)
    assert why.to_arrow().column_names == ["term", "released", "known"]
    assert why.to_arrow(reveal=True).column_names[:2] == ["place", "channel"]
