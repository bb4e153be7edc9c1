"""Noise on every count, zeros included: noise on what is there alone would show what is not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.errors import DataError, bad_argument, is_number, is_whole, unknown_name
from singleout.ground.notes import Note, counted
from singleout.statistics.histograms import Histograms

UNITS = ("event", "person")
MOST_CELLS = 2**27
"""Every cell becomes a number of its own: a gigabyte."""


def add_noise(
    histograms: Histograms, *, epsilon: float, unit: str = "event", max_total: int | None = None, seed: int = 0
) -> Histograms:
    """Add two-sided geometric noise to every count of every person at every place of the list, zeros included.

    Parameters
    ----------
    epsilon
        The smaller, the more noise.
    unit
        What is protected. ``"event"``: any one event, noise of scale 1 / epsilon. ``"person"``: everything one person
        did; each person's events are first cut to ``max_total``, drawn at random, and the scale is
        2 max_total / epsilon.
    seed
        Draws the noise. Whoever knows it can take the noise off again: do not publish it.

    Negative counts become zero. The guarantee is for this one release; that a person has a row, and which places are on
    the list, is not protected.
    """
    if not isinstance(histograms, Histograms):
        hint = "Noise goes on counts: take so.histograms(events) first."
        raise bad_argument("add_noise", "histograms", "Histograms", type(histograms).__name__, hint)
    if not (is_number(epsilon) and epsilon > 0):
        raise bad_argument("add_noise", "epsilon", "a number above zero", epsilon)
    if unit not in UNITS:
        raise unknown_name("add_noise", "unit", str(unit), UNITS)
    _check_max_total(unit, max_total)
    if histograms.counts.dtype.kind != "i":
        raise DataError("add_noise: counts must be whole numbers; these are shares or sums that are not.")
    if histograms.counts.shape[0] * histograms.counts.shape[1] > MOST_CELLS:
        raise DataError(
            "add_noise: noise goes on every cell, and there are too many. Suppress or coarsen places first."
        )
    # rows in order of id, so that the order they came in does not matter
    order = np.argsort(histograms.people, kind="stable")
    rng = np.random.default_rng(seed)
    counts, cut = _cut(histograms.counts[order], max_total, rng) if max_total else (histograms.counts[order], 0)
    scale = 1 / epsilon if max_total is None else 2 * max_total / epsilon
    noisy = counts.toarray() + _two_sided_geometric(scale, counts.shape, rng)
    clipped = int((noisy < 0).sum())
    noisy = np.maximum(noisy, 0)
    if not noisy.any():
        raise DataError("add_noise: nothing is left of anybody. Use a larger epsilon.")
    emptied = int(((np.diff(counts.indptr) > 0) & ~noisy.any(axis=1)).sum())
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    notes = counted(
        Note(cut, "people cut", f"to {max_total} events each, before noise"),
        Note(noisy.size, "counts with noise", f"scale {scale:g}, protecting one {unit}, for this release only"),
        Note(clipped, "counts set to zero", "noise had made them negative"),
        Note(emptied, "people emptied", "none of their counts is above zero; they keep a row and overlap nobody"),
    )
    ids: dict[str, Any] = {"channels": histograms.channels, "grid": histograms.grid}
    return Histograms(noisy[back], histograms.people, histograms.places, notes=histograms.notes + notes, **ids)


def _check_max_total(unit: str, max_total: int | None) -> None:
    if (unit == "person") != (max_total is not None):
        must = "given with unit='person', and only with it"
        raise bad_argument("add_noise", "max_total", must, max_total, "It limits what one person can change.")
    if max_total is not None and (not is_whole(max_total) or max_total < 1):
        raise bad_argument("add_noise", "max_total", "a whole number above zero", max_total)


def _cut(counts: sparse.csr_array, most: int, rng: np.random.Generator) -> tuple[sparse.csr_array, int]:
    """Each person's events down to ``most``, drawn without putting back."""
    cut, result = 0, counts.copy()
    for row in range(counts.shape[0]):
        piece = slice(counts.indptr[row], counts.indptr[row + 1])
        if counts.data[piece].sum() > most:
            result.data[piece] = rng.multivariate_hypergeometric(counts.data[piece], most, method="marginals")
            cut += 1
    return result, cut


def _two_sided_geometric(scale: float, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """The difference of two geometric numbers: probability falls by exp(-1/scale) with each step from zero."""
    success = -math.expm1(-1 / scale)
    return rng.geometric(success, shape) - rng.geometric(success, shape)
