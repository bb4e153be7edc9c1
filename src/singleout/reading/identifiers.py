"""Columns that identify people directly: by content, such as phone numbers or a value for each record, or by name.

Names and addresses of people repeat, so that only the name of their column says what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import expm1, log1p
from typing import Any

from singleout.ground.errors import DataError
from singleout.ground.notes import cut_middle
from singleout.reading.columns import Column
from singleout.reading.database import quote
from singleout.reading.roles import ATTRIBUTES, IDS, PEOPLE, is_named_for_people, words_of_name
from singleout.reading.sources import Source
from singleout.reading.tables import Table
from singleout.reading.written_values import DATED, TIMED, seconds_since_1970

LEAST_ROWS = 50
"""Records with a value from which distinct values mean anything: in a smaller table amounts are distinct by chance."""
NEARLY_ALL = 0.95
"""Distinct values for each record with a value, from which nearly every record has one of its own."""
ADDRESSED = 0.5
"""Share of the distinct values that must look like e-mail addresses or phone numbers."""
LONG_CODE = 7
"""Digits from which whole numbers of equal length are codes, not amounts."""
SMALL_GAPS = 4
"""Whole numbers for each record, on average, up to which distinct ones are numbered one by one."""
FEWEST_EXPECTED = 5.0
FAR_FEWER = 0.25
"""Chance would repeat at least the first number of the values, and less than this share of that many are repeated."""
LOOKED_AT = 1_000
NAMES_SHOWN = 10
LONGEST_NAME = 60
MAILS = {"email", "emails", "mail", "mails", "mailadresse", "emailadresse", "courriel", "correo"}
PHONES = {
    "cellphone", "celular", "fax", "handy", "handynummer", "mobil", "mobile", "mobilnummer", "mobiltelefon", "movil",
    "msisdn", "phone", "phones", "rufnummer", "tel", "telefon", "telefone", "telefonnummer", "telefono", "telephone",
}  # fmt: skip
ACCOUNTS = {
    "account", "bankaccount", "cardnumber", "creditcard", "iban", "konto", "kontonummer", "kreditkarte",
    "kreditkartennummer",
}  # fmt: skip
OFFICIAL = {
    "aadhaar", "ahv", "ahvnummer", "ausweisnummer", "bsn", "codicefiscale", "cpf", "dni", "driverslicense",
    "driverslicence", "drivinglicence", "drivinglicense", "fiscalcode", "identitycard", "insurancenumber",
    "licenseplate", "licenceplate", "nationalid", "nhsnumber", "nino", "numberplate", "pasaporte", "passaporto",
    "passeport", "passnummer", "passport", "personalausweis", "personnummer", "pesel", "reisepass", "reisepassnummer",
    "socialsecurity", "socsec", "sozialversicherungsnummer", "ssn", "steuerid", "steuernummer", "svnr", "taxid",
    "taxnumber", "versichertennummer",
}  # fmt: skip
NUMBERS_OF_PEOPLE = {
    "clientid", "clientno", "clientnumber", "customerid", "customerno", "customernumber", "employeeid", "employeeno",
    "employeenumber", "kundennr", "kundennummer", "matricule", "matrikelnr", "matrikelnummer", "memberid",
    "membernumber", "mitarbeiternr", "mitarbeiternummer", "mitgliedsnr", "mitgliedsnummer", "patientennr",
    "patientennummer", "patientid", "patientnumber", "payrollnumber", "personalnr", "personalnummer", "personnelno",
    "personnelnumber", "staffid", "staffno", "staffnumber", "studentid", "studentnumber",
}  # fmt: skip
STREETS = {
    "address", "addresses", "adresse", "anschrift", "calle", "direccion", "domicile", "domicilio", "endereco",
    "indirizzo", "rue", "strasse", "strassenname", "street", "streetaddress", "wohnadresse",
}  # fmt: skip
NAMES = {
    "achternaam", "apelido", "apellido", "apellidos", "cognome", "efternamn", "efternavn", "etternavn", "familienname",
    "familyname", "firstname", "fname", "forename", "forenames", "fornamn", "fornavn", "fullname", "geburtsname",
    "givenname", "imie", "kundenname", "lastname", "lname", "madchenname", "maedchenname", "maidenname", "middlename",
    "mitarbeitername", "naam", "nachname", "name", "names", "namn", "navn", "nazwisko", "nom", "nombre", "nombres",
    "nome", "noms", "patientenname", "prenom", "prenoms", "rufname", "sobrenome", "soyad", "soyadi", "surname",
    "surnames", "voornaam", "vorname", "vornamen", "zuname",
}  # fmt: skip
OTHER_NAMES = {"accountname", "linename", "username"}
"""Words and pairs of words that name something else than a person."""
NAMED_FOR = (
    (MAILS, "e-mail addresses"),
    (PHONES, "phone numbers"),
    (ACCOUNTS, "account or card numbers"),
    (OFFICIAL, "official numbers of people"),
    (NUMBERS_OF_PEOPLE, "numbers of people"),
    (STREETS, "postal addresses"),
    (NAMES, "names of people"),
)
"""What the words of a name, or two in a row, say that a column holds; the first that applies counts."""
NUMBERED = ("phone numbers", "account or card numbers", "official numbers of people", "numbers of people")
BELONGING = (PEOPLE - {"account", "badge", "card", "carte", "device", "karte", "tarjeta"}) | {
    "actual", "alternative", "and", "applicant", "beneficiary", "birth", "borrower", "candidate", "child", "citizen",
    "complet", "completa", "completo", "contact", "current", "d", "da", "de", "del", "di", "do", "doctor", "donor",
    "du", "e", "emergency", "enter", "et", "father", "festnetz", "for", "former", "guardian", "her", "his", "holder",
    "home", "husband", "insured", "interviewer", "is", "kin", "kunde", "kunden", "l", "la", "landline", "le", "legal",
    "line", "main", "mailing", "manager", "mother", "my", "new", "next", "no", "nr", "num", "number", "numbers",
    "numero", "nummer", "of", "old", "or", "original", "other", "owner", "parent", "partner", "permanent", "personal",
    "physician", "please", "policyholder", "postal", "preferred", "previous", "primary", "privat", "private", "pupil",
    "residential", "resident", "s", "second", "secondary", "spouse", "staff", "supervisor", "teacher", "tenant", "the",
    "their", "und", "voter", "what", "wife", "witness", "work", "worker", "y", "your",
}  # fmt: skip
"""Words for people and for what is theirs, and small words: with any other word a name may be of something else."""
WITH_NAMES = {
    "famiglia", "familia", "famille", "family", "fille", "first", "full", "given", "jeune", "last", "maiden", "materno",
    "middle", "nacimiento", "naissance", "nascita", "paterno", "primer", "segundo", "soltera", "usage", "vor",
}  # fmt: skip
"""The same for names of people alone."""
HANDFUL = 5
"""Different values up to which a column holds groups or answers, whatever it is called."""
FEWEST_DIGITS = 4
"""Digits of a number that is written as text: fewer are masked, or a model."""
PERSONAL = {"address", "first", "given", "last", "mother", "street", "surname"}
"""Words for attributes that may be a person's own."""
MAILBOX = re.compile(r"\s*[^@\s]+@[^@\s]+\.[^\W\d]{2,}\s*")
PHONE = re.compile(
    r"\s*(?:\+\d[\d ()./-]{6,18}|\(?0\d{1,5}\)?[ /-][\d /-]{4,14}|(?:1[ .-])?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})\s*"
)
"""Written as a phone number: with a plus sign, with an area code set apart, or in three groups of 3, 3 and 4 digits."""
PHONE_DIGITS = range(7, 16)
FRACTION = re.compile(r"\s*[+-]?\d*[.,]\d+(?:[eE][+-]?\d+)?\s*")
WHOLE = re.compile(r"[+-]?\d{1,40}(?:\.0*)?")
PLAIN_DATE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")
NUMBER = r"[+-]?(?:\d+|\d{1,3}(?:[.,' ]\d{3})+)(?:[.,]\d+)?"
MEASURED = re.compile(
    rf"[€$£¥]\s*{NUMBER}|{NUMBER}\s*[€$£¥%°]|{NUMBER}\s+[^\W\d]{{1,4}}\.?|[+-]?\d{{1,3}}(?:[.,' ]\d{{3}})+(?:[.,]\d+)?"
)
"""A number with a unit or a currency, or in groups of thousands."""
POINT = re.compile(r"\D{0,8}[+-]?\d+\.\d+\s*[,; ]\s*[+-]?\d+\.\d+\D{0,2}")
"""Two coordinates in one column."""
NO_CODES = ("BOOLEAN", "DATE", "TIME", "INTERVAL")


