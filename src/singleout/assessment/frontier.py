"""Protections side by side: the risk that the file each would write leaves, against what it destroys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict

import pyarrow as pa

from singleout.assessment.file_attack import Candidate, Column, FileAttack, Point, PointRow, Side
from singleout.assessment.frontier_points import try_all
from singleout.assessment.protections import Protection
from singleout.ground.errors import DataError, bad_argument, check_level, check_seed, is_whole
from singleout.ground.names import SimilarityName
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, NoteDict, number_of
from singleout.ground.numbers import percent
from singleout.ground.other_processes import workers_kept
from singleout.ground.plain_data import Count, Level, Positive
from singleout.ground.text_tables import align_rows
from singleout.measures.intervals import rate_columns
from singleout.measures.pareto import undominated
from singleout.reading.events import Events
from singleout.similarity.registry import Compared, find_similarity
from singleout.statistics.histograms import Histograms
from singleout.statistics.levels import Levels

SCOUTS = 600
"""People on whom attacks are tried first, where there are at least twice as many: enough to see which is strongest."""
COLUMNS = (
    ":<",
    "protection:<",
    "outside (interval):<",
    "inside:>.1%",
    "at most:>",
    "loss:>.1%",
    "places:>.1%",
    "no data:>",
)
LEGEND = (
    "* no other has less risk at no more loss",
    "outside: re-identified in the file by someone with data from another period",
    "inside: the same by someone with part of the data from the released period",
    "at most: no attack can re-identify more, on average (identical rows)",
    "loss: 0% unchanged, 100% everyone the same, above: worse",
    "places: how far the shares of places are off, over all people (total variation)",
    "no data: people left without data",
)


@dataclass(frozen=True, eq=False)
class AllPeople:
    """The same sides with all people, where protections are tried on some of them only."""

    released: Side
    known: Side
    inside: tuple[Side, Sequence[Side | None]] | None = None
    counts: tuple[Histograms, Histograms] | None = None


class PointDict(PointRow):
    """One protection at one strength: the risk it leaves and what it destroys."""

    notes: list[NoteDict]


class FrontierDocument(TypedDict):
    """The result file of ``protect --compare`` for an event log."""

    schema: Literal["singleout/frontier/2"]
    similarities: list[str]
    repeats: Positive
    seed: Count
    people: Positive
    confidence_level: Level
    rows: list[PointDict]


@dataclass(frozen=True, repr=False)
class Frontier(Pictured):
    """Every protection at every strength, the data as it is first; ``on_frontier`` marks those that no other beats.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> found = so.frontier(released, known, [so.Protection.keep([20])])
    >>> found.to_arrow().num_rows
    2
    """

    rows: tuple[Point, ...]
    similarities: tuple[str, ...]
    repeats: int
    seed: int
    left_out: tuple[Note, ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the protections changed or left out, each once; and strengths that could not be tried."""
        return tuple(dict.fromkeys([*(note for row in self.rows for note in row.notes), *self.left_out]))

    def to_arrow(self) -> pa.Table:
        """One row per protection and strength."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def to_dict(self) -> FrontierDocument:
        """The result file: shares, losses and counts, no ids."""
        first = self.rows[0].outside
        return {
            "schema": "singleout/frontier/2",
            "similarities": list(self.similarities),
            "repeats": self.repeats,
            "seed": self.seed,
            "people": first.n,
            "confidence_level": first.confidence_level,
            "rows": [{**row.as_row(), "notes": [note.to_dict() for note in row.notes]} for row in self.rows],
        }

    def headline(self) -> str:
        """What to compare the rates with."""
        random, people = percent(self.rows[0].random), number_of(self.rows[0].outside.n, "people")
        return f"Risk that each protection leaves. Guessing at random would re-identify {random} of {people}."

    def _shown_notes(self) -> Sequence[object]:
        """Only what could not be tried: the others belong to single rows."""
        return self.left_out

    def _shown_table(self) -> pa.Table:
        """One row per protection and strength, with what a reader compares."""
        return pa.Table.from_pylist(
            [
                {"protection": row.protection, "strength": None if row.strength is None else str(row.strength)}
                | rate_columns("re-identified", row.risk)
                | {"at most": None if row.guarantee is None else percent(row.guarantee), "loss": percent(row.loss)}
                | {"without data": row.utility.emptied_people(), "best trade-off": "yes" if row.on_frontier else ""}
                for row in self.rows
            ]
        )

    def __str__(self) -> str:
        rows: list[tuple[object, ...]] = []
        for row in self.rows:
            first, *more = row.label()
            inside = row.inside and row.inside.value
            most = None if row.guarantee is None else percent(row.guarantee)
            lost = row.loss, row.utility.popularity_error, row.utility.emptied_people()
            rows.append(("*" if row.on_frontier else "", first, row.outside, inside, most, *lost))
            rows += [("", rest) for rest in more]
        lines = align_rows(rows, *COLUMNS)
        random, people = percent(self.rows[0].random), number_of(self.rows[0].outside.n, "people")
        return "\n".join([*lines, *LEGEND, f"Guessing at random would re-identify {random} of {people}."])

    def __repr__(self) -> str:
        return f"Frontier({len(self.rows)} points, {', '.join(self.similarities)}, {self.repeats} repeats)\n{self}"


@workers_kept()
def frontier(
    released: Events | Histograms,
    known: Events | Histograms,
    protections: Iterable[Protection],
    *,
    inside: tuple[Side, Sequence[Side | None]] | None = None,
    similarities: Sequence[SimilarityName | str | Compared] = ("js",),
    levels: Levels | None = None,
    counts: tuple[Histograms, Histograms] | None = None,
    truth: Mapping[Any, Any] | None = None,
    repeats: int = 1,
    limit: float | None = None,
    scouts: int | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    skip: bool = False,
    everyone: AllPeople | None = None,
    independent: float | None = None,
    progress: bool | None = None,
) -> Frontier:
    """Attack the file that each protection would write, at each strength, ``repeats`` times with seeds of their own.

    The first point is the data as it is. Every file is written as ``protect`` writes it, read back, and attacked
    jointly and one by one in both directions, by every similarity given, by an intruder who uses what they know as it
    is and with the same protection applied to it: the strongest counts. ``outside`` is what is found with ``known``,
    knowledge from another period; with ``inside`` (everything that would be written, and parts of it of which the
    intruder knows any one; None: each event with probability 1/2) the whole file is attacked as well with knowledge
    that it contains, and the strongest part counts. The risk is the larger of the two. Shares are of the people in the
    file whom the intruder knows. Intervals allow for people who are not independent of each other: halves of them are
    attacked again, in the data as it is (unless ``independent`` says which share of them counts as independent) and in
    what is recommended.

    Loss is the same for all protections, in the original places. With ``limit`` the protection of least loss that
    meets it is attacked again by all similarities (at these ``levels`` of places, where some compare several), and
    recommended if it still does. With ``scouts``, such as 600, only the attacks that are strongest on that many people
    are carried out on everyone, where there are at least twice as many and the risk is far above the limit (or 5%
    where there is none): a risk is not called small before every attack was carried out on everyone. With ``everyone``
    the sides hold some of the people, and what is recommended is attacked on all of them. With ``skip`` a strength that
    leaves nothing to attack is left out and noted, instead of ending all.

    Parameters
    ----------
    released, known
        The two sides: events, or histograms.
    protections
        What to try: ``so.Protection.keep([100, 20])`` and so on.
    inside
        The log to be written, and parts of it that the intruder may know; None: only another period is known.
    similarities
        Similarities by which the file is attacked; the strongest counts.
    levels
        Coarser places that are compared as well.
    counts
        The sides as histograms, if they have been counted already.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.
    repeats
        How many times each protection is tried, with another seed each.
    limit
        A risk limit: what meets it at the least loss is recommended.
    scouts
        On how many people the attacks are chosen that are carried out on everyone; None: all attacks on everyone.
    confidence_level
        Confidence level of the interval.
    seed
        Seed for everything random; the same seed gives the same result.
    skip
        Whether strengths that cannot be tried are noted instead of refused.
    everyone
        The sides with all people, where those given are a sample.
    independent
        The share of people who count as independent, if it has been measured.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Frontier
        One row per protection and strength, the data as it is first.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> found = so.frontier(released, known, [so.Protection.keep([20])])
    >>> [(row.protection, row.on_frontier) for row in found.rows]
    [('none', True), ('keep', True)]
    """
    protections = _check_protections(released, known, protections, repeats)
    check_level("frontier", confidence_level)
    check_seed("frontier", seed)
    if isinstance(similarities, str) or not similarities:
        raise bad_argument("frontier", "similarities", "a list of similarities", similarities)
    tried = tuple(map(find_similarity, similarities))
    columns = _columns(released, known, inside, truth, counts)
    attack = FileAttack(columns, tried, levels, repeats, confidence_level, seed, progress)
    attack = replace(attack, scouts=scouts)
    measured = []
    if independent is None:
        plain = attack.measure(attack.protect(None, None), tried, halves=True)
        independent = min(rate.effective_share for rate in plain.rates)
        measured = [Candidate(plain, None, None)]
    attack = replace(attack, independent=independent)
    trials = [(None, None), *((each, strength) for each in protections for strength in each.strengths)]
    trials = trials[len(measured) :]
    found = try_all(attack, trials, limit, skip=skip, keep=everyone is None, progress=progress)
    left_out = [each for each in found if isinstance(each, Note)]
    measured += [each for each in found if not isinstance(each, Note)]
    points = [each.point for each in measured]
    if limit is not None:
        if everyone is not None:
            all_columns = _columns(everyone.released, everyone.known, everyone.inside, truth, everyone.counts)
            attack = replace(attack, columns=all_columns)
        people = max(len(columns[-1].counts), 1)
        points = attack.recommend(points, limit, [each for each in measured[1:] if each.point.is_enough(limit, people)])
    return Frontier(_mark_best(points), tuple(each.name for each in tried), repeats, seed, tuple(left_out))


def _columns(
    released: Side,
    known: Side,
    inside: tuple[Side, Sequence[Side | None]] | None,
    truth: Mapping[Any, Any] | None,
    counts: tuple[Histograms, Histograms] | None,
) -> list[Column]:
    """Knowledge from outside the file, and from inside where there is any."""
    return [Column(released, (known,), truth, counts), *([] if inside is None else [Column(*inside, None)])]


def _check_protections(released: Any, known: Any, protections: Iterable[Protection], repeats: int) -> list[Protection]:
    for argument, side in (("released", released), ("known", known)):
        if not isinstance(side, Events | Histograms):
            raise bad_argument("frontier", argument, "Events or Histograms", type(side).__name__)
    listed = list(protections) if isinstance(protections, Iterable) else [protections]
    if not all(isinstance(protection, Protection) for protection in listed) or isinstance(protections, Protection):
        hint = "Even where there is one only." if isinstance(protections, Protection) else ""
        raise bad_argument("frontier", "protections", "a list of so.Protection", type(protections).__name__, hint)
    if not is_whole(repeats) or repeats < 1:
        raise bad_argument("frontier", "repeats", "a whole number above zero", repeats)
    for protection in listed:
        if protection.on_events and not (isinstance(released, Events) and isinstance(known, Events)):
            raise DataError(
                f"protection {protection.name!r} works on events; give Events for both sides.", function="frontier"
            )
    return listed


def _mark_best(points: Sequence[Point]) -> tuple[Point, ...]:
    """Points with whether no other has less risk at no more loss, or less loss at no more risk."""
    best = undominated([(point.risk.value, point.utility.loss) for point in points])
    return tuple(replace(point, on_frontier=on) for point, on in zip(points, best, strict=True))
