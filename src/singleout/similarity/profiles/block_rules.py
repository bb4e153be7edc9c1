"""Several blocking rules at once: a pair is a candidate if it agrees on all columns of at least one rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from singleout.ground.arrays import Indices
from singleout.similarity.profiles.blocking import Blocks, combine_keys
from singleout.similarity.profiles.comparators import Texts

PAIRS_A_TILE = 2**19
PAIRS_A_RECORD = 20
MOST_COLUMNS = 3
"""Of rules that are chosen: pairs of one rule for each record of both sides, and columns."""
Pairs = tuple[Indices, Indices]


@dataclass(frozen=True)
class RulePart:
    """A column of a rule; ``letters``: only its first letters must agree, all of them if None."""

    column: str
    letters: int | None = None

    def __str__(self) -> str:
        return self.column if self.letters is None else f"{self.column}:{self.letters}"

    def keys(self, texts: Texts) -> Pairs:
        """A number for each record's value, the same on both sides; -1 if it is missing."""
        if self.letters is None:
            return texts.released, texts.known
        starts = [text[: self.letters] for text in texts.texts]
        number = {start: code for code, start in enumerate(dict.fromkeys(starts))}
        code = np.array([*(number[start] for start in starts), -1], dtype=np.intp)
        return code[texts.released], code[texts.known]


@dataclass(frozen=True)
class Rule:
    """Columns that must all agree."""

    parts: tuple[RulePart, ...]

    @property
    def columns(self) -> frozenset[str]:
        """Their names."""
        return frozenset(part.column for part in self.parts)

    def __str__(self) -> str:
        return " + ".join(map(str, self.parts))


@dataclass(frozen=True, eq=False)
class BlockRules:
    """The candidates of several rules, each pair once, under the first rule that it meets.

    ``itself``: both sides are the same table; each two records are one pair, the earlier row first.
    """

    rules: tuple[Rule, ...]
    blocks: tuple[Blocks, ...]
    itself: bool

    @classmethod
    def of(cls, rules: Sequence[Rule], texts: Mapping[str, Texts], *, itself: bool) -> BlockRules:
        """Rules on these columns."""
        people = next((len(each.released), len(each.known)) for each in texts.values())
        keys = [combine_keys(people, [part.keys(texts[part.column]) for part in rule.parts]) for rule in rules]
        return cls(tuple(rules), tuple(Blocks(*key, itself=itself) for key in keys), itself)

    def sizes(self) -> list[int]:
        """The pairs of each rule, those of other rules included."""
        return [self._size(block) for block in self.blocks]

    def _size(self, block: Blocks) -> int:
        every = int(block.spans[1].sum())
        # of a table with itself: without records paired with themselves, and each pair once
        return (every - int((block.released_key >= 0).sum())) // 2 if self.itself else every

    def cuts(self) -> list[tuple[int, int, int]]:
        """Rule, first and last row of pieces of work of about the same number of pairs."""
        found = []
        for rule, block in enumerate(self.blocks):
            ends = np.cumsum(block.spans[1])
            number = int(ends[-1]) // PAIRS_A_TILE + 1 if len(ends) else 0
            edges = np.searchsorted(ends, np.arange(1, number) * PAIRS_A_TILE)
            marks = np.unique(np.concatenate([[0], edges, [len(ends)]])).tolist()
            found += [(rule, first, last) for first, last in pairwise(marks)]
        return found

    def pairs(self, rule: int, first: int, last: int) -> Pairs:
        """The candidates of these released rows under this rule and no earlier one."""
        rows, others = self.blocks[rule].pairs(first, last)
        kept = rows < others if self.itself else np.ones(len(rows), dtype=bool)
        for earlier in self.blocks[:rule]:
            kept[kept] = ~earlier.allow(rows[kept], others[kept])
        return rows[kept], others[kept]

    def draw(self, rule: int, number: int, rng: np.random.Generator) -> Pairs:
        """At most this many pairs of a rule, those of other rules included; all of them if there are no more."""
        start, size = self.blocks[rule].spans
        total = int(size.sum())
        every = total <= (1 + self.itself) * number
        chosen = np.arange(total) if every else np.sort(rng.choice(total, number, replace=False, shuffle=False))
        ends = np.cumsum(size)
        rows = np.searchsorted(ends, chosen, side="right")
        others = self.blocks[rule].known_order[start[rows] + chosen - (ends[rows] - size[rows])]
        if not self.itself:
            return rows, others
        # each pair stands there twice, and every record is its own partner once
        kept = rows < others if every else rows != others
        return rows[kept], others[kept]

    def met(self, rows: Indices, others: Indices) -> Any:
        """Which rules each of these pairs meets, one row per pair."""
        return np.stack([block.allow(rows, others) for block in self.blocks], axis=1)


def choose_rules(columns: Mapping[str, Texts], *, itself: bool) -> BlockRules:
    """Every set of up to three columns that leaves few pairs, without those that contain a smaller such set.

    Sets that leave no pair are used only if there are no others.
    """
    chosen: dict[Rule, int] = {}
    for size in range(1, MOST_COLUMNS + 1):
        for names in combinations(columns, size):
            if not any(rule.columns <= set(names) for rule in chosen):
                rule = Rule(tuple(RulePart(name) for name in names))
                number, people = _size_of(rule, columns, itself=itself)
                if number <= PAIRS_A_RECORD * people:
                    chosen[rule] = number
    useful = [rule for rule, number in chosen.items() if number]
    return BlockRules.of(useful or list(chosen), columns, itself=itself)


def _size_of(rule: Rule, columns: Mapping[str, Texts], *, itself: bool) -> tuple[int, int]:
    """How many pairs a rule has, and records there are."""
    opened = BlockRules.of([rule], columns, itself=itself)
    keys = opened.blocks[0].released_key, opened.blocks[0].known_key
    return opened.sizes()[0], len(keys[0]) if itself else len(keys[0]) + len(keys[1])
