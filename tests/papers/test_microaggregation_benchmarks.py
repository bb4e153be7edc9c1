"""Micro-aggregation losses on the three standard sets, in percent (100 SSE/SST on standardised columns)."""

import numpy as np
import pyarrow.parquet as pq
import pytest

import singleout as so

KS = (3, 4, 5, 10)
MDAV = {
    "tarragona": (16.9326, 19.5460, 22.4619, 33.1929),
    "census": (5.6922, 7.4947, 9.0884, 14.1559),
    "eia": (0.4829, 0.6713, 1.6667, 3.8397),
}
GSMS = {
    "tarragona": (16.6097, 19.0495, 21.9476, 33.2350),
    "census": (5.5636, 7.2538, 8.6856, 13.5485),
    "eia": (0.4695, 0.6694, 1.7126, 3.3130),
}


@pytest.fixture(scope="module")
def records(real_data):
    folder = real_data("microagg_benchmarks")

    def standardised(name):
        table = pq.read_table(folder / f"{name}.parquet")
        names = table.column_names
        if name == "eia":
            names = ["UTILITYID", *(column for column in names if column.endswith(("REVENUE", "SALES")))]
        columns = np.column_stack([table[column].to_numpy().astype(float) for column in names])
        return (columns - columns.mean(axis=0)) / columns.std(axis=0)

    return standardised


@pytest.mark.parametrize("name", MDAV)
def test_mdav_reaches_the_known_losses_to_four_digits(records, name):
    data = records(name)
    found = [100 * so.microaggregate(data, k, method="mdav", norm="l2", refine=False).loss for k in KS]
    assert [round(loss, 4) for loss in found] == list(MDAV[name])


@pytest.mark.parametrize("name", GSMS)
def test_gsms_is_at_least_as_good_as_the_known_losses_and_refinement_never_worse(records, name):
    data = records(name)
    for k, listed in zip(KS, GSMS[name], strict=True):
        plain = so.microaggregate(data, k, norm="l2", refine=False)
        better = so.microaggregate(data, k, norm="l2")
        assert round(100 * plain.loss, 4) <= listed
        assert better.loss <= plain.loss
        assert np.bincount(better.labels).min() >= k
