"""Odd words where a command expects a number, a name, a path, the address of a server or a file of options."""

import os

CANARY = "CANARY"
ESCAPES = "\x1b[31m\x07\x9b2J\u202e\rred"
NUMBERS = (
    "-1",
    "0",
    "1",
    "1e308",
    "1e-308",
    "nan",
    "inf",
    "-inf",
    str(2**63),
    str(10**30),
    "0x10",
    "１",
    "1,2",
    ",",
    "",
)
WORDS = ("", " ", "x" * 70_000, ESCAPES, "-", "--", "=cmd", "who,who", "who,", ",", "../../etc/passwd", "\udcff", "𝄞")
ADDRESSES = (
    "*.csv", "**", "~/x.csv", "$HOME/x.csv", "good.csv?table=x", "http://127.0.0.1:1/x.csv", "file:///etc/passwd",
    "s3://bucket/x.csv", "nosuch://x", "://", "sqlite:///missing.db", "sqlite:///missing.db?table=x", "sqlite://x",
    "sqlite:///good.csv?table=x", "sqlite:///?table=x", "duckdb:///missing.db?table=x", "duckdb:///.?table=x",
    "postgresql://nosuch.invalid/data?table=x", "postgresql://127.0.0.1:1/data?table=x", "postgresql://",
    "postgresql://127.0.0.1:1/data", "postgresql://127.0.0.1:1/data?table=", "postgresql://127.0.0.1:1/d?query=DROP",
    f"postgresql://me:{CANARY}@127.0.0.1:1/data?table=x", "postgresql://me:${NOSUCH}@127.0.0.1:1/data?table=x",
    "postgresql://127.0.0.1:99999/data?table=x", "postgresql://[::1/data?table=x", "postgresql://127.0.0.1:x/d?table=x",
    "postgres://127.0.0.1:1/d?table=a&table=b&query=c", "POSTGRESQL://127.0.0.1:1/d?table=" + "x" * 5_000,
    "postgresql://127.0.0.1:1/d?table=x&schema=" + ESCAPES, "mysql://127.0.0.1:1/d?table=x", "oracle://h/d?table=x",
    "bigquery://project/data?table=x", "snowflake://me@account/data?table=x", "postgresql://\udcff/d?table=x",
)  # fmt: skip
"""Names of sources that are no files: patterns, parts of files, databases and servers of which none is there."""
PATHS = (
    "",
    ".",
    "..",
    "/",
    "/dev/null",
    "good.csv",
    "good.csv/x",
    "n" * 300,
    "nosuch/../good.csv",
    "loop",
    "device",
    "pipe",
    "\udcff",
)

CONFIGS = {
    "deep.toml": "a = " + "[" * 5_000 + "]" * 5_000,
    "deep-table.toml": "[" + ".".join(["a"] * 3_000) + "]\nb = 1",
    "other.toml": 'nosuch = 1\nuser = ["a", 2]\nmax_risk = "x"\nseed = -1\n',
    "broken.toml": f'user = "{CANARY}',
    "latin.toml": b"label = '\xe9'",
    "list.toml": "[[user]]\nx = 1\n",
    "huge.toml": "list-people = " + "9" * 400,
    "dates.toml": "user = 2024-01-01\nplace = true\n",
    **({"pipe.toml": lambda path: os.mkfifo(path)} if hasattr(os, "mkfifo") else {}),
    "device.toml": lambda path: path.symlink_to("/dev/zero"),
    "folder.toml": lambda path: path.mkdir(),
    "loop.toml": lambda path: path.symlink_to(path),
}
