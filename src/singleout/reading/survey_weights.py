"""Whether a column is a survey weight or the weight of a body or a thing: a body's would hide how high the risk is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from singleout.reading.attribute_words import HEALTH_WORDS
from singleout.reading.roles import words_of_name
from singleout.reading.written_values import NUMBER

SURVEY_WEIGHTS = {
    "anweight", "anwght", "designgewicht", "dweight", "expansionsfaktor", "fexp", "finalwgt", "fnlwgt", "gewichtung",
    "gewichtungsfaktor", "haushaltsgewicht", "hhwt", "hochrechnung", "hochrechnungsfaktor", "hochrechnungsgewicht",
    "perwt", "phrf", "ponderacion", "ponderation", "pspwght", "pspwgt", "pweight", "pwgt", "pwgtp", "sampleweight",
    "stichprobengewicht", "surveyweight", "umfragegewicht", "weighting", "wgt", "wgtp", "wtfa", "wtint", "wtmec",
    "wtssall",
}  # fmt: skip
"""Words that are used for survey weights only."""
WEIGHTS = {"gewicht", "weight", "weights", "wt"}
"""Words for any weight."""
OF_A_SURVEY = {
    "calibrated", "calibration", "census", "design", "expansion", "haushalt", "hh", "household", "nonresponse",
    "population", "poststrat", "poststratification", "probability", "replicate", "sample", "sampling", "stichprobe",
    "survey", "umfrage",
}  # fmt: skip
"""With one of these a weight is that of a survey."""
MASSES = {
    "body", "corporal", "corps", "cuerpo", "g", "gr", "gram", "gramm", "gramme", "grammes", "grams", "kg", "kgs",
    "kilo", "kilogram", "kilogramm", "kilograms", "kilos", "koerper", "korper", "lb", "lbs", "mass", "ounce", "ounces",
    "oz", "pfund", "pound", "pounds", "st", "stone", "t", "ton", "tonne", "tonnes", "tons",
}  # fmt: skip
"""With one of these a weight is that of a body or a thing."""
OF_BODIES = HEALTH_WORDS | {
    "bauchumfang", "blood", "blutdruck", "bmi", "bodyfat", "bp", "cholesterol", "estatura", "glucose", "groesse",
    "grosse", "height", "hip", "ht", "koerpergroesse", "korpergrosse", "puls", "pulse", "stature", "symptom",
    "symptoms", "taille", "waist",
}  # fmt: skip
"""Words for what is measured or known of a body: next to such a column a weight is most likely the body's."""
BODY = range(30, 300)
"""Kilograms or pounds that most people weigh."""


def has_weight_in_name(name: str) -> bool:
    """Whether a name says that a column holds weights of some kind."""
    return not (SURVEY_WEIGHTS | WEIGHTS).isdisjoint(words_of_name(name))


def is_survey_weight(name: str, values: Sequence[str], others: Iterable[str]) -> bool:
    """Whether the name of a column clearly says so, and its values are numbers above zero.

    A plain ``weight`` counts only where no other column is about bodies, and its values are not what people weigh.
    """
    numbers = [float(value) for value in values if NUMBER.fullmatch(value)]
    if not numbers or len(numbers) < len(values) or min(numbers) <= 0:
        return False
    words = [word for word in words_of_name(name) if not word.isdecimal()]
    if not MASSES.isdisjoint(words):
        return False
    if not SURVEY_WEIGHTS.isdisjoint(words):
        return True
    if WEIGHTS.isdisjoint(words):
        return False
    if not OF_A_SURVEY.isdisjoint(words):
        return True
    about_bodies = any(not OF_BODIES.isdisjoint(words_of_name(other)) for other in others if other != name)
    is_plain = words in (["weight"], ["weights"], ["wt"])
    return is_plain and not about_bodies and not BODY.start <= median(numbers) < BODY.stop
