"""Profile matching: fieldsMatch and friendsMatch (R12 Algorithms 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from singleout.ground.errors import DataError, bad_argument, is_number, unknown_name
from singleout.ground.notes import Note, nonzero
from singleout.matching.candidates import WITHOUT_CANDIDATES, Profiles, best_candidates
from singleout.reading.edges import read_edges
from singleout.reading.spellings import Words
from singleout.reading.tables import Table, as_table, name_list
from singleout.similarity.profiles.blocking import Blocks, Candidates, FieldScores, Scorer
from singleout.similarity.profiles.comparators import Field, Texts, find_comparator, normalise_text
from singleout.similarity.profiles.friends import friends_by_anchors, friends_by_name
from singleout.statistics.common_columns import encode_side
from singleout.statistics.ids import Ids, People, as_ids

Spellings = Mapping[str, Mapping[str, str]]


def match_profiles(
    released: Any,
    known: Any,
    *,
    id: str,  # noqa: A002 - the contract's name
    block: Mapping[str, str],
    compare: Mapping[str, tuple[str, float]],
    spellings: Spellings | None = None,
    progress: bool | None = None,
) -> Profiles:
    """Compare profiles of two sites field by field (Ramachandran 2012 Algorithm 2, fieldsMatch).

    Comparators are ``exact``, ``initial`` (first letter), ``contains`` (one within the other, either way) and
    ``similar`` (Jaro-Winkler of at least 0.92, or ``similar:0.85``) and ``edits`` (at most one letter inserted, left
    out, changed or swapped with its neighbour, or ``edits:2``); the last two require the extra 'similar'. All ignore
    case and the number of spaces, and compare numbers and dates as they are written. A missing value matches nothing.

    Parameters
    ----------
    released, known
        Tables of ``read_table``, or sources that it reads, one row per person. If the same table is given twice,
        everyone is compared with all others.
    id
        Column of ids on both sides; each id occurs once.
    block
        Comparator of each blocking field: only people who match in all of them are candidates. Empty: everyone is.
    compare
        Comparator and weight of each field compared; the score is the sum of the weights of those that match.
    spellings
        Words of a field and what they stand for: ``{"location": {"il": "illinois"}}``.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Profiles
        Candidates of every released person.

    Examples
    --------
    >>> import singleout as so
    >>> sites = so.synthetic_profiles(people=40, known=100, seed=1)
    >>> profiles = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch"))
    >>> profiles
    Profiles(40 released, 100 known profiles)
      11 released people have a single best candidate
      17 people without candidates (released): nobody matches in all blocking fields
    """
    sites = _Sites.open("match_profiles", released, known, id, spellings)
    blocks = sites.blocks(block)
    weights = _check_compare(compare)
    sites.check_spellings([*block, *weights])
    fields = sites.fields("compare", {name: comparator for name, (comparator, _) in weights.items()})
    scorer = FieldScores(tuple((field, weights[name][1]) for name, field in fields.items()))
    return sites.match(blocks, scorer, (), progress)


def match_friends(
    released: Any,
    known: Any,
    *,
    released_edges: Any,
    known_edges: Any,
    id: str = "id",  # noqa: A002 - as in match_profiles
    name: str | list[str] | None = None,
    anchors: Mapping[Any, Any] | None = None,
    block: Mapping[str, str] | None = None,
    spellings: Spellings | None = None,
    rare: bool = False,
    mutual: bool = False,
    progress: bool | None = None,
) -> Profiles:
    """Compare profiles of two sites by the friends they have in common (Ramachandran 2012 Algorithm 3, friendsMatch).

    Parameters
    ----------
    released, known, id, block, spellings
        As for ``match_profiles``; spellings also apply to names. Without ``block`` everyone is a candidate.
    released_edges, known_edges
        Friend lists: sources with the person in the first column and the friend in the second.
    name
        Column, or columns, of names by which friends are recognised (Ramachandran 2012: "a simple name match"): in the
        edge lists if they have it, else in the tables of people.
    anchors
        The known id of released ids, to recognise friends by prior knowledge instead of by name.
    rare
        A friend counts 1 / log(number of people on both sides who list them) instead of 1.
    mutual
        Each row of the edge lists counts for both people in it.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Profiles
        Candidates of every released person.

    Examples
    --------
    >>> import singleout as so
    >>> sites = so.synthetic_profiles(people=40, known=100, seed=1)
    >>> edges = {"released_edges": sites.released_edges, "known_edges": sites.known_edges, "name": "name"}
    >>> so.match_friends(sites.released, sites.known, **edges, **so.presets("friendsMatch"))
    Profiles(40 released, 100 known profiles)
      23 released people have a single best candidate
      12 people without candidates (released): nobody matches in all blocking fields
    """
    if (name is None) == (anchors is None):
        raise bad_argument("match_friends", "name", "given, or anchors, but not both", name)
    sites = _Sites.open("match_friends", released, known, id, spellings)
    blocks = sites.blocks(block or {})
    names = (
        None if name is None else list(name_list("match_friends", "name", [name] if isinstance(name, str) else name))
    )
    sites.check_spellings([*(block or {}), *(names or ())])
    edges = [
        read_edges(source, "match_friends", argument, names=names, mutual=mutual)
        for argument, source in (("released_edges", released_edges), ("known_edges", known_edges))
    ]
    if names is None:
        friends = friends_by_anchors(sites.ids, edges, anchors)
    else:
        words = Words({variant: word for field in names for variant, word in sites.spellings.get(field, {}).items()})
        friends = friends_by_name(sites.tables, sites.ids, edges, names, words)
    return sites.match(blocks, friends.scores(rare=rare), friends.notes, progress)


@dataclass(frozen=True, eq=False)
class _Sites:
    """Two tables of people, with their ids."""

    function: str
    tables: tuple[Table, Table]
    ids: tuple[Ids, Ids]
    itself: bool
    spellings: dict[str, Words]

    @classmethod
    def open(cls, function: str, released: Any, known: Any, column: str, spellings: Spellings | None) -> _Sites:
        """Both tables with their ids checked; the same source twice is read once."""
        itself = released is known or (isinstance(released, str | PathLike) and released == known)
        first = as_table(released)
        second = first if itself else as_table(known)
        ids = _ids(function, "released", first, column), _ids(function, "known", second, column)
        return cls(function, (first, second), ids, itself, _check_spellings(function, spellings))

    @property
    def people(self) -> tuple[int, int]:
        return len(self.ids[0]), len(self.ids[1])

    def texts(self, argument: str, name: str) -> Texts:
        """A column of both sides in the form in which it is compared."""
        return Texts.read(self.function, argument, self.tables, name, self.spellings.get(name, Words()))

    def fields(self, argument: str, given: Mapping[str, Any]) -> dict[str, Field]:
        return {
            name: Field(find_comparator(self.function, argument, comparator), self.texts(argument, name))
            for name, comparator in given.items()
        }

    def blocks(self, block: Any) -> Blocks:
        if not isinstance(block, Mapping):
            must = "a mapping of fields to comparators, such as {'last': 'initial'}"
            raise bad_argument(self.function, "block", must, type(block).__name__)
        return Blocks.of(self.people, self.fields("block", block).values(), itself=self.itself)

    def check_spellings(self, used: list[str]) -> None:
        """Refuse spellings of a field that is not compared: they would be ignored silently."""
        for name in self.spellings:
            if name not in used:
                raise unknown_name(self.function, "spellings", name, used)

    def match(self, blocks: Blocks, scorer: Scorer, notes: tuple[Note, ...], progress: bool | None) -> Profiles:
        """Compare everyone with their candidates."""
        pairs = Candidates(blocks, scorer)
        found = best_candidates(pairs, progress)
        why = "nobody matches in all blocking fields"
        notes = nonzero(
            *notes, Note(int((found[0] == 0).sum()), "people without candidates (released)", why, WITHOUT_CANDIDATES)
        )
        return Profiles(*found, People(self.ids[0]), People(self.ids[1]), self.tables, pairs, notes)


def _ids(function: str, side: str, table: Table, column: str) -> Ids:
    table.source.column(function, "id", column, side)
    (ids,) = encode_side(function, side, table, [column])
    if ids.any_missing:
        row = int(np.flatnonzero(ids.codes == len(ids.values))[0])
        raise DataError(f"row {row + 1:,} of {side} has no {column!r}. Remove such rows first.", function=function)
    if len(ids.values) < len(ids.codes):
        first_rows = np.unique(ids.codes, return_index=True)[1]
        row = int(np.setdiff1d(np.arange(len(ids.codes)), first_rows)[0])
        raise DataError(
            f"row {row + 1:,} of {side} repeats an id of {column!r}. Give each person one row.", function=function
        )
    return as_ids(function, "id", ids.decode())


def _check_compare(compare: Any) -> dict[str, tuple[Any, float]]:
    must = "a mapping of fields to comparator and weight, such as {'last': ('exact', 1.0)}"
    if not isinstance(compare, Mapping):
        raise bad_argument("match_profiles", "compare", must, type(compare).__name__)
    for pair in compare.values():
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not is_number(pair[1]) or not 0 < pair[1] <= 1e100:
            raise bad_argument("match_profiles", "compare", f"{must}, weights above zero", pair)
    return {name: (pair[0], float(pair[1])) for name, pair in compare.items()}


def _check_spellings(function: str, spellings: Any) -> dict[str, Words]:
    given: Any = {} if spellings is None else spellings
    if not isinstance(given, Mapping) or not all(isinstance(words, Mapping) for words in given.values()):
        must = "a mapping of fields to words and what they stand for"
        raise bad_argument(function, "spellings", must, type(spellings).__name__)
    return {
        field: words if isinstance(words, Words) else Words({_fold(k): _fold(v) for k, v in words.items()})
        for field, words in given.items()
    }


def _fold(word: Any) -> str:
    return normalise_text(str(word), Words())
