"""The one place where compiler flags are set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Any:
    """Compiled once, kept on disk, runs without the GIL. No fastmath: sums must not depend on the machine.

    Where no folder can be written, neither that of the package nor one of the user's, every process compiles anew.
    """
    try:
        return njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        return njit(nogil=True, error_model="numpy")(function)


def rebuilt(function: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """The same kernel with some of the names it calls bound to other kernels, compiled for this process.

    Numba keeps no disk cache for a kernel that takes another one as an argument. The built-in kernels therefore
    call by name and stay cached, and a user's own term gets a copy with that name bound anew.
    """
    plain: Any = getattr(function, "py_func", function)
    copy = FunctionType(plain.__code__, {**plain.__globals__, **names}, plain.__name__, plain.__defaults__)
    compiled: Callable[..., Any] = njit(nogil=True, error_model="numpy")(copy)
    return compiled
