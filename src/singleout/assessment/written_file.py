"""The protected file itself, attacked: written as it would leave the building, read back, matched with what is known.

One mechanism for the audit, the frontier and ``protect``. The intruder knows the method and its strength, tries the
file against what they know as it is and with the same protection applied to it, jointly and one by one in both
directions, with several similarities and by the likelihood of the counts behind shares; the strongest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from singleout.assessment.file_attempts import CHANCE, Attack, Attempt, FoundInFile, carry_out, send
from singleout.assessment.noise_attack import BY_LIKELIHOOD, recover_counts, sides_by_counts
from singleout.ground.errors import DataError
from singleout.ground.lazy import cached_property
from singleout.ground.leftovers import WorkingFolder
from singleout.matching.matching import PreparedSides
from singleout.measures.half_samples import draw_people, in_order_of_id
from singleout.protection.pseudonyms import release_table
from singleout.protection.released_file import release_name, write_table
from singleout.protection.suppression import suppress
from singleout.reading.events import read_events
from singleout.similarity.registry import Compared
from singleout.similarity.shared_rows import SHARED_ROWS, can_compare_rows
from singleout.statistics.classes import Classes, classes_of, row_digests
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable

STREAM = 2_716_057
"""Separates the draw of people on whom attacks are tried first from all others made with the same seed."""
FEWEST_TIMES = 2
"""Attacks are tried on some people first where there are at least this many times as many."""
CLOSE = 0.02
"""An attack that found nearly as many as the strongest, by this share of the people, may be stronger on everyone."""


@dataclass(frozen=True, eq=False)
class WrittenFile:
    """A protected file as read back: rows under pseudonyms, and the key to them, which only its maker has."""

    rows: Histograms
    key: dict[Any, Any]
    counts: sparse.csr_array | None = None
    """The whole counts behind its shares, where these tell and are not averages: they are compared as well."""
    noisy: bool = False
    """Whether its counts have noise, or may have."""
    by_likelihood: bool = True
    """Whether rows that people share are compared by the likelihood of events, too."""
    attempts: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Attacks that were prepared or carried out already: one that is to be recommended is attacked again, by more."""

    @cached_property
    def classes(self) -> Classes:
        """People by identical rows."""
        shares = self.rows.counts
        return classes_of(row_digests(shares.indptr, shares.indices, shares.data), self.rows.people)

    @property
    def is_shared(self) -> bool:
        """Whether everyone shares their row with others, as in averages of groups."""
        return int(self.classes.size.min(initial=2)) > 1

    def takes_rows(self, known: Histograms) -> bool:
        """Whether its rows are compared with what is known by the likelihood of events."""
        return self.by_likelihood and self.is_shared and can_compare_rows(self.rows, known)


def written_file(protected: Histograms, ending: str, seed: int, *, noisy: bool = False) -> WrittenFile:
    """Write the file, read it back, and forget it; ``noisy`` if its counts have noise."""
    table, key = release_table(protected, seed)
    with WorkingFolder() as folder:
        path = Path(folder) / release_name(ending)
        write_table(table, path)
        rows = histograms(read_events(path, user="person", place="place", count="share"))
    names = rows.people.tolist()
    told = dict(zip(key["person"].to_pylist(), key["id"].to_pylist(), strict=True))
    file = WrittenFile(replace(rows, grid=protected.grid), {name: told[int(name)] for name in names}, noisy=noisy)
    return replace(file, counts=_counts_behind(file, protected))


def counts_of_shares(file: WrittenFile) -> sparse.csr_array | None:
    """Whole counts from the digits of shares; None where they do not tell, or everyone has the average of a group."""
    return None if file.is_shared else recover_counts(file.rows)


def _counts_behind(file: WrittenFile, protected: Histograms) -> sparse.csr_array | None:
    """The same; where there is so much noise that digits do not tell, an intruder may know the totals."""
    counts = counts_of_shares(file)
    if counts is not None or not file.noisy:
        return counts
    totals = dict(zip(protected.people.tolist(), protected.totals.tolist(), strict=True))
    mine = np.array([totals[file.key[name]] for name in file.rows.people.tolist()])
    return sparse.csr_array(file.rows.counts.multiply(mine[:, None]))


