"""Every data set that can be converted from its publisher's files."""

from __future__ import annotations

from singleout.papers.originals.census import CENSUS
from singleout.papers.originals.events import FOURSQUARE, GEOLIFE, SNAP_CHECKINS, WEB

ORIGINALS = {each.name: each for each in (GEOLIFE, WEB, SNAP_CHECKINS, FOURSQUARE, CENSUS)}
