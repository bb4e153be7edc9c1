"""Ranks in rows of scores, with ties."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part


@kernel
def standing(scores, rows, columns, tolerance):
    """How many others score more than the true one, and how many about the same."""
    ahead = np.zeros(rows.size, np.int64)
    level = np.zeros(rows.size, np.int64)
    for k in range(rows.size):
        line = scores[rows[k]]
        true = line[columns[k]]
        for other in range(line.size):
            if line[other] > true + tolerance:
                ahead[k] += 1
            elif line[other] >= true - tolerance and other != columns[k]:
                level[k] += 1
    return ahead, level


@part
def inverse_ranks(line, tolerance):
    """One over everybody's rank in a row of scores; equals share the middle of their ranks."""
    order = np.argsort(-line)
    out = np.empty(line.size)
    ahead, level = 0, 0
    for position in range(line.size):
        here = line[order[position]]
        # ahead: first one not above this by more than the tolerance; level: first one below by more
        while line[order[ahead]] > here + tolerance:
            ahead += 1
        while level < line.size and line[order[level]] >= here - tolerance:
            level += 1
        out[order[position]] = 1.0 / (1.0 + ahead + 0.5 * (level - ahead - 1))
    return out


@kernel
def true_shares(scores, rows, columns, tolerance):
    """The true one's share when everybody gets one over their rank."""
    shares = np.empty(rows.size)
    for k in range(rows.size):
        inverse = inverse_ranks(scores[rows[k]], tolerance)
        shares[k] = inverse[columns[k]] / inverse.sum()
    return shares
