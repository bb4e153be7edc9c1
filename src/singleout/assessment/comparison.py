"""Two results of ``audit`` or ``verify``, old and new: what changed, and whether the risk is worse.

The new result is worse if any of these holds: the interval of the difference of the two re-identification rates lies
above zero, for the headline or for an intruder with data from the released period; the smallest group (k) became
smaller; a limit that was set for the old result, and met, is not met by the figures of the new one. It is better if the
interval of the headline's difference lies below zero, and nothing is worse. What cannot be compared is neither better
nor worse, and does not pass the gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

import pyarrow as pa

from singleout.assessment.about import AboutOptions
from singleout.assessment.audit_file import AttackFigures, AuditFile, ProtectionFigures, read_audit_file
from singleout.assessment.comparison_document import (
    SCHEMA,
    ComparedSideDict,
    ComparisonDocument,
    DifferenceDict,
    RateChangeDict,
    ValueChangeDict,
)
from singleout.assessment.comparison_doubts import columns_gone, find_doubts
from singleout.assessment.comparison_limits import lost_limits
from singleout.ground.earlier_results import in_json
from singleout.ground.errors import InputError
from singleout.ground.files import versions, write_whole
from singleout.ground.notebooks import Pictured, renderer
from singleout.ground.notes import Note, in_a_row
from singleout.ground.numbers import percent
from singleout.measures.differences import Difference, difference
from singleout.measures.intervals import Estimate

FUNCTION = "compare_audits"
NOT_SETTINGS = ("label", "reveal", "max_risk", *(each.name for each in fields(AboutOptions)))
"""Options that do not change what is measured, or are shown elsewhere."""


class Verdict(StrEnum):
    """What became of the risk."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "no clear change"


@dataclass(frozen=True)
class RateChange:
    """One rate in both results; ``old`` or ``new`` None where it is only in the other."""

    name: str
    old: Estimate | None
    new: Estimate | None

    @property
    def change(self) -> Difference | None:
        """The difference, where both are there."""
        return None if self.old is None or self.new is None else difference(self.old, self.new)

    def to_dict(self) -> RateChangeDict:
        """Plain data."""
        old, new = (None if each is None else each.to_dict() for each in (self.old, self.new))
        return {"name": self.name, "old": old, "new": new, "change": _difference(self.change)}


@dataclass(frozen=True)
class ValueChange:
    """A count or a setting in both results; None where it is only in the other."""

    name: str
    old: Any
    new: Any

    def to_dict(self) -> ValueChangeDict:
        """Plain data."""
        return {"name": self.name, "old": self.old, "new": self.new}


