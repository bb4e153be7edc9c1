"""The protected file itself, attacked: written as it would leave the building, read back, matched with what is known.

One mechanism for the audit, the frontier and ``protect``. The intruder knows the method and its strength, tries the
file against what they know as it is and with the same protection applied to it, jointly and one by one in both
directions, with several similarities and by the likelihood of the counts behind shares; the strongest counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from singleout.assessment.noise_attack import BY_COUNTS, recover_counts, sides_by_counts
from singleout.ground.arrays import Indices
from singleout.ground.errors import DataError
from singleout.ground.lazy import cached_property
from singleout.ground.leftovers import WorkingFolder
from singleout.ground.names import Method, Side
from singleout.ground.parallel import send_jobs
from singleout.matching.matching import PreparedSides
from singleout.matching.result import Matching
from singleout.measures.accuracy import accuracy, expect_correct, true_rows
from singleout.measures.half_samples import draw_people, in_order_of_id
from singleout.measures.intervals import Estimate, wilson, with_effective_share
from singleout.protection.pseudonyms import release_table
from singleout.protection.released_file import release_name, write_table
from singleout.protection.suppression import suppress
from singleout.reading.events import read_events
from singleout.similarity.registry import Compared, similarity_name
from singleout.statistics.classes import Classes, classes_of, row_digests
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import comparable

WAYS: tuple[tuple[Method, Side, str], ...] = (
    ("joint", "released", "joint matching"),
    ("one-by-one", "released", "one-by-one matching for each released person"),
    ("one-by-one", "known", "one-by-one matching for each known person"),
)
"""Matchings that are tried, the side each goes by, and both in words."""

CHANCE = "guessing at random"
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
    attempts: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Attacks that were prepared or carried out already: one that is to be recommended is attacked again, by more."""

    @cached_property
    def classes(self) -> Classes:
        """People by identical rows."""
        shares = self.rows.counts
        return classes_of(row_digests(shares.indptr, shares.indices, shares.data), self.rows.people)


