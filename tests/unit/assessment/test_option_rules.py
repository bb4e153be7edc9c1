"""What options must be: kinds, rules and contradictions, all faults at once."""

import pytest

import singleout as so
from singleout.assessment.option_rules import RULES_OF
from tests.audits import LEAST_OPTIONS


def test_every_fault_is_told_at_once():
    with pytest.raises(so.InputError, match="^audit: 5 options are wrong:") as caught:
        so.AuditOptions(
            **LEAST_OPTIONS,
            max_risk=5,
            confidence_level="high",
            split="thirds",
            microaggregate=[1],
            week_start="Montag",
        )
    told = str(caught.value)
    for line in (
        "max_risk must be between 0 and 1, such as 0.05 for 5% (got 5.0)",
        "level must be a number",
        "split must be one of halves",
    ):
        assert line in told
    for line in ("microaggregate must be whole numbers, 2 or more", "week_start must be one of monday"):
        assert line in told


def test_what_goes_with_what_is_told():
    with pytest.raises(so.InputError, match="dates requires split=dates"):
        so.AuditOptions(**LEAST_OPTIONS, dates=["2020-01-01", "2020-01-02", "2020-01-03"])
    with pytest.raises(so.InputError, match="week_start and longer_first require split=halves"):
        so.AuditOptions(**LEAST_OPTIONS, split="weeks", week_start="tuesday")
    with pytest.raises(so.InputError, match="topology=yes requires time"):
        so.AuditOptions(user="u", place="p", topology="yes")
    with pytest.raises(so.InputError, match="place is missing \\(or give lat, lng and grid\\)"):
        so.AuditOptions(user="u", time="t")


def test_unknown_weights_are_named_with_their_neighbours():
    with pytest.raises(so.InputError, match="Did you mean 'cosine'"):
        so.AuditOptions(**LEAST_OPTIONS, similarities=["cosin"])
    with pytest.raises(so.InputError, match="similarities must name at least one"):
        so.AuditOptions(**LEAST_OPTIONS, similarities=[])


def test_lists_may_be_one_value_or_text_with_commas():
    assert so.AuditOptions(**LEAST_OPTIONS, shorten=7).shorten == (7,)
    assert so.AuditOptions(**LEAST_OPTIONS, box="46.2, 6.1, 1000").box == (46.2, 6.1, 1000.0)
    with pytest.raises(
        so.InputError, match=r"shorten must be whole numbers separated by commas, or a list of them \(got 'a,b'\)"
    ):
        so.AuditOptions(**LEAST_OPTIONS, shorten="a,b")
    with pytest.raises(so.InputError, match="known_columns must be different columns"):
        so.AuditOptions(known_columns=["a", "a"])
    with pytest.raises(so.InputError, match="known_columns must be names separated by commas"):
        so.AuditOptions(known_columns=[1, 2])


@pytest.mark.parametrize(
    ("word", "fault"), [("\udcff", "place_name must be text in UTF-8"), (" ", r"place_name must not be empty\.$")]
)
def test_a_name_of_places_is_a_word_that_can_be_written(word, fault):
    with pytest.raises(so.InputError, match=fault):
        so.AuditOptions(**LEAST_OPTIONS, place_name=word)


@pytest.mark.parametrize("name", ["split", "topology", "encoding", "time_unit"])
def test_the_help_of_an_option_with_few_choices_lists_them(name):
    listed = so.AuditOptions.__dataclass_fields__[name].metadata["metavar"]
    assert tuple(listed.split("|")) == RULES_OF[name].names


@pytest.mark.parametrize("options", [{"split": "quarters"}, {"topology": "maybe"}])
def test_a_name_that_is_not_nearly_one_of_the_choices_gets_no_guess(options):
    with pytest.raises(so.InputError, match="must be one of") as caught:
        so.AuditOptions(**LEAST_OPTIONS, **options)
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "meant"),
    [({"split": "halvs"}, "halves"), ({"week_start": "mondax"}, "monday"), ({"encoding": "utf8"}, "utf-8")],
)
def test_a_near_name_is_suggested(options, meant):
    with pytest.raises(so.InputError, match=f"must be one of .*Did you mean '{meant}'"):
        so.AuditOptions(**LEAST_OPTIONS, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 1.5}, r"seed must be a whole number \(got 1.5\)"),
        ({"seed": True}, r"seed must be a whole number\.$"),
        ({"grid": "wide"}, r"grid must be a number \(got 'wide'\)"),
        ({"grid": "1e400"}, "grid must be a number"),
        ({"reveal": "yes"}, r"reveal must be true or false \(got 'yes'\)"),
        ({"label": 3}, r"label must be text \(got 3\)"),
        ({"k": "five"}, r"k must be a whole number \(got 'five'\)"),
        ({"keep": []}, r"keep must be whole numbers above zero \(got \[\]\)"),
        ({"hierarchy_level": ["a"]}, "hierarchy_level requires hierarchy"),
        ({"max_total": 5}, "max_total requires noise"),
        ({"box": [1, 2]}, "box must be three numbers: latitude, longitude, side in metres"),
    ],
)
def test_values_of_the_wrong_kind_say_what_they_must_be(options, message):
    with pytest.raises(so.InputError, match=message):
        so.AuditOptions(**LEAST_OPTIONS, **options)


def test_text_of_a_flag_and_a_number_of_a_file_are_the_same():
    assert so.AuditOptions(**LEAST_OPTIONS, seed="7", max_risk="0.1", noise="1, 0.5") == so.AuditOptions(
        **LEAST_OPTIONS, seed=7, max_risk=0.1, noise=[1, 0.5]
    )
