"""New pseudonyms: one row per released person and place, and the key that links them to ids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from singleout.statistics.histograms import Histograms

DIGITS = 6
"""Decimal places of degrees: a tenth of a metre."""


def release_table(protected: Histograms, seed: int) -> tuple[pa.Table, pa.Table]:
    """Person, place and share, under pseudonyms; and the key to these, which is never released.

    People are renumbered from one, in a random order from the seed. People without data have no row. Cells of a grid
    have the coordinates of their middle.
    """
    shares = protected.shares().tocoo()
    row, column = shares.coords
    # drawn in order of id, so that the order of rows reveals nothing and does not matter
    number = np.empty(len(protected), dtype=np.int64)
    number[np.argsort(protected.people, kind="stable")] = 1 + np.random.default_rng(seed).permutation(len(protected))
    order = np.lexsort((column, number[row]))
    columns: dict[str, Any] = {"person": number[row[order]]}
    if protected.channels is not None:
        columns["channel"] = pa.array(protected.channels.tolist()).take(pa.array(column[order]))
    columns["place"] = pa.array(protected.places.tolist()).take(pa.array(column[order]))
    if protected.grid is not None:
        middles = np.round(protected.grid.middles(protected.places[column[order]]), DIGITS)
        columns |= dict(zip(("lat", "lng"), middles, strict=True))
    columns |= {"share": shares.data[order]}
    there = np.unique(row)
    key = pa.table({"person": number[there], "id": pa.array(protected.people[there].tolist())}).sort_by("person")
    return pa.table(columns), key
