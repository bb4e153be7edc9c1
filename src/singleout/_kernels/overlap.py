"""The overlap driver: for one row, everyone on the other side who shares a column, and what they share.

Rows come by row, the other side by column, each entry with its value and its own part (x ln x where the term needs
it, else 0). A pair's gain is the sum of its terms times the product of two factors, one of each side; that product is
the same to the last bit from either side. Cost follows the overlap of the supports, never rows x rows x columns.

A row's terms with a column are computed into a small buffer, several at a time by the processor, and then added up in
``gain``, which is zero wherever nothing is shared. Who was met is found by walking the columns again, or by a look at
everyone where most were met: that is cheaper than keeping a list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from singleout._kernels.jit import kernel, part

ENTROPY, MINIMUM, PRODUCT = 0, 1, 2
CHUNK = 1024
"""Terms computed at a time: they stay in the innermost cache."""
MOST_MET = 4
"""Everyone is looked at where this many times the people met are more than there are."""

LN_2 = float(np.log(2.0))
HALF_ROOT = int(np.sqrt(np.array([0.5])).view(np.int64)[0])
"""The bits of the square root of one half: numbers are brought between it and twice it."""
FRACTION_BITS = 52
S1, S2, S3, S4, S5, S6, S7 = (
    0.666666666666667,
    0.39999999999899505,
    0.28571428625975487,
    0.2222221113479508,
    0.18182889125261723,
    0.15331721600556042,
    0.14616449685043406,
)
"""2 artanh(s) = 2 s + s z (S1 + z (S2 + …)) with z = s²: a Chebyshev fit for |s| up to 0.172, exact to 2e-18."""


class Rows(NamedTuple):
    """One side by row: where each row begins, then of each entry its column, value and own part; factors of rows."""

    starts: Any
    columns: Any
    values: Any
    own: Any
    factor: Any


class Columns(NamedTuple):
    """The other side by column, in blocks of people, so that what is added up stays near the processor.

    Block b holds the people from ``blocks[b]`` on; of column c it has the entries from ``cuts[b, c]`` to
    ``cuts[b + 1, c]``, with the number of the person in the block, value and own part. ``factor`` is of people.
    """

    blocks: Any
    cuts: Any
    people: Any
    values: Any
    own: Any
    factor: Any


@part
def log(x):
    """The natural logarithm of a number above zero, to the last digit or the one before; no branch and no call."""
    bits = np.float64(x).view(np.int64)
    exponent = (bits - HALF_ROOT) >> FRACTION_BITS
    fraction = np.int64(bits - (exponent << FRACTION_BITS)).view(np.float64)
    s = (fraction - 1.0) / (fraction + 1.0)
    z = s * s
    series = S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * (S6 + z * S7)))))
    return exponent * LN_2 + (2.0 * s + s * z * series)


@kernel
def term(code, p, q, own_p, own_q):
    """What one common column adds to the gain of a pair; symmetric to the last bit."""
    if code == ENTROPY:
        return max(0.0, (p + q) * log(p + q) - (own_p + own_q))
    if code == MINIMUM:
        return 2.0 * min(p, q)
    return p * q


@part
def fill_terms(code, p, own_p, values, own, terms):
    """Terms of one entry with several others. Returns how many are no number of zero or more: a user's term may be."""
    wrong = 0
    for k in range(values.size):
        added = term(code, p, values[k], own_p, own[k])
        wrong += 0 if added >= 0.0 else 1
        terms[k] = added
    return wrong


@part
def gather_row(code, row, rows, others, block, gain, terms):
    """Add to ``gain`` what everyone in a block shares with a row; returns how many terms that took, -1 if one is wrong.

    Terms are added in column order, so the sum does not depend on tiles or blocks.
    """
    number, wrong = 0, 0
    for entry in range(rows.starts[row], rows.starts[row + 1]):
        column = rows.columns[entry]
        begin, end = others.cuts[block, column], others.cuts[block + 1, column]
        number += end - begin
        while begin < end:
            last = min(begin + CHUNK, end)
            wrong += fill_terms(
                code, rows.values[entry], rows.own[entry], others.values[begin:last], others.own[begin:last], terms
            )
            people = others.people[begin:last]
            for k in range(people.size):
                gain[people[k]] += terms[k]
            begin = last
    return -1 if wrong else number


