"""Direct identifiers are found by what a column holds, and exact measurements are not taken for them."""

import hashlib

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.reading.identifiers import LEAST_ROWS, find_identifiers, refuse_distinct, refuse_identifiers
from singleout.reading.sources import open_source

N = 400
RNG = np.random.default_rng(0)
SHUFFLED = RNG.permutation(N)
SECOND = 1_700_000_000 + RNG.choice(10**7, N, replace=False)


def found_in(values, name="column"):
    table = so.read_table(pa.table({name: values, "sex": ["f", "m"] * (len(values) // 2)}))
    return {each.column: each.reason for each in find_identifiers(table, table.columns)}.get(name)


EVERY = "a different value in every row"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([f"p{k}@example.org" for k in SHUFFLED], "e-mail addresses"),
        ([f"p{k % 5}@example.org" for k in SHUFFLED], "e-mail addresses"),
        (["a@example.org", "b@example.org", None, ""], "e-mail addresses"),
        ([f"+49 30 {100_000 + k % 50}" for k in SHUFFLED], "phone numbers"),
        ([f"0171/{1_000_000 + k}" for k in SHUFFLED], "phone numbers"),
        ([f"(030) {100_000 + k}" for k in SHUFFLED], "phone numbers"),
        ([f"555-010-{1_000 + k}" for k in SHUFFLED], "phone numbers"),
        (SHUFFLED, EVERY),
        (SHUFFLED.astype(float), EVERY),
        ([str(k) for k in SHUFFLED], EVERY),
        ([f"{k:06}" for k in SHUFFLED], EVERY),
        (10**9 + SHUFFLED, EVERY),
        ([1_000_003 * int(k + 1) % 8_999_999_993 + 10**9 for k in SHUFFLED * 7_919], EVERY),
        (4_000 + 13 * SHUFFLED, EVERY),
        ([f"{k + 1}" * 5_000 for k in SHUFFLED], EVERY),
        ([f"EMP-{k}" for k in SHUFFLED], EVERY),
        ([f"{k}X" for k in SHUFFLED], EVERY),
        ([hashlib.sha256(str(k).encode()).hexdigest() for k in SHUFFLED], EVERY),
        ([f"Person {k} of this town" for k in SHUFFLED], EVERY),
        ([f"EMP-{max(k, 10)}" for k in SHUFFLED], "a different value in nearly every row"),
        ([max(int(k), 10) for k in SHUFFLED], "a different value in nearly every row"),
        ([None if k % 2 else f"EMP-{k}" for k in SHUFFLED], EVERY),
    ],
)
def test_addresses_phone_numbers_and_codes_of_ones_own_identify(values, reason):
    assert found_in(values) == reason


@pytest.mark.parametrize(
    "values",
    [
        RNG.uniform(47, 55, N),
        [f"{x:.6f}" for x in RNG.uniform(47, 55, N)],
        [f"{x:.6f}".replace(".", ",") for x in RNG.uniform(47, 55, N)],
        [f"{x:.5f}, {x / 3:.5f}" for x in RNG.uniform(47, 55, N)],
        [f"POINT({x:.5f} {x / 3:.5f})" for x in RNG.uniform(47, 55, N)],
        [f"+{x:.2f}" for x in RNG.uniform(10**6, 10**7, N)],
        [f"€ {x:.2f}" for x in RNG.uniform(0, 10**5, N)],
        [f"{x:,.2f} EUR" for x in RNG.uniform(0, 10**5, N)],
        RNG.integers(20_000, 100_000, N),
        [str(x) for x in RNG.integers(20_000, 100_000, N)],
        RNG.integers(0, 10**7, N) ** 2 // 10**7,
        RNG.gamma(2.0, 300.0, N),
        SECOND,
        [str(second) for second in SECOND],
        SECOND * 1_000,
        pa.array(SECOND, pa.timestamp("s")),
        [f"2024-05-{1 + k % 28:02} 08:{k % 60:02}:{k // 60:02}" for k in SHUFFLED],
        [f"{1 + k % 28:02}.{1 + k % 12:02}.{1930 + k % 70}" for k in SHUFFLED],
        [f"{1930 + k % 70}{1 + k % 12:02}{1 + k % 28:02}" for k in SHUFFLED],
        17 * SHUFFLED,
        RNG.integers(18, 90, N),
        [f"town {k % 300}" for k in SHUFFLED],
        [f"{k}" for k in SHUFFLED % 300],
    ],
)
def test_measurements_amounts_times_and_what_repeats_do_not(values):
    assert found_in(values) is None


def test_a_small_table_says_nothing_about_distinct_values():
    few = [f"EMP-{k}" for k in range(LEAST_ROWS - 2)]
    assert found_in(few) is None
    assert found_in([*few, "EMP-x", "EMP-y"]) == EVERY


def test_names_of_attributes_speak_against_codes_and_names_of_ids_for_them():
    scattered = [int(k) for k in 100_000 + 2_003 * (SHUFFLED + 1) % 800_003]
    assert found_in(scattered) is None
    assert found_in(scattered, "employee_no") == EVERY
    postcodes = [f"AB{k % 90} {k % 10}XY{k // 10}" for k in SHUFFLED]
    assert found_in(postcodes, "answer") == EVERY
    assert found_in(postcodes, "postcode") is None
    assert found_in([f"p{k}@example.org" for k in SHUFFLED], "region") == "e-mail addresses"


PEOPLES_NAMES = [f"{first}{last}" for first in ("Ann", "Bo", "Cleo") for last in ("a", "son", "berg", "sen")]
ADDRESSES = [f"{name} Street {number}" for number, name in enumerate(PEOPLES_NAMES)]
LOCAL_PARTS = [f"{name.lower()}.x" for name in PEOPLES_NAMES]
NUMBERS = [f"{number}-{number * 7}" for number in range(4_000, 4_012)]


def repeated(values):
    """Every value in many rows, so that none is distinct."""
    return [values[k % len(values)] for k in range(N)]


@pytest.mark.parametrize(
    "name",
    [
        "forename", "FORENAME", "First Name", "first_name", "firstName", "given-name", "GivenName", "surname",
        "last name", "LastName", "family_name", "name", "Name", "full_name", "maiden name", "mother's maiden name",
        "Vorname", "Nachname", "Familienname", "Geburtsname", "Vor- und Nachname", "Name, Vorname", "nom", "prénom",
        "Prénoms", "nom de famille", "nombre", "Nombre completo", "apellido", "Primer apellido", "cognome",
        "patientName", "customer_name", "student name 1", "What is your name?", "name of next of kin",
    ],
)  # fmt: skip
def test_a_column_named_for_names_of_people_identifies_them_though_its_values_repeat(name):
    assert found_in(repeated(PEOPLES_NAMES), name) == "names of people, by its name"


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("E-Mail", LOCAL_PARTS, "e-mail addresses"),
        ("email_address", LOCAL_PARTS, "e-mail addresses"),
        ("Street", ADDRESSES, "postal addresses"),
        ("Straße", ADDRESSES, "postal addresses"),
        ("home_address", ADDRESSES, "postal addresses"),
        ("streetName", ADDRESSES, "postal addresses"),
        ("phone", NUMBERS, "phone numbers"),
        ("MobilePhone", NUMBERS, "phone numbers"),
        ("Tel.", NUMBERS, "phone numbers"),
        ("telefon", [49_301_234_000 + k for k in range(12)], "phone numbers"),
        ("IBAN", NUMBERS, "account or card numbers"),
        ("account number", NUMBERS, "account or card numbers"),
        ("SSN", NUMBERS, "official numbers of people"),
        ("social_security_no", NUMBERS, "official numbers of people"),
        ("passportNumber", NUMBERS, "official numbers of people"),
    ],
)
def test_a_column_named_for_addresses_or_numbers_of_people_identifies_them(name, values, reason):
    assert found_in(repeated(values), name) == f"{reason}, by its name"


