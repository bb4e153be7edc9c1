"""Selectivity (R12 IV-B): 1 divided by the number of candidates that share the highest score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from singleout.ground.errors import bad_argument
from singleout.ground.notebooks import Summary
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent
from singleout.matching.candidates import Profiles
from singleout.measures.intervals import Estimate, wilson

GROUPS = (0, 1, 2)


@dataclass(frozen=True, repr=False)
class Selectivity(Summary):
    """Averages over the people with at least this many candidates, deviations over the same people.

    As in Ramachandran 2012, Table III.

    The interval treats selectivities as probabilities, and people as independent. ``random`` is the selectivity of a
    random guess among all known people.

    Examples
    --------
    >>> import singleout as so
    >>> sites = so.synthetic_profiles(people=40, known=100, seed=1)
    >>> profiles = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    >>> so.selectivity(profiles).people
    40
    """

    at_least: int
    people: int
    selectivity: Estimate | None
    deviation: float
    candidates: float
    candidates_deviation: float
    random: float

    def __str__(self) -> str:
        which = ("", " with a candidate", " with at least two candidates")[self.at_least]
        people = f"{number_of(self.people, 'people')}{which}"
        if self.selectivity is None:
            return people
        mean, spread = f"{self.candidates:,.1f} candidates on average", f"selectivity {self.selectivity}"
        return f"{people}: {mean}, {spread}; chance {percent(self.random)}"


def selectivity(profiles: Profiles, *, at_least: int = 0, confidence_level: float = 0.95) -> Selectivity:
    """Averages over all people (0), those with a candidate (1), or those with at least two.

    As in Ramachandran 2012, Table III.

    Parameters
    ----------
    profiles
        Profiles of ``match_profiles`` or ``match_friends``.
    at_least
        0: everyone; 1: people with a candidate; 2: with two or more.
    confidence_level
        Confidence level of the interval.

    Returns
    -------
    Selectivity
        Averages over these people.

    Examples
    --------
    >>> import singleout as so
    >>> sites = so.synthetic_profiles(people=40, known=100, seed=1)
    >>> profiles = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    >>> so.selectivity(profiles, at_least=1)
    Selectivity(23 people with a candidate: 1.7 candidates on average, selectivity 70.7% [50.2%, 85.2%]; chance 1.0%)
    """
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
