"""Times that seem to count from zero are noted."""

from datetime import datetime

import pyarrow as pa
import pytest

import singleout as so
from singleout.measures.unicity import TimesKnown, times_known
from tests.small_sources import read


@pytest.mark.parametrize(
    ("times", "options", "noted"),
    [
        (pa.array([0, 3_600, 86_400 * 30]), {}, True),
        (pa.array([0.5, None, 86_400.0 * 30]), {}, True),
        (pa.array(["0", "7200", "86400"]), {}, True),
        (pa.array([0, 1_333_929_600, 5], pa.uint32()), {"time_unit": "ms"}, True),
        (pa.array([0, 24, 48]), {"time_unit": "h"}, True),
        (pa.array([0, 3_600, 1_333_929_600]), {}, False),
        (pa.array([-86_400 * 3_650, 3_600, 0]), {}, False),
        (pa.array(["1975-01-01 10:00:00", "1976-01-01 10:00:00", "1977-01-01 10:00:00"]), {}, False),
        (pa.array([datetime(1975, 1, 1)] * 3), {}, False),
    ],
)
def test_numbers_that_seem_to_count_from_zero_are_noted(times, options, noted):
    table = pa.table({"who": [1, 2, 3], "when": times, "where": ["a", "b", "a"]})
    notes = [note for note in so.histograms(read(table, **options)).notes if "count from zero" in note.why]
    assert bool(notes) == noted
    if noted:
        assert times_known(read(table, **options)) == TimesKnown.TIME
        (note,) = notes
        assert (note.count, note.what) == (3 - times.null_count, "events dated before 1980")
        assert f"time_unit={options.get('time_unit', 's')!r}" in note.why
