"""Seeded stand-ins for data that cannot be shared: calls of a country, and Wi-Fi logs of a campus.

They are made up. They have the sizes and the shapes that the papers print, nothing more, and whatever is
measured on them must be called synthetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from singleout.ground.errors import bad_argument, is_number, is_whole
from singleout.reading.events import Events, read_events

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

MONDAY = int(datetime(2012, 4, 9, tzinfo=UTC).timestamp())
# Calls per day of the two weeks against the usual 7.2 (N16 IV-A5: a holiday, then a day of 1.9 calls)
DAILY_CALLS = np.array([0.75, 0.26, 1.05, 1.05, 1.1, 1.1, 1.0, 1.05, 1.05, 1.05, 1.05, 1.1, 1.1, 1.0])
HOURLY_CALLS = np.array([1, 1, 1, 1, 1, 2, 4, 6, 7, 7, 7, 7, 7, 6, 6, 6, 7, 8, 9, 9, 8, 6, 4, 2], dtype=float)


@dataclass(frozen=True, eq=False)
class SyntheticLog:
    """A made-up event log (user, time, place) and its places with the region each lies in."""

    table: pa.Table
    places: pa.Table
    label: str = "synthetic"

    @property
    def events(self) -> Events:
        """The log as events, ready to split."""
        return read_events(self.table, user="user", time="time", place="place")

    def __repr__(self) -> str:
        return f"SyntheticLog({self.table.num_rows:,} events, {self.places.num_rows:,} places, made up)"


def synthetic_calls(
    *,
    people: int = 46_986,
    antennas: int = 1_237,
    regions: int = 237,
    calls: float = 101.2,
    drift: float = 0.2,
    seed: int = 0,
) -> SyntheticLog:
    """Two weeks of call records in the shape of N16's Ivory Coast data (IV-A): user, time, antenna.

    A third of the antennas stands in one city, the rest in towns. People call from a home antenna and from others
    near it (by gravity), in bursts, with a heavy tail in how much they call.

    Parameters
    ----------
    people, antennas, regions
        Sizes. ``regions`` are sub-prefectures; ``places`` of the result maps antennas to them.
    calls
        Mean calls of a person in the two weeks.
    drift
        0 to 1: how much a person's habits change from one week to the next.
    """
    _check_sizes("synthetic_calls", people=people, antennas=antennas, regions=regions)
    if not (is_number(drift) and is_number(calls)) or not 0 <= drift <= 1 or not calls > 0:
        raise bad_argument("synthetic_calls", "drift", "between 0 and 1, with calls above 0", (drift, calls))
    rng = np.random.default_rng(seed)
    position, popularity = _country(antennas, rng)
    home = rng.choice(antennas, people, p=popularity)
    gravity = _gravity(position, popularity)
    places, share = _habits(home, gravity, rng)
    parts = []
    volume = calls / 14 * rng.lognormal(-0.5 * HEAVY_TAIL**2, HEAVY_TAIL, people)
    for week in range(2):
        here, this_week = _with_one_offs(home, places, _drifted(share, drift, rng), gravity, rng)
        user, place = _bursts(here, this_week, volume * DAILY_CALLS[7 * week : 7 * week + 7].sum(), rng)
        parts.append((user, _call_times(week, len(user), rng), place))
    user, time, place = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.lexsort((place, user, time))
    table = pa.table({"user": user[order], "time": time[order], "place": place[order]})
    return SyntheticLog(table, _regions_of(position, regions, rng))


def _check_sizes(function: str, **sizes: int) -> None:
    for name, size in sizes.items():
        if not is_whole(size) or size < 1:
            raise bad_argument(function, name, "a whole number of at least 1", size)


def _country(antennas: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Positions in kilometres and popularity: a third in a dense city, the rest in towns of Zipf sizes."""
    in_city = antennas // 3
    towns = max(1, antennas // 12)
    centre = rng.uniform(0, 600, (towns, 2))
    size = 1 / np.arange(1, towns + 1) ** 0.8
    town = rng.choice(towns, antennas - in_city, p=size / size.sum())
    city = np.array([300.0, 60.0]) + rng.normal(0, 6, (in_city, 2))
    position = np.concatenate([city, centre[town] + rng.normal(0, 3, (antennas - in_city, 2))])
    popularity = rng.lognormal(0, 0.6, antennas)
    return position, popularity / popularity.sum()


FAVOURITES = 30
FEW_FAVOURITES = 0.08
ONE_OFFS, ONE_OFF_SHARE = 12, 0.03
NEAR_KM = 4.0
FAR_SHARE = 1e-4
HEAVY_TAIL = 1.35
CALLS_A_BURST = 1.5


def _habits(home: Numbers, gravity: Floats, rng: np.random.Generator) -> tuple[Numbers, Floats]:
    """Each person's favourite antennas, home first, and the share of calls from each.

    The number of favourites is geometric: many people have one or two, a few have many.
    """
    people = len(home)
    places = np.concatenate([home[:, None], _drawn_near(home, gravity, FAVOURITES - 1, rng)], axis=1)
    number = np.minimum(rng.geometric(FEW_FAVOURITES, people), FAVOURITES)
    decay = rng.uniform(0.5, 1.0, people)
    share = decay[:, None] ** np.arange(FAVOURITES) * rng.gamma(2.0, 1.0, (people, FAVOURITES))
    share[np.arange(FAVOURITES)[None, :] >= number[:, None]] = 0
    return places, share / share.sum(axis=1, keepdims=True)


def _drawn_near(home: Numbers, gravity: Floats, number: int, rng: np.random.Generator) -> Numbers:
    """For each person ``number`` antennas, drawn by their pull from home."""
    lots = rng.random((len(home), number))
    drawn = np.empty((len(home), number), dtype=np.int64)
    order = np.argsort(home, kind="stable")
    for antenna, group in _groups(home[order], order):
        drawn[group] = np.searchsorted(gravity[antenna], lots[group] * gravity[antenna][-1])
    return np.minimum(drawn, len(gravity) - 1)


def _with_one_offs(
    home: Numbers, places: Numbers, share: Floats, gravity: Floats, rng: np.random.Generator
) -> tuple[Numbers, Floats]:
    """Places seen in this week only, for a small share of the calls."""
    rare = np.full((len(home), ONE_OFFS), ONE_OFF_SHARE / ONE_OFFS)
    here = np.concatenate([places, _drawn_near(home, gravity, ONE_OFFS, rng)], axis=1)
    return here, np.concatenate([share * (1 - ONE_OFF_SHARE), rare], axis=1)


def _gravity(position: Floats, popularity: Floats) -> Floats:
    """Cumulative pull of all antennas from each: popular and near; one in a few trips goes far."""
    squared = ((position[:, None, :] - position[None, :, :]) ** 2).sum(axis=2)
    pull = popularity[None, :] * (1 / (NEAR_KM**2 + squared) + FAR_SHARE)
    if len(position) > 1:
        np.fill_diagonal(pull, 0.0)  # home is a favourite already
    return np.asarray(np.cumsum(pull, axis=1))


def _groups(ordered: Numbers, order: NDArray[np.intp]) -> list[tuple[int, NDArray[np.intp]]]:
    """Positions of each value of a sorted array."""
    values, start = np.unique(ordered, return_index=True)
    return list(zip(values.tolist(), np.split(order, start[1:]), strict=True))


def _drifted(share: Floats, drift: float, rng: np.random.Generator) -> Floats:
    """Shares of one week: the habit, shaken; some habits rest for a week."""
    if drift == 0:
        return share
    shaken = share * rng.gamma(1 / drift, drift, share.shape)
    shaken[:, 1:][rng.random((len(share), share.shape[1] - 1)) < drift / 2] = 0
    # the home antenna never rests, so nobody is left without a place
    shaken[:, 0] = np.maximum(shaken[:, 0], 1e-3)
    return np.asarray(shaken / shaken.sum(axis=1, keepdims=True))


def _bursts(places: Numbers, share: Floats, volume: Floats, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Calls come in bursts from one place; everyone calls at least once."""
    bursts = np.maximum(1, rng.poisson(volume / CALLS_A_BURST))
    person = np.repeat(np.arange(len(volume)), bursts)
    edges = np.cumsum(share, axis=1)
    edges[:, -1] = 1.0
    flat = (edges + np.arange(len(volume))[:, None]).ravel()
    slot = np.searchsorted(flat, person + rng.random(len(person)), side="right")
    length = rng.geometric(1 / CALLS_A_BURST, len(person))
    return np.repeat(person, length), np.repeat(places.ravel()[np.minimum(slot, flat.size - 1)], length)


def _call_times(week: int, number: int, rng: np.random.Generator) -> Numbers:
    weights = DAILY_CALLS[7 * week : 7 * week + 7]
    day = rng.choice(7, number, p=weights / weights.sum()) + 7 * week
    hour = rng.choice(24, number, p=HOURLY_CALLS / HOURLY_CALLS.sum())
    return (MONDAY + day * 86_400 + hour * 3_600 + rng.integers(0, 3_600, number)).astype(np.int64)


def _regions_of(position: Floats, regions: int, rng: np.random.Generator) -> pa.Table:
    """The region of each antenna: that of the nearest of ``regions`` antennas, spread over the country."""
    seats = rng.choice(len(position), min(regions, len(position)), replace=False, p=_thinned(position))
    nearest = ((position[:, None, :] - position[seats][None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
    return pa.table({"place": np.arange(len(position)), "region": nearest.astype(np.int64)})


def _thinned(position: Floats) -> Floats:
    """Few seats where antennas are dense: a city is one place on a map of regions."""
    crowd = (((position[:, None, :] - position[None, :, :]) ** 2).sum(axis=2) < 15**2).sum(axis=1)
    return np.asarray((1 / crowd) / (1 / crowd).sum())


def synthetic_wifi(
    *, people: int = 1_500, access_points: int = 934, drift: float = 0.25, seed: int = 0
) -> SyntheticLog:
    """Two weeks of campus Wi-Fi connections in the shape of UN13's (IV-A): user, time, access point.

    Each person has a timetable of rooms for every weekday, the same in both weeks but for ``drift``; in a room the
    device hops between its access points. A record says "connected at this time"; leaving is not recorded.
    """
    _check_sizes("synthetic_wifi", people=people, access_points=access_points)
    if not is_number(drift) or not 0 <= drift <= 1:
        raise bad_argument("synthetic_wifi", "drift", "between 0 and 1", drift)
    rng = np.random.default_rng(seed)
    building = rng.integers(0, max(1, access_points // 24), access_points)
    faculty = rng.integers(0, building.max() + 1, people)
    rooms = _timetables(faculty, building, rng)
    # a few devices hop all day long: a heavy tail of access points a day (UN13: mean 11, median 8, largest 60)
    restless = rng.lognormal(0.1, 1.1, people)
    columns = [_wifi_day(rooms[:, day % 7], restless, day, drift, access_points, rng) for day in _workdays()]
    user, time, place = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    order = np.lexsort((place, user, time))
    table = pa.table({"user": user[order], "time": time[order], "place": place[order]})
    return SyntheticLog(table, pa.table({"place": np.arange(access_points), "region": building.astype(np.int64)}))


SLOTS = 6


def _workdays() -> list[int]:
    return [7 * week + day for week in range(2) for day in range(5)]


def _timetables(faculty: Numbers, building: Numbers, rng: np.random.Generator) -> Numbers:
    """A room for each person, weekday and part of the day: mostly in the own building, courses shared by many."""
    people = len(faculty)
    course = rng.random((people, 5, SLOTS)) < 0.5
    rooms = rng.integers(0, len(building), (people, 5, SLOTS))
    for house, members in _groups(np.sort(faculty), np.argsort(faculty, kind="stable")):
        inside = np.flatnonzero(building == house)
        inside = inside if inside.size else np.arange(len(building))
        own = rng.choice(inside, (len(members), 1, 1))
        lecture = rng.choice(inside, (1, 5, SLOTS)) * np.ones((len(members), 1, 1), dtype=np.int64)
        away = rng.random((len(members), 5, SLOTS)) < 0.2
        rooms[members] = np.where(away, rooms[members], np.where(course[members], lecture, own))
    return rooms


def _wifi_day(
    rooms: Numbers, restless: Floats, day: int, drift: float, points: int, rng: np.random.Generator
) -> tuple[Any, ...]:
    """Connections of one day: arrive, follow the timetable, hop between neighbouring access points, leave."""
    people = len(rooms)
    there = rng.random(people) < 0.9
    arrives = rng.normal(8.9, 0.7, people).clip(6, 12) * 3_600
    leaves = rng.normal(17.6, 1.0, people).clip(13, 22) * 3_600
    today = np.where(rng.random(rooms.shape) < drift, rng.integers(0, points, rooms.shape), rooms)
    hops = rng.geometric(1 / (1 + restless[:, None]), (people, SLOTS))
    person = np.repeat(np.arange(people), hops.sum(axis=1))
    slot = np.repeat(np.tile(np.arange(SLOTS), people), hops.ravel())
    start = arrives[person] + (leaves - arrives)[person] * (slot + rng.random(len(person))) / SLOTS
    place = (today[person, slot] + rng.integers(0, 6, len(person)) * (rng.random(len(person)) < 0.5)) % points
    # the first and the last record of a day mark when the person came and went
    person = np.concatenate([person, np.arange(people), np.arange(people)])
    start = np.concatenate([start, arrives, leaves])
    place = np.concatenate([place, today[:, 0], today[:, -1]])
    kept = there[person]
    time = MONDAY + day * 86_400 + start[kept].astype(np.int64)
    return person[kept].astype(np.int64), time, place[kept].astype(np.int64)
