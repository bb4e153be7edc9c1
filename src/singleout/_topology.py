"""From an event log to what the shape of movements gives away (M18, the whole path)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from singleout._defences import KERNELS as DEFENCE_KERNELS
from singleout._defences import defence_curve, match_jointly
from singleout.ground.errors import bad_argument, check_seed, unknown_name
from singleout.ground.progress import stage
from singleout.measures.anonymity import Anonymity, anonymity
from singleout.measures.markov import markov_order
from singleout.measures.network_summary import network_summary
from singleout.measures.ranking import privacy_loss, ranking
from singleout.reading.events import Events
from singleout.reading.selection import richest as with_most_records
from singleout.reading.split import split
from singleout.report.defences import DefenceCurve
from singleout.report.topology import Attack, Attacks, Topology
from singleout.statistics.histograms import Histograms, histograms
from singleout.statistics.ids import Ids
from singleout.statistics.networks import Networks, check_size, networks
from singleout.weights.graph_features import SparseCosine
from singleout.weights.graph_scores import KERNELS, WHOLE, graph_scores
from singleout.weights.scores import Scores

SIZES = range(2, 21)
ORDERS = 3
SPREAD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("as the paper", {}),
    ("top 100", {"top": 100}),
    ("no pruning", {"prune": 0.0}),
    ("no labels", {"labels": 1}),
    ("labels by mass", {"labels": "mass"}),
    ("undirected", {"direction": "undirected"}),
    ("tied edges go too", {"ties": "drop_ties"}),
    ("ties by lot", {"ties": "random"}),
    ("all components", {"component": False}),
    ("edges contracted", {"edges": "contract"}),
)


def topology(
    events: Events,
    *,
    top: Sequence[int] = (10, 200),
    kernels: Sequence[str] = ("dsp",),
    min_dwell: Any = None,
    max_gap: Any = None,
    edges: str = "induced",
    richest: int | None = None,
    ablate: bool = False,
    defend: bool = False,
    label: str = "",
    seed: int = 0,
    progress: bool | None = None,
) -> Topology:
    """Measure what people's networks give away with every place name removed: M18 from the log to the privacy loss.

    The log is described as a whole; for the attack each person's trace is split at a point drawn between 30 and 70 % of
    it, what comes before is known and what comes after is released (M18 section 5.1).

    Parameters
    ----------
    top
        Sizes of networks to look at; anonymity is shown for 2 to 20 places besides.
    kernels
        Which to attack with; size is always run as well.
    max_gap
        Cut traces where nothing was recorded for longer. None, as in the paper: never; cutting weakens the intruder.
    richest
        Only this many people, those with most records, as the paper selects its 1,500 of 30,000 phones (M18 4.1). None:
        everybody.
    ablate, defend
        Also what each choice of the attack is worth, with the first kernel; and what noise on the released networks
        does against the strongest of these kernels and those of ``defence_curve``, at the largest size.
    """
    sizes = _checked(events, top, kernels)
    check_seed("topology", seed)
    if richest is not None:
        events = with_most_records(events, richest, function="topology")
    options: dict[str, Any] = {"min_dwell": min_dwell, "max_gap": max_gap, "edges": edges, "progress": progress}
    whole = networks(events, **options)
    known, released = split(events, by="point", seed=seed)
    theirs, mine = (networks(part, **options) for part in (known, released))
    attacks, scores = _attacks(mine, theirs, sizes, kernels, seed, progress)
    by_name = ranking(place_scores(histograms(released), histograms(known)))
    assert whole.sequences is not None
    return Topology(
        label=label,
        people=len(whole),
        edges=edges,
        summaries=tuple(network_summary(whole, top=size, progress=progress) for size in (*sizes, None)),
        orders={size: _orders(whole, size, progress) for size in (*sizes, None)},
        alike=_alike(whole, sizes),
        attacks=attacks,
        places_loss=float(by_name.loss.mean()),
        places_rank=float(by_name.ranks.mean()),
        shuffled_loss=_shuffled_loss(scores, seed),
        ablations=ablations(mine, theirs, kernel=kernels[0], seed=seed, progress=progress) if ablate else None,
        defences=_defences(mine, theirs, kernels, sizes[-1], seed, progress) if defend else None,
        tied=whole.sequences.tied,
        seed=seed,
        notes=whole.notes + tuple(note for note in scores.notes if "tied at the cut" in note.what),
    )


def _checked(events: Any, top: Any, kernels: Any) -> list[int]:
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


def _alike(whole: Networks, sizes: list[int]) -> tuple[Anonymity, ...]:
    wanted = sorted({*SIZES, *sizes})
    return tuple(anonymity(whole, top=size, directed=way) for size in wanted for way in (True, False))


def _attacks(
    released: Networks, known: Networks, sizes: list[int], kernels: Sequence[str], seed: int, progress: bool | None
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
                rows.append(_measured(scores, seed, progress, kernel, size))
            kept[kernel] = scores
    return Attacks(tuple(rows)), kept[kernels[0]]


def _attack(
    released: Networks, known: Networks, seed: int, progress: bool | None, choices: str = "", **asked: Any
) -> Attack:
    scores = graph_scores(released, known, seed=seed, progress=progress, **asked)
    return _measured(scores, seed, progress, asked["kernel"], asked["top"], choices)


def _measured(
    scores: Scores, seed: int, progress: bool | None, kernel: str, top: int | None, choices: str = ""
) -> Attack:
    joint, right = match_jointly(scores, seed, progress)
    return Attack(kernel, None if kernel in WHOLE else top, ranking(scores), joint, choices, right)


SHUFFLES = 10


def _shuffled_loss(scores: Scores, seed: int) -> float:
    """Mean privacy loss when who is who is dealt anew among the people on both sides."""
    common = sorted(set(scores.released.tolist()) & set(scores.known.tolist()))
    rng = np.random.default_rng(seed)
    means = []
    for _ in range(SHUFFLES if scores.fits else 1):
        truth = dict(zip(common, (common[other] for other in rng.permutation(len(common))), strict=True))
        means.append(privacy_loss(scores, truth).mean())
    return float(np.mean(means))


def place_scores(released: Histograms, known: Histograms) -> Scores:
    """Cosines of people's counts at places under their true names: what pseudonyms per person are to prevent."""
    places = np.unique(np.concatenate([released.places, known.places]))
    rows = [_over(places, side) for side in (released, known)]
    lengths = [np.sqrt(np.asarray(side.multiply(side).sum(axis=1)).ravel()) for side in rows]
    return Scores.streamed(SparseCosine(*rows, *lengths).block, released.people, known.people)


