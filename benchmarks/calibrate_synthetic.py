"""Where the defaults of so.synthetic_calls and so.synthetic_wifi come from, and what they reach.

python benchmarks/calibrate_synthetic.py calls|wifi [--check]

The data of N16 (calls) and UN13 (campus Wi-Fi) is not public; synthetic people stand in for it. Their habits are
searched, one coordinate at a time, for what the papers print about their data: for calls the calls and antennas of a
person, the people active on both Mondays, and js accuracy at 1,000 people, drawn from all, and at 46,986; for Wi-Fi the
access points a day and Table I. The other weights, subset sizes, durations, sub-prefectures and merged days are not
aimed at. What was set by hand (calls by day and hour, how unequal people are, who comes and goes when) is listed in
docs/methods/synthetic-data.md. The search starts where a coarse grid by hand was best. Prints each step that comes
nearer, then the targets and what is reached on other seeds; --check only measures the defaults.
"""

import sys
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

import singleout as so
from singleout.papers.data_sets import CALLERS, DEVICES, WEEKS, active
from singleout.papers.unnikrishnan_naini_2013 import BOTH_DAYS, LONG, MONDAY, SHORT
from singleout.reading.synthetic.calls import MONDAY as FIRST_DAY
from singleout.reading.synthetic.calls import Habits, calls_of
from singleout.reading.synthetic.wifi import Campus, wifi_of

SEARCHED, CHECKED = (0,), (1, 2, 3)
NEAR_ENOUGH = 1.0
DRAWS, FEW = 20, 1_000


@dataclass(frozen=True)
class Target:
    """A printed figure; ``point`` is what weighs as much as one point of accuracy."""

    name: str
    printed: float
    point: float = 0.01


@dataclass(frozen=True)
class Calibration:
    """What is aimed at, where the search starts, and how far it steps."""

    targets: tuple[Target, ...]
    start: dict[str, float]
    steps: dict[str, float]
    measured_once: Any

    def measured(self, settings, seeds):
        return np.mean([self.measured_once(settings, seed) for seed in seeds], axis=0)

    def distance(self, figures):
        """How far from the targets, in points, root of the mean square."""
        off = [(figure - target.printed) / target.point for figure, target in zip(figures, self.targets, strict=True)]
        return float(np.sqrt(np.mean(np.square(off))))

    def show(self, settings, figures):
        reached = ", ".join(f"{target.name} {figure:.4g}" for target, figure in zip(self.targets, figures, strict=True))
        print(f"{self.distance(figures):5.2f} points off: {settings} -> {reached}", flush=True)

    def searched(self):
        """A coordinate at a time, up or down one step, for as long as that comes nearer and it is not near enough."""
        best, figures = self.start, self.measured(self.start, SEARCHED)
        self.show(best, figures)
        going = True
        while going and self.distance(figures) > NEAR_ENOUGH:
            going = False
            for name, change in ((name, sign * step) for name, step in self.steps.items() for sign in (1, -1)):
                candidate = best | {name: round(best[name] + change, 4)}
                if candidate[name] <= 0:
                    continue
                reached = self.measured(candidate, SEARCHED)
                if self.distance(reached) < self.distance(figures):
                    best, figures, going = candidate, reached, True
                    self.show(best, figures)
        return best


def of(kind, settings):
    """The habits among the settings; those that are not searched stay as they are."""
    return kind(**{field.name: settings[field.name] for field in fields(kind) if field.name in settings})


def accuracy(sides, **options):
    return so.accuracy(so.match(*sides, progress=False, **options)).rate.value


def calls(settings, seed):
    sizes = {"people": CALLERS, "antennas": 1_237, "regions": 237, "calls": 101.2}
    log = calls_of(of(Habits, settings), seed=seed, **sizes)
    weeks = so.split(log.events, by="dates", dates=WEEKS)
    sides = active(*(so.histograms(week, progress=False) for week in weeks))
    rng = np.random.default_rng(seed)
    few = [rng.choice(sides[0].people, FEW, replace=False).tolist() for _ in range(DRAWS)]
    at_few = np.mean([accuracy([side.only(people) for side in sides]) for people in few])
    user, time, place = (log.table[name].to_numpy() for name in ("user", "time", "place"))
    visited = len(np.unique(user * 10_000 + place)) / CALLERS
    day = (time - FIRST_DAY) // 86_400
    mondays = len(np.intersect1d(user[day == 0], user[day == 7])) / CALLERS
    return at_few, accuracy(sides), visited, len(user) / CALLERS, len(np.unique(place)), mondays


def wifi(settings, seed):
    log = wifi_of(of(Campus, settings), people=DEVICES, access_points=934, drift=settings["drift"], seed=seed)
    weeks = so.split(log.events, by="dates", dates=WEEKS)
    figures = []
    for window, days in ((LONG, MONDAY), (SHORT, MONDAY), (SHORT, BOTH_DAYS)):
        how = {"window": window, "days": days, "channel": "weekday" if days == BOTH_DAYS else None}
        sides = active(
            *(so.histograms(week, measure="dwell", whole_window=True, progress=False, **how) for week in weeks)
        )
        rates = [accuracy(sides, method=method, by="known") for method in ("joint", "one-by-one")]
        figures += [len(sides[0]), *rates]
        if window == LONG:
            points = np.diff(sides[0].counts.indptr).mean()
    return *figures, points


CALIBRATIONS = {
    "calls": Calibration(
        (
            Target("js at 1,000", 0.78),
            Target("js at 46,986", 0.211),
            Target("antennas a person", 6.7, 0.1),
            Target("calls a person", 101.2, 1.0),
            Target("antennas", 1_211, 10),
            Target("active on both Mondays", 30_937 / 46_986),
        ),
        {"routines": 14, "own": 0.25, "crowding": 0.25, "end": 0.1, "drift": 0.6, "uneven": 0.6},
        {"uneven": 0.05, "drift": 0.025, "crowding": 0.05, "routines": 1, "end": 0.005, "own": 0.05},
        calls,
    ),
    "wifi": Calibration(
        (
            *(
                Target(f"{days}: {name}", printed, point)
                for days, row in (
                    ("9 h", (1_154, 0.529, 0.445)),
                    ("10 h", (2_174, 0.430, 0.329)),
                    ("two days", (1_047, 0.705, 0.535)),
                )
                for name, printed, point in zip(("people", "all", "one"), row, (50, 0.01, 0.01), strict=True)
            ),
            Target("access points a person", 11, 1),
        ),
        {"lectures": 0.5, "away": 0.05, "steady": 3.0, "hops": 0.45, "reach": 20, "drift": 0.15},
        {"hops": 0.05, "drift": 0.025, "lectures": 0.1, "away": 0.05, "reach": 5, "steady": 1.0},
        wifi,
    ),
}
DEFAULTS = {
    "calls": asdict(Habits()),
    "wifi": asdict(Campus()) | {"drift": so.synthetic_wifi.__kwdefaults__["drift"]},
}


def main(what, *options):
    calibration = CALIBRATIONS[what]
    settings = DEFAULTS[what] if "--check" in options else calibration.searched()
    figures = calibration.measured(settings, CHECKED)
    print(f"\n{settings}\non seeds {CHECKED}:")
    for target, figure in zip(calibration.targets, figures, strict=True):
        print(f"{target.name:24} paper {target.printed:8.4g}  reached {figure:8.4g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
