"""The one place where compiler flags are set."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from numba import config, njit, typeof

FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""No fastmath: sums must not depend on the machine. Nothing calls a kernel as a C function."""

CALLS: dict[tuple[Any, tuple[Any, ...]], None] | None = None
"""Kernels and kinds of arguments in order of their first call, in a process that only finds out what is to be compiled.

Set before any kernel is loaded.
"""


class Noted:
    """A kernel that notes the kinds of arguments it is called with and runs as plain Python."""

    def __init__(self, compiled: Any, calls: dict[tuple[Any, tuple[Any, ...]], None]) -> None:
        self.compiled, self.py_func, self.calls = compiled, compiled.py_func, calls

    @property
    def _numba_type_(self) -> Any:
        """What stands for it in other kernels."""
        return self.compiled._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        if not sys._getframe(1).f_globals["__name__"].startswith(__package__):  # those that kernels call come with them
            self.calls.setdefault((self.compiled, tuple(typeof(each) for each in arguments)))
        return self.py_func(*arguments)


def kernel(function: Callable[..., Any]) -> Any:
    """Compiled once, kept on disk, runs without the GIL; pickled under its name, so that others find it on disk too.

    Where no folder can be written, neither that of the package nor one of the user's, every process compiles anew.
    """
    try:
        compiled = njit(cache=True, **FLAGS)(function)
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        compiled = njit(**FLAGS)(function)
    compiled.__reduce_ex__ = lambda _protocol: function.__qualname__
    return compiled if CALLS is None else Noted(compiled, CALLS)


class Part:
    """What only kernels call: compiled into each of them, with neither a file nor a way in from Python of its own.

    Each of them would be compiled too. Called from Python it is a plain function.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func, self.__module__ = function, function.__module__
        self.compiled = njit(no_cpython_wrapper=True, **FLAGS)(function)

    @property
    def _numba_type_(self) -> Any:
        """What stands for it in kernels."""
        return self.compiled._numba_type_

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Other processes find it under its name; a rebuilt one has none and travels as its function."""
        name = self.py_func.__qualname__
        if getattr(sys.modules[self.__module__], name, None) is self:
            return name
        return Part, (self.py_func,)

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)


def part(function: Callable[..., Any]) -> Any:
    """Mark a function as part of the kernels that call it.

    It is compiled once for each kind of arguments, and a whole number written in the call is a kind of its own: pass
    ``np.intp(0)`` where 0 is only the first value.
    """
    return function if config.DISABLE_JIT else Part(function)


def rebuilt(function: Callable[..., Any], names: Mapping[str, Any]) -> Callable[..., Any]:
    """The same kernel with some of the names it calls bound to other kernels, compiled for this process.

    Numba keeps no disk cache for a kernel that takes another one as an argument. The built-in kernels therefore
    call by name and stay cached, and a user's own term gets a copy with that name bound anew.

    The copy has a name of its own. Compiled code finds its parts by name, kinds of arguments and a number that counts
    from one in every process: what another process had kept on disk would find a copy in place of its own part, and
    the built-in similarities would be computed by the user's term.
    """
    plain: Any = getattr(function, "py_func", function)
    copy = FunctionType(plain.__code__, {**plain.__globals__, **names}, plain.__name__, plain.__defaults__)
    copy.__qualname__ = f"{plain.__qualname__}_rebuilt"
    compiled: Callable[..., Any] = part(copy) if isinstance(function, Part) else njit(**FLAGS)(copy)
    return compiled
