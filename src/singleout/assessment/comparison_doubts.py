"""Why a new result cannot be said to be no worse than an old one: not all was tried, or other columns known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_file import AttackFigures, AuditFile
from singleout.ground.notes import in_a_row

WITH_SIMILARITY = (AttackKind.JOINT, AttackKind.ONE_BY_ONE)
"""Attacks that are tried with every similarity, of which not all are listed."""
LISTED_IF_STRONG = (AttackKind.FILE, AttackKind.SELECTIVE, AttackKind.CHANCE)
"""Attacks that are always tried, or listed only where they find more than others."""
USUAL_SPLIT = "halves"
BY_COLUMNS = (AttackKind.UNIQUE, AttackKind.KNOWN_COLUMNS, AttackKind.POPULATION)
"""Attacks by the columns that the intruder knows."""


def find_doubts(old: AuditFile, new: AuditFile) -> Iterator[str]:
    """Why the new result cannot be said to be no worse."""
    strongest, gone = _strongest(old), columns_gone(old, new)
    if strongest is not None and gone:  # what nobody can use is missed by nobody
        strongest = replace(strongest, by=", ".join(each for each in strongest.by.split(", ") if each not in gone))
    unknown = () if strongest is None else _no_longer_known(strongest, new)
    if unknown:
        it = "it" if len(unknown) == 1 else "them"
        yield (
            f"In the new result the intruder does not know {in_a_row(unknown)}. If the new file still has {it}, an "
            f"intruder may know {it} too, and the rate may then be higher."
        )
    elif strongest is None or not _was_tried(strongest, new):
        name = "The old result's strongest attack" if strongest is None else f"The strongest attack ({strongest.label})"
        yield f"{name} was not carried out for the new result; with it the rate may be higher."
    elif strongest.within_reach and _is_beyond_reach(strongest, new):
        yield (
            f"The strongest attack ({strongest.label}) counts in the old result and is for comparison only in the new "
            "one, whose intruder knows less; one who knows as much may reach a higher rate."
        )
    rules = [each.options.get("split") or USUAL_SPLIT for each in (old, new)]
    if old.is_verified != new.is_verified:
        if set(old.inputs or ()).isdisjoint(new.inputs or ()):
            which = "new" if new.is_verified else "old"
            yield (
                f"The {which} result is that of a protected file, attacked with what another file says. Whether the "
                "other result's intruder knows as much is not known: the two have no input file in common."
            )
    elif rules[0] != rules[1]:
        yield (
            f"What the intruder knows differs: the log was split by {rules[0]} for the old result, by {rules[1]} "
            "for the new one."
        )
    bounds = [each.strongest[0] == AttackKind.IDENTICAL_ROWS for each in (old, new)]
    if bounds[0] != bounds[1]:
        which = "new" if bounds[1] else "old"
        yield f"The rate of the {which} result is a bound for any attack, that of the other one was measured."
    if old.inside is not None and new.inside is None and new.protections:
        yield "An intruder with data from the released period was tried for the old result only."
    if new.doubt:
        why = "its ids may not always mean the same people" if new.kind == "events" else "its rows may be no people"
        yield f"The figures of the new result may be far too low: {why}."


def columns_gone(old: AuditFile, new: AuditFile) -> list[str]:
    """Known columns of the old result's strongest attack that the new file does not have, by this name or another."""
    strongest = _strongest(old)
    if strongest is None or strongest.kind not in BY_COLUMNS or old.column_names is None or new.column_names is None:
        return []
    if new.column_names - old.column_names:  # a column may have been renamed
        return []
    return [name for name in strongest.by.split(", ") if name in old.column_names - new.column_names]


def _strongest(result: AuditFile) -> AttackFigures | None:
    return next((each for each in result.attacks if (each.kind, each.by) == result.strongest), None)


def _columns(attack: AttackFigures) -> set[str]:
    return set(attack.by.split(", "))


def _no_longer_known(attack: AttackFigures, new: AuditFile) -> list[str]:
    """Columns that an attack went by and the same attack on the new data does not."""
    same = [each for each in new.attacks if each.kind == attack.kind]
    if attack.kind not in BY_COLUMNS or not same:
        return []
    return [name for name in attack.by.split(", ") if name not in _columns(same[0])]


def _is_beyond_reach(attack: AttackFigures, new: AuditFile) -> bool:
    """Whether attacks of this kind are only shown for comparison: of a sample nobody knows who is in it."""
    same = [each for each in new.attacks if each.kind == attack.kind]
    return bool(same) and not any(each.within_reach for each in same)


def _was_tried(attack: AttackFigures, new: AuditFile) -> bool:
    """Whether an attack was tried on the new data too; all of them are tried on a file that is verified."""
    if attack.kind in LISTED_IF_STRONG or any(each.kind == AttackKind.IDENTICAL_ROWS for each in new.attacks):
        return True
    if attack.kind in BY_COLUMNS:
        return any(each.kind == attack.kind and not _columns(attack) - _columns(each) for each in new.attacks)
    if attack.kind in WITH_SIMILARITY:
        return any(each.kind in WITH_SIMILARITY and each.by == attack.by for each in new.attacks)
    return any((each.kind, each.by) == (attack.kind, attack.by) for each in new.attacks)
