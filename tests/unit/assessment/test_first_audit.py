"""A proposal and three answers become a file of options that can be run."""

import tomllib
from datetime import date

import numpy as np
import pyarrow as pa
import pytest

import singleout as so
from singleout.assessment.audit_options import options_from
from singleout.assessment.first_audit import (
    Answers,
    advised_command,
    config_text,
    missing_options,
    missing_roles,
    options_of,
    parse_columns,
    parse_release,
    propose_in_words,
    show_proposal,
)
from singleout.reading.proposals import propose_roles
from singleout.reading.sources import open_source

N = 300
RNG = np.random.default_rng(0)
TODAY = date(2026, 5, 31)
SURVEY = {
    "employee_no": RNG.permutation(N) + 10_000,
    "age": RNG.integers(18, 90, N),
    "sex": RNG.choice(["f", "m"], N),
    "salary": RNG.integers(20, 90, N) * 1_000,
    "weight": RNG.uniform(1, 40, N),
}
LOG = {
    "user": [f"u{k % 20}" for k in range(N)],
    "time": [1_700_000_000 + 99 * k for k in range(N)],
    "shop": [1, 2] * 150,
}


def proposal_of(columns):
    return propose_roles(open_source(pa.table(columns)))


def written(tmp_path, proposal, answers):
    file = tmp_path / "audit.toml"
    file.write_text(config_text("data.csv", "result", proposal, answers, TODAY), encoding="utf-8")
    return tomllib.loads(file.read_text()), options_from(file, {})


def test_a_table_becomes_a_file_of_options(tmp_path):
    answers = Answers("one recipient", "the institute", ("age", "sex"), max_risk=0.09)
    listed, options = written(tmp_path, proposal_of(SURVEY), answers)
    assert listed == {
        "data": "data.csv", "out": "result", "assessed_on": "2026-05-31", "release_model": "one recipient",
        "recipient": "the institute", "known_columns": ["age", "sex"], "drop": ["employee_no"],
        "sensitive": ["salary"], "survey_weight": "weight", "max_risk": 0.09,
    }  # fmt: skip
    assert options.known_columns == ("age", "sex")


def test_a_log_becomes_a_file_of_options(tmp_path):
    listed, options = written(tmp_path, proposal_of(LOG), Answers("internal", known_file="earlier.csv"))
    assert listed["known"] == "earlier.csv"
    assert "recipient" not in listed
    assert (options.user, options.time, options.place, options.max_risk) == ("user", "time", "shop", None), (
        "nobody decided on a limit"
    )


def test_an_answer_overrules_what_was_proposed():
    found = options_of(proposal_of(SURVEY), Answers(known=("salary", "employee_no", "weight")))
    assert found == {"known_columns": ["salary", "employee_no", "weight"], "allow": ["employee_no"]}


def test_names_that_hold_quotes_or_ends_of_lines_stay_one_name(tmp_path):
    name = 'age "in\nyears"\x7f # = ['
    listed, options = written(tmp_path, proposal_of({name: SURVEY["age"], "sex": SURVEY["sex"]}), Answers())
    assert options.known_columns == (name, "sex")
    assert set(listed) == {"data", "out", "assessed_on", "known_columns"}


def test_the_proposal_fits_a_terminal_and_says_that_it_is_a_guess():
    shown = show_proposal(proposal_of(SURVEY), "survey.csv")
    assert shown.startswith("survey.csv: table, one row per person")
    assert max(map(len, shown.splitlines())) <= 80
    assert "These are guesses" in shown
    for column in SURVEY:
        assert f"  {column} " in shown


def test_what_is_missing_is_said():
    without = {name: LOG[name] for name in ("user",)} | {"note": [k / 7 for k in range(N)]}
    assert missing_roles(propose_roles(open_source(pa.table(without)), user="user")) == [
        "No column seems to hold places: set place.",
        "No column holds dates, so the log cannot be split: set time (and time_format, such as '%d/%m/%Y %H:%M'), or "
        "known to a file that others have.",
    ]
    assert missing_roles(proposal_of({"x": list(map(float, RNG.uniform(0, 1, N)))})) == [
        "No column seems to be known to others: set known_columns."
    ]
    assert missing_roles(proposal_of(LOG)) == missing_roles(proposal_of(SURVEY)) == []


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("%d/03/%Y", "Day and month of the dates could be swapped: set time_format to '%d/%m/%Y' or '%m/%d/%Y'."),
        ("%d-Mar-%Y", "The format of times is not recognised: set time_format, such as '%d/%m/%Y %H:%M'."),
    ],
)
def test_a_format_of_times_that_only_people_can_name_is_missing(form, wanted):
    days = [date(2025, 3, 1 + k % 12).strftime(form) for k in range(N)]
    proposal = proposal_of(LOG | {"time": days})
    assert missing_options(proposal) == missing_options(proposal, "earlier.csv") == [wanted]
    assert f"# MISSING: {wanted}\n" in config_text("log.csv", "result", proposal, Answers(), TODAY)
    assert missing_options(proposal_of(LOG)) == []


def test_an_error_about_missing_options_names_the_command_to_run():
    proposal = proposal_of(LOG)
    command = advised_command(["my log.csv"], proposal.options() | {"place": "till", "reveal": True})
    assert command == "singleout audit 'my log.csv' --user user --time time --place till --reveal"
    words = propose_in_words(["log.csv"], proposal, proposal.options())
    assert len(words.strip().splitlines()) == 3
    assert words.endswith("singleout init log.csv")


def test_the_command_for_a_file_of_options_reads_the_file_in_the_same_way():
    proposal = proposal_of(LOG)
    written = {"columns_are": ("user", "time", "shop"), "delimiter": ";", "encoding": "latin-1", "decimal": "comma"}
    words = propose_in_words(["log.csv"], proposal, proposal.options() | {"reveal": True} | written)
    assert words.endswith(
        "singleout init log.csv --columns-are user,time,shop --delimiter ';' --encoding latin-1 --decimal comma"
    )


@pytest.mark.parametrize(
    ("text", "release"),
    [("public", ("public", "")), ("One recipient: ETH", ("one recipient", "ETH")), ("group:a:b", ("group", "a:b"))],
)
def test_answers_about_the_release(text, release):
    assert parse_release(text) == release


def test_answers_that_cannot_be_used_are_refused():
    with pytest.raises(so.InputError, match="one of public, group, one recipient, internal"):
        parse_release("everybody")
    source = open_source(pa.table(SURVEY))
    proposal = propose_roles(source)
    assert parse_columns("age, sex,age", proposal, source) == ("age", "sex")
    with pytest.raises(so.InputError, match="is not a column"):
        parse_columns("agee", proposal, source)
    with pytest.raises(so.InputError, match="at least one column"):
        parse_columns(" ,", proposal, source)
