"""Options of the commands that link records and profiles, or search columns; declared as in ``options``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from singleout.assessment.options import (
    ATTACK,
    DATA,
    REPORT,
    FileOptions,
    OptionGroup,
    column,
    option,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

FRIEND_LISTS = ("released_edges", "known_edges", "friend_name")


@dataclass(frozen=True, kw_only=True)
class ProfileOptions(FileOptions):
    """The columns of profiles, which fields are compared how, and friend lists."""

    id: str = option("Column with ids on both sides.", "id", panel=DATA, metavar="COLUMN")
    first: str = option("Column with first names.", "first", panel=DATA, metavar="COLUMN")
    last: str = option("Column with last names.", "last", panel=DATA, metavar="COLUMN")
    location: str = option("Column with locations.", "location", panel=DATA, metavar="COLUMN")
    released_edges: str | None = option(
        "Friend lists of the released side: a file with columns person and friend.", panel=DATA, metavar="FILE"
    )
    known_edges: str | None = option("Friend lists of the known side.", panel=DATA, metavar="FILE")
    friend_name: str | None = column("Column with the name that identifies a friend on both sides.")
    preset: tuple[str, ...] | None = option(
        "nameMatch, fieldsMatch1 to fieldsMatch3, friendsMatch (default: all that apply).", panel=ATTACK
    )
    nicknames: bool = option("Treat nicknames as the names they stand for.", default=False, panel=ATTACK)
    block: str | None = option(
        "Your own fields: who is compared with whom, such as last=initial,first=exact.", panel=ATTACK
    )
    score: str | None = option("For --block: what adds to the score, such as last=contains:2.", panel=ATTACK)
    rare: bool = option("Give more weight to friends listed by few people.", default=False, panel=ATTACK)
    mutual: bool = option("Each friendship counts for both.", default=False, panel=ATTACK)
    joint: bool = option("Also match everyone at once by the scores; requires --truth.", default=False, panel=ATTACK)
    truth: str | None = column("Column on both sides that is the same for the same person.", REPORT)

    @staticmethod
    def contradictions(values: Mapping[str, Any]) -> list[str]:
        """Options that would have no effect, or lack their other half."""
        lists = [name for name in FRIEND_LISTS if values[name] is not None]
        rules = (
            (values["score"] and not values["block"], "`score` requires `block`."),
            (values["preset"] and values["block"], "give either `preset` or `block`."),
            (
                0 < len(lists) < len(FRIEND_LISTS),
                "`released_edges`, `known_edges` and `friend_name` are needed together.",
            ),
        )
        return [message for wrong, message in rules if wrong]


@dataclass(frozen=True, kw_only=True)
class CompleteLinkOptions(OptionGroup):
    """How records are linked that agree on all common columns, or nearly all."""

    max_columns: int | None = option("complete: largest number of columns in a combination (default: 7).", panel=ATTACK)
    max_released: int | None = option(
        "complete: rare means shared by at most this many released records (default: 10).", panel=ATTACK
    )
    max_known: int | None = option(
        "complete: rare means shared by at most this many known records (default: 5).", panel=ATTACK
    )
    missing: str | None = option(
        "complete: how missing values match: value (each other only, default), never (nothing), or any.", panel=ATTACK
    )
    max_disagreements: int | None = option(
        "complete: how many columns outside the combination may differ (default: 0).", panel=ATTACK
    )
    min_power: float | None = option(
        "complete: combine only columns with this share of the most distinct values (default: 0).", panel=ATTACK
    )


@dataclass(frozen=True, kw_only=True)
class ProbableLinkOptions(OptionGroup):
    """How records are linked although they have errors."""

    block: str | None = option(
        "probable: compare records that agree on all columns of a rule (default: chosen).",
        panel=ATTACK,
        metavar="A+B,C:3+D,…",
    )
    precision: float | None = option(
        "probable: keep links as long as this share is estimated to be right (default: 0.95).", panel=ATTACK
    )


@dataclass(frozen=True, kw_only=True)
class ColumnSearchOptions(OptionGroup):
    """How columns are searched that single people out in a table."""

    strategy: str | None = option(
        "Columns to try: core-av (most values, default), core-at (most rare values), naive (random) or all.",
        panel=ATTACK,
    )
    ranks: int | None = option("Number of columns the strategy chooses (default: 5).", panel=ATTACK)
    max_class_size: int | None = option(
        "A record is vulnerable if at most this many share all its values (default: 1).", panel=ATTACK
    )
    min_count: int | None = option(
        "For core-at: values found in fewer records count as rare (default: 10).", panel=ATTACK
    )
    budget: float | None = option(
        "Time limit in seconds for trying combinations; the best found by then are shown.", panel=ATTACK
    )


@dataclass(frozen=True, kw_only=True)
class PublicListOptions(OptionGroup):
    """A public list that columns may lead to, and how good an intruder's copy of it is."""

    against: str | None = option(
        "Public list: rank columns by how many records they lead to few of its entries.", panel=ATTACK, metavar="FILE"
    )
    max_known: int | None = option("For --against: few means at most this many entries (default: 5).", panel=ATTACK)
    coverage: float | None = option(
        "For --against: share of its entries that an intruder's list has (default: 1).", panel=ATTACK
    )
    error_rate: float | None = option("For --against: share of wrong values (default: 0).", panel=ATTACK)
    missing_rate: float | None = option("For --against: share of missing values (default: 0).", panel=ATTACK)

    def rates(self) -> dict[str, Any]:
        """What was given in addition to the list."""
        return {name: value for name, value in self.non_defaults().items() if name != "against"}
