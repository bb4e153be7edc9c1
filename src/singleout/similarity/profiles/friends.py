"""friendsMatch (R12 Algorithm 3): people are similar if they have the same friends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from singleout._kernels.profiles import shared_friends
from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument
from singleout.ground.notes import Note, nonzero
from singleout.reading.edges import Edges, join_names
from singleout.reading.spellings import Words
from singleout.reading.tables import Table
from singleout.similarity.profiles.comparators import normalise_text
from singleout.statistics.common_columns import SIDES
from singleout.statistics.ids import Ids, as_ids, comparable

FUNCTION = "match_friends"
BothIds = tuple[Ids, Ids]


@dataclass(frozen=True, eq=False)
class FriendLists:
    """The friends of each person of one side: numbers that mean the same friend on both sides, each once, ascending."""

    starts: Indices
    friends: Indices

    @classmethod
    def of(cls, people: int, person: Indices, friend: Indices, friends: int) -> FriendLists:
        """From the two ends of each row of an edge list; a friend listed twice counts once."""
        pairs = np.unique(person * friends + friend)
        starts = np.searchsorted(pairs, np.arange(people + 1) * friends)
        return cls(starts.astype(np.intp), (pairs % max(friends, 1)).astype(np.intp))


@dataclass(frozen=True, eq=False)
class FriendScores:
    """What the friends that two people share are worth: one each, or more for a rare one."""

    released: FriendLists
    known: FriendLists
    worth: Floats

    @classmethod
    def of_lists(cls, released: FriendLists, known: FriendLists, friends: int, *, rare: bool) -> FriendScores:
        """``rare``: a friend is worth 1 / log(number of people on both sides who list them).

        A friend whom two people share is listed at least twice, so the logarithm is never zero.
        """
        listed = np.bincount(released.friends, minlength=friends) + np.bincount(known.friends, minlength=friends)
        worth = 1 / np.log(np.maximum(listed, 2)) if rare else np.ones(friends)
        return cls(released, known, worth)

    def of(self, rows: Indices, others: Indices) -> Floats:
        """The score of each of these pairs; those of one released person are consecutive."""
        mine, theirs = self.released, self.known
        scores: Floats = shared_friends(
            rows, others, mine.starts, mine.friends, theirs.starts, theirs.friends, self.worth
        )
        return scores


@dataclass(frozen=True, eq=False)
class Friends:
    """Both sides' friendships as rows of person and friend; a friend has the same number on both sides."""

    people: tuple[int, int]
    pairs: tuple[tuple[Indices, Indices], ...]
    number: int
    notes: tuple[Note, ...]

    def scores(self, *, rare: bool) -> FriendScores:
        """What friends in common are worth."""
        released, known = (
            FriendLists.of(people, *pairs, self.number) for people, pairs in zip(self.people, self.pairs, strict=True)
        )
        return FriendScores.of_lists(released, known, self.number, rare=rare)


def friends_by_anchors(ids: BothIds, edges: list[Edges], anchors: Any) -> Friends:
    """Recognise friends by anchors; others are left out."""
    if not isinstance(anchors, Mapping) or not anchors:
        raise bad_argument(FUNCTION, "anchors", "a mapping of released ids to known ids", type(anchors).__name__)
    ends = [as_ids(FUNCTION, "anchors", list(end)) for end in (anchors.keys(), anchors.values())]
    if len(set(ends[1].tolist())) < len(ends[1]):
        raise DataError("`anchors` maps more than one released person to the same known person.", function=FUNCTION)
    numbers = [_find_rows(anchor, side.friends) for anchor, side in zip(ends, edges, strict=True)]
    friends = _friends(ids, edges, numbers, len(ends[0]), "they are not anchors")
    return replace(friends, notes=_notes_on_anchors(ids, edges, ends) + friends.notes)


def _notes_on_anchors(ids: BothIds, edges: list[Edges], anchors: list[Ids]) -> tuple[Note, ...]:
    """Anchors that are no one's id, neither in a table nor in an edge list."""
    notes = []
    for side, people, rows, anchor in zip(SIDES, ids, edges, anchors, strict=True):
        listed = [as_ids(FUNCTION, "edges", end) for end in (rows.people, rows.friends)]
        nobody = np.logical_and.reduce([_find_rows(there, anchor) < 0 for there in (people, *listed)])
        why = f"no profile and no edge list has their id ({len(anchor):,} anchors in total)"
        notes.append(Note(int(nobody.sum()), f"anchors without effect ({side})", why))
    return nonzero(*notes)


def friends_by_name(
    tables: tuple[Table, Table], ids: BothIds, edges: list[Edges], names: list[str], words: Words
) -> Friends:
    """Recognise friends by name, case-folded and in its standard spelling."""
    normalised = [
        _normalise(rows.friends if rows.named else _names(side, table, people, rows.friends, names), words)
        for side, table, people, rows in zip(SIDES, tables, ids, edges, strict=True)
    ]
    known_names = sorted({name for side in normalised for name in side if name})
    number: dict[str | None, int] = {name: code for code, name in enumerate(known_names)}
    numbers = [np.array([number.get(name, -1) for name in side], dtype=np.intp) for side in normalised]
    return _friends(ids, edges, numbers, len(number), "their name is missing")


def _names(side: str, table: Table, ids: Ids, friends: Ids, names: list[str]) -> list[str | None]:
    """Names of friends by their ids, from the table of their own side."""
    for name in names:
        table.source.column(FUNCTION, "name", name, side)
    full = join_names(table, names)
    return [full[row] if row >= 0 else None for row in _find_rows(ids, friends).tolist()]


def _normalise(names: Iterable[Any], words: Words) -> list[str | None]:
    seen: dict[Any, str | None] = {None: None}
    for name in names:
        if name not in seen:
            seen[name] = normalise_text(name, words) or None
    return [seen[name] for name in names]


def _find_rows(ids: Ids, wanted: Ids) -> Indices:
    """The row of each wanted id among ``ids``; -1 if it is not there."""
    mine, theirs = comparable(ids, as_ids(FUNCTION, "edges", wanted))
    number = {person: row for row, person in enumerate(mine.tolist())}
    return np.array([number.get(person, -1) for person in theirs.tolist()], dtype=np.intp)


def _friends(ids: BothIds, edges: list[Edges], numbers: list[Indices], friends: int, left_out: str) -> Friends:
    """Rows of the edge lists whose person is in the table and whose friend has a number."""
    pairs, notes = [], []
    for side, people, rows, number in zip(SIDES, ids, edges, numbers, strict=True):
        person = _find_rows(people, rows.people)
        there, kept = person >= 0, (person >= 0) & (number >= 0)
        pairs.append((person[kept], number[kept]))
        lost = {"the person or the friend is missing": rows.left_out, "the person has no profile": int((~there).sum())}
        notes += [Note(count, f"rows of edge lists left out ({side})", why) for why, count in lost.items()]
        notes.append(Note(int((there & ~kept).sum()), f"friends left out ({side})", left_out))
        if not kept.any():
            lost |= {left_out: int((there & ~kept).sum())}
            whys = "; ".join(f"{why}: {count:,}" for why, count in lost.items() if count)
            raise DataError(f"no row of `{side}_edges` can be used ({whys}).", function=FUNCTION)
    if not np.isin(pairs[0][1], pairs[1][1]).any():
        alone = sum(len(np.unique(friend)) for _, friend in pairs)
        notes.append(
            Note(
                alone,
                "friends listed on one side only",
                "nobody has a friend in common: are friends named in the same way?",
            )
        )
    return Friends((len(ids[0]), len(ids[1])), tuple(pairs), friends, nonzero(*notes))
