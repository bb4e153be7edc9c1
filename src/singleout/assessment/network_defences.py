"""Noise on networks, attacked again by the strongest of several intruders (M18 section 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from singleout.assessment.strongest import JOINT, LEVEL, ONE_BY_ONE, Strongest, StrongestRow, Tried, strongest_of
from singleout.ground.arrays import Floats
from singleout.ground.errors import bad_argument, check_seed, is_whole, unknown_name
from singleout.ground.names import Kernel, Noise
from singleout.ground.notebooks import Pictured, WithoutNotes
from singleout.ground.plain_data import NotNegative, Share
from singleout.ground.progress import stage
from singleout.ground.text_tables import align_rows
from singleout.matching.by_scores import assign
from singleout.measures.accuracy import Accuracy, accuracy, true_rows
from singleout.measures.networks.ranking import Ranking, ranking
from singleout.protection.perturbation import NOISES, apply_noise, check_strength
from singleout.similarity.networks.scores import KERNELS as ALL_KERNELS
from singleout.similarity.networks.scores import WHOLE, graph_scores
from singleout.similarity.scores import Scores
from singleout.statistics.graphs import Graphs
from singleout.statistics.networks import Networks, check_size

COLUMNS = ("defence:<", "strength:>g", "loss:>.3f", "re-identified:<", "by:<", "size:>.1%", "mean rank:>,.1f")


class DefenceRow(StrongestRow):
    """One way to perturb networks at one strength: what the strongest attack still finds, and what is lost."""

    defence: str
    strength: float
    loss: NotNegative
    size: Share
    mean_rank: NotNegative
    size_mean_rank: NotNegative


@dataclass(frozen=True)
class Defence:
    """One way to perturb networks at one strength: what the strongest intruder still finds, and what is lost.

    ``by_size`` is the strongest attack by the size of networks alone; mean ranks are the lowest of any attack, and
    of size alone.
    """

    defence: str
    strength: float
    loss: float
    strongest: Strongest
    by_size: Tried
    mean_rank: float
    size_mean_rank: float

    def as_row(self) -> DefenceRow:
        """Plain data, one number a column."""
        return {
            "defence": self.defence,
            "strength": self.strength,
            "loss": self.loss,
            **self.strongest.as_row(),
            "size": self.by_size.share,
            "mean_rank": self.mean_rank,
            "size_mean_rank": self.size_mean_rank,
        }


@dataclass(frozen=True)
class DefenceCurve(WithoutNotes, Pictured):
    """Risk against utility: every defence at every strength, the networks as they are first.

    Risk is what the strongest attack re-identifies, on average over ``draws`` of the noise. ``loss`` is the mean over
    people of half the absolute differences between true and released shares of transitions and of visits: 0 as it was,
    1 nothing in common. ``random`` and ``random_rank`` are what guessing gives.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> found = so.defence_curve(released, known, defences=["remove"], strengths=[0.4], kernels=["size"], top=5)
    >>> len(found.rows)
    2
    """

    rows: tuple[Defence, ...]
    kernels: tuple[str, ...]
    draws: int
    seed: int
    random: float
    random_rank: float

    def to_arrow(self) -> pa.Table:
        """One row per defence and strength."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def __repr__(self) -> str:
        return f"DefenceCurve({len(self.rows)} points, strongest of {', '.join(self.kernels)} and size)"

    def __str__(self) -> str:
        rows: list[tuple[object, ...]] = []
        for row in self.rows:
            by = f"{row.strongest.attack.kernel} {row.strongest.attack.matching}"
            found = row.strongest.rate, by, row.by_size.share, row.mean_rank
            rows.append((row.defence, row.strength, row.loss, *found))
        rows.append(("at random", None, None, f"{self.random:.2%}", None, None, self.random_rank))
        return "\n".join([*align_rows(rows, *COLUMNS), self._legend()])

    def _legend(self) -> str:
        most = max(row.strongest.attacks for row in self.rows)
        return (
            f"re-identified: by the strongest of up to {most} attacks, mean of {self.draws} draws; {LEVEL:.0%}\n"
            "interval that allows for the choice and the draws. size: by size alone."
        )


