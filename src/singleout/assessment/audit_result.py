"""The answer of an audit as plain data: who could be re-identified, how likely, why, and what would protect them.

The same for event logs and tables. Names of people, places and values are only in it where ``reveal`` was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from singleout.assessment.about import AboutOptions
from singleout.assessment.audit_context import exposed_records, residual_risk, risky_records
from singleout.assessment.audit_document import SCHEMA, AuditDocument
from singleout.assessment.audit_parts import (
    AttackResult,
    Cause,
    Curve,
    PeopleAtRisk,
    ProtectionResult,
    RegulatorTest,
    Size,
    WorstOff,
)
from singleout.assessment.audit_probability import ProbabilityDict
from singleout.assessment.file_attack import MOST_EMPTIED
from singleout.assessment.ladder import FEW
from singleout.assessment.people_counted import inside_in_words, left_out_in_words, looked_for_among
from singleout.ground.earlier_results import in_json
from singleout.ground.files import versions, write_whole
from singleout.ground.notebooks import Pictured, renderer
from singleout.ground.notes import Note, number_of
from singleout.ground.numbers import capitalise, percent, percent_above, plural
from singleout.measures.intervals import Estimate, rate_columns, wilson
from singleout.measures.tables.table_risk import LimitedTableRiskDict, TableRisk
from singleout.measures.taught import TaughtDict

NO_LIMIT = "You set no risk limit, so there is no verdict."
NO_LIMIT_YET = "Decide which risk is acceptable, and verify the file with that as the risk limit."
LITTLE_LEFT = 0.8
"""The loss above which advice warns of it."""


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Pictured):
    """Everything that an audit found, with the numbers it rests on.

    ``kind`` is events or table. ``risk_limit`` is the user's; without one there is no verdict and no recommendation.
    ``place_name`` is what the user calls a place. ``options`` holds what was asked for, without names of people or
    places.

    Examples
    --------
    >>> import singleout as so
    >>> import numpy as np
    >>> import pyarrow as pa
    >>> rng = np.random.default_rng(1)
    >>> people = pa.table({"age": rng.integers(18, 90, 500), "town": rng.integers(0, 5, 500)})
    >>> audit = so.audit(people, known_columns=["age", "town"], max_risk=0.05, protect=False, progress=False)
    >>> audit.passed
    False
    >>> audit.risk
    Estimate(55.0% of 500)
    """

    kind: Literal["events", "table"]
    label: str
    synthetic: bool
    released: Size
    known: Size | None
    attacks: tuple[AttackResult, ...]
    curves: tuple[Curve, ...]
    people_at_risk: PeopleAtRisk
    causes: tuple[Cause, ...]
    protections: tuple[ProtectionResult, ...]
    tests: tuple[RegulatorTest, ...]
    assumptions: tuple[str, ...]
    notes: tuple[Note, ...]
    options: Mapping[str, Any]
    risk_limit: float | None
    reveal: bool
    seed: int
    place_name: str = "place"
    worst_off: WorstOff | None = None
    probability: ProbabilityDict | None = None
    """How reliable the probabilities of matches are, for an event log."""
    taught: TaughtDict | None = None
    """What an intruder learns who already knows some of the people, for an event log."""
    about: Mapping[str, str | None] = field(default_factory=dict)
    """What was said about the assessment itself: when, by whom, what for."""
    command: str = ""
    """The command that repeats the audit; empty where the data came from no file."""
    command_folder: str = ""
    """The folder in which its commands can be run, in words."""
    is_demo: bool = False
    """Whether the data and the risk limit are only an example."""
    verified: bool = False
    """Whether it is of a protected file that was measured again."""
    doubt: str = ""
    """Why the figures may be far too low; no limit counts as met then."""
    caveat: str = ""
    """What the verdict must not be read without, in a sentence."""

    @property
    def strongest(self) -> AttackResult:
        """The attack within the intruder's reach that re-identifies most people."""
        return max((each for each in self.attacks if each.within_reach), key=lambda each: each.rate.value)

    @property
    def risk(self) -> Estimate:
        """The re-identification rate: the share that the strongest attack re-identifies, with its interval."""
        return self.strongest.rate

    @property
    def has_limit(self) -> bool:
        """Whether the user set a limit: for the risk, or for the records that are worst off."""
        return self.risk_limit is not None or (self.worst_off is not None and self.worst_off.is_set)

    @property
    def meets_limit(self) -> bool | None:
        """Whether even the upper end of the interval is within the limit, and those worst off within theirs.

        An intruder who has data from the released period counts as well, where that was measured. None: no limit.
        """
        if not self.has_limit:
            return None
        return self._average_met and (self.worst_off is None or self.worst_off.is_met) and not self.doubt

    @property
    def from_inside(self) -> Estimate | None:
        """What an intruder with part of the data from its own period finds in the file; None where not measured."""
        return next((each.inside for each in self.protections if each.protection == "none"), None)

    @property
    def _average_met(self) -> bool:
        return self.risk_limit is None or self._highest <= self.risk_limit

    @property
    def tried(self) -> tuple[ProtectionResult, ...]:
        """The protections that were tried, without the data as it is."""
        return tuple(each for each in self.protections if each.protection != "none")

    @property
    def _highest(self) -> float:
        """The upper end of the risk, also from data of the released period, where that was measured."""
        return max(rate.high for rate in (self.risk, self.from_inside) if rate is not None)

    @property
    def passed(self) -> bool:
        """False only where a limit was set and is not met: by the upper end of the interval, or by those worst off."""
        return self.meets_limit is not False

    @property
    def recommended(self) -> ProtectionResult | None:
        """The protection that destroys least of those that bring the risk within the limit; guaranteed ones first.

        None without a limit, where none is needed, where rows may not be people, or where only protections do that
        leave next to nothing, or too many people with nothing.
        """
        if self.meets_limit is not False or self.doubt:
            return None
        enough = [each for each in self.protections if each.is_enough(self.risk_limit)]
        sure = [each for each in enough if each.is_guaranteed(self.risk_limit)]
        return min(sure or enough, key=lambda each: each.loss, default=None)

    @property
    def people_word(self) -> str:
        """What the data is about: people, or records of a table."""
        return "people" if self.kind == "events" else "records"

    @property
    def to_find_out(self) -> str:
        """What a doubt is about, in words."""
        return "whether an id always means the same person" if self.kind == "events" else "what a row stands for"

    @property
    def limits_in_words(self) -> str:
        """The limits that a protection must meet: the risk limit, and those for the records that are worst off."""
        several = self.worst_off is not None and self.worst_off.is_set
        return f"{self.whose} limit{'s' if several else ''}"

    @property
    def whose(self) -> str:
        """Whose the risk limit is, in words before it."""
        return "the example" if self.is_demo else "your"

    def sentence(self) -> str:
        """The answer in one sentence."""
        risk, best = self.risk, self.strongest
        few = f" There are too few {self.people_word} to say much." if risk.n < FEW else ""
        return (
            f"An intruder would re-identify {risk.count_in_words(self.people_word)} "
            f"{best.kind.in_words(best.by)}: {risk.in_words()}. Random guessing would re-identify "
            f"{percent(best.random)}.{few}{self._left_out}"
        )

    @property
    def _left_out(self) -> str:
        return left_out_in_words(self.notes, self.risk.n) if self.kind == "events" else ""

    def verdict(self) -> str:
        """The risk against the limit, in a sentence or two; without a limit there is nothing to hold it against."""
        mean = "" if self.has_limit else NO_LIMIT
        if self.risk_limit is not None:
            where = "within" if self.risk.high <= self.risk_limit else "above"
            high = percent_above(self.risk.high, self.risk_limit)
            what = "This" if self.risk.is_exact else f"The upper end of the interval, {high},"
            mean = f"{what} is {where} {self.whose} risk limit of {percent(self.risk_limit)}."
        if (inside := self.from_inside) is not None and inside.value > self.risk.value:
            mean += f" {inside_in_words(inside, self.risk.n)}"
        faults = self.worst_off.faults() if self.worst_off else ()
        answer = f"These figures may be far too low. {self.doubt}" if self.doubt else mean
        return " ".join(filter(None, [answer.strip(), *faults, self.caveat]))

    def advice(self) -> str:
        """Which protection would do, in a few sentences."""
        if self.doubt:
            return f"Find out {self.to_find_out} before you protect anything."
        if self.meets_limit:
            return self._advice_within()
        if not self.tried:
            more = "Protect the table more strongly, and verify the new file." if self.has_limit else NO_LIMIT_YET
            return more if self.verified else "No protection was tried."
        if not self.has_limit:
            return (
                f"{capitalise(number_of(len(self.tried), 'protections'))} were tried: the page shows what each "
                "leaves and what it destroys. For a recommendation, decide which risk is acceptable and set it as the "
                "risk limit."
            )
        best = self.recommended
        if best is not None:
            return self._advice_for(best)
        limit = 1.0 if self.risk_limit is None else self.risk_limit
        if self.kind == "events" and wilson(0, self.risk.n, self.risk.confidence_level).high > limit:
            return (
                f"There are too few {self.people_word} to show that any protection meets the limit: even if none were "
                "re-identified, the interval would reach above it."
            )
        left = f" and leaving no more than {MOST_EMPTIED:.0%} of them without data" if self.kind == "events" else ""
        kept = f"keeping {self.people_word} distinguishable{left}"
        return f"No protection that was tried meets {self.limits_in_words} while {kept}."

    def _advice_within(self) -> str:
        worst = "" if self.worst_off is None else self.worst_off.in_words()
        limit = f"Your limit{'s are' if ' and ' in worst else ' is'} met ({worst})" if worst else ""
        if self.risk_limit is not None:
            limit = f"The limit is met on average{f', and for every record ({worst})' if worst else ''}"
        met = f"{limit}, against an intruder who knows no more than assumed"
        found = self.people_at_risk.found
        above = "" if self.worst_off is None else risky_records(self.worst_off.risk, self.risk_limit)
        if not found:
            no_more = "" if self.caveat else f" No {'further ' if self.verified else ''}protection is needed for that."
            return f"{met}, but {above}." if above else f"{met}.{no_more}"
        are = "is" if found == 1 else "are"
        what = f"{are} still singled out" if self.kind == "table" else "would most likely still be re-identified"
        return f"{met}, but {number_of(found, self.people_word)} {what}{f', and {above}' if above else ''}."

    def _advice_for(self, best: ProtectionResult) -> str:
        left, sure = best.rate.in_words(), best.is_guaranteed(self.risk_limit)
        if sure and best.guarantee is not None:
            left += f", and to at most {percent(best.guarantee)} on average whatever the attack"
        little = " That destroys most of the detail." if best.loss > LITTLE_LEFT else ""
        wide = ""
        if sure and self.risk_limit is not None and best.rate.high > self.risk_limit:
            wide = " The measured interval is too wide to confirm that; the guarantee does."
        exposed = self.left_exposed(best)
        sampled = self.kind == "table" and {"population", "survey_weight"} & set(self.options)
        where = "the population" if sampled else "this data"
        return (
            f"{capitalise(best.does)} would bring the re-identification rate in {where} down to {left}. "
            f"{self.why_recommended(best)}{wide}{f' {exposed}' if exposed else ''} Information loss "
            f"{percent(best.loss)}.{little}"
        )

    def left_exposed(self, best: ProtectionResult) -> str:
        """The records of a table that a protection leaves unique, or above the limit, in sentences; empty if none."""
        return exposed_records(best.singled_out or 0, best.above_limit, self.risk_limit, after=True)

    def why_recommended(self, best: ProtectionResult) -> str:
        """What a protection has over the others that were tried, in a sentence or two."""
        does = "is guaranteed to meet" if best.is_guaranteed(self.risk_limit) else "meets"
        return f"It is the least destructive option tried that {does} {self.limits_in_words}."

    def beyond(self) -> str:
        """What a population of the size asked for would face; empty where none was asked for or can be given."""
        found = next((curve.extrapolated for curve in self.curves if curve.extrapolated is not None), None)
        if found is None or self.kind == "table":  # the answer of a table is that of its population already
            return ""
        return (
            f"In a population of {found.people:,} people like these, about {percent(found.value)} would be "
            f"re-identified (between {percent(found.low)} and {percent(found.high)}): not measured, but extrapolated."
        )

    def intruder(self) -> str:
        """What the intruder is assumed to have, in one sentence."""
        released, known = self.released, self.known
        if self.kind == "events":
            places = None if known is None else known.places
            where = "" if places is None else f" ({number_of(places, plural(self.place_name))})"
            who = "people" if known is None else number_of(known.people, "people")
            return (
                f"The intruder has data with names on {who}{where}, and looks for them among "
                f"{looked_for_among(released.people, self.from_inside, self._left_out)}"
            )
        if known is not None:
            return (
                f"The intruder has a table with names of {number_of(known.people, 'people')}, and looks for them among "
                f"the {number_of(released.people, 'records')} released without names."
            )
        across = "" if released.columns is None else f" with {released.columns:,} columns each"
        return (
            f"The intruder knows a few facts about a person and looks for them among {released.people:,} released "
            f"records{across}, without names."
        )

    def residual_risk(self) -> str:
        """The risk that remains, in the user's words or in a sentence from the numbers."""
        if self.doubt and not self.about.get("residual_risk"):
            return f"Not known: {self.to_find_out} has to be found out first."
        table = None if self.worst_off is None else self.worst_off.risk
        return residual_risk(self.about, self._highest, self.recommended, self.people_word, self.risk_limit, table)

    def to_json(self, path: str | Path) -> None:
        """Write the evidence to a file, whole or not at all."""
        write_whole(Path(path), in_json(self.to_dict()))

    def to_html(self, path: str | Path, *, about: Mapping[str, Any] | None = None) -> None:
        """Write the page to a file, whole or not at all; ``about`` is the manifest, where there is one."""
        write_whole(Path(path), renderer().make_page(self, about or versions()))

    def to_dict(self) -> AuditDocument:
        """The evidence: schema singleout/audit/3, described in docs/reference/audit-json.md."""
        return {
            "schema": SCHEMA,
            "kind": self.kind,
            "data": {
                "label": self.label,
                "synthetic": self.synthetic,
                "released": self.released.to_dict(),
                "known": None if self.known is None else self.known.to_dict(),
            },
            "risk": {"kind": str(self.strongest.kind), "by": self.strongest.by, **self.risk.to_dict()},
            "random": self.strongest.random,
            "risk_limit": self.risk_limit,
            "meets_limit": self.meets_limit,
            "passed": self.passed,
            "doubt": self.doubt or None,
            "worst_off": None if self.worst_off is None else self.worst_off.to_dict(),
            "table": None if self.worst_off is None else self._table_to_dict(self.worst_off.risk),
            "sentence": self.sentence(),
            "attacks": [attack.to_dict() for attack in self.attacks],
            "curves": [curve.to_dict() for curve in self.curves],
            "people_at_risk": self.people_at_risk.to_dict(),
            "probability": self.probability,
            "taught": self.taught,
            "causes": [asdict(cause) for cause in self.causes],
            "protections": [protection.to_dict() for protection in self.protections],
            "recommended": None if self.recommended is None else self.recommended.to_dict(),
            "tests": [asdict(test) for test in self.tests],
            "assumptions": list(self.assumptions),
            "notes": [note.to_dict() for note in self.notes],
            "about": AboutOptions().about() | dict(self.about),
            "command": self.command,
            "command_folder": self.command_folder,
            "options": dict(self.options),
            "reveal": self.reveal,
            "seed": self.seed,
        }

    def _table_to_dict(self, risk: TableRisk) -> LimitedTableRiskDict:
        limit = self.risk_limit
        return {**risk.to_dict(), "above_limit": None if limit is None else risk.above(limit)}

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        rows = [
            {"kind": str(each.kind), "by": each.by, "rate": each.rate.value, "low": each.rate.low}
            | {"high": each.rate.high, "random": each.random, "within_reach": each.within_reach}
            for each in self.attacks
        ]
        return pa.Table.from_pylist(rows)

    def headline(self) -> str:
        """The answer, the risk against its limit, and what would do."""
        return f"{self.sentence()} {self.verdict()} {self.advice()}"

    def _shown_table(self) -> pa.Table:
        """One row per attack."""
        return pa.Table.from_pylist(
            [
                {"attack": each.kind.label, "by": each.kind.name_by(each.by)} | rate_columns("re-identified", each.rate)
                for each in self.attacks
            ]
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.label}): {self.sentence()} {self.verdict()}"