@kernel
def dense_gains(code, first, last, rows, others, gains):
    """Write the gains of rows ``first`` to ``last`` with all others into a block of zeros, which stay for no overlap.

    NaN where a term is negative or no number.
    """
    terms = np.empty(CHUNK)
    for block in range(others.blocks.size - 1):
        begin, end = others.blocks[block], others.blocks[block + 1]
        for row in range(first, last):
            gain = gains[row - first, begin:end]
            if gather_row(code, row, rows, others, block, gain, terms) < 0:
                gain[:] = np.nan
            for person in range(gain.size):
                gain[person] *= rows.factor[row] * others.factor[begin + person]


@part
def list_met(row, rows, others, block, number, gain, met, found):
    """Append the people of a block with whom a row shares something to ``met``; returns how many are listed now.

    Their gains become negative, which marks them as listed.
    """
    offset = others.blocks[block]
    if number > gain.size // MOST_MET:
        for person in range(gain.size):
            met[found] = offset + person
            found += 1 if gain[person] > 0.0 else 0
            gain[person] = -gain[person]
        return found
    for entry in range(rows.starts[row], rows.starts[row + 1]):
        column = rows.columns[entry]
        people = others.people[others.cuts[block, column] : others.cuts[block + 1, column]]
        for k in range(people.size):
            person = people[k]
            met[found] = offset + person
            found += 1 if gain[person] > 0.0 else 0
            gain[person] = -abs(gain[person])
    return found


@part
def gather_met(code, row, rows, others, gain, met, terms):
    """Add up ``gain`` of everybody and list who was met; returns how many, -1 if a term is wrong.

    Gains of people met are left negative, so that they count as listed; all others are zero.
    """
    found, wrong = np.intp(0), False
    for block in range(others.blocks.size - 1):
        piece = gain[others.blocks[block] : others.blocks[block + 1]]
        number = gather_row(code, row, rows, others, block, piece, terms)
        wrong = wrong or number < 0
        found = list_met(row, rows, others, block, number, piece, met, found)
    if wrong:
        gain[:] = 0.0
        return -1
    return found


@kernel
def best_gains(code, first, last, rows, others, tolerance):
    """For each row: its best gain and all who reach it up to the row's tolerance.

    Returns the best gains (zero where nobody shares a column, NaN where a term is wrong), the number of those who
    reach it, and their numbers one row after the other, each row's in any order.
    """
    best = np.zeros(last - first)
    ties = np.zeros(last - first, np.intp)
    tied = np.empty(max(16, 2 * (last - first)), np.intp)
    gain, terms = np.zeros(others.factor.size), np.empty(CHUNK)
    met = np.empty(others.factor.size + 1, np.intp)
    used = 0
    for row in range(first, last):
        found = gather_met(code, row, rows, others, gain, met, terms)
        if found < 0:
            best[row - first] = np.nan
            continue
        top = 0.0
        for k in range(found):
            gain[met[k]] *= -(rows.factor[row] * others.factor[met[k]])
            top = max(top, gain[met[k]])
        if used + found > tied.size:
            grown = np.empty(2 * (used + found), np.intp)
            for k in range(used):
                grown[k] = tied[k]
            tied = grown
        opening = used
        for k in range(found):
            if top > 0.0 and gain[met[k]] >= top - tolerance[row]:
                tied[used] = met[k]
                used += 1
            gain[met[k]] = 0.0
        best[row - first] = top
        ties[row - first] = used - opening
    return best, ties, tied[:used].copy()


@kernel
def pair_gains(code, pair_rows, pair_others, rows, others):
    """Gains of given pairs without factors; both sides by row with ascending columns, walked side by side."""
    gains = np.zeros(pair_rows.size)
    for k in range(pair_rows.size):
        here, end = rows.starts[pair_rows[k]], rows.starts[pair_rows[k] + 1]
        there, other_end = others.starts[pair_others[k]], others.starts[pair_others[k] + 1]
        while here < end and there < other_end:
            if rows.columns[here] == others.columns[there]:
                gains[k] += term(code, rows.values[here], others.values[there], rows.own[here], others.own[there])
                here += 1
                there += 1
            elif rows.columns[here] < others.columns[there]:
                here += 1
            else:
                there += 1
    return gains
