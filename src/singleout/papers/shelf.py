"""The data sets that the papers' experiments run on: real ones from a folder, made-up ones otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import singleout as so
from singleout.papers.result import SAME, STAND_IN, SYNTHETIC, Data
from singleout.papers.traces import Traces
from singleout.reading.events import Events
from singleout.reading.times import DAY, SECOND, WEEKDAYS

Sides = tuple[so.Histograms, so.Histograms]

PRINTED = Data("printed in the paper", SAME, "the paper's worked example")
CALLS = Data("made-up calls", SYNTHETIC, "D4D calls of Ivory Coast, 46,986 people")
WIFI = Data("made-up Wi-Fi", SYNTHETIC, "Wi-Fi log of the EPFL campus")
GEOLIFE = Data(
    "GeoLife",
    SAME,
    "GeoLife GPS Trajectories",
    "geolife/points_full_e5.parquet",
    "GeoLife 1.3 from Microsoft Research, made by: singleout convert geolife",
)
WEB = Data(
    "web_proxy",
    STAND_IN,
    "Web History Repository, 121 people",
    "web_proxy_150users/visits.parquet",
    "web visits of 150 users (Kahn, Loiseau, Raynaud 2016), as Parquet: user, time, place",
)
PHONES = "Device Analyzer, cell towers of 1,500 phones for 430 days"
CHECKINS = Data(
    "foursquare_nyc",
    STAND_IN,
    PHONES,
    "foursquare_nyc/checkins.parquet",
    "Foursquare check-ins of New York (Yang, Zhang, Zheng, Yu 2015), as Parquet: user, time, place",
)
BROWSING = Data(WEB.name, STAND_IN, PHONES, WEB.file, WEB.get)

CENSUS = Data(
    "ACS 2024",
    STAND_IN,
    "ACS household file, about 1,040,000 records of 75 attributes",
    "acs2024_householder/acs2024_householder_49states.parquet",
    "public-use files of the American Community Survey 2024, made by: singleout convert census",
)
SITES = Data("made-up sites", SYNTHETIC, "ACS records and a purchased list; Twitter and Facebook profiles")
RECORDS = Data("made-up records", SYNTHETIC, "a synthetic file of 500 records and 10 attributes")

CALLERS, QUICK_CALLERS = 46_986, 2_000
# about as many of them stay the whole window as in UN13's Table I
DEVICES, QUICK_DEVICES = 4_514, 1_500
PROFILES = 1_600
KNOWN_TO_RELEASED = 12.5
QUICK_WALKERS = 500
WEEKS = ("2012-04-09", "2012-04-16", "2012-04-23")
BEIJING = (39.906, 116.391, 39_000.0)
NOT_RELEASED = ("SERIALNO", "WGTP", "PWGTP", "TYPEHUGQ")
CORE = ("STATE", "REGION", "PUMA", "BLD")
"""State, region, area and type of home (R12 V-A)."""
QUICK_PAIRS = 50
# the start of weeks that leaves the paper's 154 people
WEEK_START = "tuesday"
HALVINGS = tuple(product(WEEKDAYS, (False, True)))


@dataclass(frozen=True, eq=False)
class Shelf:
    """What is at hand: a folder of real data sets or None, and made-up people.

    ``quick``: fewer made-up people and draws, and of large logs only some people. ``made_up``: at most so many of them.
    """

    folder: Path | None = None
    quick: bool = False
    made_up: int | None = None
    seed: int = 0
    _cells: dict[float, Events] = field(default_factory=dict, repr=False)
    _halves: dict[tuple[float, str, bool], Sides] = field(default_factory=dict, repr=False)
    _sites: dict[tuple[int, int], so.ProfileSites] = field(default_factory=dict, repr=False)
    _traces: dict[Data, Traces] = field(default_factory=dict, repr=False)

    def has(self, data: Data) -> bool:
        """Whether a data set is at hand; made-up ones always are."""
        return data.file is None or (self.folder is not None and (self.folder / data.file).is_file())

    def file(self, data: Data) -> Path:
        """Where a data set lies."""
        assert self.folder is not None
        assert data.file is not None
        return self.folder / data.file

    @cached_property
    def call_log(self) -> so.SyntheticLog:
        """Two weeks of made-up calls."""
        return so.synthetic_calls(people=self._people(CALLERS, QUICK_CALLERS), seed=self.seed)

    def _people(self, many: int, few: int) -> int:
        people = few if self.quick else many
        return people if self.made_up is None else min(people, self.made_up)

    @cached_property
    def call_weeks(self) -> tuple[Events, Events]:
        """The calls of the first week, and of the second."""
        return so.split(self.call_log.events, by="dates", dates=WEEKS)

    @cached_property
    def calls(self) -> Sides:
        """Calls by antenna in each week, of people active in both (N16 IV-A1)."""
        first, second = self.call_weeks
        return active(so.histograms(first), so.histograms(second))

    @cached_property
    def wifi_weeks(self) -> tuple[Events, Events]:
        """Made-up connections to access points in the first week, and in the second."""
        log = so.synthetic_wifi(people=self._people(DEVICES, QUICK_DEVICES), seed=self.seed)
        return so.split(log.events, by="dates", dates=WEEKS)

    @cached_property
    def web(self) -> Sides:
        """Visits by site in the two weeks with most active people (N16 IV-B1)."""
        events = so.read_events(self.file(WEB), user="user", time="time", place="place")
        first, second = so.split(events, by="weeks")
        return so.histograms(first), so.histograms(second)

    def traces(self, data: Data) -> Traces:
        """Visits one after another, for M18; of a large log some people by lot if it must be quick."""
        if data not in self._traces:
            visits = pq.read_table(self.file(data), columns=["user", "time", "place"])
            people = np.unique(visits["user"].to_numpy())
            if self.quick and len(people) > QUICK_WALKERS:
                chosen = np.random.default_rng(self.seed).choice(people, QUICK_WALKERS, replace=False)
                visits = visits.filter(pc.is_in(visits["user"], pa.array(chosen)))
            events = so.read_events(visits, user="user", time="time", place="place")
            self._traces[data] = Traces(events, self.quick, self.seed)
        return self._traces[data]

    def geolife_days(self, side: float) -> Events:
        """GPS points counted by person, cell and day (UTC), within Beijing's 5th ring road (N16 IV-C1).

        Weeks start at midnight, so days are as good as points for every split into weeks, and far fewer.
        """
        if side not in self._cells:
            self._cells[side] = self._geolife_counted(side, f"moment // {DAY} * 86400")
        return self._cells[side]

    @cached_property
    def geolife_minutes(self) -> Events:
        """GPS points counted by person, cell of 1000 m and minute, at the moment of the first: the order of cells."""
        return self._geolife_counted(1000, f"min(moment) // {SECOND}", f", moment // {60 * SECOND}")

    def _geolife_counted(self, side: float, time: str, more: str = "") -> Events:
        points = so.read_events(
            self.file(GEOLIFE), user="user", time="time", lat="lat_e5", lng="lon_e5", coordinate_scale=1e-5,
            grid=side, box=BEIJING,
        )  # fmt: skip
        rows = points.rows("person", "place", "moment", "placed")
        counted = points.answered(
            f"SELECT person AS user, place, {time} AS time, count(*) AS points FROM {rows} WHERE placed"
            f" GROUP BY person, place, moment // {DAY}{more} ORDER BY ALL",
            label="counting points",
        )
        return so.read_events(counted, user="user", time="time", place="place", count="points")

    def geolife(self, side: float = 1000, *, week_start: str = WEEK_START, longer_first: bool = False) -> Sides:
        """First half of each person's active weeks against the second."""
        key = side, week_start, longer_first
        if key not in self._halves:
            parts = so.split(self.geolife_days(side), week_start=week_start, longer_first=longer_first)
            self._halves[key] = so.histograms(parts[0]), so.histograms(parts[1])
        return self._halves[key]

    def geolife_choices(self, side: float = 1000) -> list[Sides]:
        """The same under every week start and both ways of halving, which the paper leaves open."""
        return [self.geolife(side, week_start=day, longer_first=longer) for day, longer in HALVINGS]

    def sites(self, seed: int, people: int = PROFILES) -> so.ProfileSites:
        """Two made-up sites with profiles of partly the same people (R12 IV-C)."""
        key = seed, self._people(people, PROFILES)
        if key not in self._sites:
            known = round(KNOWN_TO_RELEASED * key[1])
            self._sites[key] = so.synthetic_profiles(people=key[1], known=known, seed=seed)
        return self._sites[key]

    @cached_property
    def census(self) -> so.Table:
        """Householders by all columns that are released (R12 V-A)."""
        return so.read_table(self.file(CENSUS), drop=NOT_RELEASED)

    @cached_property
    def census_columns(self) -> so.Vulnerability:
        """What every column isolates beside CORE."""
        return asked(self.census, known_columns=CORE, strategy="all")

    @cached_property
    def census_pairs(self) -> so.Vulnerability:
        """What every pair of columns isolates beside CORE, the strongest first; quick: pairs by lot."""
        if self.quick:
            return asked(self.census, known_columns=CORE, strategy="naive", add=2, ranks=QUICK_PAIRS, seed=self.seed)
        return asked(self.census, known_columns=CORE, strategy="all", add=2)


def asked(table: so.Table, **question: Any) -> so.Vulnerability:
    """``vulnerability`` beside one set of known columns."""
    found = so.vulnerability(table, **question)
    assert isinstance(found, so.Vulnerability)
    return found


def active(released: so.Histograms, known: so.Histograms) -> Sides:
    """Only people with events on both sides."""
    seen = [set(side.people[side.totals > 0].tolist()) for side in (released, known)]
    both = sorted(seen[0] & seen[1])
    return released.only(both), known.only(both)
