"""Counts of few people are not shown, and others only in bands."""

import pytest

from singleout.assessment.disclosure import people_band, rounded_share


def test_counts_of_few_people_are_not_told_and_others_only_in_bands(audited, audited_table):
    for found in (audited, audited_table):
        for reason in (reason for person in found.people_at_risk.clearest for reason in person.reasons):
            assert reason.people in (None, 5, 10, 20, 50, 100, 1_000, 10_000)
            assert round(reason.share * 20) == pytest.approx(reason.share * 20)


@pytest.mark.parametrize(
    ("people", "band"),
    [(0, None), (4, None), (5, 5), (9, 5), (10, 10), (99, 50), (999, 100), (1_000, 1_000), (10**7, 10_000)],
)
def test_a_count_is_shown_as_at_least_its_band(people, band):
    assert people_band(people, reveal=False) == band
    assert people_band(people, reveal=True) == people


@pytest.mark.parametrize(("share", "shown"), [(0.0, 0.0), (0.02, 0.0), (0.03, 0.05), (0.51, 0.5), (1.0, 1.0)])
def test_a_share_is_shown_to_the_nearest_twentieth(share, shown):
    assert rounded_share(share, reveal=False) == pytest.approx(shown)
    assert rounded_share(share, reveal=True) == share
