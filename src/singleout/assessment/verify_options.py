"""What may be asked when a protected file is verified, the same in Python and as flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from singleout.assessment.about import AboutOptions
from singleout.assessment.attack_options import OF_SIMILARITIES, SimilarityOptions
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.options import (
    DATA,
    OF_FILES,
    REPORT,
    RUN,
    CoarserOptions,
    OptionGroup,
    ReadOptions,
    foreign_options,
    option,
)
from singleout.assessment.table_options import TableLimitOptions, TableOptions

OF_LOGS = (
    *(each.name for each in fields(ReadOptions) if each.name not in ("user", *OF_FILES)),
    *(each.name for each in fields(CoarserOptions)),
    *OF_SIMILARITIES,
    "place_name",
)
OF_TABLES = (
    *(each.name for each in fields(TableOptions) if each.name not in (*OF_FILES, "allow")),
    *(each.name for each in fields(TableLimitOptions) if each.name != "known_columns"),
    "max_singled_out",
    "population",
)


# fields come in the order of the last base first
@dataclass(frozen=True, kw_only=True, repr=False)
class VerifyOptions(AboutOptions, SimilarityOptions, CoarserOptions, TableLimitOptions, TableOptions, ReadOptions):
    """What to ask of a protected file. The columns of an event log are those of what the intruder knows.

    Examples
    --------
    >>> import singleout as so
    >>> so.VerifyOptions(user="card", time="at", place="shop", max_risk=0.05)
    VerifyOptions(user='card', time='at', place='shop', max_risk=0.05)
    """

    function: ClassVar[str] = "verify"

    population: int | None = option("For tables: the file is a sample of this many people.", panel=DATA)
    place_name: str = option("What reports call a place, such as product or antenna.", "place", panel=REPORT)
    max_risk: float | None = option(
        "Risk limit, such as 0.05: exit with code 1 if the risk in the file could exceed it.", panel=REPORT
    )
    max_singled_out: int | None = option(
        "For tables: exit with code 1 if more than N records are singled out.", panel=REPORT
    )
    list_people: int = option("With --reveal: how many of the people at risk to list.", 10, panel=REPORT)
    confidence_level: float = option("Confidence level of the intervals.", 0.95, panel=REPORT)
    label: str | None = option("Name of the data in the report (default: the file names).", panel=REPORT)
    reveal: bool = option("Show ids, places and rare values.", default=False, panel=RUN)
    seed: int = option(
        "Seed for breaking ties and drawing samples at random; the same seed gives the same result.", 0, panel=RUN
    )

    __repr__ = OptionGroup.__repr__

    @property
    def is_table(self) -> bool:
        """Whether the file is a table of records."""
        return self.known_columns is not None

    def as_audit(self) -> AuditOptions:
        """The same as options of an audit that tries no protections."""
        shared = {each.name for each in fields(AuditOptions)} - {each.name for each in fields(CoarserOptions)}
        given = {each.name: getattr(self, each.name) for each in fields(self) if each.name in shared}
        return AuditOptions(**given, protect=False)

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """Options of event logs and of tables exclude each other."""
        of_people = values["user"] is not None or values["user_from_name"]
        if not of_people and values["known_columns"] is None:
            return [
                "specify what the file is: `user`, the column of people in what is known, for a protected event log, "
                "or `known_columns` for a protected table."
            ]
        if values["user"] is not None and values["user_from_name"]:
            return ["give either `user` or `user_from_name`, not both."]
        if of_people and values["known_columns"] is not None:
            return ["give either `user` (for an event log) or `known_columns` (for a table), not both."]
        faults = foreign_options(VerifyOptions, values, OF_LOGS, OF_TABLES)
        if values["known_columns"] is None and values["place"] is None and values["lat"] is None:
            faults.append("`place` is missing (or give `lat`, `lng` and `grid`).")
        faults += SimilarityOptions.contradictions(values)
        several = ("shorten", "coarsen", "hierarchy_level")
        return faults + [f"`{name}` takes only one value." for name in several if len(values[name] or ()) > 1]
