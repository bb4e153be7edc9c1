"""A term that a user brings: compiled into the driver, tried out, and given the values of places it asks for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np
from numba import njit
from numba.core.errors import NumbaError

from singleout._kernels import overlap, pricing
from singleout._kernels.jit import rebuilt
from singleout.ground.arrays import Floats
from singleout.ground.errors import InputError, bad_argument, is_number
from singleout.ground.notes import number_of
from singleout.similarity.own_code import run_own, shuffle_orders, shuffle_people
from singleout.statistics.histograms import Histograms

Kernels = dict[str, Callable[..., Any]]
Places = Mapping[Any, Any] | Callable[[Histograms], Any]
BUILT_IN_KERNELS: Kernels = {
    "term": overlap.term,
    "fill_terms": overlap.fill_terms,
    "gather_row": overlap.gather_row,
    "gather_met": overlap.gather_met,
    "dense_gains": overlap.dense_gains,
    "best_gains": overlap.best_gains,
    "pair_gains": overlap.pair_gains,
    "price_rows": pricing.price_rows,
}
"""In this order: the later ones call the earlier ones."""
MOST_VALUES = 2
"""A term may take this many values of a place: a popularity, or a position."""
SHARES = (1e-9, 0.01, 0.25, 0.4, 0.9, 1.0)
"""A term is tried on all pairs of these."""
FUNCTION = "register_similarity"
LARGEST = 1e150
"""Terms above this could not be summed."""


def count_values(term: Callable[..., float]) -> int:
    """How many values of a place a term takes, after the two shares."""
    if not callable(term):
        raise bad_argument(FUNCTION, "term", "a function of two shares", term)
    try:
        parameters = inspect.signature(getattr(term, "py_func", term)).parameters.values()
    except ValueError:  # a built-in function, such as min
        return 0
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return 0
    values = len(parameters) - 2
    if not 0 <= values <= MOST_VALUES:
        must = f"a function of two shares, and of at most {MOST_VALUES} values of a place"
        raise bad_argument(FUNCTION, "term", must, f"a function of {number_of(len(parameters), 'arguments')}")
    return values


def compile_term(term: Callable[..., float], values: int) -> Kernels:
    """The kernels with the user's term in place of the built-in ones."""
    try:
        kernels = _kernels_with(term, values)
        tried = [_try(kernels["term"], p, q, values) for p, q in product(SHARES, SHARES)]
    except (NumbaError, TypeError, ValueError, ArithmeticError) as error:
        hint = "Use plain arithmetic and NumPy functions of numbers."
        raise bad_argument(FUNCTION, "term", "a function that Numba can compile", term, hint) from error
    _check_results(tried, values)
    return kernels


def _kernels_with(term: Callable[..., float], values: int) -> Kernels:
    compiled: Any = term if hasattr(term, "py_func") else njit(nogil=True, error_model="numpy")(term)

    def of_shares(code: int, p: float, q: float, own_p: float, own_q: float) -> float:
        return compiled(p, q)  # type: ignore[no-any-return]

    def of_one_value(code: int, p: float, q: float, own_p: float, own_q: float) -> float:
        return compiled(p, q, own_p)  # type: ignore[no-any-return]

    def of_two_values(code: int, p: float, q: float, own_p: float, own_q: float) -> float:
        return compiled(p, q, own_p, own_q)  # type: ignore[no-any-return]

    names: Kernels = {"term": njit(nogil=True)((of_shares, of_one_value, of_two_values)[values])}
    for name, kernel in list(BUILT_IN_KERNELS.items())[1:]:
        names[name] = rebuilt(kernel, names)
    return names


def _try(term: Callable[..., Any], p: float, q: float, values: int) -> Any:
    # what values of places will be is not known yet: one and two are as good as any
    return term(overlap.PRODUCT, p, q, float(values > 0), 2.0 * (values > 1))


def _check_results(tried: list[Any], values: int) -> None:
    if not all(isinstance(each, float | int) for each in tried):
        raise bad_argument(FUNCTION, "term", "a function that returns a number", type(tried[0]).__name__)
    table = np.array(tried, dtype=np.float64).reshape(len(SHARES), len(SHARES))
    if not np.allclose(table, table.T, equal_nan=True):
        hint = "The two sides are swapped while matching. What differs by side can be registered with register_attack."
        must = "a function that is the same with the two shares swapped"
        raise bad_argument(FUNCTION, "term", must, "another result", hint)
    # with values of places the real ones decide, when people are matched
    if not values and not (np.abs(table) <= LARGEST).all():
        raise bad_argument(FUNCTION, "term", "a function of finite numbers that can be summed", "a number too large")
    if not values and not (table >= 0).all():
        raise bad_argument(FUNCTION, "term", "a function that is zero or more everywhere", float(table.min()))


def values_of_places(places: Places, values: int) -> Callable[[Histograms], Floats]:
    """A function that gives two values of each known place; where a term takes one, it comes twice."""
    if not values:
        must = "omitted if the term takes only two shares"
        raise bad_argument(FUNCTION, "places", must, "values of places", "Let the term take them as well.")

    def values_of(known: Histograms) -> Floats:
        """Of each place of the known side, checked."""
        found = _ask(places, known) if callable(places) else _look_up(places, known)
        try:
            table = np.asarray(found, dtype=np.float64).reshape(len(known.places), -1)
        except (TypeError, ValueError) as error:
            raise InputError("the values of places must be numbers, one row per place.", function="match") from error
        if table.shape[1] != values or not np.isfinite(table).all():
            wanted = ("one finite number", "two finite numbers")[values - 1]
            problem = f"the similarity takes {wanted} for each place; `places` gives something else."
            raise InputError(problem, function="match")
        return np.repeat(table, MOST_VALUES // values, axis=1)

    return values_of


def _ask(places: Callable[[Histograms], Any], known: Histograms) -> Any:
    (order,) = shuffle_orders([known])
    return run_own("the function `places`", places, shuffle_people(known, order))


def _look_up(places: Mapping[Any, Any], known: Histograms) -> list[Any]:
    unknown = sum(place not in places for place in known.places.tolist())
    if unknown:
        hint = "Ids from text files are text." if unknown == len(known.places) else ""
        missing = f"{number_of(unknown, 'places')} of the known side"
        raise InputError(f"`places` has no value for {missing}. {hint}".rstrip(), function="match")
    return [places[place] for place in known.places.tolist()]


def check_constant(constant: Any) -> float:
    """The cost of two people who share no place, as a number."""
    if not is_number(constant):
        raise bad_argument(FUNCTION, "constant", "a finite number", constant)
    return float(constant)
