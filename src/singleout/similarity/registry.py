"""The available similarities, and the function by which users add their own; built-in ones are defined the same way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from numba import njit
from numba.core.errors import NumbaError
from scipy import sparse

from singleout._kernels import overlap
from singleout._kernels.jit import rebuilt
from singleout.ground.arrays import Floats
from singleout.ground.errors import bad_argument, unknown_name
from singleout.similarity.evidence import (
    growing_reliability,
    rarity_by_people,
    rarity_by_visits,
    saturating_reliability,
)
from singleout.statistics.histograms import Histograms
from singleout.statistics.levels import TIMES, Levels

Kernels = dict[str, Callable[..., Any]]

KERNELS = ("term", "gather_row", "dense_gains", "best_gains", "price_rows", "pair_gains")
"""In this order: the later ones call the earlier ones."""
BUILT_IN_KERNELS: Kernels = {name: getattr(overlap, name) for name in KERNELS}


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

    @property
    def distance(self) -> bool:
        """Whether costs are never negative: all built-in ones except dot, which is negated."""
        return self.name in BUILT_IN and self.name != "dot"

    @property
    def own_part(self) -> bool:
        """Whether the term uses x ln x of each value, computed once per entry."""
        return self.code == overlap.ENTROPY

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
    "js": "Jensen-Shannon divergence",
    "l1": "total variation",
    "cosine": "cosine",
    "dot": "inner product",
    "glrt": "likelihood ratio",
    "js_roots": "Jensen-Shannon divergence of square roots",
    "js_popularity": "rare places count more",
    "js_reliability": "people with more data count more",
    "evidence": "rare places and people with more data count more",
    "evidence_mild": "rare places and people with more data count a little more",
    "evidence_levels": "as evidence_mild, at several sizes of cells",
}

_similarities: dict[str, Similarity] = {**BUILT_IN, **STRONGER}


def register_similarity(name: str, term: Callable[[float, float], float], constant: float) -> None:
    """Add your own similarity: cost = constant - sum of ``term(p, q)`` over the places both people have.

    ``term`` takes the two shares of a place and returns a number of zero or more; it must be plain arithmetic that
    Numba can compile, and it is compiled again in every process. It must be symmetric for one-by-one matching to mean
    the same in both directions. ``constant`` is the cost of two people who share no place.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise bad_argument("register_similarity", "name", "a name of letters, digits and underscores", name)
    if name in BUILT_IN or name in STRONGER:
        raise bad_argument(
            "register_similarity", "name", "a new name", name, "Built-in similarities cannot be replaced."
        )
    if not callable(term):
        raise bad_argument("register_similarity", "term", "a function of two shares", term)
    if not math.isfinite(constant):
        raise bad_argument("register_similarity", "constant", "a finite number", constant)
    try:
        kernels = _kernels_with(term)
        kernels["term"](overlap.PRODUCT, 0.5, 0.25, 0.0, 0.0)
    except (NumbaError, TypeError, ValueError, ArithmeticError) as error:
        hint = "Use plain arithmetic and NumPy functions of numbers."
        raise bad_argument("register_similarity", "term", "a function that Numba can compile", term, hint) from error
    _similarities[name] = Similarity(name, "shares", float(constant), overlap.PRODUCT, kernels)


def find_similarity(name: str | Similarity) -> Similarity:
    """The similarity with this name, or the one given."""
    if isinstance(name, Similarity):
        return name
    if name not in _similarities:
        raise unknown_name("match", "similarity", str(name), _similarities)
    return _similarities[name]


def similarity_in_words(name: str) -> str:
    """What a built-in similarity does, for readers new to its name; the name of any other."""
    return IN_WORDS.get(name, name)


def at_levels(name: str | Similarity, levels: Levels | None) -> Similarity:
    """The similarity; if it compares several levels, these, where they are given."""
    found = find_similarity(name)
    return found if levels is None or found.levels is None else replace(found, levels=levels)


def similarities_to_try(side: Histograms, levels: Levels | None = None) -> tuple[Similarity, ...]:
    """All that an intruder would try on sides like this one; ``levels``: coarser places that the user gave."""
    tried = [at_levels(name, levels) for name in (*BUILT_IN, *STRONGER)]
    return tuple(
        each
        for each in tried
        if (each.constant is not None or len(side) <= MOST_FOR_GLRT) and (each.levels is None or each.levels.fit(side))
    )


def _kernels_with(term: Callable[[float, float], float]) -> Kernels:
    """The kernels with the user's term in place of the built-in ones."""
    compiled = term if hasattr(term, "py_func") else njit(nogil=True, error_model="numpy")(term)

    def own_term(code: int, p: float, q: float, own_p: float, own_q: float) -> float:
        return compiled(p, q)

    names: Kernels = {"term": njit(nogil=True)(own_term)}
    for name in KERNELS[1:]:
        names[name] = rebuilt(BUILT_IN_KERNELS[name], names)
    return names
