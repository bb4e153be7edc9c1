"""The benchmark of tables: its data has the sizes it says, and DuckDB counts what we count."""

from collections import Counter
from itertools import combinations

import pyarrow as pa
import pytest

import singleout as so
from singleout.bench.tables import isolated_by_duckdb, linked_by_duckdb, survey, table_timings


def test_the_public_list_holds_some_of_the_people_of_the_survey():
    released, public = survey(1_000, seed=1)
    assert (released.num_rows, public.num_rows) == (1_000, 700)
    everyone = [set(side["person"].to_pylist()) for side in (released, public)]
    assert len(everyone[0] & everyone[1]) == 300
    assert released.equals(survey(1_000, seed=1)[0])
    assert not released.equals(survey(1_000, seed=2)[0])


def test_a_query_counts_the_records_that_a_pair_of_columns_isolates():
    records = pa.table({"a": [1, 1, 2, 2], "b": [1, 2, 1, 1], "c": [1, 1, 1, 2], "d": [5, 5, 5, 5]})
    rows = records.to_pylist()
    found = isolated_by_duckdb(records, ("a",))
    assert list(found) == list(combinations("bcd", 2))
    for added, isolated in found.items():
        seen = Counter(tuple(row[name] for name in ("a", *added)) for row in rows)
        assert isolated == sum(count == 1 for count in seen.values())


def test_queries_link_the_records_that_we_link():
    released, public = survey(400, seed=3)
    links = so.link_records(released, public, on=["area", "birth_year", "sex", "ethnicity", "income"])
    assert linked_by_duckdb(released, public) == set(links.released.tolist()) != set()


def test_too_few_people_are_refused():
    with pytest.raises(so.InputError, match=r"bench: people must be at least 100 for tables \(got 99\)"):
        next(table_timings([99]))
