"""By which columns someone with a table of their own would most likely link two tables, with a reason for each."""

from __future__ import annotations

from dataclasses import replace

from singleout.reading.columns import Column
from singleout.reading.identifiers import find_identifiers
from singleout.reading.proposals import ColumnRole, Proposal, Role, propose_roles, refuse_data_in_header
from singleout.reading.roles import words_of_name
from singleout.reading.sources import Source
from singleout.reading.tables import Table


def propose(released: Source, known: Source | None, *, user: str | None = None) -> Proposal:
    """Propose what each column is: of a log or a table, or of a table and the one that the intruder has.

    ``user`` makes it a log, unless that column differs in every row and nothing says when: then rows are people.
    """
    proposal = propose_roles(released, user=user)
    if user is not None and known is None and not proposal.columns(Role.TIME):
        plain = propose_roles(released)
        if not plain.is_log and _is_distinct(*Table(released, (user,)).encode([user])):
            return plain
    return proposal if known is None or proposal.is_log else _with_links(proposal, released, known)


def _with_links(proposal: Proposal, released: Source, known: Source) -> Proposal:
    """The columns that both tables have, and which of them says who is who."""
    refuse_data_in_header(known)
    names = common_names(released, known)
    table, other = Table(released, tuple(names)), Table(known, tuple(names.values()))
    direct = {each.column for each in find_identifiers(table, names) if _is_distinct(*table.encode([each.column]))}
    common = {name: _values_in_common(*table.encode([name]), *other.encode([names[name]])) for name in names}
    keys = [name for name in names if name in direct and common[name]]
    truth = max(keys, key=lambda name: common[name], default=None)  # of equals the first
    roles = tuple(_role(each, names, common, truth, proposal.rows) for each in proposal.roles)
    return replace(proposal, roles=roles, known_names=names)


def _is_distinct(column: Column) -> bool:
    """Whether every record has a value of its own: names of people may repeat."""
    return len(column.values) == len(column.codes)


def common_names(released: Source, known: Source) -> dict[str, str]:
    """Columns of the released table that the known one has too, under the same name or the same words."""
    theirs = {tuple(words_of_name(name)) or (name,): name for name in reversed(list(known.column_types))}
    found: dict[str, str] = {}
    for name in released.column_types:
        other = name if name in known.column_types else theirs.get(tuple(words_of_name(name)))
        if other is not None and other not in found.values():
            found[name] = other
    return found


def _values_in_common(mine: Column, theirs: Column) -> int:
    return len({str(value) for value in mine.values.tolist()} & {str(value) for value in theirs.values.tolist()})


def _role(each: ColumnRole, names: dict[str, str], common: dict[str, int], truth: str | None, rows: int) -> ColumnRole:
    name = each.column
    if name not in names:
        reason = "the known file does not have it"
        return ColumnRole(name, Role.RELEASED, reason) if each.role == Role.KNOWN else each
    shared = f"{common[name]:,} of its values are in both files"
    if name == truth:
        without = rows - common[name]  # every record has a value of its own
        alone = f"{without:,} released record{' has' if without == 1 else 's have'} no partner by it" if without else ""
        alone = alone or "every released record has a partner by it"
        use = "only used to count correct links"
        return ColumnRole(name, Role.TRUTH, f"a value for each row, and {shared}; {alone}; {use}")
    if each.role in (Role.NOT_RELEASED, Role.WEIGHT):
        return each
    if not common[name]:
        return ColumnRole(name, Role.RELEASED, "both files have it, but no value in common")
    called = "" if names[name] == name else f" as {names[name]!r}"
    return ColumnRole(name, Role.ON, f"the known file has it too{called}: {shared}")
