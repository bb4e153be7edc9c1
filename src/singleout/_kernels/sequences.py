"""From runs at places to sequences of visits, and from sequences to the edges of networks. One person after another."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part
from singleout._kernels.sorting import stable_order


@part
def lasting_runs(starts, rows, moment, before, ends, min_dwell, max_gap):
    """Which runs last, and which start a path: those after a gap longer than ``max_gap`` (below zero: none).

    A run lasts until the next one begins; before a cut and at the end of the trace only what was seen counts.
    Run k is row ``rows[k]``; ``before`` is the time of the record before a run.
    """
    begins, previous = np.empty(rows.size, np.int64), np.empty(rows.size, np.int64)
    for run in range(rows.size):
        begins[run], previous[run] = moment[rows[run]], before[rows[run]]
    lasts, fresh = np.empty(rows.size, np.bool_), np.empty(rows.size, np.bool_)
    for person in range(starts.size - 1):
        first, last = starts[person], starts[person + 1]
        for run in range(first, last):
            fresh[run] = run == first or (max_gap >= 0 and begins[run] - previous[run] > max_gap)
        for run in range(first, last):
            until = ends[person]
            if run + 1 < last:
                until = previous[run + 1] if fresh[run + 1] else begins[run + 1]
            lasts[run] = until - begins[run] >= min_dwell
    return lasts, fresh


@kernel
def join_visits(starts, state, fresh, stays, link):
    """Only the visits that stay, equal neighbours joined: (starts of people, states, whether a path starts anew).

    At a visit that goes, a path is cut, or linked across it.
    """
    people = starts.size - 1
    out_starts = np.zeros(people + 1, np.int64)
    out_state = np.empty(state.size, np.int64)
    out_fresh = np.empty(state.size, np.bool_)
    kept = 0
    for person in range(people):
        new_path, opened = True, kept
        for visit in range(starts[person], starts[person + 1]):
            new_path = new_path or fresh[visit]
            if not stays[visit]:
                new_path = new_path or not link
            elif new_path or kept == opened or out_state[kept - 1] != state[visit]:
                out_state[kept], out_fresh[kept] = state[visit], new_path
                new_path = False
                kept += 1
        out_starts[person + 1] = kept
    return out_starts, out_state[:kept], out_fresh[:kept]


@kernel
def rank_states(starts, state):
    """Number each person's states anew: most visited first, equals in order of the first visit.

    Returns (starts of people's states, visits of each state, the new numbers).
    """
    people = starts.size - 1
    number = np.empty(state.size, np.int64)
    state_starts = np.zeros(people + 1, np.int64)
    visits = np.empty(state.size, np.int64)
    total = 0
    for person in range(people):
        first, last = starts[person], starts[person + 1]
        order = stable_order(state[first:last], np.arange(last - first))
        distinct = 0
        count = np.zeros(last - first, np.int64)
        opening = np.zeros(last - first, np.int64)
        group = np.empty(last - first, np.int64)
        for k in range(last - first):
            here = state[first + order[k]]
            if k == 0 or here != state[first + order[k - 1]]:
                opening[distinct] = order[k]
                distinct += 1
            count[distinct - 1] += 1
            group[order[k]] = distinct - 1
        # opening positions differ, so the order is complete: more visits first, then the earlier opening
        by_opening = stable_order(opening, np.arange(distinct))
        ranking = stable_order(-count, by_opening)
        rank = np.empty(distinct, np.int64)
        for k in range(distinct):
            rank[ranking[k]] = k
            visits[total + k] = count[ranking[k]]
        for k in range(last - first):
            number[first + k] = rank[group[k]]
        total += distinct
        state_starts[person + 1] = total
    return state_starts, visits[:total], number


@kernel
def visits_of(first, last, starts, order, place, moment, previous, ends, min_dwell, max_gap):
    """Visits of the people first … last, whose runs ``order`` lists person by person, in order of time.

    Returns where those of each person start, their states, which of them start a path, where each person's states
    start, and the visits of each state.
    """
    local = starts[first : last + 1] - starts[first]
    rows = order[starts[first] : starts[last]]
    lasts, cut = lasting_runs(local, rows, moment, previous, ends[first:last], min_dwell, max_gap)
    places = np.empty(rows.size, np.int64)
    for run in range(rows.size):
        places[run] = place[rows[run]]
    visit_starts, kept, fresh = join_visits(local, places, cut, lasts, np.bool_(True))
    state_starts, visits, state = rank_states(visit_starts, kept)
    return visit_starts, state, fresh, state_starts, visits


@kernel
def windows(starts, state, fresh, order, states):
    """Each visit and those before it, ``order`` in all, as one state: nodes of a network of higher order.

    A path shorter than that has none. Windows are numbered so that equal ones of a person share a number.
    """
    people = starts.size - 1
    out_starts = np.zeros(people + 1, np.int64)
    out_state = np.empty(state.size, np.int64)
    out_fresh = np.empty(state.size, np.bool_)
    kept = 0
    for person in range(people):
        first, last = starts[person], starts[person + 1]
        code = state[first:last].copy()
        depth = np.empty(last - first, np.int64)
        for k in range(last - first):
            depth[k] = 0 if fresh[first + k] else depth[k - 1] + 1
        for step in range(1, order):
            longer = np.empty(last - first, np.int64)
            for k in range(last - first):
                longer[k] = code[k - 1] * states[person] + state[first + k] if depth[k] >= step else -1
            code = dense_numbers(longer)
        for k in range(last - first):
            if depth[k] >= order - 1:
                out_state[kept], out_fresh[kept] = code[k], depth[k] == order - 1
                kept += 1
        out_starts[person + 1] = kept
    return out_starts, out_state[:kept], out_fresh[:kept]


@kernel
def dense_numbers(code):
    """The same grouping under numbers from zero, in order of the codes, so that they can be multiplied again."""
    order = stable_order(code, np.arange(code.size))
    number = np.empty(code.size, np.int64)
    current = -1
    for k in range(code.size):
        if k == 0 or code[order[k]] != code[order[k - 1]]:
            current += 1
        number[order[k]] = current
    return number


@kernel
def transitions(first, last, starts, state, fresh, states):
    """Edges of the people first … last in order of (source, target).

    Returns how many each person has, sources, targets, how often each was taken, and at which visit first.
    """
    size = starts[last] - starts[first]
    edges = np.zeros(last - first, np.int64)
    source, target = np.empty(size, np.int64), np.empty(size, np.int64)
    weight, taken_first = np.empty(size, np.float64), np.empty(size, np.int64)
    total = 0
    for person in range(first, last):
        mine = state[starts[person] : starts[person + 1]]
        arrived = np.empty(mine.size, np.int64)
        steps, opened = 0, total
        for visit in range(1, mine.size):
            if not fresh[starts[person] + visit]:
                arrived[steps] = visit
                steps += 1
        # by target, then by source, each in order of what came before: by (source, target, visit)
        arrived = sort_by_state(arrived[:steps], mine, np.intp(0), states[person])
        arrived = sort_by_state(arrived, mine, np.intp(1), states[person])
        for visit in arrived:
            here, there = mine[visit - 1], mine[visit]
            if total == opened or here != source[total - 1] or there != target[total - 1]:
                source[total], target[total] = here, there
                weight[total], taken_first[total] = 0.0, visit
                total += 1
            weight[total - 1] += 1.0
        edges[person - first] = total - opened
    return edges, source[:total], target[:total], weight[:total], taken_first[:total]


@part
def sort_by_state(visits, state, before, states):
    """Visits in order of the state that many visits ``before`` them, equal ones as they were."""
    free = np.zeros(states + 1, np.int64)
    for visit in visits:
        free[state[visit - before] + 1] += 1
    for k in range(states):
        free[k + 1] += free[k]
    out = np.empty_like(visits)
    for visit in visits:
        here = state[visit - before]
        out[free[here]] = visit
        free[here] += 1
    return out
