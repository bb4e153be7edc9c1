"""How unlikely known pairs are in a softmax over all candidates: the misfit of weights of features, and its slope."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part

LOG2_E = float(1.0 / np.log(2.0))
LN2_HIGH = 0.693147180369123816490
"""The first bits of ln 2: its products with small whole numbers are exact."""
LN2_LOW = 1.90821492927058770002e-10
LEAST = -708.0
"""Smaller powers of e are not worth a number."""
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12 = (1.0 / np.cumprod(np.arange(1.0, 13.0))[1:]).tolist()
LANES = 8
"""Sums made side by side, so that the processor need not wait for one of them."""
FRACTION_BITS, BIAS = 52, 1023


@part
def exp(x):
    """The power of e to a number that is zero or less, to the last digits; no branch and no call."""
    x = max(x, LEAST)
    power = np.floor(x * LOG2_E + 0.5)
    r = (x - power * LN2_HIGH) - power * LN2_LOW
    series = 1.0 + r * (1.0 + r * (C2 + r * (C3 + r * (C4 + r * (C5 + r * (C6 + r * (C7 + r * (C8 + r * (
        C9 + r * (C10 + r * (C11 + r * C12)))))))))))  # fmt: skip
    return series * np.int64((np.int64(power) + BIAS) << FRACTION_BITS).view(np.float64)


@part
def dot(first, second):
    """The sum of products, in a fixed order whatever the machine."""
    parts = np.zeros(LANES)
    even = first.size - first.size % LANES
    for k in range(0, even, LANES):
        for lane in range(LANES):
            parts[lane] += first[k + lane] * second[k + lane]
    total = 0.0
    for lane in range(LANES):
        total += parts[lane]
    for k in range(even, first.size):
        total += first[k] * second[k]
    return total


@kernel
def misfit(weights, table, right):
    """Minus the log-likelihood of the right candidate of each row among all, and its slope by weight.

    ``table`` holds, row by row and feature by feature, the values of all candidates; ``right`` is the number of the
    right one of each row.
    """
    total, slope = 0.0, np.zeros(weights.size)
    scores, ones = np.empty(table.shape[2]), np.empty(table.shape[2], table.dtype)
    ones[:] = 1.0
    for row in range(table.shape[0]):
        scores[:] = 0.0
        for feature in range(weights.size):
            values, weight = table[row, feature], weights[feature]
            for k in range(scores.size):
                scores[k] += weight * values[k]
        top = scores[0]
        for k in range(1, scores.size):
            top = max(top, scores[k])
        total -= scores[right[row]] - top
        for k in range(scores.size):
            scores[k] = exp(scores[k] - top)
        mass = dot(ones, scores)
        total += np.log(mass)
        for feature in range(weights.size):
            slope[feature] += dot(table[row, feature], scores) / mass - table[row, feature, right[row]]
    return total, slope
