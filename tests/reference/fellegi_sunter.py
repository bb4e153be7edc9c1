"""Slow twins of probable links: levels, EM, weights and blocking, from the definitions in docs/methods/linking.md."""

from math import exp, log

from tests.reference.linking import edits, jaro_winkler


def level(a, b, comparators):
    """0 if either is missing, else the place of the first comparator that matches, from 1; different is the last."""
    if not a or not b:
        return 0
    for place, comparator in enumerate(comparators, start=1):
        name, _, limit = comparator.partition(":")
        if name == "exact" and a == b:
            return place
        if name == "similar" and jaro_winkler(a, b) >= float(limit):
            return place
        if name == "edits" and edits(a, b) <= int(limit):
            return place
    return len(comparators) + 1


def em(pairs, u, start, steps):
    """The share of matches and m of each field; a pair is a tuple of levels, u a dict of level to probability."""
    m = [start_levels(len(each)) for each in u]
    share = start
    for _ in range(steps):
        chances = []
        for pair in pairs:
            match, other = share, 1 - share
            for k, found in enumerate(pair):
                if found:
                    match *= m[k][found]
                    other *= u[k][found]
            chances.append(match / (match + other))
        for k in range(len(u)):
            there = [(pair[k], chance) for pair, chance in zip(pairs, chances, strict=True) if pair[k]]
            # half a pair more at each level: none is impossible
            counts = {at: 0.5 + sum(chance for found, chance in there if found == at) for at in m[k]}
            m[k] = {at: count / sum(counts.values()) for at, count in counts.items()}
        share = sum(chances) / len(pairs)
    return share, m


def start_levels(number):
    """Nine matches in ten agree; each further level is half as likely as the one before."""
    parts = [0.5**k for k in range(1, number)]
    return {1: 0.9} | {k + 1: 0.1 * parts[k - 1] / sum(parts) for k in range(1, number)}


def rarity(value, column):
    """ln of c̄ / c, where c records of both sides have the value and c̄ is the mean of c over pairs that agree."""
    counts = {text: column.count(text) for text in set(column) if text}
    return log(sum(c * c for c in counts.values()) / sum(counts.values()) / counts[value])


def weight(first, second, fields, columns, m, u):
    """The sum of ln(m / u) over the fields, with rarity where values are equal; records and columns are dicts."""
    total = 0.0
    for name, comparators in fields.items():
        found = level(first[name], second[name], comparators)
        if found:
            total += log(m[name][found] / u[name][found])
        if found == 1:
            total += rarity(first[name], columns[name])
    return total


def candidates(released, known, rules, itself):
    """Pairs of rows that agree, where none is missing, on the first letters of all columns of a rule."""
    return {
        (i, j)
        for i, one in enumerate(released)
        for j, other in enumerate(known)
        if not (itself and i >= j)
        if any(all(_agree(one[name], other[name], letters) for name, letters in rule) for rule in rules)
    }


def _agree(a, b, letters):
    return bool(a and b) and a[:letters] == b[:letters]


def among_rivals(odds):
    """For each pair its odds against its rivals, that share a record with it, and against no match at all."""
    return {
        (i, j): odd / (1 + odd + sum(other for (k, n), other in odds.items() if (k == i) != (n == j)))
        for (i, j), odd in odds.items()
    }


def probability(log_odds):
    return 1 / (1 + exp(-log_odds))
