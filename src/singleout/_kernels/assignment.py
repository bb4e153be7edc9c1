"""Transportation on a candidate graph: shortest augmenting paths with prices, from either side.

Rows have ``supply``, columns ``demand``; a candidate edge joins a row and a column and brings ``gain`` for each unit
of ``flow``. Prices ``u`` of rows and ``p`` of columns are never negative, and u + p >= gain on every edge. Flow runs
on tight edges only (u + p = gain). When every row with supply left has u = 0 and every column with demand left has
p = 0, the flow is of greatest gain, and the prices prove it.

A search starts at a row whose supply is left although u > 0 and looks for the cheapest way out: room at a column, or
a row that may as well give up its unit because its price falls to zero. The way back, from columns, is the same with
the sides exchanged: the side that searches is called near, the other far.
"""

from __future__ import annotations

import numpy as np

from singleout._kernels.jit import kernel, part


@part
def _push(keys, nodes, size, key, node):
    """Add to a binary heap; returns its new size."""
    hole = size
    while hole > 0:
        above = (hole - 1) // 2
        if keys[above] <= key:
            break
        keys[hole], nodes[hole] = keys[above], nodes[above]
        hole = above
    keys[hole], nodes[hole] = key, node
    return size + 1


@part
def _drop_top(keys, nodes, size):
    """Take the smallest off a binary heap; returns its new size."""
    size -= 1
    key, node = keys[size], nodes[size]
    hole = 0
    while 2 * hole + 1 < size:
        below = 2 * hole + 1
        if below + 1 < size and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[hole], nodes[hole] = keys[below], nodes[below]
        hole = below
    keys[hole], nodes[hole] = key, node
    return size


@part
def _link(edge, end, head, after, before):
    """Put an edge on its end's list of edges that carry flow."""
    after[edge], before[edge] = head[end], -1
    if head[end] >= 0:
        before[head[end]] = edge
    head[end] = edge


@part
def _unlink(edge, end, head, after, before):
    if before[edge] >= 0:
        after[before[edge]] = after[edge]
    else:
        head[end] = after[edge]
    if after[edge] >= 0:
        before[after[edge]] = before[edge]


@part
def set_flow(edge, amount, near_of, far_of, flow, near_lists, far_lists):
    """Change the flow of an edge and keep both ends' lists of carrying edges."""
    if flow[edge] == 0 and amount > 0:
        _link(edge, near_of[edge], near_lists[0], near_lists[1], near_lists[2])
        _link(edge, far_of[edge], far_lists[0], far_lists[1], far_lists[2])
    elif flow[edge] > 0 and amount == 0:
        _unlink(edge, near_of[edge], near_lists[0], near_lists[1], near_lists[2])
        _unlink(edge, far_of[edge], far_lists[0], far_lists[1], far_lists[2])
    flow[edge] = amount


@part
def _search(origin, starts, edges, near_of, far_of, gain, far_lists, near_price, far_price, far_left, work):
    """Dijkstra from a near node. Returns (distance, kind, node, met far, met near, relaxed).

    Kind 0: give up at the origin; 1: room at far ``node``; 2: near ``node`` gives up its unit.
    """
    keys, heap, distance, entry, parent, near_distance, far_met, near_met, cursor = work
    best, kind, node = near_price[origin], 0, origin
    size, far_count, near_count, relaxed = np.intp(0), 0, 0, 0
    near_met[0], near_distance[origin], parent[origin] = origin, 0.0, -1
    near_count = 1
    current, at = origin, 0.0
    while True:
        for k in range(starts[current], starts[current + 1]):
            edge = edges[k]
            far = far_of[edge]
            reach = at + max(0.0, near_price[current] + far_price[far] - gain[edge])
            relaxed += 1
            if reach < best and reach < distance[far]:
                if distance[far] == np.inf:
                    far_met[far_count] = far
                    far_count += 1
                    cursor[far] = far_lists[0][far]
                distance[far], entry[far] = reach, edge
                if far_left[far] > 0:
                    best, kind, node = reach, 1, far
                else:
                    size = _push(keys, heap, size, reach, far)
        # the next near node: one that feeds the nearest far node, unless a way out is nearer
        found = False
        while size > 0 and not found:
            at, far = keys[0], heap[0]
            if at >= best:
                size = np.intp(0)
                break
            if at > distance[far]:
                size = _drop_top(keys, heap, size)
                continue
            edge = cursor[far]
            while edge >= 0:
                near = near_of[edge]
                cursor[far] = far_lists[1][edge]
                if near_distance[near] == np.inf:
                    near_distance[near], parent[near] = at, edge
                    near_met[near_count] = near
                    near_count += 1
                    if at + near_price[near] < best:
                        best, kind, node = at + near_price[near], 2, near
                    current, found = near, True
                    break
                edge = cursor[far]
            if not found:
                size = _drop_top(keys, heap, size)
        if not found:
            return best, kind, node, far_count, near_count, relaxed


