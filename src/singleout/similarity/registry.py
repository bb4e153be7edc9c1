"""The available similarities, and the function by which users add their own; built-in ones are defined the same way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa
from scipy import sparse

from singleout._kernels import overlap
from singleout.ground.arrays import Floats
from singleout.ground.errors import bad_argument, unknown_name
from singleout.ground.notebooks import Tabular, WithoutNotes
from singleout.ground.notes import number_of
from singleout.ground.text_tables import align_rows
from singleout.similarity.evidence import (
    growing_reliability,
    rarity_by_people,
    rarity_by_visits,
    saturating_reliability,
)
from singleout.similarity.own_attack import OwnAttack
from singleout.similarity.own_term import (
    BUILT_IN_KERNELS,
    Kernels,
    Places,
    check_constant,
    compile_term,
    count_values,
    values_of_places,
)
from singleout.statistics.histograms import Histograms
from singleout.statistics.levels import TIMES, Levels


@dataclass(frozen=True, eq=False)
class Similarity:
    """cost = constant - sum of a term over the places both people have; per channel.

    ``scale`` says what the term is computed from: ``"shares"`` (counts that sum to one), ``"unit"`` (counts of
    Euclidean length one) or ``"counts"``. ``constant`` None stands for UN13's h(A, B), which differs from pair to pair.
    """

    name: str
    scale: str
    constant: float | None
    code: int
    kernels: Kernels
    roots: bool = False
    """Whether the term uses square roots of the counts: rare places then count for more."""
    rarity: Callable[[sparse.csr_array], Floats] | None = None
    """How much each place counts, from the counts of the known side; None: all the same."""
    reliability: Callable[[Floats], Floats] | None = None
    """How much each person counts, from their number of events; None: all the same.

    Only joint matching uses it: one by one it would favour people with many events.
    """
    levels: Levels | None = None
    """Coarser places that are compared as well, where there are any."""
    place_values: Callable[[Histograms], Floats] | None = None
    """Two values of each known place that a user's term takes; None: none."""
    description: str = ""
    """What it does, in a user's own words."""

    @property
    def distance(self) -> bool:
        """Whether costs are never negative: all built-in ones except dot, which is negated."""
        return self.name in BUILT_IN and self.name != "dot"

    @property
    def own_part(self) -> bool:
        """Whether the term uses x ln x of each value, computed once per entry."""
        return self.code == overlap.ENTROPY

    @property
    def terms(self) -> tuple[Any, ...]:
        """What the sums of terms of all pairs depend on, besides the data: not how much people count."""
        return self.scale, self.code, id(self.kernels), self.roots, self.rarity, self.levels, self.place_values

    def for_method(self, method: str) -> Similarity:
        """The same as it is used by one method: one by one, all people count the same."""
        return self if method == "joint" else replace(self, reliability=None)


BUILT_IN = {
    similarity.name: similarity
    for similarity in (
        Similarity("js", "shares", 2 * math.log(2), overlap.ENTROPY, BUILT_IN_KERNELS),  # N16 eq. 7
        Similarity("l1", "shares", 2.0, overlap.MINIMUM, BUILT_IN_KERNELS),  # N16 eq. 6
        Similarity("cosine", "unit", 1.0, overlap.PRODUCT, BUILT_IN_KERNELS),  # N16 eq. 4
        Similarity("dot", "shares", 0.0, overlap.PRODUCT, BUILT_IN_KERNELS),  # N16 eq. 5, negated
        Similarity("glrt", "counts", None, overlap.ENTROPY, BUILT_IN_KERNELS),  # UN13 section V, unequal lengths
    )
}


GRIDS = Levels(TIMES, asked=False)


def _js(name: str, **factors: Any) -> Similarity:
    """The terms of js with factors of places or people: no distance, so two people who share nothing cost 0."""
    return Similarity(name, "shares", 0.0, overlap.ENTROPY, BUILT_IN_KERNELS, **factors)


MOST_FOR_GLRT = 10_000
"""People above which glrt takes long: left out unless asked for."""
STRONGER = {
    similarity.name: similarity
    for similarity in (
        Similarity("js_roots", "shares", 2 * math.log(2), overlap.ENTROPY, BUILT_IN_KERNELS, roots=True),
        _js("js_popularity", rarity=rarity_by_people),
        _js("js_reliability", reliability=saturating_reliability),
        _js("evidence", rarity=rarity_by_people, reliability=saturating_reliability),
        _js("evidence_levels", rarity=rarity_by_visits, reliability=growing_reliability, levels=GRIDS),
        _js("evidence_mild", rarity=rarity_by_visits, reliability=growing_reliability),
    )
}
"""Beyond the papers: js of square-root shares, evidence and its two parts, and a milder one for long GPS traces."""

