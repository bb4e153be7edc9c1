"""The attacker ladder: chance, one by one, joint; by every similarity; measured the same way."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import numpy as np
import pyarrow as pa

from singleout.assessment.attack_kinds import AttackKind, AttackName
from singleout.assessment.one_by_one_ways import stronger_way
from singleout.ground.arrays import Floats
from singleout.ground.errors import bad_argument
from singleout.ground.names import Method, SimilarityName
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import WIDTH, Note, NoteDict
from singleout.ground.numbers import percent
from singleout.ground.plain_data import Count, NotNegative, Share
from singleout.ground.text_tables import align_rows
from singleout.matching.matching import PreparedSides
from singleout.matching.result import Matching, MatchingInterrupted
from singleout.measures.accuracy import Accuracy, accuracy
from singleout.measures.intervals import Estimate, EstimateDict, rate_columns, wilson
from singleout.measures.precision import chances_by_known_person
from singleout.measures.taught import Taught, TaughtDict, check_known_pairs, taught, why_not
from singleout.similarity.registry import BUILT_IN, Compared, by_terms, find_similarity
from singleout.statistics.histograms import Histograms
from singleout.statistics.ids import People, comparable

FEW = 30
INTERVAL = "Wilson on the expected count, as if people were independent; half-sampling allows for joint matching"


class RungDict(TypedDict):
    """One attack and how often it is right; only kind, similarity and a rate of null where the truth is not known."""

    kind: AttackName
    similarity: str
    rate: EstimateDict | None
    expected: NotRequired[NotNegative]
    precision: NotRequired[EstimateDict]
    random: NotRequired[Share]
    shuffled: NotRequired[Share]


class SideDict(TypedDict):
    """How large one side is; only people, where a matching is of scores."""

    people: Count
    places: NotRequired[Count]
    entries: NotRequired[Count]


class SidesDict(TypedDict):
    """What was matched."""

    label: str
    synthetic: bool
    released: SideDict
    known: SideDict


class MatchesDict(TypedDict):
    """The joint matching by the first similarity asked for, and how far it is proven to be from the best."""

    kind: str
    similarity: str | None
    pairs: Count
    cost: float
    bound: float
    relative_gap: NotNegative


class LadderDocument(TypedDict):
    """The result file of ``match``."""

    schema: Literal["singleout/result/1"]
    data: SidesDict
    seed: Count
    interval: str
    random: Annotated[EstimateDict | None, "What guessing at random would achieve; null where the truth is not known."]
    rows: list[RungDict]
    matches: MatchesDict
    taught: TaughtDict | None
    interrupted: bool
    notes: list[NoteDict]


@dataclass(frozen=True)
class Rung:
    """One attack of the ladder and how often it is right; ``accuracy`` None where the truth is not known."""

    kind: AttackKind
    similarity: str
    accuracy: Accuracy | None
    right: Floats | None = field(default=None, repr=False, compare=False)
    """How likely each known person on both sides is to be re-identified, in order of the known rows."""

    @property
    def rate(self) -> Estimate | None:
        """Share of the people on both sides who are re-identified."""
        return None if self.accuracy is None else self.accuracy.rate

    @property
    def within_reach(self) -> bool:
        """Whether it needs nobody to be known beforehand."""
        return self.kind is not AttackKind.TAUGHT

    def to_dict(self) -> RungDict:
        """Plain data for a result file."""
        if self.accuracy is None:
            return {"kind": self.kind.value, "similarity": self.similarity, "rate": None}
        return {
            "kind": self.kind.value,
            "similarity": self.similarity,
            "expected": self.accuracy.expected,
            "rate": self.accuracy.rate.to_dict(),
            "precision": self.accuracy.precision.to_dict(),
            "random": self.accuracy.random,
            "shuffled": self.accuracy.shuffled,
        }


@dataclass(frozen=True, eq=False)
class Ladder(Pictured):
    """Attacks from the simplest to the strongest on one pair of sides.

    ``matching`` is the joint matching by the first similarity asked for, ``strongest_joint`` the one that re-identifies
    most people (the same where that cannot be measured). ``label`` says what the data is.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> found = so.ladder(released, known, similarities=["js"])
    >>> found.strongest.rate
    Estimate(98.0% [89.5%, 99.6%] of 50)
    """

    rows: tuple[Rung, ...]
    matching: Matching
    strongest_joint: Matching
    label: str
    synthetic: bool
    interrupted: bool = False
    taught: Taught | None = None
    """What the intruder learns who already knows some of the people, where that was asked for."""
    left_out: tuple[Note, ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was left out on the way."""
        return self.matching.notes + self.left_out

    @property
    def random(self) -> Estimate | None:
        """What chance would achieve."""
        measured = next((rung.accuracy for rung in self.rows if rung.accuracy is not None), None)
        return (
            None
            if measured is None
            else wilson(measured.random * measured.common, measured.common, measured.rate.confidence_level)
        )

    @property
    def strongest(self) -> Rung | None:
        """The attack that re-identifies most people, of those that need not know any of them beforehand."""
        measured = [rung for rung in self.rows if rung.accuracy is not None and rung.within_reach]
        return max(measured, key=lambda rung: rung.accuracy.expected if rung.accuracy else 0.0, default=None)

    def to_dict(self) -> LadderDocument:
        """The result file: counts and shares, no ids."""
        matching = self.matching
        random = self.random
        return {
            "schema": "singleout/result/1",
            "data": {
                "label": self.label,
                "synthetic": self.synthetic,
                "released": _size(matching.released_side),
                "known": _size(matching.known_side),
            },
            "seed": matching.seed,
            "interval": INTERVAL,
            "random": None if random is None else random.to_dict(),
            "rows": [rung.to_dict() for rung in self.rows],
            "matches": {
                "kind": matching.method,
                "similarity": matching.similarity,
                "pairs": len(matching),
                "cost": matching.cost,
                "bound": matching.bound,
                "relative_gap": matching.relative_gap,
            },
            "taught": None if self.taught is None else self.taught.to_dict(),
            "interrupted": self.interrupted,
            "notes": [note.to_dict() for note in self.notes],
        }

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        rows = [
            {
                "kind": str(rung.kind),
                "similarity": rung.similarity,
                "expected": None if rung.accuracy is None else rung.accuracy.expected,
                "rate": None if rung.rate is None else rung.rate.value,
                "low": None if rung.rate is None else rung.rate.low,
                "high": None if rung.rate is None else rung.rate.high,
            }
            for rung in self.rows
        ]
        return pa.Table.from_pylist(rows)

    def sentence(self) -> str:
        """The answer in one sentence."""
        strongest = self.strongest
        if strongest is None or strongest.accuracy is None:
            return f"{len(self.matching):,} pairs were matched; the true pairs are not known, so no rate can be given."
        measured = strongest.accuracy
        rate = measured.rate
        few = " These are too few people to say much." if measured.common < FEW else ""
        return (
            f"An intruder would re-identify {rate.count_in_words('people')} "
            f"{strongest.kind.in_words(strongest.similarity)}: {rate.in_words()}. Random guessing would re-identify "
            f"{percent(measured.random)}.{few}"
        )

    def __repr__(self) -> str:
        return f"Ladder({len(self.rows)} attacks): {self.sentence()}"

    def headline(self) -> str:
        """The answer in one sentence."""
        return self.sentence()

    def _shown_table(self) -> pa.Table:
        """One row per attack, after what chance would achieve."""
        chance = [] if self.random is None else [("chance", "", self.random)]
        rows = [*chance, *((rung.kind.label, rung.similarity, rung.rate) for rung in self.rows)]
        return pa.Table.from_pylist(
            [{"attack": attack, "similarity": by} | rate_columns("re-identified", rate) for attack, by, rate in rows]
        )

    def __str__(self) -> str:
        measured = [] if self.random is None else [("chance", "", self.random)]
        rows = [*measured, *((rung.kind.label, rung.similarity, rung.rate) for rung in self.rows)]
        table = align_rows(rows, "attack:<", "similarity:<", "re-identified (interval):<")
        return "\n".join([*table, *textwrap.wrap(self.sentence(), WIDTH)])


