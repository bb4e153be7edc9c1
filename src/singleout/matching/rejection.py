"""When to accept a whole matching: UN13's test with rejection, with an error bound that holds for any length.

For any distributions of K people over |Z| places, strings of length n that disagree by D(H) bits under the true
hypothesis H have a probability of at most 2^(-n D(H)) times the product, over all 2K strings, of the largest
probability that any distribution gives the string (UN13 appendix B, step a). Summed over all strings, each of these
factors is the Shtarkov sum C(n, |Z|), which the paper takes as 1. So D(truth) reaches lambda + 2K log2 C(n, |Z|) / n
with probability at most 2^(-lambda n); and whenever a wrong matching is the best, the truth is no better than the
second best.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import get_args

import numpy as np

from singleout.ground.errors import DataError, bad_argument, is_number, is_whole, unknown_name
from singleout.ground.names import DecisionRule
from singleout.ground.notebooks import Summary
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

RULES: tuple[DecisionRule, ...] = get_args(DecisionRule)
LONGEST = 10**12
NEGLIGIBLE = 9.0
"""Terms of a Shtarkov sum beyond this many square roots of n are below e^(-40)."""


@dataclass(frozen=True)
class Decision(Summary):
    """Whether a whole matching is accepted; ``best``, ``second_best`` and ``threshold`` are in bits.

    With ``rule="bound"`` a matching is accepted if best < threshold <= second best. If each person's observations are
    independent draws from a distribution of their own, the same on both sides, a wrong matching is accepted with
    probability at most 2^(-error_bits). ``model_fails``: even the best matching costs at least the threshold, which
    under that model has at most the same probability. ``never``: the threshold is above 2 bits per person, the most
    that a matching can cost, so nothing could be accepted.

    With ``rule="paper"`` (Unnikrishnan and Naini 2013 Theorem 3.3) only threshold <= second best counts. The paper
    bounds the error in the limit of long observations alone, so ``error_bits`` is None.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> matching = so.match(released, known)
    >>> found = matching.decide(0.1, 100, rule="paper")
    >>> found.accepted
    True
    """

    accepted: bool
    best: float
    second_best: float
    threshold: float
    rule: str
    error_bits: float | None
    never: bool
    model_fails: bool

    def __repr__(self) -> str:
        bits = f"best {self.best:,.1f}, second best {self.second_best:,.1f}, threshold {self.threshold:,.1f} bits"
        return f"Decision({'accepted' if self.accepted else 'rejected'}: {self._reason()}; {bits})"

    def _reason(self) -> str:
        if self.never:
            return "no data could be accepted, since the threshold is above 2 bits per person"
        if self.error_bits is None:
            anything = "accepts any data and gives" if self.threshold <= 0 else "gives"
            return f"the paper's rule {anything} no bound on the error at this length"
        if self.model_fails:
            return (
                "the i.i.d. model does not hold, since under it even the best matching would cost this much "
                f"with probability at most 2^-{self.error_bits:.6g}"
            )
        if not self.accepted:
            return "another matching explains the data as well"
        return f"under the i.i.d. model a wrong matching is accepted with probability at most 2^-{self.error_bits:.6g}"


def check_decision(sides: tuple[Histograms, Histograms], pairs: int, exponent: float, length: int, rule: str) -> None:
    """Refuse what the theorem does not cover."""
    if rule not in RULES:
        raise unknown_name("decide", "rule", str(rule), RULES)
    if not (is_number(exponent) and exponent > 0):
        raise bad_argument("decide", "exponent", "a number above zero", exponent)
    if not is_whole(length) or not 1 <= length <= LONGEST:
        raise bad_argument("decide", "length", "a whole number above zero, at most 10^12", length)
    if len(sides[0]) != len(sides[1]) or pairs < len(sides[0]):
        raise DataError("Theorem 3.3 holds only for two sides of equal size, all matched.", function="decide")
    if sides[0].channels is not None:
        raise DataError("Theorem 3.3 holds only for one histogram per person, without channels.", function="decide")
    totals = np.concatenate([side.counts.sum(axis=1) for side in sides])
    other = int((totals != length).sum())
    if rule == "bound" and other:
        hint = "Use the same number of observations for everyone, or `rule='paper'`, which gives no error bound."
        must = f"the error bound holds only if everyone has exactly {length:,} observations"
        raise DataError(
            f"{must}; {other:,} of {len(totals):,} histograms have a different number. {hint}", function="decide"
        )


def decision(
    costs: tuple[float, float], sides: tuple[Histograms, Histograms], exponent: float, length: int, rule: str
) -> Decision:
    """Accept or reject by the costs (in nats) of the best and of the second best matching."""
    best, second_best = (cost / math.log(2) for cost in costs)
    people, places = len(sides[0]), len(np.union1d(*comparable(sides[0].places, sides[1].places)))
    by_paper = rule == "paper"
    if by_paper:
        threshold = exponent - 2 * people * places * math.log2(length + 1) / length
    else:
        threshold = exponent + 2 * people * log2_shtarkov(length, places) / length
    return Decision(
        accepted=threshold <= second_best and (by_paper or best < threshold),
        best=best,
        second_best=second_best,
        threshold=threshold,
        rule=rule,
        error_bits=None if by_paper else exponent * length,
        never=people > 1 and threshold > 2 * people,
        model_fails=not by_paper and best >= threshold,
    )


def log2_shtarkov(n: int, places: int) -> float:
    """Log2 of the multinomial Shtarkov sum C(n, places): over all strings, the largest probability that each can have.

    C(n, 1) = 1 and C(n, z + 2) = C(n, z + 1) + (n / z) C(n, z), kept as ratios of neighbours, since C itself overflows.
    """
    if places < 2:
        return 0.0
    ratio = _shtarkov_of_two(n)
    bits = math.log2(ratio)
    for z in range(1, places - 1):
        ratio = 1 + n / (z * ratio)
        bits += math.log2(ratio)
    return bits


def _shtarkov_of_two(n: int) -> float:
    """C(n, 2), the sum of binom(n, h) (h/n)^h (1 - h/n)^(n-h), as the equal sum of n! / ((n - k)! n^k), k = 0 … n.

    Its terms fall like e^(-k² / 2n), so that about √n of them matter, and their logarithms add up without cancellation,
    unlike those of binomial coefficients.
    """
    steps = np.arange(min(n, int(NEGLIGIBLE * math.sqrt(n)) + 9))
    logs = np.cumsum(np.log1p(-steps[steps < n] / n))
    return 1.0 + float(np.exp(logs).sum())
