"""Table V and Figure 3 on a small census."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.papers.registry import experiment
from singleout.papers.shelf import CENSUS, CORE, Shelf


@pytest.fixture(scope="module")
def census(tmp_path_factory):
    """Three known classes: one of two records, one of one, one of four; income tells all but two apart."""
    folder = tmp_path_factory.mktemp("census")
    columns = {"STATE": ["12"] * 3 + ["28"] * 4, "REGION": [3] * 7, "PUMA": list("1122222"), "BLD": [1] * 7}
    columns |= {"SEX": [1, 1, 2, 1, 1, 2, 2], "AGEP": [30, 30, 40, 50, 50, 60, 61]}
    columns |= {"HINCP": [10, 20, 20, 10, 20, 30, 30], "TEN": [1, 1, 1, 1, 1, 1, 2]}
    columns |= {"WGTP": [3, 3, 4, 90, 90, 100, 100], "PWGTP": [3, 3, 9, 90, 90, 100, 100]}
    columns |= {"SERIALNO": list("abcdefg"), "TYPEHUGQ": [1] * 7}
    file = folder / CENSUS.file
    file.parent.mkdir()
    pq.write_table(pa.table(columns), file)
    return Shelf(folder)


def values(name, shelf, series):
    return {str(row.at): row.value for row in experiment(name).run(shelf).rows if row.series == series}


def test_table_5_shares_are_of_the_vulnerable(census):
    result = experiment("ramachandran-table5").run(census)
    core, first = result.rows[:2]
    # all seven are unique on all columns; only the third record is alone by what is known
    assert [core.value, *core.choices] == pytest.approx([1 / 7, 1 / 7, 3 / 7])
    # beside it, income tells the first three and two of the other four apart
    assert (first.series, first.at) == ("CORE-AV and 1", "1: AGEP")
    income = next(row for row in result.rows if row.at.endswith(": HINCP"))
    assert income.value == pytest.approx(5 / 7)
    assert all(row.random is not None for row in result.rows[1:])


def test_figure_3_is_the_exhaustive_answer(census):
    result = experiment("ramachandran-fig3").run(census)
    table = census.census
    every = so.vulnerability(table, known_columns=CORE, strategy="all")
    assert [row.value for row in result.rows if row.series == "(b) with CORE"] == pytest.approx(
        [row.share for row in every.rows]
    )
    pairs = values("ramachandran-fig3", census, "(c) pairs with CORE")
    assert pairs["pairs tried"] == len(table.columns[4:]) * (len(table.columns[4:]) - 1) / 2
    assert values("ramachandran-fig3", census, "(a) alone")["columns that isolate anyone"] == 2
    assert [finding.counts for finding in result.findings] == [True, True, True, True, False], "(c) is Claim 1"
