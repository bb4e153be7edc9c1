"""Columns of text drawn by Hypothesis, and every pair of their rows."""

import numpy as np
from hypothesis import strategies as st

from singleout.similarity.profiles.comparators import Texts

words = st.one_of(st.none(), st.text("aAbß é", max_size=5).map(lambda text: text.strip()))
columns = st.tuples(st.lists(words, min_size=1, max_size=6), st.lists(words, min_size=1, max_size=6))


def plain(value):
    return None if value is None else " ".join(value.casefold().split())


def column(released, known):
    sides = []
    for side in (released, known):
        values = sorted({value for value in side if value is not None})
        codes = [values.index(value) if value is not None else len(values) for value in side]
        sides.append((np.array(codes, dtype=np.intp), [*values, None]))
    return Texts.of(sides[0], sides[1], {})


def all_pairs(released, known):
    rows, others = np.indices((len(released), len(known)))
    return rows.ravel(), others.ravel()
