"""The overlap driver: for one row, everyone on the other side who shares a column, and what they share.

Rows come as CSR (``starts``, ``columns``), the other side as CSC (``other_starts``, ``other_rows``), each entry with
its value and its own part (x ln x where the term needs it, else 0). A pair's gain is the sum of its terms times the
product of two factors, one of each side; that product is the same to the last bit from either side. Cost follows the
overlap of the supports, never rows x rows x columns.
"""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel

ENTROPY, MINIMUM, PRODUCT = 0, 1, 2


@kernel
def term(code, p, q, own_p, own_q):
    """What one common column adds to the gain of a pair; symmetric to the last bit."""
    if code == ENTROPY:
        return (p + q) * np.log(p + q) - (own_p + own_q)
    if code == MINIMUM:
        return 2.0 * min(p, q)
    return p * q


@kernel
def gather_row(
    code, row, starts, columns, values, own, begins, ends, other_rows, other_values, other_own, offset, gain, met
):  # fmt: skip
    """Add up ``gain`` of everyone who shares a column with ``row``; list them in ``met``; return how many.

    Of each column the entries from ``begins`` to ``ends`` are looked at, and person ``p`` is at ``gain[p - offset]``.
    ``gain`` must be NaN where nobody was met yet: that, and not zero, marks the unmet, so that a gain of exactly
    zero is still seen as a common place. Terms are added in column order, so the sum does not depend on tiles.
    """
    found = 0
    for entry in range(starts[row], starts[row + 1]):
        column, p, own_p = columns[entry], values[entry], own[entry]
        for other in range(begins[column], ends[column]):
            person = other_rows[other] - offset
            added = term(code, p, other_values[other], own_p, other_own[other])
            if not added >= 0.0:
                added = -np.inf  # a user's term that is negative or no number: seen by whoever looks at the gain
            if np.isnan(gain[person]):
                gain[person] = added
                met[found] = person
                found += 1
            else:
                gain[person] += added
    return found


@kernel
def dense_gains(
    code, first, last, starts, columns, values, own, other_starts, other_rows, other_values, other_own, others,
    factor, other_factor,
):  # fmt: skip
    """Gains of rows ``first`` to ``last`` with all ``others`` as a dense block; zero where nothing is shared."""
    block = np.zeros((last - first, others))
    begins, ends = other_starts[:-1], other_starts[1:]
    gain = np.full(others, np.nan)
    met = np.empty(others, np.intp)
    for row in range(first, last):
        found = gather_row(
            code, row, starts, columns, values, own, begins, ends, other_rows, other_values, other_own, 0, gain, met
        )
        for k in range(found):
            block[row - first, met[k]] = gain[met[k]] * (factor[row] * other_factor[met[k]])
            gain[met[k]] = np.nan
    return block


@kernel
def best_gains(
    code,
    first,
    last,
    starts,
    columns,
    values,
    own,
    other_starts,
    other_rows,
    other_values,
    other_own,
    others,
    factor,
    other_factor,
    tolerance,
):
    """For each row: its best gain and all who reach it up to the row's tolerance.

    Returns the best gains (zero where nobody shares a column, NaN where a term was negative), the number of those who
    reach it, and their numbers one row after the other, each row's in ascending order.
    """
    best = np.zeros(last - first)
    begins, ends = other_starts[:-1], other_starts[1:]
    ties = np.zeros(last - first, np.intp)
    tied = np.empty(max(16, 2 * (last - first)), np.intp)
    gain = np.full(others, np.nan)
    met = np.empty(others, np.intp)
    used = 0
    for row in range(first, last):
        found = gather_row(
            code, row, starts, columns, values, own, begins, ends, other_rows, other_values, other_own, 0, gain, met
        )
        top, below_zero = 0.0, False
        for k in range(found):
            gain[met[k]] *= factor[row] * other_factor[met[k]]
            top = max(top, gain[met[k]])
            below_zero = below_zero or gain[met[k]] < 0.0
        if used + found > tied.size:
            grown = np.empty(2 * (used + found), np.intp)
            grown[:used] = tied[:used]
            tied = grown
        opening = used
        for k in range(found):
            if top > 0.0 and gain[met[k]] >= top - tolerance[row]:
                tied[used] = met[k]
                used += 1
            gain[met[k]] = np.nan
        tied[opening:used].sort()
        best[row - first] = np.nan if below_zero else top
        ties[row - first] = used - opening
    return best, ties, tied[:used].copy()


