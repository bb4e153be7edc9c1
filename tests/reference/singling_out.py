"""Slow, obvious twins of what an audit measures beside the matching."""

from collections import Counter
from itertools import pairwise


def alone_with(places, others):
    """Whether nobody else has been at all of these places."""
    return sum(set(places) <= set(other) for other in others) == 1


def agreeing(records, known, column):
    """Share of the records that are not alone on the known columns whose class has one value in another column."""
    classes = {}
    for record in records:
        classes.setdefault(tuple(record[name] for name in known), []).append(record[column])
    larger = [values for values in classes.values() if len(values) > 1]
    total = sum(map(len, larger))
    return sum(len(values) for values in larger if len(set(values)) == 1) / total if total else 0.0


def moves_of(log):
    """log: {person: [place, …] in order}. Different moves of each person, and those nobody else makes."""
    moves = {person: {(a, b) for a, b in pairwise(places) if a != b} for person, places in log.items()}
    made = Counter(move for own in moves.values() for move in own)
    return {person: (len(own), sum(made[move] == 1 for move in own)) for person, own in moves.items() if own}
