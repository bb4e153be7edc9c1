"""Micro-aggregation: nearest records among those left, and the loss of groups; dense rows and sparse ones."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part
from singleout._kernels.overlap import CHUNK, gather_met


@part
def keep_nearest(distances, others, kept, most, distance, other):
    """Keep the nearest, sorted; of equally near ones the one of smaller number. Returns how many are kept."""
    if kept == most:
        last = most - 1
        if distance > distances[last] or (distance == distances[last] and other > others[last]):
            return kept
    else:
        kept += 1
    hole = kept - 1
    while hole > 0 and (
        distances[hole - 1] > distance or (distances[hole - 1] == distance and others[hole - 1] > other)
    ):
        distances[hole], others[hole] = distances[hole - 1], others[hole - 1]
        hole -= 1
    distances[hole], others[hole] = distance, other
    return kept


@part
def nobody(rows, most):
    """Room for as many of each row, none of them found yet: -1."""
    found = np.empty((rows, most), np.intp)
    found[:] = -1
    return found


SLACK = 1.0 + 1e-9
"""Distances are rounded: who is farther by less than this is looked at."""


ROUNDING = 1e-14
"""A loss below this share of the sums it is the difference of is none: records are identical."""


@kernel
def nearest_dense(rows, data, points, key, listed, listed_keys, rounding, itself, most, squares):
    """For each of these rows of ``data`` the nearest of the ``listed`` points.

    Points are listed along a key in which no two differ by more than their distance (a direction in space); the search
    goes outwards from a row's own ``key`` and ends where the key alone, less its ``rounding``, is too far. ``itself``:
    data and points are the same, and nobody is their own neighbour. Where fewer are listed than wanted the rest is -1.
    """
    found = nobody(rows.size, most)
    distances = np.empty(most)
    for k in range(rows.size):
        row, kept = rows[k], np.intp(0)
        above = np.searchsorted(listed_keys, key[row])
        below = above - 1
        while below >= 0 or above < listed.size:
            down = key[row] - listed_keys[below] if below >= 0 else np.inf
            up = listed_keys[above] - key[row] if above < listed.size else np.inf
            gap = max(min(down, up) - rounding, 0.0)
            if kept == most and (gap * gap if squares else gap) > SLACK * distances[most - 1]:
                break
            if down <= up:
                other = listed[below]
                below -= 1
            else:
                other = listed[above]
                above += 1
            if itself and other == row:
                continue
            distance = 0.0
            for column in range(data.shape[1]):
                difference = data[row, column] - points[other, column]
                distance += difference * difference if squares else abs(difference)
            kept = keep_nearest(distances, found[k], kept, most, distance, other)
    return found


@kernel
def nearest_sparse(code, chosen, rows, others, scale, price, by_price, alive, itself, most):
    """The same for sparse rows: a distance is what both weigh alone (``price``) minus ``scale`` times what they share.

    Only those who share a column are looked at, and next to them the cheapest who share none: ``by_price`` lists the
    others by price, then number.
    """
    found = nobody(chosen.size, most)
    distances = np.empty(most)
    gain, terms = np.zeros(price.size), np.empty(CHUNK)
    met = np.empty(price.size + 1, np.intp)
    for k in range(chosen.size):
        row, kept = chosen[k], np.intp(0)
        number = gather_met(code, row, rows, others, gain, met, terms)
        for j in range(number):
            other = met[j]
            if alive[other] and not (itself and other == row):
                kept = keep_nearest(distances, found[k], kept, most, price[other] + scale * gain[other], other)
        taken = 0
        for position in range(by_price.size):
            other = by_price[position]
            if taken == most or (kept == most and price[other] > distances[most - 1]):
                break
            if alive[other] and gain[other] == 0.0 and not (itself and other == row):
                kept = keep_nearest(distances, found[k], kept, most, price[other], other)
                taken += 1
        for j in range(number):
            gain[met[j]] = 0.0
    return found


@kernel
def losses_dense(starts, members, data, squares):
    """Of each group: the sum over its members of the distance to their mean."""
    losses = np.zeros(starts.size - 1)
    mean = np.empty(data.shape[1])
    for group in range(starts.size - 1):
        size = starts[group + 1] - starts[group]
        mean[:] = 0.0
        for k in range(starts[group], starts[group + 1]):
            mean += data[members[k]]
        mean /= max(size, 1)
        for k in range(starts[group], starts[group + 1]):
            for column in range(data.shape[1]):
                difference = data[members[k], column] - mean[column]
                losses[group] += difference * difference if squares else abs(difference)
    return losses


@part
def _in_common(columns, values, sums, share, squares):
    """What a row has in common with a mean, twice, or their product; four sums at a time, which need not wait."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    even = columns.size - columns.size % 4
    if squares:
        for k in range(columns.size):
            first += sums[columns[k]] * share * values[k]
        return first
    for k in range(0, even, 4):
        first += min(sums[columns[k]] * share, values[k])
        second += min(sums[columns[k + 1]] * share, values[k + 1])
        third += min(sums[columns[k + 2]] * share, values[k + 2])
        fourth += min(sums[columns[k + 3]] * share, values[k + 3])
    for k in range(even, columns.size):
        first += min(sums[columns[k]] * share, values[k])
    return 2.0 * ((first + second) + (third + fourth))


@kernel
def losses_sparse(first, last, starts, members, rows, alone, width, squares):
    """The same for groups ``first`` to ``last`` of sparse rows, from ``alone``: their sums, or their square lengths.

    With m the mean, the distances |x - m| of k rows add up to twice their sums less twice what each has in common with
    m, and their squares to their square lengths less k times that of m. So only entries are looked at, and in the same
    order whatever the group lacks.
    """
    losses = np.empty(last - first)
    sums = np.zeros(width)
    for group in range(first, last):
        size, total, common = starts[group + 1] - starts[group], 0.0, 0.0
        for k in range(starts[group], starts[group + 1]):
            total += alone[members[k]]
            for entry in range(rows.starts[members[k]], rows.starts[members[k] + 1]):
                sums[rows.columns[entry]] += rows.values[entry]
        share = 1.0 / max(size, 1)
        for k in range(starts[group], starts[group + 1]):
            begin, end = rows.starts[members[k]], rows.starts[members[k] + 1]
            common += _in_common(rows.columns[begin:end], rows.values[begin:end], sums, share, squares)
        for k in range(starts[group], starts[group + 1]):
            for entry in range(rows.starts[members[k]], rows.starts[members[k] + 1]):
                sums[rows.columns[entry]] = 0.0
        whole = total if squares else 2.0 * total
        losses[group - first] = whole - common if whole - common > ROUNDING * whole else 0.0
    return losses


@kernel
def pick_alive(rows, lists, alive, most):
    """The first ``most`` living of each row's list, in order; and the positions of rows whose list holds fewer.

    A list ends at -1.
    """
    found = nobody(rows.size, most)
    short, number = np.empty(rows.size, np.intp), 0
    for k in range(rows.size):
        kept = 0
        for place in range(lists.shape[1]):
            other = lists[rows[k], place]
            if kept == most or other < 0:
                break
            if alive[other]:
                found[k, kept] = other
                kept += 1
        if kept < most:
            short[number] = k
            number += 1
    return found, short[:number]


@kernel
def find_broken(members, alive):
    """Proposals of living records that have lost a member."""
    found = np.empty(members.shape[0], np.intp)
    number = 0
    for row in range(members.shape[0]):
        if not alive[row]:
            continue
        for k in range(members.shape[1]):
            if not alive[members[row, k]]:
                found[number] = row
                number += 1
                break
    return found[:number]
