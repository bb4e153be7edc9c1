"""How far the probabilities of pairs can be trusted: stated against observed, in ten bins, on real logs.

    SINGLEOUT_DATA=… python benchmarks/probability.py [--log NAME …] [--write]

Every log split in halves and in weeks (GeoLife at 1,000 m, halves, all week starts), joint matching by js and by
evidence. The probability of a pair is fitted on other people (cross-fitting). A bin holds if the share that is right,
within its 95 % interval, agrees with what is stated; the Brier score is compared with that of stating the overall share
for everyone.
"""

import page

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


def judge(name, sides):
    """A row for each similarity."""
    counted = [so.histograms(side) for side in sides]
    for similarity in SIMILARITIES:
        matching = so.match(*counted, similarity=similarity, progress=False)
        found = so.probabilities(matching).reliability
        holding = sum(each.holds for each in found.bins)
        right = so.accuracy(matching).precision.value
        yield name, similarity, right, found.brier, found.base, holding, len(found.bins)


def measure(root, wanted):
    rows = []
    print("| case | similarity | right | Brier score | of stating the overall share | bins that hold |")
    print("|---|---|---|---|---|---|")
    for case in cases(root, wanted):
        for row in judge(*case):
            name, similarity, right, brier, base, held, bins = row
            print(f"| {name} | {similarity} | {right:.1%} | {brier:.3f} | {base:.3f} | {held} of {bins} |", flush=True)
            rows.append(row)
    held, bins = (sum(row[column] for row in rows) for column in (5, 6))
    print(f"{held} of {bins} bins hold ({held / bins:.1%})")
    return rows


def span(values, digits, unit=""):
    low, high = (f"{value:.{digits}f}" for value in (min(values), max(values)))
    return f"{low}{unit}" if len(values) == 1 else f"{low} to {high}{unit}"


def lay_out(rows):
    """One row a case; GeoLife's week starts together."""
    together = {}
    for name, similarity, *figures in rows:
        known = "geolife 1000 m, seven week starts" if name.startswith("geolife") else name
        together.setdefault((known, similarity), []).append(figures)
    cells = []
    for names, found in together.items():
        right, brier, base, held, bins = zip(*found, strict=True)
        shares = span([100 * share for share in right], 1, "%"), span(brier, 3), span(base, 3)
        cells.append([*names, *shares, f"{sum(held)} of {sum(bins)}"])
    columns = "case | similarity | right | Brier score | of stating the overall share | bins that hold"
    held, bins = (sum(row[column] for row in rows) for column in (5, 6))
    worse = sum(row[3] >= row[4] for row in rows)
    share = "every Brier score is" if not worse else f"all but {worse} of {len(rows)} Brier scores are"
    told = f"In all {held} of {bins} bins hold ({held / bins:.1%}), and {share} below that of stating the overall share"
    return f"{page.table(columns, cells)}\n\n{page.prose(told + ' for everyone.')}"


SECTIONS = {"probability": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--log", action="append", help="only this one; may be given several times")
    asked, opening = parser.parse_args(), page.head()
    page.whole(asked, "log")
    page.write_sections(asked.write, opening, SECTIONS, measure(page.data(), asked.log))


if __name__ == "__main__":
    main()
