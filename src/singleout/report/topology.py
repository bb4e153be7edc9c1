"""What the shape of people's networks gives away, as plain data: tables, JSON, one sentence."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.html import Pictured
from singleout.ground.notes import Note, number_of
from singleout.measures.accuracy import Accuracy
from singleout.measures.anonymity import Anonymity
from singleout.measures.intervals import Estimate
from singleout.measures.network_summary import NetworkSummary
from singleout.measures.paired import Paired, best_of, paired
from singleout.measures.ranking import Ranking
from singleout.report.model import FEW, share

SCHEMA = "singleout/topology/1"
WITHIN = (1, 10, 50, 200)
DOUBT = 0.05


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

    def as_row(self) -> dict[str, Any]:
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
        return row


def _columns(name: str, found: Estimate) -> dict[str, float]:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


@dataclass(frozen=True, eq=False)
class Attacks(Pictured):
    """Attacks side by side on the same two sides."""

    rows: tuple[Attack, ...]

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def __repr__(self) -> str:
        return f"Attacks({len(self.rows)} side by side)"

    def __str__(self) -> str:
        width = max([11, *(len(row.choices) for row in self.rows)])
        lines = [f"{'attack':{width}}  mean rank ± dev. median  loss (mean) in top 10 1 by 1  joint"]
        lines += [f"{row.choices or _named(row):{width}} {_numbers(row)}" for row in self.rows]
        first = self.rows[0].ranking
        blind = f"{first.expected_at_random:9,.1f} {'':14} {'0 on average':>12}"
        chances = f"{min(1.0, 10 / first.candidates):10.1%} {1 / first.candidates:6.2%}"
        legend = "loss: of privacy, median (mean). in top 10, 1 by 1, joint: share of people."
        return "\n".join([*lines, f"{'at random':{width}} {blind} {chances}", legend])


def _named(row: Attack) -> str:
    return f"{row.kernel:6} {'all' if row.top is None else row.top:>4}"


def _numbers(row: Attack) -> str:
    numbers = row.as_row()
    rank = f"{numbers['mean_rank']:,.1f} ± {numbers['deviation']:,.1f}"
    # adding zero turns a negative one into a plain one
    loss = f"{round(numbers['median_loss'], 2) + 0.0:.2f} ({round(numbers['mean_loss'], 2) + 0.0:.2f})"
    joint = "" if row.joint is None else f"{row.joint.rate.value:.1%}"
    found = f"{numbers['within_10']:9.1%} {numbers['within_1']:6.1%} {joint:>6}"
    return f"{rank:>17} {numbers['median_rank']:6,.0f} {loss:>12} {found}"


@dataclass(frozen=True, eq=False)
class Topology(Pictured):
    """Everything ``so.topology`` found: networks, memory, people alike, and the intruder.

    ``controls``: the same places under their true names (positive), and who is who dealt anew (negative, mean loss
    about 0).
    """

    label: str
    people: int
    edges: str
    summaries: tuple[NetworkSummary, ...]
    orders: dict[int | None, tuple[float, ...]]
    alike: tuple[Anonymity, ...]
    attacks: Attacks
    places_loss: float
    places_rank: float
    shuffled_loss: float
    ablations: Attacks | None
    defences: DefenceCurve | None
    tied: float
    seed: int
    notes: tuple[Note, ...]

    @property
    def strongest(self) -> Attack:
        """The attack by shape that names most people by joint matching; by size only where no other was asked for."""
        by_shape = [row for row in self.attacks.rows if row.kernel != "size"] or list(self.attacks.rows)
        return max(by_shape, key=lambda row: row.joint.expected if row.joint else 0.0)

    @property
    def by_size(self) -> Attack | None:
        """The attack by mere size that names most people by joint matching."""
        rows = [row for row in self.attacks.rows if row.kernel == "size" and row.joint]
        return max(rows, key=lambda row: row.joint.expected if row.joint else 0.0, default=None)

    @property
    def rate(self) -> Estimate:
        """What the strongest attack names, with an interval that allows for picking the best of several."""
        assert self.strongest.joint is not None
        return best_of(self._candidates, self.strongest.joint.rate)

    @property
    def _candidates(self) -> int:
        """Attacks of which the strongest is picked."""
        return sum(row.kernel != "size" for row in self.attacks.rows) or len(self.attacks.rows)

    @property
    def against_size(self) -> Paired | None:
        """People whom only the strongest attack names, and only size; None where no other attack was asked for."""
        best, size = self.strongest, self.by_size
        if size is None or size is best or best.right is None or size.right is None:
            return None
        return paired(best.right, size.right)

    def _beside_size(self) -> str:
        """What the mere size of networks names, always, and whether the difference is more than chance."""
        test, size = self.against_size, self.by_size
        if test is None or size is None or size.joint is None:
            return ""
        more = "the difference is within chance" if test.p > DOUBT else "the difference is more than chance"
        only = (
            f"{number_of(test.only_first, 'people')} only by {self.strongest.kernel}, {test.only_second:,} only by size"
        )
        return (
            f" The size of networks alone names {share(size.joint.rate.value)}; on the same people {more} ({only}, "
            f"McNemar's exact p = {test.p:.2g})."
        )

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        return self.attacks.to_arrow()

    def __repr__(self) -> str:
        return f"Topology({self.people:,} people, {len(self.attacks.rows)} attacks)"

    def as_json(self) -> dict[str, Any]:
        """The result file: counts and shares, no ids."""
        return {
            "schema": SCHEMA,
            "data": {"label": self.label, "people": self.people, "tied_neighbours": self.tied, "edges": self.edges},
            "seed": self.seed,
            "networks": [{"top": each.top, "figures": each.to_arrow().to_pylist()} for each in self.summaries],
            "markov_order": [
                {"top": top, "shares": [{"order": k + 1, "share": value} for k, value in enumerate(shares)]}
                for top, shares in self.orders.items()
            ],
            "anonymity": [_alike_row(each) for each in self.alike],
            "attacks": [row.as_row() for row in self.attacks.rows],
            "strongest": self._strongest_as_json(),
            "controls": {
                "place_names_mean_loss": self.places_loss,
                "place_names_mean_rank": self.places_rank,
                "shuffled_mean_loss": self.shuffled_loss,
            },
            "ablations": None if self.ablations is None else self.ablations.to_arrow().to_pylist(),
            "defences": None if self.defences is None else self.defences.to_arrow().to_pylist(),
            "notes": [note.as_json() for note in self.notes],
        }

    def _strongest_as_json(self) -> dict[str, Any]:
        size, test = self.by_size, self.against_size
        return {
            "kernel": self.strongest.kernel,
            "top": self.strongest.top,
            "joint": self.rate.as_json(),
            "best_of": self._candidates,
            "by_size": None if size is None or size.joint is None else size.joint.rate.as_json(),
            "against_size": None if test is None else test.as_json(),
        }

    def sentence(self) -> str:
        """The answer in a few sentences."""
        best, rate = self.strongest, self.rate
        assert best.joint is not None
        picked = f", adjusted for picking the best of {self._candidates} attacks" if self._candidates > 1 else ""
        chance = " That is within chance." if rate.low <= best.joint.random else ""
        few = " These are too few people to say much." if best.joint.common < FEW else ""
        interval = f"{rate.level:.0%} interval {share(rate.low)} to {share(rate.high)}"
        return (
            f"With every place name removed, the shape of movements alone names about {best.joint.expected:,.0f} of "
            f"{number_of(best.joint.common, 'people')}: {share(rate.value)} ({interval}{picked}; {best.kernel}, joint "
            f"matching). Guessing at random would name "
            f"{share(best.joint.random)}.{chance}{self._beside_size()}{few}"
        )

    def __str__(self) -> str:
        parts = [self._data(), self._networks(), self._orders(), self._alike(), f"The intruder\n{self.attacks}"]
        if self.ablations is not None:
            parts.append(f"What each choice is worth\n{self.ablations}")
        if self.defences is not None:
            parts.append(f"Noise on the released networks\n{self.defences}")
        return "\n\n".join(textwrap.fill(part, 80) if "\n" not in part else part for part in self._ended(parts))

    def _ended(self, parts: list[str]) -> list[str]:
        return [*parts, self._controls(), self.sentence()]

    def _data(self) -> str:
        lines = [f"Data: {self.label or 'events'}, {number_of(self.people, 'people')}, edges {self.edges}"]
        noted = (textwrap.fill(str(note), 78, initial_indent="  ", subsequent_indent="    ") for note in self.notes)
        return "\n".join([*lines, *noted])

    def _networks(self) -> str:
        lines = ["Networks (undirected, mean over people)"]
        lines += ["   top   nodes    edges density cluster. diameter  path  recurrence  visits"]
        for each in self.summaries:
            mean = {name: values.mean() for name, values in each.undirected.items()}
            top = "all" if each.top is None else f"{each.top:,}"
            size = f"{mean['nodes']:7.1f} {mean['edges']:8.1f} {mean['density']:7.3f} {mean['clustering']:8.2f}"
            far = f"{mean['diameter']:8.2f} {mean['mean_path']:5.2f} {each.recurrence.mean():11.1%}"
            lines.append(f"{top:>6} {size} {far} {each.trace_lengths.mean():7,.0f}")
        return "\n".join(lines)

    def _orders(self) -> str:
        lines = [
            "Memory: share of people by Markov order",
            "   top " + "".join(f"{f'order {k}':>9}" for k in (1, 2, 3)),
        ]
        for top, shares in self.orders.items():
            lines.append(f"{'all' if top is None else top:>6} " + "".join(f"{value:9.1%}" for value in shares))
        return "\n".join(lines)

    def _alike(self) -> str:
        lines = ["People alone with their network"]
        lines += ["   top   directed           class  median   undirected         class  median"]
        tops = [each.top for each in self.alike if each.directed]
        for top in tops:
            both = [each for way in (True, False) for each in self.alike if each.top == top and each.directed is way]
            cells = [f"{_interval(each.identifiability):18} {each.k:5,} {each.median:7,.0f}" for each in both]
            lines.append(f"{'all' if top is None else top:>6}   " + "   ".join(cells))
        visits = f"{np.median(self.alike[0].trace_lengths):,.0f} visits on the middle"
        legend = f"% [95 % interval]; class: the smallest.\nShort traces look more unique: here {visits}."
        return "\n".join([*lines, legend])

    def _controls(self) -> str:
        return (
            f"Controls: with true place names the mean rank is {self.places_rank:,.1f} and the mean loss "
            f"{self.places_loss:.2f}; with who is who dealt anew the mean loss is {self.shuffled_loss:.2f}."
        )


def _interval(found: Estimate) -> str:
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _alike_row(each: Anonymity) -> dict[str, Any]:
    return {
        "top": each.top,
        "directed": each.directed,
        "alone": each.identifiability.as_json(),
        "bound": each.bound,
        "k": each.k,
        "median": each.median,
        "within_10": each.within(10).as_json(),
        "median_visits": float(np.median(each.trace_lengths)),
    }


@dataclass(frozen=True)
class Defence:
    """One way to perturb networks at one strength: what the intruder still finds, and what is lost."""

    defence: str
    strength: float
    attack: Attack
    loss: float

    def as_row(self) -> dict[str, Any]:
        """Plain data, one number a column."""
        numbers = self.attack.as_row()
        names = ("mean_rank", "median_loss", "mean_loss", "within_1", "within_10", "joint", "joint_low", "joint_high")
        kept = {name: numbers[name] for name in names}
        return {"defence": self.defence, "strength": self.strength, "loss": self.loss, **kept}


@dataclass(frozen=True)
class DefenceCurve(Pictured):
    """Privacy against utility: every defence at every strength, the networks as they are first.

    ``loss`` is the mean over people of half the absolute differences between true and released shares of transitions
    and of visits: 0 as it was, 1 nothing in common.
    """

    rows: tuple[Defence, ...]
    kernel: str
    seed: int

    def to_arrow(self) -> pa.Table:
        """One row per defence and strength."""
        return pa.Table.from_pylist([row.as_row() for row in self.rows])

    def __repr__(self) -> str:
        return f"DefenceCurve({len(self.rows)} points, {self.kernel})"

    def __str__(self) -> str:
        lines = ["defence  strength    lost  mean rank  privacy loss  in top 10  joint (interval)"]
        for row in self.rows:
            numbers, joint = row.as_row(), row.attack.joint
            rank = f"{numbers['mean_rank']:10,.1f} {numbers['median_loss']:13.2f} {numbers['within_10']:10.1%}"
            lines.append(f"{row.defence:8} {row.strength:8g} {row.loss:7.3f} {rank}  {joint.rate if joint else ''}")
        return "\n".join(lines)
