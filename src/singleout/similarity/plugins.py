"""A Python file of a user's that registers similarities and attacks, for the command line."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.ground.errors import SingleoutError, SourceError, where_it_failed
from singleout.ground.notes import cut_middle
from singleout.similarity.registry import registered_by_user

LONGEST = 300
"""Characters that are shown of what an error of a plugin says."""
_loaded: dict[tuple[Path, str], Any] = {}
"""Modules of plugins by file and digest: each version runs once, and its functions stay alive."""


def load_plugin(file: str | PathLike[str]) -> None:
    """Run a Python file that calls ``so.register_similarity`` or ``so.register_attack``; once for each version."""
    path = Path(file).expanduser()
    try:
        if path.exists() and not path.is_file():  # a pipe or a device may never end
            raise SourceError(f"{path.name or path} is not a plain file.", argument="plugin")
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(f"cannot read {path.name or path}: {reason}.", argument="plugin") from error
    key = path.resolve(), hashlib.sha256(content).hexdigest()
    if key not in _loaded:
        before = set(map(id, registered_by_user()))
        _loaded[key] = _run(key[0])
        if not {id(each) for each in registered_by_user()} - before:
            del _loaded[key]
            hint = "Call so.register_similarity(…) or so.register_attack(…) in it."
            raise SourceError(f"{path.name} registers nothing. {hint}", argument="plugin")


def _run(path: Path) -> Any:
    spec = spec_from_file_location(f"singleout_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise SourceError(f"{path.name} is not a Python file; its name must end in .py.", argument="plugin")
    module = module_from_spec(spec)
    try:
        # what it prints must not mix with a result, and nothing is kept in the folder of its author
        with redirect_stdout(sys.stderr), _no_bytecode():
            spec.loader.exec_module(module)
    except SingleoutError as error:
        raise SourceError(f"{path.name}: {error}", argument="plugin") from error
    except (Exception, SystemExit) as error:
        # it runs before any data is read, so its messages cannot quote any
        said = "" if isinstance(error, SyntaxError) else _said(error)
        raise SourceError(f"{path.name} failed: {where_it_failed(error, path)}{said}.", argument="plugin") from error
    return module


@contextmanager
def _no_bytecode() -> Iterator[None]:
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _said(error: BaseException) -> str:
    """An error's own words in brackets, on one line; none where it has none, or fails to say them."""
    try:
        words = cut_middle(" ".join(str(error).split()), LONGEST)
        return f" ({words})" if words else ""
    except Exception:
        return ""
