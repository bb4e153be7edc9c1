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
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import typer

from singleout.cli import app

CANARY = "CANARY"
ESCAPES = "\x1b[31m\x07\x9b2J\u202e\rred"


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
COMMANDS = {
    "match": ("match", "{file}", "--time", "when", "--split", "weeks", *EVENTS, "--similarities", "js"),
    "match two": ("match", "{file}", "good.csv", *EVENTS, "--similarities", "l1"),
    "match cells": ("match", "{file}", "--user", "who", "--time", "when", "--split", "point", "--lat", "lat", "--lng", "lng", "--grid", "500", "--similarities", "js"),  # noqa: E501
    "match dwell": ("match", "{file}", "--time", "when", "--split", "weeks", *EVENTS, "--measure", "dwell", "--similarities", "js"),  # noqa: E501
    "match counted": ("match", "{file}", "good.csv", *EVENTS, "--count", "times", "--similarities", "js"),
    "protect": ("protect", "{file}", *EVENTS, "--keep", "3", "--microaggregate", "2"),
    "compare": ("protect", "{file}", "--time", "when", "--split", "halves", *EVENTS, "--compare", "--shorten", "3"),
    "topology": ("topology", "{file}", "--time", "when", *EVENTS, "--top", "5", "--kernel", "dd"),
    "audit": ("audit", "{file}", "good.csv", *EVENTS, "--similarities", "js", "--no-protect", "--topology", "no"),
    "audit table": ("audit", "{file}", "--known-columns", "home,age", "--no-protect", "--max-risk", "0.9"),
    "variables": ("variables", "{file}", "--known-columns", "home", "--drop", "first"),
    "link": ("link", "{file}", "good-table.csv", "--on", "home,age"),
    "profiles": ("profiles", "{file}", "good-table.csv", "--id", "first", "--block", "home=exact", "--score", "job=exact:1"),  # noqa: E501
}  # fmt: skip
OF_TABLES = {"audit table", "variables", "link", "profiles"}


def good_files():
    return {"good.csv": log_rows(1), "good-table.csv": table_rows(1)}


def file_cases(rng):
    """Every hostile file, each met by every command that reads such a file."""
    for command, arguments in COMMANDS.items():
        rows = table_rows() if command in OF_TABLES else log_rows()
        for name, content in hostile_files(rows, rng).items():
            ready = tuple(part.replace("{file}", name) for part in arguments)
            yield Case(f"{command}: {name}", ready, {name: content, **good_files()})


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
        "pipe.csv": os.mkfifo,
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
PATHS = ("", ".", "..", "/", "/dev/null", "good.csv", "good.csv/x", "n" * 300, "nosuch/../good.csv", "loop", "\udcff")
LONG_WORK = {"repeats", "people", "population"}
"""Options for which a large number is a wish, not a mistake."""
CONFIGS = {
    "deep.toml": "a = " + "[" * 5_000 + "]" * 5_000,
    "deep-table.toml": "[" + ".".join(["a"] * 3_000) + "]\nb = 1",
    "other.toml": 'nosuch = 1\nuser = ["a", 2]\nmax_risk = "x"\nseed = -1\n',
    "broken.toml": f'user = "{CANARY}',
    "latin.toml": b"label = '\xe9'",
    "list.toml": "[[user]]\nx = 1\n",
    "huge.toml": "list-people = " + "9" * 400,
    "dates.toml": "user = 2024-01-01\nplace = true\n",
    "pipe.toml": os.mkfifo,
    "device.toml": lambda path: path.symlink_to("/dev/zero"),
    "folder.toml": lambda path: path.mkdir(),
    "loop.toml": lambda path: path.symlink_to(path),
}


def option_cases(rng):
    """Every option of every command with every hostile value, the other options as they should be."""
    commands = {each.callback.__name__: each.callback for each in app.registered_commands}
    for command, arguments in COMMANDS.items():
        if command.partition(" ")[2] in ("two", "cells", "dwell", "counted"):
            continue
        rows = table_rows() if command in OF_TABLES else log_rows()
        base = tuple(part.replace("{file}", "file.csv") for part in arguments)
        for option in inspect.signature(commands[base[0]], eval_str=True).parameters.values():
            kind, meant = option.annotation.__origin__, option.annotation.__metadata__[0]
            if isinstance(meant, typer.models.ArgumentInfo) or kind is bool:
                continue
            flag = f"--{option.name.replace('_', '-')}"
            for value in _values_for(option.name, str(kind)):
                name = f"{command}: {flag} {value[:20]!r}"
                yield Case(name, _with(base, flag, value), {"file.csv": rows, **good_files(), "loop": _loop})
    for name, content in CONFIGS.items():
        yield Case(f"audit: --config {name}", ("audit", "good.csv", "--config", name), {name: content, **good_files()})


def _loop(path):
    path.symlink_to(path)


def _values_for(option, kind):
    if option in ("out", "config", "coarsen", "hierarchy"):
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


def argument_cases():
    """Commands without arguments, with too many, and with the two files the wrong way round."""
    for command in (*(each[0] for each in COMMANDS.values()), "reproduce", "convert", "bench", "demo", "nosuch"):
        yield Case(f"{command}: too many", (command, *["x"] * 9), good_files())
        if command not in ("demo", "profiles"):
            yield Case(f"{command}: a folder", (command, "."), good_files())
        yield Case(f"{command}: unknown option", (command, f"--{ESCAPES}", "1"), good_files())
    yield Case("a log as a table", ("audit", "good.csv", "--known-columns", "who,where"), good_files())
    for name in ("*.csv", "**", "http://127.0.0.1:1/x.csv", "file:///etc/passwd", "~/x.csv", "$HOME/x.csv"):
        yield Case(f"pattern {name}", ("match", name, "good.csv", *EVENTS), good_files())


def every_case(seed):
    """All cases, in an order that the seed decides; the first few hundred are a fair sample."""
    rng = np.random.default_rng(seed)
    cases = [*file_cases(rng), *option_cases(rng), *argument_cases()]
    return [cases[number] for number in rng.permutation(len(cases))]


def lay_out(case: Case, folder: Path) -> None:
    """Write a case's files."""
    for name, content in case.files.items():
        write(folder / name, content)
