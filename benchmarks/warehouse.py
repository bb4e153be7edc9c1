"""An audit of events that lie in a PostgreSQL server: how long it takes, and how much memory our process needs.

    python benchmarks/warehouse.py [--events N] [--people N] [--write]

Starts a server of its own, lets it generate the events (each person has twenty places, some of them far more often than
others), and audits them from there with the command line, as a user would.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import page

sys.path.insert(0, str(page.ROOT))

MADE = """CREATE UNLOGGED TABLE taps AS SELECT (i / {each})::int AS card,
 timestamp '2024-01-01' + random() * interval '28 days' AS at,
 (abs(hashint4extended((i / {each})::int, floor(20 * random() ^ 3)::bigint)) % 2000)::int AS stop
 FROM generate_series(0, {events} - 1) i"""


def audit_there(events, people):
    """Seconds to make the events, seconds and MB of the audit, and its first figure."""
    import psycopg

    from tests.servers import PASSWORD, postgres

    with tempfile.TemporaryDirectory() as folder, postgres() as address:
        os.environ["AUDITORS_PASSWORD"] = PASSWORD
        plain = address.replace("${AUDITORS_PASSWORD}", quote(PASSWORD, safe=""))
        started = time.perf_counter()
        with psycopg.connect(plain, autocommit=True) as server:
            server.execute("SELECT setseed(0.5)")
            server.execute(MADE.format(events=events, each=events // people))
            server.execute("ANALYZE taps")
            rows = server.execute("SELECT count(*) FROM taps").fetchone()[0]
        made = time.perf_counter() - started
        words = [sys.executable, "-m", "singleout", "audit", f"{address}?table=taps", "--user", "card", "--time", "at"]
        words += ["--place", "stop", "--quiet", "--out", str(Path(folder) / "out")]
        started = time.perf_counter()
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - started
        if done.returncode:
            sys.exit(done.stderr)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        return rows, made, seconds, peak


def lay_out(found):
    events, people, made, seconds, peak = found
    return page.table(
        "events in PostgreSQL | people | minutes to generate them there | minutes of the audit | memory of our process",
        [(f"{events:,}", f"{people:,}", f"{made / 60:.1f}", f"{seconds / 60:.1f}", f"{peak:,.0f} MB")],
    )


SECTIONS = {"warehouse": lay_out}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--events", type=int, default=100_000_000)
    parser.add_argument("--people", type=int, default=50_000)
    asked, opening = parser.parse_args(), page.head(timed=True)
    rows, *rest = audit_there(asked.events, asked.people)
    found = rows, asked.people, *rest
    print(lay_out(found))
    page.write_sections(asked.write, opening, SECTIONS, found)


if __name__ == "__main__":
    main()
