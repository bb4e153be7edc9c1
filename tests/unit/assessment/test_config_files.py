"""Files of options: what is written can be read again, whatever names hold."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.assessment.audit_options import options_from
from singleout.assessment.config_files import paths_from, print_config, read_config, toml_line, toml_value

plain = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**60), 2**60), st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
)  # fmt: skip


@given(value=st.one_of(plain, st.lists(plain)))
def test_what_is_written_is_read_again(value):
    assert tomllib.loads(f"x = {toml_value(value)}") == {"x": value}


def test_paths_are_read_and_must_be_text(tmp_path):
    file = tmp_path / "audit.toml"
    file.write_text('data = "log.csv"\nout = "result"\nuser = "u"\nplace = "p"\n')
    assert paths_from(file) == {"data": "log.csv", "out": "result"}
    assert paths_from(None) == {}
    assert options_from(file, {}).user == "u"
    for wrong in ("data = 3", 'out = ""'):
        file.write_text(wrong)
        with pytest.raises(so.InputError, match="must be the name of a file or folder"):
            paths_from(file)


def test_dashes_and_underscores_are_the_same(tmp_path):
    (tmp_path / "audit.toml").write_text("max-risk = 0.1")
    assert read_config(tmp_path / "audit.toml") == {"max_risk": 0.1}


def test_a_printed_configuration_runs_the_same(tmp_path):
    asked = so.AuditOptions(known_columns=["a", 'b "c"'], max_risk=0.1, protect=False, recode=["a=0,5"], drop=["id"])
    text = print_config(asked, {"data": "x.csv", "known": None, "out": "here"})
    file = tmp_path / "audit.toml"
    file.write_text(text, encoding="utf-8")
    assert options_from(file, {}) == asked
    assert paths_from(file) == {"data": "x.csv", "out": "here"}
    assert "# seed = 0" in text.splitlines()
    assert toml_line("seed", 0) not in text.splitlines()
