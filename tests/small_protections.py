"""Protections to try on small data, and the strongest attack on what they make of it."""

import singleout as so

MICRO = so.Protection("micro", [5, 40], lambda x, k, trial: so.microaggregate(x, k), intruder_applies_it=False)
MERGED = so.Protection(
    "merge",
    [2, 3],
    lambda x, n, trial: so.coarsen(x, {f"p{k}": f"g{k % n}" for k in range(12)}),
    intruder_applies_it=True,
)
MICRO_10 = so.Protection("micro", [10], MICRO.apply, intruder_applies_it=False)
POPULAR = so.Protection(
    "popular", [4], lambda x, n, trial: so.suppress(x, keep=n, popularity=[trial.released]), intruder_applies_it=True
)
NOISE = so.Protection(
    "noise", [0.1], lambda x, e, trial: so.add_noise(x, epsilon=e, seed=trial.seed), intruder_applies_it=False
)


def points_by_strength(frontier):
    return {(row.protection, row.strength): row for row in frontier.rows}


def strongest_rate(released, known, *more):
    """What the three ways of matching find at most, with what is known as it is and as the intruder may change it."""
    ways = (("joint", "released"), ("one-by-one", "released"), ("one-by-one", "known"))
    found = [
        so.accuracy(so.match(released, side, method=method, by=by)).rate
        for side in (known, *more)
        for method, by in ways
    ]
    return max(found, key=lambda rate: rate.value)
