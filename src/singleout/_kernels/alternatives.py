"""Cheapest other ways: shortest alternating paths on the graph that an optimal matching leaves behind.

A step forward goes from a row to a column it might have instead, at the pair's reduced cost (never negative); a step
back from a column to a row that has it now, at no cost. ``ahead`` holds the steps forward by row, ``behind`` the same
steps by column, each as (starts, ends, costs) with costs ascending; ``holders`` lists by column the rows that have it,
``held`` by row the columns it has, each as (starts, ends).
"""

from __future__ import annotations

import numpy as np

from singleout._kernels.assignment import _drop_top, _push
from singleout._kernels.jit import kernel, part

RUN = 16
"""Steps sorted by insertion before sorted runs are merged."""


@part
def _is_before(cost, end, other_cost, other_end):
    return cost < other_cost or (cost == other_cost and end < other_end)


@part
def _sort_run(ends, costs, low, high):
    """Sort a few steps by insertion."""
    for k in range(low + 1, high):
        cost, end, hole = costs[k], ends[k], k
        while hole > low and _is_before(cost, end, costs[hole - 1], ends[hole - 1]):
            costs[hole], ends[hole] = costs[hole - 1], ends[hole - 1]
            hole -= 1
        costs[hole], ends[hole] = cost, end


@part
def _merge_runs(ends, costs, to_ends, to_costs, low, middle, high):
    """Merge two sorted runs that stand side by side."""
    left, right = low, middle
    for k in range(low, high):
        if left < middle and (right >= high or not _is_before(costs[right], ends[right], costs[left], ends[left])):
            to_costs[k], to_ends[k] = costs[left], ends[left]
            left += 1
        else:
            to_costs[k], to_ends[k] = costs[right], ends[right]
            right += 1


@kernel
def sort_steps(first, last, starts, ends, costs):
    """The steps of some rows, the cheapest first, and of equally cheap ones the first end first: ends and costs."""
    begin, end = starts[first], starts[last]
    # both have room for the steps: runs are merged from one into the other and back
    here_ends, here_costs = ends[begin:end].copy(), costs[begin:end].copy()
    there_ends, there_costs = np.empty(end - begin, np.intp), np.empty(end - begin)
    for row in range(first, last):
        low, high = starts[row] - begin, starts[row + 1] - begin
        for start in range(low, high, RUN):
            _sort_run(here_ends, here_costs, start, min(start + RUN, high))
        width = RUN
        while width < high - low:
            for start in range(low, high, 2 * width):
                middle, stop = min(start + width, high), min(start + 2 * width, high)
                _merge_runs(here_ends, here_costs, there_ends, there_costs, start, middle, stop)
            for k in range(low, high):
                here_ends[k], here_costs[k] = there_ends[k], there_costs[k]
            width *= 2
    return here_ends, here_costs


@kernel
def spread(reach, first, second):
    """Cheapest way to every row from a place outside that reaches row r at ``reach[r]``: a Dijkstra in two legs.

    The first leg goes from a row to columns, the second from a column to rows, both as (starts, ends, costs). Steps
    forward and then back to holders lead away from the place; the same legs turned round lead into it.
    """
    distance, column_at = reach.copy(), np.empty(second[0].size - 1)
    column_at[:] = np.inf
    room = reach.size + first[1].size + 1
    keys, heap, size = np.empty(room), np.empty(room, np.intp), np.intp(0)
    for row in range(reach.size):
        if distance[row] < np.inf:
            size = _push(keys, heap, size, distance[row], row)
    while size > 0:
        at, row = keys[0], heap[0]
        size = _drop_top(keys, heap, size)
        if at > distance[row]:
            continue
        for k in range(first[0][row], first[0][row + 1]):
            column, reached = first[1][k], at + first[2][k]
            if reached >= column_at[column]:
                continue
            column_at[column] = reached
            for j in range(second[0][column], second[0][column + 1]):
                other, arrived = second[1][j], reached + second[2][j]
                if arrived >= distance[other]:
                    continue
                distance[other] = arrived
                if size + 1 >= keys.size:
                    # a column with many holders may be reached better and better, each time by all of them
                    keys, heap = _double(keys, heap)
                size = _push(keys, heap, size, arrived, other)
    return distance


@part
def _double(keys, heap):
    """Room for twice as many."""
    wider_keys, wider_heap = np.empty(2 * keys.size), np.empty(2 * keys.size, np.intp)
    for k in range(keys.size):
        wider_keys[k], wider_heap[k] = keys[k], heap[k]
    return wider_keys, wider_heap


