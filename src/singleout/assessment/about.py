"""About an assessment: who made it, when, what for, and what was decided; what a report needs to be filed."""

from __future__ import annotations

from dataclasses import dataclass, fields

from singleout.assessment.options import ABOUT, OptionGroup, option

RELEASE_MODELS = ("public", "group", "one recipient", "internal")
STATUSES = DRAFT, FINAL = ("draft", "final")
AUDIENCES = INTERNAL, PUBLIC = ("internal", "public")
"""Who reads a report."""


@dataclass(frozen=True, kw_only=True)
class AboutOptions(OptionGroup):
    """What a reader of the report must know about the assessment itself; the report leaves lines for what is blank."""

    reference: str | None = option("Reference of the assessment, such as a file number.", panel=ABOUT)
    organisation: str | None = option("Who is responsible for the data.", panel=ABOUT)
    purpose: str | None = option("What the data is released for.", panel=ABOUT)
    recipient: str | None = option("Who gets the data.", panel=ABOUT)
    release_model: str | None = option(
        "How the data is released.", panel=ABOUT, metavar="public|group|one recipient|internal"
    )
    assessed_on: str | None = option(
        "Date of the assessment, such as 2026-05-31. No other date enters the report.", panel=ABOUT, metavar="DATE"
    )
    review_by: str | None = option("Date of the next review.", panel=ABOUT, metavar="DATE")
    status: str | None = option("State of the report.", panel=ABOUT, metavar="draft|final")
    decision: str | None = option("What was decided.", panel=ABOUT)
    residual_risk: str | None = option("The risk that remains, in a sentence.", panel=ABOUT)
    prepared_by: str | None = option("Who made the assessment.", panel=ABOUT)
    reviewed_by: str | None = option("Who checked it.", panel=ABOUT)
    approved_by: str | None = option("Who approved it.", panel=ABOUT)

    def about(self) -> dict[str, str | None]:
        """What was said, by name; None where nothing was."""
        return {each.name: getattr(self, each.name) for each in fields(AboutOptions)}

    def doubt_final(self) -> str:
        """Why a report should not be called final: fields that are blank; the risk that remains is stated anyway."""
        blank = [name.replace("_", " ") for name, said in self.about().items() if not said and name != "residual_risk"]
        final = self.status == FINAL and blank
        return f"the report is called final, but these are blank: {', '.join(blank)}." if final else ""
