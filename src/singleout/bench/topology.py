"""Networks and graph kernels, timed on synthetic walkers, compared with GraKeL on the same graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.bench.matching import SideBySide, measure_time
from singleout.ground.errors import bad_argument
from singleout.measures.networks.anonymity import anonymity
from singleout.measures.networks.markov import markov_order
from singleout.reading.events import Events, read_events
from singleout.reading.split import split
from singleout.similarity.networks.scores import graph_scores
from singleout.similarity.networks.shapes import Shapes, shape_graphs
from singleout.statistics.networks import Networks, networks

VISITS = 3_500
TOP = 200
KERNELS = ("dd", "wd", "sp", "wl", "dsp", "dwl")
HEADING = "   people what                      seconds  GraKeL  ratio  largest difference"


def topology_timings(people: Iterable[int], *, others: bool = True, seed: int = 0) -> Iterator[SideBySide]:
    """Time networks, Markov order, anonymity and all kernels; then GraKeL's sp and wl if it is installed.

    Everything runs once on a few people first, so that kernels are compiled, or read from disk, before that.
    """
    for number in people:
        if number < 2:
            raise bad_argument("bench", "people", "at least 2", number)
        for _ in _ours(20, 300, seed):
            pass
        yield from _ours(number, VISITS, seed)
        if others and find_spec("grakel") is not None:
            yield from _against_grakel(number, seed)


def _ours(people: int, visits: int, seed: int) -> Iterator[SideBySide]:
    log = walkers(people, visits, seed)
    whole, seconds = measure_time(lambda: networks(log, progress=False))
    yield SideBySide(people, f"networks, {visits:,} visits", seconds)
    _, seconds = measure_time(lambda: markov_order(whole, progress=False))
    yield SideBySide(people, "Markov order", seconds)
    ways = [(top, way) for top in range(2, 21) for way in (True, False)]
    _, seconds = measure_time(lambda: [anonymity(whole, top=top, directed=way) for top, way in ways])
    yield SideBySide(people, "anonymity, 2 to 20 places", seconds)
    released, known = _sides(log, seed)
    total = 0.0
    for kernel in KERNELS:
        _, seconds = measure_time(partial(_compare, released, known, kernel=kernel))
        total += seconds
        yield SideBySide(people, f"{kernel}, top {TOP}", seconds)
    yield SideBySide(people, "all six kernels", total)


def _compare(released: Networks, known: Networks, **asked: Any) -> Any:
    return graph_scores(released, known, progress=False, **asked).matrix


def _compare_by_grakel(kernel: Any, released: list[Any], known: list[Any]) -> Any:
    return kernel.fit(known).transform(released)


def _sides(log: Events, seed: int) -> list[Networks]:
    return [networks(part, progress=False) for part in split(log, by="point", seed=seed)]


def walkers(people: int, visits: int, seed: int) -> Events:
    """People who return to places they visit often, repeat their paths, and explore less and less.

    Exploration and preferential return: a new place with probability 0.6 n^-0.21 after n places; half of the other
    steps go where the last step from here went.
    """
    rng = np.random.default_rng(seed)
    at = np.zeros((people, visits), dtype=np.int64)
    places = np.ones(people)
    everyone = np.arange(people)
    followed = np.full((people, visits + 1), -1, dtype=np.int64)
    for step in range(1, visits):
        here = at[:, step - 1]
        back = at[everyone, (rng.random(people) * step).astype(np.int64)]
        habit = followed[everyone, here]
        back = np.where((habit >= 0) & (rng.random(people) < 0.5), habit, back)
        new = rng.random(people) < 0.6 * places**-0.21
        at[:, step] = np.where(new, places.astype(np.int64), back)
        places += new
        followed[everyone, here] = at[:, step]
    table = pa.table(
        {
            "user": np.repeat(everyone, visits),
            "time": np.tile(np.arange(visits) * 3_600, people),
            "place": at.ravel(),
        }
    )
    return read_events(table, user="user", time="time", place="place")


def _against_grakel(people: int, seed: int) -> Iterator[SideBySide]:
    from grakel import ShortestPath, WeisfeilerLehman

    released, known = _sides(walkers(people, VISITS, seed), seed)
    options: dict[str, Any] = {"labels": 3, "prune": 0.4, "ties": "visits", "component": True, "seed": 0}
    shapes = [shape_graphs(side.at(top=TOP).graphs, undirected=False, **options) for side in (released, known)]
    theirs = [_grakel_graphs(side) for side in shapes]
    for name, kernel, ours in (
        ("sp", ShortestPath(normalize=True, with_labels=True), {"kernel": "sp"}),
        ("wl", WeisfeilerLehman(n_iter=2, normalize=True), {"kernel": "wl", "direction": "out"}),
    ):
        mine, seconds = measure_time(partial(_compare, released, known, **ours))
        table, longer = measure_time(partial(_compare_by_grakel, kernel, *theirs))
        difference = float(np.abs(mine.toarray() - table).max())
        yield SideBySide(people, f"{name}, top {TOP}", seconds, longer, difference)


def _grakel_graphs(shapes: Shapes) -> list[Any]:
    graphs = shapes.graphs
    out = []
    for number in range(len(graphs)):
        nodes = slice(graphs.node_starts[number], graphs.node_starts[number + 1])
        edges = slice(graphs.edge_starts[number], graphs.edge_starts[number + 1])
        arcs = zip(graphs.source[edges].tolist(), graphs.target[edges].tolist(), strict=True)
        out.append([dict.fromkeys(arcs, 1.0), dict(enumerate(shapes.label[nodes].tolist()))])
    return out
