"""R12's tables and figures on synthetic data: the labels, the counts behind the numbers, and what cannot be."""

from math import exp, factorial

import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.measures.intervals import wilson
from singleout.papers import ramachandran_2012 as linkage
from singleout.papers.census_samples import CLASSES, COMMON, STATES, Way, draw_samples, read_people
from singleout.papers.data_sets import CENSUS, SITES, Shelf
from singleout.papers.registry import experiment, experiments
from singleout.papers.result import Row
from tests.reference.population import mean_of_inverse_poisson, tree_counts
from tests.reproductions import values_of_series
from tests.small_census import write_census

ON_THE_CENSUS = ("table1", "table2", "iii-d", "table5", "fig3")
SYNTHETIC = ("table3", "fig2", "iv-c", "table4")
ON_BOTH = "ramachandran-contribution3"
IDS = [f"ramachandran-{what}" for what in (*ON_THE_CENSUS[:3], *SYNTHETIC, *ON_THE_CENSUS[3:], "contribution3")]


def test_all_tables_and_figures_are_listed_in_the_order_of_the_paper_with_their_labels():
    assert [each.id for each in experiments() if each.id.startswith("ramachandran")] == IDS
    labels = {each.id: [data.label for data in each.data] for each in experiments()}
    assert labels.pop(ON_BOTH) == ["stand-in", "stand-in", "synthetic", "stand-in", "synthetic"]
    for name in set(IDS) - {ON_BOTH}:
        assert labels[name] == ["stand-in" if name.partition("-")[2] in ON_THE_CENSUS else "synthetic"]


@pytest.mark.parametrize("name", [f"ramachandran-{what}" for what in ("table3", "fig2", "table4")])
def test_the_same_seed_gives_the_same_numbers(name):
    first, second = (experiment(name).run(Shelf(None, quick=True, synthetic_people=200, seed=2)) for _ in range(2))
    assert first.to_dict() == second.to_dict()


@pytest.fixture(scope="module")
def householders(tmp_path_factory):
    return write_census(tmp_path_factory.mktemp("households"))


@pytest.fixture(scope="module")
def linked(householders):
    return experiment("ramachandran-table1").run(householders)


def test_table_1_is_of_a_survey_and_a_list_drawn_once_for_each_open_choice(householders, linked):
    drawn = draw_samples(read_people(householders), Way(), householders.seed)
    ours = drawn.link(COMMON)
    found = {row.series: row for row in linked.rows if row.at == "all three"}
    counts = ours.tally()
    assert [found[name].value for name in ("records", "linked", "linked correctly")] == [
        counts.released,
        counts.linked,
        counts.right,
    ]
    assert found["accuracy"].ours == wilson(counts.right, counts.linked)
    assert found["overall vulnerability"].ours == wilson(counts.right, counts.released)
    assert found["accuracy"].random == 1 / drawn.public.num_rows
    states = {row.at: row.value for row in linked.rows if row.series == "linked correctly"}
    assert states["all three"] == sum(states[name] for name in STATES) > 0
    # unique is by state, area, sex and age, whatever the records are linked by
    unique = drawn.link(CLASSES).links.uniques
    met = next(row for row in linked.rows if row.series == "unique released records")
    assert met.value == pytest.approx(unique.known / unique.released)


def test_table_1_varies_errors_columns_sizes_and_who_is_on_the_list(linked):
    right = next(row for row in linked.rows if (row.series, row.at) == ("linked correctly", "all three"))
    assert len(right.choices) == len(linkage.WAYS) == 9
    ours, none, twice, everyone, *_ = right.choices
    assert twice < ours < none, "errors in the list"
    assert ours < everyone, "all of the survey on the list"
    assert [finding.counts for finding in linked.findings] == [True, True, False, True], "too few for 0.005%"


def test_small_shares_are_printed_in_digits(linked):
    overall = next(row for row in linked.rows if (row.series, row.at) == ("overall vulnerability", "Florida"))
    assert overall.cells()[4] == "0.005%", "the paper's 0.00005"
    assert Row(CENSUS, "x", "y", so.Estimate(0.00004, 0.0, 0.0002, 0.95, 9)).cells()[5] == "0.004% [0%, 0.02%]"


def test_table_2_counts_classes_of_the_file(census):
    assert values_of_series("ramachandran-table2", census, "combinations") == {
        "fewer than 10": 5,
        "fewer than 5": 5,
        "one": 3,
    }
    result = experiment("ramachandran-table2").run(census)
    (unique,) = [row for row in result.rows if row.at == "unique"]
    assert [unique.value, *unique.choices] == pytest.approx([3 / 7, 3 / 7, 3 / 7, 1 / 3, 1 / 3])


def test_table_2_says_how_many_people_have_a_unique_records_values_by_the_slow_tree(census):
    table = pq.read_table(census.file(CENSUS))
    records = list(zip(*(table[name].to_pylist() for name in CLASSES), strict=True))
    weights = table["PWGTP"].to_pylist()
    others = [
        (1 - 1 / weight) * count
        for record, weight, count in zip(records, weights, tree_counts(records, weights), strict=True)
        if records.count(record) == 1
    ]
    few = [sum(exp(-mean) * mean**k / factorial(k) for k in range(4)) for mean in others]
    right = [mean_of_inverse_poisson(1, mean) for mean in others]
    found = values_of_series("ramachandran-table2", census, "unique records")
    assert found == {
        linkage.EACH: pytest.approx(1 + sum(others) / 3),
        linkage.AT_MOST_FOUR: pytest.approx(sum(few) / 3),
        "re-identified in the population": pytest.approx(sum(right)),
        "unique in the population": pytest.approx(sum(exp(-mean) for mean in others)),
    }
    result = experiment("ramachandran-table2").run(census)
    (risk,) = [row for row in result.rows if row.series == "all records"]
    assert risk.random == 1 / sum(weights)
    assert risk.ours.low < risk.value < risk.ours.high
    assert [len(finding.choices) for finding in result.findings] == [4, 4]


def test_without_the_census_file_only_the_synthetic_ones_run():
    bare = Shelf()
    assert [name for name in IDS if experiment(name).runs(bare)] == [*IDS[3:7], ON_BOTH]
    assert experiment("ramachandran-table5").missing(bare) == [CENSUS]
    assert bare.has(SITES)
