"""GeoLife's trajectories, check-ins of SNAP and Foursquare, web visits: event logs from their publishers' files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from singleout.ground.errors import DataError, SourceError
from singleout.ground.notes import Note, nonzero
from singleout.ground.progress import show_progress
from singleout.papers.originals.files import Converted, DatasetFiles, Original, files_of, nothing_found, write_parquet
from singleout.papers.originals.lines import Lines, degrees_e5, number, seconds

EVENTS = pa.schema([(name, pa.int32()) for name in ("user", "time", "place", "lat_e5", "lon_e5")])
POINTS = pa.schema([("user", pa.int16())] + [(name, pa.int32()) for name in ("traj", "time", "lat_e5", "lon_e5")])
VISITS = pa.schema([("user", pa.int16()), ("time", pa.int32()), ("place", pa.int32())])
CHECKINS, WEB_FILE = "checkins.parquet", "visits.parquet"
FULL, THIN = "points_full_e5.parquet", "points_thin60s_e5.parquet"
SLOT = 60
GEOLIFE_STARTS = 1_167_609_600
"""2007-01-01: nobody recorded earlier."""
SNAP_NAME = re.compile(r"(?:loc-)?(gowalla|brightkite)_totalCheckins\.txt(?:\.gz)?", re.IGNORECASE)
NEW_YORK = (4_047_740, 4_091_760, -7_425_910, -7_370_040)
"""South, north, west, east."""
LARGEST = 2**31 - 1
OFF_THE_EARTH = "with an impossible latitude or longitude"

PLT = Lines(
    separator=",",
    fields=7,
    columns={
        "lat_e5": degrees_e5(1),
        "lon_e5": degrees_e5(2),
        "time": seconds("trim(f[6]) || ' ' || trim(f[7])", "%Y-%m-%d %H:%M:%S"),
    },
    must="latitude, longitude, 0, altitude, days, date, time with commas between",
    header=6,
)
SNAP = Lines(
    separator="\t",
    fields=5,
    columns={
        "user": number(1, "INTEGER"),
        "time": seconds("trim(f[2])", "%Y-%m-%dT%H:%M:%SZ"),
        "lat_e5": degrees_e5(3),
        "lon_e5": degrees_e5(4),
        "venue": "nullif(trim(f[5]), '')",
    },
    must="user, time (as in 2010-10-17T01:48:53Z), latitude, longitude, place with tabs between",
    gaps=True,
)
TSMC = Lines(
    separator="\t",
    fields=8,
    columns={
        "user": number(1, "INTEGER"),
        "venue": "nullif(trim(f[2]), '')",
        "lat_e5": degrees_e5(5),
        "lon_e5": degrees_e5(6),
        "time": seconds("trim(f[8])", "%a %b %d %H:%M:%S +0000 %Y"),
    },
    must="user, venue, category, its name, latitude, longitude, offset, UTC time with tabs between",
    encoding="latin-1",
)

PROXY = Lines(
    separator=",",
    fields=2,
    columns={"time": seconds("trim(f[1])", "%Y-%m-%d %H:%M:%S"), "venue": "nullif(trim(f[2]), '')"},
    must="time (as in 2013-11-15 08:01:09) and site with a comma between",
    header=1,
)
PROXY_HEADER = "timestamp,site"


def _geolife_files(source: Path) -> DatasetFiles:
    files = [file for file in files_of(source, "*.plt") if _person(file) is not None]
    if not files:
        raise nothing_found(source, "NNN/Trajectory/*.plt; give GeoLife's folder Data")
    return DatasetFiles("geolife", tuple(sorted(files, key=lambda file: (_person(file) or 0, file.name))))


def _person(file: Path) -> int | None:
    """The number of the person whose trajectory this is; None if the path is not like GeoLife's."""
    folder, above = file.parent.name, file.parent.parent.name
    return int(above) if folder == "Trajectory" and re.fullmatch(r"\d{1,4}", above) else None


def _geolife(found: DatasetFiles, folder: Path) -> Converted:
    """All points, and the first of every minute of each trajectory."""
    left: dict[str, int] = {}
    thinned: list[pa.Table] = []
    rows = {FULL: write_parquet(folder / FULL, _people(found, left, thinned), POINTS)}
    _refuse_nothing(rows[FULL], found)
    return Converted(rows | {THIN: write_parquet(folder / THIN, thinned, POINTS)}, _note_left_out(left))


