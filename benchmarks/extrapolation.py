"""How well a third or a tenth of the people predict the risk of all: the law beside straight lines in log-odds.

    SINGLEOUT_DATA=… python benchmarks/extrapolation.py [--draws 20] [--log NAME …]

Every log of at least 600 people, split in halves and in weeks, and several sets of columns of two tables. Of each, so
many random thirds and tenths (where at least 200 people remain) predict the share re-identified among all. Printed: how
often the range covers it, how wide it is in the median, and the same of the ranges of version 0.1.0: prediction
intervals of straight lines, and odds that fall as the number of people grows.
"""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

import numpy as np
from scipy.special import expit, logit, stdtrit

import singleout as so
from singleout.measures.extrapolation import Draw, MeasuredCurve, extrapolate
from singleout.measures.precision import chances_of_being_right

LOGS = {
    "foursquare_nyc": "checkins.parquet",
    "gowalla_nyc": "checkins.parquet",
    "completejourney": "purchases.parquet",
}
TABLES = {
    "ACS, 3 columns": ("acs2024_householder/acs2024_householder_49states.parquet", ["AGEP", "SEX", "STATE"]),
    "ACS, 5 columns": (
        "acs2024_householder/acs2024_householder_49states.parquet",
        ["AGEP", "SEX", "PUMA", "RAC1P", "MAR"],
    ),
    "adult, 3 columns": ("arx_adult/adult.csv", ["age", "sex", "race"]),
    "adult, 5 columns": ("arx_adult/adult.csv", ["age", "sex", "race", "education", "native-country"]),
}
MOST_RECORDS = 60_000
FEWEST = 200


def sizes_of(number):
    sizes = [number]
    while sizes[-1] // 2 >= 20:
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


def measure(number, right_of, rng):
    """The curve that an audit would draw of these people."""
    drawn = []
    for size in sizes_of(number):
        draws = 1 if size == number else int(np.clip(number // size, 2, 10))
        groups = [np.sort(rng.choice(number, size, replace=False)) for _ in range(draws)]
        drawn.append([Draw(group, right_of(group)) for group in groups])
    return MeasuredCurve(sizes_of(number), drawn)


def lines(curve, population):
    """Version 0.1.0: the range of straight lines through the last five points."""
    sizes, shares = np.array(curve.sizes[-5:], float), curve.shares()[-5:]
    least = 0.5 / sizes[-1]
    x, y = np.log(sizes), np.clip(shares, least, 1 - least)
    spans = [
        back(_line(x, there(y), np.log(population)))
        for there, back in ((logit, expit), (np.log, lambda z: np.minimum(np.exp(z), 1)))
    ]
    crowded = expit(logit(y[-1]) + x[-1] - np.log(population))
    return min(crowded, *(span[0] for span in spans)), max(span[2] for span in spans)


def _line(x, y, at):
    middle, spread = x.mean(), ((x - x.mean()) ** 2).sum()
    slope = ((x - middle) * (y - y.mean())).sum() / spread
    error = np.sqrt(((y - y.mean() - slope * (x - middle)) ** 2).sum() / (len(x) - 2))
    half = stdtrit(len(x) - 2, 0.975) * error * np.sqrt(1 + 1 / len(x) + (at - middle) ** 2 / spread)
    there = y.mean() + slope * (at - middle)
    return np.array([there - half, there, there + half])


def of_log(sides):
    """Chances of being found of some of the people on both sides, by number."""
    counts = [so.histograms(side) for side in sides]
    people = np.intersect1d(*(side.people for side in counts))

    def right_of(numbers):
        chosen = people[numbers].tolist()
        matching = so.match(*(side.only(chosen) for side in counts), similarity="evidence", progress=False)
        right = np.zeros(len(chosen))
        right[matching.known] = chances_of_being_right(matching, None)
        return right

    return len(people), right_of


def of_table(file, columns, rng):
    """One over the size of the class of some of the records, by number."""
    table = so.read_table(file, columns=columns)
    codes = np.unique(np.column_stack([column.codes for column in table.encode(columns)]), axis=0, return_inverse=True)[
        1
    ]
    codes = codes.ravel()
    codes = rng.permutation(codes)[:MOST_RECORDS]

    def right_of(numbers):
        _, group, size = np.unique(codes[numbers], return_inverse=True, return_counts=True)
        return 1.0 / size[group]

    return len(codes), right_of


def cases(root, wanted, rng):
    for name, file in LOGS.items():
        if not wanted or name in wanted:
            log = so.read_events(root / name / file, user="user", time="time", place="place")
            for by in ("halves", "weeks"):
                yield f"{name}, {by}", False, *of_log(so.split(log, by=by))
    if not wanted or "synthetic" in wanted:
        calls = so.synthetic_calls(people=2_000, seed=1).events
        yield "synthetic calls, weeks", False, *of_log(so.split(calls, by="weeks"))
    for name, (file, columns) in TABLES.items():
        if not wanted or name.split(",")[0] in wanted:
            yield name, True, *of_table(root / file, columns, rng)


def _among(right_of, chosen, group):
    return right_of(chosen[group])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--log", action="append", help="only this one; may be given several times")
    asked = parser.parse_args()
    root = Path(os.environ.get("SINGLEOUT_DATA") or sys.exit("set SINGLEOUT_DATA to the folder of data sets"))
    rng = np.random.default_rng(1)
    pooled = {False: [], True: []}
    print("| data | people | predicted from | truth | covered | width | covered by lines | width of lines |")
    print("|---|---|---|---|---|---|---|---|")
    for name, exact, number, right_of in cases(root, asked.log, rng):
        truth = right_of(np.arange(number)).mean()
        for part in (3, 10):
            few = number // part
            if few < FEWEST:
                continue
            rows = []
            for draw in range(asked.draws):
                chosen = np.sort(rng.choice(number, few, replace=False))
                curve = measure(few, partial(_among, right_of, chosen), rng)
                found, old = extrapolate(curve, number, exact=exact, seed=draw), lines(curve, number)
                rows.append((found.low, found.high, *old))
            low, high, old_low, old_high = np.array(rows).T
            pooled[exact] += list(zip((low <= truth) & (truth <= high), high - low, old_high - old_low, strict=True))
            covers = np.mean((low <= truth) & (truth <= high)), np.mean((old_low <= truth) & (truth <= old_high))
            widths = np.median(high - low), np.median(old_high - old_low)
            print(
                f"| {name} | {number:,} | {few:,} | {truth:.1%} | {covers[0]:.0%} | {widths[0]:.1%} |"
                f" {covers[1]:.0%} | {widths[1]:.1%} |",
                flush=True,
            )
    for kind, rows in (("logs", pooled[False]), ("tables", pooled[True]), ("all", pooled[False] + pooled[True])):
        if rows:
            covered, width, old = np.array(rows).T
            print(f"{kind}: {covered.mean():.1%} covered; in the median {np.median(width / old):.2f} times as wide")


if __name__ == "__main__":
    main()
