"""One side in classes: grouped once, in an order of the seed that is another one for each side."""

import numpy as np

from singleout.similarity.alignment import align_sides
from singleout.similarity.evidence import saturating_reliability
from singleout.similarity.layout import layout_of
from tests.small_matchings import sides_of_counts

COUNTS = np.array([[1, 2], [2, 4], [1, 2], [0, 3], [5, 1]])


def sides():
    return align_sides(*sides_of_counts(COUNTS, COUNTS))


def test_people_are_grouped_by_shares_by_counts_and_by_how_much_they_count():
    side = sides().released
    assert len(layout_of(side, False, None, None).classes.size) == 3
    assert len(layout_of(side, True, None, None).classes.size) == 4
    assert len(layout_of(side, False, saturating_reliability, None).classes.size) == 4


def test_rows_are_those_of_a_member_of_each_class():
    layout = layout_of(sides().released, True, None, (3, 0))
    for number, person in enumerate(layout.classes.first):
        piece = slice(layout.structure.starts[number], layout.structure.starts[number + 1])
        there = np.flatnonzero(COUNTS[person])
        assert layout.structure.columns[piece].tolist() == there.tolist()
        assert layout.counts[piece].tolist() == COUNTS[person, there].tolist()
        assert layout.totals[number].tolist() == [COUNTS[person].sum()]


def test_what_was_laid_out_once_is_used_again_and_each_side_has_an_order_of_its_own():
    both = sides()
    assert layout_of(both.released, False, None, (0, 0)) is layout_of(both.released, False, None, (0, 0))
    many = align_sides(*sides_of_counts(np.eye(40, dtype=int), np.eye(40, dtype=int)))
    orders = [layout_of(side, False, None, (0, k)).classes.first for k, side in enumerate((many.released, many.known))]
    assert orders[0].tolist() != orders[1].tolist()
