"""Bad input as data: files and option values that a careful tool must survive, each by name.

Every value of a person carries ``CANARY``: it must never come out in a message. A case is a command, the files it finds
in its working folder, and nothing else; what must hold of every outcome is checked in ``test_hostile_inputs.py``.
"""

import gzip
import inspect
import json
import os
import pickle
import zipfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import typer

import singleout as so
from singleout.cli import app
from tests.campaigns.odd_contents import (
    GOWALLA_FILE,
    GOWALLA_TEXT,
    ORIGINALS,
    PLUGIN,
    PLUGINS,
    broken_results,
    changed,
    manifest_of,
)
from tests.campaigns.odd_words import ADDRESSES, CANARY, CONFIGS, ESCAPES, NUMBERS, PATHS, WORDS


@dataclass(frozen=True)
class Case:
    """One call of the command line, and what makes the files it needs."""

    name: str
    arguments: tuple[str, ...]
    files: dict[str, object] = field(default_factory=dict)


def log_rows(seed=0, people=9, events=240):
    """A plain log: who, when (Unix seconds over four weeks), where, coordinates, how often."""
    rng = np.random.default_rng(seed)
    who = rng.integers(people, size=events)
    where = (who * 3 + rng.integers(5, size=events)) % 20
    when = 1_700_000_000 + np.sort(rng.integers(28 * 86_400, size=events))
    return {
        "who": [f"{CANARY}u{k}" for k in who],
        "when": when.tolist(),
        "where": [f"{CANARY}p{k}" for k in where],
        "lat": (46 + where / 100).tolist(),
        "lng": (7 + where / 100).tolist(),
        "times": (1 + where % 3).tolist(),
    }


def table_rows(seed=0, records=80):
    """A plain table: one row per person."""
    rng = np.random.default_rng(seed)
    columns = {name: [f"{CANARY}{name}{k}" for k in rng.integers(6, size=records)] for name in ("home", "job", "club")}
    return columns | {"age": rng.integers(20, 80, records).tolist(), "first": [f"{CANARY}f{k}" for k in range(records)]}


def csv_of(columns, separator=",", end="\n"):
    rows = zip(*columns.values(), strict=True)
    return end.join(separator.join(map(str, row)) for row in [tuple(columns), *rows]) + end


