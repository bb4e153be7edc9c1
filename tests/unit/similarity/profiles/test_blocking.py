"""Blocks and scores of fields against their slow twins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.similarity.profiles.blocking import Blocks, FieldScores
from singleout.similarity.profiles.comparators import COMPARATORS, Comparator, Field
from tests.reference.linking import fields_match
from tests.text_columns import all_pairs, column, columns, plain

pytestmark = pytest.mark.kernels


@given(sides=st.tuples(columns, columns), names=st.tuples(*[st.sampled_from(COMPARATORS)] * 3), itself=st.booleans())
def test_blocks_and_scores_are_the_twins(sides, names, itself):
    length = [min(len(a), len(b)) for a, b in zip(*sides, strict=True)]
    tables = [
        [{"x": plain(x), "y": plain(y)} for x, y in zip(sides[0][k][:n], sides[1][k][:n], strict=True)]
        for k, n in enumerate(length)
    ]
    if itself:
        tables[1] = tables[0]
    texts = {name: column(*([row[name] for row in table] for table in tables)) for name in "xy"}
    fields = [Field(Comparator(names[0]), texts["x"]), Field(Comparator(names[1]), texts["y"])]
    blocks = Blocks.of((len(tables[0]), len(tables[1])), fields, itself=itself)
    scorer = FieldScores(((Field(Comparator(names[2]), texts["x"]), 2.0),))
    rows, others = blocks.pairs(0, len(tables[0]))
    found = [{} for _ in tables[0]]
    for row, other, score in zip(rows, others, scorer.of(rows, others), strict=True):
        found[row][other] = score
    assert found == fields_match(*tables, {"x": names[0], "y": names[1]}, {"x": (names[2], 2.0)}, itself)
    everyone = all_pairs(*tables)
    allowed = {pair for pair, yes in zip(zip(*everyone, strict=True), blocks.allow(*everyone), strict=True) if yes}
    assert allowed == set(zip(rows, others, strict=True))


def test_without_fields_everyone_is_a_candidate_but_for_oneself():
    assert Blocks.of((3, 4)).everyone
    alone = Blocks.of((3, 3), itself=True)
    assert not alone.everyone
    assert list(zip(*alone.pairs(0, 3), strict=True)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
