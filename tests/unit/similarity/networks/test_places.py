"""Scores by the names of places are cosines."""

import numpy as np
import pytest

import singleout as so
from singleout.similarity.networks.places import place_scores


def test_scores_by_place_names_are_cosines(call_events):
    released, known = (so.histograms(part) for part in so.split(call_events, by="point", seed=1))
    scores = place_scores(released, known).matrix.toarray()
    assert scores.min() >= 0
    assert scores.max() <= 1 + 1e-12
    row, other = released.counts[[0]].toarray().ravel(), known.counts[[0]].toarray().ravel()
    here = {place: count for place, count in zip(released.places.tolist(), row, strict=True) if count}
    there = {place: count for place, count in zip(known.places.tolist(), other, strict=True) if count}
    inner = sum(count * there.get(place, 0) for place, count in here.items())
    lengths = np.sqrt(sum(c * c for c in here.values()) * sum(c * c for c in there.values()))
    assert scores[0, 0] == pytest.approx(inner / lengths)
