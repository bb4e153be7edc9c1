"""What a column most likely is: an event log is told from a table by the ids that repeat in it."""

from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.reading.roles import signs_of_events
from singleout.reading.sources import open_source

DAYS = [f"2024-05-{1 + k % 28:02} 08:{k % 60:02}:00" for k in range(300)]
HALF = [k // 2 for k in range(300)]
OWN = list(range(300))


def likely_event_log(source, known=()):
    """The evidence that rows are events, where it is strong enough to refuse them as a table."""
    found = signs_of_events(source, known)
    return found if found is not None and found.sure else None


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
        ({"customer_order_id": OWN, "customer_id": HALF, "ordered_at": DAYS}, "customer_id"),
        ({"id": OWN, "user_id": HALF, "created_at": DAYS}, "user_id"),
        ({"resp_id": OWN, "interviewer_id": HALF, "start": DAYS}, None),
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
    right = r"(?s)this looks like an event log.* audit .*taps.csv --user card_id --time time --place stop_id\n"
    with pytest.raises(so.DataError, match=right):
        so.audit(tmp_path / "taps.csv", options=options)
    said = so.AuditOptions(known_columns=("card_id", "stop_id"), one_row_per_person=True, drop=("time",))
    audit = so.audit(tmp_path / "taps.csv", options=said)
    assert audit.options["one_row_per_person"] is True


ODD_NAMES = (
    "household_key", "hash", "caller", "Kundennummer", "x1", "col_a", "cookie", "plate", "email", "ip", "name", "who",
    "handle",
)  # fmt: skip


def log_of(name, each, *, time=True, ids=50):
    """Some ids, each with some events at random places and times, in the order of time."""
    random = np.random.default_rng(each)
    rows = ids * each
    moments = np.sort(random.integers(1_700_000_000, 1_702_000_000, rows)).astype("datetime64[s]")
    columns = {
        name: [f"u{k:03}" for k in random.permutation(np.repeat(np.arange(ids), each))],
        "place": [f"p{k}" for k in random.integers(0, 12, rows)],
        "time": [str(moment).replace("T", " ") for moment in moments],
    }
    return pa.table(columns if time else {key: columns[key] for key in (name, "place")})


@pytest.mark.parametrize("each", [2, 20, 200])
@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_log_is_refused_by_its_values_whatever_its_ids_are_called(name, each):
    found = signs_of_events(open_source(log_of(name, each)), ["place"])
    assert found.sure or (name, each) == ("household_key", 2), "two rows of a household may be two people"
    assert (found.user, found.values, found.rows, found.time) == (name, 50, 50 * each, "time")


@pytest.mark.parametrize("each", [7, 20])
@pytest.mark.parametrize("name", ODD_NAMES)
def test_ids_that_repeat_without_a_time_get_no_all_clear(name, each):
    log = log_of(name, each, time=False)
    found = so.audit(log, known_columns=("place",), max_risk=0.5, protect=False, progress=False)
    assert found.risk.high < 0.5
    assert not found.meets_limit
    assert not found.passed
    assert "may be far too low" in found.verdict()
    assert "within" not in found.verdict()
    assert f"column '{name}' has 50 values" in found.doubt
    assert f"audit them as an event log (--user {name} --place place), with the column of times or" in found.doubt
    said = so.audit(log, known_columns=("place",), max_risk=0.5, protect=False, one_row_per_person=True, progress=False)
    assert said.passed


def test_without_a_limit_a_doubt_fails_no_gate():
    found = so.audit(log_of("x1", 20, time=False), known_columns=("place",), protect=False, progress=False)
    assert found.passed
    assert found.to_dict()["meets_limit"] is None
    assert found.doubt
    assert found.to_dict()["doubt"] == found.doubt


@pytest.mark.parametrize(
    "moment",
    ["%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%Y%m%d%H%M%S", "%H:%M:%S", "%Y-%m-%dT%H:%M:%S+01:00", "%d.%m.%Y"],
)
def test_times_are_times_in_any_spelling(moment):
    times = [(datetime(2024, 1, 1) + timedelta(minutes=977 * k)).strftime(moment) for k in range(300)]
    columns = {"x1": HALF, "spot": [f"{k} St" for k in HALF], "t": times, "u": OWN, "v": OWN, "w": OWN}
    assert signs_of_events(open_source(pa.table(columns))).time == "t"


def test_rows_that_share_a_body_are_one_person():
    columns = {"x1": HALF, "age": [20 + k % 50 for k in HALF], "sex": [k % 2 for k in HALF]}
    others = {f"c{k}": OWN for k in range(4)}
    assert signs_of_events(open_source(pa.table(columns | others))).user == "x1"
    older = {"x1": HALF, "age": [20 + k % 50 for k in OWN], "sex": [k % 2 for k in HALF]}
    assert signs_of_events(open_source(pa.table(older | others))).user == "x1", (
        "a person's age changes, the sex does not"
    )
    uneven = [k if k % 3 else k // 2 for k in HALF]
    strangers = {"x1": uneven, "age": [20 + k % 50 for k in OWN], "sex": [k % 2 for k in OWN]}
    assert signs_of_events(open_source(pa.table(strangers | others))) is None
    assert signs_of_events(open_source(pa.table(strangers))) is None, "nobody has several ages and sexes"


def test_values_that_all_occur_equally_often_are_the_people_of_a_panel():
    """Whatever their column is called, and though nothing else stays the same."""
    each = {"Kürzel": [f"{7_919 * k % 1_000_003:06d}" for k in range(400) for _ in range(3)]}
    other = {
        "wave": [2019, 2021, 2023] * 400,
        "age": [k % 71 for k in range(1_200)],
        "sex": [k % 2 for k in range(1200)],
    }
    more = {"zip": [8_000 + k % 37 for k in range(1_200)], "ill": [k % 5 for k in range(1_200)]}
    found = signs_of_events(open_source(pa.table(each | other | more)), ["age", "sex"])
    assert (found.user, found.sure) == ("Kürzel", False)
    assert signs_of_events(open_source(pa.table(each | other | more)), ["Kürzel"]) is None, "what an intruder knows"
    once_more = {name: [*values, values[0]] for name, values in (each | other | more).items()}
    assert signs_of_events(open_source(pa.table(once_more))) is None, "one of them once more"


def test_few_people_are_seen_where_their_ids_can_be_nothing_else():
    ids = [f"{k % 8:08x}-0000-4000-8000-{k % 8:012x}" for k in range(300)]
    columns = {"x1": ids, "place": HALF, "amount": OWN, "a": OWN, "b": OWN, "c": OWN}
    found = signs_of_events(open_source(pa.table(columns)), ["place"])
    assert (found.user, found.sure) == ("x1", False)


def test_decimal_numbers_are_doubted_only_where_hardly_anything_else_could_be_the_id():
    few = {"k": [k / 7 for k in HALF], "spot": [f"{k % 3} St" for k in OWN]}
    found = signs_of_events(open_source(pa.table(few)), ["spot"])
    assert (found.user, found.sure) == ("k", False)
    assert signs_of_events(open_source(pa.table(few | {f"c{k}": OWN for k in range(5)})), ["spot"]) is None


def test_a_household_is_no_person_unless_too_much_happens_in_it():
    some = {"age": [k % 90 for k in OWN], "sex": [k % 2 for k in OWN]}
    assert signs_of_events(open_source(pa.table({"household_id": HALF} | some))) is None
    assert not signs_of_events(open_source(pa.table({"household_id": HALF, "asked_at": DAYS} | some))).sure
    busy = pa.table({"household_id": [k // 10 for k in OWN], "bought_at": DAYS, "product": OWN})
    assert signs_of_events(open_source(busy)).sure


@pytest.mark.parametrize("kind", ["{}@mail.example", "10.0.0.{}", "00:00:00:00:00:{:02}"])
def test_addresses_that_repeat_are_ids_without_a_time(kind):
    columns = {"q": [kind.format(10 + k % 50) for k in range(300)], "a": OWN, "b": OWN, "c": OWN, "d": OWN, "e": OWN}
    assert signs_of_events(open_source(pa.table(columns))).user == "q"


@pytest.mark.parametrize("unit", [1, 1_000, 1_000_000, 1_000_000_000])
def test_times_may_be_counts_since_1970_in_text_or_numbers(unit):
    seconds = [(1_700_000_000 + 977 * k) * unit for k in range(300)]
    for times in (seconds, list(map(str, seconds)), np.array(seconds, float)):
        assert likely_event_log(open_source(pa.table({"x1": HALF, "spot": HALF, "moved": times}))).user == "x1"


def survey(rows=2_000, seed=0, **more):
    """People with what many of them share: nothing of it is an id, however often it repeats."""
    random = np.random.default_rng(seed)
    births = np.datetime64("1930-01-01") + random.integers(0, 29_000, rows)
    columns = {
        "age": random.integers(18, 90, rows),
        "sex": random.integers(0, 2, rows),
        "state": [f"S{k}" for k in random.integers(0, 50, rows)],
        "birth": births.astype(str),
        "zip": random.integers(10_000, 10_400, rows),
        "income": random.integers(10, 80, rows) * 1_000,
        "occupation": [f"job {k}" for k in random.integers(0, 30, rows)],
    }
    return pa.table(columns | more)


def test_a_survey_is_never_refused():
    rows = 2_000
    random = np.random.default_rng(1)
    births = [f"{year}-{day:02}-01 00:00:00" for year, day in random.integers((1940, 1), (2000, 12), (rows, 2))]
    asked = (np.datetime64("2024-03-01T08:00:00") + random.integers(0, 10**6, rows)).astype(str)
    answers = {f"q{k}": random.integers(0, 5, rows) for k in range(4)}
    for more in (
        {"phone": ["mobile", "land"] * (rows // 2)},
        {"member": [0, 1] * (rows // 2)},
        {"account": ["a", "b", "c", "d"] * (rows // 4)},
        {"born": births},
        {"born": pa.array(births).cast(pa.timestamp("us"))},
        {"interviewed": asked},
        {"interviewed": asked, "code": random.integers(0, 300, rows), **answers},
        {"travel_time": random.integers(1, 90, rows)},
        {"household": random.integers(0, 900, rows)},
    ):
        assert likely_event_log(open_source(survey(**more)), ["age", "zip"]) is None, list(more)
    assert signs_of_events(open_source(survey())) is None


def test_two_values_are_no_ids_though_their_column_is_called_a_phone(tmp_path):
    lines = [f"{20 + k % 50},{k % 2},S{k % 40},{['mobile', 'land'][k % 2]}" for k in range(399)]
    (tmp_path / "t.csv").write_text("\n".join(["age,sex,state,phone", *lines]))
    options = so.AuditOptions(known_columns=("age", "sex"), protect=False)
    assert not so.audit(tmp_path / "t.csv", options=options, progress=False).doubt
    few = pa.table({"user_id": [1, 2, 3] * 100, "spot": OWN})
    assert likely_event_log(open_source(few)).user == "user_id"


def test_an_intruder_who_knows_the_column_or_a_number_of_records_makes_the_signs_unsure():
    log = log_of("x1", 20)
    assert not signs_of_events(open_source(log), ["x1", "place"]).sure
    numbered = log.append_column("person_id", pa.array(range(log.num_rows)))
    assert likely_event_log(open_source(numbered), ["place"]) is None


LOGS = (
    "foursquare_nyc/checkins", "gowalla_nyc/checkins", "web_proxy_150users/visits", "completejourney/purchases",
    "geolife/points_thin60s_e5",
)  # fmt: skip
TABLES = (
    "acs2024_householder/*.parquet", "arx_adult/adult.csv", "microagg_benchmarks/*", "link_febrl/*.parquet",
    "ihsn_suda_example/*",
)  # fmt: skip


@pytest.mark.parametrize("name", ["x1", "Kundennummer", "household_key"])
@pytest.mark.parametrize("log", LOGS)
def test_real_logs_are_refused_whatever_their_ids_are_called(log, name, real_data):
    folder, file = log.split("/")
    table = pq.read_table(real_data(folder) / f"{file}.parquet")
    renamed = table.rename_columns([name if column == "user" else column for column in table.column_names])
    assert likely_event_log(open_source(renamed), ["place"]).user == name


@pytest.mark.parametrize("pattern", TABLES)
def test_real_tables_are_not_refused(pattern, real_data):
    folder, name = pattern.split("/")
    tables = [file for file in sorted(real_data(folder).glob(name)) if file.suffix in (".csv", ".parquet")]
    assert tables
    for file in tables:
        assert likely_event_log(open_source(file)) is None, file.name
