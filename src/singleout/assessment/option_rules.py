"""What options must be: their kinds, their rules, what contradicts what; all faults at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from singleout.assessment.about import AUDIENCES, RELEASE_MODELS, STATUSES, AboutOptions
from singleout.assessment.options import Repeated, split_list
from singleout.assessment.table_limits import RISKS
from singleout.ground.errors import (
    InputError,
    SingleoutError,
    got_in_words,
    is_number,
    is_whole,
    must_in_words,
    near,
)
from singleout.ground.numbers import as_share, seconds_of
from singleout.measures.taught import LARGEST_SHARE
from singleout.protection.lattice_losses import LOSSES
from singleout.protection.table_changes import METHODS
from singleout.reading.forms import DECIMALS, DELIMITER, ENCODINGS, NAMES, are_names, is_delimiter
from singleout.reading.split import RULES
from singleout.reading.times import UNITS, WEEKDAYS
from singleout.similarity.plugins import load_plugin
from singleout.similarity.registry import BUILT_IN, find_similarity

SHARES = frozenset({
    "confidence_level", "coverage", "error_rate", "known_pairs", "max_risk", "max_suppressed", "min_power",
    "missing_rate", "precision", "t", "tolerance",
})  # fmt: skip
"""Options that are shares, which may be written as percentages."""
TOPOLOGY = ("auto", "yes", "no")


class Rule(NamedTuple):
    """What a value must be, as a test and in words; the names it may be, so that a near one can be suggested."""

    test: Callable[[Any], bool]
    must: str
    names: tuple[str, ...] = ()


def check_options(group: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a group as values of the right kinds; one error names every fault."""
    values, faults = parse_options(group, given)
    if faults:
        raise all_faults(faults, getattr(group, "function", ""))
    return values


def all_faults(faults: list[str], function: str) -> InputError:
    """One error for everything that is wrong."""
    if len(faults) == 1:
        return InputError(faults[0], function=function)
    listed = "\n".join(f"  {fault}" for fault in faults)
    return InputError(f"{len(faults)} options are wrong:\n{listed}", function=function)


def parse_options(group: type, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The same as values of the right kinds, and everything that is wrong with them."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    kinds = kinds_of(group)
    for name, value in given.items():
        try:
            values[name] = as_share(value) if name in SHARES and value is not None else _as_kind(kinds[name], value)
        except ValueError as error:
            faults.append(must_in_words(name, str(error), got_in_words(value)))
    for name, value in values.items():
        if value is not None and name in RULES_OF:
            rule = RULES_OF[name]
            if not rule.test(value):
                shown = got_in_words(list(value) if isinstance(value, tuple) else value)
                faults.append(must_in_words(name, rule.must, shown, near(value, rule.names) if rule.names else ""))
    faults += _load_plugin(values.get("plugin")) or _unknown_similarities(values.get("similarities"))
    faults += _empty_names(values)
    complete = {each.name: each.default for each in fields(group)} | values
    for contradictions in (_split_contradictions, _protect_contradictions, getattr(group, "contradictions", None)):
        faults += contradictions(complete) if contradictions is not None else []
    return values, list(dict.fromkeys(faults))


@cache
def kinds_of(group: type) -> dict[str, Any]:
    """The kind of each option."""
    return get_type_hints(group)


def _as_kind(kind: Any, value: Any) -> Any:
    """A value of the kind an option wants; several may come as a list, or as text with commas."""
    if value is None:
        return None
    if kind in (bool, str, str | None):
        wanted, must = (bool, "true or false") if kind is bool else (str, "text")
        if not isinstance(value, wanted):
            raise ValueError(must)
        return value
    if kind in (int, int | None):
        return _as_number(value, int)
    if kind in (float, float | None):
        return _as_number(value, float)
    if kind == Repeated | None:
        several = [value] if isinstance(value, str) else value
        if not isinstance(several, list | tuple) or not all(isinstance(each, str) for each in several):
            raise ValueError("text, or a list of texts")
        return Repeated(several)
    listed = _as_list(value)
    if kind in (tuple[str, ...], tuple[str, ...] | None):
        if not all(isinstance(each, str) for each in listed):
            raise ValueError("names separated by commas, or a list of names")
        return tuple(listed)
    return _as_numbers(listed, int if kind == tuple[int, ...] | None else float)


def _as_number(value: Any, kind: type[int] | type[float]) -> Any:
    try:
        value = kind(value) if isinstance(value, str) else value
    except ValueError:
        value = None
    if kind is int and not is_whole(value):
        raise ValueError("a whole number")
    if not is_number(value):
        raise ValueError("a number")
    return kind(value)


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, str):
        return split_list(value)
    return list(value) if isinstance(value, list | tuple) else [value]


