"""Slow twins of profile matching and record linkage, written from R12's Algorithms 1 to 3 and their text."""

from itertools import combinations
from math import log

# ---- fieldsMatch and friendsMatch (Algorithms 2 and 3) ---------------------------------------------------------


def jaro_winkler(a, b):
    """Winkler's similarity: Jaro's, drawn towards 1 by up to four common first letters."""
    jaro = _jaro(a, b)
    prefix = 0
    while prefix < min(4, len(a), len(b)) and a[prefix] == b[prefix]:
        prefix += 1
    # the bonus is for pairs that are fairly alike already
    return jaro + prefix * 0.1 * (1 - jaro) if jaro > 0.7 else jaro


def _jaro(a, b):
    if not a or not b:
        return float(a == b)
    window = max(max(len(a), len(b)) // 2 - 1, 0)
    taken = [False] * len(b)
    common_a = []
    for i, letter in enumerate(a):
        for j in range(max(0, i - window), min(len(b), i + window + 1)):
            if not taken[j] and b[j] == letter:
                taken[j] = True
                common_a.append(letter)
                break
    common_b = [letter for letter, used in zip(b, taken, strict=True) if used]
    if not common_a:
        return 0.0
    m = len(common_a)
    swapped = sum(x != y for x, y in zip(common_a, common_b, strict=True)) // 2
    return (m / len(a) + m / len(b) + (m - swapped) / m) / 3


def edits(a, b):
    """The fewest letters inserted, left out, changed or swapped with their neighbours, none edited twice."""
    cost = {(i, j): i + j for i in range(len(a) + 1) for j in range(len(b) + 1) if i == 0 or j == 0}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            same = a[i - 1] == b[j - 1]
            cost[i, j] = min(cost[i - 1, j] + 1, cost[i, j - 1] + 1, cost[i - 1, j - 1] + (not same))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                cost[i, j] = min(cost[i, j], cost[i - 2, j - 2] + 1)
    return cost[len(a), len(b)]


def values_match(a, b, comparator):
    if not a or not b:
        return False
    a, b = a.casefold(), b.casefold()
    return {
        "exact": lambda: a == b,
        "initial": lambda: a[0] == b[0],
        "contains": lambda: a in b or b in a,
        "similar": lambda: jaro_winkler(a, b) >= 0.92,
        "edits": lambda: edits(a, b) <= 1,
    }[comparator]()


def blocked(person, other, block):
    return all(values_match(person[field], other[field], comparator) for field, comparator in block.items())


def fields_match(released, known, block, compare, itself=False):
    """For each released person their candidates and scores."""
    return [
        {
            j: sum(weight for field, (how, weight) in compare.items() if values_match(person[field], other[field], how))
            for j, other in enumerate(known)
            if blocked(person, other, block) and not (itself and i == j)
        }
        for i, person in enumerate(released)
    ]


def friends_match(released_friends, known_friends, candidates, rare=False):
    """Scores of the candidates of each person: friends of the same name, or 1 / log of who lists them."""
    listed = {}
    for friends in [*released_friends, *known_friends]:
        for friend in friends:
            listed[friend] = listed.get(friend, 0) + 1
    return [
        {j: sum(1 / log(listed[friend]) if rare else 1 for friend in sorted(mine & known_friends[j])) for j in those}
        for mine, those in zip(released_friends, candidates, strict=True)
    ]


def selectivity(scores):
    """One over the number of candidates with the highest score; 0 without candidates."""
    if not scores:
        return 0.0
    best = max(scores.values())
    return 1 / sum(abs(score - best) < 1e-9 for score in scores.values())


# ---- linkRecords (Algorithm 1) ---------------------------------------------------------------------------------


def link_records(released, known, columns, max_columns, max_released, max_known, missing):
    """V: for each linked released record its known record, the columns, and both counts."""
    power = {column: len({row[column] for row in released} - {None}) for column in columns}
    ordered = sorted(columns, key=lambda column: -power[column])
    found = {}
    for chosen in _sets(ordered, max_columns):
        for i, record in enumerate(released):
            consistent = agreeing(record, known, columns, missing)
            if len(consistent) != 1 or i in found:
                continue
            pair = record, known[consistent[0]]
            if missing != "value" and any(row[column] is None for row in pair for column in chosen):
                continue
            count, match = (sum(has_values(record, other, chosen) for other in side) for side in (released, known))
            if count <= max_released and match <= max_known:
                found[i] = (consistent[0], chosen, count, match)
    return found


def link_nearly(released, known, columns, max_columns, max_released, max_known, disagreements):
    """V where a known record is consistent if a rare combination leads to it and few of the other columns differ."""
    power = {column: len({row[column] for row in released} - {None}) for column in columns}
    found = {}
    for i, record in enumerate(released):
        consistent = {}
        for chosen in _sets(sorted(columns, key=lambda column: -power[column]), max_columns):
            if any(record[column] is None for column in chosen):
                continue
            count, match = (sum(has_values(record, other, chosen) for other in side) for side in (released, known))
            if count > max_released or match > max_known:
                continue
            for j, other in enumerate(known):
                rest = [column for column in columns if column not in chosen]
                differ = [c for c in rest if None not in (record[c], other[c]) and record[c] != other[c]]
                if has_values(record, other, chosen) and len(differ) <= disagreements:
                    consistent.setdefault(j, (j, chosen, count, match))
        if len(consistent) == 1:
            (found[i],) = consistent.values()
    return found


def has_values(record, other, columns):
    return all(record[column] == other[column] for column in columns)


def agreeing(record, others, columns, missing):
    """The rows that agree with a record on all columns.

    Where missing values agree with anything, at least one value must be shared, and a row counts only if no other row
    agrees on all the columns that it does and on more.
    """
    if missing != "any":
        return [
            j
            for j, other in enumerate(others)
            if has_values(record, other, columns)
            and not (missing == "never" and any(record[column] is None for column in columns))
        ]
    shared = {}
    for j, other in enumerate(others):
        both = frozenset(column for column in columns if None not in (record[column], other[column]))
        if both and has_values(record, other, both):
            shared[j] = both
    return [j for j, both in shared.items() if not any(both < fuller for fuller in shared.values())]


def _sets(ordered, most):
    """Sets of stronger columns before any with a weaker one ("combinations of b and c prior to ... a")."""
    numbered = [
        chosen for size in range(1, most + 1) for chosen in combinations(range(len(ordered)), size)
    ]  # sizes above the number of columns give none
    numbered.sort(key=lambda chosen: (chosen[-1], len(chosen)))
    return [tuple(ordered[number] for number in chosen) for chosen in numbered]
