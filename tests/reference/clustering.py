"""Slow twins of micro-aggregation: every distance worked out from scratch, on dense rows (N16 eq. 10, 11)."""

import numpy as np


def distances(rows, point, norm):
    """Of each row to a point: absolute differences added, or squares of them."""
    difference = rows - point
    return np.abs(difference).sum(axis=-1) if norm == "l1" else (difference**2).sum(axis=-1)


def loss_of(rows, labels, norm):
    """Loss about cluster means over loss about the mean of all; zero where all rows are the same."""
    whole = distances(rows, rows.mean(axis=0), norm).sum()
    within = sum(distances(rows[labels == c], rows[labels == c].mean(axis=0), norm).sum() for c in set(labels.tolist()))
    return within / whole if whole > 1e-12 * len(rows) else 0.0


def nearest(rows, left, start, k, norm):
    """The record itself and the k - 1 nearest of those left; the first of equally near ones."""
    others = [i for i in left if i != start]
    order = np.argsort(distances(rows[others], rows[start], norm), kind="stable")
    return [start, *(others[i] for i in order[: k - 1])]


def mdav(rows, k, norm):
    """Maximum distance to average vector."""
    left, groups = list(range(len(rows))), []

    def farthest(point):
        return left[int(np.argmax(distances(rows[left], point, norm)))]

    def take(group):
        groups.append(group)
        left[:] = [i for i in left if i not in group]

    while len(left) >= 3 * k:
        r = farthest(rows[left].mean(axis=0))
        s = farthest(rows[r])
        take(nearest(rows, left, r, k, norm))
        # s may have gone with r where rows are identical: then whoever is farthest from r now
        take(nearest(rows, left, s if s in left else farthest(rows[r]), k, norm))
    if len(left) >= 2 * k:
        take(nearest(rows, left, farthest(rows[left].mean(axis=0)), k, norm))
    if left:
        groups.append(left)
    return labels_of(groups, len(rows))


def gsms(rows, k, norm):
    """Successive groups: of all records with their k - 1 nearest, take the group that leaves least loss in all."""
    left, groups = list(range(len(rows))), []
    everyone = rows.mean(axis=0)
    while len(left) >= 2 * k:
        best, chosen = np.inf, None
        for i in left:
            group = nearest(rows, left, i, k, norm)
            rest = [j for j in left if j not in group]
            within = distances(rows[group], rows[group].mean(axis=0), norm).sum()
            if norm == "l1":
                value = within - distances(rows[group], everyone, norm).sum()
            else:
                value = within + distances(rows[rest], rows[rest].mean(axis=0), norm).sum()
            if value < best - 1e-12:
                best, chosen = value, group
        groups.append(chosen)
        left = [i for i in left if i not in chosen]
    groups.append(left)
    return labels_of(groups, len(rows))


def labels_of(groups, people):
    labels = np.full(people, -1)
    for number, group in enumerate(groups):
        labels[group] = number
    return labels
