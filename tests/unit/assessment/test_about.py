"""What is said about an assessment."""

import pytest

import singleout as so
from singleout.assessment.about import RELEASE_MODELS, AboutOptions
from tests.audits import LEAST_OPTIONS


def test_what_was_not_said_is_none():
    said = AboutOptions(purpose="research", assessed_on="2026-05-31").about()
    assert (said["purpose"], said["assessed_on"]) == ("research", "2026-05-31")
    assert said["reviewed_by"] is None
    assert len(said) == 13


@pytest.mark.parametrize(
    ("option", "value", "must"),
    [
        ("assessed_on", "31.5.2026", "a date such as 2026-05-31"),
        ("review_by", "20270531", "a date such as 2026-05-31"),
        ("release_model", "everyone", "one of public, group, one recipient, internal"),
        ("status", "done", "one of draft, final"),
    ],
)
def test_wrong_words_are_refused(option, value, must):
    with pytest.raises(so.InputError, match=must):
        AboutOptions(**{option: value})


def test_an_audit_takes_them_and_records_them():
    given = {"assessed_on": "2026-05-31", "recipient": "the institute", "release_model": RELEASE_MODELS[2]}
    assert AboutOptions(**given).non_defaults() == given
    assert so.AuditOptions(**LEAST_OPTIONS, **given).non_defaults() == LEAST_OPTIONS | given
