"""Formats of written times: which codes they may have, and the common national ones, recognised from values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from singleout.ground.errors import bad_argument
from singleout.reading.database import literal

HOUR = r"([01]?\d|2[0-3])"
"""Not 24:00, which some use for the end of a day and others for its beginning."""
CODES = {
    "Y": r"\d{4}", "y": r"\d\d", "m": r"(0?[1-9]|1[0-2])", "d": r"(0?[1-9]|[12]\d|3[01])",
    "b": r"[A-Za-z]{3}", "B": r"[A-Za-z]{3,9}", "H": HOUR, "I": r"(0?[1-9]|1[0-2])", "p": r"[AaPp][Mm]",
    "M": r"[0-5]\d", "S": r"[0-5]\d", "f": r"\d{1,6}", "z": r"[+-](0\d|1[0-5])(:?[0-5]\d)?", "%": "%",
}  # fmt: skip
"""What each code stands for, as a pattern."""
TWO_DIGITS = {code: pattern.replace("0?", "0").replace("[01]?", "[01]") for code, pattern in CODES.items()}
MUST = "a format such as '%d.%m.%Y %H:%M' or '%m/%d/%Y %I:%M %p' with %d, %m (or %b, %B) and %Y (or %y)"
EXAMPLE = "%d/%m/%Y %H:%M"
"""A format as an example of what to write."""
HINT = "Codes: %Y %y %m %b %B %d %H %I %p %M %S %f %z"
DAY_FIRST, MONTH_FIRST = "%d{0}%m{0}%Y", "%m{0}%d{0}%Y"
NATIONAL = re.compile(
    r"\s*\d{1,2}([./-])\d{1,2}\1\d{4}(?:(,? |T)(\d{1,2}:\d\d(:\d\d(\.\d{1,6})?)?)( ?)([AaPp][Mm])?)?\s*"
)
"""A date that begins with the day or the month, with or without a time of day."""
COMPACT = re.compile(r"\s*(?:19|20)\d{6}(?:([ T]?)(\d{4}|\d{6}))?\s*")
"""Digits alone: 20251231, 202512311405 or 20251231140500."""


def check_format(form: object) -> None:
    """Refuse a format that does not give a date, or has codes that we do not know."""
    if not isinstance(form, str):
        raise bad_argument("read_events", "time_format", MUST, form)
    codes = re.findall(r"%(.?)", form, re.DOTALL)
    once = [code for code in codes if code != "%"]
    known = all(code in CODES for code in codes) and len(set(once)) == len(once)
    dated = _one_of(once, "Yy") and _one_of(once, "mbB") and "d" in once
    timed = ("p" in once) == ("I" in once) and not {"H", "I"} <= set(once)
    needed = {"M": "HI", "S": "M", "f": "S"}
    steps = all(code not in once or _one_of(once, others) for code, others in needed.items())
    if not (known and dated and timed and steps):
        raise bad_argument("read_events", "time_format", MUST, form, HINT)


def _one_of(codes: Sequence[str], choices: str) -> bool:
    return sum(code in codes for code in choices) == 1


def has_offset(form: str) -> bool:
    """Whether times in a format carry their offset from UTC."""
    return "%z" in form


def pattern_of(form: str) -> str:
    """A pattern for exactly the texts that a format describes; codes without anything between have all their digits."""
    codes = TWO_DIGITS if re.search(r"%[YmdHMS]%[mdHMS]", form) else CODES
    parts = re.split(r"%(.)", form)
    return "".join(codes[part] if number % 2 else re.escape(part) for number, part in enumerate(parts))


def stamp_sql(text: str, form: str) -> str:
    """SQL for the time that a text is in a format; NULL for every other text."""
    tight = f"trim({text})"
    return (
        f"CASE WHEN regexp_full_match({tight}, {literal(pattern_of(form))})"
        f" THEN try_strptime({tight}, {literal(form)}) END"
    )


def guess_formats(values: Sequence[str]) -> list[str]:
    """The common national formats that most values have; two where day and month can be swapped in most of them."""
    offered = Counter(form for value in values for form in _candidates(value))
    return [form for form, number in offered.items() if are_most(number, len(values)) and _has_format(values, form)]


def are_most(number: int, of: int) -> bool:
    """Whether at least nine tenths are meant: the few others are most likely mistakes."""
    return number > 0 and 10 * number >= 9 * of


def _has_format(values: Sequence[str], form: str) -> bool:
    pattern = re.compile(pattern_of(form))
    tight = [value.strip() for value in values]
    return are_most(sum(bool(pattern.fullmatch(value)) and _is_date(value, form) for value in tight), len(tight))


def _candidates(value: str) -> list[str]:
    """Formats of the shape of a value."""
    found = NATIONAL.fullmatch(value)
    if found is not None:
        sign, between, clock, seconds, decimals, blank, half = found.groups()
        after = ""
        if clock:
            after = f"{between}{'%I' if half else '%H'}:%M{':%S' if seconds else ''}{'.%f' if decimals else ''}"
            after += f"{blank}%p" if half else ""
        return [form.format(sign) + after for form in (DAY_FIRST, MONTH_FIRST)]
    found = COMPACT.fullmatch(value)
    if found is None:
        return []
    clock = {None: "", 4: "%H%M", 6: "%H%M%S"}[None if found[2] is None else len(found[2])]
    return [f"%Y%m%d{found[1] or ''}{clock}"]


def _is_date(value: str, form: str) -> bool:
    try:
        datetime.strptime(value, form)
    except ValueError:
        return False
    return True


def in_words(form: str) -> str:
    """A format as people write it: day.month.year hour:minute."""
    words = {"Y": "year", "m": "month", "d": "day", "H": "hour", "I": "hour", "p": "AM or PM", "M": "minute",
             "S": "second", "f": "fraction"}  # fmt: skip
    spaced = re.sub(r"(%[A-Za-z])(?=%)", r"\1 ", form)
    return re.sub(r"%(.)", lambda code: words.get(code[1], code[0]), spaced)


def either(forms: Sequence[str]) -> str:
    """Formats to choose from, as they are given."""
    return " or ".join(map(repr, forms))