KERNELS: tuple[Kernel, ...] = ("summary", "dsp", "wl", "dd")
DRAWS = 3
BEST = 100
"""Known people kept for each released one where all pairs are too many to match jointly."""
FEW = 500
"""People up to which all intruders match jointly on the first draw: beyond, that takes longer than all the rest."""
Sides = tuple[Networks, Networks]


def defence_curve(
    released: Networks,
    known: Networks,
    *,
    defences: Sequence[Noise | Literal["top"]] = NOISES,
    strengths: Sequence[float] = (0.1, 0.2, 0.4),
    kernels: Sequence[Kernel] = KERNELS,
    top: int = 200,
    draws: int = DRAWS,
    seed: int = 0,
    progress: bool | None = None,
) -> DefenceCurve:
    """Perturb the released networks in several ways and strengths, attack again, and report what is lost.

    After Manousakas 2018, section 5.5.

    The risk is that of the strongest intruder: every kernel and size alone, each with and without labels and pruning,
    by an intruder who applies the same noise to what they know and by one who does not, matched one by one and jointly.
    All are tried on the first draw of the noise (jointly with up to 500 people); those that learn most go on to the
    other draws and to joint matching.

    Parameters
    ----------
    released, known
        Networks of the two sides.
    defences
        Arguments of ``perturb``, or ``"top"`` with whole strengths: fewer places are released.
    strengths
        How strong each defence is tried.
    kernels
        Which to attack with; size alone is always tried as well.
    top
        Only this many of each person's most visited places.
    draws
        How often noise is drawn; shares are means over draws.
    seed
        Seed for everything random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    DefenceCurve
        One row per defence and strength, the networks as they are first.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> found = so.defence_curve(released, known, defences=["add"], strengths=[0.2], kernels=["size"], top=5)
    >>> [(row.defence, row.strength) for row in found.rows]
    [('none', 0.0), ('add', 0.2)]
    """
    for argument, side in (("released", released), ("known", known)):
        if not isinstance(side, Networks):
            hint = "Make them with so.networks(…)."
            raise bad_argument("defence_curve", argument, "Networks", type(side).__name__, hint)
    _check(defences, strengths, kernels, draws)
    check_seed("defence_curve", seed)
    if released.edges == "contract":
        # contracted networks cannot be cut any more once they are perturbed
        released, known = released.at(top=top), known.at(top=top)
    trial = _Trial(released, known, tuple(kernels), top, draws, seed, progress)
    rows = [trial.measure("none", 0.0)]
    for defence in defences:
        for strength in strengths:
            with stage(f"{defence} {strength:g}"):
                rows.append(trial.measure(defence, float(strength)))
    blind = ranking(graph_scores(released, known, kernel="size", top=top, progress=progress))
    chances = 1 / blind.candidates, blind.expected_at_random
    return DefenceCurve(tuple(rows), tuple(kernels), draws, seed, *chances)


def _check(defences: Any, strengths: Any, kernels: Any, draws: object) -> None:
    for argument, given in (("defences", defences), ("strengths", strengths), ("kernels", kernels)):
        if isinstance(given, str) or not isinstance(given, Sequence) or not given:
            raise bad_argument("defence_curve", argument, "a list that is not empty", given)
    for kernel in kernels:
        if kernel not in ALL_KERNELS:
            raise unknown_name("defence_curve", "kernels", str(kernel), ALL_KERNELS)
    if not is_whole(draws) or int(draws) < 1:  # type: ignore[call-overload]
        raise bad_argument("defence_curve", "draws", "a whole number above zero", draws)
    for defence in defences:
        if defence not in (*NOISES, "top"):
            raise unknown_name("defence_curve", "defences", str(defence), (*NOISES, "top"))
        for strength in strengths:
            if defence == "top":
                check_size("defence_curve", "strengths", strength)
            else:
                check_strength("defence_curve", "strengths", defence, strength)