IN_WORDS = {
    "js": "how far two distributions differ (Jensen-Shannon divergence)",
    "l1": "the sum of the differences between shares (total variation)",
    "cosine": "the angle between counts (cosine)",
    "dot": "shares multiplied and added up (inner product)",
    "glrt": "whether one distribution could have produced both (likelihood ratio)",
    "js_roots": "Jensen-Shannon divergence of square roots, in which rare places count more",
    "js_popularity": "rare places count more",
    "js_reliability": "people with more data count more",
    "evidence": "rare places and people with more data count more",
    "evidence_mild": "rare places and people with more data count a little more",
    "evidence_levels": "as evidence_mild, at several sizes of cells",
    "counts": "how likely the released counts are for someone with the known ones, whatever the noise",
    "half_counts": "how likely the known counts are a half of those behind the shares of the file",
    "noisy_halves": "how likely the released counts are for someone of whose events half are known, and noise",
    "shared_rows": "how likely the known events are under each row that several people share",
}
READERS_NAMES = {
    "js": "Jensen-Shannon divergence",
    "l1": "total variation",
    "dot": "inner product",
    "glrt": "likelihood ratio",
    "js_roots": "Jensen-Shannon, square roots",
    "js_popularity": "rarity weights",
    "js_reliability": "activity weights",
    "evidence": "rarity and activity weights",
    "evidence_mild": "mild rarity and activity weights",
    "evidence_levels": "mild weights at several cell sizes",
    "counts": "likelihood of counts with noise",
    "half_counts": "likelihood of half the counts",
    "noisy_halves": "likelihood of halves and noise",
    "shared_rows": "likelihood under shared rows",
}
"""What reports call a similarity: short enough for a label on a narrow screen. Options take the name itself."""

Compared = Similarity | OwnAttack
"""What people can be compared by: sums over common places, or scores by a function of a user's."""
_registered: dict[str, Compared] = {**BUILT_IN, **STRONGER}


def register_similarity(
    name: str,
    term: Callable[..., float],
    constant: float,
    *,
    places: Places | None = None,
    description: str = "",
) -> None:
    """Add your own similarity: cost = constant - sum of ``term(p, q)`` over the places both people have.

    Parameters
    ----------
    name
        What it is called from then on.
    term
        Takes the two shares of a place and returns a number of zero or more, the same with the shares swapped. It must
        be plain arithmetic that Numba can compile, and it is compiled again in every process.
    constant
        The cost of two people who share no place.
    places
        Values of places that the term takes after the shares, one or two: a mapping of place ids to a number or a pair
        of numbers, or a function of the known side's ``Histograms`` that returns one row per known place. Popularity
        and position are such values.
    description
        What it does, for lists and charts.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> import math
    >>> so.register_similarity("hellinger", lambda p, q: math.sqrt(p * q), 1.0, description="Hellinger distance")
    >>> so.match(released, known, similarity="hellinger")
    Matching(50 pairs, joint, similarity hellinger, cost 15.71, proven best)
    """
    _check_name("register_similarity", name)
    cost, values = check_constant(constant), count_values(term)
    if values and places is None:
        must = f"given: the term takes {number_of(values, 'values')} of each place"
        raise bad_argument("register_similarity", "places", must, None)
    place_values = None if places is None else values_of_places(places, values)
    kernels = compile_term(term, values)
    more: dict[str, Any] = {"place_values": place_values, "description": str(description)}
    _registered[name] = Similarity(name, "shares", cost, overlap.PRODUCT, kernels, **more)


def register_attack(name: str, score: Callable[[Histograms, Histograms], Any], *, description: str = "") -> None:
    """Add your own attack: a function ``score(released, known)`` of two ``Histograms`` that returns ``Scores``.

    It may also return a matrix, released by known, in the order of the people; higher is more similar. From then on
    its name can be given wherever a similarity is named: to ``match``, ``ladder``, ``frontier`` and ``audit``. It sees
    copies of both sides, with people in a random order and numbered from zero. The same input must give the same
    scores. ``description`` says what it does.

    Parameters
    ----------
    name
        What it is called from then on.
    score
        The function.
    description
        What it does, for lists and charts.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> def by_activity(released, known):
    ...     mine, theirs = (side.counts.sum(axis=1) for side in (released, known))
    ...     return -abs(mine[:, None] - theirs)
    >>> so.register_attack("by_activity", by_activity, description="how much people do")
    >>> so.match(released, known, similarity="by_activity")
    Matching(50 pairs, joint, similarity by_activity, cost 503, proven best)
    """
    _check_name("register_attack", name)
    if not callable(score):
        raise bad_argument("register_attack", "score", "a function of released and known histograms", score)
    _registered[name] = OwnAttack(name, score, str(description))


