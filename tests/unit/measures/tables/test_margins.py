"""How far margins are off, against a reader who spreads every value by hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.measures.tables.margins import MarginChange, Protected, margin_change

COARSER = np.array([0, 0, 1, 1, 2])
rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=1, max_size=40)


def spread(found):
    """What a reader takes the original margin to be."""
    read = Counter()
    for group, share in found.items():
        members = [[v for v in range(5) if COARSER[v] == g] for g in group]
        for one in members[0]:
            for other in members[1]:
                read[one, other] += share / len(members[0]) / len(members[1])
    return read


@given(rows=rows)
def test_two_columns_are_read_as_if_values_were_spread_evenly(rows):
    first, second, kept = (np.array(each) for each in zip(*rows, strict=True))
    columns = [
        Protected(name, codes, np.where(kept, COARSER[codes], -1), COARSER, np.arange(5.0))
        for name, codes in (("a", first), ("b", second))
    ]
    found = margin_change(columns)
    if not kept.any():
        assert found.two_way == 1.0
        return
    groups = Counter(zip(COARSER[first[kept]].tolist(), COARSER[second[kept]].tolist(), strict=True))
    read = spread({group: n / kept.sum() for group, n in groups.items()})
    true = Counter(zip(first.tolist(), second.tolist(), strict=True))
    pairs = set(read) | set(true)
    assert found.two_way == pytest.approx(sum(abs(read[p] - true[p] / len(rows)) for p in pairs) / 2)
    assert 0 <= found.one_way <= found.one_way_most <= 1


def test_what_is_unchanged_is_not_off():
    codes = np.array([0, 1, 2, 3, 4, 4])
    same = Protected("a", codes, codes, np.arange(5), np.arange(5.0))
    found = margin_change([same, same])
    assert (found.one_way, found.two_way, found.mean_shift, found.correlation_shift) == pytest.approx((0, 0, 0, 0))
    assert "0.00%" in str(found) or "0%" in str(found)


def test_a_column_of_text_has_no_mean():
    codes = np.array([0, 1, 1])
    found = margin_change([Protected("a", codes, codes, np.arange(2), None)])
    assert (found.two_way, found.mean_shift, found.correlation_shift) == (None, None, None)


def test_the_mean_moves_by_standard_deviations():
    codes, after = np.array([0, 0, 1, 1]), np.array([0, 0, -1, -1])
    found = margin_change([Protected("a", codes, after, np.arange(2), np.array([0.0, 2.0]))])
    assert found.mean_shift == pytest.approx(1.0)


def test_what_is_off_is_said_in_sentences():
    assert str(MarginChange(0.1, 0.2, 0.579, 0.7, 0.25, 0.125)) == (
        "How often the values of a column occur is off by 10.0% of the records on average over the columns (at most "
        "20.0%). How often the combinations of values of two columns occur is off by 57.9% (at most 70.0%). Means are "
        "off by at most 0.25 standard deviations, correlations by at most 0.12."
    )
    assert str(MarginChange(0.1, 0.1, None, None, None, None)).count(".") == 3, "one sentence, two shares"
