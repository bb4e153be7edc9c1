"""The answer of a verification: an audit of the very file that goes out, with what the file itself guarantees."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from singleout.assessment.audit_document import AuditDocument
from singleout.assessment.audit_result import NO_LIMIT, NO_LIMIT_YET, Audit
from singleout.assessment.file_figures import FileFigures
from singleout.ground.numbers import percent


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Verification(Audit):
    """An audit of a protected file of people, places and shares, as it is on the disk.

    Without the key to its pseudonyms no attack can be scored: the risk is then the bound that identical rows set.

    Examples
    --------
    >>> import singleout as so
    >>> import pyarrow as pa
    >>> names, half = [1, 2, 3, 4], [0.5] * 4
    >>> released = pa.table({"person": names * 2, "place": ["a"] * 4 + ["b"] * 4, "share": half * 2})
    >>> known = pa.table({"who": names * 2, "where": ["a"] * 4 + ["b"] * 4, "times": [1] * 8})
    >>> found = so.verify(released, known, user="who", place="where", count="times", progress=False)
    >>> found.file.smallest, found.file.guarantee
    (4, 0.25)
    """

    file: FileFigures

    @property
    def upper(self) -> float:
        """What the risk is within: the upper end of the interval, or the guarantee where that is less."""
        return min(self.risk.high, self.file.guarantee)

    @property
    def _average_met(self) -> bool:
        return self.risk_limit is None or self.upper <= self.risk_limit

    def sentence(self) -> str:
        """The answer in one sentence or two."""
        if self.file.identities:
            return super().sentence()
        return (
            f"{self.file.in_words()} How many the strongest attack does re-identify cannot be measured without the key "
            "to the pseudonyms."
        )

    def verdict(self) -> str:
        """The risk against the limit, in one sentence."""
        if self.doubt:
            return f"These figures may be far too low. {self.doubt}"
        if self.risk_limit is None:
            return NO_LIMIT
        limit, sure = f"your risk limit of {percent(self.risk_limit)}", self.file.guarantee
        if not self.file.identities:
            return f"This bound, {percent(sure)}, is {'within' if sure <= self.risk_limit else 'above'} {limit}."
        high = f"The upper end of the interval, {percent(self.risk.high)},"
        if self.risk.high <= self.risk_limit:
            return f"{high} is within {limit}."
        if sure > self.risk_limit:
            return f"{high} is above {limit}."
        return (
            f"{high} is above {limit}. But since people share their rows, no attack can re-identify more than "
            f"{percent(sure)} on average, which is within it."
        )

    def advice(self) -> str:
        """What to do with the file."""
        if self.doubt:
            return (
                "Verify the file as protect wrote it, with all digits. If there is no noise in it, name the "
                "similarities to be tried (--similarities): the attack on noise is left out then."
            )
        if self.meets_limit is None:
            return NO_LIMIT_YET
        if self.meets_limit:
            return "The limit is met on average, against an intruder who knows no more than assumed."
        if self.file.identities:
            return "Protect the data more strongly, and verify the new file."
        return "Verify the file with its key to measure the risk, or protect the data more strongly."

    def residual_risk(self) -> str:
        """The risk that remains, in the user's words or in a sentence from the numbers."""
        said = self.about.get("residual_risk")
        if self.doubt and not said:
            return "Not known: the attack on noise could not be carried out."
        if not self.file.identities and not said:
            return (
                f"In this file at most {percent(self.upper)} of the people could be re-identified on average, whatever "
                "the attack. How many would be was not measured: that needs the key."
            )
        return said or f"In this file up to {percent(self.upper)} of the people would be re-identified on average."

    def to_dict(self) -> AuditDocument:
        """The evidence: as of an audit, with what was counted in the file."""
        return {**super().to_dict(), "file": asdict(self.file)}
