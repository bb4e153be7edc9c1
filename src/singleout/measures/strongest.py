"""The strongest of several attacks: a rate whose interval allows for the choice among them and for random draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from singleout.ground.arrays import Floats
from singleout.measures.intervals import Estimate

WEIGHTINGS = 200


def level_for_each(confidence_level: float, attacks: int) -> float:
    """The confidence level of each interval so that the intervals of all attacks hold together (Bonferroni)."""
    return 1.0 - (1.0 - confidence_level) / attacks


def choice_bias(right: Sequence[Floats], seed: int) -> float:
    """By how much the highest of several rates on the same people is too high on average, for having been chosen.

    ``right``: for each attack, how likely each person is to be re-identified. People are weighted at random, again and
    again: the highest rate of each weighting against that of the attack which is highest in fact.
    """
    found = np.array(right)
    best = int(found.mean(axis=1).argmax())
    rng = np.random.default_rng(seed)
    excess = []
    for _ in range(WEIGHTINGS):  # one at a time: there may be very many people
        weight = rng.exponential(size=(found.shape[1],))
        rates = found @ weight / weight.sum()
        excess.append(rates.max() - rates[best])
    return float(np.mean(excess))


def estimate_over_draws(shares: Sequence[float], people: int, confidence_level: float) -> Estimate:
    """The average of one share per draw, with Wilson's interval for the result of a single draw.

    With people who are re-identified independently, a single draw has variance p(1 − p)/n, its own randomness included.
    If the draws vary more, the interval is that of the smaller number of people that would vary as much.
    """
    share = min(max(float(np.mean(shares)), 0.0), 1.0)
    variance = float(np.var(shares, ddof=1)) if len(shares) > 1 else 0.0
    n = min(float(people), max(1.0, share * (1 - share) / variance)) if variance > 0 else float(people)
    z = float(ndtri(0.5 + confidence_level / 2))
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    return Estimate(
        share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)), confidence_level, people
    )


def combine_strongest(found: Sequence[Estimate], confidence_level: float) -> Estimate:
    """The highest share; its interval covers the strongest attack's true share if each attack's covers its own."""
    best = max(found, key=lambda each: each.value)
    return Estimate(
        best.value, max(each.low for each in found), max(each.high for each in found), confidence_level, best.n
    )
