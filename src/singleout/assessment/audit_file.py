"""What a written result of ``audit`` or ``verify`` says, read back and checked: its figures, and nothing of people."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_document import SCHEMA
from singleout.assessment.audit_result import Audit
from singleout.assessment.protection_words import protection_does, protection_name
from singleout.assessment.table_limits import MAXIMUM as WORST
from singleout.ground.earlier_results import MANIFEST, digest
from singleout.ground.errors import InputError, SourceError, bad_argument, is_number, is_whole
from singleout.ground.notes import Note
from singleout.measures.intervals import Estimate

EVIDENCE = ("audit.json", "verify.json")
"""Files with figures, in the folder of a result."""
ONE_OF_A_KIND = (AttackKind.SELECTIVE, AttackKind.TAUGHT)
"""Attacks of which a result has one, by whatever is strongest there."""
LARGEST = 50_000_000
"""Bytes above which a file is none of ours."""
SCHEMAS = "singleout/audit/"
KINDS = ("events", "table")
COUNTED = ("people", "places", "columns", "rows")
"""Of a side; its days are no counts."""
RISK, MAXIMUM, MAXIMUM_AMONG = "risk", "maximum", "maximum in the population"
K, L, T, SINGLED_OUT = "k", "l", "t", "max_singled_out"
"""Limits by name; the first is for all on average, the others for the records that are worst off."""


@dataclass(frozen=True)
class AttackFigures:
    """One attack: its kind, what it compares people by, and what it re-identified."""

    kind: str
    by: str
    rate: Estimate
    random: float
    within_reach: bool

    @property
    def label(self) -> str:
        """As tables name it; a kind that this version does not know by its own name."""
        if self.kind in ONE_OF_A_KIND:
            return AttackKind(self.kind).label
        if self.kind in list(AttackKind):
            return AttackKind(self.kind).label_with(self.by)
        return f"{self.kind}: {self.by}" if self.by else self.kind


@dataclass(frozen=True)
class ProtectionFigures:
    """One protection: what it left to be re-identified, and what it destroyed."""

    name: str
    rate: Estimate
    loss: float


@dataclass(frozen=True, eq=False)
class AuditFile:
    """The figures of one result.

    ``counts`` are numbers by name, such as people released. ``about`` says who assessed it, and when.
    ``column_names`` are all columns of the file that was measured; None where the result does not say. ``limits`` are
    those that were set, by name, and ``held`` what each is held against, also where it was not set: by its name, and
    that of a sensitive column or "". ``inputs`` are the digests of the files that were measured, and ``version`` that
    of singleout; None where no manifest says.
    """

    kind: str
    label: str
    risk: Estimate
    random: float
    risk_limit: float | None
    meets_limit: bool | None
    doubt: str
    attacks: tuple[AttackFigures, ...]
    strongest: tuple[str, str]
    inside: Estimate | None
    counts: Mapping[str, int]
    smallest: int | None
    protections: tuple[ProtectionFigures, ...]
    recommended: str | None
    notes: tuple[Note, ...]
    options: Mapping[str, Any]
    about: Mapping[str, str | None]
    column_names: frozenset[str] | None
    limits: Mapping[str, float]
    held: Mapping[tuple[str, str], float]
    is_verified: bool = False
    """Whether a protected file was attacked, by ``verify``."""
    inputs: tuple[str, ...] | None = None
    version: str | None = None

    @property
    def people_word(self) -> str:
        """What the data is about."""
        return "people" if self.kind == "events" else "records"


def read_audit_file(source: Any, function: str, argument: str) -> AuditFile:
    """The figures of an Audit, of a file that ``audit`` or ``verify`` wrote, or of the folder it is in."""
    if isinstance(source, Audit):
        return _figures(source.to_dict(), {}, lambda problem: InputError(problem, function=function, argument=argument))
    if not isinstance(source, str | PathLike):
        must = "an Audit, or the path of a result of audit or verify"
        raise bad_argument(function, argument, must, type(source).__name__)
    path = find_evidence(Path(source), function, argument)

    def refuse(problem: str) -> InputError:
        return SourceError(f"{path.name}: {problem}", function=function, argument=argument)

    return _figures(_load(path, refuse), _load_manifest(path), refuse)


def find_evidence(path: Path, function: str, argument: str) -> Path:
    """The file of figures: the one named, or the one in the folder named."""
    path = path.expanduser()
    there = [path / name for name in EVIDENCE if (path / name).is_file()] if path.is_dir() else [path]
    if not there:
        problem = f"the folder {path.name or path} holds no {' or '.join(EVIDENCE)}."
        raise SourceError(problem, function=function, argument=argument, hint="Name a result of audit or verify.")
    if not there[0].is_file():
        what = "is not a plain file" if there[0].exists() else "does not exist"
        raise SourceError(f"{there[0].name or there[0]} {what}.", function=function, argument=argument)
    return there[0]


Refuse = Callable[[str], InputError]


def _load(path: Path, refuse: Refuse) -> Any:
    try:
        if path.stat().st_size > LARGEST:
            raise refuse("it is far too large to be a result of audit or verify.")
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror or type(error).__name__}.") from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise refuse(f"it is not JSON. Name {' or '.join(EVIDENCE)}, or their folder.") from error


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _load_manifest(path: Path) -> dict[str, Any]:
    """The manifest next to a file, where it lists the file as it is."""
    try:
        document = json.loads((path.parent / MANIFEST).read_text(encoding="utf-8"))
        listed = {each["name"]: each["sha256"] for each in document["files"]}
        inputs = tuple(sorted(str(each["sha256"]) for each in document["inputs"]))
        version = str(document["versions"]["singleout"])
        return {"inputs": inputs, "version": version} if listed.get(path.name) == digest(path) else {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _figures(document: Any, manifest: Mapping[str, Any], refuse: Refuse) -> AuditFile:
    if not isinstance(document, dict) or not str(document.get("schema", "")).startswith(SCHEMAS):
        raise refuse(f"it is not a result of audit or verify. Name {' or '.join(EVIDENCE)}, or their folder.")
    if document["schema"] != SCHEMA:
        raise refuse("it was written by another version of singleout. Run the audit again with this one.")
    try:
        return AuditFile(**_parse(document), **manifest)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise refuse("it is incomplete or was changed by hand. Run the audit again.") from error


def _parse(plain: Mapping[str, Any]) -> dict[str, Any]:
    kind, risk = _one_of(plain["kind"], KINDS), plain["risk"]
    protections = [_protection(each, kind) for each in plain["protections"]]
    best = plain["recommended"]
    return {
        "kind": kind,
        "label": _text(plain["data"]["label"]),
        "risk": _estimate(risk),
        "strongest": (_text(risk["kind"]), _text(risk["by"])),
        "random": _share(plain["random"]),
        "risk_limit": None if plain["risk_limit"] is None else _share(plain["risk_limit"]),
        "meets_limit": None if plain["meets_limit"] is None else _yes_or_no(plain["meets_limit"]),
        "doubt": _text(plain.get("doubt") or ""),
        "attacks": tuple(_attack(each) for each in plain["attacks"]),
        "inside": next((_inside(each) for each in plain["protections"] if each["protection"] == "none"), None),
        "counts": _counts(plain, "people" if kind == "events" else "records"),
        "smallest": _smallest(plain),
        "protections": tuple(protections),
        "recommended": None if best is None else _protection(best, kind).name,
        "notes": tuple(Note(_count(each["count"]), _text(each["what"]), _text(each["why"])) for each in plain["notes"]),
        "options": dict(plain["options"]) | {"seed": _count(plain["seed"])},
        "about": {str(name): None if said is None else _text(said) for name, said in plain["about"].items()},
        "column_names": _column_names(plain["data"]["released"]),
        "limits": _limits(plain),
        "held": _held(plain),
        "is_verified": plain.get("file") is not None,
    }


def _limits(plain: Mapping[str, Any]) -> dict[str, float]:
    """Limits that were set, for all on average and for those worst off."""
    worst, table = plain["worst_off"] or {}, plain["table"] or {}
    found = {RISK: plain["risk_limit"], **{name: worst.get(name) for name in (K, L, T, SINGLED_OUT)}}
    if plain["options"].get("risk") == WORST:
        found[MAXIMUM if table.get("population") is None else MAXIMUM_AMONG] = plain["risk_limit"]
    return {name: _number(limit) for name, limit in found.items() if limit is not None}


def _held(plain: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """What each limit is held against, where it was measured."""
    table, file = plain["table"], plain.get("file")
    inside = next((_inside(each) for each in plain["protections"] if each["protection"] == "none"), None)
    upper = max(each.high for each in (_estimate(plain["risk"]), inside) if each is not None)
    found = {(RISK, ""): upper if file is None else min(upper, _share(file["guarantee"]))}
    if table is None:
        return found
    found |= {(K, ""): _count(table["k"]), (SINGLED_OUT, ""): _count(table["unique"])}
    found |= {(MAXIMUM, ""): _share(table["maximum"])}
    among = table["population"]
    if among is not None and among.get("maximum") is not None:
        found[MAXIMUM_AMONG, ""] = _share(among["maximum"])
    for each in table["diversity"]:
        column = _text(each["column"])
        found |= {(L, column): _count(each["distinct"]), (T, column): _share(each["t"])}
    return found


def _counts(plain: Mapping[str, Any], who: str) -> dict[str, int]:
    """Sizes of both sides, and how many people or records are re-identified or singled out."""
    found = {}
    for side in ("released", "known"):
        for name, count in (plain["data"][side] or {}).items():
            if name in COUNTED and count is not None:
                found[f"{who if name == 'people' else name} {side}"] = _count(count)
    table = plain["table"]
    if table is not None:
        found["unique records"] = _count(table["unique"])
    file = plain.get("file")
    if file is not None:
        found["people with a row of their own"] = _count(file["unique"])
    if table is None and (file is None or file["identities"]):
        found["people who would most likely be re-identified"] = _count(plain["people_at_risk"]["found"])
    return found


def _column_names(released: Mapping[str, Any]) -> frozenset[str] | None:
    names = released.get("column_names")
    return None if names is None else frozenset(map(_text, names))


def _smallest(plain: Mapping[str, Any]) -> int | None:
    """k: the smallest group of indistinguishable records or people, where it was counted."""
    table, file = plain["table"], plain.get("file")
    return _count(table["k"]) if table is not None else None if file is None else _count(file["smallest"])


def _attack(plain: Mapping[str, Any]) -> AttackFigures:
    kind, by, rate = _text(plain["kind"]), _text(plain["by"]), _estimate(plain["rate"])
    return AttackFigures(kind, by, rate, _share(plain["random"]), _yes_or_no(plain["within_reach"]))


def _protection(plain: Mapping[str, Any], kind: str) -> ProtectionFigures:
    """Named the same for the same protection, whatever the data and its places are called."""
    what, strength = _text(plain["protection"]), _text(plain["strength"])
    name = protection_does(what, strength) if kind == "events" else f"{protection_name(what)}: {strength}"
    return ProtectionFigures(name, _estimate(plain["rate"]), _number(plain["loss"]))


def _inside(plain: Mapping[str, Any]) -> Estimate | None:
    return None if plain.get("inside") is None else _estimate(plain["inside"])


def _estimate(plain: Mapping[str, Any]) -> Estimate:
    value, low, high, level = (_share(plain[name]) for name in ("value", "low", "high", "confidence_level"))
    n, effective = _count(plain["n"]), plain.get("effective")
    if not (low <= value <= high and 0 < level < 1 and n):
        raise ValueError("no interval")
    return Estimate(value, low, high, level, n, None if effective is None else _number(effective))


def _share(value: Any) -> float:
    if not 0 <= _number(value) <= 1:
        raise ValueError("no share")
    return float(value)


def _number(value: Any) -> float:
    if not is_number(value):
        raise ValueError("no number")
    return float(value)


def _count(value: Any) -> int:
    if not is_whole(value) or not 0 <= value < 2**63:
        raise ValueError("no count")
    return int(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _one_of(value: Any, names: tuple[str, ...]) -> str:
    if value not in names:
        raise ValueError("another name")
    return str(value)


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither yes nor no")
    return value
