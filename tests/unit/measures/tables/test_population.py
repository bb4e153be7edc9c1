"""Risk in the population: against slow twins, a simulated population, published risks and census data."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.measures.tables.population import class_sizes, expected_counts, individual_risks, tree_risks
from singleout.reading.columns import Column
from tests.reference import population as twin

SETTINGS = (
    ("STATE AGEP SEX RAC1P BLD HHT", 0.01),
    ("STATE AGEP SEX RAC1P OCCP", 0.01),
    ("STATE AGEP SEX MAR SCHL", 0.05),
    ("STATE PUMA SEX AGEP", 0.1),
    ("STATE SEX AGEP RAC1P HISP MAR NP", 0.1),
)


def table_of(records, weights=None):
    columns = {f"c{k}": [record[k] for record in records] for k in range(len(records[0]))}
    if weights is not None:
        columns["w"] = weights
    return so.read_table(pa.table(columns), survey_weight=None if weights is None else "w")


def encoded(records, weights):
    table = table_of(records, weights)
    return table.encode(table.columns), np.array(weights, dtype=float)


@pytest.mark.parametrize(("sample", "weight"), [(1, 50.0), (2, 8.0), (3, 1.0), (49, 4.0), (51, 4.0), (400, 3.0)])
def test_individual_risks_are_means_over_a_negative_binomial(sample, weight):
    columns, weights = encoded([("a",)] * sample, [weight] * sample)
    found = individual_risks(columns, np.full(sample, sample), weights)
    expected = twin.mean_of_inverse_negative_binomial(sample, 1 / weight) if weight > 1 else 1 / sample
    assert found == pytest.approx(np.full(sample, expected), rel=1e-6)


def test_a_simulated_population_of_independent_columns_is_predicted():
    rng = np.random.default_rng(0)
    population = [rng.choice(30, 200_000, p=rng.dirichlet(np.full(30, 0.5))) for _ in range(3)]
    cell = (population[0] * 30 + population[1]) * 30 + population[2]
    people = np.bincount(cell)
    taken = rng.random(200_000) < 0.05
    sample = so.read_table(pa.table({f"c{k}": column[taken] for k, column in enumerate(population)}))
    found = so.population_risk(sample, columns=["c0", "c1", "c2"], population=200_000)
    assert found.rate.value == pytest.approx((1 / people[cell[taken]]).mean(), rel=0.05)
    alone = found.sizes == 1
    assert found.rows[0].unique_right == pytest.approx((1 / people[cell[taken]])[alone].sum(), rel=0.08)
    assert found.rows[0].population_unique == pytest.approx((people[cell[taken]] == 1)[alone].sum(), rel=0.2)


def test_a_census_has_the_risk_of_the_file():
    records = [("a", 1), ("a", 1), ("b", 2), ("b", 1)]
    found = so.population_risk(table_of(records, [1, 1, 1, 1]), columns=["c0", "c1"])
    assert found.risks.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert found.individual_risks.tolist() == [0.5, 0.5, 1.0, 1.0]


def test_every_record_has_a_row_and_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(1)
    records = [tuple(row) for row in rng.integers(0, 4, (60, 3)).tolist()]
    weights = rng.integers(1, 30, 60).tolist()
    plain = so.population_risk(table_of(records, weights), columns=["c0", "c1", "c2"])
    order = rng.permutation(60)
    moved = so.population_risk(
        table_of([records[k] for k in order], [weights[k] for k in order]), columns=["c0", "c1", "c2"]
    )
    assert moved.risks == pytest.approx(plain.risks[order])
    assert moved.rate.high == pytest.approx(plain.rate.high)
    assert plain.to_arrow().num_rows == 60
    assert (plain.expected >= plain.sizes).all()


@pytest.mark.parametrize(
    ("weights", "options", "message"),
    [
        (None, {}, "without survey weights the size of the population is needed"),
        (None, {"population": 2}, "population must be from the 3 records to"),
        (None, {"population": 1e300}, "population must be from the 3 records to"),
        ([1, 2, 3], {"population": 10}, "population must be omitted if records have survey weights"),
        ([0, 0, 0], {}, "the survey weights add up to 0 people for 3 records"),
        ([0.5, 0.5, 0.2], {}, "normalised weights are not"),
        ([1e17, 1, 1], {}, "add up to 1e\\+17 people"),
    ],
)
def test_what_is_missing_or_contradictory_says_so(weights, options, message):
    with pytest.raises(so.SingleoutError, match=message):
        so.population_risk(table_of([("a",), ("b",), ("a",)], weights), columns=["c0"], **options)


def test_values_of_single_records_say_so_and_the_interval_reaches_the_risk_within_the_file():
    rng = np.random.default_rng(0)
    births = rng.integers(0, 30_000, 100_000)
    sex = rng.integers(0, 2, 100_000)
    people = np.bincount(births * 2 + sex)
    taken = rng.random(100_000) < 0.02
    table = so.read_table(pa.table({"birth": births[taken], "sex": sex[taken]}))
    found = so.population_risk(table, columns=["birth", "sex"], population=100_000)
    truth = (1 / people[(births * 2 + sex)[taken]]).mean()
    assert found.rate.low < truth < found.rate.high
    assert any("values that only one record has (birth)" in str(note) for note in found.notes)


@pytest.mark.parametrize("population", [3, 10, 10**12])
def test_tiny_tables_have_wide_intervals_and_no_nan(population):
    found = so.population_risk(table_of([("a",), ("b",), ("b",)]), columns=["c0"], population=population)
    assert 0 <= found.rate.low <= found.rate.value <= found.rate.high <= 1
    assert np.isfinite(found.risks).all()
    assert population == 3 or found.rate.high > 2 * found.rate.low


def test_the_ten_published_individual_risks(real_data):
    file = real_data("ihsn_suda_example") / "ihsn_suda_example.parquet"
    found = so.population_risk(
        so.read_table(file, survey_weight="weight"), columns=["residence", "gender", "education", "labor"]
    )
    assert np.round(found.individual_risks, 4).tolist() == pq.read_table(file)["risk"].to_pylist()


@pytest.mark.parametrize(("names", "share"), SETTINGS)
def test_census_samples_are_within_five_percent_of_the_truth(real_data, names, share):
    columns = names.split()
    census = so.read_table(real_data("acs2024_householder") / "acs2024_householder_49states.parquet", columns=columns)
    encoded_columns = census.encode(columns)
    people = class_sizes(encoded_columns, len(census))
    off = []
    for seed in range(20):
        taken = np.random.default_rng(seed).random(len(census)) < share
        few = [Column(each.name, each.codes[taken], each.values, each.any_missing) for each in encoded_columns]
        weights = np.full(len(few[0].codes), 1 / share)
        sizes = class_sizes(few, len(weights))
        risks = tree_risks(sizes, expected_counts(few, weights), weights)
        off.append(risks[sizes == 1].sum() / (1 / people[taken])[sizes == 1].sum())
    assert np.mean(off) == pytest.approx(1, abs=0.05)