def write(path, content):
    """Bytes, text, or the columns of a table in the type that the name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if callable(content):
        content(path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif path.suffix == ".parquet":
        pq.write_table(content if isinstance(content, pa.Table) else pa.table(content), path)
    else:
        path.write_text(csv_of(content), encoding="utf-8")


EVENTS = ("--user", "who", "--place", "where")
NO_IDS = ("--drop", "first")
COMMANDS = {
    "init": ("init", "{file}", "--yes", "--out", "new.toml"),
    "init two": ("init", "{file}", "good-table.csv", "--yes"),
    "match": ("match", "{file}", "--time", "when", "--split", "weeks", *EVENTS, "--similarities", "js"),
    "match two": ("match", "{file}", "good.csv", *EVENTS, "--similarities", "l1"),
    "match cells": ("match", "{file}", "--user", "who", "--time", "when", "--split", "point", "--lat", "lat", "--lng", "lng", "--grid", "500", "--similarities", "js"),  # noqa: E501
    "match dwell": ("match", "{file}", "--time", "when", "--split", "weeks", *EVENTS, "--measure", "dwell", "--similarities", "js"),  # noqa: E501
    "match counted": ("match", "{file}", "good.csv", *EVENTS, "--count", "times", "--similarities", "js"),
    "protect": ("protect", "{file}", *EVENTS, "--keep", "3", "--microaggregate", "3"),
    "protect table": ("protect", "{file}", "--known-columns", "home,age", *NO_IDS, "--k", "3", "--method", "cells"),
    "protect compare": ("protect", "{file}", "--time", "when", "--split", "halves", *EVENTS, "--compare", "--shorten", "3"),  # noqa: E501
    "verify": ("verify", "{file}", "good.csv", *EVENTS, "--key", "key.csv", "--similarities", "js"),
    "verify known": ("verify", "protected.csv", "{file}", *EVENTS, "--similarities", "js"),
    "verify key": ("verify", "protected.csv", "good.csv", *EVENTS, "--key", "{file}", "--similarities", "js"),
    "verify table": ("verify", "{file}", "--known-columns", "home,age", *NO_IDS),
    "compare": ("compare", "{file}", "good.json"),
    "topology": ("topology", "{file}", "--time", "when", *EVENTS, "--top", "5", "--kernel", "dd"),
    "audit": ("audit", "{file}", "good.csv", *EVENTS, "--similarities", "js", "--no-protect", "--topology", "no"),
    "audit table": ("audit", "{file}", "--known-columns", "home,age", *NO_IDS, "--no-protect", "--max-risk", "0.9"),
    "suda": ("suda", "{file}", "--known-columns", "home,age,job", *NO_IDS),
    "variables": ("variables", "{file}", "--known-columns", "home", *NO_IDS),
    "link": ("link", "{file}", "good-table.csv", "--on", "home,age"),
    "profiles": ("profiles", "{file}", "good-table.csv", "--id", "first", "--block", "home=exact", "--score", "job=exact:1"),  # noqa: E501
    "similarities": ("similarities", "--plugin", "{file}"),
    "convert": ("convert", "snap-checkins", "{file}", "--data", "data"),
    "reproduce": ("reproduce", "naini-table1", "--quick", "--data", "data"),
    "bench": ("bench", "matching", "--people", "20", "--ours-only"),
    "demo": ("demo", "--quiet"),
}  # fmt: skip
"""A call of each command that does its work if {file} is a good one; more calls where it reads in other ways."""
OF_TABLES = {"init two", "protect table", "verify table", "audit table", "suda", "variables", "link", "profiles"}
FILES, SOURCES, VALUES, FEW = 20, 20, 6, 2
"""How many are drawn at random: files for the further calls of a command, names of sources, values of an option, and
such values for further calls."""


def good_rows(command):
    """Rows of a good file for the place of {file}."""
    if command in OF_TABLES:
        return table_rows()
    return {"verify": protected_rows, "verify key": key_rows}.get(command, log_rows)()


def protected_rows():
    """A log as ``protect`` releases it: people are numbered, and counts are shares."""
    where = [f"{CANARY}p{k}" for k in range(4)]
    shares = [0.1, 0.2, 0.3, 0.4]
    return {
        "person": [k // 4 + 1 for k in range(36)],
        "place": where * 9,
        "share": [shares[(k // 4 % 3 + k) % 4] for k in range(36)],
    }


def key_rows():
    """Who is who in it."""
    return {"person": list(range(1, 10)), "id": [f"{CANARY}u{k}" for k in range(9)]}


def good_files():
    return {"good.csv": log_rows(1), "good-table.csv": table_rows(1)}


def files_with(command):
    """The other files that a call needs."""
    if command.startswith("verify"):
        return good_files() | {"protected.csv": protected_rows(), "key.csv": key_rows()}
    return {"good.json": earlier_result()} if command == "compare" else good_files()


@cache
def earlier_result():
    """An audit.json, for ``compare``."""
    rows = log_rows()
    halves = [{"user": rows["who"][part], "place": rows["where"][part]} for part in (slice(0, 120), slice(120, None))]
    options = {"similarities": "js", "protect": False, "topology": "no", "user": "user", "place": "place"}
    return json.dumps(so.audit(*map(pa.table, halves), options=so.AuditOptions(**options)).to_dict(), indent=2)


def file_cases(rng):
    """Every hostile file, each met by every command that reads such a file."""
    for command, arguments in COMMANDS.items():
        if "{file}" not in arguments:
            continue
        files = hostile_files(good_rows(command), rng)
        for name, content in draw(rng, files.items(), len(files) if " " not in command else FILES):
            ready = tuple(part.replace("{file}", name) for part in arguments)
            yield Case(f"{command}: {name}", ready, {name: content, **files_with(command)})


def draw(rng, items, number):
    """So many of them at random."""
    items = list(items)
    return [items[each] for each in sorted(rng.permutation(len(items))[:number])]


def hostile_files(rows, rng):
    """Files by their names: broken, odd, empty, huge, and full of what steers terminals and spreadsheets."""
    text, first = csv_of(rows), next(iter(rows))
    return {
        "empty.csv": b"",
        "blank.csv": b"\n\n  \n",
        "header.csv": text.splitlines()[0] + "\n",
        "no-header.csv": "\n".join(text.splitlines()[1:]) + "\n",
        "one-row.csv": "\n".join(text.splitlines()[:2]) + "\n",
        "shuffled.csv": bytes(rng.permutation(list(text.encode())).tolist()),
        "random.csv": rng.bytes(3_000),
        "random.parquet": b"PAR1" + rng.bytes(3_000) + b"PAR1",
        "zeros.csv": text.encode() + b"\x00" * 500,
        "bom.csv": b"\xef\xbb\xbf" + text.encode(),
        "utf16.csv": text.encode("utf-16"),
        "latin.csv": text.replace(CANARY, CANARY + "é").encode("latin-1"),
        "crlf.csv": csv_of(rows, end="\r\n"),
        "mixed-ends.csv": text.replace("\n", "\r\n", 40),
        "semicolon.csv": csv_of(rows, separator=";"),
        "long-row.csv": text + f"{CANARY}x," * 40 + "\n",
        "short-row.csv": text + f"{CANARY}x\n",
        "open-quote.csv": text + f'"{CANARY}x\n' + text,
        "comment.csv": csv_of(rows | {first: ["#N/A", *rows[first][1:]]}),
        "same-name.csv": text.replace("\n", ",1\n").replace(",1\n", f",{first}\n", 1),
        "line.csv": csv_of(rows | {"singleout line": rows[first], "part": rows[first]}),
        "escapes.csv": csv_of(rows | {ESCAPES.replace("\r", ""): rows[first]}),
        "escapes.parquet": rows | {ESCAPES: rows[first], "__index_level_0__": rows[first]},
        "values.parquet": rows | {first: [f"{CANARY}{ESCAPES}{k % 7}" for k in range(len(rows[first]))]},
        "formula.csv": text.replace(CANARY, f"={CANARY}"),
        "markup.csv": text.replace(CANARY, f"<script>{CANARY}</script>"),
        "wide.csv": csv_of({**rows, **{f"c{k}": rows[first] for k in range(400)}}),
        "huge-field.csv": csv_of(rows | {first: [CANARY + "x" * 300_000, *rows[first][1:]]}),
        "nulls.parquet": {name: pa.nulls(5, pa.string()) for name in rows},
        "no-rows.parquet": {name: pa.array([], pa.string()) for name in rows},
        "nested.parquet": rows | {first: pa.array([[value] for value in rows[first]])},
        "numbers.parquet": {name: [float(k) for k in range(40)] for name in rows},
        "infinite.parquet": {name: [np.inf, -np.inf, np.nan, 1e308] * 10 for name in rows},
        "big.parquet": {name: [2**62 + k % 9 for k in range(40)] for name in rows},
        "unsigned.parquet": {name: pa.array([2**64 - 1 - k % 9 for k in range(40)], pa.uint64()) for name in rows},
        "times.csv": csv_of(rows | {"when": ["2024-01-01 10:00:00 PM"] * len(rows[first])}),
        "late.csv": csv_of(rows | {"when": [10**17] * len(rows[first])}),
        "minus.csv": csv_of(rows | {"times": [-1] * len(rows[first])}),
        "poles.csv": csv_of(rows | {"lat": [400] * len(rows[first])}),
        "same.csv": csv_of({name: [column[0]] * len(column) for name, column in rows.items()}),
        "broken.csv.gz": gzip.compress(text.encode())[:-20],
        "packed.csv.gz": gzip.compress(text.encode()),
        "not-packed.csv.gz": text,
        "truncated.parquet": lambda path: _truncated(rows, path),
        "rows.json": json.dumps([dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]),
        "number.json": "3",
        "text.json": f'"{CANARY}"',
        "deep.json": "[" * 20_000,
        "mixed.jsonl": f'{{"{first}": 1}}\n{{"{first}": "{CANARY}"}}\n{{"{first}": [1, {{"a": 2}}]}}\n',
        "half.jsonl": f'{{"{first}": 1}}\n{{"{first}": "{CANARY}',
        "excel.xlsx": b"PK\x03\x04",
        "log.pkl": pickle.dumps(rows),
        "log.sav": b"$FL2" + rng.bytes(3_000),
        "log.dta": b"<stata_dta>" + CANARY.encode() + rng.bytes(3_000),
        "log.db": b"SQLite format 3\x00" + rng.bytes(3_000),
        "log.zip": lambda path: _zipped(text, path),
        "text.xlsx": text,
        "report[1].csv": text,
        "folder.csv": lambda path: path.mkdir(),
        **({"pipe.csv": os.mkfifo} if hasattr(os, "mkfifo") else {}),
        "dangling.csv": lambda path: path.symlink_to(path.parent / "gone.csv"),
        "loop.csv": lambda path: path.symlink_to(path),
        "device.csv": lambda path: path.symlink_to("/dev/zero"),
    }


def _zipped(text, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"../{ESCAPES}.csv", text)
        archive.writestr("b.json", f'{{"a": "{CANARY}"}}')


def _truncated(rows, path):
    pq.write_table(pa.table(rows), path)
    path.write_bytes(path.read_bytes()[:-30])


RIGHT_FOR_DEMO = {"0", "1", "１", str(2**63), str(10**30), "\udcff"}
"""Values that the demo takes: each would be a whole audit of a year of purchases."""
LONG_WORK = {"repeats", "people", "population"}
"""Options for which a large number is a wish, not a mistake."""


def option_cases(rng):
    """Every option of every command with every hostile value, the other options as they should be."""
    commands = {each.callback.__name__: each.callback for each in app.registered_commands}
    for command, arguments in COMMANDS.items():
        base = tuple(part.replace("{file}", GOOD_NAMES.get(command, "file.csv")) for part in arguments)
        files = {GOOD_NAMES.get(command, "file.csv"): good_content(command), **files_with(command), **ODD_PATHS}
        for option in inspect.signature(commands[base[0]], eval_str=True).parameters.values():
            kind, meant = option.annotation.__origin__, option.annotation.__metadata__[0]
            if isinstance(meant, typer.models.ArgumentInfo) or kind is bool:
                continue
            flag = f"--{option.name.replace('_', '-')}"
            values = _values_for(option.name, str(kind))
            if command == "demo":
                values = [value for value in values if value not in RIGHT_FOR_DEMO]
            for value in draw(rng, values, FEW if " " in command else VALUES):
                yield Case(f"{command}: {flag} {value[:20]!r}", _with(base, flag, value), files)
    for name, content in CONFIGS.items():
        yield Case(f"audit: --config {name}", ("audit", "good.csv", "--config", name), {name: content, **good_files()})


ODD_PATHS = {"loop": lambda path: path.symlink_to(path), "device": lambda path: path.symlink_to("/dev/zero")}
ODD_PATHS |= {"pipe": lambda path: os.mkfifo(path)} if hasattr(os, "mkfifo") else {}
"""What PATHS and ADDRESSES name."""


GOOD_NAMES = {"compare": "old.json", "similarities": "good.py", "convert": GOWALLA_FILE}
"""What a good file is called where it is no CSV file."""


def good_content(command):
    """A file with which the call of a command does its work."""
    other = {"compare": earlier_result, "similarities": lambda: PLUGIN, "convert": lambda: GOWALLA_TEXT}
    return other[command]() if command in other else good_rows(command)


def _values_for(option, kind):
    if option in ("out", "config", "coarsen", "hierarchy", "data", "key", "plugin"):
        return PATHS
    if "int" in kind or "float" in kind or option in ("shorten", "keep", "min_people", "noise", "microaggregate"):
        large = {str(10**30), str(2**63), "1e308"}
        return [number for number in NUMBERS if option not in LONG_WORK or number not in large]
    return WORDS


def _with(arguments, flag, value):
    """The arguments with an option set anew."""
    if flag in arguments:
        place = arguments.index(flag)
        arguments = arguments[:place] + arguments[place + 2 :]
    return (*arguments, flag, value)


def argument_cases(rng):
    """Commands without arguments, with too many, with addresses for files, and with files the wrong way round."""
    for command in dict.fromkeys((*(each[0] for each in COMMANDS.values()), "nosuch")):
        yield Case(f"{command}: too many", (command, *["x"] * 9), good_files())
        if command not in ("demo", "profiles"):
            yield Case(f"{command}: a folder", (command, "."), good_files())
        yield Case(f"{command}: unknown option", (command, f"--{ESCAPES}", "1"), good_files())
    yield Case("a log as a table", ("audit", "good.csv", "--known-columns", "who,where"), good_files())
    for command, arguments in COMMANDS.items():
        for name in draw(rng, (*PATHS, *ADDRESSES), SOURCES) if "{file}" in arguments else ():
            ready = tuple(part.replace("{file}", name) for part in arguments)
            yield Case(f"{command}: source {name[:60]!r}", ready, {**files_with(command), **ODD_PATHS})


def special_cases(rng):
    """What only one command reads: attacks of a user's own, earlier results, publishers' files, data sets."""
    for name, content in PLUGINS.items():
        files = {name: content, **good_files()}
        yield Case(f"similarities: {name}", ("similarities", "--plugin", name), files)
        yield Case(f"match: {name}", ("match", "good.csv", "good.csv", *EVENTS, "--plugin", name), files)
    good = earlier_result()
    for name, content in broken_results(good, rng):
        for sides in (("old.json", "good.json"), ("good.json", "old.json", "--fail-if-worse", "--markdown")):
            yield Case(f"compare {sides[0]}: {name}", ("compare", *sides), {"old.json": content, "good.json": good})
    for name, content in broken_results(manifest_of(good), rng, 30):
        files = {"old/audit.json": good, "old/manifest.json": content, "good.json": good}
        yield Case(f"compare, manifest: {name}", ("compare", "old", "good.json"), files)
    for name, files in ORIGINALS.items():
        usual = next(iter(files))
        odd = dict(draw(rng, hostile_files(log_rows(), rng).items(), FILES))
        odd |= {f"changed {number}": changed(files[usual], rng) for number in range(30)}
        for what, content in odd.items():
            there = {f"source/{each}": text for each, text in (files | {usual: content}).items()}
            yield Case(f"convert {name}: {what}", ("convert", name, "source", "--data", "data"), there)
    for name, content in hostile_files(checkin_rows(), rng).items():
        call = ("reproduce", "manousakas-fig4", "--quick", "--data", "data")
        yield Case(f"reproduce: {name}", call, {"data/foursquare_nyc/checkins.parquet": content})


def checkin_rows():
    """A data set as ``convert`` writes it."""
    rows = log_rows()
    numbers = {"user": [int(who.removeprefix(f"{CANARY}u")) for who in rows["who"]], "time": rows["when"]}
    places = [int(where.removeprefix(f"{CANARY}p")) for where in rows["where"]]
    near = {name: [4_000_000 + place for place in places] for name in ("lat_e5", "lon_e5")}
    return numbers | {"place": places, "venue": rows["where"]} | near


def every_case(seed):
    """All cases, in an order that the seed decides; the first few hundred are a fair sample."""
    rng = np.random.default_rng(seed)
    cases = [*file_cases(rng), *option_cases(rng), *argument_cases(rng), *special_cases(rng)]
    return [cases[number] for number in rng.permutation(len(cases))]


def lay_out(case: Case, folder: Path) -> None:
    """Write a case's files."""
    for name, content in case.files.items():
        write(folder / name, content)
