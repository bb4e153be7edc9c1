"""Every protection that a report may show has words of its own."""

import pytest

from singleout.assessment.audit_options import PROTECTIONS
from singleout.assessment.protection_words import DOES, NAMES, protection_does, protection_name
from singleout.assessment.table_frontier import NAMES as OF_TABLES


def test_every_protection_has_a_name_for_readers():
    of_logs = {"none", *(name.replace("_", "-") for name in PROTECTIONS)}
    assert of_logs == set(DOES)
    assert of_logs | set(OF_TABLES.values()) == set(NAMES)
    assert len({protection_name(name) for name in NAMES}) == len(NAMES), "a legend tells them apart"


def test_places_are_called_what_the_user_calls_them():
    assert protection_name("keep", "antennas") == "top antennas"
    assert protection_name("recode-and-leave-out") == "coarser columns, records left out"


@pytest.mark.parametrize(
    ("protection", "strength", "words"),
    [
        ("keep", "5028", "releasing only the 5,028 most popular shops"),
        ("shorten", "1", "releasing only each person's first day"),
        ("shorten", "3", "releasing only each person's first 3 days"),
        ("noise", "0.1", "adding noise to every count (epsilon 0.1)"),
        ("{own}", "2", "{own}"),
    ],
)
def test_what_it_does_says_how_much(protection, strength, words):
    assert protection_does(protection, strength, "shops") == words
