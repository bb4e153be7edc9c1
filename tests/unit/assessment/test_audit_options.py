"""Options of an audit: the same in Python, flags and TOML, and every fault told at once."""

import pytest

import singleout as so
from singleout.assessment.audit_options import names_of, options_from
from tests.audits import LEAST_OPTIONS


def test_a_log_needs_user_and_a_table_known_columns():
    with pytest.raises(
        so.InputError,
        match=r"specify what the file is: user for an event log, known_columns for a table, or on for two",
    ):
        so.AuditOptions()
    with pytest.raises(
        so.InputError, match="give either user \\(for an event log\\) or known_columns \\(for a table\\), not both"
    ):
        so.AuditOptions(user="u", known_columns=["a"])


def test_options_of_the_other_kind_are_refused_by_name():
    with pytest.raises(so.InputError, match="grid applies only to event logs; leave it out") as caught:
        so.AuditOptions(known_columns=["a"], grid=100, keep=[5])
    assert "keep applies only to event logs" in str(caught.value)
    with pytest.raises(so.InputError, match="drop applies only to tables"):
        so.AuditOptions(**LEAST_OPTIONS, drop=["a"])


def test_columns_may_be_allowed_in_logs_and_in_tables():
    assert so.AuditOptions(**LEAST_OPTIONS, allow="p").allow == ("p",)
    assert so.AuditOptions(known_columns=["a"], allow=["a", "b"]).non_defaults()["allow"] == ["a", "b"]


def test_a_file_and_flags_are_one_and_flags_go_before_it(tmp_path):
    file = tmp_path / "audit.toml"
    file.write_text('user = "u"\nplace = "p"\ntime = "t"\nmax-risk = 0.1\nmicroaggregate = [5, 10]\nseed = 3\n')
    found = options_from(file, {"max_risk": 0.2, "keep": "10,20"})
    assert found == so.AuditOptions(**LEAST_OPTIONS, max_risk=0.2, microaggregate=(5, 10), keep=(10, 20), seed=3)
    assert found.non_defaults() == {
        "user": "u", "time": "t", "place": "p", "max_risk": 0.2, "keep": [10, 20], "microaggregate": [5, 10], "seed": 3,
    }  # fmt: skip


def test_faults_of_a_file_are_told_together_with_keys_that_do_not_exist(tmp_path):
    file = tmp_path / "audit.toml"
    file.write_text('user = "u"\nplaces = "p"\nconfidence_level = 2\nseed = -1\n')
    with pytest.raises(so.InputError, match="4 options are wrong") as caught:
        options_from(file, {})
    told = str(caught.value)
    assert "places: no such option. Did you mean 'place'?" in told
    assert "confidence_level must be between 0 and 1" in told
    assert "seed must be a whole number, 0 or more" in told
    assert "place is missing" in told


@pytest.mark.parametrize(
    ("text", "match"),
    [("user = ", "is not a valid TOML file"), (None, "cannot read"), ("a = 1\na = 2", "is not a valid TOML file")],
)
def test_a_broken_or_missing_file_is_told(tmp_path, text, match):
    file = tmp_path / "audit.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(so.SourceError, match=match):
        options_from(file, {})


def test_the_path_of_a_hierarchy_is_not_recorded(tmp_path):
    asked = so.AuditOptions(**LEAST_OPTIONS, hierarchy=str(tmp_path / "levels.csv")).non_defaults()
    assert asked["hierarchy"] == ["levels.csv"]
    asked = so.AuditOptions(**LEAST_OPTIONS, levels=str(tmp_path / "levels.csv")).non_defaults()
    assert asked["levels"] == ["levels.csv"]


def test_limits_for_those_worst_off_are_for_tables():
    with pytest.raises(so.InputError, match="k applies only to tables; leave it out"):
        so.AuditOptions(user="user", k=5)


def test_a_public_report_lists_nobody_and_reveals_nothing():
    least = LEAST_OPTIONS
    assert (so.AuditOptions(**least).people_listed, so.AuditOptions(**least, audience="public").people_listed) == (
        10,
        0,
    )
    with pytest.raises(so.InputError, match="`?reveal`? is not for a public report"):
        so.AuditOptions(**least, audience="public", reveal=True)
    with pytest.raises(so.InputError, match="one of internal, public"):
        so.AuditOptions(**least, audience="everyone")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("fold/*.csv", "fold"),
        ("/data/fold/*/**/*.csv.gz", "fold"),
        ("../fold/*", "fold"),
        ("*.csv", "*.csv"),
        ("../*.csv", "*.csv"),
        ("fold/may-*.csv", "may-*.csv"),
        ("fold/calls.csv", "calls.csv"),
    ],
)
def test_a_report_on_all_files_of_a_folder_has_its_name(source, name):
    assert names_of(source) == name
    assert names_of(source, "known.csv") == f"{name} and known.csv"
