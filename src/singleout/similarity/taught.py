"""A similarity taught by pairs that the intruder already knows: what counts most is fitted, starting from evidence.

It is a weighted sum of features of a pair. The weights are those that make the known pairs most likely, in a softmax
over all candidates in both directions, and stay near evidence alone where the known pairs do not say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from singleout._kernels import softmax
from singleout.ground.arrays import Floats, Indices
from singleout.ground.parallel import map_jobs
from singleout.similarity.alignment import AlignedSides, align_sides
from singleout.similarity.evidence import rarity_by_people
from singleout.similarity.overlaps import overlaps
from singleout.similarity.registry import Similarity, find_built_in
from singleout.statistics.histograms import Histograms
from singleout.statistics.levels import Levels

MOST_PAIRS = 2**24
"""Features are stored for all pairs: above this many they would take more than a gigabyte."""
MOST_TAUGHT = 250
"""The weights are fitted to at most this many of the known pairs: they are few, and more pairs hardly move them."""
RIDGE = 10.0
"""How strongly weights are held at evidence alone: as if by this many pairs."""
LEAST_SCALE = 1e-3
SAME = 1e-12
"""A feature that varies by less than this share is the same for all pairs."""
EVIDENCE = "evidence"
IN_WORDS = {
    EVIDENCE: "sharing rare places often",
    "js_reliability": "going to the same places equally often",
    "js_roots_reliability": "having the same places besides the main ones",
    "js_roots_evidence": "having rare places besides the main ones",
    "evidence_mild": "sharing rather rare places often",
    "evidence_levels": "sharing places at several sizes of cells",
    "common_places": "having many places in common",
    "totals": "a similar amount of data",
    "numbers_of_places": "a similar number of places",
}


@dataclass(frozen=True, eq=False)
class Feature:
    """One thing by which pairs are compared: a value for every pair, released by known, of standard deviation one."""

    name: str
    values: Floats

    @property
    def in_words(self) -> str:
        """What a high value means."""
        return IN_WORDS[self.name]


def pair_features(
    released: Histograms, known: Histograms, levels: Levels | None = None, *, progress: bool | None = None
) -> list[Feature]:
    """The features of all pairs, evidence first; those that are the same for all pairs are left out.

    They depend on counts only: not on ids, the order of rows or who is who.
    """
    made = map_jobs(
        _make_feature, list(_all_features(released, known, levels)), label="comparing people", progress=progress
    )
    return [each for each in made if each is not None]


def _make_feature(named: tuple[str, Callable[[], Floats]]) -> Feature | None:
    """The values of a feature, scaled; None where it is the same for all pairs."""
    name, compute = named
    values = compute()
    spread = float(values.std())
    differs = spread > SAME * max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    if not differs and name != EVIDENCE:
        return None
    return Feature(name, np.asarray(values / (spread if differs else 1.0), np.float32))


def _all_features(
    released: Histograms, known: Histograms, levels: Levels | None
) -> Iterator[tuple[str, Callable[[], Floats]]]:
    """The name of each feature, and what computes it for all pairs."""
    sides = align_sides(released, known)
    for similarity in _compared_by(released, levels):
        yield similarity.name, partial(_gains, sides, similarity)
    finest = align_sides(released.finest(), known.finest())
    first, second = finest.released.counts, finest.known.counts
    yield "common_places", partial(_common_places, first, second, rarity_by_people(second))
    yield "totals", partial(_closeness, _sums(first), _sums(second))
    yield "numbers_of_places", partial(_closeness, np.diff(first.indptr), np.diff(second.indptr))


def _compared_by(side: Histograms, levels: Levels | None) -> list[Similarity]:
    evidence, js, coarser = (find_built_in(name) for name in (EVIDENCE, "js_reliability", "evidence_levels"))
    coarser = replace(coarser, levels=levels or coarser.levels)
    fits = coarser.levels is not None and coarser.levels.fit(side)
    return [
        evidence,
        js,
        replace(js, name="js_roots_reliability", roots=True),
        replace(evidence, name="js_roots_evidence", roots=True),
        find_built_in("evidence_mild"),
        *([coarser] if fits else []),
    ]


def _gains(sides: AlignedSides, similarity: Similarity) -> Floats:
    """The gains of all pairs of people; the same for people of a class."""
    pairs = overlaps(sides, similarity)
    gains = pairs.gains(progress=False)
    return np.asarray(gains[np.ix_(pairs.released.classes.label, pairs.known.classes.label)])


def _common_places(released: sparse.csr_array, known: sparse.csr_array, rarity: Floats) -> Floats:
    """The places that both have, each by its rarity, over the root of the numbers of places of both."""
    sides = [
        sparse.csr_array(
            (
                np.sqrt(rarity)[side.indices] / np.sqrt(np.repeat(np.diff(side.indptr), np.diff(side.indptr))),
                side.indices,
                side.indptr,
            ),
            shape=side.shape,
        )
        for side in (released, known)
    ]
    return np.asarray((sides[0] @ sides[1].T).toarray())


def _sums(side: sparse.csr_array) -> Floats:
    return np.asarray(side.sum(axis=1), dtype=np.float64).ravel()


def _closeness(released: Any, known: Any) -> Floats:
    """How close two sizes are: minus the difference of their logarithms; nothing counts as the smallest there is."""
    together = np.concatenate([released, known]).astype(np.float64)
    logs = np.log(np.maximum(together, together[together > 0].min(initial=np.inf)))
    return np.asarray(-np.abs(logs[: len(released), None] - logs[None, len(released) :]))


def fit_weights(features: Sequence[Feature], released: Indices, known: Indices) -> Floats:
    """The weights of the features, from the rows of known pairs: the likeliest, held near evidence alone."""
    rows = np.stack([each.values[released] for each in features], axis=1)
    columns = np.stack([each.values[:, known].T for each in features], axis=1)
    both = (rows, known), (columns, released)
    first = tuple((np.ascontiguousarray(table[:, :1]), right) for table, right in both)
    alone = minimize(
        lambda scale: _misfit(scale, *first),
        np.ones(1),
        jac=True,
        method="L-BFGS-B",
        bounds=[(LEAST_SCALE, None)],
    )
    scale, start = float(alone.x[0]), np.eye(len(features))[0]

    def penalised(weights: Floats) -> tuple[float, Floats]:
        misfit, slope = _misfit(scale * weights, *both)
        away = weights - start
        return misfit + RIDGE / 2 * float(away @ away), scale * slope + RIDGE * away

    return np.asarray(scale * minimize(penalised, start, jac=True, method="L-BFGS-B").x)


def _misfit(weights: Floats, *directions: tuple[Floats, Indices]) -> tuple[float, Floats]:
    """Minus the log-likelihood of the right candidate among all, mean of both directions; and its gradient."""
    found = [softmax.misfit(weights, table, right) for table, right in directions]
    misfit, slope = (sum(each[part] for each in found) / len(directions) for part in (0, 1))
    return float(misfit), np.asarray(slope)


def weighted_sum(features: Sequence[Feature], weights: Floats, released: Indices, known: Indices) -> Floats:
    """The taught similarity of these people."""
    # all pairs first: to pick the entries of some people takes longer than to add up those of all
    scores = np.zeros(features[0].values.shape)
    for feature, weight in zip(features, weights, strict=True):
        scores += weight * feature.values
    return np.asarray(scores[np.ix_(released, known)])
