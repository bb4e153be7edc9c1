"""The reconstruction attack: what the digits of a group's released shares reveal about its members.

A mean of k histograms, times k, is a sum of fractions a / n, one for each member who has the place. Where only one
member has it, the fraction itself appears, and a member's fractions have one denominator and add up to one: a set of
cells that does so is claimed to be one person's exact histogram.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.arrays import row_slice
from singleout.statistics.classes import classes_of, row_digests
from singleout.statistics.histograms import Histograms

LARGEST_LENGTH = 60
"""The most events of a person whose fractions are searched for."""
TOLERANCE = 1e-4
"""How far a numerator may be from a whole number, so that rounded digits are recognised as well."""


@dataclass(frozen=True)
class Claim:
    """A histogram that some member of a group of identical rows is claimed to have: counts by place."""

    rows: tuple[int, ...]
    counts: tuple[tuple[Any, int], ...]


def reconstruct(released: Histograms) -> list[Claim]:
    """Every exact histogram that the digits of a file of shares seem to reveal."""
    shares = released.shares()
    classes = classes_of(row_digests(shares.indptr, shares.indices, shares.data), released.people)
    ends = np.cumsum(classes.size)
    claims = []
    for number, first in enumerate(classes.first.tolist()):
        piece = row_slice(shares, first)
        members = tuple(classes.members[ends[number] - classes.size[number] : ends[number]].tolist())
        for chosen, counts in _readable(shares.data[piece] * len(members)):
            places = released.places[shares.indices[piece][chosen]].tolist()
            claims.append(Claim(members, tuple(zip(places, counts.tolist(), strict=True))))
    return claims


def _readable(sums: Any) -> Iterator[tuple[Any, Any]]:
    """Cells that are fractions with one denominator and add up to one, each with the smallest that explains it."""
    explained = np.zeros(len(sums), dtype=bool)
    for length in range(1, LARGEST_LENGTH + 1):
        numerator = sums * length
        whole = np.round(numerator)
        fits = ~explained & (np.abs(numerator - whole) < TOLERANCE * length) & (whole >= 1) & (whole <= length)
        if fits.any() and int(whole[fits].sum()) == length:
            yield np.flatnonzero(fits), whole[fits].astype(np.int64)
        explained |= fits


def count_right(claims: list[Claim], original: Histograms) -> int:
    """How many claims are the exact histogram of a member of their group, up to a common factor.

    ``original`` holds the same people in the same order as the file the claims were read from.
    """
    right = 0
    for claim in claims:
        right += any(_reduce(_counts(original, row)) == _reduce(dict(claim.counts)) for row in claim.rows)
    return right


def _counts(original: Histograms, row: int) -> dict[Any, int]:
    piece = row_slice(original.counts, row)
    places = original.places[original.counts.indices[piece]].tolist()
    return dict(zip(places, original.counts.data[piece].tolist(), strict=True))


def _reduce(counts: dict[Any, int]) -> dict[Any, int]:
    divisor = int(np.gcd.reduce(np.array(list(counts.values()), dtype=np.int64))) if counts else 1
    return {place: number // max(divisor, 1) for place, number in counts.items()}
