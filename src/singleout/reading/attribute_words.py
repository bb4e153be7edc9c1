"""What the name of a column says about people, in four languages: what others can know, and what is sensitive.

A name counts if one of its words is in the table, with or without accents: ``birth_year``, ``Année de naissance``.
"""

from __future__ import annotations

import unicodedata

OWN = {
    "age": "age | Alter Lebensalter | âge | edad",
    "sex": "gender sex | Geschlecht | sexe | sexo",
    "birth": "birth birthdate birthday born dob | geboren Geburt Geburtsdatum Geburtsjahr Geburtstag Jahrgang "
    "| naissance | nacimiento",
}
"""What a person has once: in English, German, French and Spanish."""
SEEN = OWN | {
    "year and gender": "year yob | Geschlechtsidentität | genre | género",
    "postcode": "postal plz postcode zip zipcode | Postleitzahl | codepostal | codigopostal",
    "town": "city municipality place suburb town ward | Geburtsort Gemeinde Heimatort Ort Stadt Wohngemeinde Wohnort "
    "| commune ville | ciudad localidad municipio",
    "region": "area canton county country district kanton province region state tract "
    "| Bezirk Bundesland Geburtsland Landkreis | arrondissement département pays | comarca país provincia región",
    "profession": "department employer industry job occupation profession rank role | Arbeitgeber Beruf Berufsgruppe "
    "Tätigkeit | emploi métier | empleo ocupación profesión",
    "marital status": "civil marital married | Familienstand Zivilstand | familiale matrimoniale "
    "| conyugal matrimonial",
    "nationality": "citizenship nationality | Nationalität Staatsangehörigkeit Staatsbürgerschaft "
    "| citoyenneté nationalité | ciudadanía nacionalidad",
    "education": "degree education grade school title | Ausbildung Bildung Bildungsabschluss Bildungsstand "
    "Schulabschluss Schulbildung | diplôme études scolarité | educación escolaridad estudios",
    "origin": "ethnicity language race | Ethnie Muttersprache Sprache | ethnie langue | etnia idioma raza",
    "home": "children height home household | Haushaltsgröße Kinder Kinderzahl | enfants taille | hijos",
}
"""What others can see or look up."""
HIDDEN = {
    "income": "benefit benefits credit debt earnings income loan salary wage wages wealth | Bruttoeinkommen Bruttolohn "
    "Einkommen Gehalt Haushaltseinkommen Jahreseinkommen Lohn Monatseinkommen Monatslohn Nettoeinkommen Nettolohn "
    "Schulden Verdienst Vermögen | revenu revenus salaire | ingreso ingresos renta salario sueldo",
    "religion": "religion | Konfession Religionszugehörigkeit | confession croyance | religión",
    "health": "alcohol depression diagnosis disability disease drug health hiv icd illness medication pregnancy smoker "
    "treatment | Behinderung Diagnose Erkrankung Gesundheit Gesundheitszustand Krankheit Schwangerschaft "
    "| diagnostic grossesse handicap maladie santé | diagnóstico discapacidad embarazo enfermedad salud",
    "politics": "party political vote | Partei Parteizugehörigkeit politische Wahlabsicht | parti politique "
    "| partido política voto",
    "sexuality": "orientation sexual sexuality | Orientierung Sexualität sexuelle | sexualité | orientación sexualidad",
    "union": "union | Gewerkschaft Gewerkschaftsmitglied Gewerkschaftsmitgliedschaft | syndicat syndiqué "
    "| sindical sindicato",
    "record": "arrest conviction | Vorstrafe Vorstrafen | casier | condena",
}
"""What most people would not want to be known."""


def _plain(text: str) -> set[str]:
    """Words in small letters without accents; German ones also with an e in their place."""
    small = text.lower().replace("ß", "ss")
    spelled = small.translate({ord(sign): f"{vowel}e" for sign, vowel in zip("äöü", "aou", strict=True)})
    return {
        "".join(sign for sign in unicodedata.normalize("NFKD", each) if not unicodedata.combining(sign))
        for each in (*small.split(), *spelled.split())
    }


def _all_words(table: dict[str, str]) -> frozenset[str]:
    return frozenset(_plain(" ".join(table.values()))) - {"|"}


OWN_WORDS = _all_words(OWN)
SEEN_WORDS = _all_words(SEEN)
HIDDEN_WORDS = _all_words(HIDDEN)
HEALTH_WORDS = _all_words({"health": HIDDEN["health"]})
TRANSLATED = _all_words({key: words.partition("|")[2] for key, words in (SEEN | HIDDEN).items()})
"""All that are not English: none of them means the number of a person, as those of a loan or a household may."""
