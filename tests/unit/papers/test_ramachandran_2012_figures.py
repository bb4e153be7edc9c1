"""R12's tables and figures on made-up data: the labels, the counts behind the numbers, and what cannot be."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout import _reproduce  # noqa: F401 - it lists the experiments
from singleout.papers import ramachandran_2012 as linkage
from singleout.papers import ramachandran_2012_profiles as cases
from singleout.papers.registry import experiment, experiments
from singleout.papers.shelf import CENSUS, CORE, RECORDS, SITES, Shelf

IDS = [f"ramachandran-{what}" for what in ("table1", "table2", "table3", "fig2", "table4", "table5", "fig3")]


@pytest.fixture(scope="module")
def made_up():
    return Shelf(None, quick=True, made_up=400)


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


def test_all_tables_and_figures_are_listed_in_the_order_of_the_paper_with_their_labels():
    assert [each.id for each in experiments() if each.id.startswith("ramachandran")] == IDS
    labels = {each.id: [data.label for data in each.data] for each in experiments()}
    for name in IDS:
        wanted = "stand-in" if name.split("-")[1] in ("table2", "table5", "fig3") else "synthetic"
        assert labels[name] == [wanted]


@pytest.mark.parametrize("name", IDS[:1] + IDS[2:5])
def test_the_same_seed_gives_the_same_numbers(name):
    first, second = (experiment(name).run(Shelf(None, quick=True, made_up=200, seed=2)) for _ in range(2))
    assert first.as_json() == second.as_json()


def test_table_1_counts_what_link_records_finds_among_the_people_of_three_states(made_up):
    sites = made_up.sites(0, linkage.LISTED)
    links = so.link_records(sites.released, sites.known, on=["first", "last", "location"])
    written = [text or "" for text in sites.released["location"].to_pylist()]
    texan = [text for text in written if any(word in text for word in ("TX", "Texas", "Austin", "Houston", "Dallas"))]
    found = {
        series: values("ramachandran-table1", made_up, series) for series in ("records", "linked", "linked rightly")
    }
    assert found["records"]["Texas"] == len(texan)
    assert found["linked"]["Texas"] == sum(written[row] in texan for row in links.released.tolist())
    for counts in found.values():
        assert counts["all three"] == sum(counts[state] for state in ("California", "Florida", "Texas"))
    truth = {int(mine[1:]): int(theirs[1:]) for mine, theirs in sites.truth.items()}
    assert 0 < found["linked rightly"]["all three"] <= links.correct(truth)


def test_states_are_read_from_names_letters_and_towns():
    written = pa.chunked_array([["Austin, TX", "miami", "CA", "Texas", "online", None, "Albany, New York"]])
    assert linkage._states(written).tolist() == ["Texas", "Florida", "California", "Texas", "", "", "New York"]


def test_table_2_counts_classes_and_the_people_that_single_records_stand_for(census):
    assert values("ramachandran-table2", census, "combinations") == {"fewer than 10": 5, "fewer than 5": 5, "one": 3}
    (unique,) = [row for row in experiment("ramachandran-table2").run(census).rows if row.at == "unique"]
    assert [unique.value, *unique.choices] == pytest.approx([3 / 7, 3 / 7, 1 / 3])
    standing = values("ramachandran-table2", census, "unique ones")
    assert standing == pytest.approx({"people each stands for": 204 / 3, "stand for fewer than 5": 1 / 3})


def test_table_3_takes_only_people_whose_candidates_show_all_their_friends(made_up):
    sites = cases._whole_lists(made_up.sites(0))
    assert not any(sites.released["cut"].to_pylist())
    assert 0 < sites.released.num_rows < 400
    assert set(sites.truth) <= set(sites.released["id"].to_pylist())
    result = experiment("ramachandran-table3").run(made_up)
    found = so.match_profiles(sites.released, sites.known, id="id", **so.presets("nameMatch")).summary(2)
    row = next(row for row in result.rows if row.series == "nameMatch")
    assert (row.ours, row.printed, row.random) == (found.selectivity, 0.233, found.random)
    blocked = [next(row.value for row in result.rows if (row.series, row.at) == (name, "candidates"))
               for name in ("fieldsMatch2", "friendsMatch")]  # fmt: skip
    assert blocked[0] == blocked[1], "the same blocking has the same candidates, unlike the paper's print"
    assert result.findings[0].holds


def test_whom_friends_single_out_are_counted_once_for_every_setup(made_up):
    compared = cases._compared(cases._whole_lists(made_up.sites(0)))
    friends = compared.by_method["friendsMatch"]
    alone = {
        person
        for person, chance, number in zip(
            friends.released_side.people.tolist(), friends.selectivity, friends.candidates, strict=True
        )
        if chance == 1 and number >= 2 and person in compared.sites.truth
    }
    sure = {method: cases._sure_and_right(compared, method) for method in cases.CHECKED}
    assert {number for number, _ in sure.values()} == {len(alone)}
    assert all(0 <= right <= number for number, right in sure.values())


def test_figure_2_ascends_from_the_least_to_the_most_selective(made_up):
    result = experiment("ramachandran-fig2").run(made_up)
    for method in cases.PRESETS:
        curve = [row.value for row in result.rows if row.series == method and not isinstance(row.at, str)]
        assert curve == sorted(curve)
        assert len(curve) == 11


def test_table_4_has_the_printed_percentages_and_names_the_one_that_cannot_be(made_up):
    result = experiment("ramachandran-table4").run(made_up)
    assert {row.data for row in result.rows} == {RECORDS}
    printed = [row for row in result.rows if row.printed is not None and row.at != "the three pairs"]
    assert len(printed) == 14
    for row in printed:
        assert row.value == pytest.approx(row.printed)
        assert row.choices == pytest.approx([row.printed] * 5)
    assert [finding.holds for finding in result.findings] == [True, False, True, True]
    assert any("Claim 1" in note for note in result.notes)


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
    assert values("ramachandran-fig3", census, "(a) alone")["columns that find anyone"] == 2


def test_without_the_census_file_only_the_made_up_ones_run():
    bare = Shelf()
    assert [name for name in IDS if experiment(name).runs(bare)] == [IDS[0], *IDS[2:5]]
    assert experiment("ramachandran-table5").missing(bare) == [CENSUS]
    assert bare.has(SITES)


def test_made_up_sites_are_made_once(made_up):
    assert made_up.sites(0) is made_up.sites(0)
    assert made_up.sites(0) is not made_up.sites(1)
    assert np.all(np.array(made_up.sites(0).released.column_names) == ["id", "first", "last", "location", "cut"])