def _as_numbers(listed: list[Any], kind: type[int] | type[float]) -> tuple[Any, ...]:
    try:
        return tuple(_as_number(each, kind) for each in listed)
    except ValueError as error:
        many = "whole numbers" if kind is int else "numbers"
        raise ValueError(f"{many} separated by commas, or a list of them") from error


def _one_of(names: Any) -> Rule:
    return Rule(lambda value: value in names, f"one of {', '.join(names)}", tuple(names))


def _at_least(least: int, must: str) -> Rule:
    return Rule(lambda values: bool(values) and all(value >= least for value in values), must)


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


BETWEEN = Rule(lambda value: 0 < value < 1, "between 0 and 1")
POSITIVE = Rule(lambda values: bool(values) and all(value > 0 for value in values), "numbers above zero")
TEXT = Rule(lambda value: value.encode(errors="replace").decode() == value, "text in UTF-8")
DATE = Rule(lambda value: _is_date(value), "a date such as 2026-05-31")
RULES_OF: dict[str, Rule] = {
    **{each.name: TEXT for each in fields(AboutOptions)},
    "release_model": _one_of(RELEASE_MODELS),
    "status": _one_of(STATUSES),
    "assessed_on": DATE,
    "review_by": DATE,
    "time_unit": _one_of(tuple(UNITS)),
    "week_start": _one_of(WEEKDAYS),
    "split": _one_of(RULES),
    "topology": _one_of(TOPOLOGY),
    "encoding": _one_of(ENCODINGS),
    "delimiter": Rule(is_delimiter, DELIMITER),
    "decimal": _one_of(DECIMALS),
    "columns_are": Rule(are_names, NAMES),
    "confidence_level": BETWEEN,
    "max_risk": Rule(lambda value: 0 < value < 1, "between 0 and 1, such as 0.05 for 5%"),
    "known_pairs": Rule(
        lambda value: 0 <= value <= LARGEST_SHARE, f"from 0 to {LARGEST_SHARE:g}, such as 0.2 for 20% of the people"
    ),
    "k": Rule(lambda value: value >= 2, "a whole number, 2 or more"),
    "l": Rule(lambda value: value >= 2, "a whole number, 2 or more"),
    "t": BETWEEN,
    "method": _one_of(METHODS),
    "loss": _one_of(LOSSES),
    "risk": _one_of(RISKS),
    "max_suppressed": Rule(lambda value: 0 <= value < 1, "a share of the records, from 0 to below 1"),
    "recode": Rule(lambda values: all("=" in each[1:] for each in values), "COLUMN=HOW, such as age=0,18,65"),
    "max_singled_out": Rule(lambda value: value >= 0, "a whole number, 0 or more"),
    "sample": Rule(lambda value: value >= 2, "a whole number, 2 or more"),
    "tolerance": Rule(lambda value: 0 <= value < 1, "a share from 0 to below 1, such as 0.01"),
    "population": Rule(lambda value: value >= 1, "a whole number above zero"),
    "audience": _one_of(AUDIENCES),
    "list_people": Rule(lambda value: value >= 0, "a whole number, 0 or more"),
    "seed": Rule(lambda value: value >= 0, "a whole number, 0 or more"),
    "box": Rule(lambda value: len(value) == 3, "three numbers: latitude, longitude, side in metres"),
    "known_columns": Rule(lambda value: len(set(value)) == len(value), "different columns"),
    "dates": Rule(lambda value: len(value) == 3, "three dates: start, middle, end"),
    "shorten": _at_least(1, "whole numbers above zero"),
    "keep": _at_least(1, "whole numbers above zero"),
    "min_people": _at_least(1, "whole numbers above zero"),
    "microaggregate": _at_least(2, "whole numbers, 2 or more"),
    "noise": POSITIVE,
    "coarsen": POSITIVE,
    "time_limit": Rule(lambda value: seconds_of(value) is not None, "a length of time, such as 90s, 5m or 1h"),
    "label": TEXT,
    "place_name": TEXT,
}


