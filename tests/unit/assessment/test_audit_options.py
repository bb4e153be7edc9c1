"""Options of an audit: the same in Python, flags and TOML, and every fault told at once."""

import pytest

import singleout as so
from singleout.assessment.audit_options import options_from

EVENTS = {"user": "u", "place": "p", "time": "t"}


def test_a_log_needs_user_and_a_table_known_columns():
    with pytest.raises(so.InputError, match=r"give user for an event log, or known_columns for a table"):
        so.AuditOptions()
    with pytest.raises(so.InputError, match="give one of them"):
        so.AuditOptions(user="u", known_columns=["a"])


def test_every_fault_is_told_at_once():
    with pytest.raises(so.InputError, match="^audit: 5 options are wrong:") as caught:
        so.AuditOptions(
            **EVENTS, max_risk=5, confidence_level="high", split="thirds", microaggregate=[1], week_start="Montag"
        )
    told = str(caught.value)
    for line in (
        "max_risk must be between 0 and 1 (0.05 for 5 %), got 5",
        "level must be a number",
        "split must be one of halves",
    ):
        assert line in told
    for line in ("microaggregate must be whole numbers of two or more", "week_start must be one of monday"):
        assert line in told


def test_options_of_the_other_kind_are_refused_by_name():
    with pytest.raises(so.InputError, match="grid is for event logs; leave it out") as caught:
        so.AuditOptions(known_columns=["a"], grid=100, keep=[5])
    assert "keep is for event logs" in str(caught.value)
    with pytest.raises(so.InputError, match="drop is for tables"):
        so.AuditOptions(**EVENTS, drop=["a"])


def test_what_goes_with_what_is_told():
    with pytest.raises(so.InputError, match="dates requires split=dates"):
        so.AuditOptions(**EVENTS, dates=["2020-01-01", "2020-01-02", "2020-01-03"])
    with pytest.raises(so.InputError, match="week_start and longer_first require split=halves"):
        so.AuditOptions(**EVENTS, split="weeks", week_start="tuesday")
    with pytest.raises(so.InputError, match="topology=yes requires time"):
        so.AuditOptions(user="u", place="p", topology="yes")
    with pytest.raises(so.InputError, match="place is missing; or give lat and lng"):
        so.AuditOptions(user="u", time="t")


def test_unknown_weights_are_named_with_their_neighbours():
    with pytest.raises(so.InputError, match="Did you mean 'cosine'"):
        so.AuditOptions(**EVENTS, similarities=["cosin"])
    with pytest.raises(so.InputError, match="similarities must name at least one"):
        so.AuditOptions(**EVENTS, similarities=[])


def test_a_file_and_flags_are_one_and_flags_go_before_it(tmp_path):
    file = tmp_path / "audit.toml"
    file.write_text('user = "u"\nplace = "p"\ntime = "t"\nmax-risk = 0.1\nmicroaggregate = [5, 10]\nseed = 3\n')
    found = options_from(file, {"max_risk": 0.2, "keep": "10,20"})
    assert found == so.AuditOptions(**EVENTS, max_risk=0.2, microaggregate=(5, 10), keep=(10, 20), seed=3)
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
    assert "seed must be a whole number of zero or more" in told
    assert "place is missing" in told


@pytest.mark.parametrize(
    ("text", "match"), [("user = ", "is not TOML"), (None, "cannot read"), ("a = 1\na = 2", "is not TOML")]
)
def test_a_broken_or_missing_file_is_told(tmp_path, text, match):
    file = tmp_path / "audit.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(so.SourceError, match=match):
        options_from(file, {})


def test_lists_may_be_one_value_or_text_with_commas():
    assert so.AuditOptions(**EVENTS, shorten=7).shorten == (7,)
    assert so.AuditOptions(**EVENTS, box="46.2, 6.1, 1000").box == (46.2, 6.1, 1000.0)
    with pytest.raises(
        so.InputError, match="shorten must be whole numbers separated by commas, or a list of them, got 'a,b'"
    ):
        so.AuditOptions(**EVENTS, shorten="a,b")
    with pytest.raises(so.InputError, match="known_columns must be different columns"):
        so.AuditOptions(known_columns=["a", "a"])
    with pytest.raises(so.InputError, match="known_columns must be names separated by commas"):
        so.AuditOptions(known_columns=[1, 2])


def test_the_path_of_a_hierarchy_is_not_recorded(tmp_path):
    asked = so.AuditOptions(**EVENTS, hierarchy=str(tmp_path / "levels.csv")).non_defaults()
    assert asked["hierarchy"] == "levels.csv"


@pytest.mark.parametrize("word", ["\udcff", " "])
def test_a_name_of_places_is_a_word_that_can_be_written(word):
    with pytest.raises(so.InputError, match="place_name must be a word, in UTF-8"):
        so.AuditOptions(**EVENTS, place_name=word)