def _people(found: DatasetFiles, left: dict[str, int], thinned: list[pa.Table]) -> Iterator[pa.Table]:
    """The points of each person; what is left out is counted, and thinned points are collected in ``thinned``."""
    first = 0
    with show_progress("reading trajectories", None) as advance:
        for person, group in groupby(found.files, key=_person):
            files = list(group)
            points = _clean(PLT.read(files, progress=False), left)
            points = points.append_column("user", pa.array(np.full(points.num_rows, person)))
            points = points.append_column("traj", pc.add(pc.cast(points["file"], pa.int32()), first))
            thinned.append(_thin(points))
            first += len(files)
            advance(first / len(found.files))
            yield points


def _clean(points: pa.Table, left: dict[str, int]) -> pa.Table:
    """Without impossible points or points before the project; their number is added to ``left``."""
    kept = _leave_out(points, _off_the_earth(points), OFF_THE_EARTH, left)
    return _leave_out(kept, pc.less(kept["time"], GEOLIFE_STARTS), "dated before 2007, when the project began", left)


def _off_the_earth(points: pa.Table) -> pa.ChunkedArray:
    north, east = (pc.greater(pc.abs(points[name]), most) for name, most in (("lat_e5", 9e6), ("lon_e5", 18e6)))
    return pc.or_(north, east)


def _leave_out(rows: pa.Table, without: pa.ChunkedArray, why: str, left: dict[str, int]) -> pa.Table:
    left[why] = left.get(why, 0) + (pc.sum(without).as_py() or 0)
    return rows.filter(pc.invert(without))


def _note_left_out(left: dict[str, int]) -> tuple[Note, ...]:
    return nonzero(*(Note(number, "records left out", why) for why, number in left.items()))


def _thin(points: pa.Table) -> pa.Table:
    """The first point of each minute of each trajectory."""
    minute = points["time"].to_numpy() // SLOT
    key = np.stack([points["traj"].to_numpy(), minute])
    first = np.unique(key, axis=1, return_index=True)[1]
    return points.take(np.sort(first))


def _snap_file(source: Path) -> DatasetFiles:
    named = {file: SNAP_NAME.fullmatch(file.name) for file in files_of(source, "*_totalCheckins.txt*")}
    sites = {file: name[1].lower() for file, name in named.items() if name}
    if not sites:
        raise nothing_found(source, "loc-gowalla_totalCheckins.txt.gz or loc-brightkite_totalCheckins.txt.gz")
    if len(sites) > 1:
        raise SourceError(f"{source} contains {len(sites)} files of check-ins. Give one of them.", function="convert")
    ((file, site),) = sites.items()
    return DatasetFiles(f"{site}_nyc", (file,))


def _snap(found: DatasetFiles, folder: Path) -> Converted:
    """Check-ins inside New York City, without duplicates, by person and time."""
    left: dict[str, int] = {}
    events = SNAP.read(found.files)
    events = _leave_out(events, events["gap"], "without time, coordinates or place", left)
    _refuse_nothing(events.num_rows, found)
    events = _leave_out(events, _off_the_earth(events), OFF_THE_EARTH, left)
    south, north, west, east = NEW_YORK
    inside = pc.and_(_between(events["lat_e5"], south, north), _between(events["lon_e5"], west, east))
    events = _leave_out(events, pc.invert(inside), "not in New York City", left)
    once = events.group_by(["user", "time", "venue", "lat_e5", "lon_e5"]).aggregate([])
    left["duplicates of another record"] = events.num_rows - once.num_rows
    return _events(once, found, folder, left)


def _between(values: pa.ChunkedArray, low: int, high: int) -> pa.ChunkedArray:
    return pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high))


def _foursquare_file(source: Path) -> DatasetFiles:
    files = files_of(source, "dataset_TSMC2014_NYC.txt", "dataset_TSMC2014_NYC.txt.gz")
    if not files:
        raise nothing_found(source, "dataset_TSMC2014_NYC.txt")
    return DatasetFiles("foursquare_nyc", tuple(files[:1]))


def _foursquare(found: DatasetFiles, folder: Path) -> Converted:
    """All check-ins, with duplicates, by person and time."""
    left: dict[str, int] = {}
    events = TSMC.read(found.files)
    events = _leave_out(events, _off_the_earth(events), OFF_THE_EARTH, left)
    return _events(events, found, folder, left)