@pytest.mark.parametrize(
    "name",
    [
        "place_name", "shop name", "shopName", "username of column", "country name", "company_name", "file name",
        "drug name", "nom_commune", "nombre_empresa", "name_hash", "surname_length", "Ortsname", "email_domain",
        "street_type", "address_city", "mobile_brand", "phone_type", "account name", "passport", "IBAN_country",
        "user_name", "first", "rename", "tele", "column of the name",
    ],
)  # fmt: skip
def test_words_that_qualify_something_other_than_a_person_do_not(name):
    assert found_in(repeated(PEOPLES_NAMES), name) is None


def test_a_handful_of_values_initials_and_counts_are_no_names_whatever_the_column_is_called():
    assert found_in(repeated(PEOPLES_NAMES[:5]), "forename") is None
    assert found_in(repeated(PEOPLES_NAMES[:6]), "forename") == "names of people, by its name"
    assert found_in(repeated([*PEOPLES_NAMES, "-", "0"]), "forename") == "names of people, by its name"
    assert found_in(repeated(list("ABCDEFGHIJ")), "first_name") is None
    assert found_in(repeated(list(range(12))), "nombre") is None
    assert found_in(repeated(list(range(12))), "phone") is None


def test_the_order_of_rows_does_not_matter():
    values = [f"p{k}@example.org" if k % 2 else f"+49 30 {100_000 + k}" for k in range(N)]
    assert found_in(values) == found_in(values[::-1])


