"""Addresses of tables on servers; passwords are never shown."""

import pytest

import singleout as so
from singleout.reading.addresses import is_server, parse_address, refuse_password
from singleout.reading.locations import input_files

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
    assert not address.has_password
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


def test_files_and_other_addresses_are_no_servers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not any(map(is_server, ["visits.csv", "sqlite:///x.db?table=a", "https://a.example/x.csv", "C:/visits.csv"]))
    with pytest.raises(so.SourceError, match="nothing is downloaded"):
        so.read_events("https://a.example/x.csv", user="a", place="b")
