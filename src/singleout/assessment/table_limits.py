"""The limits that a table must meet, for all records on average and for those that are worst off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from singleout.ground.errors import DataError, bad_argument, is_number, is_whole
from singleout.ground.notes import in_a_row, number_of
from singleout.ground.numbers import percent
from singleout.measures.tables.table_risk import TableRisk

AVERAGE, MAXIMUM = RISKS = ("average", "maximum")
ROUNDING = 1e-9


@dataclass(frozen=True)
class TableLimits:
    """``k`` records share every combination of known values; the average or maximum ``risk`` is at most ``max_risk``.

    Every class has at least ``l`` different values of each sensitive column, and is at most ``t`` from all records. In
    a file with survey weights, or with ``population`` people behind it, the risk is that in the population.
    """

    k: int | None = None
    max_risk: float | None = None
    risk: str = AVERAGE
    l: int | None = None  # noqa: E741 - its name in the literature
    t: float | None = None
    sensitive: tuple[str, ...] = ()
    function: str = "protect_table"

    def __post_init__(self) -> None:
        for name in ("k", "l"):
            value = getattr(self, name)
            if value is not None and (not is_whole(value) or value < 2):
                raise bad_argument(self.function, name, "a whole number, 2 or more", value)
        for name in ("max_risk", "t"):
            value = getattr(self, name)
            if value is not None and (not is_number(value) or not 0 < value < 1):
                raise bad_argument(self.function, name, "between 0 and 1", value)
        if self.risk not in RISKS:
            raise bad_argument(self.function, "risk", f"one of {', '.join(RISKS)}", self.risk)
        if (self.l is not None or self.t is not None) and not self.sensitive:
            raise DataError("`l` and `t` require `sensitive` columns.", function=self.function)

    @property
    def is_set(self) -> bool:
        """Whether there is any limit."""
        return any(each is not None for each in (self.k, self.max_risk, self.l, self.t))

    def least_class(self, in_population: bool) -> int:
        """The size that every class must have: k, or what a maximum risk within the file implies."""
        own = 1 if self.k is None else self.k
        if self.max_risk is None or self.risk != MAXIMUM or in_population:
            return own
        return max(own, math.ceil(1 / self.max_risk - ROUNDING))

    def mean_risk(self, in_population: bool) -> float:
        """The most that the average risk within the file may be."""
        return 1.0 if self.max_risk is None or self.risk != AVERAGE or in_population else self.max_risk

    def measured(self, found: TableRisk) -> float:
        """What is compared with ``max_risk``: in the population the upper end of the interval."""
        if found.population is None:
            return found.average if self.risk == AVERAGE else found.maximum
        return found.population.rate.high if self.risk == AVERAGE else float(found.population.risks.max())

    def faults(self, found: TableRisk) -> list[str]:
        """Limits that are not met, in sentences."""
        where = "" if found.population is None else " in the population"
        faults = []
        if self.max_risk is not None and self.measured(found) > self.max_risk * (1 + ROUNDING):
            faults.append(
                f"The {self.risk} risk{where}, {percent(self.measured(found))}, is above your limit of "
                f"{percent(self.max_risk)}."
            )
        if self.k is not None and found.k < self.k:
            shared = number_of(found.k, "records")
            faults.append(
                f"Some combinations of known values occur in only {shared}; you require at least {self.k:,} (k)."
            )
        for each in found.diversity:
            if self.l is not None and each.distinct < self.l:
                values = number_of(each.distinct, "values")
                faults.append(
                    f"Some indistinguishable records have only {values} of {each.column}; your limit (l) is {self.l}."
                )
            if self.t is not None and each.t > self.t + ROUNDING:
                faults.append(
                    f"The values of {each.column} of some indistinguishable records are {each.t:.3f} from those of "
                    f"all; your limit (t) is {self.t:g}."
                )
        return faults

    def in_words(self) -> str:
        """The limits, in a few words."""
        said = [f"k = {self.k}"] * (self.k is not None)
        said += [f"{self.risk} risk at most {percent(self.max_risk or 0)}"] * (self.max_risk is not None)
        said += [f"l = {self.l}"] * (self.l is not None) + [f"t = {self.t:g}" if self.t else ""] * (self.t is not None)
        return in_a_row(said)

    def as_flags(self) -> list[str]:
        """The same on the command line."""
        given: Sequence[tuple[str, Any]] = (
            ("--k", self.k),
            ("--max-risk", self.max_risk),
            ("--risk", None if self.risk == AVERAGE else self.risk),
            ("--l", self.l),
            ("--t", self.t),
            ("--sensitive", ",".join(self.sensitive) or None),
        )
        return [word for name, value in given if value is not None for word in (name, f"{value}")]