def attack_each(
    file: WrittenFile,
    knowledge: Sequence[Histograms],
    *,
    truth: Mapping[Any, Any],
    similarities: Sequence[Compared],
    seed: int,
    progress: bool | None,
) -> list[FoundInFile]:
    """What each similarity finds in a file, in the strongest way to match, with each form of what is known.

    ``truth`` names the known person of each person of the original.
    """
    return carry_out(_attempts(file, knowledge, truth, similarities, seed), progress)


def _chance(file: WrittenFile, truth: Mapping[Any, Any]) -> FoundInFile:
    """What guessing finds."""
    there = {name: truth[person] for name, person in file.key.items() if person in truth}
    different = len(np.unique(file.classes.label[np.isin(file.rows.people, list(there))]))
    return FoundInFile(1.0, 0.0, len(there), min(1.0, different / len(there)), CHANCE, "", truth=there)


def _attempts(
    file: WrittenFile,
    knowledge: Sequence[Histograms],
    truth: Mapping[Any, Any],
    similarities: Sequence[Compared],
    seed: int,
) -> list[Attempt]:
    key, chance = (id(knowledge), id(truth), seed), _chance(file, truth)
    if key not in file.attempts:
        forms = list(_tried(file, knowledge))
        by_shares = [PreparedSides(file.rows, known, seed=seed, progress=False) for known in forms]
        by_counts = list(sides_by_likelihood(file, forms[-1], seed)) if forms else []
        # what is known is kept with them, so that nothing else gets its number
        file.attempts[key] = by_shares, by_counts, knowledge, truth
    by_shares, by_counts, *_ = file.attempts[key]
    tried = [*product(by_shares, similarities), *by_counts]
    return [Attempt(sides, similarity, chance, file.attempts, seed) for sides, similarity in tried]


def sides_by_likelihood(file: WrittenFile, known: Histograms, seed: int) -> Iterator[tuple[PreparedSides, Compared]]:
    """What of a file is compared by likelihood, and how: rows that people share, or the counts behind those of one."""
    if file.takes_rows(known):
        yield PreparedSides(file.rows, known, seed=seed, progress=False, as_they_are=True), SHARED_ROWS
    yield from sides_by_counts(file.rows, file.counts, known, file.noisy, seed)


def _strongest(attempts: Sequence[Attempt], chance: FoundInFile, progress: bool | None) -> FoundInFile:
    found = carry_out(attempts, progress)
    best = max([chance, *found], key=lambda each: each.share)
    return replace(best, groups=max((each.groups for each in found), default=0.0))


Parts = Sequence[tuple[Sequence[Histograms], Mapping[Any, Any]]]
"""What an intruder may know, any one of these: it in several forms, and who is who."""


def attack_with_any(
    file: WrittenFile,
    parts: Parts,
    *,
    similarities: Sequence[Compared],
    seed: int,
    progress: bool | None,
    halves: bool = False,
    scouts: int | None = None,
    finalists: int = 2,
) -> FoundInFile:
    """The strongest attack of an intruder who knows any one of several parts.

    Every part is tried with the first similarity and by likelihood; the one that finds most goes on to all. With
    ``scouts``, where there are many people, every attack is first tried on this many of them, drawn at random, and only
    the strongest, at most ``finalists``, on everyone. With ``halves`` the strongest attack is carried out again on
    random halves of the people, for its interval.
    """
    there = set(file.key.values())
    parts = [(knowledge, truth) for knowledge, truth in parts if not there.isdisjoint(truth)]
    if not parts:
        raise DataError("nobody who is known is left in the file.")
    every = [_attempts(file, knowledge, truth, similarities, seed) for knowledge, truth in parts]
    chances = [_chance(file, truth) for _, truth in parts]
    if scouts is not None and any(every) and min(each.people for each in chances) >= FEWEST_TIMES * scouts:
        best = _scout([each for part in every for each in part], scouts, finalists, seed=seed, progress=progress)
    else:
        best = _tournament(every, chances, similarities[0], progress)
    best = best.with_halves(progress) if halves else best
    partly = min(filter(None, (each.drawn for part in every for each in part)), default=None)
    return replace(best, most=max(each.most for each in chances), partly=partly, again=None)


