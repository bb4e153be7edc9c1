"""What the plan of an audit expects each step to take, which --time-limit goes by, and what the steps then take.

    SINGLEOUT_DATA=… python benchmarks/planning.py [--only WORD …] [--write]

Audits with defaults, each in a process of its own with kernels compiled before. Steps are timed from inside the audit.
"""

import os
import time
from contextlib import contextmanager
from pathlib import Path

import page
from measured import measured

READING = "reading and counting"
GEOLIFE = {"lat": "lat_e5", "lng": "lon_e5", "coordinate_scale": 1e-5, "grid": 500.0}
PLACE = {"place": "place"}
LOGS = {
    "300 callers": ("callers", 300),
    "1,000 callers": ("callers", 1_000),
    "4,000 callers": ("callers", 4_000),
    "20,000 callers": ("callers", 20_000),
    "5,000 travel cards": ("cards", 5_000),
    "web_proxy_150users": ("visits.parquet", PLACE),
    "foursquare_nyc": ("checkins.parquet", PLACE),
    "gowalla_nyc": ("checkins.parquet", PLACE),
    "geolife": ("points_thin60s_e5.parquet", GEOLIFE),
    "completejourney": ("purchases.parquet", PLACE),
}


def source(name):
    """A log, and how it is read."""
    import travel_cards

    import singleout as so

    kind, asked = LOGS[name]
    if kind == "callers":
        return so.synthetic_calls(people=asked, seed=1, preset="heavy-tail").table, {"user": "user", **PLACE}
    if kind == "cards":
        return travel_cards.travel_cards(asked), {"user": "card", "place": "stop"}
    return Path(os.environ["SINGLEOUT_DATA"]) / name / kind, {"user": "user", **asked}


def timed_audit(name):
    """Seconds that each step was expected to take, and did."""
    import singleout as so
    from singleout.assessment import audit as module
    from singleout.ground.progress import Steps

    expected, taken = {}, {}
    plan, step = module.plan_audit, Steps.step

    def note_plan(*arguments):
        found = plan(*arguments)
        expected.update(found.seconds)
        return found

    @contextmanager
    def note_step(self, label):
        started = time.perf_counter()
        with step(self, label):
            yield
        taken[label] = time.perf_counter() - started

    small = so.synthetic_calls(people=60, seed=1).table
    so.audit(small, user="user", time="time", place="place", progress=False)
    module.plan_audit, Steps.step = note_plan, note_step
    log, columns = source(name)
    so.audit(log, time="time", **columns, progress=False)
    return expected, taken


def lay_out(found):
    """Seconds expected and taken; reading is over when the plan is made."""
    steps = [step for step in next(iter(found.values()))[0] if step != READING]
    rows = []
    for name, (expected, taken) in found.items():
        cells = [f"{expected[step]:.1f} / {taken[step]:.1f}" if step in taken else "" for step in steps]
        whole = [sum(each[step] for step in taken) for each in (expected, taken)]
        rows.append((name, *cells, f"{whole[0]:.0f} / {whole[1]:.0f}", f"{whole[0] / whole[1]:.2f}"))
    return page.table(" | ".join(["log", *steps, "in all", "ratio"]), rows)


SECTIONS = {"planning": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="only logs whose name has this word")
    asked = parser.parse_args()
    page.data()
    page.whole(asked, "only")
    opening, found = page.head(timed=True), {}
    for name in LOGS:
        if not asked.only or any(word in name for word in asked.only):
            found[name], *_ = measured(timed_audit, name)
            print(
                name,
                {step: tuple(round(each.get(step, 0), 2) for each in found[name]) for step in found[name][0]},
                flush=True,
            )
    print(lay_out(found))
    page.write_sections(asked.write, opening, SECTIONS, found)


if __name__ == "__main__":
    main()
