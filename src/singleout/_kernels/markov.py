"""Likelihoods and degrees of freedom of Markov chains of several orders, one person at a time (M18 section 4.2)."""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel
from singleout._kernels.sequences import dense_numbers
from singleout._kernels.sorting import stable_order


@kernel
def log_likelihoods(state, fresh, states, most):
    """Of orders 0 … most: the chance of each first place, of what follows shorter beginnings, then of full contexts.

    A context's successors are counted wherever it occurs, not only where paths start.
    """
    length = state.size
    depth = np.empty(length, np.int64)
    for k in range(length):
        depth[k] = 0 if fresh[k] else depth[k - 1] + 1
    # by order: what each visit adds, given as many places before it
    term = np.zeros((most + 1, length))
    code = state.copy()
    count = np.bincount(state, minlength=states)
    for k in range(length):
        term[0, k] = np.log(count[state[k]] / length)
    for order in range(1, most + 1):
        longer = np.full(length, -1, np.int64)
        context = np.full(length, -1, np.int64)
        for k in range(length):
            if depth[k] >= order:
                context[k] = code[k - 1]
                longer[k] = code[k - 1] * states + state[k]
        numbered = dense_numbers(longer)
        _add_terms(term[order], depth, order, context, numbered)
        code = numbered
    total = np.zeros(most + 1)
    for order in range(most + 1):
        for k in range(length):
            total[order] += term[min(order, depth[k]), k]
    return total


@kernel
def _add_terms(term, depth, order, context, gram):
    size = term.size + 1
    contexts, grams = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for k in range(term.size):
        if depth[k] >= order:
            contexts[context[k]] += 1
            grams[gram[k]] += 1
    for k in range(term.size):
        if depth[k] >= order:
            term[k] = np.log(grams[gram[k]] / contexts[context[k]])


@kernel
def freedoms(state, fresh, states, most):
    """Of orders 0 … most: free parameters of the chain (classical), and of its layer alone (Scholtes).

    Both on the adjacency of transitions seen: S_k = 1'A^k 1 walks of k steps.
    """
    adjacent = _adjacency(state, fresh, states)
    starts, targets = adjacent
    classical, layer = np.zeros(most + 1), np.zeros(most + 1)
    ahead = np.ones(states)  # walks of k steps that start here
    behind = np.ones(states)  # walks of k - 1 steps that end here
    classical[0] = layer[0] = states - 1
    for order in range(1, most + 1):
        longer, further = np.zeros(states), np.zeros(states)
        walks, rows, continued = 0.0, 0.0, 0.0
        for node in range(states):
            for arc in range(starts[node], starts[node + 1]):
                longer[node] += ahead[targets[arc]]
                further[targets[arc]] += behind[node]
            walks += longer[node]
            rows += longer[node] > 0
            if starts[node + 1] > starts[node]:
                continued += behind[node]
        classical[order], layer[order] = walks - continued, walks - rows
        ahead, behind = longer, further
    return classical, layer


@kernel
def _adjacency(state, fresh, states):
    code = np.empty(state.size, np.int64)
    steps = 0
    for k in range(1, state.size):
        if not fresh[k]:
            code[steps] = state[k - 1] * states + state[k]
            steps += 1
    order = stable_order(code, np.arange(steps))
    starts, targets, total = np.zeros(states + 1, np.int64), np.empty(steps, np.int64), 0
    for k in range(steps):
        here = code[order[k]]
        if k == 0 or here != code[order[k - 1]]:
            starts[here // states + 1] += 1
            targets[total] = here % states
            total += 1
    for node in range(states):
        starts[node + 1] += starts[node]
    return starts, targets[:total]


@kernel
def fits(first, last, starts, state, fresh, states, most):
    """Log-likelihoods, classical and layer freedoms and transitions of the people first … last."""
    rows = last - first
    likelihood, classical, layer = (
        np.zeros((rows, most + 1)),
        np.zeros((rows, most + 1)),
        np.zeros((rows, most + 1)),
    )
    steps = np.zeros(rows)
    for person in range(first, last):
        begin, end = starts[person], starts[person + 1]
        if end == begin:
            continue
        mine, anew = state[begin:end], fresh[begin:end]
        likelihood[person - first] = log_likelihoods(mine, anew, states[person], most)
        classical[person - first], layer[person - first] = freedoms(mine, anew, states[person], most)
        steps[person - first] = end - begin - anew.sum()
    return likelihood, classical, layer, steps


@kernel
def followers(state, fresh, states, most):
    """For contexts of 1 … most places: the number of the context that ends at each visit, and what follows it.

    What follows context c of some length lies in ``listed[length, starts[length, c] : starts[length, c + 1]]``.
    """
    length = state.size
    depth = np.empty(length, np.int64)
    for k in range(length):
        depth[k] = 0 if fresh[k] else depth[k - 1] + 1
    context = np.full((most + 1, length), -1, np.int64)
    starts = np.zeros((most + 1, length + 2), np.int64)
    listed = np.empty((most + 1, length), np.int64)
    code = dense_numbers(state)
    for size in range(1, most + 1):
        if size > 1:
            longer = np.full(length, -1, np.int64)
            for k in range(length):
                if depth[k] >= size - 1:
                    longer[k] = code[k - 1] * states + state[k]
            code = dense_numbers(longer)
        context[size] = code
        for k in range(length):
            if depth[k] >= size:
                starts[size, code[k - 1] + 1] += 1
        for number in range(length + 1):
            starts[size, number + 1] += starts[size, number]
        free = starts[size].copy()
        for k in range(length):
            if depth[k] >= size:
                listed[size, free[code[k - 1]]] = k
                free[code[k - 1]] += 1
    return depth, context, starts, listed


@kernel
def simulate(state, depth, context, starts, listed, order, lots):
    """A sequence of the same paths drawn from the chain of this order fitted to it.

    Each step goes to a visit before which the same context lies, drawn at random, and takes the place visited there. A
    context that nothing ever followed gives way to a shorter one.
    """
    out = np.empty(state.size, np.int64)
    at, matched = 0, 0
    for k in range(state.size):
        size = min(order, depth[k], matched)
        while size > 0 and starts[size, context[size, at]] == starts[size, context[size, at] + 1]:
            size -= 1
        if size == 0:
            at = int(lots[k] * state.size)
        else:
            first, last = starts[size, context[size, at]], starts[size, context[size, at] + 1]
            at = listed[size, first + int(lots[k] * (last - first))]
        out[k] = state[at]
        matched = size + 1
    return out
