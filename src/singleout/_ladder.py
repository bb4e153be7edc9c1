"""The attacker ladder: blind, one by one, joint; for all weights; measured the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from singleout.ground.errors import bad_argument
from singleout.matching.result import MatchingInterrupted, match
from singleout.measures.accuracy import accuracy
from singleout.report.model import Ladder, Rung
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable
from singleout.weights.registry import BUILT_IN, weight_named


def ladder(
    released: Histograms,
    known: Histograms,
    *,
    weights: Sequence[str] = tuple(BUILT_IN),
    truth: Mapping[Any, Any] | None = None,
    size: int | None = None,
    tolerance: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
    label: str = "data as given",
    synthetic: bool = False,
    progress: bool | None = None,
) -> Ladder:
    """Run every attack on the same two sides and measure each against the truth.

    One by one takes the nearest known person for each released one. Where nobody is on both sides and no ``truth`` is
    given the attacks run all the same, unmeasured. ``size`` and ``tolerance`` are for joint matching, as in ``match``.
    Ctrl-C during a joint matching ends the ladder there, with the best matching so far.
    """
    if isinstance(weights, str) or not weights:
        raise bad_argument("ladder", "weights", "a list of weights", weights)
    for weight in weights:
        weight_named(weight)
    measurable = truth is not None or np.intersect1d(*comparable(released.people, known.people)).size > 0
    rungs, first_joint, interrupted = [], None, False
    for method, weight in product(("one-by-one", "joint"), dict.fromkeys(weights)):
        try:
            joint: dict[str, Any] = {"size": size, "tolerance": tolerance} if method == "joint" else {}
            matching = match(released, known, weight=weight, method=method, seed=seed, progress=progress, **joint)
        except MatchingInterrupted as stopped:
            matching, interrupted = stopped.matching, True
        measured = accuracy(matching, truth, level=level) if measurable else None
        rungs.append(Rung(method.replace("-", " "), weight, measured))
        first_joint = first_joint or (matching if method == "joint" else None)
        if interrupted:
            break
    assert first_joint is not None
    return Ladder(tuple(rungs), first_joint, label, synthetic, interrupted)
