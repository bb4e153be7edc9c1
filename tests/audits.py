"""Audits made by hand: of an event log, of a table, and one where every text is hostile."""

from dataclasses import replace

from singleout.ground.notes import Note
from singleout.measures.extrapolation import extrapolated
from singleout.measures.intervals import wilson
from singleout.report.audit import AtRisk, Attempt, Audit, Cause, Curve, Reason, Remedy, Section, Size, Step

PEOPLE = 2_410
PROTECT = "singleout protect purchases.parquet {} --out safe"
TESTS = (
    ("Singling out", "Can a person be isolated in the data?"),
    ("Linkability", "Can records of the same person be linked?"),
    ("Inference", "Can something new be learnt about a person?"),
    ("Motivated intruder", "Would someone competent, with public sources, succeed?"),
)
HOSTILE = (
    "<script>window.pwned=1;alert(1)</script>",
    "</script><img src=x onerror=window.pwned=1>",
    "\"' onmouseover=window.pwned=1 x='",
    "مرحبا بالعالم שלום",
    "n" * 300,
    "two\nlines\u2028and a third",
    "{{ 7 * 7 }}${alert(1)}",
)
ABOUT = {
    "schema": "singleout/manifest/1",
    "command": "audit",
    "parameters": {"user": "household", "time": "time", "place": "place", "max_risk": 0.05, "weights": ["js", "l1"]},
    "seed": 0,
    "reveal": False,
    "inputs": [{"name": "purchases.parquet", "bytes": 8_123_456, "sha256": "0f" * 32}],
    "files": ["audit.html", "audit.json"],
    "seconds": 47.312,
    "python": "3.13.1",
    "versions": {"singleout": "0.1.0", "numpy": "2.3.0", "duckdb": "2.0.1"},
}


def rate(value, n=PEOPLE):
    return wilson(value * n, n)


def curve(name, title, axis, points, **more):
    return Curve(name, title, axis, tuple(Step(at, rate(value, int(n))) for at, value, n in points), **more)


def sections():
    lines = ("About 1,176 of 2,410 people (48.8%) are singled out.", "Blind guessing finds 0.04%.")
    return tuple(Section(name, question, lines) for name, question in TESTS)


def events_audit():
    """As of purchases in two halves of the active weeks."""
    attempts = [Attempt("at random", "lot", rate(1 / PEOPLE), 1 / PEOPLE, "Draws a pair by lot.")]
    attempts += [
        Attempt(attack, by, rate(value), 1 / PEOPLE, f"Compares purchases by {by}.")
        for attack, by, value in (
            ("one by one", "dot", 0.061),
            ("one by one", "cosine", 0.297),
            ("one by one", "js", 0.389),
            ("joint", "cosine", 0.351),
            ("joint", "js", 0.488),
            ("joint with rejection", "js", 0.462),
        )
    ]
    attempts.append(Attempt("joint", "js with all places known", rate(0.61), 1 / PEOPLE, "For comparison.", False))
    sizes = ((75, 0.83), (150, 0.775), (300, 0.71), (600, 0.64), (1200, 0.56), (2410, 0.488))
    guess = extrapolated([at for at, _ in sizes], [wilson(value * at, at) for at, value in sizes], 1_000_000)
    curves = (
        curve(
            "people", "With more people", "people", [(*p, p[0]) for p in sizes], logarithmic=True, extrapolated=guess
        ),
        curve(
            "days",
            "With more days",
            "days released",
            [(d, v, PEOPLE) for d, v in ((7, 0.04), (14, 0.09), (28, 0.18), (56, 0.31), (180, 0.488))],
        ),
        curve(
            "resolution",
            "With coarser places",
            "places",
            [(p, v, PEOPLE) for p, v in ((12, 0.011), (60, 0.07), (300, 0.21), (2380, 0.488))],
            logarithmic=True,
        ),
    )
    reasons = (Reason("place", 0.34, None), Reason("place", 0.21, 12), Reason("transition", 0.08, 1204))
    people = tuple(AtRisk(row, 0.71 - 0.02 * k, reasons[: 1 + k % 3]) for k, row in enumerate((17, 212, 1893, 640, 88)))
    remedies = tuple(
        Remedy(name, strength, rate(value), loss, frontier, PROTECT.format(flag), "places merge into wider ones")
        for name, strength, value, loss, frontier, flag in (
            ("coarsen", "category", 0.21, 0.38, True, "--coarsen category"),
            ("coarsen", "department", 0.031, 0.71, True, "--coarsen department"),
            ("micro-aggregate", "3", 0.19, 0.41, False, "--k 3"),
            ("micro-aggregate", "10", 0.036, 0.64, True, "--k 10"),
            ("suppress", "5 people", 0.41, 0.12, True, "--min-people 5"),
            ("shorten", "28 days", 0.18, 0.55, False, "--days 28"),
            ("noise", "ε = 1", 0.12, 0.98, False, "--epsilon 1"),
        )
    )  # fmt: skip
    return Audit(
        kind="events",
        label="completejourney purchases, 2,410 households",
        synthetic=False,
        released=Size(PEOPLE, 2380),
        known=Size(PEOPLE, 2375),
        attempts=tuple(attempts),
        curves=curves,
        at_risk=people,
        found=1176,
        causes=(
            Cause("places that fewer than 5 people visit", 0.31, "412 places"),
            Cause("places that 5 to 50 people visit", 0.44, "1,201 places"),
            Cause("places that more people visit", 0.25, "767 places"),
        ),
        remedies=remedies,
        sections=sections(),
        assumptions=("The intruder has half of each person's active weeks.", "Everyone released is also known."),
        notes=(Note(59, "people", "active in one week only, left out"), Note(4, "rows", "without a time, left out")),
        asked={"weights": ["js", "cosine"], "split": "halves"},
        limit=0.05,
        gate=True,
        reveal=False,
        seed=0,
    )


