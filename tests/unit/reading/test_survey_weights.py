"""A survey weight is proposed only where a name clearly says so: body weight would turn a failed gate into a pass."""

import pytest

from singleout.reading.survey_weights import has_weight_in_name, is_survey_weight

OTHERS = ("age", "sex", "town")
SCALES = ["0.4", "12.5", "3"]
KILOGRAMS = ["89.2", "74.4", "61"]


@pytest.mark.parametrize(
    "name",
    [
        "survey_weight", "SurveyWeight", "sample weight", "hh_weight", "household_weights", "survey_wt", "wgt", "pwgtp",
        "PWGTP7", "hhwt", "perwt", "WTFA_SA", "fnlwgt", "Gewichtung", "Hochrechnungsfaktor", "Stichprobengewicht",
    ],
)  # fmt: skip
def test_a_name_that_clearly_says_so_is_enough_whatever_the_other_columns(name):
    for values in (SCALES, KILOGRAMS):
        assert is_survey_weight(name, values, [*OTHERS, name, "height", "diagnosis"])


@pytest.mark.parametrize(
    "name",
    [
        "weight_kg", "weight (kg)", "WeightLbs", "wgt_kg", "body_weight", "BodyWeight", "Körper Gewicht", "Gewicht",
        "Körpergewicht", "Gewicht in kg", "birth_weight", "package_weight", "weight_at_survey_kg", "weight_loss",
        "height", "final_weight",
    ],
)  # fmt: skip
def test_the_weight_of_a_body_or_a_thing_is_none(name):
    for values in (SCALES, KILOGRAMS):
        assert not is_survey_weight(name, values, [*OTHERS, name])


@pytest.mark.parametrize("name", ["weight", "weights", "wt", "WEIGHT"])
def test_a_plain_weight_is_one_only_where_nothing_speaks_of_bodies(name):
    assert is_survey_weight(name, SCALES, [*OTHERS, name])
    assert not is_survey_weight(name, KILOGRAMS, [*OTHERS, name])
    for other in ("height", "BMI", "diagnosis", "Größe", "Diagnose", "waist_cm", "smoker"):
        assert not is_survey_weight(name, SCALES, [*OTHERS, name, other])


@pytest.mark.parametrize("values", [[], ["1", "x"], ["1", "0"], ["-1", "2"], ["1", "nan"]])
def test_survey_weights_are_numbers_above_zero(values):
    assert not is_survey_weight("survey_weight", values, OTHERS)


def test_weights_of_any_kind_are_recognised_by_name():
    assert has_weight_in_name("weight_kg")
    assert has_weight_in_name("Gewicht")
    assert has_weight_in_name("pwgtp")
    assert not has_weight_in_name("height")
