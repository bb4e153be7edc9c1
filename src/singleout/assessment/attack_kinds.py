"""The kinds of attack that an assessment carries out, and their names in reports."""

from __future__ import annotations

from enum import StrEnum


class AttackKind(StrEnum):
    """One kind of attack; the value is its name in result files."""

    CHANCE = "chance"
    ONE_BY_ONE = "one-by-one"
    JOINT = "joint"
    SELECTIVE = "selective"
    TAUGHT = "taught"
    SHAPE = "shape"
    FILE = "file"
    UNIQUE = "unique"
    KNOWN_COLUMNS = "known-columns"
    POPULATION = "population"
    EQUAL_RECORDS = "equal-records"
    COMPLETE_LINKS = "complete-links"
    NEARLY_COMPLETE_LINKS = "nearly-complete-links"
    PROBABLE_LINKS = "probable-links"
    ONE_MORE_COLUMN = "one-more-column"
    ALL_COLUMNS = "all-columns"

    @property
    def label(self) -> str:
        """As tables and charts name it."""
        return _LABELS[self]

    def in_words(self, by: str) -> str:
        """How an intruder goes about it, for readers new to its name; ``by`` is what it compares people by."""
        return _IN_WORDS[self].format(by=by)


_LABELS = {
    AttackKind.CHANCE: "chance",
    AttackKind.ONE_BY_ONE: "one-by-one matching",
    AttackKind.JOINT: "joint matching",
    AttackKind.SELECTIVE: "joint matching, near-certain pairs only",
    AttackKind.TAUGHT: "joint matching, some people known",
    AttackKind.SHAPE: "shape of movements",
    AttackKind.FILE: "attack on the file",
    AttackKind.UNIQUE: "unique on known columns",
    AttackKind.KNOWN_COLUMNS: "known columns",
    AttackKind.POPULATION: "known columns, in the population",
    AttackKind.EQUAL_RECORDS: "guesses among equal records",
    AttackKind.COMPLETE_LINKS: "links, complete agreement",
    AttackKind.NEARLY_COMPLETE_LINKS: "links, one disagreement allowed",
    AttackKind.PROBABLE_LINKS: "most probable links",
    AttackKind.ONE_MORE_COLUMN: "one more column",
    AttackKind.ALL_COLUMNS: "all columns",
}
_IN_WORDS = {
    AttackKind.CHANCE: "by guessing at random",
    AttackKind.ONE_BY_ONE: "by comparing one person at a time (one-by-one matching, {by})",
    AttackKind.JOINT: "by comparing everyone with everyone at once (joint matching, {by})",
    AttackKind.SELECTIVE: "by joint matching, acting only on near-certain pairs ({by})",
    AttackKind.TAUGHT: "by joint matching that learns from the {by} of the people who are already known",
    AttackKind.SHAPE: "by the shape of their movements alone ({by})",
    AttackKind.FILE: "by the strongest attack on the file as it is ({by})",
    AttackKind.UNIQUE: "for certain, from {by}",
    AttackKind.KNOWN_COLUMNS: "from {by}, guessing among indistinguishable records",
    AttackKind.POPULATION: "from {by}, without knowing who is in the file",
    AttackKind.EQUAL_RECORDS: "by guessing among the records that are equal in {by}",
    AttackKind.COMPLETE_LINKS: "by linking records that agree completely on {by}",
    AttackKind.NEARLY_COMPLETE_LINKS: "by linking records that disagree on at most one of {by}",
    AttackKind.PROBABLE_LINKS: "by the most probable links on {by}, although values may be wrong or missing",
    AttackKind.ONE_MORE_COLUMN: "from the known columns and {by}",
    AttackKind.ALL_COLUMNS: "from {by}",
}
