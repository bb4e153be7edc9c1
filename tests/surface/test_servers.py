"""Event logs and tables on a PostgreSQL server, from Python and from the command line."""

import json
import os
import subprocess
import sys
import tomllib
from contextlib import closing

import pyarrow.parquet as pq
import pytest

import singleout as so
from tests.commands import run
from tests.servers import PASSWORD, fill, postgres, programs
from tests.small_sources import rows_of
from tests.warehouses import MOMENTS, READINGS, assert_same_audit, assert_same_counts, log_table

pytest.importorskip("ibis")
adbc = pytest.importorskip("adbc_driver_postgresql.dbapi")
pytestmark = [pytest.mark.heavy, pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")]


table = pytest.fixture(scope="module")(log_table)


@pytest.fixture(scope="module")
def server(table):
    with pytest.MonkeyPatch.context() as patched, postgres() as address:
        patched.setenv("AUDITORS_PASSWORD", PASSWORD)
        fill(address, "taps", table)
        yield address


@pytest.fixture
def taps(server):
    return f"{server}?table=taps"


@pytest.mark.parametrize("reading", [*READINGS.values(), MOMENTS], ids=[*READINGS, "moments"])
def test_events_are_added_up_on_the_server(taps, table, reading):
    assert_same_counts(taps, table, reading)


def test_audits_are_the_same(taps, table):
    assert_same_audit(taps, table, protect=False)


def test_queries_and_cursors_are_sources(server, table):
    asked = {"user": "who", "time": "t", "place": "spot"}
    here = so.histograms(so.read_events(table, **asked)).counts.sum()
    assert so.histograms(so.read_events(f"{server}?query=SELECT+who,+t,+spot+FROM+taps", **asked)).counts.sum() == here
    place = server.replace("${AUDITORS_PASSWORD}", PASSWORD.replace(" ", "%20").replace("/", "%2F"))
    with closing(adbc.connect(place)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM taps")
        assert so.histograms(so.read_events(cursor, **asked)).counts.sum() == here
        cursor.execute("SELECT who, t, ms, ts, spot, lat FROM taps ORDER BY ms, who")
        found = rows_of(so.read_table(cursor, columns=["who", "spot", "ts", "lat"]))
    assert sorted(found, key=str) == sorted(
        rows_of(so.read_table(table, columns=["who", "spot", "ts", "lat"])), key=str
    )


def audit(source, out, *more, **env):
    words = [
        "audit",
        source,
        "--user",
        "who",
        "--time",
        "t",
        "--place",
        "spot",
        "--no-protect",
        "--out",
        str(out),
        *more,
    ]
    return subprocess.run(
        [sys.executable, "-m", "singleout", *words], env={**os.environ, **env}, capture_output=True, text=True
    )


def test_the_command_reads_a_server_and_no_file_names_the_password(taps, table, tmp_path):
    ran = audit(taps, tmp_path / "there", "--verbose")
    assert ran.returncode == 0, ran.stderr
    said = " ".join(ran.stderr.split())
    assert "are added up where they are" in said
    assert "All rows of postgresql://auditor@" in said, "the shape of movements needs single events, and that is said"
    pq.write_table(table, tmp_path / "taps.parquet")
    assert audit(str(tmp_path / "taps.parquet"), tmp_path / "here").returncode == 0
    there, here = (json.loads((tmp_path / each / "audit.json").read_text()) for each in ("there", "here"))
    assert {name for name in there if there[name] != here[name]} == {"command", "command_folder", "data", "notes"}
    (more,) = [note for note in there["notes"] if note not in here["notes"]]
    assert (more["count"], more["what"]) == (len(table), "events fetched from the warehouse")
    assert "events fetched from the warehouse" in (tmp_path / "there" / "audit.html").read_text()
    everything = ran.stdout + ran.stderr + "".join(file.read_text() for file in (tmp_path / "there").iterdir())
    assert "horse" not in everything
    assert "AUDITORS_PASSWORD" not in everything
    assert "postgresql://auditor@127.0.0.1" in there["command"]
    assert json.loads((tmp_path / "there" / "manifest.json").read_text())["sources"] == [
        taps.replace(":${AUDITORS_PASSWORD}", "")
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("taps", "tapz"), "there is no such table"),
        (("auditor:", "nobody:"), "password authentication failed"),
        (("${AUDITORS_PASSWORD}", "${NOT_SET_ANYWHERE}"), "NOT_SET_ANYWHERE, which is not set"),
        (("${AUDITORS_PASSWORD}", "plain%20horse"), "everyone on this machine can read"),
        (("table=taps", "table=taps&sslpassword=plain%20horse"), "everyone on this machine can read"),
        (("table=taps", "table=taps&password=plain+horse"), "everyone on this machine can read"),
        (("table=taps", "query=SELECT+FROM+WHERE"), "cannot read postgresql://auditor@"),
        (("table=taps", "query=SELECT+'horse'||who+AS+who,('horse'||spot)::int+AS+spot,t+FROM+taps"), "to its end"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_line_or_two(taps, tmp_path, change, said):
    ran = audit(taps.replace(*change), tmp_path / "out")
    assert ran.returncode == 2
    assert said in ran.stderr
    assert "horse" not in ran.stderr
    assert len(ran.stderr.strip().splitlines()) <= 4
    assert not (tmp_path / "out").exists()


def test_a_table_is_read_from_a_server(server, table, tmp_path):
    options = ["--known-columns", "spot", "--columns", "spot,who", "--one-row-per-person", "--no-protect"]
    ran = run("audit", f"{server}?table=taps", *options, "--out", str(tmp_path / "out"))
    assert ran.exit_code == 0
    found = json.loads((tmp_path / "out" / "audit.json").read_text())
    here = so.audit(table.select(["spot", "who"]), known_columns=["spot"], one_row_per_person=True, protect=False)
    assert found["risk"] == here.to_dict()["risk"]


def test_a_log_on_a_server_is_protected_and_the_file_verified(taps, table, tmp_path):
    columns = ["--user", "who", "--place", "spot"]
    asked = [*columns, "--microaggregate", "5", "--seed", "1"]
    pq.write_table(table, tmp_path / "taps.parquet")
    for name, source in {"there": taps, "here": tmp_path / "taps.parquet"}.items():
        ran = run("protect", source, *asked, "--out", tmp_path / name)
        assert ran.exit_code == 0, ran.output
        assert "horse" not in ran.output
        assert "AUDITORS_PASSWORD" not in ran.output
    there, here = ((tmp_path / each / "protected.parquet").read_bytes() for each in ("there", "here"))
    assert there == here
    key = ["--key", tmp_path / "there" / "key.csv"]
    ran = run("verify", tmp_path / "there" / "protected.parquet", taps, *columns, *key, "--out", tmp_path / "page")
    assert ran.exit_code == 0, ran.output


def test_a_table_on_a_server_is_protected(server, table, tmp_path):
    pq.write_table(table.select(["spot", "sort"]), tmp_path / "taps.parquet")
    for name, source in {
        "there": f"{server}?query=SELECT+spot,sort+FROM+taps",
        "here": tmp_path / "taps.parquet",
    }.items():
        ran = run("protect", source, "--known-columns", "spot,sort", "--k", 5, "--out", tmp_path / name)
        assert ran.exit_code == 0, ran.output
    there, here = (pq.read_table(tmp_path / each / "protected.parquet") for each in ("there", "here"))
    assert there.equals(here)


def test_init_proposes_what_it_would_of_a_file_and_writes_no_password(server, table, tmp_path):
    pq.write_table(table.select(["who", "ts", "spot"]), tmp_path / "taps.parquet")
    there, here = tmp_path / "there.toml", tmp_path / "here.toml"
    ran = run("init", f"{server}?query=SELECT+who,ts,spot+FROM+taps", "--yes", "--out", there)
    assert ran.exit_code == 0, ran.output
    assert "rows of" not in ran.output, "counts and a few rows suffice"
    assert "horse" not in ran.output + there.read_text()
    assert run("init", tmp_path / "taps.parquet", "--yes", "--out", here).exit_code == 0
    first, second = (tomllib.loads(each.read_text()) for each in (there, here))
    assert first | {"data": "", "out": ""} == second | {"data": "", "out": ""}


def test_options_reach_the_server_and_a_password_may_be_one_of_them(server):
    query = "SELECT+current_setting('application_name')+AS+name,+1+AS+one"
    source = server.replace(":${AUDITORS_PASSWORD}", "") + f"?query={query}"
    table = so.read_table(f"{source}&application_name=an+audit%2B&password=${{AUDITORS_PASSWORD}}")
    assert rows_of(table) == [("an audit+", 1)]
    with pytest.raises(so.SourceError, match="cannot read postgresql://auditor@") as error:
        so.read_table(f"{source}&password=another%20horse")
    assert "horse" not in str(error.value)
    assert error.value.__cause__ is None