def _events(events: pa.Table, found: DatasetFiles, folder: Path, left: dict[str, int]) -> Converted:
    """Write check-ins with a number for every place."""
    _refuse_nothing(events.num_rows, found)
    table = events.append_column("place", _number_places(events["venue"]))
    order = [(name, "ascending") for name in EVENTS.names]
    rows = write_parquet(folder / CHECKINS, [table.sort_by(order)], EVENTS)
    return Converted({CHECKINS: rows}, _note_left_out(left))


def _number_places(venues: pa.ChunkedArray) -> pa.Array:
    """Places keep their numbers; if any has none, all are numbered from 1 in order of their ids."""
    names, place = np.unique(venues.to_numpy().astype(str), return_inverse=True)
    if all(name.isascii() and name.isdigit() and int(name) <= LARGEST for name in names.tolist()):
        return pa.array(names.astype(np.int64)[place])
    return pa.array(place + 1)


def _web_files(source: Path) -> DatasetFiles:
    files = [file for file in files_of(source, "user*.csv") if _visitor(file) is not None]
    if not files or source.is_file():
        raise nothing_found(source, "userNNNN.csv; give the folder 150users")
    for file in files:
        with file.open(errors="replace") as opened:
            if opened.readline().strip() != PROXY_HEADER:
                raise SourceError(f"{file}, line 1: must be {PROXY_HEADER}.", function="convert")
    return DatasetFiles("web_proxy_150users", tuple(files))


def _visitor(file: Path) -> int | None:
    named = re.fullmatch(r"user(\d{1,4})\.csv", file.name)
    return int(named[1]) if named else None


def _web(found: DatasetFiles, folder: Path) -> Converted:
    """All visits in the order of the files: many share a second."""
    visits = PROXY.read(found.files)
    _refuse_nothing(visits.num_rows, found)
    users = np.array([_visitor(file) for file in found.files])[visits["file"].to_numpy()]
    table = visits.append_column("user", pa.array(users)).append_column("place", _number_places(visits["venue"]))
    return Converted({WEB_FILE: write_parquet(folder / WEB_FILE, [table], VISITS)})


def _refuse_nothing(rows: int, found: DatasetFiles) -> None:
    if not rows:
        raise DataError(f"{found.files[0].name} contains no usable record. Is it the right file?", function="convert")


GEOLIFE = Original(
    "geolife",
    "GeoLife GPS Trajectories 1.3, Microsoft Research Asia: 182 people, 2007 to 2012",
    "Microsoft Research, download center: GeoLife GPS Trajectories",
    "Microsoft Research License Agreement, non-commercial; cite Zheng et al. (WWW 2009, UbiComp 2008, DEB 2010)",
    "the folder Data, with NNN/Trajectory/*.plt",
    f"geolife/{FULL}, geolife/{THIN}",
    (FULL, THIN),
    _geolife_files,
    _geolife,
)
SNAP_CHECKINS = Original(
    "snap-checkins",
    "Gowalla or Brightkite check-ins in New York City, 2008 to 2010",
    "snap.stanford.edu/data/loc-gowalla.html and loc-brightkite.html",
    "those of SNAP; cite Cho, Myers, Leskovec (KDD 2011)",
    "loc-gowalla_totalCheckins.txt.gz or loc-brightkite_totalCheckins.txt.gz",
    f"gowalla_nyc/{CHECKINS} or brightkite_nyc/{CHECKINS}",
    (CHECKINS,),
    _snap_file,
    _snap,
)
FOURSQUARE = Original(
    "foursquare",
    "Foursquare check-ins in New York City, 2012 to 2013: 1,083 people",
    "Dingqi Yang's home page: Foursquare dataset, NYC and Tokyo check-in",
    "no licence file; cite Yang, Zhang, Zheng, Yu (IEEE TSMC 45(1), 2015)",
    "dataset_TSMC2014_NYC.txt",
    f"foursquare_nyc/{CHECKINS}",
    (CHECKINS,),
    _foursquare_file,
    _foursquare,
)
WEB = Original(
    "web",
    "web visits of 150 people through the proxies of Blaise Pascal University, 2013 to 2014",
    "the course mlcourse.ai, capstone 'user identification by visited websites': 150users",
    "none stated; cite Kahn, Loiseau, Raynaud (CEUR-WS 1703, 2016)",
    "the folder 150users, with userNNNN.csv",
    f"web_proxy_150users/{WEB_FILE}",
    (WEB_FILE,),
    _web_files,
    _web,
)
