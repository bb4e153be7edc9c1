"""Two tables: the columns by which they could be linked, each with a reason and without a value."""

import numpy as np
import pyarrow as pa

from singleout.reading.linked_proposals import common_names, propose
from singleout.reading.proposals import Role
from singleout.reading.sources import open_source

N = 200
RNG = np.random.default_rng(0)
SURVEY = {
    "staff_no": [f"S-{n:04}" for n in range(N)],
    "birth_year": RNG.integers(1950, 2000, N),
    "town": RNG.choice(["Ulm", "Bonn", "Kiel"], N),
    "sex": RNG.choice(["f", "m"], N),
    "wage": RNG.integers(20, 90, N),
}
REGISTER = {
    "Staff No": SURVEY["staff_no"][:150] + [f"T-{n}" for n in range(50)],
    "birthYear": SURVEY["birth_year"],
    "town": RNG.choice(["Paris", "Lille"], N),
    "sex": SURVEY["sex"],
}


def roles(released, known):
    proposal = propose(open_source(pa.table(released)), None if known is None else open_source(pa.table(known)))
    return proposal, {each.column: each for each in proposal.roles}


def test_columns_that_both_have_link_the_two_and_an_id_says_who_is_who():
    proposal, found = roles(SURVEY, REGISTER)
    assert {name: each.role for name, each in found.items()} == {
        "staff_no": Role.TRUTH,
        "birth_year": Role.ON,
        "town": Role.RELEASED,
        "sex": Role.ON,
        "wage": Role.SENSITIVE,
    }
    assert found["staff_no"].reason.startswith("a value for each row, and 150 of its values are in both files")
    assert "; 50 released records have no partner by it; " in found["staff_no"].reason
    assert found["birth_year"].reason.startswith("the known file has it too as 'birthYear': ")
    assert found["town"].reason == "both files have it, but no value in common"
    assert proposal.options() == {
        "truth": "staff_no",
        "on": ["birth_year", "sex"],
        "sensitive": ["wage"],
        "known_on": ["birthYear", "sex"],
        "known_truth": "Staff No",
    }


def test_what_the_second_table_lacks_is_not_known():
    _, found = roles(SURVEY, {"sex": SURVEY["sex"]})
    assert found["birth_year"].role == Role.RELEASED
    assert found["birth_year"].reason == "the known file does not have it"
    assert found["staff_no"].role == Role.NOT_RELEASED


def test_without_a_second_table_or_for_a_log_nothing_is_linked():
    log = {"user": [f"u{k % 20}" for k in range(N)], "time": list(range(N)), "shop": [1, 2] * (N // 2)}
    assert roles(SURVEY, None)[0].known_names is None
    assert roles(log, log)[0].known_names is None


def test_a_user_that_differs_in_every_row_is_a_column_of_a_table_unless_something_says_when():
    survey, known = (open_source(pa.table(each)) for each in (SURVEY, REGISTER))
    assert propose(survey, None, user="staff_no") == propose(survey, None)
    assert not propose(survey, None).is_log
    assert propose(survey, None, user="birth_year").is_log
    timed = SURVEY | {"seen": [1_700_000_000 + 977 * k for k in range(N)]}
    assert propose(open_source(pa.table(timed)), None, user="staff_no").is_log
    assert propose(survey, known, user="staff_no").is_log


def test_a_column_has_one_partner_and_the_same_name_comes_first():
    released, known = ({name: [1] for name in names} for names in (("Age", "age"), ("age", "x")))
    assert common_names(*(open_source(pa.table(each)) for each in (released, known))) == {"Age": "age"}


def test_of_several_keys_the_one_that_most_records_share_says_who_is_who():
    ids = {"insured_no": SURVEY["staff_no"], "person_id": [f"P-{n:04}" for n in range(N)]}
    released = ids | {"sex": SURVEY["sex"]}
    proposal, found = roles(released, released | {"insured_no": REGISTER["Staff No"]})
    assert proposal.options() == {"truth": "person_id", "on": ["sex"], "drop": ["insured_no"]}
    assert "every released record has a partner by it" in found["person_id"].reason
    fewer = {"insured_no": REGISTER["Staff No"], "person_id": [*ids["person_id"][:-1], "Q-1"]}
    _, found = roles(released, released | fewer)
    assert "; 1 released record has no partner by it; " in found["person_id"].reason
