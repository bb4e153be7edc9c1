"""What may be asked of ``protect``, for event logs and for tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from singleout.assessment.options import (
    DATA,
    OF_EVENTS,
    PROTECTION,
    REPORT,
    KnownOptions,
    ProtectOptions,
    ReadOptions,
    SplitOptions,
    foreign_options,
    option,
)
from singleout.assessment.table_options import OF_TABLES, TableChangeOptions, TableLimitOptions, TableOptions


# fields come in the order of the last base first
@dataclass(frozen=True, kw_only=True)
class ReleaseOptions(
    ProtectOptions, SplitOptions, TableChangeOptions, TableLimitOptions, TableOptions, KnownOptions, ReadOptions
):
    """What to protect, an event log or a table, and how."""

    method: str = option(
        "For tables: recode columns, suppress single cells, or micro-aggregate numbers.",
        "recode",
        panel=PROTECTION,
        metavar="recode|cells|microaggregate",
    )
    loss: str = option(
        "For tables: the loss that recoding minimises; per-column: each column counts the same.",
        "entropy",
        panel=PROTECTION,
        metavar="entropy|per-column|discernibility|class-size",
    )
    population: int | None = option("For tables: the file is a sample of this many people.", panel=DATA)
    max_risk: float | None = option(
        "Risk limit. A table is changed until it is met; of an event log nothing is written, and the exit code is 1, "
        "if the risk in the file could exceed it.",
        panel=REPORT,
    )

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """Options of event logs and of tables exclude each other."""
        if values["user"] is not None and values["known_columns"] is not None:
            return ["give either `user` (for an event log) or `known_columns` (for a table), not both."]
        return foreign_options(ReleaseOptions, values, OF_EVENTS, (*OF_TABLES, "method", "loss", "population"))
