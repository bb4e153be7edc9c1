"""Table V and Figure 3 on a small census."""

import pytest

import singleout as so
from singleout.papers.data_sets import CORE
from singleout.papers.registry import experiment
from tests.reproductions import values_of_series


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
    pairs = values_of_series("ramachandran-fig3", census, "(c) pairs with CORE")
    assert pairs["pairs tried"] == len(table.columns[4:]) * (len(table.columns[4:]) - 1) / 2
    assert values_of_series("ramachandran-fig3", census, "(a) alone")["columns that isolate anyone"] == 2
    assert [finding.counts for finding in result.findings] == [True, True, True, False, False], "see Table V, Claim 1"
