"""What an audit reports for each protection, and what an independent attack finds in the file that is written.

    SINGLEOUT_DATA=… python benchmarks/promises.py [--log NAME …] [--json FILE]

Every protection at every strength of the audit is carried out by `singleout protect`: on the second half of everyone's
active weeks, attacked with the first half (outside), and on the whole log, attacked with the first half, with the
second and with a random half of the events, of which the strongest counts (inside). Shares are of the people in the
file whom the intruder knows. The attack knows nothing of singleout: it reads the file with PyArrow and needs NumPy and
SciPy. A promise is broken where the lower end of the attack's interval lies above the upper end of what was reported.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree
from scipy.special import gammaln, logsumexp

import singleout as so

DAY, WEEK = 86_400, 7 * 86_400
MONDAY = 4 * DAY  # the first Monday after 1970-01-01
METRES = 111_320.0
CELLS = {"lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5, "grid": 500.0}
LOGS = {
    "foursquare_nyc": ("checkins.parquet", {"place": "place"}),
    "web_proxy_150users": ("visits.parquet", {"place": "place"}),
    "completejourney": ("purchases.parquet", {"place": "place"}),
    "geolife": ("points_thin60s_e5.parquet", CELLS),
    "gowalla_nyc": ("checkins.parquet", {"place": "place"}),
}
ON_EVENTS = ("shorten", "coarsen")


# the attack: nothing of singleout below


def halves(log):
    """The first half of everyone's active weeks and the second; an odd week is in the second."""
    user, week = log["user"], (log["time"] - MONDAY) // WEEK
    people, person = np.unique(user, return_inverse=True)
    active = np.unique(np.column_stack([person, week]), axis=0)
    number = np.bincount(active[:, 0], minlength=len(people))
    first = np.concatenate([[0], np.cumsum(number)[:-1]])
    turn = active[np.minimum(first + number // 2, len(active) - 1), 1]
    both = number[person] > 1
    early = both & (week < turn[person])
    return [{name: column[rows] for name, column in log.items()} for rows in (early, both & ~early)]


def random_half(log):
    """Each event with probability one half."""
    kept = np.random.default_rng(7).random(len(log["user"])) < 0.5
    return {name: column[kept] for name, column in log.items()}


def first_days(log, days):
    """Everyone's first days with events."""
    people, person = np.unique(log["user"], return_inverse=True)
    active = np.unique(np.column_stack([person, log["time"] // DAY]), axis=0)
    starts = np.searchsorted(active[:, 0], np.arange(len(people)))
    ends = np.searchsorted(active[:, 0], np.arange(len(people)), side="right")
    last = active[np.minimum(starts + int(days), ends) - 1, 1]
    kept = log["time"] // DAY <= last[person]
    return {name: column[kept] for name, column in log.items()}


def read_release(folder):
    """Pseudonyms, places and shares of the file, and who is who; cells also by their centres."""
    table = pq.read_table(folder / "protected.parquet")
    key = csv.read_csv(folder / "key.csv")
    rows = {name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names}
    return rows, dict(zip(key["person"].to_pylist(), key["id"].to_pylist(), strict=True))


def places_of(log, rows):
    """The places of events under the names of the file: the nearest cell where there are coordinates."""
    if "place" in log:
        return log["place"].astype(str)
    cells, chosen = np.unique(rows["place"], return_index=True)
    centres = np.column_stack([rows["lat"][chosen], rows["lng"][chosen]])
    shrink = np.cos(np.radians(np.median(centres[:, 0])))
    scale = METRES * np.array([1.0, shrink])
    _, nearest = cKDTree(centres * scale).query(np.column_stack([log["lat"], log["lng"]]) * scale)
    return cells[nearest].astype(str)


def count_table(people, places, amounts, listed, columns):
    """What each person listed has at each place listed."""
    row, column = np.searchsorted(listed, people), np.searchsorted(columns, places)
    row, column = np.minimum(row, len(listed) - 1), np.minimum(column, len(columns) - 1)
    there = (listed[row] == people) & (columns[column] == places)
    counts = sparse.csr_array(
        (amounts[there].astype(float), (row[there], column[there])), shape=(len(listed), len(columns))
    )
    counts.sum_duplicates()
    return counts


def share_table(people, places, amounts, listed, columns):
    """The same as shares."""
    counts = count_table(people, places, amounts, listed, columns)
    total = np.asarray(counts.sum(axis=1)).ravel()
    return sparse.csr_array(counts.multiply(1 / np.where(total > 0, total, 1)[:, None]))


def similarities(released, known):
    """js, js of square roots, and js in which rare places count more."""
    rarity = np.log1p(known.shape[0] / np.maximum(np.bincount(known.indices, minlength=known.shape[1]), 1))
    yield "js", overlap(released, known, np.ones(known.shape[1]))
    yield "square-root js", overlap(*(root_shares(side) for side in (released, known)), np.ones(known.shape[1]))
    yield "popularity js", overlap(released, known, rarity)


def root_shares(side):
    roots = side.sqrt()
    total = np.asarray(roots.sum(axis=1)).ravel()
    return sparse.csr_array(roots.multiply(1 / np.where(total > 0, total, 1)[:, None]))


def overlap(released, known, weight):
    """Sum over common places of (p + q) log(p + q) - p log p - q log q: 2 log 2 minus the divergence."""
    table = np.zeros((released.shape[0], known.shape[0]))
    first, second = released.tocsc(), known.tocsc()
    for place in range(first.shape[1]):
        mine, theirs = (slice(side.indptr[place], side.indptr[place + 1]) for side in (first, second))
        p, q = first.data[mine][:, None], second.data[theirs][None, :]
        if p.size and q.size:
            term = (p + q) * np.log(p + q) - p * np.log(p) - q * np.log(q)
            table[np.ix_(first.indices[mine], second.indices[theirs])] += weight[place] * term
    return table


def row_classes(side):
    """A number for each row, the same for identical ones, and how many rows have it."""
    _, number, size = np.unique(
        [hash((row.indices.tobytes(), row.data.tobytes())) for row in map(side._getrow, range(side.shape[0]))],
        return_inverse=True, return_counts=True,
    )  # fmt: skip
    return number, size


def found(table, classes, true_row):
    """People expected to be found, jointly and one by one both ways; identical rows are a draw among them."""
    number, size = classes
    right = number[true_row]  # the class of each known person's own row
    known = np.flatnonzero(true_row >= 0)  # of those in the file
    chance = 1 / size[right]
    rows, columns = linear_sum_assignment(table, maximize=True)
    joint = (chance[columns] * (number[rows] == right[columns]) * (true_row[columns] >= 0)).sum()
    best = np.isclose(table, table.max(axis=0), rtol=0, atol=1e-12)
    by_known = (best[true_row[known], known] / best[:, known].sum(axis=0)).sum()
    best = np.isclose(table, table.max(axis=1)[:, None], rtol=0, atol=1e-12)
    by_released = (best[true_row[known], known] / best[true_row[known]].sum(axis=1)).sum()
    return {"joint": joint, "one by one, by released": by_released, "one by one, by known": by_known}


def whole_counts(shares):
    """Counts of which the shares of each row are parts: the least total that makes all of them whole."""
    dense = shares.toarray()
    for row in dense:
        least = row[row > 0].min()
        for smallest in range(1, 10_000):
            total = smallest / least
            if np.abs(row * total - np.round(row * total)).max() < 1e-6 * smallest:
                row[:] = np.round(row * total)
                break
    return dense


def likelihoods(released, known):
    """How likely counts are if noise falls by the same factor with each step, and all or half is known."""
    for times in (1, 2):
        table = np.empty((len(released), len(known)))
        for column, expected in enumerate(times * known):
            table[:, column] = np.abs(released).sum(axis=1) - np.abs(released - expected).sum(axis=1)
        yield f"likelihood of counts x {times}", table


def half_likelihoods(released, known):
    """How likely what is known is a random half of counts behind shares, which tell these up to a factor."""
    logs = gammaln(np.arange(8 * int(max(released.max(), known.max())) + 1) + 1.0)
    totals, places = released.sum(axis=1), (released > 0).sum(axis=1)
    table = np.full((len(released), len(known)), -np.inf)
    for times in range(1, 9):
        # many numbers are not all divisible by chance
        rows = np.flatnonzero(places * np.log(times) <= 20)
        for column, half in enumerate(known):
            at = np.flatnonzero(half)
            counts = times * released[np.ix_(rows, at)]
            more, less = np.maximum(counts, half[at]), np.minimum(counts, half[at])
            fit = (20 * less + logs[more] - logs[less] - logs[more - less]).sum(axis=1) - 20 * half.sum()
            fit -= times * totals[rows] * np.log(2) + places[rows] * np.log(times)
            table[rows, column] = np.maximum(table[rows, column], fit)
    return table


def attack(folder, log, days, *, noisy=False):
    """The strongest of all attacks on a file, of someone who knows this log, as it is and cut to the same days."""
    rows, key = read_release(folder)
    released_people, columns = np.unique(rows["person"]), np.unique(rows["place"].astype(str))
    released = share_table(rows["person"], rows["place"].astype(str), rows["share"], released_people, columns)
    classes = row_classes(released)
    everyone = np.unique(log["user"])
    row_of = {key[person]: row for row, person in enumerate(released_people.tolist())}
    true_row = np.array([row_of.get(person, -1) for person in everyone.tolist()])
    best = (0.0, "nothing")
    # someone known who is not in the file may still be taken for someone who is
    for known in [log] + ([first_days(log, days)] if days else []):
        places, all_places = places_of(known, rows), np.unique(places_of(known, rows))
        for chosen in (columns, np.union1d(columns, all_places)):
            mine = share_table(rows["person"], rows["place"].astype(str), rows["share"], released_people, chosen)
            theirs = share_table(known["user"], places, np.ones(len(places)), everyone, chosen)
            tables = list(similarities(mine, theirs))
            counts = count_table(known["user"], places, np.ones(len(places)), everyone, chosen).toarray().astype(int)
            if noisy:
                tables += likelihoods(whole_counts(mine), counts)
            elif classes[1].min() == 1 and chosen is columns:
                likely = half_likelihoods(whole_counts(mine).astype(int), counts)
                tables.append(("likelihood of half the counts", likely))
                # which person a row is, not only which row a person
                tables.append(("likelihood of half the counts over all rows", likely - logsumexp(likely, axis=0)))
            for name, table in tables:
                for way, count in found(table, classes, true_row).items():
                    best = max(best, (float(count), f"{name}, {way}"))
    return best[0], int((true_row >= 0).sum()), best[1]


def wilson(count, n, z=1.959964):
    share = count / n
    centre, half = share + z * z / (2 * n), z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


# what is reported, and the files


def read_log(path):
    table = pq.read_table(path)
    log = {name: table[name].to_numpy() for name in ("user", "time")}
    if "place" in table.column_names:
        return log | {"place": table["place"].to_numpy()}
    return log | {"lat": table["lat_e5"].to_numpy() * 1e-5, "lng": table["lon_e5"].to_numpy() * 1e-5}


def written(log, path):
    columns = dict(log)
    if "lat" in log:
        columns |= {"lat_e5": np.rint(log["lat"] * 1e5).astype(int), "lon_e5": np.rint(log["lng"] * 1e5).astype(int)}
    pq.write_table(pa.table(columns), path)
    return path


def protect(path, reading, remedy, folder):
    columns = {"user": "user", "time": "time"} | reading
    options = [f"--{name.replace('_', '-')}={value}" for name, value in columns.items()]
    strength = remedy.command.split(f"--{remedy.protection} ")[1].split()[0]
    program = Path(sys.executable).with_name("singleout")
    command = [program, "protect", path, *options, f"--{remedy.protection}={strength}", "--out", folder, "--quiet"]
    subprocess.run([str(part) for part in command], check=True)
    return int(strength) if remedy.protection == "shorten" else None


def measure(name, root, only):
    file, reading = LOGS[name]
    path = Path(root) / name / file
    started = time.perf_counter()
    audited = so.audit(str(path), options=so.AuditOptions(user="user", time="time", **reading), progress=False)
    print(f"{name}: {audited.released.people:,} people, audit {time.perf_counter() - started:.0f} s", flush=True)
    log = read_log(path)
    early, late = halves(log)
    with tempfile.TemporaryDirectory() as folder:
        files = {"outside": written(late, Path(folder) / "late.parquet"), "inside": path}
        for number, remedy in enumerate(audited.protections):
            if remedy.protection != "none" and only in (None, remedy.protection):
                for column, source in files.items():
                    parts = (early,) if column == "outside" else (early, late, random_half(log))
                    yield compare(name, remedy, column, source, reading, parts, Path(folder) / f"{column}-{number}")


def compare(name, remedy, column, source, reading, parts, folder):
    days = protect(source, reading, remedy, folder)
    noisy = remedy.protection == "noise"
    tried = [attack(folder, part, days, noisy=noisy) for part in parts]
    count, people, by = max(tried, key=lambda each: each[0] / each[1])
    low, high = wilson(count, people)
    reported = getattr(remedy, column)
    upper = reported.high if remedy.guarantee is None else min(reported.high, remedy.guarantee)
    row = {
        "log": name, "protection": f"{remedy.protection} {remedy.strength}", "knowledge": column,
        "reported": reported.value, "upper": upper, "independent": count / people, "low": low, "high": high,
        "by": by, "kept": bool(low <= upper),
    }  # fmt: skip
    print(
        f"  {row['protection']:24} {column:8} reported {row['reported']:6.1%}, at most {upper:6.1%};"
        f" attack {row['independent']:6.1%} ({low:5.1%} to {high:5.1%}) {'' if row['kept'] else 'BROKEN'} {by}",
        flush=True,
    )
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", action="append", choices=LOGS, help="only this one; may be given several times")
    parser.add_argument("--protection", help="only this one")
    parser.add_argument("--json", type=Path, help="also write all rows to this file")
    asked = parser.parse_args()
    root = os.environ.get("SINGLEOUT_DATA") or sys.exit("set SINGLEOUT_DATA to the folder that holds the logs")
    rows = [row for name in asked.log or LOGS for row in measure(name, root, asked.protection)]
    broken = sum(not row["kept"] for row in rows)
    print(f"{len(rows)} promises, {broken} broken")
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1))
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