@dataclass(frozen=True)
class FoundInFile:
    """What the strongest attack on a file finds: people expected to be re-identified, of how many, and how.

    ``people`` are those in the file whom the intruder knows; people left with nothing are not in it. ``most``: no
    attack can be right for more of them on average, since people with identical rows are a draw. ``groups`` are the
    people whose group of identical rows is found by joint matching, ``one_by_one`` those expected to be re-identified
    without it. ``independent`` is the share of people who count as independent of each other, by half-sampling; None
    where halves were not matched.
    """

    expected: float
    groups: float
    people: int
    most: float
    attack: str
    similarity: str
    one_by_one: float = 1.0
    independent: float | None = None
    way: tuple[Method, Side] | None = field(default=None, repr=False, compare=False)
    """How people were matched; None at random."""
    again: Callable[[], Matching] | None = field(default=None, repr=False, compare=False)
    """Carries out the attack once more: the tables of a matching are too large to keep one for each attack."""
    truth: Mapping[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def in_words(self) -> str:
        """The attack and the similarity."""
        return f"{self.attack}, {similarity_name(self.similarity)}" if self.similarity else self.attack

    def with_halves(self, progress: bool | None) -> FoundInFile:
        """The same attack on random halves of the people, for its interval."""
        if self.again is None:
            return self
        rate = accuracy(self.again(), self.truth, intervals="half-sampling", progress=progress).rate
        return replace(self, independent=rate.effective_share)

    @property
    def share(self) -> float:
        """Of the people known."""
        return self.expected / self.people

    def rate(self, confidence_level: float, independent: float = 1.0) -> Estimate:
        """The share of people re-identified; ``independent`` where halves of this attack were not matched."""
        own = independent if self.independent is None else self.independent
        return with_effective_share(wilson(min(self.expected, self.people), self.people, confidence_level), own)


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
    return None if int(file.classes.size.min(initial=2)) > 1 else recover_counts(file.rows)


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
    return _carry_out(_attempts(file, knowledge, truth, similarities, seed), progress)


def _chance(file: WrittenFile, truth: Mapping[Any, Any]) -> FoundInFile:
    """What guessing finds."""
    there = {name: truth[person] for name, person in file.key.items() if person in truth}
    different = len(np.unique(file.classes.label[np.isin(file.rows.people, list(there))]))
    return FoundInFile(1.0, 0.0, len(there), min(1.0, different / len(there)), CHANCE, "", truth=there)


@dataclass(frozen=True, eq=False)
class _Attempt:
    """One similarity, on a file and one form of what is known; ``chance`` is what guessing finds."""

    sides: PreparedSides
    similarity: Compared
    chance: FoundInFile
    done: dict[Any, Any]
    """What was carried out already."""

    def true_rows(self) -> tuple[Indices, Indices]:
        """The rows of the people in the file who are known, on both sides."""
        key = self.sides, "rows"
        if key not in self.done:
            released, known = self.sides.histograms
            self.done[key] = true_rows("audit", released.people, known.people, self.chance.truth)
        return self.done[key]  # type: ignore[no-any-return]

    @property
    def key(self) -> Any:
        """Under which its result is kept."""
        return self.sides, self.similarity

    def prepare(self) -> _Attack:
        """What it takes to carry it out, here or elsewhere."""
        chance = replace(self.chance, truth={})
        return _Attack(self.sides.for_one_similarity(), self.similarity, chance, self.true_rows())

    def keep(self, found: FoundInFile) -> None:
        """Add to what was found how to do it again."""
        again = None if found.way is None else partial(self._match, *found.way)
        self.done[self.key] = replace(found, again=again, truth=self.chance.truth)

    def _match(self, method: Method, by: Side) -> Matching:
        return self.sides.match(self.similarity, method=method, by=by)


@dataclass(frozen=True, eq=False)
class _Attack:
    """One similarity on two sides, aligned; ``rows`` are those of the same people. Only arrays, which can travel."""

    sides: PreparedSides
    similarity: Compared
    chance: FoundInFile
    rows: tuple[Indices, Indices]

    def carry_out(self) -> FoundInFile:
        """The strongest way to match."""
        best, groups, alone = self.chance, 0.0, self.chance.expected
        for method, by, attack in WAYS:
            matching = self.sides.match(self.similarity, method=method, by=by)
            expected = expect_correct(matching, self.rows)
            if method == "joint":
                groups = expect_correct(matching, self.rows, matching.chances.released.label)
            else:
                alone = max(alone, expected)
            if expected > best.expected:
                name = self.similarity.name
                best = replace(best, expected=expected, attack=attack, similarity=name, way=(method, by))
        return replace(best, groups=groups, one_by_one=alone)

    def try_out(self) -> FoundInFile:
        """The same of a few people; chance where they cannot be compared."""
        try:
            return self.carry_out()
        except DataError:  # so few people may have no place in common
            return self.chance


def _carry_out(attempts: Sequence[_Attempt], progress: bool | None) -> list[FoundInFile]:
    """What each attempt finds; none is carried out twice."""
    new = [each for each in attempts if each.key not in each.done]
    asked: dict[str, Any] = {"label": "attacking the file", "progress": progress}
    for attempt, found in zip(new, _send(_Attack.carry_out, new, **asked), strict=True):
        attempt.keep(found)
    return [each.done[each.key] for each in attempts]


def _send(
    work: Callable[[_Attack], FoundInFile], attempts: Sequence[_Attempt], *, label: str, progress: bool | None
) -> list[FoundInFile]:
    """Attacks side by side, here or elsewhere; those that add up the same terms one after the other, on one thread."""
    jobs: dict[Any, list[int]] = {}
    for number, each in enumerate(attempts):
        jobs.setdefault((each.sides, each.similarity.terms), []).append(number)
    attacks = [each.prepare() for each in attempts]
    found = send_jobs(partial(_in_turn, work, attacks), list(jobs.values()), label=label, progress=progress)
    by_number = {
        number: each
        for job, done in zip(jobs.values(), found, strict=True)
        for number, each in zip(job, done, strict=True)
    }
    return [by_number[number] for number in range(len(attacks))]


def _in_turn(
    work: Callable[[_Attack], FoundInFile], attacks: Sequence[_Attack], numbers: Sequence[int]
) -> list[FoundInFile]:
    """Some of the attacks, on the same two sides: what one has added up is there for the next."""
    sides = attacks[numbers[0]].sides.for_one_similarity()
    return [work(replace(attacks[number], sides=sides)) for number in numbers]


def _attempts(
    file: WrittenFile,
    knowledge: Sequence[Histograms],
    truth: Mapping[Any, Any],
    similarities: Sequence[Compared],
    seed: int,
) -> list[_Attempt]:
    key, chance = (id(knowledge), id(truth), seed), _chance(file, truth)
    if key not in file.attempts:
        forms = list(_tried(file, knowledge))
        by_shares = [PreparedSides(file.rows, known, seed=seed, progress=False) for known in forms]
        by_counts = list(sides_by_counts(file.rows, file.counts, forms[-1], file.noisy, seed)) if forms else []
        # what is known is kept with them, so that nothing else gets its number
        file.attempts[key] = by_shares, by_counts, knowledge, truth
    by_shares, by_counts, *_ = file.attempts[key]
    tried = [*product(by_shares, similarities), *by_counts]
    return [_Attempt(sides, similarity, chance, file.attempts) for sides, similarity in tried]


def _strongest(attempts: Sequence[_Attempt], chance: FoundInFile, progress: bool | None) -> FoundInFile:
    found = _carry_out(attempts, progress)
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

    Every part is tried with the first similarity and by counts; the one that finds most goes on to all. With
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
    return replace(best, most=max(each.most for each in chances), again=None)


def _tournament(
    every: Sequence[Sequence[_Attempt]], chances: Sequence[FoundInFile], first: Compared, progress: bool | None
) -> FoundInFile:
    """Every part with the first similarity and by counts, and the one that finds most with all others."""
    opening = [[each for each in part if each.similarity is first or each.similarity in BY_COUNTS] for part in every]
    found = [_strongest(part, chance, progress) for part, chance in zip(opening, chances, strict=True)]
    winner = max(range(len(every)), key=lambda number: found[number].share)
    others = _strongest([each for each in every[winner] if each not in opening[winner]], chances[winner], progress)
    strongest = max(found[winner], others, key=lambda each: each.expected)
    return replace(strongest, groups=max(found[winner].groups, others.groups))


def _scout(
    attempts: Sequence[_Attempt], number: int, finalists: int, *, seed: int, progress: bool | None
) -> FoundInFile:
    """Try everything on some of the people, and on everyone what found most there, or nearly as much."""
    # one draw for all similarities: the last of each side's attempts stands for them
    drawn = {key: _draw_scouts(each, number, seed) for key, each in {id(each.sides): each for each in attempts}.items()}
    few = [replace(drawn[id(each.sides)], similarity=each.similarity) for each in attempts]
    shares: list[float] = []
    for _, some in groupby(few, key=lambda each: each.sides):
        found = _send(_Attack.try_out, list(some), label="choosing an attack", progress=progress)
        shares += [each.share for each in found]
        # those that come later would have to find more than everyone
        if sum(share >= 1.0 for share in shares) >= finalists:
            break
    order = np.argsort(-np.array(shares), kind="stable")[:finalists].tolist()
    chosen = [attempts[each] for each in order if shares[each] >= shares[order[0]] - CLOSE]
    return _strongest(chosen, chosen[0].chance, progress)


def _draw_scouts(attempt: _Attempt, number: int, seed: int) -> _Attempt:
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
