"""Spark frames: added up by Spark, whatever the time zone of its session."""

import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.reading import warehouse
from singleout.reading.warehouse import SPARK_ZONE
from tests.clusters import spark_session
from tests.warehouses import MOMENTS, READINGS, assert_same_audit, assert_same_counts, log_table

pytestmark = pytest.mark.heavy

pytest.importorskip("pyspark")
pytest.importorskip("ibis")
ZONE = "America/New_York"


@pytest.fixture(scope="module")
def frame(tmp_path_factory):
    file = tmp_path_factory.mktemp("spark") / "log.parquet"
    pq.write_table(log_table(), file)
    session = spark_session()
    session.conf.set(SPARK_ZONE, ZONE)
    yield session.read.parquet(str(file))
    session.stop()


@pytest.mark.parametrize("reading", [*READINGS.values(), MOMENTS], ids=[*READINGS, "moments"])
def test_events_are_added_up_by_spark(frame, reading, monkeypatch):
    monkeypatch.setattr(warehouse, "ROWS_AT_ONCE", 1_500)
    assert_same_counts(frame, log_table(), reading)
    assert frame.sparkSession.conf.get(SPARK_ZONE) == ZONE, "the user's session is as it was"


def test_a_table_is_read_as_what_it_holds(frame):
    columns = ["who", "spot", "lat"]
    there, here = (so.read_table(each, columns=columns) for each in (frame, log_table()))
    assert so.uniqueness(there, columns=columns).to_dict() == so.uniqueness(here, columns=columns).to_dict()
    assert frame.sparkSession.conf.get(SPARK_ZONE) == ZONE, "the user's session is as it was"


def test_audits_are_the_same(frame):
    assert_same_audit(frame, log_table(), protect=False)
