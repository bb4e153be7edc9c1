"""How far the probabilities of pairs can be trusted: stated against observed, in ten bins, on real logs.

    SINGLEOUT_DATA=… python benchmarks/probability.py [--log NAME …]

Every log split in halves and in weeks (GeoLife at 1,000 m, halves, all week starts), joint matching by js and by
evidence. The probability of a pair is fitted on other people (cross-fitting). A bin holds if the share that is right,
within its 95 % interval, agrees with what is stated; the Brier score is compared with that of stating the overall share
for everyone.
"""

import argparse
import os
import sys
from pathlib import Path

import singleout as so
from singleout.reading.times import WEEKDAYS

LOGS = {
    "web_proxy_150users": "visits.parquet",
    "foursquare_nyc": "checkins.parquet",
    "gowalla_nyc": "checkins.parquet",
    "completejourney": "purchases.parquet",
}
SIMILARITIES = ("js", "evidence")


def cases(root, wanted):
    for name, file in LOGS.items():
        if not wanted or name in wanted:
            log = so.read_events(root / name / file, user="user", time="time", place="place")
            for by in ("halves", "weeks"):
                yield f"{name}, {by}", so.split(log, by=by)
    if not wanted or "geolife" in wanted:
        cells = {"lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5, "grid": 1_000.0}
        log = so.read_events(root / "geolife" / "points_thin60s_e5.parquet", user="user", time="time", **cells)
        for start in WEEKDAYS:
            yield f"geolife 1000 m, {start}", so.split(log, by="halves", week_start=start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", action="append", help="only this one; may be given several times")
    asked = parser.parse_args()
    root = Path(os.environ.get("SINGLEOUT_DATA") or sys.exit("set SINGLEOUT_DATA to the folder of data sets"))
    held = bins = 0
    print("| case | similarity | right | Brier score | of stating the overall share | bins that hold |")
    print("|---|---|---|---|---|---|")
    for name, sides in cases(root, asked.log):
        counted = [so.histograms(side) for side in sides]
        for similarity in SIMILARITIES:
            matching = so.match(*counted, similarity=similarity, progress=False)
            found = so.probabilities(matching).reliability
            holding = sum(each.holds for each in found.bins)
            held, bins = held + holding, bins + len(found.bins)
            right = so.accuracy(matching).precision.value
            scores = f"{found.brier:.3f} | {found.base:.3f}"
            print(f"| {name} | {similarity} | {right:.1%} | {scores} | {holding} of {len(found.bins)} |", flush=True)
    print(f"{held} of {bins} bins hold ({held / bins:.1%})")


if __name__ == "__main__":
    main()
