"""The list of what can be reproduced: a small function with an id for each table or figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps

from singleout.ground.errors import InputError, near
from singleout.papers.data_sets import Shelf
from singleout.papers.result import Data, Reproduction

Run = Callable[[Shelf], Reproduction]


@dataclass(frozen=True)
class Experiment:
    """A table or figure: its id and what it needs. It runs on those of its data sets that are available."""

    id: str
    title: str
    data: tuple[Data, ...]
    run: Run

    def missing(self, shelf: Shelf) -> list[Data]:
        """Data sets that it could use and that are not available."""
        return [data for data in self.data if not shelf.has(data)]

    def runs(self, shelf: Shelf) -> bool:
        """Whether any of its data is available."""
        return len(self.missing(shelf)) < len(self.data)


_EXPERIMENTS: dict[str, Experiment] = {}


def reproduces(name: str, title: str, *data: Data) -> Callable[[Run], Run]:
    """Register a function under an id such as naini-table2; it gets a shelf with at least one of ``data``."""

    def _register(run: Run) -> Run:
        @wraps(run)
        def run_with_id(shelf: Shelf) -> Reproduction:
            return replace(run(shelf), id=name, title=title)

        _EXPERIMENTS[name] = Experiment(name, title, data, run_with_id)
        return run_with_id

    return _register


def experiments() -> list[Experiment]:
    """All experiments, in the order of the papers."""
    return list(_EXPERIMENTS.values())


def experiment(name: str) -> Experiment:
    """The experiment with this id."""
    if name not in _EXPERIMENTS:
        hint = f"{near(name, _EXPERIMENTS)} Run singleout reproduce to list the ids.".lstrip()
        raise InputError(f"unknown id {name!r}.", function="reproduce", hint=hint)
    return _EXPERIMENTS[name]
