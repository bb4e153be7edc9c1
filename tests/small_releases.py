"""A small log that was protected: the file that goes out, its key, and what an intruder knows."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pyarrow as pa
import pyarrow.csv

from singleout.assessment.release import release
from singleout.assessment.release_options import ReleaseOptions
from tests.small_logs import DAY, START

COLUMNS = {"user": "who", "time": "when", "place": "where"}


@dataclass(frozen=True)
class SmallRelease:
    """Paths of the log, of the protected file and of its key."""

    log: Path
    protected: Path
    key: Path


@cache
def small_log():
    """Forty people over six weeks, each with a place they prefer."""
    rng = np.random.default_rng(4)
    user = np.repeat(np.arange(40), 30)
    place = np.where(rng.random(len(user)) < 0.5, user % 13, rng.integers(0, 25, len(user)))
    table = pa.table(
        {
            "who": [f"anna{each:02}" for each in user],
            "when": START + rng.integers(0, 42 * DAY, len(user)),
            "where": [f"clinic {each}" for each in place],
        }
    )
    file = Path(mkdtemp()) / "log.csv"
    pyarrow.csv.write_csv(table, file)
    return file


@cache
def small_release(**protection):
    """What protect would write; strengths are single values."""
    asked = ReleaseOptions(**COLUMNS, **{name: [value] for name, value in protection.items()})
    made = release(asked.read(small_log()), asked, seed=5)
    folder = Path(mkdtemp())
    for name, table in (("protected.csv", made.table), ("key.csv", made.key)):
        pyarrow.csv.write_csv(table, folder / name)
    return SmallRelease(small_log(), folder / "protected.csv", folder / "key.csv")