@part
def _augment(origin, kind, node, near_of, far_of, flow, near_left, far_left, near_lists, far_lists, work):
    """Push as much as fits along the path that the search found."""
    entry, parent = work[3], work[4]
    amount = near_left[origin]
    near = node
    if kind == 1:
        amount = min(amount, far_left[node])
        near = near_of[entry[node]]
    step = near
    while step != origin:
        amount = min(amount, flow[parent[step]])
        step = near_of[entry[far_of[parent[step]]]]
    if kind == 1:
        edge = entry[node]
        set_flow(edge, flow[edge] + amount, near_of, far_of, flow, near_lists, far_lists)
        far_left[node] -= amount
    else:
        near_left[near] += amount
    while near != origin:
        given_up = parent[near]
        taken = entry[far_of[given_up]]
        set_flow(given_up, flow[given_up] - amount, near_of, far_of, flow, near_lists, far_lists)
        set_flow(taken, flow[taken] + amount, near_of, far_of, flow, near_lists, far_lists)
        near = near_of[taken]
    near_left[origin] -= amount


@kernel
def search_all(
    queue, start, budget, starts, edges, near_of, far_of, gain, flow, near_lists, far_lists,
    near_price, far_price, near_left, far_left, work,
):  # fmt: skip
    """Search from each near node of the queue until its supply is placed or its price is zero.

    Stops after about ``budget`` looks at edges, so that a caller can be interrupted; returns where to go on.
    """
    distance, near_distance, far_met, near_met = work[2], work[5], work[6], work[7]
    spent = 0
    for position in range(start, queue.size):
        origin = queue[position]
        while near_left[origin] > 0 and near_price[origin] > 0.0:
            if spent > budget:
                return position
            best, kind, node, far_count, near_count, relaxed = _search(
                origin, starts, edges, near_of, far_of, gain, far_lists, near_price, far_price, far_left, work
            )
            spent += relaxed
            for k in range(near_count):
                near = near_met[k]
                if near_distance[near] < best:
                    near_price[near] = max(0.0, near_price[near] - (best - near_distance[near]))
                near_distance[near] = np.inf
            for k in range(far_count):
                far = far_met[k]
                if distance[far] < best:
                    far_price[far] += best - distance[far]
                distance[far] = np.inf
            if kind == 0:
                near_price[origin] = 0.0
            else:
                if kind == 2:
                    near_price[node] = 0.0
                _augment(origin, kind, node, near_of, far_of, flow, near_left, far_left, near_lists, far_lists, work)
    return queue.size


@kernel
def group_by_end(ends, number):
    """Edge numbers by end, ascending within each: (starts, edges)."""
    starts = np.zeros(number + 1, np.intp)
    for edge in range(ends.size):
        starts[ends[edge] + 1] += 1
    for end in range(number):
        starts[end + 1] += starts[end]
    place = starts[:-1].copy()
    edges = np.empty(ends.size, ends.dtype)
    for edge in range(ends.size):
        edges[place[ends[edge]]] = edge
        place[ends[edge]] += 1
    return starts, edges


@kernel
def withdraw(rows, starts, edges, row_of, col_of, flow, supply_left, demand_left, row_lists, col_lists):
    """Take back all flow of these rows."""
    for k in range(rows.size):
        for j in range(starts[rows[k]], starts[rows[k] + 1]):
            edge = np.intp(edges[j])
            if flow[edge] > 0:
                supply_left[row_of[edge]] += flow[edge]
                demand_left[col_of[edge]] += flow[edge]
                set_flow(edge, np.intp(0), row_of, col_of, flow, row_lists, col_lists)


@kernel
def relink(row_of, col_of, flow, row_lists, col_lists):
    """Build the lists of carrying edges anew."""
    for edge in range(flow.size):
        if flow[edge] > 0:
            _link(edge, row_of[edge], row_lists[0], row_lists[1], row_lists[2])
            _link(edge, col_of[edge], col_lists[0], col_lists[1], col_lists[2])


@kernel
def auction(starts, edges, col_of, gain, demand, price, step, stack, size, slot, bids, owners, filled, budget):
    """Rough prices: units of rows bid for columns, each ``step`` above what leaves the bidder indifferent.

    ``stack`` holds ``size`` rows with a unit to place, one entry per unit. Every unit of a column keeps its highest
    bid (a heap in ``bids`` from ``slot`` on); the column's price is the lowest of them once all are taken. Only the
    prices are of use: they are near the best ones, so that exact searches from them stay short. Stops after about
    ``budget`` looks at edges; returns how many rows are left on the stack.
    """
    spent = 0
    while size > 0 and spent < budget:
        size -= 1
        row = stack[size]
        best, second, target = 0.0, 0.0, -1
        for k in range(starts[row], starts[row + 1]):
            value = gain[edges[k]] - price[col_of[edges[k]]]
            if value > best:
                best, second, target = value, best, col_of[edges[k]]
            elif value > second:
                second = value
        spent += starts[row + 1] - starts[row] + 1
        if target < 0:
            continue
        bid = price[target] + (best - second) + step
        mine, whose = bids[slot[target] : slot[target + 1]], owners[slot[target] : slot[target + 1]]
        if filled[target] == demand[target]:
            stack[size] = whose[0]
            size += 1
            filled[target] = _drop_top(mine, whose, filled[target])
        filled[target] = _push(mine, whose, filled[target], bid, row)
        if filled[target] == demand[target]:
            price[target] = mine[0]
    return size