def test_a_refusal_names_columns_and_never_a_value():
    table = so.read_table(pa.table({"mail": [f"SECRET{k}@example.org" for k in range(60)], "no": list(range(60))}))
    with pytest.raises(so.DataError, match=r"'mail' \(e-mail addresses\), 'no' \(a different value in every") as error:
        refuse_identifiers(table, table.columns, None, "audit")
    assert "drop=['mail', 'no']" in str(error.value)
    assert "SECRET" not in str(error.value)
    refuse_identifiers(table, table.columns, ("mail", "no"), "audit")
    with pytest.raises(so.SourceError, match="is not a column"):
        refuse_identifiers(table, table.columns, ("nobody",), "audit")


def test_a_name_that_a_shell_would_misread_is_not_put_into_a_command():
    table = so.read_table(pa.table({"full name": [f"name {k} of many" for k in range(60)]}))
    with pytest.raises(so.DataError, match=r"'full name' .*drop=\['COLUMN'\]"):
        refuse_identifiers(table, table.columns, None, "audit")


def test_places_that_hardly_occur_twice_are_refused():
    log = open_source(pa.table({"receipt": [f"r{k}" for k in range(N)], "shop": [f"s{k % 9}" for k in range(N)]}))
    refuse_distinct(log, {"place": "shop"}, None, "audit")
    refuse_distinct(log, {"place": None}, None, "audit")
    refuse_distinct(log, {"place": "receipt"}, ("receipt",), "audit")
    with pytest.raises(so.DataError, match=r"column 'receipt' has a different value in every row.*allow=\['receipt'\]"):
        refuse_distinct(log, {"place": "receipt"}, None, "audit")


@pytest.mark.parametrize("name", ["census", "eia", "tarragona"])
def test_exact_amounts_in_real_tables_are_no_identifiers(name, real_data):
    table = so.read_table(real_data("microagg_benchmarks") / f"{name}.parquet")
    assert find_identifiers(table, table.columns) == ()


@pytest.mark.parametrize("name", ["Personalnummer", "Kunden-Nr", "staff_no", "employee number", "patientId"])
def test_numbers_of_people_that_repeat_are_identifiers_by_their_name(name):
    numbers = [7_000_001 + n % 200 for n in range(440)]  # some people have several rows
    (found,) = find_identifiers(
        so.read_table(pa.table({name: numbers, "age": [n % 60 for n in range(440)]})), [name, "age"]
    )
    assert (found.column, found.reason) == (name, "numbers of people, by its name")