def _size(side: Histograms | People) -> SideDict:
    if isinstance(side, People):
        return {"people": len(side)}
    return {"people": len(side), "places": side.number_of_places, "entries": int(side.counts.nnz)}


def ladder(
    released: Histograms,
    known: Histograms,
    *,
    similarities: Sequence[SimilarityName | str | Compared] = tuple(BUILT_IN),
    known_pairs: float | None = None,
    truth: Mapping[Any, Any] | None = None,
    size: int | None = None,
    tolerance: float = 0.0,
    confidence_level: float = 0.95,
    seed: int = 0,
    label: str = "data as given",
    synthetic: bool = False,
    first: str | None = None,
    found: Callable[[Rung], None] | None = None,
    progress: bool | None = None,
) -> Ladder:
    """Run every attack on the same two sides and measure each against the truth.

    One by one takes the nearest known person for each released one. Where nobody is on both sides and no ``truth`` is
    given the attacks run all the same, unmeasured. ``size`` and ``tolerance`` are for joint matching, as in ``match``.
    ``known_pairs``, such as 0.2: the last rung is an intruder who already knows this share of the people and learns
    from them; it is measured on the others, and never the ladder's strongest. Ctrl-C during a joint matching ends the
    ladder there, with the best matching so far. ``first`` names the similarity to begin with, and ``found`` is called
    with every attack as soon as it is measured; the rows stay in the order of ``similarities``.

    Parameters
    ----------
    released, known
        The two sides, as histograms.
    similarities
        Similarities to try; by default those of the papers.
    known_pairs
        The share of people whom the last intruder knows already; None: no such intruder.
    truth
        Who is who: a mapping of released to known ids; None: people have the same id on both sides.
    size, tolerance
        For joint matching, as in ``match``.
    confidence_level
        Confidence level of the interval.
    seed
        Seed for breaking ties at random; the same seed gives the same result.
    label
        What the data is, for reports.
    synthetic
        Whether the data is generated.
    first
        The similarity to begin with; the rows stay in their order.
    found
        Called with each attack as soon as it is measured.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Ladder
        One row per attack.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> print(so.ladder(released, known, similarities=["js"]))
    attack               similarity  re-identified (interval)
    chance                           2.0% [0.35%, 10.5%]
    one-by-one matching  js          94.1% [83.9%, 98.0%]
    joint matching       js          98.0% [89.5%, 99.6%]
    An intruder would re-identify about 49 of 50 people by comparing everyone with
    everyone at once (joint matching, Jensen-Shannon divergence): 98.0% (95%
    interval 89.5% to 99.6%). Random guessing would re-identify 2.0%.
    """
    if isinstance(similarities, str) or not similarities:
        raise bad_argument("ladder", "similarities", "a list of similarities", similarities)
    if known_pairs is not None:
        check_known_pairs("ladder", known_pairs)
    tried = dict.fromkeys(map(find_similarity, similarities))
    measurable = truth is not None or np.intersect1d(*comparable(released.people, known.people)).size > 0
    rungs: list[Rung] = []
    first_joint: Matching | None = None
    best: tuple[tuple[float, int], Matching] | None = None
    interrupted = False
    sides = PreparedSides(released, known, seed=seed, progress=progress)
    order, first_tried = [each.name for each in tried], next(iter(tried))
    begin = by_terms(sorted(tried, key=lambda each: each.name != first))
    methods: tuple[Method, ...] = ("one-by-one", "joint")
    for similarity, method in product(begin, methods):
        try:
            joint: dict[str, Any] = {"size": size, "tolerance": tolerance} if method == "joint" else {}
            matching = sides.match(similarity, method=method, **joint)
            if method == "one-by-one" and measurable:
                matching = stronger_way(matching, sides.match(similarity, method=method, by="known"), truth)
        except MatchingInterrupted as stopped:
            matching, interrupted = stopped.matching, True
        measured = accuracy(matching, truth, confidence_level=confidence_level) if measurable else None
        right = chances_by_known_person(matching, truth) if measurable else None
        rungs.append(Rung(AttackKind(method), similarity.name, measured, right))
        if found is not None:
            found(rungs[-1])
        if method == "joint":
            first_joint = matching if first_joint is None or similarity is first_tried else first_joint
            # of equally strong ones the one that was asked for first
            strength = 0.0 if measured is None else measured.expected, -order.index(similarity.name)
            best = (strength, matching) if best is None or strength > best[0] else best
        if interrupted:
            break
    # the simplest attacks first, each kind in the order that was asked for
    rungs.sort(key=lambda rung: (rung.kind is AttackKind.JOINT, order.index(rung.similarity)))
    assert first_joint is not None
    assert best is not None
    climbed = Ladder(tuple(rungs), first_joint, best[1], label, synthetic, interrupted)
    if known_pairs is None or interrupted:
        return climbed
    asked: dict[str, Any] = {"confidence_level": confidence_level, "seed": seed, "progress": progress}
    levels = next((each.levels for each in tried if each.levels is not None), None)
    return add_taught(climbed, (released, known), known_pairs, truth, levels=levels, **asked)


def add_taught(
    found: Ladder,
    sides: tuple[Histograms, Histograms],
    known_pairs: float,
    truth: Mapping[Any, Any] | None,
    **asked: Any,
) -> Ladder:
    """The ladder with an intruder on top who knows some of the people; a note where nothing can be learnt."""
    measurable = any(rung.accuracy is not None for rung in found.rows)
    reason = why_not(*sides, known_pairs, truth) if measurable else "it is not known who is who"
    if reason:
        note = Note(1, "attacks left out (an intruder who already knows some of the people)", reason)
        return replace(found, left_out=(*found.left_out, note))
    try:
        learnt = taught(*sides, known_pairs=known_pairs, truth=truth, **asked)
    except MatchingInterrupted:
        return replace(found, interrupted=True)
    rung = Rung(AttackKind.TAUGHT, f"{known_pairs:.0%}", learnt.accuracy, learnt.right)
    return replace(found, rows=(*found.rows, rung), taught=learnt)
