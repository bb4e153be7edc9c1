"""Linking: a million released against 700,000 public records, and profiles of febrl4 and of historical persons.

    [SINGLEOUT_DATA=…] python benchmarks/linking.py

Beside link_records stands what a user would write: one DuckDB query per combination of columns, over loaded tables,
that keeps the released records whose values are rare on both sides. Both run in this process, one after the other, and
must find the same records.
"""

import os
import time
from itertools import combinations
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

import singleout as so

RELEASED, PUBLIC = 1_000_000, 700_000
ON = ["area", "birth_year", "sex", "ethnicity", "income"]


def population(seed=0):
    """A million records of a survey and 700,000 of a list of the same country, a third of them of the same people."""
    rng = np.random.default_rng(seed)
    people = RELEASED + PUBLIC - 300_000
    columns = {
        "area": rng.zipf(1.3, people) % 1_500,
        "birth_year": rng.integers(1920, 2012, people),
        "sex": rng.integers(0, 2, people),
        "ethnicity": np.minimum(rng.geometric(0.4, people), 12),
        "income": np.minimum(rng.lognormal(3.5, 0.9, people).astype(int) // 5, 60),
        "person": np.arange(people),
    }
    whole = pa.table(columns)
    return whole.slice(0, RELEASED), whole.slice(people - PUBLIC, PUBLIC)


def by_duckdb(released, known):
    """One query per combination, the paper's limits; the same answer as link_records with missing values as values."""
    connection = duckdb.connect()
    connection.register("r", released)
    connection.register("k", known)
    connection.execute("CREATE TABLE released AS SELECT row_number() OVER () - 1 AS rid, * FROM r")
    connection.execute("CREATE TABLE known AS SELECT row_number() OVER () - 1 AS kid, * FROM k")
    everything = ", ".join(ON)
    linked = set()
    for size in range(1, len(ON) + 1):
        for chosen in combinations(ON, size):
            names = ", ".join(chosen)
            query = f"""
                WITH few AS (SELECT {names} FROM released GROUP BY ALL HAVING count(*) <= 10),
                rare AS (SELECT {names} FROM known JOIN few USING ({names}) GROUP BY ALL HAVING count(*) <= 5),
                candidates AS (SELECT released.rid, known.kid FROM released JOIN rare USING ({names})
                               JOIN known USING ({everything}))
                SELECT rid FROM candidates GROUP BY rid HAVING count(*) = 1"""
            linked.update(connection.sql(query).to_arrow_table()["rid"].to_pylist())
    return linked


def records():
    released, known = population()
    so.link_records(released.slice(0, 100), known.slice(0, 100), on=ON)  # compile
    started = time.perf_counter()
    links = so.link_records(released, known, on=ON)
    ours = time.perf_counter() - started
    started = time.perf_counter()
    theirs = by_duckdb(released, known)
    duck = time.perf_counter() - started
    assert theirs == set(links.released.tolist())
    print(f"{RELEASED:,} against {PUBLIC:,} records, {len(ON)} columns: singleout {ours:.1f} s, ", end="")
    print(f"a DuckDB query per combination {duck:.1f} s, ratio {duck / ours:.1f}; the same {len(links):,} records")
    print(f"{links}\naccuracy {links.rate('person')}, at random {links.random:.1e}; overall {links.overall('person')}")


def profiles(root):
    first, second = (str(root / "link_febrl" / f"febrl4{side}.parquet") for side in "ab")
    compare = {"given_name": ("similar", 2.0), "surname": ("similar", 2.0), "date_of_birth": ("exact", 3.0)}
    compare |= {"postcode": ("exact", 1.0), "suburb": ("contains", 1.0)}
    _timed("febrl4, all 25 million pairs, 5 fields", first, second, "rec_id", "entity_id", {}, compare)
    history = str(root / "link_splink" / "historical_50k.parquet")
    block = {"first_name": "exact", "surname": "initial"}
    compare = {"surname": ("similar", 2.0), "dob": ("exact", 3.0), "birth_place": ("contains", 1.0)}
    _timed("50,578 historical records against themselves", history, history, "unique_id", "cluster", block, compare)


def _timed(what, released, known, column, truth, block, compare):
    started = time.perf_counter()
    found = so.match_profiles(released, known, id=column, block=block, compare=compare)
    seconds = time.perf_counter() - started
    print(f"{what}: {seconds:.1f} s, {found.candidates.sum():,} candidate pairs, {so.accuracy(found, truth)}")


def main():
    records()
    root = os.environ.get("SINGLEOUT_DATA")
    if root:
        profiles(Path(root))


if __name__ == "__main__":
    main()
