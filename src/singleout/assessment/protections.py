"""A protection to try at several strengths, ready-made ones, and what each may look at."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from threading import Lock
from typing import Any

from singleout.ground.errors import SingleoutError, bad_argument
from singleout.ground.names import NoiseUnit
from singleout.ground.notebooks import Described
from singleout.protection.coarsening import coarsen
from singleout.protection.microaggregation import microaggregate
from singleout.protection.noise import add_noise
from singleout.protection.suppression import shorten, suppress
from singleout.statistics.merging import hierarchy_levels


@dataclass(frozen=True)
class Trial:
    """What a protection may look at: both sides as they were, and a seed of its own.

    ``released`` and ``known`` are Histograms, or Events for a protection that works on events. ``seed`` is another for
    each repeat: hand it on to what draws at random, such as ``so.add_noise(x, epsilon=e, seed=trial.seed)``.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> released, known = (so.histograms(side) for side in so.split(log.events, by="weeks"))
    >>> trial = so.Trial(released, known, seed=1)
    >>> trial.seed
    1
    """

    released: Any
    known: Any
    seed: int


@dataclass(frozen=True, repr=False)
class Protection(Described):
    """A protection to try at several strengths.

    ``apply(data, strength, trial)`` returns the protected data: Histograms, Events or Clusters. ``trial`` is a Trial:
    both sides as they were, and a seed. ``intruder_applies_it``: the file is also attacked by an intruder who applies
    the protection to what they know, and the stronger counts. False where that only loses them knowledge
    (micro-aggregation, noise).
    ``on_events``: it works on events, before they are counted. ``thread_safe``: several strengths may be applied at the
    same time. ``adds_noise``: counts have noise, so that the file is also attacked by the likelihood of its counts.
    Those of the library are ready-made: ``so.Protection.microaggregate([2, 5, 10])`` and so on.

    Examples
    --------
    >>> import singleout as so
    >>> so.Protection.microaggregate([5, 20])
    Protection(microaggregate: 5, 20)
    >>> def keep_popular(data, strength, trial):
    ...     return so.suppress(data, keep=strength)
    >>> so.Protection("popular", [100, 20], keep_popular)
    Protection(popular: 100, 20)
    """

    name: str
    strengths: Sequence[Any]
    apply: Callable[[Any, Any, Trial], Any]
    intruder_applies_it: bool = True
    on_events: bool = False
    thread_safe: bool = False
    adds_noise: bool = False

    def __post_init__(self) -> None:
        listed = not isinstance(self.strengths, str) and isinstance(self.strengths, Iterable)
        for argument, right, must in (
            ("name", isinstance(self.name, str) and bool(self.name), "a word"),
            ("strengths", listed and len(tuple(self.strengths)) > 0, "a list of at least one strength"),
            ("apply", _takes_three(self.apply), "a function of data, strength and trial"),
            ("intruder_applies_it", isinstance(self.intruder_applies_it, bool), "True or False"),
            ("on_events", isinstance(self.on_events, bool), "True or False"),
            ("thread_safe", isinstance(self.thread_safe, bool), "True or False"),
            ("adds_noise", isinstance(self.adds_noise, bool), "True or False"),
        ):
            if not right:
                raise bad_argument("Protection", argument, must, type(getattr(self, argument)).__name__)

    def facts(self) -> dict[str, object]:
        """What is tried, and who else may apply it; strengths that are not numbers are only counted."""
        numbers = all(isinstance(each, int | float) for each in self.strengths)
        tried = ", ".join(map(str, self.strengths)) if numbers else len(self.strengths)
        return {"protection": self.name, "strengths": tried, "applied by intruders too": self.intruder_applies_it}

    def __repr__(self) -> str:
        strengths = self.facts()["strengths"]
        return f"Protection({self.name}: {strengths if isinstance(strengths, str) else f'{strengths} strengths'})"

    @classmethod
    def shorten(cls, days: Sequence[int]) -> Protection:
        """Keep each person's first days with events."""
        return cls("shorten", days, lambda x, n, trial: shorten(x, days=n), on_events=True, thread_safe=True)

    @classmethod
    def coarsen(cls, sides: Sequence[float]) -> Protection:
        """Use larger cells; sides in metres."""
        return cls("coarsen", sides, lambda x, side, trial: coarsen(x, side), on_events=True, thread_safe=True)

    @classmethod
    def hierarchy(cls, file: str | PathLike[str], levels: Sequence[str] | None = None) -> Protection:
        """Use coarser places: levels (columns) of a file whose first column is the place; all of them by default."""

        def apply(data: Any, level: str, trial: Trial) -> Any:
            return use_hierarchy(data, file, level)

        return cls("hierarchy", levels or hierarchy_levels(file), apply, thread_safe=True)

    @classmethod
    def keep(cls, places: Sequence[int]) -> Protection:
        """Keep only this many of the most popular places: those where most people were."""
        return cls("keep", places, lambda x, n, trial: _suppress(x, trial, keep=n), thread_safe=True)

    @classmethod
    def min_people(cls, people: Sequence[int]) -> Protection:
        """Keep only places with at least this many visitors."""
        return cls("min-people", people, lambda x, n, trial: _suppress(x, trial, min_people=n), thread_safe=True)

    @classmethod
    def noise(cls, epsilons: Sequence[float], *, max_total: int | None = None) -> Protection:
        """Add noise to every count, protecting one event; with ``max_total`` a person cut to that many events."""
        unit: NoiseUnit = "event" if max_total is None else "person"

        def apply(data: Any, epsilon: float, trial: Trial) -> Any:
            return add_noise(data, epsilon=epsilon, unit=unit, max_total=max_total, seed=trial.seed)

        return cls("noise", epsilons, apply, intruder_applies_it=False, thread_safe=True, adds_noise=True)

    @classmethod
    def microaggregate(cls, sizes: Sequence[int]) -> Protection:
        """Replace each person by the average of a group of at least this many people."""

        def apply(data: Any, k: int, trial: Trial) -> Any:
            return microaggregate(data, k, progress=False)

        return cls("microaggregate", sizes, apply, intruder_applies_it=False, thread_safe=True)


_one_at_a_time = Lock()


def apply_protection(protection: Protection, data: Any, strength: Any, trial: Trial) -> Any:
    """What the protection makes of the data; a function that knows nothing of threads meets only one at a time."""
    if protection.thread_safe:
        return protection.apply(data, strength, trial)
    with _one_at_a_time:
        return protection.apply(data, strength, trial)


def use_hierarchy(data: Any, file: str | PathLike[str], level: str | None) -> Any:
    """Coarsen by a hierarchy file; errors name the hierarchy."""
    try:
        return coarsen(data, file, level=level)
    except SingleoutError as error:
        raise error.within(function="hierarchy") from None


def _suppress(data: Any, trial: Trial, **options: Any) -> Any:
    # popularity as counted in the file that is written: what an intruder can see is which places are left there
    return suppress(data, popularity=[trial.released], **options)


def _takes_three(apply: Any) -> bool:
    try:
        inspect.signature(apply).bind(None, None, None)
    except (TypeError, ValueError) as error:
        # what is not written in Python may not tell its arguments
        return callable(apply) and isinstance(error, ValueError)
    return True
