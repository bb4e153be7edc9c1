"""What was counted in a protected file, and what an intruder would expect of it."""

from __future__ import annotations

from dataclasses import dataclass

from singleout.ground.notes import number_of
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, Positive, Share


@dataclass(frozen=True)
class EstimatedMatches:
    """What an intruder would expect who knows nobody in the file: an estimate, not checked against the truth.

    ``share`` of the people known would be matched correctly; ``likely`` of the ``pairs`` look near-certain.
    """

    share: Share
    likely: Count
    pairs: Count


@dataclass(frozen=True)
class FileFigures:
    """What was counted in the file: its size, and people whose rows are identical.

    ``smallest`` is the least number of people who share their rows (k), ``unique`` counts people who share them with
    nobody. ``guarantee``: no attack can re-identify a larger share on average. ``identities``: whether the key was
    given. ``groups`` is the share of the people known whose group of identical rows an intruder finds; None without the
    key. ``withheld`` says why nothing was ``estimated``.
    """

    people: Positive
    places: Count
    rows: Count
    smallest: Positive
    unique: Count
    guarantee: Share
    identities: bool
    groups: Share | None = None
    estimated: EstimatedMatches | None = None
    withheld: str = ""

    def in_words(self) -> str:
        """The guarantee in a sentence or two."""
        most = f"No attack can re-identify more than {percent(self.guarantee)} of the people on average."
        if self.unique == self.people:
            return "Nobody shares their rows with anyone, so the file by itself guarantees nothing."
        if self.smallest == 1:
            alone = f"{self.unique:,} of {number_of(self.people, 'people')}"
            return f"{alone} share their rows with nobody, so the file guarantees nothing for them. {most}"
        others = number_of(self.smallest - 1, "others")
        return f"Everyone's rows are identical to those of at least {others} (k = {self.smallest:,}). {most}"

    def groups_in_words(self) -> str:
        """What identical rows do not hide, in a sentence; empty where there is nothing to say."""
        if self.smallest == 1 or self.groups is None or self.groups <= self.guarantee:
            return ""
        return (
            f"For {percent(self.groups)} of people an intruder can still tell which group of identical rows is theirs, "
            "and learns what these say."
        )

    def estimate_in_words(self) -> str:
        """What an intruder would expect, or why that is not said."""
        if self.estimated is None:
            return f"What an intruder who knows nobody in the file would expect is not estimated: {self.withheld}."
        found = self.estimated
        doubt = (
            "The key confirms that stated and true probabilities are close."
            if self.identities
            else "Nothing here confirms it: where it could be checked, it was off by a factor of up to about three."
        )
        return (
            "An intruder who knows nobody in the file would expect to re-identify about "
            f"{percent(found.share)} of the people they know; {found.likely:,} of {number_of(found.pairs, 'pairs')} "
            f"would look at least 95% likely to be right. This is an estimate from two parts of what is known. {doubt}"
        )
