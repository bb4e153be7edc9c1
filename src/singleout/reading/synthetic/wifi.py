"""Two weeks of synthetic Wi-Fi connections on a campus, in the shape of UN13's log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from singleout.ground.arrays import Floats, Integers
from singleout.ground.errors import bad_argument, is_number, is_whole
from singleout.reading.synthetic.calls import MONDAY, SyntheticLog, check_sizes, groups


@dataclass(frozen=True)
class Campus:
    """What decides how similar synthetic devices on a campus are; the values are those of calibrate_synthetic.py.

    Attributes
    ----------
    lectures, away
        Probability that a part of the day is a lecture, and that it is spent in a room of one's own choice.
    steady
        How much people differ in how closely they follow their timetable: the smaller, the more.
    hops, reach
        Probability that a connection goes to a neighbouring access point, and how far away that may be.
    """

    lectures: float = 0.5
    away: float = 0.05
    steady: float = 3.0
    hops: float = 0.45
    reach: int = 20


def synthetic_wifi(
    *, people: int = 1_500, access_points: int = 934, drift: float = 0.15, exits: int = 10, seed: int = 0
) -> SyntheticLog:
    """Two weeks of campus Wi-Fi connections: user, time, access point.

    In the shape of the data of Unnikrishnan and Naini 2013 (section IV-A).

    Each person has a timetable of rooms for every weekday, the same in both weeks except for ``drift``; in a room the
    device hops between its access points. A record says "connected at this time"; disconnecting is not recorded. The
    defaults are calibrated to the paper's Table I (benchmarks/calibrate_synthetic.py), except ``exits``.

    Parameters
    ----------
    people, access_points
        Sizes.
    drift
        0 to 1: how often people are elsewhere than their timetable says.
    exits
        Access points at the exits: everyone's last record of a day is at a random one of them. 0: it is in the room
        where the day ended.
    seed
        Seed for everything random; the same seed gives the same result.

    Returns
    -------
    SyntheticLog
        The log.

    Examples
    --------
    >>> import singleout as so
    >>> so.synthetic_wifi(people=30, access_points=50, seed=1)
    SyntheticLog(7,396 events, 50 places, synthetic)
    """
    check_sizes("synthetic_wifi", people=people, access_points=access_points)
    if not is_number(drift) or not 0 <= drift <= 1:
        raise bad_argument("synthetic_wifi", "drift", "between 0 and 1", drift)
    if not is_whole(exits) or exits < 0:
        raise bad_argument("synthetic_wifi", "exits", "a whole number of at least 0", exits)
    return wifi_of(Campus(), people=people, access_points=access_points, drift=drift, exits=exits, seed=seed)


def wifi_of(
    campus: Campus, *, people: int, access_points: int, drift: float, exits: int = 0, seed: int
) -> SyntheticLog:
    """``synthetic_wifi`` on another campus."""
    rng = np.random.default_rng(seed)
    building = rng.integers(0, max(1, access_points // 24), access_points)
    faculty = rng.integers(0, building.max() + 1, people)
    rooms = _timetables(faculty, building, campus, rng)
    # a few devices hop all day long: a heavy tail of access points a day (UN13: mean 11, median 8, largest 60)
    restless = rng.lognormal(0.4, 1.4, people)
    strays = _strays(drift, campus.steady, people, rng)
    # from a generator of their own, so that nothing else depends on them
    gates = np.random.default_rng((seed, EXITS))
    ways_out = gates.choice(access_points, min(exits, access_points), replace=False)
    columns = []
    for day in _workdays():
        leaving = gates.choice(ways_out, people) if exits else None
        columns.append(_wifi_day(rooms[:, day % 7], restless, strays, day, campus, leaving=leaving, rng=rng))
    user, time, place = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    place %= access_points
    order = np.lexsort((place, user, time))
    table = pa.table({"user": user[order], "time": time[order], "place": place[order]})
    return SyntheticLog(table, pa.table({"place": np.arange(access_points), "region": building.astype(np.int64)}))


SLOTS = 6
EXITS = 1
# arrivals and departures such that of 4,514 people as many are there from 9 and 10 to 17 h as in UN13's Table I
THERE, COMES, GOES = 0.9, (8.55, 1.17), (18.1, 1.0)


def _workdays() -> list[int]:
    return [7 * week + day for week in range(2) for day in range(5)]


def _strays(drift: float, steady: float, people: int, rng: np.random.Generator) -> Floats:
    """How often each person is elsewhere than the timetable says: ``drift`` on average."""
    if drift in (0, 1):
        return np.full(people, float(drift))
    return rng.beta(steady * drift, steady * (1 - drift), people)


def _timetables(faculty: Integers, building: Integers, campus: Campus, rng: np.random.Generator) -> Integers:
    """A room for each person, weekday and part of the day: mostly in their own building, many share lectures."""
    rooms = rng.integers(0, len(building), (len(faculty), 5, SLOTS))
    kept = rng.random(rooms.shape) >= campus.away
    attends = rng.random(rooms.shape) < campus.lectures
    for house, members in groups(np.sort(faculty), np.argsort(faculty, kind="stable")):
        inside = np.flatnonzero(building == house)
        inside = inside if inside.size else np.arange(len(building))
        own = rng.choice(inside, (len(members), 1, 1))
        lecture = rng.choice(inside, (1, 5, SLOTS))
        timetable = np.where(attends[members], lecture, own)
        rooms[members] = np.where(kept[members], timetable, rooms[members])
    return rooms


def _wifi_day(
    rooms: Integers,
    restless: Floats,
    strays: Floats,
    day: int,
    campus: Campus,
    *,
    leaving: Integers | None,
    rng: np.random.Generator,
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
    place = np.concatenate([place, today[:, 0], today[:, -1] if leaving is None else leaving])
    kept = there[person]
    time = MONDAY + day * 86_400 + start[kept].astype(np.int64)
    return person[kept].astype(np.int64), time, place[kept].astype(np.int64)
