"""Options of a verification: a log or a table, each with its own, and steps of one strength."""

import pytest

import singleout as so


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "specify what the file is: user, the column of people in what is known"),
        ({"user": "a", "known_columns": ["b"]}, "give either user .* or known_columns .*, not both"),
        ({"user": "a"}, "place is missing"),
        ({"user": "a", "place": "b", "k": 5}, "k applies only to tables; leave it out"),
        ({"known_columns": ["a"], "place": "b"}, "place applies only to event logs; leave it out"),
        ({"user": "a", "place": "b", "coarsen": [1, 2]}, "coarsen takes only one value"),
        ({"user": "a", "place": "b", "hierarchy_level": "x"}, "hierarchy_level requires hierarchy"),
        ({"user": "a", "place": "b", "max_risk": 5}, "max_risk must be between 0 and 1"),
    ],
)
def test_what_does_not_fit_together_is_named(asked, message):
    with pytest.raises(so.InputError, match=message):
        so.VerifyOptions(**asked)


def test_a_table_has_the_options_of_an_audit_without_protections():
    asked = so.VerifyOptions(known_columns=["a"], k=5, max_risk=0.2, seed=3).as_audit()
    assert (asked.known_columns, asked.k, asked.max_risk, asked.seed, asked.protect) == (("a",), 5, 0.2, 3, False)


def test_there_is_no_limit_unless_set():
    log = so.VerifyOptions(user="a", place="b")
    assert (log.max_risk, log.is_table) == (None, False)


@pytest.mark.parametrize("file", [{"user": "a", "place": "b"}, {"known_columns": ["a"]}])
def test_how_files_are_written_and_what_is_allowed_goes_with_both(file):
    written = {"encoding": "latin-1", "delimiter": ";", "decimal": "comma", "columns_are": ["a", "b"], "allow": ["b"]}
    assert set(so.VerifyOptions(**file, **written).non_defaults()) == {*file, *written}
