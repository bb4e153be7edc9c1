"""Selectivity (R12 IV-B): 1 divided by the number of candidates that share the highest score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from singleout.ground.errors import bad_argument
from singleout.ground.notebooks import Summary
from singleout.matching.candidates import Profiles
from singleout.measures.intervals import Estimate, wilson

GROUPS = (0, 1, 2)


@dataclass(frozen=True)
class Selectivity(Summary):
    """Averages over the people with at least this many candidates (R12 Table III), deviations over the same people.

    The interval treats selectivities as probabilities, and people as independent. ``random`` is the selectivity of a
    random guess among all known people.
    """

    at_least: int
    people: int
    selectivity: Estimate | None
    deviation: float
    candidates: float
    candidates_deviation: float
    random: float


def selectivity(profiles: Profiles, *, at_least: int = 0, confidence_level: float = 0.95) -> Selectivity:
    """Averages over all people (0), those with a candidate (1), or those with at least two (R12 Table III)."""
    if not isinstance(profiles, Profiles):
        hint = "Make them with so.match_profiles(…)."
        raise bad_argument("selectivity", "profiles", "Profiles", type(profiles).__name__, hint)
    if at_least not in GROUPS:
        raise bad_argument("selectivity", "at_least", "0, 1 or 2 candidates", at_least)
    group = profiles.candidates >= at_least
    # in ascending order, so that sums do not depend on the order of rows
    chances, candidates = np.sort(profiles.selectivity[group]), np.sort(profiles.candidates[group])
    number, random = len(chances), 1 / len(profiles.known_side)
    if not number:
        return Selectivity(at_least, 0, None, 0.0, 0.0, 0.0, random)
    mean = wilson(min(float(chances.sum()), number), number, confidence_level)
    spread = float(chances.std())
    return Selectivity(at_least, number, mean, spread, float(candidates.mean()), float(candidates.std()), random)
