"""Words for what others know of people, and for what is sensitive, in English, German, French and Spanish."""

import numpy as np
import pyarrow as pa
import pytest

from singleout.reading import attribute_words
from singleout.reading.attribute_words import HIDDEN_WORDS, OWN_WORDS, SEEN_WORDS, TRANSLATED
from singleout.reading.identifiers import named_for_people
from singleout.reading.proposals import Role, propose_roles
from singleout.reading.roles import HOUSEHOLDS, IDS, PEOPLE, SHARED, TIMES, signs_of_events, words_of_name
from singleout.reading.sources import open_source

N = 400
SEEN = (
    "birth_date", "Alter", "Geschlecht", "Geburtsdatum", "Geburtsjahr", "PLZ", "Postleitzahl", "Wohnort", "Gemeinde",
    "Beruf", "Familienstand", "Zivilstand", "Staatsangehörigkeit", "Staatsangehoerigkeit", "Nationalität",
    "Höchster Bildungsabschluss", "Haushaltsgröße", "Âge", "sexe", "date de naissance", "AnneeNaissance", "code postal",
    "commune", "ville", "métier", "profession", "état civil", "situation familiale", "nationalité", "niveau d'études",
    "edad", "SEXO", "género", "fecha_nacimiento", "código postal", "municipio", "ocupación", "estado civil",
    "nacionalidad", "nivel_educacion",
)  # fmt: skip
HIDDEN = (
    "income", "Einkommen", "Monatslohn", "Gehalt brutto", "Konfession", "Religion", "Gesundheitszustand", "Krankheit",
    "Diagnose", "Partei", "politische Einstellung", "sexuelle Orientierung", "sexual_orientation", "Gewerkschaft",
    "salaire", "revenu_annuel", "santé", "maladie", "opinion politique", "orientation sexuelle", "syndicat", "ingresos",
    "salario", "religión", "salud", "enfermedad", "opinión política", "orientación sexual", "sindicato",
)  # fmt: skip


@pytest.mark.parametrize("name", SEEN)
def test_what_others_can_know_is_recognised(name):
    words = set(words_of_name(name))
    assert words & SEEN_WORDS
    assert not words & HIDDEN_WORDS
    assert not named_for_people(name)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_sensitive_is_recognised(name):
    assert set(words_of_name(name)) & HIDDEN_WORDS


def test_a_word_means_one_thing():
    assert not SEEN_WORDS & HIDDEN_WORDS
    assert OWN_WORDS < SEEN_WORDS
    assert not TRANSLATED & (PEOPLE | SHARED | HOUSEHOLDS | IDS | TIMES)
    assert not TRANSLATED & {"loan", "credit", "household", "treatment"}
    assert all(words.count("|") == 3 for words in (attribute_words.SEEN | attribute_words.HIDDEN).values())


@pytest.mark.parametrize(
    ("age", "sex", "town", "income"),
    [
        ("Alter", "Geschlecht", "Ort", "Einkommen"),
        ("âge", "sexe", "ville", "revenu"),
        ("edad", "sexo", "ciudad", "renta"),
    ],
)
def test_the_age_is_known_and_no_id_and_the_income_is_sensitive(age, sex, town, income):
    rng = np.random.default_rng(0)
    table = {
        age: rng.integers(18, 90, N), sex: rng.choice(["f", "m"], N), town: rng.choice(["x", "y", "z"], N),
        income: rng.integers(20, 60, N) * 1_000,
    }  # fmt: skip
    source = open_source(pa.table(table))
    assert signs_of_events(source) is None
    proposal = propose_roles(source)
    assert {each.column: each.role for each in proposal.roles} == {
        age: Role.KNOWN, sex: Role.KNOWN, town: Role.KNOWN, income: Role.SENSITIVE
    }  # fmt: skip
