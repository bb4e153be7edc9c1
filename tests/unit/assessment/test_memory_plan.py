"""An audit says what memory it will need, and one that cannot fit ends with what would."""

import pytest

import singleout as so
from singleout.assessment import memory_plan
from singleout.assessment.memory_plan import Sizes

COLUMNS = {"user": "user", "time": "time", "place": "place"}


@pytest.fixture(scope="module")
def log():
    return so.synthetic_calls(people=120, seed=1).table


@pytest.mark.parametrize(
    ("sizes", "measured"),
    [
        (Sizes(2_432, 50_709, 1_270_000), 2.29e9),  # the demo
        (Sizes(100, 1_500, 1_400), 0.63e9),  # synthetic callers, as all that follow
        (Sizes(500, 1_500, 7_000), 0.76e9),
        (Sizes(1_000, 1_500, 14_000), 1.13e9),
        (Sizes(1_500, 1_500, 21_000), 1.63e9),
        (Sizes(2_000, 1_500, 28_000), 1.89e9),
        (Sizes(3_000, 1_500, 41_000), 2.17e9),
        (Sizes(4_000, 1_500, 55_000), 2.58e9),
        (Sizes(46_986, 1_500, 646_000), 1.77e9),
        (Sizes(19_991, 866, 384_320), 1.67e9),  # travel cards
        (Sizes(800, 400, 184_000), 1.04e9),  # people at 120 and at 300 favourite places
        (Sizes(2_500, 5_000, 1_430_000), 3.92e9),
    ],
)
def test_measured_audits_stay_below_what_is_expected(sizes, measured):
    assert measured < sizes.expect_bytes(protect=True) < 2 * measured


@pytest.mark.parametrize(("people", "measured"), [(1_000, 0.66e9), (2_000, 1.16e9), (4_000, 2.57e9)])
def test_so_do_audits_without_protections(people, measured):
    assert measured < Sizes(people, 1_500, 14 * people).expect_bytes(protect=False) < 1.5 * measured


def test_more_of_anything_needs_more_and_no_protections_less():
    few = Sizes(20_000, 1_000, 500_000)
    for more in (Sizes(40_000, 1_000, 1_000_000), Sizes(20_000, 1_000, 900_000)):
        assert more.expect_bytes(protect=True) > few.expect_bytes(protect=True)
    for sizes in (few, Sizes(1_000, 1_000, 20_000)):
        assert sizes.expect_bytes(protect=False) <= sizes.expect_bytes(protect=True)
    assert sizes.expect_bytes(protect=False) < sizes.expect_bytes(protect=True)


def test_an_audit_that_cannot_fit_says_what_would(log, monkeypatch):
    monkeypatch.setattr(memory_plan, "free_memory", lambda: 7.1e8)
    words = r"an audit of 120 people at [\d,]+ places \([\d,]+ pairs of a person and a place\) needs about \d+ MB of "
    with pytest.raises(so.ResourceError, match=words + "memory, and 710 MB are free.*sample=100.*coarser places"):
        so.audit(log, **COLUMNS, progress=False)


def test_what_fits_and_what_a_system_does_not_say_are_no_obstacle(log, monkeypatch):
    for free in (1e12, None):
        monkeypatch.setattr(memory_plan, "free_memory", lambda free=free: free)
        assert so.audit(log, **COLUMNS, protect=False, topology="no", known_pairs=0, progress=False).risk.n > 0


def test_a_larger_cell_is_proposed_for_coordinates():
    options = so.AuditOptions(user="u", time="t", lat="a", lng="b", grid=500)
    assert "grid=1000" in memory_plan._ways_to_fit(Sizes(10**9, 10, 10**10), options, 1e8)
    assert "sample" not in memory_plan._ways_to_fit(Sizes(10**9, 10, 10**10), options, 1e8)


@pytest.mark.parametrize(
    ("records", "columns", "protect", "measured"),
    [
        (2_000_000, 6, False, 1.22e9),
        (4_000_000, 6, False, 1.80e9),
        (2_000_000, 12, False, 1.35e9),
        (2_000_000, 6, True, 1.50e9),
        (4_000_000, 6, True, 2.42e9),
        (2_000_000, 12, True, 1.65e9),
    ],
)
def test_measured_audits_of_tables_stay_near_or_below_what_is_expected(records, columns, protect, measured):
    assert 0.97 * measured < memory_plan.expect_table_bytes(records, columns, protect=protect) < 1.3 * measured


def test_a_table_that_cannot_fit_says_what_would(monkeypatch):
    records = so.synthetic_records(seed=1).table
    monkeypatch.setattr(memory_plan, "free_memory", lambda: 6.502e8)
    words = "an audit of 500 records with 10 columns needs about 65. MB of memory, and 650 MB are free.*fewer columns"
    with pytest.raises(so.ResourceError, match=words + ".*sample"):
        so.audit(records, known_columns=["area", "region"], progress=False)