@dataclass(frozen=True)
class Identifier:
    """A column that identifies people directly, and why it is taken for one."""

    column: str
    reason: str


def find_identifiers(table: Table, names: Iterable[str], *, progress: bool | None = None) -> tuple[Identifier, ...]:
    """Those of the named columns that identify people directly; never by a value, only by what all values look like."""
    found = (
        (column.name, reason_for(column, table.source.column_types[column.name]))
        for column in table.encode_rows(names, progress=progress)
    )
    return tuple(Identifier(name, reason) for name, reason in found if reason)


def refuse_identifiers(
    table: Table,
    names: Iterable[str],
    allow: Sequence[str] | None,
    function: str,
    *,
    otherwise: str = "",
    progress: bool | None = None,
) -> None:
    """Refuse columns that identify people directly, unless they are allowed: nobody needs an attack to use them.

    ``otherwise`` is what else can be done about them; by default they can be dropped.
    """
    for name in allow or ():
        table.source.column(function, "allow", name)
    checked = [name for name in names if name not in (allow or ())]
    if found := find_identifiers(table, checked, progress=progress):
        listed = columns_as_value([each.column for each in found])
        raise DataError(
            f"{identifiers_in_words(found)}.",
            function=function,
            hint=f"{otherwise or f'Give `drop={listed}` for what is not released'}, or `allow={listed}` to "
            "count it all the same.",
        )


