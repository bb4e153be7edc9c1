"""Slow twins of intervals: Wilson's from its definition, half-sampling step by step from plain matchings of halves."""

from math import sqrt

from scipy.stats import norm, t

import singleout as so


def wilson_bounds(share, people, z):
    """All shares that ``share`` of ``people`` does not refute at ``z`` standard errors: the two ends, by bisection."""

    def refuted(true):
        return (share - true) ** 2 > z * z * true * (1 - true) / people

    ends = []
    for outside in (0.0, 1.0):
        inside = share
        for _ in range(200):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if refuted(middle) else (middle, outside)
        ends.append(inside)
    return tuple(ends)


def normal_quantile(level):
    return norm.ppf(0.5 + level / 2)


def effective_people(share, people, rates, part):
    """Independent people whose rate would vary as much as those of random parts, carried over to everybody."""
    mean = sum(rates) / len(rates)
    deviation = sqrt(sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1)) * sqrt(part / (1 - part))
    if share in (0, 1) or deviation == 0:
        return people
    return min(people, share * (1 - share) / deviation**2)


def half_sampling(share, people, rates, part, level):
    """(low, high, effective people)."""
    effective = effective_people(share, people, rates, part)
    return *wilson_bounds(share, effective, t.ppf(0.5 + level / 2, len(rates) - 1)), effective


def rates_of_halves(released, known, halves, **how):
    """Rates of matchings of some people, given by (ids released, ids known): each made and measured by itself."""
    return [so.accuracy(so.match(released.only(r), known.only(k), **how)).rate.value for r, k in halves]
