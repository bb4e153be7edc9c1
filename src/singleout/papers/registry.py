"""The list of what can be run again: each table or figure a small function under an id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps

from singleout.ground.errors import unknown_name
from singleout.papers.result import Data, Reproduction
from singleout.papers.shelf import Shelf

Run = Callable[[Shelf], Reproduction]


@dataclass(frozen=True)
class Experiment:
    """A table or figure: its id and what it needs. It runs on those of its data sets that are at hand."""

    id: str
    title: str
    data: tuple[Data, ...]
    run: Run

    def missing(self, shelf: Shelf) -> list[Data]:
        """What it could use and is not at hand."""
        return [data for data in self.data if not shelf.has(data)]

    def runs(self, shelf: Shelf) -> bool:
        """Whether any of its data is at hand."""
        return len(self.missing(shelf)) < len(self.data)


_EXPERIMENTS: dict[str, Experiment] = {}


def reproduces(name: str, title: str, *data: Data) -> Callable[[Run], Run]:
    """Put a function on the list, under an id such as naini-table2; it gets a shelf with at least one of ``data``."""

    def _listed(run: Run) -> Run:
        @wraps(run)
        def named(shelf: Shelf) -> Reproduction:
            return replace(run(shelf), id=name, title=title)

        _EXPERIMENTS[name] = Experiment(name, title, data, named)
        return named

    return _listed


def experiments() -> list[Experiment]:
    """All of them, in the order of the papers."""
    return list(_EXPERIMENTS.values())


def experiment(name: str) -> Experiment:
    """The one of this id."""
    if name not in _EXPERIMENTS:
        raise unknown_name("reproduce", "ids", name, _EXPERIMENTS)
    return _EXPERIMENTS[name]
