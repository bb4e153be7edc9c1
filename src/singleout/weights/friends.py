"""friendsMatch (R12 Algorithm 3): people are alike who have the same friends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from singleout._kernels.profiles import shared_friends
from singleout.weights.pairs import Floats, Rows


@dataclass(frozen=True, eq=False)
class FriendLists:
    """The friends of each person of one side: numbers that mean the same friend on both sides, each once, ascending."""

    starts: Rows
    friends: Rows

    @classmethod
    def of(cls, people: int, person: Rows, friend: Rows, friends: int) -> FriendLists:
        """From the two ends of each row of an edge list; a friend named twice counts once."""
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
        """``rare``: a friend is worth 1 / log of the number of people, on both sides, who list them.

        A friend whom two people share is listed at least twice, so the logarithm is never zero.
        """
        listed = np.bincount(released.friends, minlength=friends) + np.bincount(known.friends, minlength=friends)
        worth = 1 / np.log(np.maximum(listed, 2)) if rare else np.ones(friends)
        return cls(released, known, worth)

    def of(self, rows: Rows, others: Rows) -> Floats:
        """The score of each of these pairs; those of one released person stand together."""
        mine, theirs = self.released, self.known
        scores: Floats = shared_friends(
            rows, others, mine.starts, mine.friends, theirs.starts, theirs.friends, self.worth
        )
        return scores
