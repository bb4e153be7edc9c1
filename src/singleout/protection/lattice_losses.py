"""What a table loses at a node of the lattice: information, or how finely its records are divided into classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats
from singleout.ground.names import TableLoss
from singleout.protection.lattice import DECIMALS, Classes, Lattice, entropy

LOSSES: tuple[TableLoss, ...] = get_args(TableLoss)


@dataclass(frozen=True)
class EntropyLoss:
    """The share of the information (entropy) in all columns that is lost; columns may differ in importance."""

    importance: tuple[float, ...]

    def bounds(self, lattice: Lattice, nodes: NDArray[np.int64]) -> Floats:
        """What each node loses before any record is left out."""
        return lattice.information_lost(nodes, np.array(self.importance))

    def at_least(self, lattice: Lattice, node: tuple[int, ...]) -> float:
        """What a node loses if no record has to be left out."""
        return float(self.bounds(lattice, np.array([node]))[0])

    def of(self, lattice: Lattice, node: Sequence[int], classes: Classes, left_out: NDArray[np.bool_]) -> float:
        """Records that are left out keep nothing: that they are missing must not count as information."""
        table = lattice.table
        whole = float(np.array(self.importance) @ lattice.originals)
        kept = np.where(left_out[classes.label], 0, table.counts) if left_out.any() else table.counts
        left = sum(
            weight * entropy(np.bincount(lattice.levels[column][level][table.codes[:, column]], kept))
            for column, (level, weight) in enumerate(zip(node, self.importance, strict=True))
        )
        lost = 1 - left * float(kept.sum()) / table.records / whole if whole else 0.0
        return round(lost, DECIMALS)


def loss_named(
    name: str, lattice: Lattice, importance: Sequence[float]
) -> EntropyLoss | DiscernibilityLoss | ClassSizeLoss:
    """The loss of a name; only those that count information know an importance of columns."""
    if name == "discernibility":
        return DiscernibilityLoss()
    if name == "class-size":
        return ClassSizeLoss()
    # per column: a column that says little weighs as much as one that says a lot
    scale = [1.0 if name == "entropy" or not each else 1.0 / each for each in lattice.originals.tolist()]
    return EntropyLoss(tuple(one * other for one, other in zip(importance, scale, strict=True)))


@dataclass(frozen=True)
class DiscernibilityLoss:
    """How many records are indistinguishable from each, on average, as a share of all; all if it is left out."""

    def bounds(self, lattice: Lattice, nodes: NDArray[np.int64]) -> Floats:
        """Unknown before classes are counted."""
        return np.zeros(len(nodes))

    def at_least(self, lattice: Lattice, node: tuple[int, ...]) -> float:
        """What a node loses if no record has to be left out."""
        sizes, classes = lattice.by_size(node)
        return float((sizes.astype(np.float64) ** 2) @ classes) / lattice.table.records**2

    def of(self, lattice: Lattice, node: Sequence[int], classes: Classes, left_out: NDArray[np.bool_]) -> float:
        """The sum of squared sizes, by the square of the number of records."""
        sizes, records = classes.sizes.astype(np.float64), lattice.table.records
        return float(np.where(left_out, sizes * records, sizes**2).sum()) / records**2


@dataclass(frozen=True)
class ClassSizeLoss:
    """The average size of a class as a share of all records; the records that are left out count as one class."""

    def bounds(self, lattice: Lattice, nodes: NDArray[np.int64]) -> Floats:
        """Unknown before classes are counted."""
        return np.zeros(len(nodes))

    def at_least(self, lattice: Lattice, node: tuple[int, ...]) -> float:
        """What a node loses if no record has to be left out."""
        return 1.0 / float(lattice.by_size(node)[1].sum())

    def of(self, lattice: Lattice, node: Sequence[int], classes: Classes, left_out: NDArray[np.bool_]) -> float:
        """One by the number of classes."""
        return 1.0 / float((~left_out).sum() + left_out.any())
