"""How many people each attack re-identifies on real logs: js beside every stronger similarity.

    SINGLEOUT_DATA=… python benchmarks/intruder.py [--log NAME …] [--json FILE]

Every log split in halves and in weeks; GeoLife in cells of 300 and 1,000 m, with every week start and both rules for an
odd week. Joint matching, expected over ties, mean of three tie seeds; the difference from js is paired over people,
with a 95% interval from 2,000 resamples of them. Nothing is fitted here but what is said to be.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import numpy as np

import singleout as so
from singleout.measures.precision import chances_of_being_right
from singleout.measures.taught import taught
from singleout.reading.times import WEEKDAYS

LOGS = {
    "web_proxy_150users": "visits.parquet",
    "foursquare_nyc": "checkins.parquet",
    "gowalla_nyc": "checkins.parquet",
    "completejourney": "purchases.parquet",
}
CELLS = {"lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5}
TAUGHT = "20% known"
"""An intruder who knows a fifth of the people and learns from them; the share of the others."""
OTHERS = ("js_roots", "js_popularity", "js_reliability", "evidence", "evidence_mild", TAUGHT)
SEEDS = (0, 1, 2)
RESAMPLES = 2_000


def right_by_person(sides, similarity):
    """How likely each person on both sides is to be re-identified, in order of id; mean over tie seeds."""
    people = np.intersect1d(*(side.people for side in sides))
    if similarity == TAUGHT:
        order = np.argsort([person for person in sides[1].people if person in set(people.tolist())])
        return np.mean([taught(*sides, seed=seed, progress=False).right[order] for seed in SEEDS], axis=0)
    found = np.zeros(len(people))
    for seed in SEEDS:
        matching = so.match(*sides, similarity=similarity, seed=seed, progress=False)
        chance = dict(
            zip(
                matching.known_side.people[matching.known].tolist(),
                chances_of_being_right(matching, None).tolist(),
                strict=True,
            )
        )
        found += [chance.get(person, 0.0) for person in people.tolist()]
    return found / len(SEEDS)


def compare(name, sides, others):
    """js and the others on the same people."""
    plain = right_by_person(sides, "js")
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, len(plain), (RESAMPLES, len(plain)))
    rows = [{"case": name, "people": len(plain), "attack": "js", "rate": plain.mean()}]
    for other in others:
        gain = right_by_person(sides, other) - plain
        low, high = np.quantile(gain[drawn].mean(axis=1), [0.025, 0.975])
        rate = plain.mean() + gain.mean()
        rows.append(rows[0] | {"attack": other, "rate": rate, "gain": gain.mean(), "low": low, "high": high})
    return rows


def print_case(rows):
    name, people, plain = rows[0]["case"], rows[0]["people"], rows[0]["rate"]
    cells = [f"{row['rate']:.1%} ({row['gain']:+.1%}, {row['low']:+.1%} to {row['high']:+.1%})" for row in rows[1:]]
    print(f"| {name} | {people:,} | {plain:.1%} | " + " | ".join(cells) + " |", flush=True)


def cases(root, wanted):
    for name, file in LOGS.items():
        if not wanted or name in wanted:
            log = so.read_events(root / name / file, user="user", time="time", place="place")
            for by in ("halves", "weeks"):
                yield f"{name}, {by}", [so.histograms(side) for side in so.split(log, by=by)], OTHERS
    if not wanted or "geolife" in wanted:
        for side in (300.0, 1_000.0):
            file = root / "geolife" / "points_thin60s_e5.parquet"
            log = so.read_events(file, user="user", time="time", grid=side, **CELLS)
            for start in WEEKDAYS:
                for longer in (False, True):
                    parts = so.split(log, by="halves", week_start=start, longer_first=longer)
                    rule = "first longer" if longer else "second longer"
                    name = f"geolife {side:g} m, {start}, {rule}"
                    yield name, [so.histograms(part) for part in parts], (*OTHERS, "evidence_levels")
            yield f"geolife {side:g} m, weeks", [so.histograms(part) for part in so.split(log, by="weeks")], OTHERS
    if not wanted or "synthetic" in wanted:
        calls = so.synthetic_calls(people=2_000, seed=1).events
        yield "synthetic calls, weeks", [so.histograms(side) for side in so.split(calls, by="weeks")], OTHERS


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", action="append", help="only this one; may be given several times")
    parser.add_argument("--json", type=Path, help="also write all rows to this file")
    asked = parser.parse_args()
    root = Path(os.environ.get("SINGLEOUT_DATA") or sys.exit("set SINGLEOUT_DATA to the folder of data sets"))
    every = []
    print("| case | people | js | " + " | ".join(OTHERS) + " |")
    print("|" + "---|" * (3 + len(OTHERS)))
    for name, sides, others in cases(root, asked.log):
        rows = compare(name, sides, others)
        print_case(rows)
        every += rows
    for other in dict.fromkeys(row["attack"] for row in every if row["attack"] != "js"):
        by_log = {}
        for row in every:
            if row["attack"] == other:
                by_log.setdefault(row["case"].replace(",", " ").split()[0], []).append(row["gain"])
        means = [float(np.mean(gains)) for gains in by_log.values()]
        worst = min(gain for gains in by_log.values() for gain in gains)
        print(f"{other}: mean over {len(means)} logs {np.mean(means):+.2%}, worst case {worst:+.1%}")
    if asked.json:
        asked.json.write_text(json.dumps(every, indent=1))


if __name__ == "__main__":
    main()