def identifiers_in_words(found: Sequence[Identifier]) -> str:
    """What was found, by the names of the columns."""
    shown = [f"{cut_middle(repr(each.column), LONGEST_NAME)} ({each.reason})" for each in found[:NAMES_SHOWN]]
    more = f" and {len(found) - NAMES_SHOWN:,} more" if len(found) > NAMES_SHOWN else ""
    many = "columns that look like direct identifiers" if len(found) > 1 else "a column that looks like an identifier"
    return f"{many}: {', '.join(shown)}{more}"


def columns_as_value(names: Sequence[str]) -> str:
    """An argument that lists these columns; just COLUMN where a shell or a list would misread one."""
    return str(list(names) if all(re.fullmatch(r"[\w.-]+", name) for name in names[:NAMES_SHOWN]) else ["COLUMN"])


def refuse_distinct(
    source: Source, columns: Mapping[str, str | None], allow: Sequence[str] | None, function: str
) -> None:
    """Refuse places or channels of an event log that hardly occur twice, and places that are all the same.

    Nobody could be matched, so that all would look safe. ``columns`` are given by the option that names each.
    """
    for each in allow or ():
        source.column(function, "allow", each)
    for option, name in columns.items():
        if name is None or name in (allow or ()):
            continue
        values, rows = _count_quickly(source, name, function)
        if option == "place" and values == 1 and rows >= LEAST_ROWS:
            raise DataError(
                f"column {cut_middle(repr(name), LONGEST_NAME)} has the same value in all {rows:,} rows: everyone "
                "would look safe, since nothing distinguishes them.",
                function=function,
                hint="Name another column with `place`.",
            )
        if rows < LEAST_ROWS or values <= (NEARLY_ALL - 0.2) * rows:
            continue
        if source.column_types[name].startswith("TIMESTAMP") or _are_times(source, name):
            raise DataError(
                f"column {cut_middle(repr(name), LONGEST_NAME)} holds times, hardly any of them twice: everyone would "
                "look safe, since nobody is at the same one again.",
                function=function,
                hint=f"Name another column with `{option}`, or give `allow={columns_as_value([name])}`.",
            )
        (column,) = Table(source, (name,)).encode([name])
        if has_own_values(column, source.column_types[name], named=True):
            raise DataError(
                f"column {cut_middle(repr(name), LONGEST_NAME)} has {_distinctness(column)}: an identifier of events, "
                f"not a {option} that people share.",
                function=function,
                hint=f"Name another column with `{option}`, or give `allow={columns_as_value([name])}`.",
            )


