"""How well a third or a tenth of the people predict the risk of all: the law beside straight lines in log-odds.

    SINGLEOUT_DATA=… python benchmarks/extrapolation.py [--draws 20] [--log NAME …] [--write]

Every log of at least 600 people, split in halves and in weeks, and several sets of columns of two tables. Of each, so
many random thirds and tenths (where at least 200 people remain) predict the share re-identified among all. Printed: how
often the range covers it, how wide it is in the median, and the same of the ranges of version 0.1.0: prediction
intervals of straight lines, and odds that fall as the number of people grows. Two constants are then judged: what each
half of the data would choose, and how much of the other half that covers.
"""

from functools import partial

import numpy as np
import page
from scipy.special import expit, logit, stdtrit

import singleout as so
from singleout.measures import extrapolation as module
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
CONSTANTS = {
    False: (
        "INDEPENDENT",
        (0.5, 0.4, 1 / 3),
        ("foursquare_nyc", "gowalla_nyc"),
        ("completejourney", "synthetic calls"),
    ),
    True: ("MISFIT", (2.0, 2.4, 3.0), ("ACS",), ("adult",)),
}
"""Of logs and of tables: the constant, values of it from the narrowest range to the widest, two halves of the data."""


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


def ranges(curve, number, exact, seed):
    """The range with each value of the constant, the one in use first."""
    name, values, *_ = CONSTANTS[exact]
    used, found = getattr(module, name), {}
    for value in (used, *(each for each in values if each != used)):
        setattr(module, name, value)
        law = extrapolate(curve, number, exact=exact, seed=seed)
        found[value] = law.low, law.high
    setattr(module, name, used)
    return found


def predict(case, part, draws, rng):
    """Truth, and of every draw the ranges of the law and that of the lines."""
    name, exact, number, right_of = case
    truth, few, rows = right_of(np.arange(number)).mean(), number // part, []
    for draw in range(draws):
        chosen = np.sort(rng.choice(number, few, replace=False))
        curve = measure(few, partial(_among, right_of, chosen), rng)
        rows.append(ranges(curve, number, exact, draw) | {"lines": lines(curve, number)})
    spans = {value: np.array([row[value] for row in rows]) for value in rows[0]}
    return {"data": name, "exact": exact, "people": number, "few": few, "truth": truth, "spans": spans}


def holds(found, value):
    low, high = found["spans"][value].T
    return (low <= found["truth"]) & (found["truth"] <= high)


def cells_of(found):
    shown = [found["data"], f"{found['people']:,}", f"{found['few']:,}", f"{found['truth']:.1%}"]
    for value in (getattr(module, CONSTANTS[found["exact"]][0]), "lines"):
        width = np.median(np.diff(found["spans"][value], axis=1))
        shown += [f"{holds(found, value).mean():.0%}", f"{width:.1%}"]
    return shown


def summed_up(found):
    """Share covered, and the median of how wide the range is beside the lines'."""
    covered, ratio = [], []
    for each in found:
        used = getattr(module, CONSTANTS[each["exact"]][0])
        covered += list(holds(each, used))
        widths = (np.diff(each["spans"][value], axis=1).ravel() for value in (used, "lines"))
        ratio += list(np.divide(*widths))
    return np.mean(covered), np.median(ratio)


def chosen(found, exact):
    """What each half of the data would choose, and the share of the other half's cases that this covers."""
    _, values, *halves = CONSTANTS[exact]
    for mine, others in (halves, halves[::-1]):
        covers = [
            {
                value: np.mean([holds(each, value) for each in found if each["data"].startswith(half)])
                for value in values
            }
            for half in (mine, others)
        ]
        choice = next((value for value in values if covers[0][value] >= 0.95), values[-1])
        yield choice, covers[1][choice]


COLUMNS = "data | people | predicted from | truth | covered | width | covered by lines | width of lines"


def lay_out(found):
    logs, tables = ([each for each in found if each["exact"] is exact] for exact in (False, True))
    (of_checkins, others), (of_calls, others_too) = chosen(logs, False)
    (of_acs, adults), (of_adult, acs) = chosen(tables, True)
    constants = f"""The range rests on two constants. For logs, the share of people who count as independent: check-ins
        and Gowalla alone would choose {of_checkins:.2g}, which covers {others:.0%} of the purchases' and calls' cases;
        those alone would choose {of_calls:.2g}, which covers {others_too:.0%} of the others; {module.INDEPENDENT} is
        used. For tables, the factor of the misfit: ACS alone would choose {of_acs:g}, which covers {adults:.0%} of
        adult's cases, and adult alone {of_adult:g}, which covers {acs:.0%} of those of ACS; {module.MISFIT} is used."""
    shares = [summed_up(some) for some in (logs, tables, found)]
    told = [
        f"{covered:.1%} covered, with a median width {width:.2f} times that of the lines" for covered, width in shares
    ]
    ends = f"Logs: {told[0]}. Tables: {told[1]}. Together: {told[2]}."
    return f"{page.prose(constants)}\n\n{page.table(COLUMNS, [cells_of(each) for each in found])}\n\n{page.prose(ends)}"


SECTIONS = {"extrapolation": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--log", action="append", help="only this one; may be given several times")
    asked, opening = parser.parse_args(), page.head()
    page.whole(asked, "log")
    rng, found = np.random.default_rng(1), []
    print(page.table(COLUMNS, []), flush=True)
    for case in cases(page.data(), asked.log, rng):
        for part in (3, 10):
            if case[2] // part >= FEWEST:
                found.append(predict(case, part, asked.draws, rng))
                print(f"| {' | '.join(cells_of(found[-1]))} |", flush=True)
    for kind in dict.fromkeys(each["exact"] for each in found):
        covered, width = summed_up([each for each in found if each["exact"] is kind])
        print(f"{'tables' if kind else 'logs'}: {covered:.1%} covered; in the median {width:.2f} times as wide")
    page.write_sections(asked.write, f"{opening} {asked.draws} draws each.", SECTIONS, found)


if __name__ == "__main__":
    main()
