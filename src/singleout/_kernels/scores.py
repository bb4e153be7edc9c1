"""Pricing of given scores: the same question as for histograms, asked of a table."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part
from singleout._kernels.pricing import GLANCE, keep_best


@kernel
def price_scores(rows, starts, columns, values, others, price, other_price, cheapest, slack, most, every, lift, absent):
    """Find pairs of these rows that are worth more than the two prices say.

    A stored pair's gain is its value + lift; any other pair's gain is ``absent`` (below zero: there is no such pair).
    ``cheapest`` lists the others by price, so that of the pairs not stored only the best one needs a look, unless
    ``every`` one is asked for.
    """
    best = np.zeros(rows.size)
    found = np.zeros(rows.size, np.intp)
    found_others = np.empty((rows.size, most), np.intp)
    found_gains = np.empty((rows.size, most))
    kept_values = np.empty(most)
    stored = np.zeros(others, np.bool_)
    for k in range(rows.size):
        row = rows[k]
        kept, limit = np.intp(0), price[row] + slack
        for entry in range(starts[row], starts[row + 1]):
            other, worth = columns[entry], values[entry] + lift
            stored[other] = True
            value = worth - other_price[other]
            best[k] = max(best[k], value)
            if value > limit:
                kept = keep_best(kept_values, found_others[k], found_gains[k], kept, most, value, other, worth)
        if absent > 0.0:
            for position in range(others):
                other = cheapest[position]
                if not stored[other]:
                    value = absent - other_price[other]
                    best[k] = max(best[k], value)
                    if value > limit:
                        kept = keep_best(kept_values, found_others[k], found_gains[k], kept, most, value, other, absent)
                    if value <= limit or not every:
                        break
        for entry in range(starts[row], starts[row + 1]):
            stored[columns[entry]] = False
        found[k] = kept
    return best, found, found_others, found_gains


STRIP = 32
"""Columns turned into rows at a time: their entries stay in the cache while they are read again."""


@kernel
def scale_table(table, row_factor, column_factor, scaled):
    """Write every entry times the product of two factors, one of its row and one of its column."""
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            scaled[row, column] = table[row, column] * (row_factor[row] * column_factor[column])


@part
def price_line(line, price, other_price, slack, most, values, others, gains):
    """Keep the best pairs of one row of a table of gains. Returns the best value of all, and how many are kept.

    Some entries are looked at together: mostly none of them is worth more than what was found before.
    """
    best, kept = price, np.intp(0)
    limit, floor = price + slack, price
    for begin in range(0, line.size, GLANCE):
        piece, cost = line[begin : begin + GLANCE], other_price[begin : begin + GLANCE]
        high = 0
        for j in range(piece.size):
            high += piece[j] - cost[j] > floor
        if high == 0:
            continue
        for j in range(piece.size):
            worth, value = piece[j], piece[j] - cost[j]
            if value <= floor:
                continue
            best = max(best, value)
            if value > limit and worth > 0.0:
                kept = keep_best(values, others, gains, kept, most, value, begin + j, worth)
                if kept == most:
                    floor = max(floor, values[0])
    return best, kept


@kernel
def price_table(rows, gains, price, other_price, slack, most):
    """Find pairs of these rows of a table of gains that are worth more than the two prices say."""
    best = np.empty(rows.size)
    found = np.empty(rows.size, np.intp)
    found_others = np.empty((rows.size, most), np.intp)
    found_gains = np.empty((rows.size, most))
    values = np.empty(most)
    for k in range(rows.size):
        best[k], found[k] = price_line(
            gains[rows[k]], price[rows[k]], other_price, slack, most, values, found_others[k], found_gains[k]
        )
    return best, found, found_others, found_gains


@kernel
def price_columns(columns, gains, price, other_price, slack, most):
    """The same of columns, a few of which at a time are turned into rows."""
    best = np.empty(columns.size)
    found = np.empty(columns.size, np.intp)
    found_others = np.empty((columns.size, most), np.intp)
    found_gains = np.empty((columns.size, most))
    values = np.empty(most)
    strip = np.empty((STRIP, gains.shape[0]))
    for begin in range(0, columns.size, STRIP):
        end = min(begin + STRIP, columns.size)
        for row in range(gains.shape[0]):
            for k in range(begin, end):
                strip[k - begin, row] = gains[row, columns[k]]
        for k in range(begin, end):
            best[k], found[k] = price_line(
                strip[k - begin], price[columns[k]], other_price, slack, most, values, found_others[k], found_gains[k]
            )
    return best, found, found_others, found_gains
