"""Honest ties: identical people are indistinguishable, so an attack on them is a random draw.

The truth is usually "same row number", so a solver that breaks ties by position would look clever on data where
nobody can be identified. Here an attack yields how many people of each class are matched with each class; everything
below that is chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from singleout.ground.arrays import Floats, Indices, count_up
from singleout.statistics.classes import Classes


@dataclass(frozen=True, eq=False)
class Flow:
    """How many people of a released class are matched with people of a known class.

    People on neither list are left over: they share no place with anyone left, so they are paired at random.
    """

    released: Indices
    known: Indices
    people: Indices
    absent: Indices
    """People of each released class who are left out on purpose: they are not paired at all."""


@dataclass(frozen=True, eq=False)
class Chances:
    """The probability that an attack pairs a given released with a given known person, with ties broken at random.

    It is ``table[R, C] + released_share[R] * known_share[C]`` for classes R and C: the first part for pairs made by
    what they share, the second for pairs made at random.
    """

    released: Classes
    known: Classes
    table: sparse.csr_array
    released_share: Floats
    known_share: Floats

    def of(self, released: Indices, known: Indices) -> Floats:
        """Probabilities of given pairs of people."""
        r, c = self.released.label[released], self.known.label[known]
        found = np.asarray(self.table[r, c]).ravel() if len(r) else np.zeros(0)
        return found + self.released_share[r] * self.known_share[c]

    def of_groups(self, groups: Indices, known: Indices, wanted: Indices) -> Floats:
        """Probabilities that known people are paired with a wanted group; ``groups`` labels released people."""
        everyone = np.ones(len(groups))
        shape = (len(self.released.size), int(groups.max(initial=0)) + 1)
        members = sparse.csr_array((everyone, (self.released.label, groups)), shape=shape)
        c = self.known.label[known]
        found = np.asarray((self.table.T @ members).tocsr()[c, wanted]).ravel() if len(c) else np.zeros(0)
        return np.asarray(found + self.known_share[c] * (members.T @ self.released_share)[wanted])


def chances_of_flow(flow: Flow, released: Classes, known: Classes) -> Chances:
    """A person of R and one of C are paired with probability F(R, C) / (|R| |C|); those left over at random."""
    shape = (len(released.size), len(known.size))
    share = flow.people / (released.size[flow.released] * known.size[flow.known])
    left = [_left_over(flow.released, flow, released) - flow.absent, _left_over(flow.known, flow, known)]
    most = max(1, int(max(left[0].sum(), left[1].sum())))
    table = sparse.csr_array((share, (flow.released, flow.known)), shape=shape)
    return Chances(released, known, table, left[0] / released.size / most, left[1] / known.size)


def draw_pairs(flow: Flow, released: Classes, known: Classes, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Draw one matching, at random inside each class and among those left over. Sorted by released row."""
    queues = [_shuffled_members(released, rng), _shuffled_members(known, rng)]
    pairs = []
    left_over = []
    for side, (labels, classes) in enumerate(((flow.released, released), (flow.known, known))):
        # the first members of a class serve its first flow, the next ones its next flow, and so on
        served = _served_before(labels, flow.people)
        start = (np.cumsum(classes.size) - classes.size)[labels] + served
        position = np.repeat(start, flow.people) + count_up(flow.people)
        pairs.append(queues[side][position])
        rest = np.ones(len(queues[side]), dtype=bool)
        rest[position] = False
        if side == 0:
            # the absent are the last of their class, which is in random order
            rest[np.repeat(np.cumsum(classes.size) - flow.absent, flow.absent) + count_up(flow.absent)] = False
        left_over.append(rng.permutation(queues[side][rest]))
    at_random = min(len(left_over[0]), len(left_over[1]))
    rows = np.concatenate([pairs[0], left_over[0][:at_random]])
    others = np.concatenate([pairs[1], left_over[1][:at_random]])
    order = np.argsort(rows, kind="stable")
    return rows[order], others[order]


def _left_over(labels: Indices, flow: Flow, classes: Classes) -> Floats:
    return np.asarray(classes.size - np.bincount(labels, flow.people, len(classes.size)))


def _shuffled_members(classes: Classes, rng: np.random.Generator) -> Indices:
    """Members class by class, each class in random order."""
    draws = rng.random(len(classes.members))
    number = np.repeat(np.arange(len(classes.size)), classes.size)
    return classes.members[np.lexsort((draws, number))]


def _served_before(labels: Indices, people: Indices) -> Indices:
    """How many members of the same class earlier flows have used."""
    order = np.argsort(labels, kind="stable")
    running = np.cumsum(people[order]) - people[order]
    first = np.r_[True, labels[order][1:] != labels[order][:-1]][: len(labels)]
    base = np.maximum.accumulate(np.where(first, running, 0))
    served = np.empty(len(labels), dtype=np.intp)
    served[order] = running - base
    return served