def _check_name(function: str, name: str) -> None:
    if not isinstance(name, str) or not name.isidentifier():
        raise bad_argument(function, "name", "a name of letters, digits and underscores", name)
    if name in BUILT_IN or name in STRONGER:
        raise bad_argument(function, "name", "a new name", name, "Built-in similarities cannot be replaced.")


def registered_by_user() -> tuple[Compared, ...]:
    """What was added in this process, in the order of its first registration."""
    return tuple(each for name, each in _registered.items() if name not in BUILT_IN and name not in STRONGER)


@dataclass(frozen=True)
class SimilarityInfo:
    """One similarity: its name, what it does, and whether it is from the papers, stronger, or registered by you."""

    name: str
    description: str
    origin: str


@dataclass(frozen=True)
class SimilarityList(WithoutNotes, Tabular):
    """The similarities there are.

    Examples
    --------
    >>> import singleout as so
    >>> so.similarities().to_arrow().column_names
    ['name', 'description', 'origin']
    """

    rows: tuple[SimilarityInfo, ...]

    def to_arrow(self) -> pa.Table:
        """One row per similarity."""
        return pa.Table.from_pylist([asdict(each) for each in self.rows])

    def __str__(self) -> str:
        rows = [(each.name, each.origin, each.description) for each in self.rows]
        return "\n".join(align_rows(rows, "similarity:<", "origin:<", "what it does:<"))

    def headline(self) -> str:
        """How many there are."""
        return f"{len(self.rows)} similarities"

    __repr__ = __str__


def similarities() -> SimilarityList:
    """All similarities that ``match``, ``ladder``, ``frontier`` and ``audit`` can use; yours last.

    Returns
    -------
    SimilarityList
        One row per similarity.

    Examples
    --------
    >>> import singleout as so
    >>> [each.name for each in so.similarities().rows][:5]
    ['js', 'l1', 'cosine', 'dot', 'glrt']
    """
    origins = ((BUILT_IN.values(), "papers"), (STRONGER.values(), "stronger"), (registered_by_user(), "yours"))
    return SimilarityList(
        tuple(
            SimilarityInfo(each.name, similarity_in_words(each.name), origin)
            for group, origin in origins
            for each in group
        )
    )


def find_similarity(name: str | Compared) -> Compared:
    """The similarity with this name, or the one given."""
    if isinstance(name, Similarity | OwnAttack):
        return name
    if name not in _registered:
        raise unknown_name("match", "similarity", str(name), _registered)
    return _registered[name]


def find_built_in(name: str) -> Similarity:
    """A similarity that is always there."""
    return (BUILT_IN | STRONGER)[name]


def similarity_name(name: str) -> str:
    """What reports call a similarity; one that a user registered by its own name."""
    return READERS_NAMES.get(name, name)


def similarity_in_words(name: str) -> str:
    """What a similarity does, for readers new to its name; the name where nothing is said."""
    own = _registered.get(name)
    return IN_WORDS.get(name) or (own.description if own is not None else "") or name


def by_terms(tried: Iterable[Compared]) -> list[Compared]:
    """Those that add up the same terms one after the other, each group where its first one was."""
    groups: dict[Any, list[Compared]] = {}
    for each in tried:
        groups.setdefault(each.terms, []).append(each)
    return [each for group in groups.values() for each in group]


def at_levels(name: str | Compared, levels: Levels | None) -> Compared:
    """The similarity; if it compares several levels, these, where they are given."""
    found = find_similarity(name)
    if isinstance(found, OwnAttack) or levels is None or found.levels is None:
        return found
    return replace(found, levels=levels)


def similarities_to_try(side: Histograms, levels: Levels | None = None) -> tuple[Compared, ...]:
    """All that an intruder would try on sides like this one; ``levels``: coarser places that the user gave."""
    return tuple(each for name in _registered if _applies(each := at_levels(name, levels), side))


def _applies(compared: Compared, side: Histograms) -> bool:
    if isinstance(compared, OwnAttack):
        return True
    quick = compared.constant is not None or len(side) <= MOST_FOR_GLRT
    return quick and (compared.levels is None or compared.levels.fit(side))