def _over(places: Ids, side: Histograms) -> sparse.csr_array:
    """Counts with a column for each of the places."""
    counts = side.counts.tocoo()
    row, column = counts.coords
    ends = row, np.searchsorted(places, side.places)[column]
    return sparse.csr_array((counts.data.astype(np.float64), ends), shape=(len(side), len(places)))


def ablations(
    released: Networks, known: Networks, *, kernel: str = "dsp", seed: int = 0, progress: bool | None = None
) -> Attacks:
    """What each choice of M18 section 5.3 is worth: size, pruning, labels, direction, and the ties it leaves open."""
    rows = []
    for choices, asked in SPREAD:
        options: dict[str, Any] = {"kernel": kernel, "top": 200} | asked
        edges = options.pop("edges", None)
        sides = [side if edges is None else side.at(top=side.top, edges=str(edges)) for side in (released, known)]
        with stage(choices):
            rows.append(_attack(sides[0], sides[1], seed, progress, choices, **options))
    return Attacks(tuple(rows))


def _defences(
    released: Networks, known: Networks, kernels: Sequence[str], top: int, seed: int, progress: bool | None
) -> DefenceCurve:
    tried = [kernel for kernel in dict.fromkeys((*DEFENCE_KERNELS, *kernels)) if kernel != "size"]
    return defence_curve(released, known, kernels=tried, top=top, seed=seed, progress=progress)
