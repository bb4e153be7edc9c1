"""One by one, the stronger of the two directions counts."""

import numpy as np
from scipy import sparse

import singleout as so
from singleout.assessment.attack_kinds import AttackKind


def side(*rows):
    return so.Histograms(sparse.csr_array(np.array(rows, float)), ["a", "b", "c"], ["x", "y", "z"])


def test_the_direction_that_re_identifies_more_counts():
    # everyone released looks most like the first person known; those known each find their own
    released = side([6, 3, 1], [6, 1, 3], [8, 1, 1])
    known = side([8, 1, 1], [0, 10, 0], [0, 0, 10])
    rates = {
        by: so.accuracy(so.match(released, known, method="one-by-one", by=by)).expected for by in ("released", "known")
    }
    assert rates["released"] != rates["known"]
    ladder = so.ladder(released, known, similarities=["js"])
    (one,) = [rung for rung in ladder.rows if rung.kind is AttackKind.ONE_BY_ONE]
    assert one.accuracy.expected == max(rates.values())
