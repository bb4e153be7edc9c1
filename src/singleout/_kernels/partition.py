"""Groups of indistinguishable records, split further by one column at a time.

Groups are pieces of ``order``: group g ends before ``ends[g]`` and starts where the one before it ends. A code is a
whole number from 0 to ``levels`` - 1. Groups of at most k records are not kept: no further column can make them larger
(R12 Claim 1), so it is enough to count them.
"""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel


@kernel
def refine(order, ends, codes, levels, k):
    """Split every group by the codes of its records; only groups of more than k are kept."""
    new_order = np.empty(order.size, order.dtype)
    new_ends = np.empty(order.size // (k + 1) + 1, ends.dtype)
    size = np.zeros(levels, np.intp)
    place = np.empty(levels, np.intp)
    met = np.empty(levels, codes.dtype)
    filled, groups, start = 0, 0, 0
    for group in range(ends.size):
        number = 0
        for position in range(start, ends[group]):
            code = codes[order[position]]
            if size[code] == 0:
                met[number] = code
                number += 1
            size[code] += 1
        for j in range(number):
            code = met[j]
            place[code] = -1
            if size[code] > k:
                place[code] = filled
                filled += size[code]
                new_ends[groups] = filled
                groups += 1
            size[code] = 0
        for position in range(start, ends[group]):
            code = codes[order[position]]
            if place[code] >= 0:
                new_order[place[code]] = order[position]
                place[code] += 1
        start = ends[group]
    return new_order[:filled].copy(), new_ends[:groups].copy()


@kernel
def count_small(order, ends, codes, levels, k):
    """How many records would be in groups of at most k if every group were split by this column.

    ``tally`` holds ``base`` plus how often a code was met in this group; what an earlier group left there is at most
    ``base``, so nothing need be wiped. The k + 1st record of a code takes the k before it out of the count again.
    """
    tally = np.zeros(levels, np.int64)
    small, base, start = 0, 0, 0
    for group in range(ends.size):
        end = ends[group]
        if end - start == k + 1:
            # the smallest groups there are, and most of them: any split leaves parts of at most k
            small += (k + 1) * differs(order, start, end, codes)
        else:
            for position in range(start, end):
                code = codes[order[position]]
                now = max(tally[code], base) + 1
                tally[code] = now
                times = now - base
                small += (times <= k) - k * (times == k + 1)
            base += end - start
        start = end
    return small


FEW = 64
"""Codes below this are bits of one word."""
WORD = np.uint64
ONE = WORD(1)


@kernel
def count_unique(order, ends, codes, first):
    """For each column from ``first`` on: how many records are alone in their group with their code.

    ``codes`` has a row for each record and codes below ``FEW``. The columns of a record lie side by side, so that the
    processor treats several of them at once: a bit for each code met once, and another for each met again.
    """
    columns = codes.shape[1] - first
    unique = np.zeros(columns, np.int64)
    met = np.zeros(columns, WORD)
    again = np.zeros(columns, WORD)
    start = 0
    for group in range(ends.size):
        for position in range(start, ends[group]):
            record = order[position]
            for column in range(columns):
                bit = ONE << WORD(codes[record, first + column])
                again[column] |= met[column] & bit
                met[column] |= bit
        for column in range(columns):
            alone = met[column] & ~again[column]
            while alone:
                alone &= alone - ONE
                unique[column] += 1
            met[column] = 0
            again[column] = 0
        start = ends[group]
    return unique


@kernel
def differs(order, start, end, codes):
    """Whether a group holds two codes or more."""
    position = start + 1
    while position < end and codes[order[position]] == codes[order[start]]:
        position += 1
    return position < end


@kernel
def small_rows(order, ends, codes, levels, k):
    """The records that ``count_small`` counts."""
    rows = np.empty(order.size, order.dtype)
    own = np.empty(order.size, codes.dtype)
    tally = np.zeros(levels, np.int64)
    found, start = 0, 0
    for group in range(ends.size):
        # codes of a group lie scattered: they are fetched once, the other passes read what was fetched
        for position in range(start, ends[group]):
            own[position] = codes[order[position]]
            tally[own[position]] += 1
        for position in range(start, ends[group]):
            if tally[own[position]] <= k:
                rows[found] = order[position]
                found += 1
        for position in range(start, ends[group]):
            tally[own[position]] = 0
        start = ends[group]
    return rows[:found].copy()


@kernel
def small_codes(order, ends, codes, levels, k):
    """How many of the records that ``count_small`` counts have each code."""
    found = np.zeros(levels, np.int64)
    tally = np.zeros(levels, np.int64)
    met = np.empty(levels, codes.dtype)
    start = 0
    for group in range(ends.size):
        number = 0
        for position in range(start, ends[group]):
            code = codes[order[position]]
            if tally[code] == 0:
                met[number] = code
                number += 1
            tally[code] += 1
        for j in range(number):
            code = met[j]
            if tally[code] <= k:
                found[code] += tally[code]
            tally[code] = 0
        start = ends[group]
    return found
