"""Slow twins of everything about tables: groups made by comparing whole rows, from the definitions (R12 III and V)."""

from collections import Counter
from itertools import combinations
from math import prod


def class_sizes(rows, columns):
    """Of each record how many agree with it on these columns, itself included."""
    keys = [tuple(row[column] for column in columns) for row in rows]
    size = Counter(keys)
    return [size[key] for key in keys]


def isolated(rows, columns, k):
    """Records of classes of at most k, by number."""
    return {number for number, size in enumerate(class_sizes(rows, columns)) if size <= k}


def by_size(rows, columns):
    """How many classes there are of each size."""
    return dict(sorted(Counter(Counter(tuple(row[c] for c in columns) for row in rows).values()).items()))


def distinct(rows, column, below=None):
    """Distinct values of a column; only those of fewer than ``below`` records where given."""
    count = Counter(row[column] for row in rows)
    return sum(below is None or number < below for number in count.values())


def ranking(rows, columns, min_count=None):
    """Columns by distinct values (CORE-AV), or by those rarer than min_count (CORE-AT); equal ones in their order."""
    return sorted(columns, key=lambda column: -distinct(rows, column, min_count))


def every(rows, known, columns, add, k):
    """Records isolated by known columns with each combination of further ones, the most first."""
    others = [column for column in columns if column not in known]
    found = {more: len(isolated(rows, [*known, *more], k)) for more in combinations(others, add)}
    return sorted(found.items(), key=lambda item: (-item[1], [columns.index(c) for c in item[0]]))


def minimal_uniques(rows, columns, largest):
    """Of each record the column sets on which it is unique and on no part of which it is."""
    found = [[] for _ in rows]
    for size in range(1, largest + 1):
        for chosen in combinations(columns, size):
            for number in isolated(rows, chosen, 1):
                if not any(set(part) <= set(chosen) for part in found[number]):
                    found[number].append(chosen)
    return found


def suda_scores(rows, columns, largest):
    """Sum over minimal uniques of size s of the product over i = s … M of (ATT - i)."""
    weight = {s: prod(len(columns) - i for i in range(s, largest + 1)) for s in range(1, largest + 1)}
    return [sum(weight[len(chosen)] for chosen in sets) for sets in minimal_uniques(rows, columns, largest)]
