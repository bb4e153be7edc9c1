"""Losses by which a lattice is searched: the least of all nodes, and never less at a coarser one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.protection.lattice import Lattice
from singleout.protection.lattice_limits import FileLimits
from singleout.protection.lattice_losses import LOSSES, loss_named
from tests.small_lattices import LEVELS, combinations

records = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=40)


def by_hand(name, rows, node, gone, importance):
    """The loss of a node, record by record."""
    coarse = [tuple(int(LEVELS[c][node[c]][row[c]]) for c in range(3)) for row in rows]
    n = len(rows)
    sizes = {key: coarse.count(key) for key in coarse}
    if name == "discernibility":
        return sum(n if key in gone else sizes[key] for key in coarse) / n**2
    if name == "class-size":
        return 1 / (len(set(sizes) - gone) + bool(gone))
    left, whole = 0.0, 0.0
    for c in range(3):
        before = entropy([row[c] for row in rows])
        scale = importance[c] * (1.0 if name == "entropy" or not before else 1 / before)
        kept = [key[c] for key in coarse if key not in gone]
        whole += scale * before
        left += scale * entropy(kept) * len(kept) / n
    return 1 - left / whole if whole else 0.0


def entropy(values):
    shares = np.unique(values, return_counts=True)[1] / max(len(values), 1)
    return float(-(shares * np.log2(shares)).sum())


@pytest.mark.parametrize("name", LOSSES)
@given(rows=records, k=st.integers(1, 5), share=st.sampled_from([0.0, 0.2]))
def test_the_least_of_all_nodes_is_found(name, rows, k, share):
    whole = Lattice(combinations(np.array(rows).T), LEVELS)
    limits = FileLimits(k=k, most_left_out=int(share * len(rows)))
    importance = (1.0, 2.0, 0.5)
    found = whole.search(limits, loss_named(name, whole, importance))
    losses = []
    for node in whole.nodes.tolist():
        coarse = [tuple(int(LEVELS[c][node[c]][row[c]]) for c in range(3)) for row in rows]
        gone = {key for key in coarse if coarse.count(key) < k}
        if sum(key in gone for key in coarse) <= limits.most_left_out and len(gone) < len(set(coarse)):
            losses.append(by_hand(name, rows, node, gone, importance))
    assert (found is None) == (not losses)
    if found is not None:
        assert found.loss == pytest.approx(min(losses), abs=1e-9)
