"""How likely it is that what is known of people are random halves of released whole counts: all pairs, without ids."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part

LN_2 = float(np.log(2.0))
HALF_LN_2_PI = float(0.5 * np.log(2.0 * np.pi))
MISSING = 20.0
"""What each known event that someone's released counts do not contain takes off, in nats: such a pair is hardly true,
but counts may have been cut."""


@part
def log_factorial(number, logs):
    """Looked up; of larger numbers by Stirling's series, whose next term is below 1e-20 there."""
    if number < logs.size:
        return logs[number]
    return (number + 0.5) * np.log(number) - number + HALF_LN_2_PI + 1.0 / (12.0 * number)


@kernel
def half_likelihoods(first, last, starts, columns, counts, totals, others, rows, released, multiples, base, logs):
    """Log-likelihoods of the known people ``first`` to ``last`` with every released row.

    Known counts come by person, released ones by column (``others`` says where each begins). Counts behind shares are
    known up to a factor: every one up to ``multiples`` of a row is tried, and the likeliest taken. ``base`` is, by row
    and factor, what does not depend on the person; ``logs`` are of small numbers' factorials.
    """
    found = np.empty((last - first, multiples.size))
    gain = np.empty(base.shape)
    for person in range(first, last):
        for row in range(multiples.size):
            for factor in range(multiples[row]):
                gain[row, factor] = base[row, factor] - MISSING * totals[person]
        for entry in range(starts[person], starts[person + 1]):
            known = counts[entry]
            for k in range(others[columns[entry]], others[columns[entry] + 1]):
                row = rows[k]
                for factor in range(multiples[row]):
                    mine = (factor + 1) * released[k]
                    more, less = max(mine, known), min(mine, known)
                    ways = log_factorial(more, logs) - log_factorial(less, logs) - log_factorial(more - less, logs)
                    gain[row, factor] += MISSING * less + ways
        for row in range(multiples.size):
            best = gain[row, 0]
            for factor in range(1, multiples[row]):
                best = max(best, gain[row, factor])
            found[person - first, row] = best
    return found
