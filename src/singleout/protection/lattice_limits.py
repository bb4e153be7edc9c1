"""What a protected table must meet: k, average risk, l and t, in the file and in the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Indices
from singleout.measures.tables.diversity import ClassValues, Sensitive
from singleout.measures.tables.population import risk_of_classes
from singleout.protection.lattice import Classes, Lattice
from singleout.reading.columns import Column

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Population:
    """How many people each combination of values stands for, and the most that the mean risk among them may reach."""

    weights: Floats
    effective: float
    """The number of equally weighted records that say as much as those of the table."""
    limit: float
    confidence_level: float
    average: bool
    """Whether the limit is for the average over records; otherwise for the record that is worst off."""


@dataclass(frozen=True, eq=False)
class FileLimits:
    """Classes of at least ``k`` records, a mean risk of at most ``mean_risk``, at least ``l`` values, at most ``t``.

    ``sensitive`` columns are those of combinations. Classes that fail are left out, the smallest first for the mean
    risk, but at most ``most_left_out`` records. All is counted among the records that stay.
    """

    k: int = 1
    mean_risk: float = 1.0
    l: int = 1  # noqa: E741 - its name in the literature
    t: float = 1.0
    sensitive: tuple[Sensitive, ...] = ()
    most_left_out: int = 0
    population: Population | None = None

    @property
    def monotone(self) -> bool:
        """Merging a class that is too far from all records with one that is not may leave out more of them."""
        return not (self.sensitive and self.t < 1 and self.most_left_out)

    def is_possible(self, sizes: Indices, classes: Indices) -> bool:
        """Whether few enough records are in classes below k, or must be left out for the mean risk."""
        records = int(sizes @ classes)
        small = sizes < self.k
        gone, left = int(sizes[small] @ classes[small]), int(classes[~small].sum())
        if gone > self.most_left_out or not left:
            return False
        return self._enough(sizes[~small], classes[~small], records - gone, self.most_left_out - gone)

    def _enough(self, sizes: Indices, classes: Indices, records: int, spare: int) -> bool:
        """Whether the mean risk can be reached by leaving out the smallest classes."""
        left = int(classes.sum())
        for size, number in zip(sizes.tolist(), classes.tolist(), strict=True):
            if left <= self.mean_risk * records + ROUNDING:
                return True
            if self.mean_risk * size >= 1:  # larger classes lower the mean: leaving them out would not
                return False
            most = min(number, spare // size)
            # each class that goes takes one class and its records
            needed = int(np.ceil((left - self.mean_risk * records - ROUNDING) / (1 - self.mean_risk * size)))
            if needed <= most and needed < left:
                return True
            if most < number:
                return False
            left, records, spare = left - number, records - number * size, spare - number * size
        return False

    def leave_out(self, lattice: Lattice, node: Sequence[int], classes: Classes) -> NDArray[np.bool_] | None:
        """The classes that are left out; None if these would be too many records, or all."""
        values = [ClassValues.of(classes.label, each, lattice.table.counts) for each in self.sensitive]
        left_out = classes.sizes < self.k
        for each in values if self.l > 1 else ():
            left_out |= each.distinct() < self.l
        while True:
            before = left_out.copy()
            left_out |= self._smallest(classes.sizes, left_out)
            for each in values if self.t < 1 else ():
                left_out |= each.distance(~left_out) > self.t + ROUNDING
            if left_out.all() or int(classes.sizes[left_out].sum()) > self.most_left_out:
                return None
            if (left_out == before).all():
                break
        if self.population is not None and not self._safe_in_population(lattice, node, classes, left_out):
            return None
        return left_out

    def _smallest(self, sizes: Indices, gone: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The fewest of the smallest classes, besides those gone, without which the mean risk is met; all if none."""
        order = np.argsort(np.where(gone, -1, sizes), kind="stable")
        already = int(gone.sum())
        records = int(sizes.sum()) - np.concatenate([[0], np.cumsum(sizes[order])])
        left = len(sizes) - np.arange(len(sizes) + 1)
        enough = np.flatnonzero(left[already:] <= self.mean_risk * records[already:] + ROUNDING)
        chosen = np.zeros(len(sizes), dtype=bool)
        chosen[order[: already + int(enough[0])]] = True
        return chosen

    def _safe_in_population(
        self, lattice: Lattice, node: Sequence[int], classes: Classes, left_out: NDArray[np.bool_]
    ) -> bool:
        """Whether the risk in the population is within its limit: the mean by the upper end of its interval."""
        assert self.population is not None
        first = np.unique(classes.label, return_index=True)[1]
        kept = ~left_out
        columns = []
        for column, level in enumerate(node):
            new = lattice.levels[column][level]
            codes = new[lattice.table.codes[first, column]][kept].astype(np.int32)
            columns.append(Column("", codes, np.arange(int(new.max(initial=0)) + 1), any_missing=False))
        among = self.population
        weights = np.asarray(np.bincount(classes.label, among.weights)[kept], dtype=np.float64)
        mean, most = risk_of_classes(columns, classes.sizes[kept], weights, among.effective, among.confidence_level)
        return (mean if among.average else most) <= among.limit