@dataclass(frozen=True)
class _Intruder:
    """A kernel, what it looks at, and whether what is known is perturbed in the same way."""

    kernel: Kernel
    labels: int
    prune: float
    reacts: bool

    @property
    def choices(self) -> str:
        """In words; empty: as the paper."""
        words = ("no labels", self.labels == 1), ("no pruning", self.prune == 0), ("reacts", self.reacts)
        return ", ".join(word for word, holds in words if holds)

    def scores(self, released: Networks, known: Networks, top: int, seed: int, progress: bool | None) -> Scores:
        """Every released network compared with every known one."""
        pruned = self.kernel in WHOLE and self.prune > 0
        options: dict[str, Any] = {"labels": self.labels, "prune": self.prune, "pruned": pruned, "top": top}
        return graph_scores(released, known, kernel=self.kernel, seed=seed, progress=progress, **options)


def _intruders(kernels: Sequence[Kernel], reactions: Sequence[bool]) -> list[_Intruder]:
    """Degrees and sizes have no labels to leave out."""
    return [
        _Intruder(kernel, labels, prune, reacts)
        for kernel in dict.fromkeys((*kernels, "size"))
        for labels in ((3,) if kernel in (*WHOLE, "size") else (3, 1))
        for prune in (0.4, 0.0)
        for reacts in reactions
    ]


@dataclass(frozen=True, eq=False)
class _Trial:
    """Both sides, and who attacks them."""

    released: Networks
    known: Networks
    kernels: tuple[Kernel, ...]
    top: int
    draws: int
    seed: int
    progress: bool | None

    def measure(self, defence: str, strength: float) -> Defence:
        """Draw the noise, let all intruders try the first draw, and the strongest the others."""
        draws = [self._draw(defence, strength, draw) for draw in range(1 if defence in ("none", "top") else self.draws)]
        intruders = _intruders(self.kernels, (False,) if defence == "none" else (False, True))
        first = {each: self._screen(each, draws[0][0]) for each in intruders}
        tried = [self._try_all(each, [sides for sides, _ in draws]) for each in _finalists(first)]
        attacks = [attack for found, _ in tried for attack in found]
        by_size = [(found, rank) for found, rank in tried if found[0].kernel == "size"]
        return Defence(
            defence,
            strength,
            float(np.mean([loss for _, loss in draws])),
            strongest_of(attacks, 2 * len(intruders)),
            max((attack for found, _ in by_size for attack in found), key=lambda attack: attack.share),
            min(rank for _, rank in tried),
            min(rank for _, rank in by_size),
        )

    def _draw(self, defence: str, strength: float, draw: int) -> tuple[tuple[Sides, Sides], float]:
        """Released networks with what an intruder knows who does not react, and who does; and what is lost."""
        (released, origin), (known, _) = (
            _defend(side, defence, strength, _seed(self.seed, draw, number))
            for number, side in enumerate((self.released, self.known))
        )
        loss = _lost(self.released.graphs, released.graphs, origin)
        return ((released, self.known), (released, known)), loss

    def _scores(self, intruder: _Intruder, sides: tuple[Sides, Sides]) -> Scores:
        return intruder.scores(*sides[intruder.reacts], self.top, self.seed, self.progress)

    def _screen(self, intruder: _Intruder, sides: tuple[Sides, Sides]) -> tuple[Ranking, float]:
        """Ranks; and the share that joint matching re-identifies, 0 where people are too many to try it for all."""
        scores = self._scores(intruder, sides)
        few = max(scores.shape) <= FEW
        return ranking(scores), match_jointly(scores, self.seed, self.progress)[0].rate.value if few else 0.0

    def _try_all(self, intruder: _Intruder, draws: list[tuple[Sides, Sides]]) -> tuple[list[Tried], float]:
        """Both matchings of all draws; and the mean rank."""
        found: list[tuple[Ranking, Accuracy]] = []
        right: dict[str, Floats] = {}
        for sides in draws:
            scores = self._scores(intruder, sides)
            ranks, (joint, chances) = ranking(scores), match_jointly(scores, self.seed, self.progress)
            found.append((ranks, joint))
            right = right or {JOINT: chances, ONE_BY_ONE: ranks.first}
        shares = {
            JOINT: tuple(joint.rate.value for _, joint in found),
            ONE_BY_ONE: tuple(ranks.one_by_one.value for ranks, _ in found),
        }
        top = None if intruder.kernel in WHOLE and intruder.prune == 0 else self.top
        people = len(found[0][0].ranks)
        named = intruder.kernel, top, intruder.choices
        tried = [Tried(*named, name, each, people, right[name]) for name, each in shares.items()]
        return tried, float(np.mean([ranks.ranks.mean() for ranks, _ in found]))


