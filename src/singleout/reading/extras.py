"""Libraries of the extra ``files``, loaded at the moment of use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from singleout.ground.errors import SourceError


def load_reader(library: str, package: str, kind: str) -> Any:
    """A library that reads a kind of file; an error with its install line where it is missing."""
    try:
        return import_module(library)
    except ImportError as error:
        raise SourceError(f"{kind} files require {package}, which is not installed: pip install {package}") from error
