"""Addresses of tables on servers; passwords are never shown."""

import pytest

import singleout as so
from singleout.reading.addresses import is_server, parse_address, refuse_password
from singleout.reading.locations import input_files
from singleout.reading.warehouse import _reason

SECRET = "postgresql://ann:hunter2@db.example:5432/health?table=visits&sslpassword=hunter3"


def test_what_is_shown_has_neither_passwords_nor_options():
    address = parse_address(SECRET)
    assert address.shown == "postgresql://ann@db.example:5432/health?table=visits"
    assert address.connection() == "postgres://ann:hunter2@db.example:5432/health?sslpassword=hunter3"
    assert (address.table, address.query, address.label) == ("visits", None, "visits")


def test_a_query_is_not_shown_either():
    address = parse_address("postgresql:///health?query=SELECT+*+FROM+v+WHERE+name%3D'Ann'")
    assert address.shown == "postgresql:///health?query=…"
    assert address.query == "SELECT * FROM v WHERE name='Ann'"
    assert address.label == "a query"


def test_variables_are_filled_in_late(monkeypatch):
    address = parse_address("snowflake://ann:${SECRET_OF_ANN}@account/db?table=v&schema=public")
    assert not address.plain
    assert address.shown == "snowflake://ann@account/db?table=v&schema=public"
    with pytest.raises(so.SourceError, match="names the environment variable SECRET_OF_ANN, which is not set"):
        address.connection()
    monkeypatch.setenv("SECRET_OF_ANN", "a/b@c")
    assert address.connection() == "snowflake://ann:a%2Fb%40c@account/db"


def test_a_password_on_the_command_line_is_refused_and_not_repeated():
    with pytest.raises(so.SourceError, match="everyone on this machine can read") as error:
        input_files(SECRET, "audit")
    assert "hunter" not in str(error.value)
    refuse_password(parse_address("postgresql://ann@db.example/health?table=visits"))
    assert input_files("postgresql://ann@db.example/health?table=visits", "audit") == ()


@pytest.mark.parametrize("rest", ["", "?table=", "?sslmode=require", "?table=a&query=b", "?query=b&schema=c"])
def test_a_table_or_a_query_is_named(rest):
    with pytest.raises(so.SourceError, match="names a table or a query|requires table="):
        parse_address(f"postgresql://db.example/health{rest}")


def test_an_address_whose_host_is_no_name_is_refused_without_its_password():
    with pytest.raises(so.SourceError, match="its host is not a name") as error:
        parse_address("postgresql://ann:hunter2@[::1/health?table=v")
    assert "hunter2" not in str(error.value)


def test_files_and_other_addresses_are_no_servers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not any(map(is_server, ["visits.csv", "sqlite:///x.db?table=a", "https://a.example/x.csv", "C:/visits.csv"]))
    with pytest.raises(so.SourceError, match="nothing is downloaded"):
        so.read_events("https://a.example/x.csv", user="a", place="b")


@pytest.mark.parametrize("rest", ["hunter2?x@db.example/health?table=v", "hunter2?a=ter2@db.example/h&table=v"])
def test_the_beginning_of_a_password_is_not_shown_as_a_port(rest):
    with pytest.raises(so.SourceError, match="%3F") as error:
        parse_address(f"postgresql://ann:{rest}")
    assert "hunter" not in str(error.value)


@pytest.mark.parametrize(
    "option",
    [
        "password=hunter2", "sslpassword=hunter2", "token=hunter2", "access_token=hunter2", "ACCESS_TOKEN=hunter2",
        "private_key=hunter2", "credentials=hunter2", "passcode=hunter2", "oauth_client_secret=hunter2",
        "auth=hunter2", "options=-c%20x.key%3Dhunter2", "password=x${SECRET}hunter2", "hunter2",
    ],
)  # fmt: skip
def test_plain_options_that_may_be_secrets_are_refused_on_the_command_line_and_not_repeated(option):
    source = f"postgresql://ann@db.example/health?table=visits&{option}"
    with pytest.raises(so.SourceError, match="everyone on this machine can read") as error:
        input_files(source, "audit")
    assert "hunter2" not in str(error.value)
    name = option.partition("=")[0]
    assert name == "hunter2" or f"value of {name}=," in str(error.value)
    assert parse_address(source).shown == "postgresql://ann@db.example/health?table=visits"


@pytest.mark.parametrize("option", ["sslmode=verify-full", "sslrootcert=/etc/ca.pem", "connect_timeout=5", "schema=a"])
def test_options_that_are_no_secrets_may_be_plain(option):
    assert input_files(f"postgresql://ann@db.example/health?table=visits&{option}", "audit") == ()


@pytest.mark.parametrize("option", ["password", "sslpassword", "token", "private_key"])
def test_variables_may_stand_in_every_option(option, monkeypatch):
    source = f"postgresql://ann@db.example/health?table=visits&{option}=${{SECRET}}"
    assert input_files(source, "audit") == ()
    monkeypatch.setenv("SECRET", "a b+c")
    assert parse_address(source).connection().endswith(f"?{option}=a%20b%2Bc")


def test_options_are_written_as_libpq_reads_them():
    address = parse_address("postgresql://ann@db.example/health?table=v&application_name=an+audit%2B&sslmode=require")
    assert address.connection().endswith("?application_name=an%20audit%2B&sslmode=require")


@pytest.mark.parametrize(
    "source",
    [
        "postgresql://ann:hun/ter2@db.example/health?table=v",
        "postgresql://ann:hun/ter2@db.example/health?table=v#x",
        "postgresql://ann:1?hunter2@db.example/health?schema=a&table=v",
    ],
)
def test_a_password_with_signs_that_divide_addresses_is_not_shown_as_part_of_a_path(source):
    with pytest.raises(so.SourceError, match="an address has no @ after its first / or .*%2F") as error:
        parse_address(source)
    assert "hun" not in str(error.value)


@pytest.mark.parametrize("option", ["password=hunter2", "token=${SECRET}", "auth_key=hunter%202"])
def test_no_reason_of_a_driver_contains_a_secret(option, monkeypatch):
    monkeypatch.setenv("SECRET", "hunter2")
    address = parse_address(f"postgresql://ann:hunter3@db.example/health?table=visits&sslmode=disable&{option}")
    for secret in ("hunter3", "hunter 2" if "%20" in option else "hunter2", "hunter%202" if "%20" in option else ""):
        assert _reason(ValueError(f"refused: {secret or 'hunter3'}"), address) == " ValueError."
    assert "hunter" not in repr(address)
    said = "sslmode disable is not allowed"
    assert _reason(ValueError(f"{said}\nhunter2"), address) == f" ValueError: {said}"
