"""R12's tables and figures on synthetic data: the labels, the counts behind the numbers, and what cannot be."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.papers import ramachandran_2012 as linkage
from singleout.papers.data_sets import CENSUS, SITES, Shelf
from singleout.papers.registry import experiment, experiments
from singleout.papers.result import Row
from tests.reproductions import values_of_series

IDS = [f"ramachandran-{what}" for what in ("table1", "table2", "table3", "fig2", "table4", "table5", "fig3")]


def test_all_tables_and_figures_are_listed_in_the_order_of_the_paper_with_their_labels():
    assert [each.id for each in experiments() if each.id.startswith("ramachandran")] == IDS
    labels = {each.id: [data.label for data in each.data] for each in experiments()}
    for name in IDS:
        wanted = "stand-in" if name.split("-")[1] in ("table1", "table2", "table5", "fig3") else "synthetic"
        assert labels[name] == [wanted]


@pytest.mark.parametrize("name", IDS[2:5])
def test_the_same_seed_gives_the_same_numbers(name):
    first, second = (experiment(name).run(Shelf(None, quick=True, synthetic_people=200, seed=2)) for _ in range(2))
    assert first.to_dict() == second.to_dict()


@pytest.fixture(scope="module")
def householders(tmp_path_factory):
    """People of three states, and of one that does not count; everybody's combination of values occurs about twice."""
    folder, rng, people = tmp_path_factory.mktemp("households"), np.random.default_rng(5), 4_000
    columns = {"STATE": rng.choice(["12", "36", "42", "28"], people), "PUMA": rng.integers(1, 6, people).astype(str)}
    columns |= {"SEX": rng.integers(1, 3, people), "AGEP": rng.integers(18, 68, people)}
    columns |= {"RAC1P": rng.integers(1, 10, people), "HINCP": rng.integers(-5_000, 400_000, people)}
    file = folder / CENSUS.file
    file.parent.mkdir()
    pq.write_table(pa.table(columns), file)
    return Shelf(folder)


def test_table_1_links_two_samples_of_the_same_people_and_knows_who_is_who(householders):
    people = linkage._people(householders)
    assert set(people["STATE"]) == {"12", "36", "42"}
    assert (people["income"].min(), people["income"].max()) == (0, 8)
    rng, everybody = np.random.default_rng(0), len(people["STATE"])
    surveyed = rng.choice(everybody, everybody // 2, replace=False)
    listed = rng.choice(everybody, int(linkage.LISTED * len(surveyed)), replace=False)
    keys = [tuple(people[name][row] for name in linkage.CLASSES) for row in range(everybody)]
    agree = {row: [other for other in listed.tolist() if keys[other] == keys[row]] for row in surveyed.tolist()}
    linked = {row: others[0] for row, others in agree.items() if len(others) == 1}
    right = sum(row == other for row, other in linked.items())
    result = experiment("ramachandran-table1").run(householders)
    found = {row.series: row.value for row in result.rows if row.at == "all three"}
    assert (found["records"], found["linked"], found["linked correctly"]) == (len(surveyed), len(linked), right)
    assert found["accuracy"] == pytest.approx(right / len(linked))
    states = {row.at: row.value for row in result.rows if row.series == "linked correctly"}
    assert states["all three"] == sum(states[name] for name in linkage.STATES) > 0


def test_table_1_is_linked_by_more_columns_by_fewer_people_and_with_errors_too(householders):
    result = experiment("ramachandran-table1").run(householders)
    accuracy = next(row for row in result.rows if (row.series, row.at) == ("accuracy", "all three"))
    assert len(accuracy.choices) == len(linkage.WAYS) == 5
    assert accuracy.choices[0] < accuracy.choices[1] < accuracy.choices[2], "more fields, more often right"
    assert accuracy.choices[4] < accuracy.choices[0], "errors in the list"
    assert result.to_dict() == experiment("ramachandran-table1").run(Shelf(householders.folder)).to_dict()


def test_small_shares_are_printed_in_digits(householders):
    result = experiment("ramachandran-table1").run(householders)
    overall = next(row for row in result.rows if (row.series, row.at) == ("overall vulnerability", "Florida"))
    assert overall.cells()[4] == "0.005%", "the paper's 0.00005"
    assert Row(CENSUS, "x", "y", so.Estimate(0.00004, 0.0, 0.0002, 0.95, 9)).cells()[5] == "0.004% [0.00%, 0.02%]"


def test_table_2_counts_classes_of_the_file_and_says_nothing_of_the_population(census):
    assert values_of_series("ramachandran-table2", census, "combinations") == {
        "fewer than 10": 5,
        "fewer than 5": 5,
        "one": 3,
    }
    result = experiment("ramachandran-table2").run(census)
    (unique,) = [row for row in result.rows if row.at == "unique"]
    assert [unique.value, *unique.choices] == pytest.approx([3 / 7, 3 / 7, 1 / 3])
    assert {row.series for row in result.rows} == {"combinations", "records"}
    assert result.findings == ()
    assert any("not shown" in note for note in result.notes)


def test_without_the_census_file_only_the_synthetic_ones_run():
    bare = Shelf()
    assert [name for name in IDS if experiment(name).runs(bare)] == IDS[2:5]
    assert experiment("ramachandran-table5").missing(bare) == [CENSUS]
    assert bare.has(SITES)
