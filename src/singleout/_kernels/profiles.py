"""Profiles: whether one text lies within another, and what two lists of friends have in common."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel


@kernel
def lies_within(letters, short, short_end, long, long_end):
    """Whether the letters from ``short`` to ``short_end`` occur, in a row, between ``long`` and ``long_end``."""
    length = short_end - short
    for start in range(long, long_end - length + 1):
        k = 0
        while k < length and letters[start + k] == letters[short + k]:
            k += 1
        if k == length:
            return True
    return False


@kernel
def one_within_the_other(texts, others, letters, starts, letters_used):
    """For each pair of texts, by number, whether one lies within the other; a text of number -1 matches nothing.

    ``letters_used`` has a bit for every letter modulo 64: where the shorter text uses one that the longer does not,
    there is nothing to look for.
    """
    found = np.zeros(texts.size, np.bool_)
    for k in range(texts.size):
        a, b = texts[k], others[k]
        if a < 0 or b < 0:
            continue
        if starts[a + 1] - starts[a] > starts[b + 1] - starts[b]:
            a, b = b, a
        if letters_used[a] & ~letters_used[b] == 0:
            found[k] = lies_within(letters, starts[a], starts[a + 1], starts[b], starts[b + 1])
    return found


@kernel
def shared_friends(rows, others, starts, friends, other_starts, other_friends, worth):
    """For each pair of people the sum of what their common friends are worth.

    Pairs of one released person stand together: their friends are marked once. Lists hold each friend once, in
    ascending order, so that equal lists give equal sums.
    """
    total = np.zeros(rows.size)
    marked = np.zeros(worth.size)
    last = -1
    for k in range(rows.size):
        row = rows[k]
        if row != last:
            if last >= 0:
                marked[friends[starts[last] : starts[last + 1]]] = 0.0
            for at in range(starts[row], starts[row + 1]):
                marked[friends[at]] = worth[friends[at]]
            last = row
        for at in range(other_starts[others[k]], other_starts[others[k] + 1]):
            total[k] += marked[other_friends[at]]
    return total