def _load_plugin(file: str | None) -> list[str]:
    """Run a file that registers similarities, so that they can be named."""
    if file is None:
        return []
    try:
        load_plugin(file)
    except SingleoutError as error:
        return [f"`plugin`: {error.problem}"]
    return []


def _empty_names(values: Mapping[str, Any]) -> list[str]:
    given = values.get("place_name")
    return ["`place_name` must not be empty."] if given is not None and not given.strip() else []


def _unknown_similarities(similarities: tuple[str, ...] | None) -> list[str]:
    if similarities is not None and not similarities:
        return [f"`similarities` must name at least one, such as {', '.join(BUILT_IN)}."]
    faults = []
    for similarity in similarities or ():
        try:
            find_similarity(similarity)
        except SingleoutError as error:
            faults.append(must_in_words("similarities", error.must, error.got, error.hint))
    return faults


def _split_contradictions(values: Mapping[str, Any]) -> list[str]:
    faults = []
    if values.get("dates") is not None and values.get("split") != "dates":
        faults.append("`dates` requires `split=dates`.")
    set_weeks = values.get("week_start", "monday") != "monday" or values.get("longer_first")
    if set_weeks and values.get("split") in RULES[1:]:
        faults.append("`week_start` and `longer_first` require `split=halves`.")
    return faults


def _protect_contradictions(values: Mapping[str, Any]) -> list[str]:
    needed = (("hierarchy_level", "hierarchy"), ("max_total", "noise"), ("l", "sensitive"), ("t", "sensitive"))
    faults = [
        f"`{name}` requires `{other}`."
        for name, other in needed
        if values.get(name) is not None and values.get(other) is None
    ]
    if values.get("risk", "average") != "average" and values.get("max_risk") is None:
        faults.append("`risk` requires `max_risk`, the limit that it is compared with.")
    return faults + _hierarchy_faults(values) + _foreign_columns(values)


def _hierarchy_faults(values: Mapping[str, Any]) -> list[str]:
    """An event log has one file of coarser places, a table one for each of some columns."""
    files = values.get("hierarchy") or ()
    if values.get("known_columns") is None:
        return ["`hierarchy` takes one file for an event log."] if len(files) > 1 else []
    return ["`hierarchy` must be COLUMN=FILE for a table."] if not all("=" in each[1:] for each in files) else []


def _foreign_columns(values: Mapping[str, Any]) -> list[str]:
    """What is changed must be known, and what is sensitive must not."""
    known = values.get("known_columns")
    if known is None:
        return []
    faults = []
    for name in ("hierarchy", "recode"):
        columns = [each.partition("=")[0] for each in values.get(name) or () if "=" in each]
        faults += [f"`{name}`: {column!r} is not in `known_columns`." for column in columns if column not in known]
        if len(set(columns)) < len(columns):
            faults.append(f"`{name}` names a column twice.")
    both = [column for column in values.get("sensitive") or () if column in known]
    return faults + [f"`sensitive`: {column!r} is in `known_columns` too." for column in both]
