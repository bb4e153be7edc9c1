"""Records linked although they have errors: a probability for each pair, by a model trained without any true pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from scipy import sparse

from singleout.ground.arrays import Floats, Indices
from singleout.ground.errors import DataError, bad_argument, is_number, is_whole, unknown_name
from singleout.ground.notes import Note
from singleout.ground.parallel import map_tiles
from singleout.matching.by_scores import assign
from singleout.matching.ranked_links import ProbableLinks, RankedPairs
from singleout.reading.spellings import Words
from singleout.reading.tables import Table, as_table, name_list
from singleout.similarity.profiles.block_rules import BlockRules, Pairs, Rule, RulePart, choose_rules
from singleout.similarity.profiles.comparators import Texts, find_comparator, has_rapidfuzz
from singleout.similarity.profiles.fellegi_sunter import LinkageModel, as_probability
from singleout.similarity.profiles.levels import LevelField, usual_comparators
from singleout.similarity.profiles.training import Trained, train
from singleout.similarity.scores import Scores
from singleout.statistics.common_columns import common_names

FUNCTION = "probable_links"
FEWEST_COLUMNS = 2
LEAST_PROBABILITY = 0.01
"""Pairs less probable are forgotten."""
Rules = Sequence[str | Sequence[str]]


def probable_links(
    released: Any,
    known: Any,
    *,
    on: Sequence[str] | None = None,
    compare: Mapping[str, Sequence[str]] | None = None,
    block: Rules | None = None,
    precision: float = 0.95,
    one_to_one: bool = True,
    seed: int = 0,
    progress: bool | None = None,
) -> ProbableLinks:
    """Link records of two tables although values may be misspelt, different or missing (Fellegi and Sunter 1969).

    Nothing is learnt from true pairs. Each level of agreement has a probability among random pairs (u) and among pairs
    of the same person (m), estimated by expectation maximisation; agreement on a rare value counts more; a missing
    value counts neither for nor against. With the same seed the result is the same in any order of the rows.

    Parameters
    ----------
    released, known
        Tables of ``read_table``, or sources that it reads. The same table given twice: find records in it that are of
        the same person. Each two records are one pair, and nobody is paired with their own record.
    on
        The columns compared; by default every column that both sides have.
    compare
        Comparators of columns, the strictest first, as in ``match_profiles``:
        ``{"surname": ["exact", "similar:0.9"]}``. A pair has the level of the first that matches. By default equal,
        similar (0.92 and 0.8) and different; columns of digits equal, one edit, two edits and different; short texts
        equal or different.
    block
        Rules: only records that agree on all columns of at least one rule are compared, as in
        ``[["surname", "born"], "email", ["first:3", "postcode"]]``, where ``first:3`` is the first three letters of
        first. By default chosen so that no rule has more than 20 pairs for each record.
    precision
        Links are kept from the most probable on, as long as the share estimated to be right is at least this and each
        is more likely right than wrong.
    one_to_one
        Whether each record has at most one partner: all pairs are matched jointly. No effect for a table with itself.
    seed
        Seed for everything random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    ProbableLinks
        The links, each with its probability.

    Examples
    --------
    >>> import singleout as so
    >>> people = so.synthetic_profiles(people=200, known=400, both=0.5, seed=2)
    >>> found = so.probable_links(people.released, people.known, on=["first", "last", "location"])
    >>> found.estimated_precision > 0.9
    True
    """
    _check(precision, one_to_one, seed)
    itself = released is known or (isinstance(released, str | PathLike) and released == known)
    first = as_table(released)
    tables = first, first if itself else as_table(known)
    names = common_names(FUNCTION, tables, on)
    if len(names) < FEWEST_COLUMNS:
        instead = "With one column, records that agree on it are all there is: use link_records."
        raise bad_argument(
            FUNCTION, "on", "at least two columns, since each is judged by the others", list(names), instead
        )
    given = None if block is None else _parse_rules(block)
    columns = _read_columns(tables, names, given)
    rows = _canonical_orders(columns)
    ordered = {name: column.take(*rows) for name, column in columns.items()}
    fields, notes = _fields(ordered, names, compare)
    rules = _open_rules(ordered, names, given, itself=itself)
    trained = train(fields, rules, np.random.default_rng(seed))
    candidates, pairs, odds = _probable_pairs(trained, rules, progress)
    joint = one_to_one and not itself
    if joint:
        pairs, odds, probability = _match_jointly(pairs, odds, [len(each) for each in tables], seed)
    else:
        probability = as_probability(odds)
    return ProbableLinks(
        RankedPairs.of(_as_given(pairs, rows, itself=itself), probability, odds),
        precision=precision,
        trained=trained,
        candidates=candidates,
        rules=tuple(map(str, rules.rules)),
        on=names,
        sizes=(len(tables[0]), len(tables[1])),
        itself=itself,
        one_to_one=joint,
        tables=tables,
        notes=notes + trained.notes,
    )


def _check(precision: Any, one_to_one: Any, seed: Any) -> None:
    if not is_number(precision) or not 0 < precision < 1:
        raise bad_argument(FUNCTION, "precision", "above 0 and below 1", precision)
    if not isinstance(one_to_one, bool):
        raise bad_argument(FUNCTION, "one_to_one", "True or False", one_to_one)
    if not is_whole(seed) or seed < 0:
        raise bad_argument(FUNCTION, "seed", "a whole number of at least 0", seed)


def _parse_rules(block: Any) -> list[Rule]:
    must = "a list of rules, each a column or a list of columns, such as [['surname', 'born'], 'email']"
    if isinstance(block, str) or not isinstance(block, Sequence) or not block:
        raise bad_argument(FUNCTION, "block", must, block if isinstance(block, str) else type(block).__name__)
    rules = []
    for rule in block:
        parts = [rule] if isinstance(rule, str) else rule
        if not isinstance(parts, Sequence) or not parts or not all(isinstance(part, str) for part in parts):
            raise bad_argument(FUNCTION, "block", must, rule)
        rules.append(Rule(tuple(_parse_part(part) for part in parts)))
    return rules


def _parse_part(text: str) -> RulePart:
    """``first:3`` is the first three letters; a colon followed by anything else belongs to the name."""
    name, colon, letters = text.rpartition(":")
    return RulePart(name, int(letters)) if colon and letters.isdigit() and int(letters) else RulePart(text)


def _read_columns(tables: tuple[Table, Table], names: tuple[str, ...], rules: list[Rule] | None) -> dict[str, Texts]:
    """Every column compared or blocked by."""
    wanted = dict.fromkeys(names, "on")
    for rule in rules or ():
        wanted |= {name: "block" for name in sorted(rule.columns) if name not in wanted}
    return {name: Texts.read(FUNCTION, argument, tables, name, Words()) for name, argument in wanted.items()}


def _canonical_orders(columns: Mapping[str, Texts]) -> Pairs:
    """Rows of each side by their values, so that no estimate depends on the order of the files."""
    sides = [[getattr(column, side) for column in columns.values()] for side in ("released", "known")]
    released, known = (np.lexsort(side[::-1]) for side in sides)
    return released, known


def _as_given(pairs: Pairs, orders: Pairs, *, itself: bool) -> Pairs:
    """Pairs by the row numbers of the files; of a table with itself the earlier row first."""
    rows, others = orders[0][pairs[0]], orders[1][pairs[1]]
    return (np.minimum(rows, others), np.maximum(rows, others)) if itself else (rows, others)


def _fields(
    columns: Mapping[str, Texts], names: tuple[str, ...], compare: Any
) -> tuple[list[LevelField], tuple[Note, ...]]:
    given = _check_compare(names, compare)
    similar = has_rapidfuzz()
    fields = [
        LevelField(
            name,
            tuple(
                find_comparator(FUNCTION, "compare", each)
                for each in given.get(name) or usual_comparators(columns[name], similar=similar)
            ),
            columns[name],
        )
        for name in names
    ]
    left = [name for name in names if name not in given]
    if similar or not left:
        return fields, ()
    why = "rapidfuzz is not installed, so a misspelt value counts as different: pip install rapidfuzz"
    return fields, (Note(len(left), "columns compared for equality only", why),)


def _check_compare(names: tuple[str, ...], compare: Any) -> dict[str, tuple[str, ...]]:
    must = "a mapping of columns to comparators, such as {'surname': ['exact', 'similar:0.9']}"
    if compare is None:
        return {}
    if not isinstance(compare, Mapping):
        raise bad_argument(FUNCTION, "compare", must, type(compare).__name__)
    for name, given in compare.items():
        if name not in names:
            raise unknown_name(FUNCTION, "compare", str(name), names)
        if isinstance(given, str) or not isinstance(given, Sequence) or not given:
            raise bad_argument(FUNCTION, "compare", must, given)
    return {name: name_list(FUNCTION, "compare", given) for name, given in compare.items()}


def _open_rules(
    columns: Mapping[str, Texts], names: tuple[str, ...], given: list[Rule] | None, *, itself: bool
) -> BlockRules:
    if given is not None:
        return BlockRules.of(given, columns, itself=itself)
    rules = choose_rules({name: columns[name] for name in names}, itself=itself)
    if not rules.rules:
        raise DataError(
            "the columns are too coarse to choose blocking rules: any three of them agree for too many records. "
            "Compare more columns, or give rules with `block`.",
            function=FUNCTION,
        )
    return rules


def _probable_pairs(trained: Trained, rules: BlockRules, progress: bool | None) -> tuple[int, Pairs, Floats]:
    """How many pairs were compared, those that are not improbable, and ln of their odds."""
    cuts = rules.cuts()
    least = float(np.log(LEAST_PROBABILITY / (1 - LEAST_PROBABILITY)))
    work = trained.model, rules, cuts, trained.prior, least
    parts = map_tiles(_weigh_tile, len(cuts), *work, label="comparing records", progress=progress, tile=1)
    rows, others, odds = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return sum(part[3] for part in parts), (rows, others), odds


def _weigh_tile(
    first: int,
    _: int,
    model: LinkageModel,
    rules: BlockRules,
    cuts: list[tuple[int, int, int]],
    *limits: float,
) -> tuple[Indices, Indices, Floats, int]:
    prior, least = limits
    rows, others = rules.pairs(*cuts[first])
    kept, evidence = model.find_evidence(rows, others, least - prior)
    return rows[kept], others[kept], prior + evidence, len(rows)


def _match_jointly(pairs: Pairs, odds: Floats, people: list[int], seed: int) -> tuple[Pairs, Floats, Floats]:
    """The one-to-one links of greatest total weight; a pair is the less probable the better its rivals are."""
    probability = _among_rivals(pairs, odds, people)
    least = float(np.log(LEAST_PROBABILITY / (1 - LEAST_PROBABILITY)))
    # what is not stored scores zero, as if not linked; every stored pair scores a little more
    gain = odds - least + 1e-6
    matrix = sparse.csr_array((gain, pairs), shape=tuple(people))
    place = sparse.csr_array((np.arange(1, len(gain) + 1), pairs), shape=tuple(people))
    found = assign(Scores(matrix, np.arange(people[0]), np.arange(people[1])), seed=seed)
    at = np.asarray(place[found.released, found.known]).ravel().astype(np.intp)
    chosen = np.sort(at[at > 0] - 1)
    return (pairs[0][chosen], pairs[1][chosen]), odds[chosen], probability[chosen]


def _among_rivals(pairs: Pairs, odds: Floats, people: list[int]) -> Floats:
    """The probability of each pair if a record has at most one partner: its odds against all rivals and none."""
    odd = np.exp(np.minimum(odds, 600))
    rows, others = (np.bincount(side, odd, minlength=size) for side, size in zip(pairs, people, strict=True))
    rivals = np.maximum(rows[pairs[0]] - odd, 0) + np.maximum(others[pairs[1]] - odd, 0)
    return np.asarray(odd / (1 + odd + rivals))
