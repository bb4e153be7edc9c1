"""Proposals say what each column is and why, by names, types and counts, and never show a value."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.forms import Form
from singleout.reading.proposals import Role, propose_roles
from singleout.reading.sources import open_source
from tests.small_files import write_xlsx

N = 600
START = dt.datetime(2025, 9, 1, 7, 0)
RNG = np.random.default_rng(0)
USERS = [f"SECRET-user-{k % 40}" for k in range(N)]
PLACES = [f"SECRET-place-{k % 90}" for k in range(N)]
SECONDS = [1_700_000_000 + 977 * k for k in range(N)]


def roles_of(columns, **given):
    proposal = propose_roles(open_source(pa.table(columns)), **given)
    assert "SECRET" not in str(proposal)
    assert all(each.reason for each in proposal.roles)
    return proposal, {each.column: each.role for each in proposal.roles}


def survey(**more):
    columns = {
        "employee_no": RNG.permutation(N) + 10_000,
        "mail": [f"SECRET{k % 200}@example.org" for k in range(N)],
        "birth_year": RNG.integers(1950, 2003, N),
        "sex": RNG.choice(["f", "m"], N),
        "salary": RNG.integers(20, 90, N) * 1_000,
        "answer": RNG.integers(0, 5, N),
    }
    return columns | more


def test_columns_of_an_event_log_are_recognised():
    log = {"person": USERS, "at": SECONDS, "shop": PLACES, "till": [k % 7 for k in range(N)], "qty": [1, 2] * (N // 2)}
    proposal, roles = roles_of(log)
    assert proposal.is_log
    assert roles == {
        "person": Role.USER, "at": Role.TIME, "shop": Role.PLACE, "till": Role.UNUSED, "qty": Role.COUNT,
    }  # fmt: skip
    assert proposal.options() == {"user": "person", "time": "at", "place": "shop", "count": "qty"}
    assert "40 values in 600 rows" in proposal.reason


@pytest.mark.parametrize(("unit", "factor"), [("ms", 1_000), ("us", 1_000_000), ("ns", 1_000_000_000)])
def test_the_unit_of_times_is_recognised(unit, factor):
    proposal, _ = roles_of({"user": USERS, "time": [second * factor for second in SECONDS], "place": PLACES})
    assert proposal.options()["time_unit"] == unit


def test_coordinates_are_proposed_where_no_column_is_named_for_places():
    where = {"lat": RNG.uniform(46, 47, N), "lon": RNG.uniform(6, 7, N)}
    proposal, roles = roles_of({"user": USERS, "time": SECONDS} | where)
    assert (roles["lat"], roles["lon"]) == (Role.LAT, Role.LNG)
    assert proposal.options() == {"user": "user", "time": "time", "lat": "lat", "lng": "lon", "grid": 1_000.0}
    _, roles = roles_of({"user": USERS, "time": SECONDS, "place": PLACES} | where)
    assert (roles["place"], roles["lat"]) == (Role.PLACE, Role.UNUSED)
    whole = {"lat_e6": (where["lat"] * 1e6).astype(int), "lng_e6": (where["lon"] * 1e6).astype(int)}
    proposal, _ = roles_of({"user": USERS, "time": SECONDS} | whole)
    assert proposal.options()["coordinate_scale"] == 1e-6


def test_a_place_without_a_name_is_the_column_with_most_values_that_repeat():
    log = {"user": USERS, "time": SECONDS, "a": [k % 3 for k in range(N)], "b": PLACES, "receipt": list(range(N))}
    _, roles = roles_of(log)
    assert roles["b"] == Role.PLACE
    assert roles["receipt"] == roles["a"] == Role.UNUSED


def test_columns_of_a_table_are_recognised():
    proposal, roles = roles_of(survey(weight=RNG.uniform(1, 40, N)))
    assert not proposal.is_log
    assert roles == {
        "employee_no": Role.NOT_RELEASED, "mail": Role.NOT_RELEASED, "birth_year": Role.KNOWN, "sex": Role.KNOWN,
        "salary": Role.SENSITIVE, "answer": Role.RELEASED, "weight": Role.WEIGHT,
    }  # fmt: skip
    assert proposal.options() == {
        "survey_weight": "weight", "known_columns": ["birth_year", "sex"], "drop": ["employee_no", "mail"],
        "sensitive": ["salary"],
    }  # fmt: skip


@pytest.mark.parametrize("name", ["weight", "weight_kg", "body_weight", "Gewicht"])
def test_the_weight_of_a_body_is_no_survey_weight(name):
    weight = {name: RNG.uniform(40, 120, N)}
    for more in (weight, weight | {"height": RNG.integers(150, 200, N)}, weight | {"diagnosis": ["a", "b"] * (N // 2)}):
        proposal, roles = roles_of(survey(**more))
        assert roles[name] == Role.RELEASED
        assert "survey_weight" not in proposal.options()
        (reason,) = [each.reason for each in proposal.roles if each.column == name]
        assert reason == "may be the weight of a body; if it is a survey weight, set survey_weight"


@pytest.mark.parametrize("name", ["survey_weight", "wgt", "pwgtp", "Gewichtung"])
def test_a_survey_weight_is_proposed_by_its_name(name):
    _, roles = roles_of(survey(**{name: RNG.uniform(40, 120, N), "diagnosis": ["a", "b"] * (N // 2)}))
    assert roles[name] == Role.WEIGHT


def test_without_a_name_known_columns_are_those_that_people_share():
    _, roles = roles_of({"x": RNG.integers(0, 30, N), "y": RNG.uniform(0, 1, N), "z": [7] * N})
    assert roles == {"x": Role.KNOWN, "y": Role.RELEASED, "z": Role.RELEASED}


def test_times_in_a_table_are_a_reason_to_look_again():
    proposal, roles = roles_of(survey(asked_at=SECONDS))
    assert roles["asked_at"] == Role.RELEASED
    few = {"q1": RNG.integers(0, 5, N), "sex": RNG.choice(["f", "m"], N), "asked_at": SECONDS}
    proposal, _ = roles_of(few)
    assert "column 'asked_at' holds times of day: if rows are events" in proposal.reason


@pytest.mark.parametrize(
    ("name", "when"),
    [
        ("who", [f"{k % 28 + 1:02}/09/2025" for k in range(N)]),  # dates may be birthdays, but lie close together
        ("cust_no", [f"2025-09-{k % 28 + 1:02}" for k in range(N)]),
        ("vehicle", [f"{k % 28 + 1:02}.09.25 08:{k % 60:02}" for k in range(N)]),  # a year of two digits
        ("who", [f"{977 * k}" for k in range(N)]),  # seconds from zero
    ],
)
def test_ids_that_repeat_alongside_days_are_those_of_events_and_the_table_is_named_too(name, when):
    proposal, roles = roles_of({name: [k % 40 + 1_000 for k in range(N)], "t": when, "where": PLACES})
    assert proposal.is_log
    assert roles == {name: Role.USER, "t": Role.TIME, "where": Role.PLACE}
    assert "if each row is a person, name what others know with --known-columns" in proposal.reason


def test_a_user_that_is_named_makes_it_a_log():
    proposal, roles = roles_of({"x": [k % 9 for k in range(N)], "time": SECONDS, "shop": PLACES}, user="x")
    assert proposal.is_log
    assert roles["x"] == Role.USER


def test_a_first_record_is_not_shown_as_names(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("SECRET,1970-01-01,17\n" + "x,1971-01-01,18\n" * 5)
    with pytest.raises(so.SourceError, match="does not look like column names, and is not shown") as error:
        propose_roles(open_source(file))
    assert "1970" not in str(error.value)
    for record in ("SECRET:x:1000:1000:SECRET,,,:/home/SECRET:/bin/sh", "SECRET,SECRET:Bern:45"):
        file.write_text("\n".join(record.replace("SECRET", name) for name in ("SECRET", "eva", "bob")))
        with pytest.raises(so.SourceError, match="does not look like column names, and is not shown") as error:
            propose_roles(open_source(file))
        assert "SECRET" not in str(error.value)
    file.write_text("Größe (cm),full name,sex\n" + "170,x,f\n180,y,m\n" * 5)
    assert len(propose_roles(open_source(file)).roles) == 3


@pytest.mark.parametrize("line", ["SECRET:Bern:45", "SECRET Meier", "SECRET ~ Bern ~ 45", "SECRET:x:0:0:root:/root"])
def test_a_file_read_as_one_column_is_refused_without_its_first_line(tmp_path, line):
    file = tmp_path / "people.csv"
    file.write_text(f"{line}\n" + line.replace("SECRET", "Eva") + "\n")
    ways = r"one column only as it was read, and its first line is not shown. Name the separator with delimiter, or the"
    with pytest.raises(so.SourceError, match=ways) as error:
        propose_roles(open_source(file))
    assert "SECRET" not in str(error.value)
    with pytest.raises(so.SourceError, match="Name the separator with delimiter, or the columns with colu") as error:
        so.read_table(file, columns=[line.replace("SECRET", "Secre")])
    assert "SECRET" not in str(error.value)
    if " ~ " not in line:
        return
    divided = open_source(file, form=Form(delimiter="~", columns_are=("name", "town", "age")))
    assert [each.column for each in propose_roles(divided).roles] == ["name", "town", "age"]


def test_a_first_record_of_a_sheet_is_not_shown_as_names(tmp_path):
    for rows in ([["SECRET", 45, "m"], ["x", 46, "f"]], [["SECRET"], ["x"]]):
        write_xlsx(tmp_path / "people.xlsx", {"S": rows})
        with pytest.raises(so.SourceError, match="is not shown") as error:
            propose_roles(open_source(tmp_path / "people.xlsx"))
        assert "SECRET" not in str(error.value)
        assert "separator" not in str(error.value)


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("foursquare_nyc/checkins", {"user": "user", "time": "time", "place": "place"}),
        ("completejourney/purchases", {"user": "user", "time": "time", "place": "place"}),
    ],
)
def test_real_logs_get_the_options_they_need(file, options, real_data):
    folder, name = file.split("/")
    assert propose_roles(open_source(real_data(folder) / f"{name}.parquet")).options() == options


@pytest.mark.parametrize("names", [("Ausweis", "Zeit", "Tür"), ("Carte", "heure", "arrêt"), ("badge", "time", "door")])
def test_a_badge_log_of_another_country_is_not_taken_the_wrong_way_round(names):
    """Doors look more like pseudonyms than badges do, which are small numbers."""
    times = [f"{1 + k % 28:02}.09.2025 {k % 24:02}:{k % 60:02}" for k in range(N)]
    columns = ([k % 120 for k in range(N)], times, [f"Gebäude {k * 7 % 200}" for k in range(N)])
    _, roles = roles_of(dict(zip(names, columns, strict=True)))
    assert list(roles.values()) == [Role.USER, Role.TIME, Role.PLACE]


def test_coordinates_may_have_german_names():
    where = {"Breite": RNG.uniform(46, 47, N), "Länge": RNG.uniform(6, 7, N)}
    proposal, _ = roles_of({"Ausweis": USERS, "Zeit": SECONDS} | where)
    assert proposal.options() == {"user": "Ausweis", "time": "Zeit", "lat": "Breite", "lng": "Länge", "grid": 1_000.0}


@pytest.mark.parametrize(
    ("name", "clock"),
    [("clock", "{0:02}:{1:02}"), ("Uhrzeit", "{0}:{1:02}:00"), ("hour", "{0}"), ("at", "{0:02}:{1:02}")],
)
def test_dates_and_times_of_day_in_two_columns_are_both_named(name, clock):
    days = [f"{1 + k % 28:02}.09.2025" for k in range(N)]
    times = [clock.format(k % 24, k % 60) for k in range(N)]
    proposal, _ = roles_of({"user": USERS, "day": days, name: times, "place": PLACES})
    assert proposal.options() == {"user": "user", "time": name, "date": "day", "place": "place"}


def test_small_numbers_are_no_hours_unless_they_are_named_so():
    days = [f"{1 + k % 28:02}.09.2025" for k in range(N)]
    proposal, _ = roles_of({"user": USERS, "day": days, "floor": [str(k % 24) for k in range(N)], "place": PLACES})
    assert proposal.options() == {"user": "user", "time": "day", "place": "place"}


def write_tracks(folder, names):
    for number, name in enumerate(names):
        rows = [f"2024-03-{1 + k % 28:02} {k % 24:02}:{k % 60:02}:00,stop{(k + number) % 9}" for k in range(60)]
        (folder / f"{name}.csv").write_text("\n".join(["time,stop", *rows]) + "\n")
    return folder


def test_files_with_times_and_without_ids_are_of_one_person_each(tmp_path):
    proposal = propose_roles(open_source(write_tracks(tmp_path, ["SECRETann", "SECRETbob", "SECRETcleo"])))
    assert proposal.is_log
    assert proposal.options() == {"user_from_name": True, "time": "time", "place": "stop"}
    assert proposal.reason == "3 files with times, and no column of ids: one file for each person"
    assert "SECRET" not in str(proposal)


@pytest.mark.parametrize("names", [["taps-2024-01", "taps-2024-02", "taps-2024-03"], ["ann", "bob"]])
def test_files_by_month_or_two_files_are_not_of_one_person_each(tmp_path, names):
    assert not propose_roles(open_source(write_tracks(tmp_path, names))).user_from_name


def written(form):
    return [(START + dt.timedelta(minutes=37 * k)).strftime(form) for k in range(N)]


@pytest.mark.parametrize("form", ["%d.%m.%Y %H:%M", "%Y-%m-%d %H:%M", "%d.%m.%Y"])
def test_a_few_values_that_are_no_times_do_not_hide_a_column_of_times(form):
    times = written(form)
    proposal, roles = roles_of({"user": USERS, "seen": times, "place": PLACES})
    what = "times" if "%H" in form else "dates"
    assert f"all its values are {what}" in [each.reason for each in proposal.roles]
    for row in (3, 8, 550):
        times[row] = "SECRET"
    proposal, roles = roles_of({"user": USERS, "seen": times, "place": PLACES})
    assert roles["seen"] == Role.TIME
    assert f"all but 3 of its values are {what}; correct or empty those" in [each.reason for each in proposal.roles]


def test_a_few_values_that_are_no_times_of_day_are_counted_too():
    days, clocks = written("%d.%m.%Y"), written("%H:%M")
    days[7], clocks[8], clocks[590] = "SECRET", "SECRET", "SECRET"
    proposal, roles = roles_of({"user": USERS, "day": days, "clock": clocks, "place": PLACES})
    assert (roles["day"], roles["clock"]) == (Role.DATE, Role.TIME)
    reasons = {each.column: each.reason for each in proposal.roles}
    assert reasons["day"].startswith("all but 1 of its values are dates")
    assert reasons["clock"] == "all but 2 of its values are times of day, without a date; correct or empty those"


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("seen", "%d-%b-%y %Hh%M"),
        ("seen", "%a %b %d %Y %H.%M"),
        ("seen", "%B %d, %Y %H:%M"),
        ("seen", "%Y.%m.%d %H:%M"),
        ("time", "%d%b%H%M"),
    ],
)
def test_a_column_of_text_that_may_be_times_asks_for_its_format(name, form):
    proposal, roles = roles_of({"user": USERS, name: written(form), "place": PLACES})
    assert roles[name] == Role.TIME
    (reason,) = [each.reason for each in proposal.roles if each.column == name]
    assert reason.endswith("in a format that is not recognised: add --time-format '%d/%m/%Y %H:%M'")


@pytest.mark.parametrize("clock", [None, "clock"])
def test_dates_whose_day_and_month_could_be_swapped_ask_for_their_format(clock):
    days = [f"{1 + k % 12:02}/{1 + k % 11:02}/2025" for k in range(N)]
    clocks = {} if clock is None else {clock: written("%H:%M")}
    proposal, roles = roles_of({"user": USERS, "day": days, **clocks, "place": PLACES})
    assert roles["day"] == (Role.TIME if clock is None else Role.DATE)
    after = "" if clock is None else " %H:%M"
    assert proposal.needs_format
    assert proposal.formats == (f"%d/%m/%Y{after}", f"%m/%d/%Y{after}")
    (reason,) = [each.reason for each in proposal.roles if each.column == "day"]
    flags = f"--time-format '%d/%m/%Y{after}' or '%m/%d/%Y{after}'"
    assert reason.endswith(f"; day and month could be swapped: add {flags}")
    days[7] = "28/02/2025"
    assert not roles_of({"user": USERS, "day": days, **clocks, "place": PLACES})[0].needs_format


def test_other_text_with_numbers_is_not_taken_for_times():
    other = {
        "ip": [f"10.{k % 30}.{k % 200}.77" for k in range(N)],
        "street_address": [f"{k % 90} Main Street 80{k % 90:02d}" for k in range(N)],
        "note": [f"version {k}" for k in range(N)],
    }
    _, roles = roles_of({"user": USERS, "place": PLACES, **other})
    assert Role.TIME not in roles.values()
