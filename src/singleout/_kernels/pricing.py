"""Pairs that are worth more than their prices say, found by the overlap driver."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from singleout._kernels.jit import kernel, part
from singleout._kernels.overlap import CHUNK, ENTROPY, MOST_MET, fill_terms, gather_row

GLANCE = 64
"""People looked at together: mostly none of them is worth a closer look."""


class Totals(NamedTuple):
    """What is added to gains if pairs that share nothing differ: ``lift`` less UN13's h of their totals; else lift 0.

    ``rows`` and ``groups`` hold totals by channel, ``row_own`` and ``group_own`` their x ln x; ``group`` is that of
    each other person. ``first`` are the people who represent those who share nothing, with their prices.
    """

    lift: Any
    rows: Any
    row_own: Any
    groups: Any
    group_own: Any
    group: Any
    first: Any
    price: Any


@part
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


class Kept(NamedTuple):
    """The best pairs of each row so far: their value, the other person and the gain; and the best value of all."""

    values: Any
    others: Any
    gains: Any
    number: Any
    best: Any


@part
def keep_pair(kept, k, value, other, worth, limit, floor):
    """Note a pair of row ``k`` whose value is above ``floor``; returns the value above which the next one counts."""
    kept.best[k] = max(kept.best[k], value)
    if value > limit:
        most = kept.values.shape[1]
        kept.number[k] = keep_best(
            kept.values[k], kept.others[k], kept.gains[k], kept.number[k], most, value, other, worth
        )
        if kept.number[k] == most:
            floor = max(floor, kept.values[k, 0])
    return floor


@part
def price_met(k, row, rows, others, block, gain, other_price, limit, floor, apart, totals, kept):
    """Keep the best pairs among the people whom a row meets in a block; clears ``gain``."""
    offset, own = others.blocks[block], rows.factor[row]
    prices, factors = other_price[offset : offset + gain.size], others.factor[offset : offset + gain.size]
    for entry in range(rows.starts[row], rows.starts[row + 1]):
        column = rows.columns[entry]
        people = others.people[others.cuts[block, column] : others.cuts[block + 1, column]]
        for j in range(people.size):
            person = people[j]
            shared = gain[person]
            worth = shared * (own * factors[person])
            if totals.lift > 0.0:
                worth += apart[totals.group[offset + person]]
            # whom another column has led to already is cleared
            if worth - prices[person] > floor and shared > 0.0:
                floor = keep_pair(kept, k, worth - prices[person], offset + person, worth, limit, floor)
            gain[person] = 0.0


@part
def price_everyone(k, row, rows, others, block, gain, other_price, limit, floor, apart, totals, kept):
    """The same by a look at everyone in the block."""
    offset, own = others.blocks[block], rows.factor[row]
    prices, factors = other_price[offset : offset + gain.size], others.factor[offset : offset + gain.size]
    for begin in range(0, gain.size, GLANCE):
        piece, cost, factor = (
            gain[begin : begin + GLANCE],
            prices[begin : begin + GLANCE],
            factors[begin : begin + GLANCE],
        )
        high = 0
        if totals.lift <= 0.0:
            for j in range(piece.size):
                high += piece[j] * (own * factor[j]) - cost[j] > floor
            if high == 0:
                continue
        for j in range(piece.size):
            worth = piece[j] * (own * factor[j])
            other = offset + begin + j
            if totals.lift > 0.0:
                worth += apart[totals.group[other]]
            if worth - cost[j] > floor and piece[j] > 0.0:
                floor = keep_pair(kept, k, worth - cost[j], other, worth, limit, floor)
    gain[:] = 0.0


@part
def price_unmet(k, others, block, gain, limit, floor, apart, totals, kept):
    """Pairs that share nothing, through those who represent them; returns the value above which the next one counts."""
    offset = others.blocks[block]
    for j in range(totals.first.size):
        other = totals.first[j]
        worth = apart[totals.group[other]]
        value = worth - totals.price[j]
        if value > floor and 0 <= other - offset < gain.size and gain[other - offset] == 0.0:
            floor = keep_pair(kept, k, value, other, worth, limit, floor)
    return floor


@part
def measure_apart(row, totals, apart, terms):
    """For one row, ``lift`` less UN13's h(A, B) by group of equal totals: the gain of pairs that share no place."""
    apart[:] = totals.lift
    entropy = np.intp(ENTROPY)
    for channel in range(totals.rows.shape[1]):
        a, own = totals.rows[row, channel], totals.row_own[row, channel]
        for begin in range(0, apart.size, CHUNK):
            end = min(begin + CHUNK, apart.size)
            fill_terms(entropy, a, own, totals.groups[channel, begin:end], totals.group_own[channel, begin:end], terms)
            for k in range(begin, end):
                apart[k] -= terms[k - begin]


@kernel
def price_rows(code, chosen, rows, others, price, other_price, slack, most, totals):
    """Find pairs of the ``chosen`` rows that are worth more than the two prices say.

    For each row: the largest gain - other_price there is (never below its own price; NaN if a term is wrong), and the
    ``most`` pairs whose gain - other_price is above price + slack: how many, numbers and gains. With ``lift`` a pair's
    gain is lift - h(A, B) + the sum of its terms, and pairs without a common column take part through the cheapest of
    each group of equal totals.
    """
    kept = Kept(
        np.empty((chosen.size, most)), np.empty((chosen.size, most), np.intp), np.empty((chosen.size, most)),
        np.zeros(chosen.size, np.intp), np.empty(chosen.size),
    )  # fmt: skip
    for k in range(chosen.size):
        kept.best[k] = price[chosen[k]]
    widest = 0
    for block in range(others.blocks.size - 1):
        widest = max(widest, others.blocks[block + 1] - others.blocks[block])
    gains = np.zeros(widest)
    terms, apart = np.empty(CHUNK), np.empty(totals.groups.shape[1])
    for block in range(others.blocks.size - 1):
        gain = gains[: others.blocks[block + 1] - others.blocks[block]]
        for k in range(chosen.size):
            row = chosen[k]
            number = gather_row(code, row, rows, others, block, gain, terms)
            if number < 0:
                kept.best[k] = np.nan
                gain[:] = 0.0
                continue
            limit, floor = price[row] + slack, price[row]
            if kept.number[k] == most:
                floor = max(floor, kept.values[k, 0])
            if totals.lift > 0.0:
                measure_apart(row, totals, apart, terms)
                floor = price_unmet(k, others, block, gain, limit, floor, apart, totals, kept)
            if number > gain.size // MOST_MET:
                price_everyone(k, row, rows, others, block, gain, other_price, limit, floor, apart, totals, kept)
            elif number > 0:
                price_met(k, row, rows, others, block, gain, other_price, limit, floor, apart, totals, kept)
    return kept.best, kept.number, kept.others, kept.gains