@dataclass(frozen=True, eq=False)
class AuditComparison(Pictured):
    """What changed from one result to another.

    ``faults`` say why the new one is worse, and ``doubts`` why the two cannot be compared: either fails the gate.
    ``same_inputs`` is None where a result has no manifest.

    Examples
    --------
    >>> import singleout as so
    >>> people = so.synthetic_records(seed=1).table
    >>> asked = {"protect": False, "progress": False}
    >>> old = so.audit(people, known_columns=["area"], **asked)
    >>> new = so.audit(people, known_columns=["area", "home"], **asked)
    >>> found = so.compare_audits(old, new)
    >>> (found.passed, found.change.is_above)
    (False, True)
    """

    old: AuditFile
    new: AuditFile
    rates: tuple[RateChange, ...]
    """The headline first, then an intruder with data from the released period, where both have one."""
    attacks: tuple[RateChange, ...]
    protections: tuple[RateChange, ...]
    counts: tuple[ValueChange, ...]
    settings: tuple[ValueChange, ...]
    notes_new: tuple[Note, ...]
    notes_gone: tuple[Note, ...]
    faults: tuple[str, ...]
    doubts: tuple[str, ...]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the new result left out and the old one did not."""
        return self.notes_new

    @property
    def change(self) -> Difference:
        """How much the headline changed."""
        return difference(self.old.risk, self.new.risk)

    @property
    def same_inputs(self) -> bool | None:
        """Whether both are of the same files."""
        if self.old.inputs is None or self.new.inputs is None:
            return None
        return self.old.inputs == self.new.inputs

    @property
    def verdict(self) -> Verdict:
        """Better, worse, or no clear change."""
        if self.faults:
            return Verdict.WORSE
        return Verdict.BETTER if self.change.is_below and not self.doubts else Verdict.UNCLEAR

    @property
    def passed(self) -> bool:
        """Whether the new result is comparable and not worse."""
        return not self.faults and not self.doubts

    def sentence(self) -> str:
        """The answer in one or two sentences."""
        old, new = self.old.risk, self.new.risk
        if old.value == new.value:
            return f"The re-identification rate is {percent(new.value)} in both results."
        way = "rose" if new.value > old.value else "fell"
        may = "" if self.change.is_clear else " A difference of this size may be due to chance."
        return f"The re-identification rate {way} from {old.in_words()} to {new.in_words()}: {self.change}.{may}"

    def about_inputs(self) -> str:
        """Whether the same people were measured, what that means for the interval, and known columns that are gone."""
        gone = columns_gone(self.old, self.new)
        them = "it" if len(gone) == 1 else "them"
        lost = f" The new file no longer has {in_a_row(gone)}: nobody can use {them}." if gone else ""
        return self._about_files() + lost

    def _about_files(self) -> str:
        if self.same_inputs is None:
            return "At least one result has no manifest, so it is not known whether both are of the same files."
        if self.same_inputs:
            return (
                "Both results are of the same input files, so any difference comes from the options, the seed or the "
                "version. The interval of the difference treats people as two independent sets, and is too wide here."
            )
        return "The input files differ. The interval of the difference treats people as two independent sets."

    def to_dict(self) -> ComparisonDocument:
        """The evidence: schema singleout/comparison/1, described in docs/reference/compare-json.md."""
        return {
            "schema": SCHEMA,
            "kind": self.new.kind,
            "verdict": self.verdict.value,
            "passed": self.passed,
            "faults": list(self.faults),
            "doubts": list(self.doubts),
            "sentence": self.sentence(),
            "same_inputs": self.same_inputs,
            "old": _side(self.old),
            "new": _side(self.new),
            "change": {"value": self.change.value, "low": self.change.low, "high": self.change.high},
            "rates": [each.to_dict() for each in self.rates],
            "attacks": [each.to_dict() for each in self.attacks],
            "protections": [each.to_dict() for each in self.protections],
            "recommended": {"old": self.old.recommended, "new": self.new.recommended},
            "counts": [each.to_dict() for each in self.counts],
            "settings": [each.to_dict() for each in self.settings],
            "notes": {
                "new": [note.to_dict() for note in self.notes_new],
                "gone": [note.to_dict() for note in self.notes_gone],
            },
        }

    def to_json(self, path: str | Path) -> None:
        """Write the evidence to a file, whole or not at all."""
        write_whole(Path(path), in_json(self.to_dict()))

    def to_html(self, path: str | Path, *, about: Mapping[str, Any] | None = None) -> None:
        """Write the page to a file, whole or not at all; ``about`` is the manifest, where there is one."""
        write_whole(Path(path), renderer().make_page(self, about or versions()))

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        rows = [
            {"attack": each.name, "old": each.old and each.old.value, "new": each.new and each.new.value}
            | {"change": change and change.value, "low": change and change.low, "high": change and change.high}
            for each in self.attacks
            for change in [each.change]
        ]
        return pa.Table.from_pylist(rows)

    def __str__(self) -> str:
        return "\n".join([f"{str(self.verdict).capitalize()}. {self.sentence()}", *self.faults, *self.doubts])

    __repr__ = __str__


def compare_audits(old: Any, new: Any) -> AuditComparison:
    """Compare two results of ``audit`` or ``verify``: Audits, result files, or the folders they are in.

    Both must be of the same kind, event logs or tables. Whatever was asked for or tried in one only is listed.

    Parameters
    ----------
    old, new
        An Audit, or the path of audit.json or verify.json, or of the folder that holds one of them.

    Returns
    -------
    AuditComparison
        What changed, with a verdict.

    Examples
    --------
    >>> import singleout as so
    >>> people = so.synthetic_records(seed=1).table
    >>> asked = {"protect": False, "progress": False}
    >>> old = so.audit(people, known_columns=["area"], **asked)
    >>> new = so.audit(people, known_columns=["area", "home"], **asked)
    >>> str(so.compare_audits(old, new).verdict)
    'worse'
    """
    before, after = read_audit_file(old, FUNCTION, "old"), read_audit_file(new, FUNCTION, "new")
    if before.kind != after.kind:
        kinds = {"events": "an event log", "table": "a table"}
        problem = f"`old` is of {kinds[before.kind]} and `new` of {kinds[after.kind]}; they cannot be compared."
        raise InputError(problem, function=FUNCTION)
    rates = [RateChange("re-identification rate", before.risk, after.risk)]
    if before.inside is not None and after.inside is not None:
        rates.append(RateChange("intruder with data from the released period", before.inside, after.inside))
    return AuditComparison(
        before,
        after,
        rates=tuple(rates),
        attacks=_pair_rates(_by_label(before.attacks), _by_label(after.attacks)),
        protections=_pair_rates(_by_name(before.protections), _by_name(after.protections)),
        counts=_pair_values(_all_counts(before), _all_counts(after)),
        settings=tuple(each for each in _pair_values(_settings(before), _settings(after)) if each.old != each.new),
        notes_new=tuple(note for note in after.notes if note not in before.notes),
        notes_gone=tuple(note for note in before.notes if note not in after.notes),
        faults=tuple(_faults(before, after, rates)),
        doubts=tuple(find_doubts(before, after)),
    )


# WORSE


def _faults(old: AuditFile, new: AuditFile, rates: list[RateChange]) -> Iterator[str]:
    """Why the new result is worse."""
    for each in rates:
        if each.change is not None and each.change.is_above:
            what = f"The {each.name} is" if each is rates[0] else f"The rate of an {each.name} is"
            yield f"{what} clearly higher: {each.change}."
    if old.smallest is not None and new.smallest is not None and new.smallest < old.smallest:
        fell = f"fell from {old.smallest:,} to {new.smallest:,}"
        yield f"The smallest group of indistinguishable {new.people_word} (k) {fell}."
    yield from lost_limits(old, new)


# SIDE BY SIDE


def _by_label(attacks: tuple[AttackFigures, ...]) -> dict[str, Estimate]:
    """Rates by attack; of several with one name the highest."""
    return {each.label: each.rate for each in sorted(attacks, key=lambda each: each.rate.value)}


def _by_name(protections: tuple[ProtectionFigures, ...]) -> dict[str, Estimate]:
    return {each.name: each.rate for each in protections}


def _pair_rates(old: Mapping[str, Estimate], new: Mapping[str, Estimate]) -> tuple[RateChange, ...]:
    return tuple(RateChange(name, old.get(name), new.get(name)) for name in dict.fromkeys([*new, *old]))


def _pair_values(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[ValueChange, ...]:
    return tuple(ValueChange(name, old.get(name), new.get(name)) for name in dict.fromkeys([*new, *old]))


def _all_counts(result: AuditFile) -> dict[str, int]:
    return dict(result.counts) | ({} if result.smallest is None else {"k": result.smallest})


def _settings(result: AuditFile) -> dict[str, Any]:
    """What was asked for, the risk limit, and the version."""
    options = {name: value for name, value in result.options.items() if name not in NOT_SETTINGS}
    limit = {"risk_limit": result.risk_limit, "confidence_level": result.risk.confidence_level}
    return options | limit | ({} if result.version is None else {"version": result.version})


def _difference(change: Difference | None) -> DifferenceDict | None:
    return None if change is None else {"value": change.value, "low": change.low, "high": change.high}


def _side(result: AuditFile) -> ComparedSideDict:
    return {
        "label": result.label,
        "risk": {"kind": result.strongest[0], "by": result.strongest[1], **result.risk.to_dict()},
        "random": result.random,
        "risk_limit": result.risk_limit,
        "meets_limit": result.meets_limit,
    }
