"""Indistinguishable people, grouped: a smaller problem, and an honest one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from singleout.ground.arrays import Indices
from singleout.statistics.ids import Ids


@dataclass(frozen=True, eq=False)
class Classes:
    """People of one side grouped by identical histograms, in an order that depends on content only.

    ``label`` of each person; ``members``: people, class by class, within a class in order of id.
    """

    label: Indices
    size: Indices
    members: Indices

    def shuffle(self, rng: np.random.Generator) -> Classes:
        """The same classes in random order."""
        number = rng.permutation(len(self.size))
        label = number[self.label]
        order = np.argsort(label[self.members], kind="stable")
        size = np.empty_like(self.size)
        size[number] = self.size
        return Classes(label, size, self.members[order])

    @property
    def first(self) -> Indices:
        """One person of each class."""
        return np.asarray(self.members[np.cumsum(self.size) - self.size])


def classes_of(contents: Iterable[bytes], people: Ids, rng: np.random.Generator | None) -> Classes:
    """Group people of equal content. Order by a digest of it, then by id: the same for any order of rows.

    With a generator, the classes are then shuffled, so that a solver's preferences among equally good answers cannot
    favour true pairs.
    """
    digests = np.empty((len(people), 2), dtype=np.uint64)
    for row, content in enumerate(contents):
        digests[row] = np.frombuffer(hashlib.blake2b(content, digest_size=16).digest(), dtype=np.uint64)
    rank = np.empty(len(people), dtype=np.intp)
    rank[np.argsort(people, kind="stable")] = np.arange(len(people))
    members = np.lexsort((rank, digests[:, 1], digests[:, 0]))
    ordered = digests[members]
    new = np.r_[True, (ordered[1:] != ordered[:-1]).any(axis=1)][: len(people)]
    number = np.cumsum(new) - 1
    label = np.empty(len(people), dtype=np.intp)
    label[members] = number
    classes = Classes(label, np.bincount(number).astype(np.intp), members.astype(np.intp))
    return classes if rng is None else classes.shuffle(rng)


def row_contents(starts: NDArray[Any], columns: NDArray[Any], values: NDArray[Any]) -> Iterator[bytes]:
    """The bytes of each row of a CSR table."""
    columns = np.ascontiguousarray(columns, dtype=np.int64)
    for row in range(len(starts) - 1):
        piece = slice(starts[row], starts[row + 1])
        yield columns[piece].tobytes() + values[piece].tobytes()
