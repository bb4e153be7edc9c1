"""What the shape of movements gives away, from an event log to the privacy loss (M18)."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.assessment.ladder import FEW
from singleout.assessment.network_attacks import Attacks, ablations, run_attacks
from singleout.assessment.network_defences import KERNELS as DEFENCE_KERNELS
from singleout.assessment.network_defences import DefenceCurve, defence_curve
from singleout.assessment.strongest import JOINT, Strongest, Tried, strongest_of
from singleout.assessment.topology_document import AnonymityDict, StrongestDict, TopologyDocument
from singleout.ground.errors import bad_argument, check_seed, unknown_name
from singleout.ground.names import EdgeRule, Kernel
from singleout.ground.notebooks import Pictured
from singleout.ground.notes import Note, number_of
from singleout.ground.numbers import percent
from singleout.ground.text_tables import align_rows
from singleout.measures.networks.anonymity import Anonymity, anonymity
from singleout.measures.networks.markov import markov_order
from singleout.measures.networks.ranking import privacy_loss, ranking
from singleout.measures.networks.summary import NetworkSummary, network_summary
from singleout.measures.paired import Paired, compare_pairs
from singleout.reading.events import Events
from singleout.reading.selection import richest as with_most_records
from singleout.reading.split import split
from singleout.similarity.networks.places import place_scores
from singleout.similarity.networks.scores import KERNELS, TIED_AT_THE_CUT
from singleout.similarity.scores import Scores
from singleout.statistics.histograms import histograms
from singleout.statistics.networks import Networks, check_size, networks

SIZES = range(2, 21)
ORDERS = 3
DOUBT = 0.05


@dataclass(frozen=True, eq=False)
class Topology(Pictured):
    """Everything ``so.topology`` found: networks, memory, people with the same network, and the intruder.

    ``controls``: the same places under their true names (positive), and people paired at random (negative, mean loss
    about 0).

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> found = so.topology(log.events, top=[5], kernels=["summary"])
    >>> found.people
    50
    """

    label: str
    people: int
    edges: str
    summaries: tuple[NetworkSummary, ...]
    orders: dict[int | None, tuple[float, ...]]
    anonymity_by_size: tuple[Anonymity, ...]
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
        tried = [each for row in rows for each in row.by_matching()]
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
        return compare_pairs(shape.right, size.right)

    def to_arrow(self) -> pa.Table:
        """One row per attack."""
        return self.attacks.to_arrow()

    def __repr__(self) -> str:
        return f"Topology({self.people:,} people, {len(self.attacks.rows)} attacks): {self.sentence()}"

    def to_dict(self) -> TopologyDocument:
        """The result file: counts and shares, no ids."""
        return {
            "schema": "singleout/topology/2",
            "data": {"label": self.label, "people": self.people, "tied_neighbours": self.tied, "edges": self.edges},
            "seed": self.seed,
            "networks": [{"top": each.top, "figures": each.to_arrow().to_pylist()} for each in self.summaries],
            "markov_order": [
                {"top": top, "shares": [{"order": k + 1, "share": value} for k, value in enumerate(shares)]}
                for top, shares in self.orders.items()
            ],
            "anonymity": [_anonymity_row(each) for each in self.anonymity_by_size],
            "attacks": [row.as_row() for row in self.attacks.rows],
            "strongest": self._strongest_to_dict(),
            "controls": {
                "place_names_mean_loss": self.places_loss,
                "place_names_mean_rank": self.places_rank,
                "shuffled_mean_loss": self.shuffled_loss,
            },
            "ablations": None if self.ablations is None else [row.as_row() for row in self.ablations.rows],
            "defences": None if self.defences is None else [row.as_row() for row in self.defences.rows],
            "notes": [note.to_dict() for note in self.notes],
        }

    def _strongest_to_dict(self) -> StrongestDict:
        test = self.against_size
        return {
            **self.strongest.as_row(),
            "size": self.by_size.share,
            "against_size": None if test is None else test.to_dict(),
        }

    def sentence(self) -> str:
        """The answer in one sentence, and what size alone finds."""
        best = self.strongest
        rate, found = best.rate, best.attack
        people = rate.count_in_words("people")
        matching = "everyone matched at once" if found.matching == JOINT else "one person at a time"
        how = ", ".join(part for part in (found.kernel, found.choices, matching) if part)
        chance = 1 / self.attacks.rows[0].ranking.candidates
        few = " These are too few people to say much." if rate.n < FEW else ""
        return (
            f"With every place name removed, an intruder would re-identify {people} by the shape of movements: "
            f"{percent(rate.value)} ({rate.interval_in_words()}, which allows for choosing the strongest of "
            f"{best.attacks} attacks; {how}). Random guessing would re-identify {percent(chance)}."
            f"{self._beside_size(best, chance)}{few}"
        )

    def _beside_size(self, best: Strongest, chance: float) -> str:
        """What size alone finds, whether the difference is beyond chance, and whether any of it is."""
        blind = " This result cannot be distinguished from chance." if best.rate.low <= chance else ""
        shape, test = self.by_shape, self.against_size
        if shape is None or test is None:
            return f"{blind} It comes from the size of the networks alone; no kernel was asked for."
        size = f" The size of the networks alone re-identifies {percent(self.by_size.share)}"
        if best.attack.kernel == "size":
            size = f" It comes from the size of the networks alone; their shape re-identifies {percent(shape.share)}"
        more = "within chance" if test.p > DOUBT else "more than chance"
        only = f"{test.only_first:,} only by {shape.kernel}, {test.only_second:,} only by size"
        return (
            f"{blind}{size}; on the same people the difference is {more} ({only}; McNemar's exact test, "
            f"p = {test.p:.2g})."
        )

    def __str__(self) -> str:
        parts = [self._data(), self._networks(), self._orders(), self._anonymity(), f"The intruder\n{self.attacks}"]
        if self.ablations is not None:
            parts.append(f"What each choice contributes\n{self.ablations}")
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
        rows = []
        for each in self.summaries:
            means = [values.mean() for values in each.undirected.values()]
            rows.append((each.top or "all", *means, each.recurrence.mean(), each.trace_lengths.mean()))
        figures = "clustering:>.2f", "diameter:>.2f", "path:>.2f", "recurrence:>.1%", "visits:>,.0f"
        table = align_rows(rows, "top:>,", "nodes:>.1f", "edges:>.1f", "density:>.3f", *figures)
        return "\n".join(["Networks (undirected, average per person)", *table])

    def _orders(self) -> str:
        rows = [(top or "all", *shares) for top, shares in self.orders.items()]
        table = align_rows(rows, "top:>", *(f"order {k + 1}:>.1%" for k in range(ORDERS)))
        return "\n".join(["Memory: share of people by Markov order", *table])

    def _anonymity(self) -> str:
        both = zip(
            *([each for each in self.anonymity_by_size if each.directed is way] for way in (True, False)), strict=True
        )
        rows = [(one.top or "all", *_unique_cells(one), *_unique_cells(other)) for one, other in both]
        classes = "smallest:>,", "median:>,.0f"
        table = align_rows(rows, "top:>", "directed:<", *classes, "undirected:<", *classes)
        visits = f"{np.median(self.anonymity_by_size[0].trace_lengths):,.0f} visits (median)"
        legend = (
            f"% [95% interval]; smallest and median size of classes.\nShort traces look more unique; here {visits}."
        )
        return "\n".join(["People with a unique network", *table, legend])

    def _controls(self) -> str:
        return (
            f"Controls: with true place names the mean rank is {self.places_rank:,.1f} and the mean loss "
            f"{self.places_loss:.2f}; with people paired at random the mean loss is {self.shuffled_loss:.2f}."
        )


def _unique_cells(each: Anonymity) -> tuple[object, ...]:
    found = each.identifiability
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]", each.k, each.median


def _anonymity_row(each: Anonymity) -> AnonymityDict:
    return {
        "top": each.top,
        "directed": each.directed,
        "unique": each.identifiability.to_dict(),
        "bound": each.bound,
        "k": each.k,
        "median": each.median,
        "within_10": each.within(10).to_dict(),
        "median_visits": float(np.median(each.trace_lengths)),
    }


def topology(
    events: Events,
    *,
    top: Sequence[int] = (10, 200),
    kernels: Sequence[Kernel] = ("dsp", "summary"),
    min_dwell: Any = None,
    max_gap: Any = None,
    edges: EdgeRule = "induced",
    richest: int | None = None,
    ablate: bool = False,
    defend: bool = False,
    label: str = "",
    seed: int = 0,
    progress: bool | None = None,
) -> Topology:
    """Measure what people's networks reveal with every place name removed, up to the privacy loss.

    The log is described as a whole; for the attack each person's trace is split at a point drawn between 30 and 70% of
    it, what comes before is known and what comes after is released (Manousakas 2018, section 5.1).

    Parameters
    ----------
    events
        Events with times.
    top
        Sizes of networks to look at; anonymity is shown for 2 to 20 places besides.
    kernels
        Which to attack with: the paper's, and the strongest; size is always run as well.
    min_dwell
        Shorter stays are left out.
    max_gap
        Cut traces where nothing was recorded for longer. None, as in the paper: never; cutting weakens the intruder.
    edges
        ``"induced"``: moves between places that are kept; ``"contract"``: moves over a place left out count as well.
    richest
        Only this many people, those with the most records, as the paper selects its 1,500 of 30,000 phones (Manousakas
        2018 4.1). None: everyone.
    ablate, defend
        Also what each choice of the attack is worth, with the first kernel; and what noise on the released networks
        does against the strongest of these kernels and those of ``defence_curve``, at the largest size.
    label
        What the data is, for reports.
    seed
        Seed for everything random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    Topology
        Everything that was found.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> found = so.topology(log.events, top=[5], kernels=["summary"])
    >>> [row.kernel for row in found.attacks.rows]
    ['size', 'summary']
    """
    sizes = _check_tops(events, top, kernels)
    check_seed("topology", seed)
    if richest is not None:
        events = with_most_records(events, richest, function="topology")
    options: dict[str, Any] = {"min_dwell": min_dwell, "max_gap": max_gap, "edges": edges, "progress": progress}
    whole = networks(events, **options)
    released, known = split(events, by="point", seed=seed)
    mine, theirs = networks(released, **options), networks(known, **options)
    attacks, scores = run_attacks(mine, theirs, sizes, kernels, seed, progress)
    by_name = ranking(place_scores(histograms(released), histograms(known)))
    assert whole.sequences is not None
    return Topology(
        label=label,
        people=len(whole),
        edges=edges,
        summaries=tuple(network_summary(whole, top=size, progress=progress) for size in (*sizes, None)),
        orders={size: _orders(whole, size, progress) for size in (*sizes, None)},
        anonymity_by_size=_anonymity(whole, sizes),
        attacks=attacks,
        places_loss=float(by_name.loss.mean()),
        places_rank=float(by_name.ranks.mean()),
        shuffled_loss=_loss_if_shuffled(scores, seed),
        ablations=ablations(mine, theirs, kernel=kernels[0], seed=seed, progress=progress) if ablate else None,
        defences=_defences(mine, theirs, kernels, sizes[-1], seed, progress) if defend else None,
        tied=whole.sequences.tied,
        seed=seed,
        notes=whole.notes + tuple(note for note in scores.notes if note.code == TIED_AT_THE_CUT),
    )


def _check_tops(events: Any, top: Any, kernels: Any) -> list[int]:
    if not isinstance(events, Events):
        raise bad_argument("topology", "events", "Events", type(events).__name__, "Make them with so.read_events(…).")
    if not isinstance(top, Sequence) or not top:
        raise bad_argument("topology", "top", "a list of numbers of places", top)
    for size in top:
        check_size("topology", "top", size)
    if isinstance(kernels, str) or not list(kernels):
        raise bad_argument("topology", "kernels", "a list of kernels, such as ['dsp', 'wl']", kernels)
    for kernel in kernels:
        if kernel not in KERNELS:
            raise unknown_name("topology", "kernel", str(kernel), KERNELS)
    return sorted(set(top))


def _orders(whole: Networks, size: int | None, progress: bool | None) -> tuple[float, ...]:
    orders = markov_order(whole, top=size, max_order=ORDERS, progress=progress)
    return tuple(float((orders == order).mean()) for order in range(1, ORDERS + 1))


def _anonymity(whole: Networks, sizes: list[int]) -> tuple[Anonymity, ...]:
    wanted = sorted({*SIZES, *sizes})
    return tuple(anonymity(whole, top=size, directed=way) for size in wanted for way in (True, False))


SHUFFLES = 10


def _loss_if_shuffled(scores: Scores, seed: int) -> float:
    """Mean privacy loss when who is who is dealt anew among the people on both sides."""
    common = sorted(set(scores.released.tolist()) & set(scores.known.tolist()))
    rng = np.random.default_rng(seed)
    means = []
    for _ in range(SHUFFLES if scores.fits else 1):
        truth = dict(zip(common, (common[other] for other in rng.permutation(len(common))), strict=True))
        means.append(privacy_loss(scores, truth).mean())
    return float(np.mean(means))


def _defences(
    released: Networks, known: Networks, kernels: Sequence[Kernel], top: int, seed: int, progress: bool | None
) -> DefenceCurve:
    tried = [kernel for kernel in dict.fromkeys((*DEFENCE_KERNELS, *kernels)) if kernel != "size"]
    return defence_curve(released, known, kernels=tried, top=top, seed=seed, progress=progress)
