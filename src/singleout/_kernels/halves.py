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
def half_likelihoods(first, last, starts, columns, counts, multiples, others, people, known, totals, logs):
    """Log-likelihoods of the rows ``first`` to ``last`` with everyone known.

    Released counts come by row, known ones by column (``others`` says where each begins). Counts behind shares are
    known up to a factor: every one up to ``multiples`` of a row is tried, and the likeliest taken. Arbitrary counts
    are all divisible by it once in as many times for each of their places. ``logs`` are of
    small numbers' factorials.
    """
    found = np.empty((last - first, totals.size))
    gain = np.empty(totals.size)
    for row in range(first, last):
        begin, end = starts[row], starts[row + 1]
        for times in range(1, multiples[row] + 1):
            base = 0.0
            for entry in range(begin, end):
                base -= times * counts[entry] * LN_2 + np.log(times)
            for person in range(totals.size):
                gain[person] = base - MISSING * totals[person]
            for entry in range(begin, end):
                mine = times * counts[entry]
                for k in range(others[columns[entry]], others[columns[entry] + 1]):
                    more, less = max(mine, known[k]), min(mine, known[k])
                    ways = log_factorial(more, logs) - log_factorial(less, logs) - log_factorial(more - less, logs)
                    gain[people[k]] += MISSING * less + ways
            for person in range(totals.size):
                if times == 1 or gain[person] > found[row - first, person]:
                    found[row - first, person] = gain[person]
    return found
