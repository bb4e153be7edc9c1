"""The campaign of what must not matter: the same data gives the same result, however it is stored and wherever."""

import hashlib
import json
import re
import sqlite3
import subprocess
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

from tests.campaigns.runs import COLUMNS, log, run
from tests.small_files import csv_bytes, rows_with_header, write_xlsx

LOCALES = "C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.UTF-8"
CALLS = {
    "log": [*COLUMNS, "--split", "weeks", "--similarities", "js,l1", "--topology", "yes", "--max-risk", "0.05"],
    "table": ["--known-columns", "home,job,age", "--max-risk", "0.05"],
}
"""Whole audits, with protections; that of a log with networks of places."""


def determinism(folder):
    """The same whole audit under other threads, installed locales, time zones, hash seeds, orders, kinds of files."""
    faults, tried = [], 0
    for name, table in {"log": log(40), "table": _people()}.items():
        changes = [({}, file) for file in _stored(table, folder, name)]
        digests = {}
        for number, (env, file) in enumerate([*changes, *((env, f"{name}.parquet") for env in _settings(name))]):
            out, tried = folder / f"{name}{number}", tried + 1
            done = run(["audit", file, *CALLS[name], "--label", "data", "--quiet", "--out", out], folder, env)
            if done.returncode not in (0, 1):
                faults.append(f"{env} {file}: {done.stderr[-200:]}")
                continue
            digests[f"{env} {file}"] = _digest((out / "audit.json").read_text(), file)
        usual = next(iter(digests.values()), "")
        faults += [f"{how}: another result" for how, each in digests.items() if each != usual]
    return tried, faults


def _people(number=120):
    """A table of people; ages are numbers, the rest is text."""
    rng = np.random.default_rng(0)
    columns = {name: [f"{name} {each}" for each in rng.integers(6, size=number)] for name in ("home", "job", "club")}
    return pa.table(columns | {"age": rng.integers(20, 80, number)})


def _settings(name):
    """Other surroundings; of a table, which is audited without threads or times of its own, a few."""
    there = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    installed = {each.lower().replace("-", "") for each in there.split()}
    settings = [{"LC_ALL": each} for each in LOCALES if each.lower().replace("-", "") in installed]
    settings += [{"PYTHONHASHSEED": seed} for seed in ("1", "2", "3")]
    settings += [{"TZ": zone} for zone in ("Asia/Kolkata", "America/St_Johns", "UTC")]
    settings += [{"LOKY_MAX_CPU_COUNT": cores} for cores in ("1", "2", "4")]
    return settings if name == "log" else settings[::3]


def _stored(table, folder, name):
    """Names of files with the same content; of a log also in another order, where a table's rows go by number."""
    pyarrow.parquet.write_table(table, folder / f"{name}.parquet")
    (folder / f"{name}.csv").write_bytes(csv_bytes(table))
    pyarrow.feather.write_feather(table, folder / f"{name}.feather")
    write_xlsx(folder / f"{name}.xlsx", {"Rows": rows_with_header(table)})
    with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows.csv", csv_bytes(table))
    with sqlite3.connect(folder / f"{name}.db") as connection:
        connection.execute(f"CREATE TABLE rows ({', '.join(table.column_names)})")
        marks = ", ".join("?" * table.num_columns)
        connection.executemany(f"INSERT INTO rows VALUES ({marks})", map(tuple, rows_with_header(table)[1:]))
    connection.close()
    yield from (f"{name}.{kind}" for kind in ("parquet", "csv", "feather", "xlsx", "zip", "db"))
    if name == "log":
        shuffled = table.take(np.random.default_rng(0).permutation(table.num_rows))
        pyarrow.parquet.write_table(shuffled, folder / "shuffled.parquet")
        yield "shuffled.parquet"


def _digest(text, file):
    """That of a result without the commands in it, which name the file."""
    document = json.loads(text.replace(file, "file"))
    plain = re.sub(r"singleout [^\"]*", "", json.dumps(document, sort_keys=True))
    return hashlib.sha256(plain.encode()).hexdigest()
