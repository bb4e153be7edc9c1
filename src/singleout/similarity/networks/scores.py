"""How alike two people's networks are, with every label removed (M18 sections 3.3 and 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from singleout.ground.errors import DataError, bad_argument, check_seed, is_number, is_whole, unknown_name
from singleout.ground.notes import Note, counted, of_two_sides
from singleout.similarity.networks import features
from singleout.similarity.networks.shapes import LABELS, TIES, Shapes, shaped
from singleout.similarity.pairs import Floats
from singleout.similarity.scores import Scores
from singleout.statistics.ids import Ids, comparable
from singleout.statistics.networks import MOST, Networks

TIED_AT_THE_CUT = "tied-at-the-cut"
KERNELS = ("dd", "wd", "sp", "wl", "dsp", "dwl", "size")
WHOLE = ("dd", "wd")
"""Kernels that look at the networks as they are, unless asked to look at pruned ones."""
DIRECTIONS = ("in+out", "out", "undirected")
SIMILARITIES = {"dd": ("rbf", "inner"), "wd": ("rbf", "inner"), "dsp": ("edit", "ppmi"), "dwl": ("ppmi",)}
"""What each kernel may be compared by; the first is the default."""


def graph_scores(
    released: Networks,
    known: Networks | Sequence[Networks],
    *,
    kernel: str = "dsp",
    top: int | None = 200,
    rounds: int = 2,
    labels: int | str = 3,
    prune: float = 0.4,
    ties: str = "visits",
    component: bool = True,
    similarity: str | None = None,
    direction: str = "in+out",
    gamma: float = 1.0,
    pruned: bool = False,
    nearest: int = 1,
    seed: int = 0,
    progress: bool | None = None,
) -> Scores:
    """Compare every released network with every known one.

    Parameters
    ----------
    known
        One Networks, or several of other times: then the mean of a person's ``nearest`` best scores counts (M18 3.4.3).
    kernel
        ``dsp``, ``dwl`` (deep shortest paths, deep Weisfeiler-Lehman), ``sp``, ``wl``, ``dd``, ``wd`` (degrees without
        and with weights) or ``size`` (nodes and edges only, a baseline).
    top
        Only each person's most visited places; never more than the networks hold.
    rounds
        Of Weisfeiler-Lehman.
    labels
        3 by visits as the paper (most visited 20 %, next up to 80 %, rest), ``"mass"`` by mass of visits, or 1: none.
    prune, ties
        Share of the weakest edges dropped; what decides between equally weak ones: ``"visits"`` (fewer visits of the
        less visited end go first, then of the other end, then those taken earlier), ``"drop_ties"`` (all as weak as the
        last dropped go) or ``"random"`` (from ``seed``).
    component
        Only the largest weak component.
    similarity
        ``dsp``: edit (default) or ppmi; ``dwl``: ppmi; ``dd``, ``wd``: rbf (default) or inner.
    direction
        ``in+out``, ``out`` (Weisfeiler-Lehman as in GraKeL) or ``undirected``.
    gamma
        How fast edit similarity falls with the distance.
    pruned
        ``dd`` and ``wd`` on the pruned top networks; otherwise on the networks as they are, as the paper.

    Where there is nothing to compare, such as paths in a network without edges, scores are 0 with everybody.
    """
    asked = _Asked(kernel, top, rounds, labels, prune, ties, component, similarity, direction, gamma, pruned, seed)
    asked.check()
    if not isinstance(released, Networks):
        raise _not_networks("released", released)
    several = [known] if isinstance(known, Networks) else list(known) if isinstance(known, Sequence) else []
    if not several or not all(isinstance(each, Networks) for each in several):
        raise _not_networks("known", known)
    if not is_whole(nearest) or not 1 <= nearest <= len(several):
        raise bad_argument("graph_scores", "nearest", f"a whole number from 1 to {len(several)}, the networks", nearest)
    compared = [asked.compared(released, each, progress) for each in several]
    known_notes = tuple(dict.fromkeys(note for each in several for note in each.notes))
    notes = of_two_sides(released.notes, known_notes) + compared[0][1]
    if len(several) == 1:
        return Scores.streamed(compared[0][0].block, released.people, several[0].people, notes=notes)
    nearer = _Nearest([each for each, _ in compared], _columns([each.people for each in several]), nearest)
    return Scores.streamed(nearer.block, released.people, _everybody(several), notes=notes)


def _not_networks(argument: str, got: Any) -> Exception:
    must = "Networks, or a list of Networks" if argument == "known" else "Networks"
    return bad_argument("graph_scores", argument, must, type(got).__name__, "Make them with so.networks(…).")


@dataclass(frozen=True)
class _Asked:
    """Everything asked of ``graph_scores``."""

    kernel: str
    top: int | None
    rounds: int
    labels: int | str
    prune: float
    ties: str
    component: bool
    similarity: str | None
    direction: str
    gamma: float
    pruned: bool
    seed: int

    def check(self) -> None:
        """Refuse what cannot be asked."""
        for argument, names in (("kernel", KERNELS), ("ties", TIES), ("direction", DIRECTIONS)):
            if getattr(self, argument) not in names:
                raise unknown_name("graph_scores", argument, str(getattr(self, argument)), names)
        if self.labels not in LABELS or isinstance(self.labels, bool):
            raise bad_argument("graph_scores", "labels", "3, 1 (none) or 'mass'", self.labels)
        for argument in ("top", "rounds"):
            value = getattr(self, argument)
            if not (argument == "top" and value is None) and (not is_whole(value) or not 1 <= value <= MOST):
                raise bad_argument("graph_scores", argument, f"a whole number from 1 to {MOST:,}", value)
        for argument in ("component", "pruned"):
            if not isinstance(getattr(self, argument), bool | np.bool_):
                raise bad_argument("graph_scores", argument, "True or False", getattr(self, argument))
        if not is_number(self.prune) or not 0 <= self.prune < 1:
            raise bad_argument("graph_scores", "prune", "a share of the edges, from 0 up to but not 1", self.prune)
        if not is_number(self.gamma) or self.gamma <= 0:
            raise bad_argument("graph_scores", "gamma", "a number above zero", self.gamma)
        check_seed("graph_scores", self.seed)
        choices = SIMILARITIES.get(self.kernel, ())
        if self.similarity is not None and self.similarity not in choices:
            must = f"one of {', '.join(choices)}" if choices else "left out"
            raise bad_argument("graph_scores", "similarity", f"{must} with kernel={self.kernel!r}", self.similarity)

    def compared(
        self, released: Networks, known: Networks, progress: bool | None
    ) -> tuple[features.Compared, tuple[Note, ...]]:
        """The two sides as the kernel sees them, and what happened on the way."""
        chosen = self.similarity or SIMILARITIES.get(self.kernel, ("",))[0]
        if self.kernel in WHOLE and not self.pruned:
            return self._degrees(released.graphs, known.graphs, chosen), ()
        sides = self._shaped(released), self._shaped(known)
        notes = self._notes(*sides)
        if self.kernel in WHOLE:
            return self._degrees(sides[0].graphs, sides[1].graphs, chosen), notes
        if self.kernel == "size":
            return features.Size(sides[0].graphs, sides[1].graphs), notes
        if self.kernel in ("sp", "dsp"):
            result, capped = self._paths(*sides, chosen, progress)
            return result, notes + counted(Note(capped, "shortest paths cut", f"longer than {features.LONGEST} hops"))
        return self._subtrees(*sides), notes

    def _shaped(self, networks: Networks) -> Shapes:
        top = min((each for each in (self.top, networks.top) if each is not None), default=None)
        return shaped(
            networks.at(top=top).graphs,
            labels=self.labels,
            prune=self.prune,
            ties=self.ties,
            component=self.component,
            seed=self.seed,
            undirected=self.direction == "undirected",
        )

    def _notes(self, released: Shapes, known: Shapes) -> tuple[Note, ...]:
        edges = released.all_edges + known.all_edges
        tied = released.tied_edges + known.tied_edges
        alone = sum(int((side.graphs.edges == 0).sum()) for side in (released, known))
        return counted(
            Note(
                tied,
                f"of {edges:,} edges are tied at the cut of pruning",
                f"which go is decided by ties={self.ties!r}",
                TIED_AT_THE_CUT,
            ),
            Note(alone, "networks without an edge after pruning", "their scores say nothing"),
        )

    def _degrees(self, released: Any, known: Any, chosen: str) -> features.Compared:
        rows = features.degrees if self.kernel == "dd" else features.strengths
        kind = features.Gaussian if chosen == "rbf" else features.Inner
        return kind(rows(released), rows(known))

    def _paths(
        self, released: Shapes, known: Shapes, chosen: str, progress: bool | None
    ) -> tuple[features.Compared, int]:
        (mine, cut), (theirs, more) = (features.paths(side, progress) for side in (released, known))
        if self.kernel == "dsp" and chosen == "edit":
            mine, theirs = (features.near_paths(rows, released.labels, self.gamma) for rows in (mine, theirs))
        elif self.kernel == "dsp":
            vectors = features.path_embedding(known)
            mine, theirs = mine @ vectors, theirs @ vectors
        return features.Cosine(mine, theirs), cut + more

    def _subtrees(self, released: Shapes, known: Shapes) -> features.Compared:
        mine, theirs = (features.refinement(side, self.rounds, self.direction) for side in (released, known))
        vocabulary = theirs.vocabulary
        (rows, lengths), (others, other_lengths) = (side.counted(vocabulary) for side in (mine, theirs))
        if self.kernel == "wl":
            return features.SparseCosine(rows, others, lengths, other_lengths)
        vectors = features.label_embedding(theirs, vocabulary)
        return features.Cosine(rows @ vectors, others @ vectors)


@dataclass(frozen=True, eq=False)
class _Nearest:
    """The mean of each known person's best scores over several networks of theirs; the few there are if fewer."""

    several: list[features.Compared]
    columns: list[Any]
    nearest: int

    def block(self, first: int, last: int) -> Floats:
        """Of the rows first … last."""
        people = 1 + max(int(column.max(initial=-1)) for column in self.columns)
        table = np.full((len(self.several), last - first, people), -np.inf)
        for number, (compared, column) in enumerate(zip(self.several, self.columns, strict=True)):
            table[number][:, column] = compared.block(first, last)
        best = np.sort(table, axis=0)[::-1][: self.nearest]
        there = np.isfinite(best)
        return np.asarray(np.where(there, best, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1))


def _everybody(several: list[Networks]) -> Ids:
    return np.unique(np.concatenate([each.people for each in several]))


def _columns(ids: list[Ids]) -> list[Any]:
    """Where each person of each Networks lies among all people."""
    for other in ids[1:]:
        if not comparable(ids[0], other)[0].dtype == ids[0].dtype == other.dtype:
            raise DataError("known holds networks whose people have ids of different types.", function="graph_scores")
    everybody = np.unique(np.concatenate(ids))
    return [np.searchsorted(everybody, each) for each in ids]
