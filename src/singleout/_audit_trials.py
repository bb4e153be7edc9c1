"""What an audit tries beside the attack on all people: fewer people, and protections of several strengths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from singleout._audit_options import AuditOptions
from singleout._frontier import Protection
from singleout._release import Steps, protections
from singleout.ground.errors import DataError
from singleout.ground.notes import Note
from singleout.ground.progress import stage
from singleout.measures.extrapolation import extrapolated
from singleout.measures.intervals import wilson
from singleout.protection.coarsening import places_of_hierarchy
from singleout.protection.group_release import MEMBERS
from singleout.reading.sources import open_source
from singleout.report.audit import DEFAULT_LIMIT, Curve, Step
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable

FEWEST_IN_A_DRAW = 20
"""No smaller group is drawn."""
FEWEST_DRAWS, MOST_DRAWS = 2, 10
MOST_NOISY = 6_000_000
"""People times places above which noise, which falls on every one of them, takes too long to try unasked."""
UNTOLD = Note(1, "populations not extrapolated to", "it has no more people than the data, or the data too few sizes")


def curve_of_people(number: int, rate_of: Callable[[Any], float], options: AuditOptions, what: str) -> Curve:
    """Fewer people, drawn by lot: halves of halves of all; and many more, where a population was stated.

    ``rate_of`` tells the share picked out of some people, given by their numbers in rising order.
    """
    rng = np.random.default_rng(options.seed)
    steps = []
    for size in _sizes(number):
        draws = 1 if size == number else int(np.clip(number // size, FEWEST_DRAWS, MOST_DRAWS))
        with stage(f"{size:,} {what}"):
            rates = [rate_of(np.sort(rng.choice(number, size, replace=False))) for _ in range(draws)]
        # as many people as were looked at, in all draws together
        people = min(draws * size, number)
        steps.append(Step(size, wilson(float(np.mean(rates)) * people, people, options.level)))
    beyond = None
    if options.population is not None and options.population > number:
        points = [step.at for step in steps], [step.rate for step in steps]
        beyond = extrapolated(*points, options.population, level=options.level)
    return Curve("people", f"Number of {what}", f"{what} in the data", tuple(steps), True, beyond)


def _sizes(people: int) -> list[int]:
    """Halves of halves, the smallest first."""
    sizes = [people]
    while sizes[-1] // 2 >= FEWEST_IN_A_DRAW:
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


def untold(curve: Curve, options: AuditOptions) -> list[Note]:
    """A note where a population was stated and cannot be extrapolated to."""
    return [UNTOLD] if options.population is not None and curve.extrapolated is None else []


def limit_of(options: AuditOptions) -> float:
    """What risks are held against."""
    return options.max_risk or DEFAULT_LIMIT


def protections_to_try(released: Histograms, days: int | None, options: AuditOptions) -> list[Protection]:
    """Those asked for; else some of each kind, up to what the limit may need.

    Days and resolution are curves of their own, and tried whatever is asked for.
    """
    steps = _strengths(released, days, options)
    asked = {name: getattr(options, name) for name in steps if getattr(options, name) is not None}
    if options.tries_own or not options.protect:
        steps = {name: steps[name] for name in ("shorten", "coarsen")} | asked
    chosen = {name: strengths for name, strengths in steps.items() if strengths}
    listed = protections(Steps(**chosen)) if chosen else []
    if options.hierarchy is not None:
        file = Path(options.hierarchy)
        _check_hierarchy(released, file)
        levels = tuple(open_source(file, function="hierarchy").kinds)[1:]
        listed += protections(Steps(coarsen=file, level=levels or None))
    return listed


def _check_hierarchy(released: Histograms, file: Path) -> None:
    """Refuse a file of other places: nothing could be tried with it."""
    places, named = comparable(released.places, places_of_hierarchy(file))
    if set(places.tolist()).isdisjoint(named.tolist()):
        raise DataError(
            f"audit: --hierarchy: none of the places is in the first column of {file.name}. "
            "Is it the right file, and does it have a header line?"
        )


def _strengths(released: Histograms, days: int | None, options: AuditOptions) -> dict[str, Any]:
    people, places, grid = len(released), released.number_of_places, options.grid
    most = int(np.bincount(released.counts.indices).max(initial=0))
    clusters = (5, 10, round(1 / limit_of(options)), _large_enough(people, options))
    return {
        "shorten": () if days is None else _below(days, (days // 2, days // 4, days // 8, 1)),
        "coarsen": () if grid is None else tuple(grid * times for times in (2, 4, 8, 16)),
        "keep": _below(places, (places // 10, places // 100)),
        "min_people": _below(most, (5, 20)),
        "noise": () if is_much_noise(released) else (1.0, 0.1),
        "microaggregate": _below(people // 2 + 1, tuple(max(each, MEMBERS) for each in clusters)),
    }


def is_much_noise(released: Histograms) -> bool:
    """Whether noise on every count takes long."""
    return len(released) * released.number_of_places > MOST_NOISY


def _large_enough(people: int, options: AuditOptions) -> int:
    """Clusters so large that finding one person of each is within the limit, interval included."""
    limit = limit_of(options)
    sizes = range(round(1 / limit), people)
    return next((k for k in sizes if wilson(people / k, people, options.level).high <= limit), people)


def _below(bound: int, strengths: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({each for each in strengths if 1 <= each < bound}))
