"""Loops over sparse square tables of kinds: how often they co-occur, what that says, parts and products.

A table is three arrays: where the entries of each row start, their columns, and their values.
"""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel


@kernel
def co_occurrences(first, last, by_kind, places, counts, by_place, kinds, other_counts):
    """Rows first … last of the inner products of kinds over places: (entries of each row, columns, values).

    Counts are given by kind and by place.
    """
    width, room = by_kind.size - 1, 0
    for row in range(first, last):
        met = 0
        for k in range(by_kind[row], by_kind[row + 1]):
            met += by_place[places[k] + 1] - by_place[places[k]]
        room += min(met, width)
    entries = np.zeros(last - first, np.int64)
    columns, values = np.empty(room, np.uint32), np.empty(room)
    together = np.zeros(width)
    total = 0
    for row in range(first, last):
        opened = total
        for k in range(by_kind[row], by_kind[row + 1]):
            for other in range(by_place[places[k]], by_place[places[k] + 1]):
                if together[kinds[other]] == 0.0:
                    columns[total] = kinds[other]
                    total += 1
                together[kinds[other]] += counts[k] * other_counts[other]
        for k in range(opened, total):
            values[k] = together[columns[k]]
            together[columns[k]] = 0.0
        entries[row - first] = total - opened
    return entries, columns[:total], values[:total]


@kernel
def margins(starts, columns, counts, itself, size):
    """How often each kind meets any: its own ``itself`` times, others as often as the table says for each of them."""
    totals = itself.astype(np.float64)
    for row in range(starts.size - 1):
        for k in range(starts[row], starts[row + 1]):
            totals[row] += counts[k] * (size[columns[k]] - (columns[k] == row))
    return totals


@kernel
def information(first, last, starts, columns, counts, itself, size, totals, everything):
    """Rows first … last of the positive information, scaled; entries of zero are left out."""
    entries = np.zeros(last - first, np.int64)
    room = starts[last] - starts[first]
    out, values = np.empty(room, np.uint32), np.empty(room)
    total = 0
    for row in range(first, last):
        opened = total
        for k in range(starts[row], starts[row + 1]):
            other = columns[k]
            product = totals[row] * totals[other]
            value = _positive_information(counts[k] * everything, product)
            if other == row:
                value = value * (size[row] - 1) + _positive_information(itself[row] * everything, product)
            else:
                value *= np.sqrt(size[row] * size[other])
            if value != 0.0:
                out[total], values[total] = other, value
                total += 1
        entries[row - first] = total - opened
    return entries, out[:total], values[:total]


@kernel
def _positive_information(count, product):
    """log(P(a, b) / P(a) P(b)), at least 0; 0 for what never co-occurs."""
    return max(np.log(count / product), 0.0) if count > 0.0 and product > 0.0 else 0.0


@kernel
def diagonal(starts, columns, values):
    """The entries of rows with themselves; 0 where there is none."""
    out = np.zeros(starts.size - 1)
    for row in range(out.size):
        for k in range(starts[row], starts[row + 1]):
            if columns[k] == row:
                out[row] = values[k]
    return out


@kernel
def parts_of(starts, columns):
    """The connected part each row of a symmetric table belongs to, numbered by their first rows."""
    part = np.full(starts.size - 1, -1, np.int64)
    queue = np.empty(starts.size - 1, np.int64)
    parts = 0
    for first in range(part.size):
        if part[first] >= 0:
            continue
        part[first], queue[0], reached, position = parts, first, 1, 0
        while position < reached:
            row = queue[position]
            position += 1
            for k in range(starts[row], starts[row + 1]):
                if part[columns[k]] < 0:
                    part[columns[k]] = parts
                    queue[reached] = columns[k]
                    reached += 1
        parts += 1
    return part


@kernel
def one_part(rows, place, starts, columns, values):
    """The table of these rows, which have no entry outside of it; ``place`` is the number of each among them."""
    out_starts = np.zeros(rows.size + 1, np.int64)
    for k in range(rows.size):
        out_starts[k + 1] = out_starts[k] + starts[rows[k] + 1] - starts[rows[k]]
    out, out_values = np.empty(out_starts[-1], np.uint32), np.empty(out_starts[-1])
    for k in range(rows.size):
        begin = starts[rows[k]]
        for entry in range(out_starts[k + 1] - out_starts[k]):
            out[out_starts[k] + entry] = place[columns[begin + entry]]
            out_values[out_starts[k] + entry] = values[begin + entry]
    return out_starts, out, out_values


@kernel
def multiply(first, last, starts, columns, values, vector):
    """Rows first … last times a vector; four sums at a time, which need not wait for each other."""
    product = np.empty(last - first)
    for row in range(first, last):
        begin, end = starts[row], starts[row + 1]
        whole = end - (end - begin) % 4
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for k in range(begin, whole, 4):
            a += values[k] * vector[columns[k]]
            b += values[k + 1] * vector[columns[k + 1]]
            c += values[k + 2] * vector[columns[k + 2]]
            d += values[k + 3] * vector[columns[k + 3]]
        for k in range(whole, end):
            a += values[k] * vector[columns[k]]
        product[row - first] = (a + b) + (c + d)
    return product
