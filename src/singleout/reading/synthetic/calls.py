"""Synthetic data in place of data that cannot be shared: the calls of a country (a campus is in wifi.py).

It has the sizes and the shapes that the papers report, nothing more. Every result measured on it must be called
synthetic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.arrays import Floats, Integers
from singleout.ground.errors import bad_argument, is_number, is_whole, unknown_name
from singleout.ground.names import CallPreset
from singleout.ground.notebooks import Described
from singleout.reading.events import Events, read_events

MONDAY = int(datetime(2012, 4, 9, tzinfo=UTC).timestamp())
# Calls per day of the two weeks against the usual 7.2 (N16 IV-A5: a holiday, then a day of 1.9 calls)
DAILY_CALLS = np.array([0.75, 0.26, 1.05, 1.05, 1.1, 1.1, 1.0, 1.05, 1.05, 1.05, 1.05, 1.1, 1.1, 1.0])
HOURLY_CALLS = np.array([1, 1, 1, 1, 1, 2, 4, 6, 7, 7, 7, 7, 7, 6, 6, 6, 7, 8, 9, 9, 8, 6, 4, 2], dtype=float)


@dataclass(frozen=True, eq=False)
class SyntheticLog(Described):
    """A synthetic event log (user, time, place) and the region of each place.

    Examples
    --------
    >>> import singleout as so
    >>> log = so.synthetic_calls(people=50, seed=1)
    >>> log.table.column_names
    ['user', 'time', 'place']
    """

    table: pa.Table
    places: pa.Table
    label: str = "synthetic"

    @property
    def events(self) -> Events:
        """The log as events, ready to split."""
        return read_events(self.table, user="user", time="time", place="place")

    def facts(self) -> dict[str, object]:
        """Sizes."""
        return {"events": self.table.num_rows, "places": self.places.num_rows, "label": self.label}

    def __repr__(self) -> str:
        return f"SyntheticLog({self.table.num_rows:,} events, {self.places.num_rows:,} places, synthetic)"


@dataclass(frozen=True)
class Habits:
    """What decides how similar synthetic callers are, and how much they call.

    Attributes
    ----------
    routines
        How many routines (home, work, market, ...) the people of one home antenna share between them.
    own
        How far a person strays from their routine, the same way in both weeks: variance of the share of an antenna.
    crowding
        How unequal antennas are: standard deviation of the logarithm of their popularity.
    end
        Probability that a routine ends at each antenna.
    drift
        0 to 1: how much a person's habits change from one week to the next.
    spread
        How unequal people are in how much they call: standard deviation of the logarithm.
    uneven
        How much a person's calls vary from day to day: variance of a day's volume around its mean. 0: by chance only.
    """

    routines: int = 14
    own: float = 0.25
    crowding: float = 0.25
    end: float = 0.1
    drift: float = 0.575
    spread: float = 0.8
    uneven: float = 0.6


HEAVY_TAIL: CallPreset = "heavy-tail"
PRESETS: dict[CallPreset, Habits] = {
    "calibrated": Habits(),
    HEAVY_TAIL: Habits(routines=6, own=0.25, crowding=0.25, end=0.07, drift=0.15, spread=1.35, uneven=0.0),
}


def synthetic_calls(
    *,
    people: int = 46_986,
    antennas: int = 1_237,
    regions: int = 237,
    calls: float = 101.2,
    drift: float | None = None,
    preset: CallPreset = "calibrated",
    seed: int = 0,
) -> SyntheticLog:
    """Two weeks of call records: user, time, antenna.

    In the shape of the Ivory Coast data of Naini 2016 (section IV-A).

    A third of the antennas are in one city, the rest in towns. People call from a home antenna and from others
    near it (by gravity), in bursts, on some days much more than on others. Everyone who lives at an antenna follows one
    of its few routines, each in their own way: so people are hidden by the crowd, as in the paper. What was fitted
    to the paper, and what was not, is listed in docs/methods/synthetic-data.md.

    Parameters
    ----------
    people, antennas, regions
        Sizes. ``regions`` are sub-prefectures; ``places`` of the result maps antennas to them.
    calls
        Average number of calls per person in the two weeks.
    drift
        0 to 1: how much a person's habits change from one week to the next. None: as in the preset.
    preset
        ``"calibrated"``, or ``"heavy-tail"``: people differ far more in how much they call, and not from week to week,
        as before the calibration was revised. The benchmarks use it so that their figures stay comparable.
    seed
        Seed for everything random; the same seed gives the same result.

    Returns
    -------
    SyntheticLog
        The log, and the region of each antenna.

    Examples
    --------
    >>> import singleout as so
    >>> so.synthetic_calls(people=100, seed=1)
    SyntheticLog(9,053 events, 1,237 places, synthetic)
    """
    check_sizes("synthetic_calls", people=people, antennas=antennas, regions=regions)
    if preset not in PRESETS:
        raise unknown_name("synthetic_calls", "preset", str(preset), PRESETS)
    habits = PRESETS[preset] if drift is None else replace(PRESETS[preset], drift=drift)
    if not (is_number(habits.drift) and is_number(calls)) or not 0 <= habits.drift <= 1 or not calls > 0:
        raise bad_argument("synthetic_calls", "drift", "between 0 and 1, with calls above 0", (drift, calls))
    return calls_of(habits, people=people, antennas=antennas, regions=regions, calls=calls, seed=seed)


def calls_of(habits: Habits, *, people: int, antennas: int, regions: int, calls: float, seed: int) -> SyntheticLog:
    """``synthetic_calls`` of people with other habits."""
    rng = np.random.default_rng(seed)
    position, popularity = _country(antennas, habits.crowding, rng)
    home = rng.choice(antennas, people, p=popularity)
    gravity = _gravity(position, popularity)
    places, share = _routines(home, gravity, habits, rng)
    calls_of_week = _volumes(habits, people, calls, rng)
    parts = []
    for week in range(2):
        here, this_week = _add_one_offs(home, places, _drift(share, habits.drift, rng), gravity, rng)
        parts.append(calls_of_week(week, here, this_week, rng))
    user, time, place = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.lexsort((place, user, time))
    table = pa.table({"user": user[order], "time": time[order], "place": place[order]})
    return SyntheticLog(table, _regions_of(position, regions, rng))


def check_sizes(function: str, **sizes: int) -> None:
    for name, size in sizes.items():
        if not is_whole(size) or size < 1:
            raise bad_argument(function, name, "a whole number of at least 1", size)


def _country(antennas: int, crowding: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Positions in kilometres and popularity: a third in a dense city, the rest in towns of Zipf sizes.

    A few antennas serve nobody.
    """
    in_city = antennas // 3
    towns = max(1, antennas // 12)
    centre = rng.uniform(0, 600, (towns, 2))
    size = 1 / np.arange(1, towns + 1) ** 0.8
    town = rng.choice(towns, antennas - in_city, p=size / size.sum())
    city = np.array([300.0, 60.0]) + rng.normal(0, 6, (in_city, 2))
    position = np.concatenate([city, centre[town] + rng.normal(0, 3, (antennas - in_city, 2))])
    popularity = rng.lognormal(0, crowding, antennas)
    popularity[rng.choice(antennas, int(antennas * UNUSED), replace=False)] = 0
    return position, popularity / popularity.sum()


UNUSED = 26 / 1_237  # of the country's antennas N16's people connected to 1,211
FAVOURITES = 30
ONE_OFFS, ONE_OFF_SHARE = 12, 0.03
NEAR_KM = 4.0
FAR_SHARE = 1e-4
CALLS_A_BURST = 1.5


def _routines(home: Integers, gravity: Floats, habits: Habits, rng: np.random.Generator) -> tuple[Integers, Floats]:
    """Each person's favourite antennas, home first, and the share of calls from each.

    The number of favourites is geometric: many routines have one or two, a few have many.
    """
    seat = np.repeat(np.arange(len(gravity)), habits.routines)
    places = np.concatenate([seat[:, None], _draw_near(seat, gravity, FAVOURITES - 1, rng)], axis=1)
    number = np.minimum(rng.geometric(habits.end, len(seat)), FAVOURITES)
    decay = rng.uniform(0.5, 1.0, len(seat))
    share = decay[:, None] ** np.arange(FAVOURITES) * rng.gamma(2.0, 1.0, places.shape)
    share[np.arange(FAVOURITES)[None, :] >= number[:, None]] = 0
    mine = home * habits.routines + rng.integers(0, habits.routines, len(home))
    return places[mine], _vary(share[mine], habits.own, rng)


def _vary(share: Floats, variance: float, rng: np.random.Generator) -> Floats:
    """Shares, each multiplied by a random number around one; home keeps a share, so nobody is without a place."""
    if variance == 0:
        return np.asarray(share / share.sum(axis=1, keepdims=True))
    varied = share * rng.gamma(1 / variance, variance, share.shape)
    varied[:, 0] = np.maximum(varied[:, 0], 1e-3)
    return np.asarray(varied / varied.sum(axis=1, keepdims=True))


def _draw_near(home: Integers, gravity: Floats, number: int, rng: np.random.Generator) -> Integers:
    """Draw ``number`` antennas for each person, weighted by their pull from home."""
    draws = rng.random((len(home), number))
    drawn = np.empty((len(home), number), dtype=np.int64)
    order = np.argsort(home, kind="stable")
    for antenna, group in groups(home[order], order):
        drawn[group] = np.searchsorted(gravity[antenna], draws[group] * gravity[antenna][-1])
    return np.minimum(drawn, len(gravity) - 1)


def _add_one_offs(
    home: Integers, places: Integers, share: Floats, gravity: Floats, rng: np.random.Generator
) -> tuple[Integers, Floats]:
    """Places seen in this week only, for a small share of the calls."""
    rare = np.full((len(home), ONE_OFFS), ONE_OFF_SHARE / ONE_OFFS)
    here = np.concatenate([places, _draw_near(home, gravity, ONE_OFFS, rng)], axis=1)
    return here, np.concatenate([share * (1 - ONE_OFF_SHARE), rare], axis=1)


def _gravity(position: Floats, popularity: Floats) -> Floats:
    """Cumulative pull of all antennas from each: popular and near ones pull most; some trips go far."""
    squared = ((position[:, None, :] - position[None, :, :]) ** 2).sum(axis=2)
    pull = popularity[None, :] * (1 / (NEAR_KM**2 + squared) + FAR_SHARE)
    if len(position) > 1:
        np.fill_diagonal(pull, 0.0)  # home is a favourite already
    return np.asarray(np.cumsum(pull, axis=1))


def groups(ordered: Integers, order: NDArray[np.intp]) -> list[tuple[int, NDArray[np.intp]]]:
    """Positions of each value of a sorted array."""
    values, start = np.unique(ordered, return_index=True)
    return list(zip(values.tolist(), np.split(order, start[1:]), strict=True))


def _drift(share: Floats, drift: float, rng: np.random.Generator) -> Floats:
    """Shares of one week: the habit with random variation; some habits, but not home, pause for a week."""
    rests = rng.random(share.shape) < drift / 2
    rests[:, 0] = False
    return _vary(np.where(rests, 0.0, share), drift, rng)


Calls = tuple[Integers, Integers, Integers]
"""Who called, when, and from where."""


def _volumes(
    habits: Habits, people: int, calls: float, rng: np.random.Generator
) -> Callable[[int, Integers, Floats, np.random.Generator], Calls]:
    """How much everyone calls: a function from the places and shares of a week to its calls."""
    if habits.uneven == 0:
        talkative = rng.lognormal(0, habits.spread, people)
        return partial(_steady_week, calls / DAILY_CALLS.sum() * talkative / talkative.mean())
    return partial(_uneven_week, _bursts_by_day(habits, people, calls, rng))


def _steady_week(volume: Floats, week: int, places: Integers, share: Floats, rng: np.random.Generator) -> Calls:
    """Days differ by random variation only; everyone calls at least once."""
    weights = DAILY_CALLS[7 * week : 7 * week + 7]
    bursts = np.maximum(1, rng.poisson(volume * weights.sum() / CALLS_A_BURST))
    person = np.repeat(np.arange(len(volume)), bursts)
    place, length = _from_places(person, places, share, rng)
    user = np.repeat(person, length)
    day = rng.choice(7, len(user), p=weights / weights.sum())
    return user, _moments(7 * week + day, rng), np.repeat(place, length)


def _uneven_week(bursts: Integers, week: int, places: Integers, share: Floats, rng: np.random.Generator) -> Calls:
    """As many bursts on each day as were drawn."""
    number = bursts[:, 7 * week : 7 * week + 7]
    person = np.repeat(np.arange(len(bursts)), number.sum(axis=1))
    day = np.repeat(np.tile(np.arange(7), len(bursts)), number.ravel())
    place, length = _from_places(person, places, share, rng)
    time = _moments(7 * week + np.repeat(day, length), rng)
    return np.repeat(person, length), time, np.repeat(place, length)


def _bursts_by_day(habits: Habits, people: int, calls: float, rng: np.random.Generator) -> Integers:
    """Bursts of each person on each of the 14 days.

    N16 leaves out people without a call in one of the weeks; here another person is drawn in their place.
    """
    bursts = np.zeros((people, len(DAILY_CALLS)), dtype=np.int64)
    silent = np.arange(people)
    for _ in range(REDRAWN):
        volume = rng.lognormal(-(habits.spread**2) / 2, habits.spread, len(silent))
        by_day = DAILY_CALLS * rng.gamma(1 / habits.uneven, habits.uneven, (len(silent), len(DAILY_CALLS)))
        bursts[silent] = rng.poisson(calls / DAILY_CALLS.sum() / CALLS_A_BURST * volume[:, None] * by_day)
        by_week = bursts[silent].reshape(len(silent), 2, 7).sum(axis=2)
        silent = silent[(by_week == 0).any(axis=1)]
    # where hardly anybody calls at all, the remaining people call once a week
    bursts[silent[:, None], [0, 7]] = 1
    return bursts


REDRAWN = 50


def _from_places(
    person: Integers, places: Integers, share: Floats, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Where each burst comes from, and how many calls it has."""
    edges = np.cumsum(share, axis=1)
    edges[:, -1] = 1.0
    flat = (edges + np.arange(len(places))[:, None]).ravel()
    slot = np.searchsorted(flat, person + rng.random(len(person)), side="right")
    length = rng.geometric(1 / CALLS_A_BURST, len(person))
    return places.ravel()[np.minimum(slot, flat.size - 1)], length


def _moments(day: Integers, rng: np.random.Generator) -> Integers:
    hour = rng.choice(24, len(day), p=HOURLY_CALLS / HOURLY_CALLS.sum())
    return (MONDAY + day * 86_400 + hour * 3_600 + rng.integers(0, 3_600, len(day))).astype(np.int64)


def _regions_of(position: Floats, regions: int, rng: np.random.Generator) -> pa.Table:
    """The region of each antenna: that of the nearest of ``regions`` antennas, spread over the country."""
    seats = rng.choice(len(position), min(regions, len(position)), replace=False, p=_seat_probabilities(position))
    nearest = ((position[:, None, :] - position[seats][None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
    return pa.table({"place": np.arange(len(position)), "region": nearest.astype(np.int64)})


def _seat_probabilities(position: Floats) -> Floats:
    """Few seats where antennas are dense: a city is one place on a map of regions."""
    crowd = (((position[:, None, :] - position[None, :, :]) ** 2).sum(axis=2) < 15**2).sum(axis=1)
    return np.asarray((1 / crowd) / (1 / crowd).sum())