def table_audit():
    """As of a survey with a few columns known; synthetic, within its limit."""
    reasons = (Reason("column", 0.52, None, "occupation"), Reason("column", 0.3, 7, "age"))
    attempts = (
        Attempt("at random", "lot", rate(0.0001, 8000), 0.0001),
        Attempt("known columns", "age, sex, area", rate(0.021, 8000), 0.0001, "Stands alone in what is known."),
    )
    return replace(
        events_audit(),
        kind="table",
        label="made-up survey",
        synthetic=True,
        released=Size(8000, columns=31),
        known=None,
        attempts=attempts,
        curves=(curve("columns", "With more columns known", "columns", [(k, 0.007 * k, 8000) for k in range(1, 5)]),),
        at_risk=tuple(AtRisk(row, 1 / 3, reasons, "alone by 2 of 3 columns") for row in (5, 77)),
        found=168,
        causes=(Cause("occupation", 0.6), Cause("age", 0.4)),
        remedies=(),
        notes=(),
        asked={"known_columns": ["age", "sex", "area"]},
        gate=False,
    )


def hostile_audit():
    """Every text that may come from data is an attempt on the page; ids and names are revealed."""
    base = events_audit()
    each = iter(HOSTILE * 40)
    attempts = tuple(replace(a, attack=f"{k} {next(each)}", detail=next(each)) for k, a in enumerate(base.attempts))
    reasons = tuple(Reason("place", 0.1, None, text) for text in HOSTILE)
    return replace(
        base,
        label=HOSTILE[1],
        attempts=attempts,
        curves=tuple(replace(c, title=next(each), axis=next(each)) for c in base.curves),
        at_risk=tuple(AtRisk(k, 0.5, reasons, text, text) for k, text in enumerate(HOSTILE)),
        causes=tuple(Cause(text, 1 / 7, text) for text in HOSTILE),
        remedies=tuple(
            replace(remedy, protection=next(each), strength=next(each), detail=next(each), how=next(each))
            for remedy in base.remedies
        ),
        sections=tuple(Section(s.name, s.question, HOSTILE) for s in base.sections),
        assumptions=HOSTILE,
        notes=(Note(3, "rows", HOSTILE[0]),),
        asked={"columns": list(HOSTILE)},
        reveal=True,
    )


def hostile_about():
    files = [{"name": text, "bytes": 1, "sha256": "0" * 64} for text in HOSTILE]
    return ABOUT | {"inputs": files, "parameters": {text: text for text in HOSTILE}}
