"""Limits of tables: what they mean, and which are not met."""

import numpy as np
import pytest

import singleout as so
from singleout.assessment.table_limits import TableLimits
from singleout.measures.tables.diversity import Diversity
from singleout.measures.tables.table_risk import TableRisk

RISK = TableRisk(("x",), np.array([2, 2, 4, 4, 4, 4]), np.array([0, 0, 1, 1, 1, 1]), (Diversity("s", 1, 1.0, 0.4, 2),))


@pytest.mark.parametrize(
    ("limits", "faults"),
    [
        ({"k": 2}, 0),
        ({"k": 3}, 1),
        ({"max_risk": 0.34}, 0),
        ({"max_risk": 0.33}, 1),
        ({"max_risk": 0.5, "risk": "maximum"}, 0),
        ({"max_risk": 0.49, "risk": "maximum"}, 1),
        ({"l": 2, "sensitive": ("s",)}, 1),
        ({"t": 0.4, "sensitive": ("s",)}, 0),
        ({"t": 0.3, "l": 2, "k": 3, "sensitive": ("s",)}, 3),
    ],
)
def test_limits_that_are_not_met_are_named(limits, faults):
    assert len(TableLimits(**limits).faults(RISK)) == faults


def test_a_maximum_risk_is_a_size_of_classes():
    for limit, k in ((0.5, 2), (0.34, 3), (1 / 3, 3), (0.33, 4), (0.09, 12), (0.05, 20)):
        assert TableLimits(max_risk=limit, risk="maximum").least_class(in_population=False) == k
    assert TableLimits(k=7, max_risk=0.5, risk="maximum").least_class(in_population=False) == 7
    assert TableLimits(max_risk=0.05, risk="maximum").least_class(in_population=True) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 1}, "k must be a whole number, 2 or more"),
        ({"l": 2.5, "sensitive": ("s",)}, "l must be a whole number, 2 or more"),
        ({"max_risk": 1.0}, "max_risk must be between 0 and 1"),
        ({"t": 0, "sensitive": ("s",)}, "t must be between 0 and 1"),
        ({"risk": "typical"}, "risk must be one of average, maximum"),
        ({"t": 0.2}, "require `?sensitive"),
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(so.InputError, match=message):
        TableLimits(**wrong)


def test_the_command_line_says_the_same():
    limits = TableLimits(5, 0.05, "maximum", 2, 0.3, ("s", "u"))
    assert limits.as_flags() == [
        "--k", "5", "--max-risk", "0.05", "--risk", "maximum", "--l", "2", "--t", "0.3", "--sensitive", "s,u",
    ]  # fmt: skip
    assert limits.in_words() == "k = 5, maximum risk at most 5.0%, l = 2 and t = 0.3"
    assert not TableLimits().is_set
