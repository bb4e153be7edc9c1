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
from singleout.measures.paired import Paired, paired
from singleout.measures.ranking import Ranking
from singleout.report.defences import DefenceCurve
from singleout.report.model import FEW, share
from singleout.report.strongest import JOINT, ONE_BY_ONE, Strongest, Tried, strongest_of

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

    def tried(self) -> list[Tried]:
        """What it re-identifies, by each matching."""
        shares = {ONE_BY_ONE: self.ranking.one_by_one.value}
        if self.joint is not None:
            shares[JOINT] = self.joint.rate.value
        named = self.kernel, self.top, self.choices
        right = {ONE_BY_ONE: self.ranking.first, JOINT: self.right}
        people = len(self.ranking.ranks)
        return [Tried(*named, name, (value,), people, right[name]) for name, value in shares.items()]

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
    def strongest(self) -> Strongest:
        """The attack that re-identifies most people, of all that were tried on the networks as they are."""
        rows = [*self.attacks.rows, *(self.ablations.rows if self.ablations else ())]
        return strongest_of(
            self._tried, 2 * len(rows) + (self.defences.rows[0].strongest.attacks if self.defences else 0)
        )

    @property
    def _tried(self) -> list[Tried]:
        rows = [*self.attacks.rows, *(self.ablations.rows if self.ablations else ())]
        unprotected = self.defences.rows[:1] if self.defences else ()
        tried = [each for row in rows for each in row.tried()]
        return tried + [each for row in unprotected for each in (row.strongest.attack, row.by_size)]

    @property
    def by_size(self) -> Tried:
        """The attack by the size of networks alone that re-identifies most people."""
        return max((each for each in self._tried if each.kernel == "size"), key=lambda each: each.share)

    @property
    def by_shape(self) -> Tried | None:
        """The attack by more than size that re-identifies most people; None where none was asked for."""
        return max((each for each in self._tried if each.kernel != "size"), key=lambda each: each.share, default=None)

    @property
    def against_size(self) -> Paired | None:
        """People whom only the strongest attack by shape finds, and only that by size."""
        shape, size = self.by_shape, self.by_size
        if shape is None or shape.right is None or size.right is None:
            return None
        return paired(shape.right, size.right)

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
        test = self.against_size
        return self.strongest.as_row() | {
            "size": self.by_size.share,
            "against_size": None if test is None else test.as_json(),
        }

    def sentence(self) -> str:
        """The answer in one sentence, and what size alone finds."""
        best = self.strongest
        rate, found = best.rate, best.attack
        people = f"about {rate.value * rate.n:,.0f} of {rate.n:,} people"
        matching = "everybody matched at once" if found.matching == JOINT else "one person at a time"
        how = ", ".join(part for part in (found.kernel, found.choices, matching) if part)
        chance = 1 / self.attacks.rows[0].ranking.candidates
        few = " These are too few people to say much." if rate.n < FEW else ""
        return (
            f"With every place name removed, an intruder would re-identify {people} by the shape of movements: "
            f"{share(rate.value)} ({rate.level:.0%} interval {share(rate.low)} to {share(rate.high)}, which allows for "
            f"choosing the strongest of {best.attacks} attacks; {how}). Guessing at random would succeed for "
            f"{share(chance)}.{self._beside_size(best, chance)}{few}"
        )

    def _beside_size(self, best: Strongest, chance: float) -> str:
        """What size alone finds, whether the difference is beyond chance, and whether any of it is."""
        blind = " That cannot be distinguished from chance." if best.rate.low <= chance else ""
        shape, test = self.by_shape, self.against_size
        if shape is None or test is None:
            return f"{blind} That is by the size of networks alone; no kernel was asked for."
        size = f" The size of networks alone re-identifies {share(self.by_size.share)}"
        if best.attack.kernel == "size":
            size = f" That is by the size of networks alone: their shape re-identifies {share(shape.share)}"
        more = "within chance" if test.p > DOUBT else "more than chance"
        only = f"{test.only_first:,} only by {shape.kernel}, {test.only_second:,} only by size"
        return (
            f"{blind}{size}; on the same people the difference is {more} ({only}; McNemar's exact test, "
            f"p = {test.p:.2g})."
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
