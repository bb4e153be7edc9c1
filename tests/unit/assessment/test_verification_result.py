"""What a verification says: a measured rate with the key, a bound without it, and the limit against both."""

from dataclasses import replace

import pytest

import singleout as so
from singleout.assessment.file_figures import EstimatedMatches
from tests.small_releases import COLUMNS, small_release


def verified(*, key=True, limit=None, **protection):
    made = small_release(**protection)
    return so.verify(made.protected, made.log, key=made.key if key else None, max_risk=limit, **COLUMNS, progress=False)


def test_with_the_key_the_answer_is_a_rate_and_without_it_a_bound():
    known, unknown = verified(microaggregate=5), verified(microaggregate=5, key=False)
    assert known.sentence().startswith("An intruder would re-identify about")
    assert unknown.sentence().startswith(
        "Everyone's rows are identical to those of at least 4 others (k = 5). No attack"
    )
    assert unknown.sentence().endswith("cannot be measured without the key to the pseudonyms.")
    assert "file" in known.to_dict()


@pytest.mark.parametrize(
    ("limit", "key", "words"),
    [
        (0.9, True, "is within your risk limit of 90.0%."),
        (0.2, True, "But since people share their rows, no attack can re-identify more than 20.0% on average"),
        (0.1, True, "is above your risk limit of 10.0%."),
        (0.2, False, "This bound, 20.0%, is within your risk limit of 20.0%."),
        (0.1, False, "This bound, 20.0%, is above your risk limit of 10.0%."),
    ],
)
def test_the_limit_is_compared_with_the_interval_or_the_guarantee(limit, key, words):
    found = verified(microaggregate=5, limit=limit, key=key)
    assert words in found.verdict()
    assert found.meets_limit == ("within" in words or "But since" in words)
    assert found.passed == (found.meets_limit or limit is None)
    if found.meets_limit:
        assert found.advice().startswith("The limit is met on average")
    else:
        assert found.advice().startswith("Protect the data" if key else "Verify the file with its key")


def test_what_the_file_guarantees_is_in_words():
    file = verified(keep=2).file
    alone = replace(file, smallest=1, unique=3, people=40)
    assert alone.in_words().startswith("3 of 40 people share their rows with nobody")
    assert replace(alone, unique=40).in_words().endswith("the file by itself guarantees nothing.")
    pair = replace(file, smallest=2, unique=0)
    assert "those of at least 1 other (k = 2)" in pair.in_words()


def test_an_estimate_says_what_confirms_it():
    file = replace(verified(keep=2).file, estimated=EstimatedMatches(0.4, 3, 30), withheld="")
    assert "about 40.0% of the people they know; 3 of 30 pairs" in file.estimate_in_words()
    assert file.estimate_in_words().endswith("The key confirms that stated and true probabilities are close.")
    assert "Nothing here confirms it" in replace(file, identities=False).estimate_in_words()
    none = replace(file, estimated=None, withheld="reasons")
    assert none.estimate_in_words().endswith("is not estimated: reasons.")


def test_without_a_limit_there_is_no_verdict():
    found = verified(microaggregate=5)
    assert (found.meets_limit, found.passed) == (None, True)
    assert found.verdict() == "You set no risk limit, so there is no verdict."


def test_what_remains_without_the_key_is_said_to_be_a_bound():
    assert verified(microaggregate=5, key=False).residual_risk() == (
        "In this file at most 20.0% of the people could be re-identified on average, whatever the attack. How many "
        "would be was not measured: that needs the key."
    )
