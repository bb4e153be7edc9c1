"""The least destructive combination of levels: exact, against every node looked at record by record."""

import csv
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.protection.lattice import Lattice
from singleout.protection.lattice_limits import FileLimits
from singleout.protection.lattice_losses import EntropyLoss
from tests.reference import lattice as twin
from tests.small_lattices import LEVELS, combinations

records = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=40)


def lattice(rows):
    return Lattice(combinations(np.array(rows).T), LEVELS)


def search(whole, **limits):
    return whole.search(FileLimits(**limits), EntropyLoss((1.0,) * len(whole.levels)))


@given(rows=records, k=st.integers(1, 6), share=st.sampled_from([0.0, 0.1, 0.3]))
def test_k_is_reached_with_the_least_loss_of_all_nodes(rows, k, share):
    most = int(share * len(rows))
    found = search(lattice(rows), k=k, most_left_out=most)
    expected = twin.best_loss(rows, LEVELS, twin.at_least(k, most))
    assert (found is None) == (expected is None)
    if found is not None:
        assert found.loss == pytest.approx(expected, abs=1e-9)
        assert found.left_out <= most


@given(rows=records, limit=st.sampled_from([0.05, 0.2, 0.5, 1.0]), share=st.sampled_from([0.0, 0.1, 0.3]))
def test_a_mean_risk_is_reached_with_the_least_loss_of_all_nodes(rows, limit, share):
    most = int(share * len(rows))
    found = search(lattice(rows), mean_risk=limit, most_left_out=most)
    expected = twin.best_loss(rows, LEVELS, twin.mean_at_most(limit, most))
    assert (found is None) == (expected is None)
    if found is not None:
        # of equally small classes either may be emptied, which can lose more or less
        assert found.loss <= expected + 0.15
        classes = lattice(rows).classes(found.levels)
        assert len(classes.label) == len(lattice(rows).table.counts)
        assert classes.sizes.sum() == len(rows)


def test_many_columns_of_many_values_do_not_overflow():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2_000, 500) for _ in range(12)]
    whole = Lattice(combinations(columns), [[np.arange(2_000), np.zeros(2_000, int)]] * 12)
    assert whole.classes((0,) * 12).sizes.tolist() == [1] * 500
    assert whole.size == 2**12


@pytest.mark.parametrize(
    ("rule", "theirs"), [(("mean", 0.2), 0.284), (("mean", 0.05), 0.399), (("k", 5), 0.546)], ids=["0.2", "0.05", "k5"]
)
def test_the_standard_example_loses_less_than_the_published_result(real_data, rule, theirs):
    table, levels = adult(real_data("arx_adult"))
    name = "mean_risk" if rule[0] == "mean" else "k"
    limits = FileLimits(**{name: rule[1]}, most_left_out=math.floor(0.04 * table.records))
    whole = Lattice(table, levels)
    found = whole.search(limits, EntropyLoss((1.0,) * len(levels)))
    classes = whole.classes(found.levels)
    left_out = limits.leave_out(whole, found.levels, classes)
    assert loss_with_a_value_for_emptied(table, levels, found.levels, left_out[classes.label]) <= theirs
    kept = classes.sizes[~left_out]
    assert (kept.min() >= 5) if rule[0] == "k" else (len(kept) / kept.sum() <= rule[1])


def loss_with_a_value_for_emptied(table, levels, node, emptied):
    """As the published results count it: an emptied record has the value * in each column."""

    def entropy_of(values):
        _, inverse = np.unique(values, return_inverse=True)
        shares = np.bincount(inverse, table.counts) / table.records
        return -(shares * np.log2(shares)).sum()

    codes = table.codes.T
    after = [np.where(emptied, -1, levels[c][level][codes[c]]) for c, level in enumerate(node)]
    return 1 - sum(map(entropy_of, after)) / sum(map(entropy_of, codes))


def adult(folder):
    """The table of eight columns and their hierarchies, as codes."""
    with (folder / "adult.csv").open(newline="") as file:
        head, *rows = csv.reader(file, delimiter=";")
    names = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
    columns, levels = [], []
    for name in names:
        values, codes = np.unique([row[head.index(name)] for row in rows], return_inverse=True)
        with (folder / f"adult_hierarchy_{name}.csv").open(newline="") as file:
            steps = {row[0]: row for row in csv.reader(file, delimiter=";")}
        depth = len(next(iter(steps.values())))
        mapped = [np.unique([steps[value][k] for value in values], return_inverse=True)[1] for k in range(depth)]
        columns.append(codes)
        levels.append([*mapped, np.zeros(len(values), int)] if mapped[-1].max() else mapped)
    return combinations(columns), levels
