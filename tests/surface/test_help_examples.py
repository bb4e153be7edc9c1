"""The examples that ``--help`` ends with run as they stand there, on small files with the names that they use."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.cli.commands import COMMANDS
from tests.surface.test_docs_commands import adults, calls, carry_out, write_csv

EXAMPLES = [example for _, examples in COMMANDS for example in examples]
NOT_RUN = {
    "singleout init survey.csv": "it asks questions, which tests/surface/test_init_command.py answers",
    "singleout bench matching --people 4000": "a minute of measurements; tests/surface/test_bench_command.py runs few",
    "singleout demo": ".ci/run carries it out in a fresh copy",
    "singleout convert geolife Geolife-Trajectories --data data": "tests/surface/test_convert_command.py",
}
ATTACK = """
import singleout as so

so.register_similarity("common", lambda p, q: min(p, q), 1.0, description="what two people have in common")
"""


def write_log():
    write_csv(calls("card", "at", "shop"), "log.csv")


def write_people():
    rng = np.random.default_rng(1)
    table = adults().select(["age", "sex"])
    for name, number in (("town", 5), ("job", 9)):
        table = table.append_column(name, pa.array([f"{name}{k}" for k in rng.integers(0, number, len(table))]))
    write_csv(table, "people.csv")
    write_csv(table.select(["age", "sex", "town"]), "voters.csv")


def write_survey_and_register():
    rng = np.random.default_rng(2)
    ids = np.arange(300)
    born = pa.array([f"{1930 + k % 70}-{1 + k % 12:02}-{1 + k % 28:02}" for k in rng.permutation(ids)])
    town = pa.array([f"town {k}" for k in rng.integers(0, 9, 300)])
    table = pa.table({"born": born, "sex": rng.choice(["f", "m"], 300), "town": town, "person": ids})
    write_csv(table.slice(0, 200), "survey.csv")
    write_csv(table.slice(100), "register.csv")


def write_options():
    write_log()
    carry_out("singleout init log.csv --yes --out audit.toml")


def protect_log():
    write_log()
    carry_out("singleout protect log.csv --user card --place shop --microaggregate 20 --out out")


def protect_people():
    write_people()
    carry_out("singleout protect people.csv --known-columns age,sex,town --k 5 --out out")


def audit_people():
    write_people()
    for out in ("last-release/audit", "this-release/audit", "old", "new"):
        carry_out(f"singleout audit people.csv --known-columns age,sex --out {out}")


def write_released_and_known():
    people = adults().select(["age", "sex"])
    ids = np.arange(len(people))
    columns = {
        "last": [f"{'abcdefgh'[k % 8]}{'aeiou'[k % 5]}{'lmnrst'[k % 6]}on" for k in ids],
        "born": [f"{1930 + k * 7 % 70}" for k in ids],
        "town": [f"town {k * 5 % 11}" for k in ids],
    }
    for name, values in columns.items():
        people = people.append_column(name, pa.array(values))
    write_csv(people.slice(0, 500), "released.csv")
    write_csv(people.slice(300), "known.csv")


def write_sites():
    """Two sites whose profiles also have an address, by which some are told to be the same people."""
    sites = so.synthetic_profiles(people=40, known=400, seed=4)
    for name, table in (("site-a", sites.released), ("site-b", sites.known)):
        addresses = pa.array([f"{k}@example.org" for k in range(len(table))])
        write_csv(table.append_column("email", addresses), f"{name}.csv")


NEEDED = {
    "log.csv": write_log,
    "people.csv": write_people,
    "survey.csv": write_survey_and_register,
    "audit.toml": write_options,
    "out/protected.csv log.csv": protect_log,
    "out/protected.csv --known": protect_people,
    "last-release/": audit_people,
    "old/": audit_people,
    "my_attack.py": lambda: Path("my_attack.py").write_text(ATTACK),
    "released.csv": write_released_and_known,
    "site-a.csv": write_sites,
}
"""What writes the files that an example names, by a part of the example."""


@pytest.mark.heavy
@pytest.mark.parametrize("example", [each for each in EXAMPLES if each not in NOT_RUN])
def test_examples_of_help_run_as_they_stand(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SINGLEOUT_DATA", raising=False)
    for part, write in NEEDED.items():
        if part in example:
            write()
    carry_out(example)


def test_every_command_has_an_example_and_all_that_are_not_run_are_among_them():
    assert all(examples for _, examples in COMMANDS)
    assert NOT_RUN.keys() <= set(EXAMPLES)
