"""Addresses of tables on servers: postgresql://user@host/database?table=visits. Passwords stay out of every message."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from singleout.ground.errors import SourceError

SERVERS = {
    "bigquery", "clickhouse", "databricks", "druid", "exasol", "impala", "mssql", "mysql", "oracle", "postgres",
    "postgresql", "risingwave", "snowflake", "trino",
}  # fmt: skip
"""What an address may begin with; Ibis knows how to reach each of them."""
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
VARIABLE = re.compile(r"\$\{(\w+)\}")
PARTS = "table", "query", "schema"
EXAMPLE = "postgresql://user@host/database?table=NAME"


@dataclass(frozen=True)
class Address:
    """A table or query on a server. ``shown`` has neither passwords nor options, which may be secrets too."""

    server: str
    """What Ibis connects to, with variables still in it."""
    table: str | None
    query: str | None
    schema: str | None
    shown: str
    has_password: bool
    """Whether a password stands in it in plain text."""

    @property
    def label(self) -> str:
        """What reports call it."""
        return self.table or "a query"

    def connection(self) -> str:
        """The address of the server, with variables filled in from the environment."""
        return VARIABLE.sub(lambda found: quote(_value_of(found[1]), safe=""), self.server)


def is_server(source: str) -> bool:
    """Whether a source is named by the address of a table on a server."""
    found = SCHEME.match(source)
    return found is not None and found[1].lower() in SERVERS and not os.path.lexists(source)


def parse_address(source: str) -> Address:
    """The parts of an address; raises if it names neither a table nor a query, or both."""
    parts = urlsplit(source)
    given = parse_qsl(parts.query, keep_blank_values=True)
    chosen = {name: value for name, value in given if name in PARTS}
    if ("table" in chosen) == ("query" in chosen) or not all(chosen.values()):
        raise SourceError(f"the address of a server names a table or a query, such as {EXAMPLE}")
    if "query" in chosen and "schema" in chosen:
        raise SourceError("`schema=` in the address requires `table=`; a query names schemas itself.")
    rest = urlencode([(name, value) for name, value in given if name not in PARTS], safe="${}/")
    scheme = "postgres" if parts.scheme == "postgresql" else parts.scheme
    password = parts.password
    return Address(
        urlunsplit((scheme, parts.netloc, parts.path, rest, "")),
        chosen.get("table"),
        chosen.get("query"),
        chosen.get("schema"),
        _show(parts.scheme, parts.netloc, parts.path, chosen),
        bool(password) and VARIABLE.fullmatch(unquote(str(password))) is None,
    )


def refuse_password(address: Address) -> None:
    """Refuse a password on the command line: every user of the machine can list commands."""
    if address.has_password:
        raise SourceError(
            "the address contains a password, which everyone on this machine can read in the list of processes. "
            "Put it into an environment variable and name that: 'postgresql://user:${PASSWORD}@host/…' (in single "
            "quotes), or use what the database's own programs use, such as PGPASSWORD."
        )


def _show(scheme: str, netloc: str, path: str, chosen: dict[str, str]) -> str:
    user, at, host = netloc.rpartition("@")
    schema = f"&schema={chosen['schema']}" if "schema" in chosen else ""
    part = f"table={chosen['table']}{schema}" if "table" in chosen else "query=…"
    return f"{scheme}://{user.partition(':')[0]}{at}{host}{path}?{part}"


def _value_of(variable: str) -> str:
    value = os.environ.get(variable)
    if value is None:
        raise SourceError(f"the address names the environment variable {variable}, which is not set.")
    return value