def _tournament(
    every: Sequence[Sequence[Attempt]], chances: Sequence[FoundInFile], first: Compared, progress: bool | None
) -> FoundInFile:
    """Every part with the first similarity and by likelihood, and the one that finds most with all others."""
    opening = [
        [each for each in part if each.similarity is first or each.similarity in BY_LIKELIHOOD] for part in every
    ]
    found = [_strongest(part, chance, progress) for part, chance in zip(opening, chances, strict=True)]
    winner = max(range(len(every)), key=lambda number: found[number].share)
    others = _strongest([each for each in every[winner] if each not in opening[winner]], chances[winner], progress)
    strongest = max(found[winner], others, key=lambda each: each.expected)
    return replace(strongest, groups=max(found[winner].groups, others.groups))


def _scout(
    attempts: Sequence[Attempt], number: int, finalists: int, *, seed: int, progress: bool | None
) -> FoundInFile:
    """Try everything on some of the people, and on everyone what found most there, or nearly as much."""
    # one draw for all similarities: the last of each side's attempts stands for them
    drawn = {key: _draw_scouts(each, number, seed) for key, each in {id(each.sides): each for each in attempts}.items()}
    few = [replace(drawn[id(each.sides)], similarity=each.similarity) for each in attempts]
    shares: list[float] = []
    for _, some in groupby(few, key=lambda each: each.sides):
        found = send(Attack.try_out, list(some), label="choosing an attack", progress=progress)
        shares += [each.share for each in found]
        # those that come later would have to find more than everyone
        if sum(share >= 1.0 for share in shares) >= finalists:
            break
    order = np.argsort(-np.array(shares), kind="stable")[:finalists].tolist()
    chosen = [attempts[each] for each in order if shares[each] >= shares[order[0]] - CLOSE]
    return _strongest(chosen, chosen[0].chance, progress)


def _draw_scouts(attempt: Attempt, number: int, seed: int) -> Attempt:
    """The same attack on some of the people: the same ones whatever the attack."""
    sides, rng = attempt.sides.histograms, np.random.default_rng([seed, STREAM])
    ids = sides[0].people, sides[1].people
    common = in_order_of_id(ids[1], *attempt.true_rows())
    drawn = draw_people(ids, common, number, number / len(common[0]), rng)
    few, same = attempt.sides.only_rows(*drawn.rows), np.arange(drawn.common)
    attempt.done[few, "rows"] = same, same
    return replace(attempt, sides=few, chance=replace(attempt.chance, people=drawn.common))


def _tried(file: WrittenFile, knowledge: Sequence[Histograms]) -> Iterator[Histograms]:
    """What is known as it is, and, with the protection applied where that can be, at the places of the file only.

    Which places are left anyone can see in the file; the others only blur the comparison.
    """
    last = knowledge[-1]
    for known in knowledge[:-1] or (last,):
        if do_places_meet(file.rows, known):
            yield known
    if do_places_meet(file.rows, last):
        left = suppress(last, keep=file.rows.number_of_places, popularity=[file.rows])
        if len(knowledge) > 1 or left.number_of_places < last.number_of_places:
            yield left


def do_places_meet(rows: Histograms, known: Histograms) -> bool:
    """Whether there is a place to compare them by."""
    if known.grid != rows.grid:
        return False
    # places are repeated only where there are channels
    once = rows.channels is None and known.channels is None
    return bool(np.intersect1d(*comparable(rows.places, known.places), assume_unique=once).size)
