"""Limits of the old result are held against the figures of the new one, whatever limits that one was given."""

from dataclasses import replace

import pytest

import singleout as so
from singleout.assessment.comparison import Verdict, compare_audits
from singleout.assessment.table_limits import TableLimits
from singleout.measures.tables.diversity import Diversity
from tests.audits import of_events, table_audit, with_classes

JOB = Diversity("job", 3, 2.5, 0.1, 0)


def of_table(*, smallest=5, alone=0, job=JOB, average=100, risk="average", limit=None, most_alone=None, **limits):
    """A result of a table: the least group, records that are singled out, one sensitive column, and limits."""
    sizes = 0 * table_audit().worst_off.risk.sizes + max(smallest, 2)
    sizes[:alone] = 1
    if not alone:
        sizes[:smallest] = smallest
    audit = with_classes(table_audit(), sizes, average=average)
    risk_of_file = replace(audit.worst_off.risk, diversity=() if job is None else (job,))
    worst = replace(
        audit.worst_off,
        risk=risk_of_file,
        limits=TableLimits(max_risk=limit if risk == "maximum" else None, risk=risk, sensitive=("job",), **limits),
        max_singled_out=most_alone,
    )
    return replace(audit, worst_off=worst, risk_limit=limit, options=dict(audit.options) | {"risk": risk})


@pytest.mark.parametrize(
    ("limits", "worse", "said"),
    [
        ({"k": 5}, {"smallest": 4}, "its limit k = 5; the new one does not: k is 4."),
        ({"k": 5}, {"alone": 1}, "its limit k = 5; the new one does not: k is 1."),
        ({"l": 3}, {"job": replace(JOB, distinct=2)}, "l = 3; the new one does not: l of job is 2."),
        ({"t": 0.2}, {"job": replace(JOB, t=0.31)}, "t = 0.2; the new one does not: t of job is 0.310."),
        ({"most_alone": 0}, {"alone": 4}, "at most 0 records singled out; the new one does not: 4 are."),
        ({"limit": 0.06}, {"average": 130}, "its risk limit of 6.0%; the new one does not: its risk is up to 6.5%."),
        (
            {"limit": 0.2, "risk": "maximum"},
            {"smallest": 4},
            "limit of 20.0% for the record most at risk; the new one does not: its risk is 25.0%.",
        ),
    ],
)
def test_an_old_limit_that_the_new_figures_break_is_worse_also_where_it_was_dropped_or_loosened(limits, worse, said):
    loose = {"k": 2, "l": 2, "t": 0.9, "most_alone": 10, "limit": 0.99}
    loosened = {name: loose[name] for name in limits if name in loose}
    for asked in (limits, {}, loosened):
        found = compare_audits(of_table(**limits), of_table(**(asked | worse)))
        assert (found.verdict, found.passed) == (Verdict.WORSE, False)
        assert any(fault.startswith("The old result met ") and fault.endswith(said) for fault in found.faults)


@pytest.mark.parametrize(
    "stricter",
    [
        {"k": 50},
        {"k": 5, "limit": 0.01},
        {"k": 5, "limit": 0.01, "risk": "maximum"},
        {"l": 4, "t": 0.01, "most_alone": 0},
        {},
    ],
)
def test_stricter_limits_of_the_new_result_do_not_matter(stricter):
    old = of_table(k=5, l=3, t=0.1, most_alone=0, limit=0.06)
    found = compare_audits(old, of_table(**stricter))
    assert (found.faults, found.passed) == ((), True)


def test_a_limit_whose_figure_the_new_result_does_not_have_does_not_count_as_met():
    old = of_table(l=2, t=0.2)
    found = compare_audits(old, of_table(job=None))
    assert (found.verdict, found.passed) == (Verdict.WORSE, False)
    assert found.faults == (
        "The old result met its limit l = 2; whether the new one does is not known: job was not measured as a "
        "sensitive column.",
        "The old result met its limit t = 0.2; whether the new one does is not known: job was not measured as a "
        "sensitive column.",
    )


def test_a_sensitive_column_that_the_new_file_no_longer_has_reveals_nothing():
    def having(audit, *names):
        return replace(audit, released=replace(audit.released, column_names=names))

    old, new = having(of_table(l=2), "age", "sex", "town", "job"), of_table(job=None)
    assert compare_audits(old, having(new, "age", "sex", "town")).faults == ()
    assert compare_audits(old, having(new, "age", "sex", "town", "work")).faults, "it may have been renamed"


def test_a_limit_that_the_old_result_did_not_meet_is_not_lost():
    old = of_table(k=9, l=2, limit=0.01)
    assert compare_audits(old, of_table(k=9, l=2, limit=0.01)).faults == ()
    lost = compare_audits(old, of_table(job=replace(JOB, distinct=1))).faults
    assert len(lost) == 1, "each limit counts on its own"
    assert "l of job is 1" in lost[0]
    doubtful = replace(of_table(k=5), doubt="rows may be events")
    assert not any("met its" in fault for fault in compare_audits(doubtful, of_table(smallest=4)).faults)


def test_a_loosened_risk_limit_is_held_against_the_upper_end():
    old, new = of_events(605, limit=0.64), of_events(625, limit=0.9)
    assert compare_audits(old, old).passed
    found = compare_audits(old, new)
    assert (found.verdict, found.passed) == (Verdict.WORSE, False)
    inside = of_events(605, limit=0.64, inside=640)
    assert any("up to 66.9%" in fault for fault in compare_audits(old, inside).faults)


def test_the_maximum_in_a_population_is_held_against_that_of_the_new_result():
    table = so.synthetic_records(seed=1).table
    asked = {"known_columns": ["area", "occupation"], "protect": False, "progress": False, "risk": "maximum"}
    first = so.audit(table, **asked, population=100_000, max_risk=0.99)
    highest = max(first.risk.high, float(first.worst_off.risk.population.risks.max()))
    assert highest < first.worst_off.risk.maximum
    old = so.audit(table, **asked, population=100_000, max_risk=highest)
    assert old.meets_limit
    assert compare_audits(old, first).passed
    fewer = so.audit(table, **asked, population=10_000, max_risk=0.99)
    assert any("most at risk" in fault for fault in compare_audits(old, fewer).faults)
