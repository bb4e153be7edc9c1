"""Counts of few people are not shown, and others only in bands."""

import pytest


def test_counts_of_few_people_are_not_told_and_others_only_in_bands(audited, audited_table):
    for found in (audited, audited_table):
        for reason in (reason for person in found.people_at_risk.clearest for reason in person.reasons):
            assert reason.people in (None, 5, 10, 20, 50, 100, 1_000, 10_000)
            assert round(reason.share * 20) == pytest.approx(reason.share * 20)
