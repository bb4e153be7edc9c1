"""Noise on every count, zeros included: noise on positive counts alone would reveal the zeros."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, get_args

import numpy as np
from scipy import sparse

from singleout.ground.arrays import row_slice
from singleout.ground.errors import DataError, bad_argument, check_seed, is_number, is_whole, unknown_name
from singleout.ground.names import NoiseUnit
from singleout.ground.notes import Note, nonzero
from singleout.statistics.histograms import Histograms

UNITS: tuple[NoiseUnit, ...] = get_args(NoiseUnit)
MOST_CELLS = 2**27
"""Every cell is stored as a number: a gigabyte."""
LARGEST_SCALE = 2**40
"""The largest multiple of this scale that 2**27 draws can reach is still an exact count."""


def add_noise(
    histograms: Histograms,
    *,
    epsilon: float,
    unit: NoiseUnit = "event",
    max_total: int | None = None,
    seed: int | None = None,
) -> Histograms:
    """Add two-sided geometric noise to every count of every person at every place, zeros included.

    Negative counts become zero. The guarantee is for this one release; it does not protect that a person has a row, nor
    which places are listed.

    Parameters
    ----------
    histograms
        What noise is added to.
    epsilon
        Privacy budget: the smaller, the more noise.
    unit
        What is protected. ``"event"``: any single event (one second if seconds were counted, one unit of the count if a
        count column was given), with noise of scale 1 / epsilon. ``"person"``: everything one person did; each
        person's events are first cut to a random ``max_total``, and the scale is 2 max_total / epsilon.
    max_total
        With ``unit="person"``: everyone is first cut to this many events.
    seed
        None draws the noise from a secret that is not stored. Anyone who knows the seed can remove the noise again, so
        give one only for trials, never for data that is released.

    Returns
    -------
    Histograms
        Histograms of the same people and places.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> so.add_noise(released, epsilon=1.0, seed=1)
    Histograms(50 people, 193 places, 2,803 entries)
      9,650 counts with noise: scale 1, protecting one event, for this release only
      2,492 counts set to zero: noise made them negative
    """
    if not isinstance(histograms, Histograms):
        hint = "Noise is added to counts: use so.histograms(events) first."
        raise bad_argument("add_noise", "histograms", "Histograms", type(histograms).__name__, hint)
    if not (is_number(epsilon) and epsilon > 0):
        raise bad_argument("add_noise", "epsilon", "a number above zero", epsilon)
    if unit not in UNITS:
        raise unknown_name("add_noise", "unit", str(unit), UNITS)
    _check_max_total(unit, max_total)
    _check_scale(epsilon, max_total)
    if seed is not None:
        check_seed("add_noise", seed)
    if histograms.counts.dtype.kind != "i":
        raise DataError("counts must be whole numbers; these are shares or decimal sums.", function="add_noise")
    people, columns = histograms.counts.shape
    if people * columns > MOST_CELLS:
        raise DataError(
            f"noise is added to every cell, and {people:,} people at {columns:,} places have more than "
            f"{MOST_CELLS:,}. Suppress or coarsen places first.",
            function="add_noise",
        )
    # rows in order of id, so that their original order does not matter
    order = np.argsort(histograms.people, kind="stable")
    rng = np.random.default_rng(seed)
    counts, cut = _cut_totals(histograms.counts[order], max_total, rng) if max_total else (histograms.counts[order], 0)
    step = epsilon if max_total is None else epsilon / (2 * max_total)
    noisy = counts.toarray() + _two_sided_geometric(step, counts.shape, rng)
    clipped = int((noisy < 0).sum())
    noisy = np.maximum(noisy, 0)
    if not noisy.any():
        raise DataError("nobody has any data left. Use a larger `epsilon`.", function="add_noise")
    one = histograms.unit if unit == "event" else unit
    emptied = int(((np.diff(counts.indptr) > 0) & ~noisy.any(axis=1)).sum())
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    notes = nonzero(
        Note(cut, "people with events removed", f"reduced to a total of {max_total} each before noise was added"),
        Note(noisy.size, "counts with noise", f"scale {1 / step:g}, protecting one {one}, for this release only"),
        Note(clipped, "counts set to zero", "noise made them negative"),
        Note(emptied, "people left without data", "none of their counts is above zero"),
    )
    return replace(histograms, counts=noisy[back], notes=histograms.notes + notes)


def _check_max_total(unit: str, max_total: int | None) -> None:
    if (unit == "person") != (max_total is not None):
        must = "given if, and only if, unit='person'"
        raise bad_argument("add_noise", "max_total", must, max_total, "It limits how much one person can change.")
    if max_total is not None and (not is_whole(max_total) or max_total < 1):
        raise bad_argument("add_noise", "max_total", "a whole number above zero", max_total)


def _check_scale(epsilon: float, max_total: int | None) -> None:
    """Noise must fit into counts: beyond this its numbers could not be drawn, and almost no noise would be added."""
    if epsilon * LARGEST_SCALE >= (1 if max_total is None else 2 * max_total):
        return
    if max_total is None:
        raise bad_argument("add_noise", "epsilon", f"at least 1 / {LARGEST_SCALE:,}", epsilon)
    must = f"at most epsilon times {LARGEST_SCALE // 2:,}"
    raise bad_argument("add_noise", "max_total", must, max_total, "Or use a larger epsilon.")


def _cut_totals(counts: sparse.csr_array, most: int, rng: np.random.Generator) -> tuple[sparse.csr_array, int]:
    """Reduce each person's events to ``most``, drawn without replacement."""
    cut, result = 0, counts.copy()
    for row in range(counts.shape[0]):
        piece = row_slice(counts, row)
        if counts.data[piece].sum() > most:
            result.data[piece] = rng.multivariate_hypergeometric(counts.data[piece], most, method="marginals")
            cut += 1
    return result, cut


def _two_sided_geometric(step: float, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """The difference of two geometric numbers: probability falls by exp(-step) with each step from zero."""
    success = -math.expm1(-step)
    return rng.geometric(success, shape) - rng.geometric(success, shape)
