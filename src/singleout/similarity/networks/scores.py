"""How similar two people's networks are, with all names removed (M18 sections 3.3 and 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from singleout.ground.arrays import Floats
from singleout.ground.errors import DataError, bad_argument, check_seed, is_number, is_whole, unknown_name
from singleout.ground.names import Direction, Kernel, KernelSimilarity, TieRule
from singleout.ground.notes import Note, nonzero, of_two_sides
from singleout.similarity.networks import features
from singleout.similarity.networks.embedding import label_embedding
from singleout.similarity.networks.shapes import LABELS, TIES, Shapes, shape_graphs
from singleout.similarity.networks.summary import Summary, smaller_sizes, summary_figures
from singleout.similarity.scores import Scores
from singleout.statistics.ids import Ids, comparable
from singleout.statistics.networks import MOST, Networks

TIED_AT_THE_CUT = "tied-at-the-cut"
KERNELS: tuple[Kernel, ...] = get_args(Kernel)
WHOLE = ("dd", "wd")
"""Kernels that use the networks as they are, unless ``pruned``."""
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
SIMILARITIES = {"dd": ("rbf", "inner"), "wd": ("rbf", "inner"), "dsp": ("edit", "ppmi"), "dwl": ("ppmi",)}
"""The similarities of each kernel; the first is the default."""


def graph_scores(
    released: Networks,
    known: Networks | Sequence[Networks],
    *,
    kernel: Kernel = "summary",
    top: int | None = 200,
    rounds: int = 2,
    labels: int | str = 3,
    prune: float = 0.4,
    ties: TieRule = "visits",
    component: bool = True,
    similarity: KernelSimilarity | None = None,
    direction: Direction = "in+out",
    gamma: float = 1.0,
    pruned: bool = False,
    nearest: int = 1,
    seed: int = 0,
    progress: bool | None = None,
) -> Scores:
    """Compare every released network with every known one.

    If there is nothing to compare, such as paths in a network without edges, scores are 0 with everyone.

    Parameters
    ----------
    released
        Networks of the released side.
    known
        One Networks, or several of other times: then the average of a person's ``nearest`` best scores (Manousakas 2018
        3.4.3).
    kernel
        ``summary`` (some seventy figures: the strongest), ``dsp``, ``dwl`` (deep shortest paths, deep
        Weisfeiler-Lehman), ``sp``, ``wl``, ``dd``, ``wd`` (degrees without and with weights) or ``size`` (nodes and
        edges only, a baseline).
    top
        Only each person's most visited places; never more than the networks have.
    rounds
        Rounds of Weisfeiler-Lehman.
    labels
        3 by visits as in the paper (most visited 20%, next up to 80%, rest), ``"mass"`` by visits, or 1: none.
    prune, ties
        Share of edges to drop, the weakest; how ties are broken: ``"visits"`` (edges whose less visited end has fewer
        visits are dropped first, then by the other end, then those used earlier), ``"drop_ties"`` (all as weak as the
        last one dropped are dropped) or ``"random"`` (from ``seed``).
    component
        Only the largest weak component.
    similarity
        ``dsp``: edit (default) or ppmi; ``dwl``: ppmi; ``dd``, ``wd``: rbf (default) or inner.
    direction
        ``in+out``, ``out`` (Weisfeiler-Lehman as in GraKeL) or ``undirected``.
    gamma
        How fast edit similarity falls with the distance.
    pruned
        ``dd`` and ``wd`` on the pruned top networks; otherwise on the networks as they are, as in the paper.
    nearest
        With several known networks: how many of a person's best scores are averaged.
    seed
        Seed for everything random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Scores
        Scores of all pairs.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> so.ranking(so.graph_scores(released, known, top=10))
    Ranking(50 people: mean rank 17.4 ± 12.7, at random 25.5; privacy loss median -0.21, mean 0.59)
    """
    asked = _GraphKernelOptions(
        kernel, top, rounds, labels, prune, ties, component, similarity, direction, gamma, pruned, seed
    )
    asked.check()
    if not isinstance(released, Networks):
        raise _not_networks("released", released)
    several = [known] if isinstance(known, Networks) else list(known) if isinstance(known, Sequence) else []
    if not several or not all(isinstance(each, Networks) for each in several):
        raise _not_networks("known", known)
    if not is_whole(nearest) or not 1 <= nearest <= len(several):
        raise bad_argument("graph_scores", "nearest", f"a whole number from 1 to {len(several)}, the networks", nearest)
    compared = [asked.compare(released, each, progress) for each in several]
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
class _GraphKernelOptions:
    """The options of ``graph_scores``."""

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
        """Refuse options that cannot be used."""
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
            raise bad_argument("graph_scores", "prune", "a share of the edges, at least 0 and below 1", self.prune)
        if not is_number(self.gamma) or self.gamma <= 0:
            raise bad_argument("graph_scores", "gamma", "a number above zero", self.gamma)
        check_seed("graph_scores", self.seed)
        choices = SIMILARITIES.get(self.kernel, ())
        if self.similarity is not None and self.similarity not in choices:
            must = f"one of {', '.join(choices)}" if choices else "omitted"
            raise bad_argument("graph_scores", "similarity", f"{must} with kernel={self.kernel!r}", self.similarity)

    def compare(
        self, released: Networks, known: Networks, progress: bool | None
    ) -> tuple[features.Compared, tuple[Note, ...]]:
        """The two sides as the kernel compares them, and notes."""
        chosen = self.similarity or SIMILARITIES.get(self.kernel, ("",))[0]
        if self.kernel in WHOLE and not self.pruned:
            return self._degrees(released.graphs, known.graphs, chosen), ()
        if self.kernel == "summary":
            tops = [self._top_of(side) for side in (released, known)]
            sizes = smaller_sizes(tops)
            figures = [
                summary_figures(side, top, sizes, progress) for side, top in zip((released, known), tops, strict=True)
            ]
            return Summary(figures[0], figures[1]), ()
        sides = self._shape(released), self._shape(known)
        notes = self._notes(*sides)
        if self.kernel in WHOLE:
            return self._degrees(sides[0].graphs, sides[1].graphs, chosen), notes
        if self.kernel == "size":
            return features.Size(sides[0].graphs, sides[1].graphs), notes
        if self.kernel in ("sp", "dsp"):
            result, capped = self._paths(*sides, chosen, progress)
            return result, notes + nonzero(Note(capped, "paths cut off", f"longer than {features.LONGEST} hops"))
        return self._subtrees(*sides), notes

    def _top_of(self, networks: Networks) -> int | None:
        return min((each for each in (self.top, networks.top) if each is not None), default=None)

    def _shape(self, networks: Networks) -> Shapes:
        top = self._top_of(networks)
        options: dict[str, Any] = {
            "labels": self.labels,
            "prune": self.prune,
            "ties": self.ties,
            "component": self.component,
            "seed": self.seed,
            "undirected": self.direction == "undirected",
        }
        key = top, *options.values()
        if key not in networks.kept:
            shapes = shape_graphs(networks.at(top=top).graphs, **options)
            networks.kept.clear()  # the last only: shapes take as much memory as the networks
            networks.kept[key] = shapes
            return shapes
        return networks.kept[key]  # type: ignore[no-any-return]

    def _notes(self, released: Shapes, known: Shapes) -> tuple[Note, ...]:
        edges = released.all_edges + known.all_edges
        tied = released.tied_edges + known.tied_edges
        without = sum(int((side.graphs.edges == 0).sum()) for side in (released, known))
        return nonzero(
            Note(
                tied,
                f"edges tied at the pruning threshold (of {edges:,})",
                f"ties={self.ties!r} decides which of them are dropped",
                TIED_AT_THE_CUT,
            ),
            Note(without, "networks without edges after pruning", "their scores carry no information"),
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
        (rows, lengths), (others, other_lengths) = (side.count(vocabulary) for side in (mine, theirs))
        if self.kernel == "wl":
            return features.SparseCosine(rows, others, lengths, other_lengths)
        vectors = label_embedding(theirs.split_rounds(others))
        return features.Cosine(rows @ vectors, others @ vectors)


@dataclass(frozen=True, eq=False)
class _Nearest:
    """The average of each known person's best scores over several networks of theirs; over all if there are fewer."""

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
    """The position of each person of each Networks among all people."""
    for other in ids[1:]:
        if not comparable(ids[0], other)[0].dtype == ids[0].dtype == other.dtype:
            raise DataError(
                "`known` contains networks whose people have ids of different types.", function="graph_scores"
            )
    everybody = np.unique(np.concatenate(ids))
    return [np.searchsorted(everybody, each) for each in ids]
