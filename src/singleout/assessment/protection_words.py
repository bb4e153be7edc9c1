"""What reports call each protection, and what it does, in words; options and result files keep its name."""

from __future__ import annotations

LEAVING_OUT = "-and-leave-out"
"""Ends the name of a protection of tables that may also leave records out."""
NAMES = {
    "none": "pseudonyms only",
    "coarsen": "larger {places}",
    "hierarchy": "coarser {places}",
    "keep": "top {places}",
    "min-people": "popular {places}",
    "shorten": "fewer days",
    "noise": "added noise",
    "microaggregate": "averaged groups",
    "recode": "coarser columns",
    "suppress-cells": "blanked values",
}
DOES = {
    "none": "replacing ids with pseudonyms only",
    "coarsen": "merging {places} into larger ones ({} m)",
    "hierarchy": "replacing {places} with coarser ones ({})",
    "keep": "releasing only the {} most popular {places}",
    "min-people": "releasing only {places} with at least {} people",
    "shorten": "releasing only each person's first {} days",
    "noise": "adding noise to every count (epsilon {})",
    "microaggregate": "averaging people in groups of {} (micro-aggregation)",
}
"""What each protection of an event log does at some strength."""


def protection_name(protection: str, places: str = "places") -> str:
    """What reports call a protection, at any strength: short enough for a legend."""
    plain = protection.removesuffix(LEAVING_OUT)
    name = NAMES[plain].format(places=places) if plain in NAMES else plain
    return name if plain == protection else f"{name}, records left out"


def protection_does(protection: str, strength: str, places: str = "places") -> str:
    """What a protection of an event log does at this strength, as an option takes it."""
    if protection not in DOES:
        return protection
    if (protection, strength) == ("shorten", "1"):
        return "releasing only each person's first day"
    if (protection, strength) == ("keep", "1"):
        return f"releasing only the one most popular of all {places}"
    shown = f"{int(strength):,}" if strength.isdecimal() else strength
    return DOES[protection].format(shown, places=places)
