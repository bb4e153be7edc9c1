"""Small lattices: three columns with nested levels."""

import numpy as np

from singleout.protection.lattice import Combinations
from singleout.reading.columns import Column

LEVELS = (
    [np.arange(6), np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 0, 0, 1, 1]), np.zeros(6, int)],
    [np.arange(4), np.array([0, 0, 1, 1]), np.zeros(4, int)],
    [np.arange(3), np.zeros(3, int)],
)


def combinations(columns):
    """Columns of codes as combinations."""
    coded = [Column(str(n), np.asarray(c, np.int32), np.arange(max(c) + 1), False) for n, c in enumerate(columns)]
    return Combinations.of(coded, len(columns[0]))
