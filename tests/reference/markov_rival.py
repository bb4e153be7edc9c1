"""Mobility Markov chains of N16's rival, place by place: what docs/methods/networks.md says, in dictionaries."""

from itertools import pairwise


def chain(visits):
    """(share of records at each place, chances to go on) of (place, records) in order of time."""
    total = sum(records for _, records in visits)
    stationary, departures = {}, {}
    for place, records in visits:
        stationary[place] = stationary.get(place, 0) + records / total
    for (here, _), (there, _) in pairwise(visits):
        if here != there:
            departures.setdefault(here, []).append(there)
    onward = {place: {place: 1.0} for place in stationary}
    for place, targets in departures.items():
        onward[place] = {target: targets.count(target) / len(targets) for target in targets}
    return stationary, onward


def overlap(first, second):
    """How much of the time two chains are at the same place and go on alike."""
    (stationary, onward), (others_stationary, others_onward) = chain(first), chain(second)
    score = 0.0
    for place in stationary.keys() & others_stationary.keys():
        alike = sum(min(chance, others_onward[place].get(target, 0.0)) for target, chance in onward[place].items())
        score += min(stationary[place], others_stationary[place]) * alike
    return score
