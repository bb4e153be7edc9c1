"""Small real audits for tests of reports: of an event log, of a table, and one where every text is hostile."""

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.csv

import singleout as so
from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_parts import (
    AttackResult,
    Cause,
    PeopleAtRisk,
    PersonAtRisk,
    ProtectionResult,
    Reason,
    RegulatorTest,
)
from singleout.ground.notes import Note
from singleout.measures.intervals import counted, wilson

HOSTILE = (
    "<script>window.pwned=1;alert(1)</script>",
    "</script><img src=x onerror=window.pwned=1>",
    "\"' onmouseover=window.pwned=1 x='",
    "مرحبا بالعالم שלום",
    "n" * 300,
    "two\nlines\u2028and a third",
    "{{ 7 * 7 }}${alert(1)}",
)
COLUMNS = {"user": "user", "time": "time", "place": "place"}
"""Of synthetic calls."""
LEAST_OPTIONS = {"user": "u", "place": "p", "time": "t"}
"""Enough to audit an event log."""
ABOUT = {
    "schema": "singleout/manifest/1",
    "command": "audit",
    "parameters": {
        "user": "household",
        "time": "time",
        "place": "place",
        "max_risk": 0.05,
        "similarities": ["js", "l1"],
    },
    "seed": 0,
    "reveal": False,
    "inputs": [{"name": "purchases.parquet", "bytes": 8_123_456, "sha256": "0f" * 32}],
    "files": ["audit.html", "audit.json"],
    "python": "3.13.1",
    "versions": {"singleout": "0.1.0", "numpy": "2.3.0", "duckdb": "2.0.1"},
}


@cache
def events_audit():
    """Synthetic calls on coarse cells, week against week, with several of each kind of protection."""
    log = so.synthetic_calls(people=320, antennas=60, regions=5, seed=1)
    asked = {"split": "weeks", "population": 1_000_000, "max_risk": 0.05, "label": "calls.csv", "list_people": 5}
    return so.audit(log.table, **COLUMNS, **asked, progress=False)


@cache
def table_audit():
    """Synthetic records with three columns known, within a generous limit."""
    rng = np.random.default_rng(1)
    columns = {"age": rng.integers(18, 90, 2_000), "sex": rng.integers(0, 2, 2_000), "town": rng.integers(0, 30, 2_000)}
    asked = {"known_columns": ["age", "sex", "town"], "label": "survey.csv", "max_risk": 0.99, "list_people": 3}
    return so.audit(pa.table(columns), **asked, synthetic=True, progress=False)


@cache
def hostile_audit():
    """Every text that may come from data is an attempt on the page; ids and names are revealed."""
    base = events_audit()
    each = iter(HOSTILE * 40)
    reasons = tuple(Reason("place", 0.1, None, text) for text in HOSTILE)
    people = tuple(PersonAtRisk(k, 0.5, reasons, text, text) for k, text in enumerate(HOSTILE))
    return replace(
        base,
        label=HOSTILE[1],
        attacks=tuple(replace(a, by=f"{k} {next(each)}", detail=next(each)) for k, a in enumerate(base.attacks)),
        curves=tuple(replace(c, title=next(each), axis=next(each)) for c in base.curves),
        people_at_risk=PeopleAtRisk(7, people),
        causes=tuple(Cause(text, 1 / 7, text) for text in HOSTILE),
        protections=tuple(
            replace(one, protection=next(each), strength=next(each), detail=next(each), command=next(each))
            for one in base.protections
        ),
        tests=tuple(RegulatorTest(s.name, s.question, HOSTILE) for s in base.tests),
        assumptions=HOSTILE,
        notes=(Note(3, "rows", HOSTILE[0]),),
        options={"columns": list(HOSTILE)},
        place_name=HOSTILE[0],
        reveal=True,
    )


def hostile_about():
    files = [{"name": text, "bytes": 1, "sha256": "0" * 64} for text in HOSTILE]
    return ABOUT | {"inputs": files, "parameters": {text: text for text in HOSTILE}}


def of_events(right, n=1_000, *, by="evidence", inside=None, limit=None, **more):
    """A result of an event log in which the strongest attack re-identified this many."""
    attacks = tuple(
        AttackResult(kind, by, wilson(count, n), 1 / n)
        for kind, count in ((AttackKind.ONE_BY_ONE, right / 2), (AttackKind.JOINT, right))
    )
    plain = ProtectionResult("none", "", "", attacks[1].rate, 0.0, False, "", inside=inside and wilson(inside, n))
    limits = {"risk_limit": limit}
    return replace(events_audit(), attacks=attacks, protections=(plain,), **limits, **more)


def with_classes(audit, sizes, average=None):
    """The same table with other groups of indistinguishable records."""
    risk = replace(audit.worst_off.risk, sizes=sizes)
    rate = counted(risk.average * len(sizes) if average is None else average, len(sizes))
    kept = [each for each in audit.attacks if each.kind is not AttackKind.KNOWN_COLUMNS]
    known = next(each for each in audit.attacks if each.kind is AttackKind.KNOWN_COLUMNS)
    kept = [replace(each, rate=counted(0, len(sizes))) for each in kept]
    worst = replace(audit.worst_off, risk=risk)
    return replace(audit, worst_off=worst, attacks=(*kept, replace(known, rate=rate)))


def known_by(audit, names):
    """The same table for an intruder who knows columns of these names."""
    renamed = [replace(each, by=names) if each.kind is AttackKind.KNOWN_COLUMNS else each for each in audit.attacks]
    return replace(audit, attacks=tuple(renamed))
