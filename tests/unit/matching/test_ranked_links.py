"""Probable links: how many are kept, what is estimated, shown and hidden."""

import json
from itertools import pairwise

import numpy as np
import pytest

import singleout as so
from singleout.matching.ranked_links import RankedPairs
from tests.small_people import PEOPLE, people_with_errors


@pytest.fixture(scope="module")
def links():
    return so.probable_links(*people_with_errors(400, seed=7, errors=0.4, gaps=0.2), on=PEOPLE)


def ranked(*probabilities):
    rows = np.arange(len(probabilities))
    return RankedPairs.of((rows, rows), np.array(probabilities), np.log(np.array(probabilities)))


@pytest.mark.parametrize(("precision", "kept"), [(0.95, 2), (0.9, 3), (0.5, 3), (0.999, 0)])
def test_the_most_links_that_have_the_precision_are_kept(precision, kept):
    pairs = ranked(0.3, 0.99, 0.95, 0.8)  # 0.99, then 0.97, 0.913 and 0.76 on average
    assert pairs.enough(precision) == kept, "0.3 is more likely wrong"
    assert pairs.released.tolist() == [1, 2, 3, 0]
    assert ranked().enough(0.5) == 0


def test_estimates_are_sums_of_probabilities(links):
    assert links.estimated_precision == pytest.approx(links.probability.mean())
    assert links.estimated_precision >= 0.95
    assert links.estimated_recall == pytest.approx(links.probability.sum() / links.matches)
    assert links.threshold == links.probability.min()
    few = links.keep(precision=0.999)
    assert len(few) < len(links)
    assert few.estimated_precision >= 0.999
    assert few.released.tolist() == links.released[: len(few)].tolist()


def test_the_curve_is_estimated_without_truth(links):
    rows = links.curve().to_pylist()
    assert [row["threshold"] for row in rows] == sorted((row["threshold"] for row in rows), reverse=True)
    assert all(a["recall"] <= b["recall"] and a["links"] <= b["links"] for a, b in pairwise(rows))
    assert rows[0]["precision"] >= 0.99
    assert {row["field"] for row in links.weights().to_pylist()} == set(PEOPLE)
    assert links.plot().spec["title"]


def test_no_value_is_shown_unless_asked_for(links):
    value = links.tables[0].encode(["last"])[0].values.tolist()[0]
    hidden = repr(links) + str(links.to_arrow().to_pydict()) + json.dumps(links.to_dict(), allow_nan=False)
    assert value not in hidden
    shown = links.to_arrow(reveal=True).to_pydict()
    assert shown["released value of last"][0] is not None
    assert set(links.to_arrow().column_names) == {"released_row", "known_row", "probability", "weight"}


def test_every_line_fits_a_terminal_and_says_what_is_estimated(links):
    told = repr(links)
    assert max(map(len, told.splitlines())) <= 80
    assert "estimated without truth" in told


def test_a_precision_that_is_none_is_refused(links):
    with pytest.raises(so.InputError, match=r"precision must be above 0 and below 1 \(got 1.2\)"):
        links.keep(precision=1.2)
