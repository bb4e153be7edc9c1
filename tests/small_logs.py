"""Small histograms and event logs whose every count is seen at a glance."""

import numpy as np
import pyarrow as pa

import singleout as so

PLACES = ["bar", "café", "gym", "home"]


def side(counts, places=PLACES, first=0, **options):
    return so.Histograms(np.array(counts), [f"u{first + k}" for k in range(len(counts))], places, **options)


def events(rows, **options):
    user, when, place = zip(*rows, strict=True)
    table = pa.table({"user": user, "time": pa.array(when, pa.int64()), "place": place})
    return so.read_events(table, user="user", time="time", place="place", **options)


DAY = 86_400
MONDAY = 1_333_929_600
START = 15_000 * DAY
LOG = [("a", START + k * DAY, place) for k, place in enumerate(["bar", "café", "gym", "home", "home"])]
LOG += [("b", START, "gym")]


def counts_of(histograms):
    table = histograms.counts.toarray()
    return {
        (person, place): table[row, column]
        for row, person in enumerate(histograms.people.tolist())
        for column, place in enumerate(histograms.places.tolist())
        if table[row, column]
    }


COARSER = {"bar": "out", "café": "out", "gym": "out", "home": "in"}


def noisy_sides(people=40, places=12, seed=0):
    """The same people twice, each with tastes of their own and some luck."""
    rng = np.random.default_rng(seed)
    taste = rng.gamma(0.4, size=(people, places))
    ids, names = [f"u{k}" for k in range(people)], [f"p{k}" for k in range(places)]
    return [so.Histograms(rng.poisson(8 * taste) + (taste == taste.max(1)[:, None]), ids, names) for _ in "ab"]


def users_times_places(log):
    """The columns of a synthetic log."""
    return tuple(log.table[name].to_numpy() for name in ("user", "time", "place"))
