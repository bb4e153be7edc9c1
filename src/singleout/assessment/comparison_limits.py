"""Limits that an old result met and that a new one's figures do not: whichever limits the new result was given itself.

So a limit that was dropped or loosened still counts, and a stricter one that is not met says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from singleout.assessment.audit_file import MAXIMUM, MAXIMUM_AMONG, RISK, SINGLED_OUT, AuditFile, K, L, T
from singleout.assessment.table_limits import ROUNDING
from singleout.ground.notes import number_of
from singleout.ground.numbers import percent


@dataclass(frozen=True)
class Limit:
    """A limit in words, and what is found in words; ``least``: it is the least that is allowed, not the most."""

    name: str
    limit: Callable[[float], str]
    found: Callable[[float, str], str]
    least: bool = False

    def holds(self, bound: float, found: float) -> bool:
        """Whether a figure is within the bound."""
        return found >= bound if self.least else found <= bound * (1 + ROUNDING)


MOST_AT_RISK = "limit of {} for the record most at risk"
LIMITS = (
    Limit(RISK, lambda most: f"risk limit of {percent(most)}", lambda found, _: f"its risk is up to {percent(found)}"),
    *(
        Limit(name, lambda most: MOST_AT_RISK.format(percent(most)), lambda found, _: f"its risk is {percent(found)}")
        for name in (MAXIMUM, MAXIMUM_AMONG)
    ),
    Limit(K, lambda least: f"limit k = {least:,.0f}", lambda found, _: f"k is {found:,.0f}", least=True),
    Limit(L, lambda least: f"limit l = {least:,.0f}", lambda found, of: f"l of {of} is {found:,.0f}", least=True),
    Limit(T, lambda most: f"limit t = {most:g}", lambda found, of: f"t of {of} is {found:.3f}"),
    Limit(
        SINGLED_OUT,
        lambda most: f"limit of at most {number_of(int(most), 'records')} singled out",
        lambda found, _: f"{found:,.0f} {'is' if found == 1 else 'are'}",
    ),
)


def lost_limits(old: AuditFile, new: AuditFile) -> Iterator[str]:
    """Limits that the old result met and the new one does not, or cannot be said to meet, in sentences."""
    if old.doubt:  # no limit counted as met
        return
    for each in LIMITS:
        if each.name not in old.limits:
            continue
        bound = old.limits[each.name]
        for name, of in _figures(old, each.name):
            was = old.held.get((name, of))
            if not (old.meets_limit if was is None else each.holds(bound, was)) or _has_no_more(of, old, new):
                continue
            met, found = f"The old result met its {each.limit(bound)}", _find(new, name, of)
            if found is None:
                yield f"{met}; whether the new one does is not known: {of} was not measured as a sensitive column."
            elif not each.holds(bound, found):
                yield f"{met}; the new one does not: {each.found(found, of)}."


def _figures(old: AuditFile, name: str) -> list[tuple[str, str]]:
    """What one limit is held against: one figure, or one of each sensitive column."""
    return [(name, of) for found, of in old.held if found == name] or [(name, "")]


def _find(new: AuditFile, name: str, of: str) -> float | None:
    """The figure in the new result; within the file no record's risk is less than in the population."""
    found = new.held.get((name, of))
    return new.held.get((MAXIMUM, of)) if found is None and name == MAXIMUM_AMONG else found


def _has_no_more(column: str, old: AuditFile, new: AuditFile) -> bool:
    """Whether a column is in the old file and not in the new one, by this name or another: then it reveals nothing."""
    if old.column_names is None or new.column_names is None or new.column_names - old.column_names:
        return False
    return column in old.column_names - new.column_names
