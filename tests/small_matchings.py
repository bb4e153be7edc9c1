"""Two sides from tables of counts, given or drawn by Hypothesis, and the pairs of a matching."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import singleout as so


def sides_of_counts(released, known, **options):
    """Row k of a table is person uk, column k is place k."""
    places = list(range(released.shape[1]))
    return tuple(
        so.Histograms(counts, [f"u{k}" for k in range(len(counts))], places, **options) for counts in (released, known)
    )


def table_of_counts(people, most=3):
    """Draws how often people were at five places."""
    return arrays(np.int64, (people, 5), elements=st.integers(0, most))


tables_of_counts = (
    st.tuples(st.integers(1, 7), st.integers(1, 7))
    .flatmap(lambda n: st.tuples(table_of_counts(n[0]), table_of_counts(n[1])))
    .filter(lambda counts: (counts[0].sum(axis=0) * counts[1].sum(axis=0)).any())
)

few_counts = arrays(np.int64, (6, 2), elements=st.integers(0, 2))
"""So few that many people are indistinguishable."""


def pairs_of(matching):
    return list(zip(matching.released.tolist(), matching.known.tolist(), strict=True))


def scores_of(matrix, **options):
    """The same ids on both sides."""
    rows, columns = matrix.shape
    return so.Scores(matrix, [f"r{k}" for k in range(rows)], [f"r{k}" for k in range(columns)], **options)
