"""Attacks on networks side by side: ranks and joint matching of each kernel, and what each choice contributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.assessment.network_defences import match_jointly
from singleout.assessment.strongest import JOINT, ONE_BY_ONE, Tried
from singleout.ground.names import Kernel
from singleout.ground.notebooks import Pictured, WithoutNotes
from singleout.ground.plain_data import NotNegative, Positive, Share
from singleout.ground.progress import stage
from singleout.ground.text_tables import align_rows
from singleout.measures.accuracy import Accuracy
from singleout.measures.intervals import Estimate
from singleout.measures.networks.ranking import Ranking, ranking
from singleout.similarity.networks.scores import WHOLE, graph_scores
from singleout.similarity.scores import Scores
from singleout.statistics.networks import Networks

SPREAD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("as the paper", {}),
    ("top 100", {"top": 100}),
    ("no pruning", {"prune": 0.0}),
    ("no labels", {"labels": 1}),
    ("labels by mass", {"labels": "mass"}),
    ("undirected", {"direction": "undirected"}),
    ("tied edges go too", {"ties": "drop_ties"}),
    ("ties at random", {"ties": "random"}),
    ("all components", {"component": False}),
    ("edges contracted", {"edges": "contract"}),
)
WITHIN = (1, 10, 50, 200)
COLUMNS = (
    "attack:<",
    "mean rank:>,.1f",
    "± sd:>",
    "median:>,.0f",
    "loss (mean):>",
    "in top 10:>.1%",
    "one by one:>.1%",
    "joint:>.1%",
)


class AttackRow(TypedDict):
    """One attack on networks, one number a column; the joint matching where it was run."""

    kernel: str
    top: int | None
    choices: str
    people: Positive
    mean_rank: NotNegative
    deviation: NotNegative
    median_rank: NotNegative
    random_rank: NotNegative
    median_loss: float
    mean_loss: float
    within_1: Share
    within_1_low: Share
    within_1_high: Share
    within_10: Share
    within_10_low: Share
    within_10_high: Share
    within_50: Share
    within_50_low: Share
    within_50_high: Share
    within_200: Share
    within_200_low: Share
    within_200_high: Share
    joint: NotRequired[Share]
    joint_low: NotRequired[Share]
    joint_high: NotRequired[Share]
    random: NotRequired[Share]
    shuffled: NotRequired[Share]


@dataclass(frozen=True, eq=False)
class Attack:
    """One kernel at one size: ranks of the true people, and how many a joint matching of the scores names right.

    ``right`` holds the chance of each person on both sides to be named, in order of the released rows: ties are drawn.
    With it two attacks can be compared on the same people.
    """

    kernel: str
    top: int | None
    ranking: Ranking
    joint: Accuracy | None
    choices: str = ""
    right: NDArray[np.float64] | None = None

    def by_matching(self) -> list[Tried]:
        """What it re-identifies, by each matching."""
        shares = {ONE_BY_ONE: self.ranking.one_by_one.value}
        if self.joint is not None:
            shares[JOINT] = self.joint.rate.value
        named = self.kernel, self.top, self.choices
        right = {ONE_BY_ONE: self.ranking.first, JOINT: self.right}
        people = len(self.ranking.ranks)
        return [Tried(*named, name, (value,), people, right[name]) for name, value in shares.items()]

    def as_row(self) -> AttackRow:
        """Plain data, one number a column."""
        ranks, loss = self.ranking.ranks, self.ranking.loss
        row: dict[str, Any] = {
            "kernel": self.kernel,
            "top": self.top,
            "choices": self.choices,
            "people": len(ranks),
            "mean_rank": float(ranks.mean()),
            "deviation": float(ranks.std()),
            "median_rank": float(np.median(ranks)),
            "random_rank": self.ranking.expected_at_random,
            "median_loss": float(np.median(loss)),
            "mean_loss": float(loss.mean()),
        }
        for most in WITHIN:
            row |= _columns(f"within_{most}", self.ranking.within(most))
        if self.joint is not None:
            row |= _columns("joint", self.joint.rate) | {"random": self.joint.random, "shuffled": self.joint.shuffled}
        return cast(AttackRow, row)


def _columns(name: str, found: Estimate) -> dict[str, float]:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


@dataclass(frozen=True, eq=False)
class Attacks(WithoutNotes, Pictured):
    """Attacks side by side on the same two sides.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> found = so.topology(log.events, top=[5], kernels=["summary"]).attacks
    >>> found.to_arrow().num_rows
    2
    """

    rows: tuple[Attack, ...]

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def __repr__(self) -> str:
        return f"Attacks({len(self.rows)} side by side)"

    def __str__(self) -> str:
        first = self.rows[0].ranking
        chances = min(1.0, 10 / first.candidates), f"{1 / first.candidates:.2%}"
        blind = "at random", first.expected_at_random, None, None, "(0)", *chances
        legend = "loss: of privacy, median (mean). in top 10, one by one, joint: share of people."
        return "\n".join([*align_rows([*map(_cells, self.rows), blind], *COLUMNS), legend])


def _cells(row: Attack) -> tuple[object, ...]:
    numbers = row.as_row()
    name = row.choices or f"{row.kernel}, {'all places' if row.top is None else f'top {row.top}'}"
    ranks = numbers["mean_rank"], f"± {numbers['deviation']:,.1f}", numbers["median_rank"]
    # z: without the sign of a zero
    loss = f"{numbers['median_loss']:z.2f} ({numbers['mean_loss']:z.2f})"
    return name, *ranks, loss, numbers["within_10"], numbers["within_1"], numbers.get("joint")


def run_attacks(
    released: Networks, known: Networks, sizes: list[int], kernels: Sequence[Kernel], seed: int, progress: bool | None
) -> tuple[Attacks, Scores]:
    """All attacks, and the scores of the first kernel at the largest size."""
    rows: list[Attack] = []
    kept: dict[str, Scores] = {}
    for size in sizes:
        for kernel in dict.fromkeys(("size", *kernels)):
            if kernel in WHOLE and size != sizes[0]:
                continue
            with stage(f"{kernel}, top {size}"):
                scores = graph_scores(released, known, kernel=kernel, top=size, seed=seed, progress=progress)
                rows.append(measure_attack(scores, seed, progress, kernel, size))
            kept[kernel] = scores
    return Attacks(tuple(rows)), kept[kernels[0]]


def _attack(
    released: Networks, known: Networks, seed: int, progress: bool | None, choices: str = "", **asked: Any
) -> Attack:
    scores = graph_scores(released, known, seed=seed, progress=progress, **asked)
    return measure_attack(scores, seed, progress, asked["kernel"], asked["top"], choices)


def measure_attack(
    scores: Scores, seed: int, progress: bool | None, kernel: str, top: int | None, choices: str = ""
) -> Attack:
    joint, right = match_jointly(scores, seed, progress)
    return Attack(kernel, None if kernel in WHOLE else top, ranking(scores), joint, choices, right)


def ablations(
    released: Networks, known: Networks, *, kernel: Kernel = "dsp", seed: int = 0, progress: bool | None = None
) -> Attacks:
    """What each choice of the attack is worth: size, pruning, labels, direction, and the ties it leaves open.

    After Manousakas 2018, section 5.3.

    Parameters
    ----------
    released, known
        Networks of the two sides.
    kernel
        The kernel whose choices are left out one at a time.
    seed
        Seed for breaking ties at random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Attacks
        One row per choice, the attack as the paper has it first.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.networks(side) for side in so.split(log.events, by="weeks"))
    >>> found = so.ablations(released, known, kernel="wl")
    >>> [row.choices for row in found.rows[:3]]
    ['as the paper', 'top 100', 'no pruning']
    """
    rows = []
    for choices, asked in SPREAD:
        options: dict[str, Any] = {"kernel": kernel, "top": 200} | asked
        edges = options.pop("edges", None)
        sides = [side if edges is None else side.at(top=side.top, edges=str(edges)) for side in (released, known)]
        with stage(choices):
            rows.append(_attack(sides[0], sides[1], seed, progress, choices, **options))
    return Attacks(tuple(rows))
