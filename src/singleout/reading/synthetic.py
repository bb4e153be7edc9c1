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


@dataclass(frozen=True)
class Habits:
    """What decides how alike made-up callers are; the values are those that calibrate_synthetic.py settled on.

    Attributes
    ----------
    routines
        How many routines (home, work, market, ...) the people of one home antenna share between them.
    own
        How far a person strays from their routine, in both weeks alike: variance of the share of an antenna.
    crowding
        How unequal antennas are: standard deviation of the logarithm of their popularity.
    end
        Chance that a routine ends with each antenna.
    """

    routines: int = 6
    own: float = 0.25
    crowding: float = 0.25
    end: float = 0.07


def synthetic_calls(
    *,
    people: int = 46_986,
    antennas: int = 1_237,
    regions: int = 237,
    calls: float = 101.2,
    drift: float = 0.15,
    seed: int = 0,
) -> SyntheticLog:
    """Two weeks of call records in the shape of N16's Ivory Coast data (IV-A): user, time, antenna.

    A third of the antennas stands in one city, the rest in towns. People call from a home antenna and from others
    near it (by gravity), in bursts, with a heavy tail in how much they call. Whoever lives at an antenna follows one
    of its few routines, each in their own way: so it is the crowd that hides people, as in the paper. The defaults are
    calibrated to the paper's accuracy at 1,000 and at 46,986 people (benchmarks/calibrate_synthetic.py).

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
    return calls_of(Habits(), people=people, antennas=antennas, regions=regions, calls=calls, drift=drift, seed=seed)


def calls_of(
    habits: Habits, *, people: int, antennas: int, regions: int, calls: float, drift: float, seed: int
) -> SyntheticLog:
    """``synthetic_calls`` of people with other habits."""
    rng = np.random.default_rng(seed)
    position, popularity = _country(antennas, habits.crowding, rng)
    home = rng.choice(antennas, people, p=popularity)
    gravity = _gravity(position, popularity)
    places, share = _routines(home, gravity, habits, rng)
    parts = []
    talkative = rng.lognormal(0, HEAVY_TAIL, people)
    volume = calls / DAILY_CALLS.sum() * talkative / talkative.mean()
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
HEAVY_TAIL = 1.35
CALLS_A_BURST = 1.5


def _routines(home: Numbers, gravity: Floats, habits: Habits, rng: np.random.Generator) -> tuple[Numbers, Floats]:
    """Each person's favourite antennas, home first, and the share of calls from each.

    The number of favourites is geometric: many routines have one or two, a few have many.
    """
    seat = np.repeat(np.arange(len(gravity)), habits.routines)
    places = np.concatenate([seat[:, None], _drawn_near(seat, gravity, FAVOURITES - 1, rng)], axis=1)
    number = np.minimum(rng.geometric(habits.end, len(seat)), FAVOURITES)
    decay = rng.uniform(0.5, 1.0, len(seat))
    share = decay[:, None] ** np.arange(FAVOURITES) * rng.gamma(2.0, 1.0, places.shape)
    share[np.arange(FAVOURITES)[None, :] >= number[:, None]] = 0
    mine = home * habits.routines + rng.integers(0, habits.routines, len(home))
    return places[mine], _shaken(share[mine], habits.own, rng)


def _shaken(share: Floats, variance: float, rng: np.random.Generator) -> Floats:
    """Shares, each times a random number about one; home never falls to nothing, so nobody is without a place."""
    if variance == 0:
        return np.asarray(share / share.sum(axis=1, keepdims=True))
    shaken = share * rng.gamma(1 / variance, variance, share.shape)
    shaken[:, 0] = np.maximum(shaken[:, 0], 1e-3)
    return np.asarray(shaken / shaken.sum(axis=1, keepdims=True))


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
    """Shares of one week: the habit, shaken; some habits, but not home, rest for a week."""
    rests = rng.random(share.shape) < drift / 2
    rests[:, 0] = False
    return _shaken(np.where(rests, 0.0, share), drift, rng)


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


@dataclass(frozen=True)
class Campus:
    """What decides how alike made-up devices on a campus are; the values are those of calibrate_synthetic.py.

    Attributes
    ----------
    lectures, away
        Chance of a part of the day to be a lecture, and to be spent in a room of one's own choice anywhere.
    steady
        How much people differ in how far they keep to their timetable: the smaller, the more.
    hops, reach
        Chance that a connection goes to a neighbouring access point, and how far off that may be.
    """

    lectures: float = 0.5
    away: float = 0.05
    steady: float = 3.0
    hops: float = 0.45
    reach: int = 20


def synthetic_wifi(
    *, people: int = 1_500, access_points: int = 934, drift: float = 0.15, seed: int = 0
) -> SyntheticLog:
    """Two weeks of campus Wi-Fi connections in the shape of UN13's (IV-A): user, time, access point.

    Each person has a timetable of rooms for every weekday, the same in both weeks but for ``drift``; in a room the
    device hops between its access points. A record says "connected at this time"; leaving is not recorded. The
    defaults are calibrated to the paper's Table I (benchmarks/calibrate_synthetic.py).
    """
    _check_sizes("synthetic_wifi", people=people, access_points=access_points)
    if not is_number(drift) or not 0 <= drift <= 1:
        raise bad_argument("synthetic_wifi", "drift", "between 0 and 1", drift)
    return wifi_of(Campus(), people=people, access_points=access_points, drift=drift, seed=seed)


def wifi_of(campus: Campus, *, people: int, access_points: int, drift: float, seed: int) -> SyntheticLog:
    """``synthetic_wifi`` on another campus."""
    rng = np.random.default_rng(seed)
    building = rng.integers(0, max(1, access_points // 24), access_points)
    faculty = rng.integers(0, building.max() + 1, people)
    rooms = _timetables(faculty, building, campus, rng)
    # a few devices hop all day long: a heavy tail of access points a day (UN13: mean 11, median 8, largest 60)
    restless = rng.lognormal(0.4, 1.4, people)
    strays = _strays(drift, campus.steady, people, rng)
    columns = [_wifi_day(rooms[:, day % 7], restless, strays, day, campus, rng) for day in _workdays()]
    user, time, place = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    place %= access_points
    order = np.lexsort((place, user, time))
    table = pa.table({"user": user[order], "time": time[order], "place": place[order]})
    return SyntheticLog(table, pa.table({"place": np.arange(access_points), "region": building.astype(np.int64)}))


SLOTS = 6
# when people come and go, so that of 4,514 as many are there from 9 and from 10 to 17 h as in UN13's Table I
THERE, COMES, GOES = 0.9, (8.55, 1.17), (18.1, 1.0)


def _workdays() -> list[int]:
    return [7 * week + day for week in range(2) for day in range(5)]


def _strays(drift: float, steady: float, people: int, rng: np.random.Generator) -> Floats:
    """How often each person is elsewhere than the timetable says: ``drift`` in the mean."""
    if drift in (0, 1):
        return np.full(people, float(drift))
    return rng.beta(steady * drift, steady * (1 - drift), people)


def _timetables(faculty: Numbers, building: Numbers, campus: Campus, rng: np.random.Generator) -> Numbers:
    """A room for each person, weekday and part of the day: mostly in the own building, lectures shared by many."""
    rooms = rng.integers(0, len(building), (len(faculty), 5, SLOTS))
    kept = rng.random(rooms.shape) >= campus.away
    attends = rng.random(rooms.shape) < campus.lectures
    for house, members in _groups(np.sort(faculty), np.argsort(faculty, kind="stable")):
        inside = np.flatnonzero(building == house)
        inside = inside if inside.size else np.arange(len(building))
        own = rng.choice(inside, (len(members), 1, 1))
        lecture = rng.choice(inside, (1, 5, SLOTS))
        timetable = np.where(attends[members], lecture, own)
        rooms[members] = np.where(kept[members], timetable, rooms[members])
    return rooms


def _wifi_day(
    rooms: Numbers, restless: Floats, strays: Floats, day: int, campus: Campus, rng: np.random.Generator
) -> tuple[Any, ...]:
    """Connections of one day: arrive, follow the timetable, hop between neighbouring access points, leave."""
    people = len(rooms)
    there = rng.random(people) < THERE
    arrives = rng.normal(*COMES, people).clip(6, 12) * 3_600
    leaves = rng.normal(*GOES, people).clip(13, 22) * 3_600
    elsewhere = rng.permuted(rooms, axis=0)
    today = np.where(rng.random(rooms.shape) < strays[:, None], elsewhere, rooms)
    hops = rng.geometric(1 / (1 + restless[:, None]), (people, SLOTS))
    person = np.repeat(np.arange(people), hops.sum(axis=1))
    slot = np.repeat(np.tile(np.arange(SLOTS), people), hops.ravel())
    start = arrives[person] + (leaves - arrives)[person] * (slot + rng.random(len(person))) / SLOTS
    hop = rng.integers(0, campus.reach, len(person)) * (rng.random(len(person)) < campus.hops)
    place = today[person, slot] + hop
    # the first and the last record of a day mark when the person came and went
    person = np.concatenate([person, np.arange(people), np.arange(people)])
    start = np.concatenate([start, arrives, leaves])
    place = np.concatenate([place, today[:, 0], today[:, -1]])
    kept = there[person]
    time = MONDAY + day * 86_400 + start[kept].astype(np.int64)
    return person[kept].astype(np.int64), time, place[kept].astype(np.int64)
