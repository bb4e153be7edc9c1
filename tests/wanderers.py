"""People who wander between places, as an event log and as a shelf of the papers' data."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import singleout as so
from singleout.papers.data_sets import CHECKINS, Shelf


def log_of(*people):
    """Each person's places one after another, an hour apart."""
    columns = {
        "user": np.repeat(np.arange(len(people)), [len(places) for places in people]),
        "time": np.concatenate([3_600 * np.arange(len(places)) for places in people]),
        "place": np.concatenate(people),
    }
    return so.read_events(pa.table(columns), user="user", time="time", place="place")


def wanderers(rng, people=12, visits=80):
    return [rng.zipf(1.5, visits) % (5 + person) for person in range(people)]


def shelf_of(folder, people):
    file = folder / CHECKINS.file
    file.parent.mkdir(parents=True)
    user = np.repeat(np.arange(len(people)), [len(places) for places in people])
    time = np.concatenate([3_600 * np.arange(len(places)) for places in people])
    pq.write_table(pa.table({"user": user, "time": time, "place": np.concatenate(people)}), file)
    return Shelf(folder, quick=True)
