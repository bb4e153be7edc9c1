"""How many people each attack re-identifies on real logs: js beside every stronger similarity.

    SINGLEOUT_DATA=… python benchmarks/intruder.py [--log NAME …] [--json FILE] [--write]

Every log split in halves and in weeks; GeoLife in cells of 300 and 1,000 m, with every week start and both rules for an
odd week. Joint matching, expected over ties, mean of three tie seeds; the difference from js is paired over people,
with a 95% interval from 2,000 resamples of them. Nothing is fitted here but what is said to be.
"""

import json
from pathlib import Path

import numpy as np
import page

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
CALLERS = 46_986
MANY = 500
"""People of a log from which on evidence is expected nowhere below js."""


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


def points(share):
    return f"{100 * share:+.1f}"


def cells_of(rows):
    """A row of the table: js, then every other attack that was carried out, its gain in points."""
    found = {row["attack"]: row for row in rows}
    shown = [rows[0]["case"], f"{rows[0]['people']:,}", f"{rows[0]['rate']:.1%}"]
    for other in OTHERS:
        row = found.get(other)
        gain = row and f"{points(row['gain'])}, {points(row['low'])} to {points(row['high'])}"
        shown.append(f"{row['rate']:.1%} ({gain})" if row else "")
    return shown


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
    if not wanted or "callers" in wanted:
        calls = so.synthetic_calls(people=CALLERS, preset="heavy-tail", seed=0).events
        sides = [so.histograms(side) for side in so.split(calls, by="weeks")]
        yield f"{CALLERS:,} synthetic callers, weeks", sides, ("evidence", "evidence_mild")


COLUMNS = " | ".join(["case", "people", "js", *OTHERS])


def means_over_logs(every):
    """Of each attack, every log's gains averaged first: (mean over logs, number of logs, least gain)."""
    found = {}
    for other in (*OTHERS, "evidence_levels"):
        by_log = {}
        for row in every:
            if row["attack"] == other and f"{CALLERS:,}" not in row["case"]:
                by_log.setdefault(row["case"].replace(",", " ").split()[0], []).append(row["gain"])
        if by_log:
            gains = [float(np.mean(each)) for each in by_log.values()]
            found[other] = np.mean(gains), len(gains), min(min(each) for each in by_log.values())
    return found


def below_js(every, attack, fewest):
    """In words, in how many cases of at least so many people an attack is below js beyond its interval."""
    rows = [row for row in every if row["attack"] == attack and row["people"] >= fewest]
    number = sum(row["high"] < 0 for row in rows)
    return (
        f"below js beyond the interval in {number} of {len(rows)} cases"
        if number
        else ("nowhere below js beyond the interval")
    )


def halvings(every):
    """GeoLife's rows by cell and attack, over week starts and both rules for an odd week."""
    found = {}
    for row in every:
        if row["case"].endswith(" longer"):
            side = row["case"].split(",")[0].replace("geolife", "cells of")
            value = row["rate"] if row["attack"] == "js" else row["gain"]
            found.setdefault(side, {}).setdefault(row["attack"], []).append(value)
    cells = []
    for side, by_attack in found.items():
        plain = by_attack.pop("js")
        gains = [by_attack[name] for name in (*OTHERS[:-1], "evidence_levels", TAUGHT)]
        spread = f"{np.mean(plain):.1%} ({min(plain):.1%} to {max(plain):.1%})"
        cells.append([side, spread, *(f"{points(np.mean(g))} ({points(min(g))} to {points(max(g))})" for g in gains)])
    columns = " | ".join(["GeoLife, fourteen halvings each", "js", *OTHERS[:-1], "evidence_levels", TAUGHT])
    return page.table(columns, cells)


def lay_out(every):
    by_case = {}
    for row in every:
        if not row["case"].endswith(" longer"):
            by_case.setdefault(row["case"], []).append(row)
    means = means_over_logs(every)
    gains = ", ".join(f"{name} {points(means[name][0])}" for name in OTHERS[:-1])
    told = f"""Mean over the {means[TAUGHT][1]} logs, each log's cases averaged first, in points: {gains}, and
        {points(means[TAUGHT][0])} for an intruder who already knows a fifth of the people (share of the others;
        [how](methods/similarities.md#taught-by-known-people)), {below_js(every, TAUGHT, 0)}. On logs of {MANY} people
        or more evidence is {below_js(every, "evidence", MANY)}."""
    cases_table = page.table(COLUMNS, [cells_of(rows) for rows in by_case.values()])
    about = """GeoLife by week start (seven) and by which half gets an odd week (two): the mean over the fourteen
        halvings, and the smallest and largest. evidence_levels compares cells 1, 4 and 16 times as large."""
    return "\n\n".join([cases_table, page.prose(about), halvings(every), page.prose(told)])


SECTIONS = {"intruder": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--log", action="append", help="only this one; may be given several times")
    parser.add_argument("--json", type=Path, help="also write all rows to this file")
    asked, opening = parser.parse_args(), page.head()
    page.whole(asked, "log")
    every = []
    print(page.table(COLUMNS, []), flush=True)
    for case in cases(page.data(), asked.log):
        rows = compare(*case)
        print(f"| {' | '.join(cells_of(rows))} |", flush=True)
        every += rows
    for other, (mean, logs, worst) in means_over_logs(every).items():
        print(f"{other}: mean over {logs} logs {mean:+.2%}, worst case {worst:+.1%}")
    if asked.json:
        asked.json.write_text(json.dumps(every, indent=1))
    page.write_sections(asked.write, opening, SECTIONS, every)


if __name__ == "__main__":
    main()
