"""What a column most likely is: an event log is told from a table by the ids that repeat in it."""

import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.roles import likely_event_log
from singleout.reading.sources import open_source

DAYS = [f"2024-05-{1 + k % 28:02} 08:{k % 60:02}:00" for k in range(300)]
HALF = [k // 2 for k in range(300)]
OWN = list(range(300))


@pytest.mark.parametrize(
    ("columns", "user"),
    [
        ({"card_id": HALF, "stop_id": HALF, "time": DAYS}, "card_id"),
        ({"cardId": HALF, "stop": HALF}, "cardId"),
        ({"USER": HALF, "stop": HALF}, "USER"),
        ({"id": HALF, "value": OWN}, "id"),
        ({"Customer No": HALF, "value": OWN}, "Customer No"),
        ({"vehicle_id": HALF, "when": DAYS}, "vehicle_id"),
        ({"event_id": OWN, "user_id": HALF, "time": DAYS}, "user_id"),
        ({"card_id": OWN, "age": HALF}, None),
        ({"user_id": OWN, "region_id": HALF, "registered_at": DAYS}, None),
        ({"region_id": HALF, "age": HALF}, None),
        ({"customer_type": HALF, "age": HALF}, None),
        ({"person_id": [*OWN[:-1], 0], "age": HALF}, None),
        ({"id": [None] * 300, "age": HALF}, None),
    ],
)
def test_ids_of_people_that_repeat_are_the_sign_of_a_log(columns, user):
    found = likely_event_log(open_source(pa.table(columns)))
    assert (found and found.user) == user


def test_a_log_audited_as_a_table_is_refused_with_the_command_to_run(tmp_path):
    lines = [f"{card},{time},{stop}" for card, time, stop in zip(HALF, DAYS, OWN, strict=True)]
    (tmp_path / "taps.csv").write_text("\n".join(["card_id,time,stop_id", *lines]))
    options = so.AuditOptions(known_columns=("card_id", "stop_id"))
    right = r"this looks like an event log.* singleout audit taps.csv --user card_id --time time --place stop_id\n"
    with pytest.raises(so.DataError, match=right):
        so.audit(tmp_path / "taps.csv", options=options)
    said = so.AuditOptions(known_columns=("card_id", "stop_id"), one_row_per_person=True, drop=("time",))
    audit = so.audit(tmp_path / "taps.csv", options=said)
    assert audit.asked["one_row_per_person"] is True