def _are_times(source: Source, name: str) -> bool:
    """Whether values are written times of day with a date, or count since 1970."""
    (column,) = Table(source, (name,)).encode([name])
    texts = _some_texts(column)
    return all(map(TIMED.fullmatch, texts)) or bool(seconds_since_1970(texts))


def _count_quickly(source: Source, name: str, function: str) -> tuple[int, int]:
    """Distinct values, within a few percent, and rows with one: most logs need no exact count; a warehouse has it."""
    if source.remote is not None:
        return source.remote.counts([name])[name]
    counts = f"approx_count_distinct({quote(name)}) AS n_values, count({quote(name)}) AS n_rows"
    (row,) = source.query(
        f"SELECT {counts} FROM {source.relation}", function=function, label="examining places"
    ).to_pylist()
    return int(row["n_values"]), int(row["n_rows"])


def reason_for(column: Column, kind: str) -> str:
    """Why a column is taken for a direct identifier; empty where it is not."""
    texts = _some_texts(column)
    if column.values.dtype.kind == "O" and texts:
        for what, test in (("e-mail addresses", MAILBOX.fullmatch), ("phone numbers", _is_phone)):
            if sum(test(text) is not None for text in texts) >= ADDRESSED * len(texts):
                return what
    named_for = named_for_people(column.name)
    by_name = f"{named_for}, by its name" if named_for and _may_hold(column, kind, texts, named_for) else ""
    words, person = set(words_of_name(column.name)), is_named_for_people(column.name)
    if words & (ATTRIBUTES - PERSONAL) and not person:
        return by_name
    named = person or bool(words & IDS)
    return _distinctness(column) if has_own_values(column, kind, named=named) else by_name


def named_for_people(name: str) -> str:
    """What the name of a column says that it holds of people, such as their names; empty where it says no such thing.

    Every other word must be one that is said of people: the name of a shop is not that of a person.
    """
    met, others = _tell_apart([word for word in words_of_name(name) if not word.isdigit()])
    what = next((what for words, what in NAMED_FOR if words & met), "")
    belonging = BELONGING | WITH_NAMES if what == "names of people" else BELONGING
    return what if others <= belonging and not OTHER_NAMES & met else ""


def _tell_apart(words: list[str]) -> tuple[set[str], set[str]]:
    """Words, or two in a row, that say what a column holds, and all others."""
    telling = OTHER_NAMES.union(*(each for each, _ in NAMED_FOR))
    met: set[str] = set()
    others: set[str] = set()
    while words:
        size = 2 if "".join(words[:2]) in telling else 1
        first = "".join(words[:size])
        (met if first in telling else others).add(first)
        words = words[size:]
    return met, others


