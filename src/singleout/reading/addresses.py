"""Addresses of tables on servers: postgresql://user@host/database?table=visits. Passwords stay out of every message."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from singleout.ground.errors import SourceError

SERVERS = {
    "bigquery", "clickhouse", "databricks", "druid", "exasol", "impala", "mssql", "mysql", "oracle", "postgres",
    "postgresql", "risingwave", "snowflake", "trino",
}  # fmt: skip
"""What an address may begin with; Ibis knows how to reach each of them."""
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
VARIABLE = re.compile(r"\$\{(\w+)\}")
HOST = re.compile(r"(\[.*\]|[^:\[\]]*)(:(\d*|\$\{\w+\}))?")
"""The name of a host, and its port."""
PARTS = "table", "query", "schema"
HARMLESS = {
    "account", "application_name", "authenticator", "catalog", "channel_binding", "charset", "client_encoding",
    "connect_timeout", "database", "dbname", "driver", "encrypt", "gssencmode", "host", "hostaddr", "http_path",
    "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname", "location", "port",
    "project", "require_auth", "role", "secure", "service", "sslcert", "sslcrl", "sslkey", "sslmode",
    "ssl_max_protocol_version", "ssl_min_protocol_version", "sslrootcert", "ssl_mode", "target_session_attrs",
    "tcp_user_timeout", "timeout", "timezone", "trustservercertificate", "user", "verify", "warehouse",
}  # fmt: skip
"""Options that hold no secret: the value of any other is treated as one."""
OPTION = re.compile(r"\w{1,40}")
SIGNS = "In a password write / as %2F, ? as %3F and # as %23."
EXAMPLE = "postgresql://user@host/database?table=NAME"


@dataclass(frozen=True)
class Address:
    """A table or query on a server. ``shown`` has neither passwords nor options, which may be secrets too."""

    server: str = field(repr=False)
    """What Ibis connects to, with variables still in it."""
    table: str | None
    query: str | None = field(repr=False)
    schema: str | None
    shown: str
    plain: str
    """What stands in it in plain text and may be secret, in words; empty if nothing does."""

    @property
    def label(self) -> str:
        """What reports call it."""
        return self.table or "a query"

    def connection(self) -> str:
        """The address of the server, with variables filled in from the environment."""
        return VARIABLE.sub(lambda found: quote(_value_of(found[1]), safe=""), self.server)

    def secrets(self) -> set[str]:
        """Everything in it that no message may repeat, in each form in which a driver may say it."""
        parts = urlsplit(self.connection())
        options = (value or name for name, value in _options(parts.query) if name.lower() not in HARMLESS)
        variables = (_value_of(name) for name in VARIABLE.findall(self.server))
        plain = {unquote(parts.password or ""), *options, *variables}
        return {form for each in plain for form in (each, quote(each), quote(each, safe="")) if form}


def is_server(source: str) -> bool:
    """Whether a source is named by the address of a table on a server."""
    found = SCHEME.match(source)
    return found is not None and found[1].lower() in SERVERS and not os.path.lexists(source)


def parse_address(source: str) -> Address:
    """The parts of an address; raises if it names neither a table nor a query, or both."""
    try:
        parts = urlsplit(source)
    except ValueError:  # its own words may quote a password
        raise _no_host() from None
    given = _options(parts.query)
    if "@" in parts.path or parts.fragment or any("@" in name for name, _ in given):
        raise SourceError(f"an address has no @ after its first / or ?, and no #. {SIGNS}")
    if HOST.fullmatch(parts.netloc.rpartition("@")[2]) is None:  # it may be the beginning of a password
        raise _no_host()
    chosen = {name: value for name, value in given if name in PARTS}
    if ("table" in chosen) == ("query" in chosen) or not all(chosen.values()):
        raise SourceError(f"the address of a server names a table or a query, such as {EXAMPLE}")
    if "query" in chosen and "schema" in chosen:
        raise SourceError("`schema=` in the address requires `table=`; a query names schemas itself.")
    options = [(name, value) for name, value in given if name not in PARTS]
    # drivers take + for a plus
    rest = urlencode(options, safe="${}/", quote_via=quote)
    scheme = "postgres" if parts.scheme == "postgresql" else parts.scheme
    return Address(
        urlunsplit((scheme, parts.netloc, parts.path, rest, "")),
        chosen.get("table"),
        chosen.get("query"),
        chosen.get("schema"),
        _show(parts.scheme, parts.netloc, parts.path, chosen),
        _plain_secret(parts.password, options),
    )


def _no_host() -> SourceError:
    return SourceError(
        "the address of a server cannot be read: its host is not a name, or its port not a number. "
        f"Write it as {EXAMPLE}. {SIGNS}"
    )


def refuse_password(address: Address) -> None:
    """Refuse passwords, keys and tokens on the command line: every user of the machine can list commands."""
    if address.plain:
        raise SourceError(
            f"the address contains {address.plain}, which everyone on this machine can read in the list of processes. "
            "Put it into an environment variable and name that, such as 'postgresql://user:${PASSWORD}@host/…' or "
            "'…&token=${TOKEN}' (in single quotes), or use what the database's own programs use, such as PGPASSWORD."
        )


def _options(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query, keep_blank_values=True)


def _plain_secret(password: str | None, options: list[tuple[str, str]]) -> str:
    """What may be secret and is no variable, in words."""
    if password and VARIABLE.fullmatch(unquote(password)) is None:
        return "a password"
    for name, value in options:
        if name.lower() not in HARMLESS and VARIABLE.fullmatch(value) is None:
            # what has no value may be the rest of a password with an &
            return f"a plain value of {name}=" if value and OPTION.fullmatch(name) else "an option in plain text"
    return ""


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
