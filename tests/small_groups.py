"""People to be put into groups: tables of counts, and their shares."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so

NORMS = ("l1", "l2")


def histograms_of(counts):
    return so.Histograms(counts, [f"u{k}" for k in range(len(counts))], list(range(counts.shape[1])))


def shares_of(counts):
    totals = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)


counts_to_group = st.integers(1, 12).flatmap(
    lambda people: arrays(np.int64, (people, 5), elements=st.integers(0, 3)).filter(lambda table: table.any())
)


def numbered_side(counts):
    return so.Histograms(counts, [f"u{k}" for k in range(len(counts))], [f"p{k}" for k in range(len(counts[0]))])
