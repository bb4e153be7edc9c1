"""How much memory a person's movements have: the order of the Markov chain that explains them (M18 section 4.2)."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from singleout._kernels import markov as kernels
from singleout.ground.errors import bad_argument, check_seed, is_whole, unknown_name
from singleout.ground.names import MarkovTest
from singleout.ground.parallel import map_tiles
from singleout.statistics.networks import Networks, paths

TESTS: tuple[MarkovTest, ...] = get_args(MarkovTest)
LEVEL = 0.01
DRAWS = 199
MOST_ORDER = 8


def markov_order(
    networks: Networks,
    *,
    top: int | None = None,
    max_order: int = 3,
    test: MarkovTest = "classical",
    seed: int = 0,
    progress: bool | None = None,
) -> NDArray[np.int64]:
    """The Markov order of each person's movements, at least 1.

    Order k is tested against k - 1 by their likelihood ratio; the result is the highest order from 2 to ``max_order``
    whose test passes at 1%. Places and cuts follow the networks' ``top`` and ``edges``.

    No test is right for all traces. The chi-square limit needs every context to occur often. A chain fitted to a short
    trace is too sparse, so that the bootstrap finds memory in nearly every short trace, even where there is none (half
    of those with 25 visits a place, none with 125). ``"scholtes"`` and ``"bic"`` are cautious. Compare several tests.

    Parameters
    ----------
    networks
        Networks of ``so.networks``.
    top
        Only this many of each person's most visited places; None: all.
    max_order
        The highest order that is tried.
    test
        ``"classical"``: chi-square with as many degrees of freedom as the chain of order k has in addition to those
        of k - 1. ``"scholtes"``: those of layer k of a multi-order model, the paper's method (it suits many short
        paths; for one long trace it finds too few people of higher order). ``"bootstrap"``: the ratio compared with
        those of 199 sequences drawn from the chain of order k - 1 (slow). ``"bic"``, ``"aic"``: the lowest criterion
        over 1 to ``max_order``.
    seed
        Seed for everything random; the same seed gives the same result.
    progress
        Whether to show progress; None: if it goes to a terminal.

    Returns
    -------
    array of int
        One order per person.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> so.markov_order(so.networks(log.events), max_order=2)[:5].tolist()
    [2, 1, 1, 1, 1]
    """
    if not isinstance(networks, Networks):
        raise bad_argument("markov_order", "networks", "Networks", type(networks).__name__)
    if networks.sequences is None:
        raise bad_argument("markov_order", "networks", "networks with sequences", "perturbed networks")
    if test not in TESTS:
        raise unknown_name("markov_order", "test", str(test), TESTS)
    if not is_whole(max_order) or not 1 <= max_order <= MOST_ORDER:
        raise bad_argument("markov_order", "max_order", f"a whole number from 1 to {MOST_ORDER}", max_order)
    check_seed("markov_order", seed)
    asked = networks if top is None else networks.at(top=top)
    starts, state, fresh = paths(networks.sequences, asked.top, asked.edges)
    states = networks.sequences.states if asked.top is None else np.minimum(networks.sequences.states, asked.top)
    chains, most = (starts, state, fresh, states), int(max_order)
    if test == "bootstrap":
        options: dict[str, Any] = {"label": "drawing sequences", "progress": progress, "tile": 8}
        return np.concatenate(map_tiles(_bootstrap, len(networks), chains, most, seed, **options))
    fitted = map_tiles(kernels.fits, len(networks), *chains, most, label="fitting Markov chains", progress=progress)
    likelihood, classical, layer, steps = (np.concatenate([part[k] for part in fitted]) for k in range(4))
    if test in ("bic", "aic"):
        return _least(likelihood, classical, steps, test)
    freedom = np.diff(classical, axis=1) if test == "classical" else layer[:, 1:]
    ratio = 2 * np.diff(likelihood, axis=1)
    return _highest(_p_value(ratio, freedom) < LEVEL)


def _p_value(ratio: Any, freedom: Any) -> Any:
    """Probability of such a ratio without a memory of that length; 1 where there are no degrees of freedom."""
    free = freedom > 0
    return np.where(free, chdtrc(np.where(free, freedom, 1.0), np.maximum(ratio, 0.0)), 1.0)


def _highest(passed: Any) -> NDArray[np.int64]:
    """Column k stands for order k + 1 against k; the first is never tested."""
    orders = np.arange(1, passed.shape[1] + 1)
    return np.asarray(np.where(passed, orders, 1).max(axis=1, initial=1), dtype=np.int64)


def _least(likelihood: Any, freedom: Any, steps: Any, test: str) -> NDArray[np.int64]:
    price = np.log(np.maximum(steps, 1.0))[:, None] if test == "bic" else 2.0
    criterion = -2 * likelihood[:, 1:] + price * freedom[:, 1:]
    return np.asarray(1 + np.argmin(criterion, axis=1), dtype=np.int64)


def _bootstrap(first: int, last: int, chains: tuple[Any, ...], most: int, seed: int) -> NDArray[np.int64]:
    starts, state, fresh, states = chains
    orders = np.ones(last - first, dtype=np.int64)
    for person in range(first, last):
        begin, end = starts[person], starts[person + 1]
        if end - begin < 2:
            continue
        mine, anew, count = state[begin:end], fresh[begin:end], int(states[person])
        chain = kernels.followers(mine, anew, count, most)
        observed = np.diff(kernels.log_likelihoods(mine, anew, count, most))
        rng = np.random.default_rng((seed, person))
        for order in range(2, most + 1):
            draws = rng.random((DRAWS, end - begin))
            above = 0
            for draw in range(DRAWS):
                drawn = kernels.simulate(mine, *chain, order - 1, draws[draw])
                ratio = np.diff(kernels.log_likelihoods(drawn, anew, count, order))[-1]
                above += ratio >= observed[order - 1] - 1e-9
            if (1 + above) / (1 + DRAWS) < LEVEL:
                orders[person - first] = order
    return orders