@part
def _forward(keys, heap, size, best, far_top, target, ahead, holders, column_at, row_at, met, count, done):
    """Settle the nearest column: its holders look for another one. Returns (size, best, met)."""
    at, column = keys[0], heap[0]
    size = _drop_top(keys, heap, size)
    if at > column_at[column]:
        return size, best, count
    for k in range(holders[0][column], holders[0][column + 1]):
        row = holders[1][k]
        best = min(best, at + row_at[row])
        if done[row]:
            continue
        done[row] = True
        size, best, count = _look(
            row, at, keys, heap, size, best, far_top, target, ahead, column_at, met, count
        )  # fmt: skip
    return size, best, count


@part
def _look(row, at, keys, heap, size, best, far_top, target, ahead, column_at, met, count):
    """Reach the columns that a row might have instead."""
    for step in range(ahead[0][row], ahead[0][row + 1]):
        column, reached = ahead[1][step], at + ahead[2][step]
        if reached >= best:
            break
        if column == target:
            best = reached
        elif reached < column_at[column]:
            if column_at[column] == np.inf:
                met[count] = column
                count += 1
            column_at[column] = reached
            # a column that the other search has not reached yet is at least far_top away from the end
            if reached + far_top < best:
                size = _push(keys, heap, size, reached, column)
    return size, best, count


@part
def _backward(column, at, keys, heap, size, best, near_top, origin, behind, held, column_at, row_at, met, count):
    """Reach the rows that might have a column instead of theirs."""
    for step in range(behind[0][column], behind[0][column + 1]):
        row, reached = behind[1][step], at + behind[2][step]
        if reached >= best:
            break
        if reached >= row_at[row]:
            continue
        if row_at[row] == np.inf:
            met[count] = row
            count += 1
        row_at[row] = reached
        if row == origin:
            best = reached
            continue
        for k in range(held[0][row], held[0][row + 1]):
            best = min(best, reached + column_at[held[1][k]])
        if reached + near_top < best:
            size = _push(keys, heap, size, reached, row)
    return size, best, count


@kernel
def detours(origins, targets, limits, ahead, behind, holders, held):
    """For each matched pair (origin, target) the cost of the cheapest way round it, if below its limit; else the limit.

    Dijkstra from both ends: forward over columns, backward over rows, until the two balls together are wider than the
    best way found.
    """
    rows, columns = held[0].size - 1, holders[0].size - 1
    found, none = limits.copy(), np.intp(0)
    column_at, row_at = np.empty(columns), np.empty(rows)
    column_at[:], row_at[:] = np.inf, np.inf
    columns_met, rows_met = np.empty(columns, np.intp), np.empty(rows, np.intp)
    row_done, column_done = np.zeros(rows, np.bool_), np.zeros(columns, np.bool_)
    keys, heap = np.empty(ahead[1].size + 1), np.empty(ahead[1].size + 1, np.intp)
    back_keys, back_heap = np.empty(ahead[1].size + 1), np.empty(ahead[1].size + 1, np.intp)
    for k in range(origins.size):
        origin, target, best = origins[k], targets[k], limits[k]
        row_done[origin], column_done[target] = True, True
        size, best, columns_count = _look(
            origin, 0.0, keys, heap, none, best, 0.0, target, ahead, column_at, columns_met, none
        )  # fmt: skip
        back_size, best, rows_count = _backward(
            target, 0.0, back_keys, back_heap, none, best, 0.0, origin, behind, held, column_at, row_at, rows_met, none
        )  # fmt: skip
        while size > 0 and back_size > 0 and keys[0] + back_keys[0] < best:
            if size <= back_size:
                size, best, columns_count = _forward(
                    keys, heap, size, best, back_keys[0], target, ahead, holders,
                    column_at, row_at, columns_met, columns_count, row_done,
                )  # fmt: skip
                continue
            at, row = back_keys[0], back_heap[0]
            back_size = _drop_top(back_keys, back_heap, back_size)
            if at > row_at[row]:
                continue
            for j in range(held[0][row], held[0][row + 1]):
                column = held[1][j]
                if not column_done[column]:
                    column_done[column] = True
                    back_size, best, rows_count = _backward(
                        column, at, back_keys, back_heap, back_size, best, keys[0], origin,
                        behind, held, column_at, row_at, rows_met, rows_count,
                    )  # fmt: skip
        found[k] = best
        row_done[origin], column_done[target] = False, False
        for j in range(columns_count):
            column = columns_met[j]
            column_at[column] = np.inf
            for i in range(holders[0][column], holders[0][column + 1]):
                row_done[holders[1][i]] = False
        for j in range(rows_count):
            row = rows_met[j]
            row_at[row] = np.inf
            for i in range(held[0][row], held[0][row + 1]):
                column_done[held[1][i]] = False
    return found
