"""The kinds of attack that an assessment carries out, and their names in reports."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from singleout.ground.plain_data import OneOf
from singleout.similarity.registry import similarity_name


class AttackKind(StrEnum):
    """One kind of attack; the value is its name in result files."""

    CHANCE = "chance"
    ONE_BY_ONE = "one-by-one"
    JOINT = "joint"
    SELECTIVE = "selective"
    TAUGHT = "taught"
    SHAPE = "shape"
    FILE = "file"
    IDENTICAL_ROWS = "identical-rows"
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

    @property
    def does(self) -> str:
        """What an intruder does, in a sentence for readers new to the name."""
        return _DOES[self]

    def in_words(self, by: str) -> str:
        """How an intruder goes about it, for readers new to its name; ``by`` is what it compares people by."""
        return _IN_WORDS[self].format(by=self.name_by(by))

    def name_by(self, by: str) -> str:
        """What an attack compares people by, as reports call it."""
        if self in BY_SIMILARITY:
            return similarity_name(by)
        return _SHAPES.get(by, by) if self is AttackKind.SHAPE else by

    def label_with(self, by: str) -> str:
        """The attack and what it compares people by, as tables and charts name it."""
        if self is AttackKind.TAUGHT:
            return f"joint matching, {by} of the people known"
        return f"{self.label}: {self.name_by(by)}" if by and self is not AttackKind.SELECTIVE else self.label


AttackName = Annotated[str, OneOf(tuple(str(kind) for kind in AttackKind))]
"""A kind in plain data."""
HeadlineName = Annotated[str, OneOf(tuple(str(kind) for kind in AttackKind if kind is not AttackKind.TAUGHT))]
"""A kind that needs nobody to be known beforehand."""

BY_SIMILARITY = (AttackKind.ONE_BY_ONE, AttackKind.JOINT, AttackKind.SELECTIVE, AttackKind.FILE)
_SHAPES = {"size": "size only", "summary": "full summary"}
"""Kernels that an audit compares networks by."""
_LABELS = {
    AttackKind.CHANCE: "chance",
    AttackKind.ONE_BY_ONE: "one-by-one matching",
    AttackKind.JOINT: "joint matching",
    AttackKind.SELECTIVE: "joint matching, near-certain pairs only",
    AttackKind.TAUGHT: "joint matching, some people known",
    AttackKind.SHAPE: "shape of movements",
    AttackKind.FILE: "attack on the file",
    AttackKind.IDENTICAL_ROWS: "at most, whatever the attack",
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
    AttackKind.IDENTICAL_ROWS: "at most, whatever the attack ({by})",
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
_DOES = {
    AttackKind.CHANCE: "Guesses at random.",
    AttackKind.ONE_BY_ONE: "Takes, for each person separately, the one whose data is most similar.",
    AttackKind.JOINT: "Pairs everyone with everyone at once, so that all pairs together are as similar as possible.",
    AttackKind.SELECTIVE: "Pairs everyone at once, and acts only on pairs that look at least 95% likely to be right.",
    AttackKind.TAUGHT: "Pairs everyone at once, after learning what counts from people who are already identified.",
    AttackKind.SHAPE: "Compares how people move between places, without knowing the places.",
    AttackKind.FILE: "Attacks the very file that would be released, by everything that was tried.",
    AttackKind.IDENTICAL_ROWS: "Guesses among people whose rows are identical: no attack can do better on average.",
    AttackKind.UNIQUE: "Looks up the known columns of a person and finds a single record.",
    AttackKind.KNOWN_COLUMNS: "Looks up the known columns of a person and guesses among the records found.",
    AttackKind.POPULATION: "The same without knowing who is in the file, only in the population it was drawn from.",
    AttackKind.EQUAL_RECORDS: "Links records that are equal in all common columns, and guesses among several.",
    AttackKind.COMPLETE_LINKS: "Links records that agree in all common columns and in no others.",
    AttackKind.NEARLY_COMPLETE_LINKS: "Links records that disagree in at most one common column.",
    AttackKind.PROBABLE_LINKS: "Weighs agreements and disagreements of columns, and takes the most probable links.",
    AttackKind.ONE_MORE_COLUMN: "Looks up the known columns and one more: for comparison.",
    AttackKind.ALL_COLUMNS: "Looks up every column of the release: for comparison.",
}
