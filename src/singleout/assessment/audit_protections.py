"""Which protections an audit tries, and how strong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.options import ProtectOptions
from singleout.assessment.protections import Protection
from singleout.assessment.release import protections
from singleout.ground.errors import DataError
from singleout.measures.intervals import wilson
from singleout.protection.group_release import MEMBERS
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import comparable
from singleout.statistics.merging import places_of_hierarchy

MOST_NOISY = 6_000_000
"""People times places above which noise, which falls on every one of them, takes too long to try unasked."""

SPARE = 2
"""People who may have no data left in a file of averages: those who remain are fewer to hide among."""


def protections_to_try(released: Histograms, days: int | None, options: AuditOptions) -> list[Protection]:
    """Those asked for; else some of each kind, up to what the limit may need.

    Days and resolution are curves of their own, and tried whatever else is asked for.
    """
    steps = _strengths(released, days, options)
    asked = {name: getattr(options, name) for name in steps if getattr(options, name) is not None}
    if options.names_protections:
        steps = {name: steps[name] for name in ("shorten", "coarsen")} | asked
    chosen = {name: strengths for name, strengths in steps.items() if strengths}
    if options.place_hierarchy is not None:
        _check_hierarchy(released, Path(options.place_hierarchy))
        chosen |= {"hierarchy": options.hierarchy, "hierarchy_level": options.hierarchy_level}
    if "noise" in chosen:
        chosen["max_total"] = options.max_total
    return protections(ProtectOptions(**chosen))


def _check_hierarchy(released: Histograms, file: Path) -> None:
    """Refuse a file of other places: nothing could be tried with it."""
    places, named = comparable(released.places, places_of_hierarchy(file))
    if set(places.tolist()).isdisjoint(named.tolist()):
        raise DataError(
            f"none of the places is in the first column of {file.name}. "
            "Is it the right file, and does it have a header line?",
            function="audit",
            argument="hierarchy",
        )


def _strengths(released: Histograms, days: int | None, options: AuditOptions) -> dict[str, Any]:
    people, places, grid = len(released), released.number_of_places, options.grid
    most = int(np.bincount(released.counts.indices).max(initial=0))
    fewest = round(1 / options.low_risk)
    clusters = (5, 10, fewest, _guaranteed_size(people, options.low_risk), _large_enough(people, options))
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


def _guaranteed_size(people: int, limit: float) -> int:
    """Groups so large that finding one person of each is within the limit, though a few people may have no data left.

    In a file of few people one group more or less counts.
    """
    fewest = round(1 / limit)
    return next((k for k in range(fewest, people) if people // k <= limit * (people - SPARE)), fewest)


def _large_enough(people: int, options: AuditOptions) -> int:
    """Clusters so large that finding one person of each is a low risk, interval included."""
    limit = options.low_risk
    sizes = range(round(1 / limit), people)
    return next((k for k in sizes if wilson(people / k, people, options.confidence_level).high <= limit), people)


def _below(bound: int, strengths: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({each for each in strengths if 1 <= each < bound}))