def match_jointly(scores: Scores, seed: int, progress: bool | None) -> tuple[Accuracy, Floats]:
    """Everybody matched at once; where not all pairs can be held, among each person's best.

    Also how likely each person on both sides is to be found, in order of the released rows.
    """
    matching = assign(scores if scores.fits else scores.best(BEST), seed=seed, progress=progress)
    rows, others = true_rows("match_jointly", scores.released, scores.known, None)
    return accuracy(matching), matching.chances.of(rows, others)


def _finalists(first: dict[_Intruder, tuple[Ranking, float]]) -> list[_Intruder]:
    """Those with the highest privacy loss, the most people re-identified, the lowest mean rank; and the best of size.

    The loss counts near hits too, so that it depends less on the luck of single people than how many are first.
    """
    loss = {each: float(found.loss.mean()) for each, (found, _) in first.items()}
    hits = {each: max(found.one_by_one.value, joint) for each, (found, joint) in first.items()}
    by_rank = min(first, key=lambda each: first[each][0].ranks.mean())
    by_size = max((each for each in first if each.kernel == "size"), key=lambda each: (hits[each], loss[each]))
    return list(dict.fromkeys((max(loss, key=loss.__getitem__), max(hits, key=hits.__getitem__), by_rank, by_size)))


def _seed(seed: int, draw: int, side: int) -> int:
    """Another for each draw, and for what the intruder perturbs: they do not know the one used."""
    return int(np.random.SeedSequence([seed, draw, side]).generate_state(1, np.uint64)[0] >> 1)


def _defend(side: Networks, defence: str, strength: float, seed: int) -> tuple[Networks, Any]:
    """The networks, and the number that each of their nodes had before."""
    if defence == "none":
        return side, side.graphs.node_number
    if defence == "top":
        changed = side.at(top=int(strength))
        return changed, changed.graphs.node_number
    return apply_noise(side, {defence: strength}, seed)


def _lost(before: Graphs, after: Graphs, origin: Any) -> float:
    """Mean over people of the total variation between shares of transitions, and of visits; the mean of both."""
    base = after.node_starts[after.owner]
    source, target = origin[base + after.source], origin[base + after.target]
    here = replace(after, source=source, target=target)
    return (_edge_distance(before, here) + _visit_distance(before, after, origin)) / 2


def _edge_distance(before: Graphs, after: Graphs) -> float:
    sizes = before.nodes
    keys = [side.source * sizes[side.owner] + side.target for side in (before, after)]
    shares = [side.weight / side.traversals[side.owner] for side in (before, after)]
    return _distance([before.owner, after.owner], keys, shares, len(before))


def _visit_distance(before: Graphs, after: Graphs, origin: Any) -> float:
    owners = [side.node_owner for side in (before, after)]
    totals = [np.bincount(owner, side.visits, len(side)) for owner, side in zip(owners, (before, after), strict=True)]
    shares = [side.visits / total[owner] for side, total, owner in zip((before, after), totals, owners, strict=True)]
    return _distance(owners, [before.node_number, origin], shares, len(before))


def _distance(owners: list[Any], keys: list[Any], shares: list[Any], people: int) -> float:
    """Mean over people of what has to be moved to make one of the other, key by key.

    Shares that are gone count as moved: someone left with nothing has lost everything, and nothing of nothing is no
    loss.
    """
    owner, key = np.concatenate(owners), np.concatenate(keys)
    signed = np.concatenate([shares[0], -shares[1]])
    order = np.lexsort((key, owner))
    owner, key, signed = owner[order], key[order], signed[order]
    opens = np.ones(len(order), dtype=np.bool_)
    opens[1:] = (owner[1:] != owner[:-1]) | (key[1:] != key[:-1])
    first = np.flatnonzero(opens)
    difference = np.add.reduceat(signed, first) if len(first) else signed
    missing, new = (np.bincount(owner[first], np.maximum(way * difference, 0.0), people) for way in (1, -1))
    return float(np.maximum(missing, new).sum() / max(people, 1))
