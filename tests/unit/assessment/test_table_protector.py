"""Protections of one table under several limits share what is prepared."""

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.table_limits import TableLimits
from singleout.assessment.table_protector import TableProtector


@pytest.fixture(scope="module")
def protector():
    rng = np.random.default_rng(1)
    columns = {"a": rng.integers(0, 60, 800), "b": rng.choice(list("uvwxyz"), 800), "s": rng.integers(0, 3, 800)}
    return TableProtector(so.read_table(pa.table(columns)), ("a", "b"), ("s",))


@pytest.mark.parametrize("method", ["recode", "cells"])
@pytest.mark.parametrize("k", [2, 5, 20])
def test_what_is_counted_beforehand_is_what_the_file_has(protector, method, k):
    limits = TableLimits(k)
    change = protector.change(limits, method)
    counted, written = protector.measure(change), protector.write(change, limits).risk
    assert counted.k == written.k >= k
    assert counted.average == pytest.approx(written.average)
    assert counted.diversity == written.diversity


def test_stricter_limits_never_lose_less(protector):
    losses = [protector.change(TableLimits(k)).loss for k in (2, 3, 5, 11, 20, 50)]
    assert losses == sorted(losses)
    some = [protector.change(TableLimits(k), "recode", 0.05).loss for k in (2, 3, 5, 11, 20, 50)]
    assert all(fewer <= all_kept + 1e-12 for fewer, all_kept in zip(some, losses, strict=True))


def test_the_lattice_is_made_once(protector):
    assert protector.lattice is protector.lattice
    assert protector.before.records == 800
