"""People matched by how they move: mobility Markov chains, the rival of histograms in N16 IV-C4.

The definition is ours (docs/methods/networks.md): Gambs et al. 2014 take places from clusters of each person's stays
and offer several distances; here places are the cells of the histograms, so that only the order of visits is added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

import singleout as so
from singleout.ground.arrays import Integers
from singleout.reading.codes import encode
from singleout.reading.events import Events
from singleout.statistics.ids import Ids


@dataclass(frozen=True, eq=False)
class Chains:
    """One Markov chain per person, over places with the same numbers on both sides.

    ``stationary`` holds the share of each person's records at each place; ``onward`` the probability to move from
    one place to another, in column source × places + target.
    """

    people: Ids
    stationary: sparse.csr_array
    onward: sparse.csr_array


def markov_scores(released: Events, known: Events) -> so.Scores:
    """How much two people's chains overlap, for all pairs: 1 for the same chain, 0 without a common transition.

    The score is the sum over transitions a → b of min(π, π′)(a) · min(M, M′)(a, b): how much of the time both are at
    a place and move on in the same way. π is the share of a person's records at a place, M(a, b) the share of
    departures from a that lead to b; at a place that is never left, the person stays.
    """
    tables = [_in_order(part) for part in (released, known)]
    place, places = encode(pa.chunked_array([*tables[0]["place"].chunks, *tables[1]["place"].chunks]))
    numbers = np.split(np.asarray(place, dtype=np.int64), [tables[0].num_rows])
    first, second = (_chains(table, number, len(places)) for table, number in zip(tables, numbers, strict=True))
    return so.Scores(_overlaps(first, second, len(places)), first.people, second.people)


def _in_order(part: Events) -> pa.Table:
    """Who was where, in order of time; places at the same moment in order of id."""
    rows = part.rows("person", "place", "moment", "amount", "placed", both=True)
    wanted = f"SELECT part, person, place, amount FROM {rows} WHERE placed ORDER BY person, moment, place"
    return part.query_part(wanted, label="reading visits in order")


def _chains(table: pa.Table, place: Integers, places: int) -> Chains:
    person, people = encode(table["person"])
    stationary = np.zeros((len(people), places))
    np.add.at(stationary, (person, place), table["amount"].to_numpy())
    moved = (person[1:] == person[:-1]) & (place[1:] != place[:-1])
    left = np.zeros(stationary.shape, dtype=bool)
    left[person[:-1][moved], place[:-1][moved]] = True
    at_rest, resting = np.nonzero((stationary > 0) & ~left)
    who = np.concatenate([person[:-1][moved], at_rest])
    source = np.concatenate([place[:-1][moved], resting])
    target = np.concatenate([place[1:][moved], resting])
    departures = np.zeros(stationary.shape)
    np.add.at(departures, (who, source), 1.0)
    chance = 1 / departures[who, source]
    onward = sparse.csr_array((chance, (who, source * places + target)), shape=(len(people), places**2))
    return Chains(people, stationary / stationary.sum(axis=1, keepdims=True), onward)


def _overlaps(released: Chains, known: Chains, places: int) -> NDArray[np.float64]:
    columns = np.unique(known.onward.indices)
    source, chances = columns // places, known.onward[:, columns].toarray()
    overlaps = np.zeros((len(released.people), len(known.people)))
    for row in range(len(released.people)):
        mine = slice(*released.onward.indptr[row : row + 2])
        steps, common, column = np.intersect1d(released.onward.indices[mine], columns, return_indices=True)
        together = np.minimum(released.stationary[row, steps // places], known.stationary[:, source[column]])
        onward = np.minimum(released.onward.data[mine][common], chances[:, column])
        overlaps[row] = (together * onward).sum(axis=1)
    return overlaps