def _may_hold(column: Column, kind: str, texts: list[str], what: str) -> bool:
    """Whether values may be what the name of their column says; such values repeat, so their number says little."""
    if len(column.values) <= HANDFUL or kind.startswith(NO_CODES):
        return False
    is_text = column.values.dtype.kind == "O"
    if what not in NUMBERED:
        return is_text and sum(map(_is_word, texts)) >= ADDRESSED * len(texts)
    least = FEWEST_DIGITS if is_text or what == "numbers of people" else LONG_CODE
    numbers = [text for text in texts if not FRACTION.fullmatch(text.removesuffix(".0"))]
    enough = [text for text in numbers if sum(map(str.isdigit, text.removesuffix(".0"))) >= least]
    return len(enough) >= ADDRESSED * len(texts)


def _is_word(text: str) -> bool:
    """Whether a text is more than an initial; in some scripts one letter is a word."""
    letters = [sign for sign in text if sign.isalpha()]
    return len(letters) > 1 or not all(map(str.isascii, letters))


def has_own_values(column: Column, kind: str, *, named: bool) -> bool:
    """Whether nearly every record has a text or a code of its own; decimals, times and coordinates do not count.

    ``named``: the name says that it is an id, so that whole numbers need not look like codes.
    """
    rows = _rows(column)
    if rows < LEAST_ROWS or len(column.values) < NEARLY_ALL * rows:
        return False
    texts = _some_texts(column)
    if kind.startswith(NO_CODES) or column.values.dtype.kind == "f" or not texts:
        return False
    if all(map(WHOLE.fullmatch, texts)):
        return _are_codes(column, texts, rows, named)
    return sum(_is_measured(text) for text in texts) < ADDRESSED * len(texts)


def _are_codes(column: Column, texts: list[str], rows: int, named: bool) -> bool:
    """Whether whole numbers are codes: numbered one by one, long and of equal length, or named so."""
    span, same_length = _span(column), len({len(text) for text in texts}) == 1
    if span is None:
        return False
    if _are_fewer_repeated(rows, len(column.values), span) and (same_length or span <= SMALL_GAPS * rows):
        return True
    if all(map(PLAIN_DATE.fullmatch, texts)) or (seconds_since_1970(texts) and not named):
        return False
    return named or (same_length and len(texts[0]) >= LONG_CODE)


def _span(column: Column) -> int | None:
    """How many whole numbers lie between the smallest and the largest, both included; None if not all are whole."""
    if column.values.dtype.kind in "iu":
        return int(column.values[-1]) - int(column.values[0]) + 1
    if not all(map(WHOLE.fullmatch, column.values)):
        return None
    numbers = [int(text.partition(".")[0]) for text in column.values]
    return max(numbers) - min(numbers) + 1


def _are_fewer_repeated(rows: int, values: int, span: int) -> bool:
    """Whether far fewer records repeat a number than if all were drawn at random from the span."""
    drawn = 1.0 if span == 1 else -expm1(rows * log1p(-1.0 / span))
    expected = rows - span * drawn
    return expected >= FEWEST_EXPECTED and rows - values <= FAR_FEWER * expected


def _is_phone(text: str) -> Any:
    digits = sum(sign.isdigit() for sign in text)
    if digits not in PHONE_DIGITS or FRACTION.fullmatch(text) or DATED.fullmatch(text) or TIMED.fullmatch(text):
        return None
    return PHONE.fullmatch(text)


def _is_measured(text: str) -> bool:
    """Whether a text is a time, an amount or a point: distinct because it is exact."""
    return any(kind.fullmatch(text) for kind in (TIMED, DATED, FRACTION, MEASURED, POINT))


def _rows(column: Column) -> int:
    """Records that have a value."""
    return column.records - (int(column.counts[-1]) if column.any_missing else 0)


def _distinctness(column: Column) -> str:
    every = "every" if len(column.values) == _rows(column) else "nearly every"
    return f"a different value in {every} row"


def _some_texts(column: Column) -> list[str]:
    """Values at even distances, as text."""
    step = max(1, len(column.values) // LOOKED_AT)
    return [str(value) for value in column.values[::step].tolist()]
