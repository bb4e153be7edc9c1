"""Variables and linked records, timed on synthetic records, compared with one DuckDB query per combination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from singleout.bench.matching import SideBySide, measure_time
from singleout.ground.errors import bad_argument
from singleout.matching.records import link_records
from singleout.measures.tables.isolation import Vulnerability
from singleout.measures.tables.vulnerability import vulnerability
from singleout.reading.tables import Table, read_table

HEADING = "   people what                      seconds  DuckDB  ratio  differing counts"
ON = ("area", "birth_year", "sex", "ethnicity", "income")
KNOWN = ("area", "sex")
PUBLIC_SHARE, COMMON_SHARE = 0.7, 0.3


def table_timings(people: Iterable[int], *, others: bool = True, seed: int = 0) -> Iterator[SideBySide]:
    """Time all pairs of columns with two known ones, and linking by five columns; then DuckDB on the same."""
    for number in people:
        if number < 100:
            raise bad_argument("bench", "people", "at least 100 for tables", number)
        _time_variables(100, False, seed), _time_linking(100, False, seed)  # compiles kernels, or reads them from disk
        yield _time_variables(number, others, seed)
        yield _time_linking(number, others, seed)


def survey(people: int, seed: int) -> tuple[pa.Table, pa.Table]:
    """Records of a survey, and a public list 0.7 times as long that contains 0.3 of its people."""
    rng = np.random.default_rng(seed)
    public = int(PUBLIC_SHARE * people)
    everybody = people + public - int(COMMON_SHARE * people)
    columns: dict[str, Any] = {
        "area": rng.zipf(1.3, everybody) % 1_500,
        "birth_year": rng.integers(1920, 2012, everybody),
        "sex": rng.integers(0, 2, everybody),
        "ethnicity": np.minimum(rng.geometric(0.4, everybody), 12),
        "income": np.minimum(rng.lognormal(3.5, 0.9, everybody).astype(int) // 5, 60),
    }
    columns |= {f"answer_{k}": np.minimum(rng.geometric(0.5 / (1 + k % 4), everybody), 20) for k in range(12)}
    whole = pa.table(columns | {"person": np.arange(everybody)})
    return whole.slice(0, people), whole.slice(everybody - public, public)


def _time_variables(people: int, others: bool, seed: int) -> SideBySide:
    records = survey(people, seed)[0].drop_columns(["person"])
    table = read_table(records)
    table.encode(table.columns, progress=False)
    found, seconds = measure_time(partial(_pairs, table))
    what = f"{len(found.rows)} pairs of columns"
    if not others:
        return SideBySide(people, what, seconds)
    counts, longer = measure_time(partial(isolated_by_duckdb, records, KNOWN))
    differ = sum(counts[row.columns] != row.isolated for row in found.rows)
    return SideBySide(people, what, seconds, longer, float(differ))


def _pairs(table: Table) -> Vulnerability:
    found = vulnerability(table, known_columns=list(KNOWN), add=2, strategy="all", progress=False)
    assert isinstance(found, Vulnerability)
    return found


def isolated_by_duckdb(records: pa.Table, known: Iterable[str]) -> dict[tuple[str, ...], int]:
    """Records that each pair of other columns isolates with the known ones: one GROUP BY each over a loaded table."""
    connection = _load(records=records)
    names = [name for name in records.column_names if name not in known]
    counts: dict[tuple[str, ...], int] = {}
    for added in combinations(names, 2):
        grouped = f"SELECT count(*) AS n FROM records GROUP BY {', '.join([*known, *added])} HAVING n = 1"
        counts[added] = int(connection.sql(f"SELECT count(*) FROM ({grouped})").fetchall()[0][0])
    return counts


def _time_linking(people: int, others: bool, seed: int) -> SideBySide:
    released, public = survey(people, seed)
    links, seconds = measure_time(partial(link_records, released, public, on=list(ON)))
    what = f"linking by {len(ON)} columns"
    if not others:
        return SideBySide(people, what, seconds)
    theirs, longer = measure_time(partial(linked_by_duckdb, released, public))
    return SideBySide(people, what, seconds, longer, float(len(theirs ^ set(links.released.tolist()))))


def linked_by_duckdb(released: pa.Table, public: pa.Table) -> set[int]:
    """Released records linked to one public record by values rare on both sides: a query for each set of columns."""
    connection = _load(released=released, public=public)
    everything = ", ".join(ON)
    linked: set[int] = set()
    for chosen in (chosen for size in range(1, len(ON) + 1) for chosen in combinations(ON, size)):
        names = ", ".join(chosen)
        query = f"""
            WITH few AS (SELECT {names} FROM released GROUP BY ALL HAVING count(*) <= 10),
            rare AS (SELECT {names} FROM public JOIN few USING ({names}) GROUP BY ALL HAVING count(*) <= 5),
            candidates AS (SELECT released.line, public.line AS other FROM released JOIN rare USING ({names})
                           JOIN public USING ({everything}))
            SELECT line FROM candidates GROUP BY line HAVING count(*) = 1"""
        linked.update(connection.sql(query).to_arrow_table()["line"].to_pylist())
    return linked


def _load(**tables: pa.Table) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar_print = false")
    for name, table in tables.items():
        connection.register(f"{name}_given", table)
        connection.execute(f"CREATE TABLE {name} AS SELECT row_number() OVER () - 1 AS line, * FROM {name}_given")
    return connection
