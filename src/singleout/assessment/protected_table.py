"""The door to protected tables: what may be asked, checked before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from singleout.assessment.known_columns import refuse_constant
from singleout.assessment.protected_file import ProtectedTable
from singleout.assessment.table_limits import TableLimits
from singleout.assessment.table_protector import FUNCTION, TableProtector
from singleout.ground.errors import InputError, unknown_name
from singleout.ground.names import TableLoss, TableMethod, TableRiskRule
from singleout.protection.table_changes import METHODS
from singleout.reading.identifiers import refuse_identifiers
from singleout.reading.tables import as_table, name_list


def protect_table(
    table: Any,
    *,
    known_columns: Sequence[str],
    k: int | None = None,
    max_risk: float | None = None,
    risk: TableRiskRule = "average",
    l: int | None = None,  # noqa: E741 - its name in the literature
    t: float | None = None,
    sensitive: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    recode: Mapping[str, str | Sequence[float]] | None = None,
    max_suppressed: float = 0.0,
    method: TableMethod = "recode",
    loss: TableLoss = "entropy",
    importance: Mapping[str, float] | None = None,
    population: int | None = None,
    allow: Sequence[str] = (),
    progress: bool | None = None,
) -> ProtectedTable:
    """Change the known columns of a table as little as possible, such that it meets limits.

    What comes of it is written to a file, read again and measured there.

    Parameters
    ----------
    table
        A Table, or a source that ``read_table`` reads.
    known_columns
        Columns that the intruder knows. All others are released as they are.
    k
        Every combination of known values occurs in at least k records.
    max_risk, risk
        The average (or maximum) risk is at most this: within the file, or, with survey weights or a ``population``, in
        the population, by the upper end of its interval.
    l, t, sensitive
        Every class of indistinguishable records has at least l values of each sensitive column, and their distribution
        is at most t from that of all records.
    hierarchies
        For columns: a file with one column per level (values first), or a mapping to coarser values.
    recode
        For columns: what to do with them. Numbers are the lower ends of ranges, such as [0, 18, 65]; or "round:5",
        "bottom:18,top:85", "rare:0.01", "keep", "drop". Columns without either get levels that suit their values.
    max_suppressed
        The share of records that may be left out because their combinations are rare.
    method
        "recode": every combination of levels is searched. "cells": single values become missing. "microaggregate":
        numbers are averaged over groups of k similar records.
    loss, importance
        What "recode" minimises: "entropy" (the share of the information in all known columns that is lost),
        "per-column" (the same, but every column counts equally), "discernibility" or "class-size". With the first two,
        columns that matter more can be given more importance.
    population
        The number of people that the file is a sample of, if it has no survey weight.
    allow
        Columns that are released although they look like direct identifiers; others are refused (drop them with
        ``read_table``).
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    ProtectedTable
        The protected table, with what was done and the risk that is left.

    Examples
    --------
    >>> import singleout as so
    >>> table = so.read_table(so.synthetic_records(seed=1).table)
    >>> protected = so.protect_table(table, known_columns=["area", "region", "home"], k=5)
    >>> protected.risk.k >= 5
    True
    >>> protected.to_arrow().num_rows
    500
    """
    opened = as_table(table)
    names = opened.check_columns(FUNCTION, "known_columns", known_columns)
    hidden = opened.check_columns(FUNCTION, "sensitive", sensitive, empty=True)
    limits = TableLimits(k, max_risk, risk, l, t, hidden)
    _check_method(method, limits, recode, hierarchies)
    protector = TableProtector(
        opened,
        names,
        hidden,
        hierarchies=dict(hierarchies or {}),
        recode=dict(recode or {}),
        loss=loss,
        importance=dict(importance or {}),
        population=population,
        progress=progress,
    )
    refuse_identifiers(opened, opened.columns, name_list(FUNCTION, "allow", allow), FUNCTION, progress=progress)
    if limits.is_set:  # it would count as met
        refuse_constant(protector.known, FUNCTION)
    return protector.protect(limits, method, max_suppressed)


def _check_method(method: str, limits: TableLimits, recode: Any, hierarchies: Any) -> None:
    if method not in METHODS:
        raise unknown_name(FUNCTION, "method", str(method), METHODS)
    if method != "recode" and (limits.l or limits.t or recode or hierarchies):
        raise InputError("`l`, `t`, `recode` and `hierarchies` require `method=recode`.", function=FUNCTION)
    if not limits.is_set and not recode:
        raise InputError("give a limit (`k`, `max_risk`, `l` or `t`), or `recode`.", function=FUNCTION)