@kernel
def pair_gains(code, rows, others, starts, columns, values, own, other_starts, other_columns, other_values, other_own):
    """Gains of given pairs; both sides as CSR with ascending columns, walked side by side."""
    gains = np.zeros(rows.size)
    for k in range(rows.size):
        here, end = starts[rows[k]], starts[rows[k] + 1]
        there, other_end = other_starts[others[k]], other_starts[others[k] + 1]
        while here < end and there < other_end:
            if columns[here] == other_columns[there]:
                gains[k] += term(code, values[here], other_values[there], own[here], other_own[there])
                here += 1
                there += 1
            elif columns[here] < other_columns[there]:
                here += 1
            else:
                there += 1
    return gains


@kernel
def apart(row, other, totals, other_totals):
    """UN13's h(A, B), summed over channels: what a pair weighs that shares no place, on counts."""
    h = 0.0
    for channel in range(totals.shape[1]):
        a, b = totals[row, channel], other_totals[other, channel]
        if a > 0.0 and b > 0.0:
            h += (a + b) * np.log(a + b) - (a * np.log(a) + b * np.log(b))
    return h


@kernel
def keep_best(values, others, gains, kept, most, value, other, gain):
    """Keep the ``most`` largest values: a heap with the smallest on top. Returns how many are kept."""
    if kept == most:
        if value <= values[0]:
            return kept
        hole = 0
        while 2 * hole + 1 < kept:
            below = 2 * hole + 1
            if below + 1 < kept and values[below + 1] < values[below]:
                below += 1
            if values[below] >= value:
                break
            values[hole], others[hole], gains[hole] = values[below], others[below], gains[below]
            hole = below
    else:
        hole = kept
        while hole > 0 and values[(hole - 1) // 2] > value:
            above = (hole - 1) // 2
            values[hole], others[hole], gains[hole] = values[above], others[above], gains[above]
            hole = above
        kept += 1
    values[hole], others[hole], gains[hole] = value, other, gain
    return kept


@kernel
def price_rows(
    code, rows, starts, columns, values, own, other_starts, other_rows, other_values, other_own, others,
    factor, other_factor, blocks, cuts, price, other_price, slack, most,
    lift, totals, other_totals, group_first, group_price,
):  # fmt: skip
    """Find pairs of these rows that are worth more than the two prices say.

    For each row: the largest gain - other_price there is (never below zero; NaN if a sum of terms was negative), and
    the ``most`` pairs whose gain - other_price is above price + slack: how many, numbers and gains. The others are
    taken block by block (from ``blocks[b]`` on, the entries of column c from ``cuts[b, c]`` on), so that what is added
    up stays near the processor. With ``lift`` above zero a pair's gain is lift - h(A, B) + the sum of its terms, and
    pairs without a common column take part through the cheapest of each group of equal totals; that takes one block.
    """
    best = np.zeros(rows.size)
    found = np.zeros(rows.size, np.intp)
    found_others = np.empty((rows.size, most), np.intp)
    found_gains = np.empty((rows.size, most))
    kept_values = np.empty((rows.size, most))
    widest = np.max(blocks[1:] - blocks[:-1])
    gain = np.full(widest, np.nan)
    met = np.empty(widest, np.intp)
    for block in range(blocks.size - 1):
        offset = blocks[block]
        for k in range(rows.size):
            row = rows[k]
            number = gather_row(
                code, row, starts, columns, values, own, cuts[block], cuts[block + 1],
                other_rows, other_values, other_own, offset, gain, met,
            )  # fmt: skip
            kept, limit = found[k], price[row] + slack
            for j in range(number):
                other = met[j] + offset
                worth = gain[met[j]] * (factor[row] * other_factor[other])
                if worth < 0.0:
                    best[k] = np.nan
                if lift > 0.0:
                    worth += lift - apart(row, other, totals, other_totals)
                value = worth - other_price[other]
                best[k] = max(best[k], value) if best[k] >= 0.0 else best[k]
                if value > limit:
                    kept = keep_best(kept_values[k], found_others[k], found_gains[k], kept, most, value, other, worth)
            if lift > 0.0:
                for group in range(group_first.size):
                    other = group_first[group]
                    if not np.isnan(gain[other]):
                        continue
                    worth = lift - apart(row, other, totals, other_totals)
                    value = worth - group_price[group]
                    best[k] = max(best[k], value) if best[k] >= 0.0 else best[k]
                    if value > limit:
                        kept = keep_best(
                            kept_values[k], found_others[k], found_gains[k], kept, most, value, other, worth
                        )  # fmt: skip
            for j in range(number):
                gain[met[j]] = np.nan
            found[k] = kept
    return best, found, found_others, found_gains
