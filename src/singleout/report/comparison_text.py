"""Two results side by side, as rows of text: for a terminal, and in Markdown for the summary of a pipeline."""

from __future__ import annotations

import re
from html import escape

from rich.console import Console

from singleout.assessment.comparison import AuditComparison, RateChange, ValueChange, Verdict
from singleout.ground.notes import cut_middle
from singleout.ground.numbers import capitalise, percent, points
from singleout.ground.terminal_filter import on_a_page
from singleout.ground.text_tables import align_rows
from singleout.measures.differences import Difference
from singleout.measures.intervals import Estimate
from singleout.report.values import value_in_words

Row = tuple[str, ...]
"""A name, the two sides, and the change."""
HEADING = ("", "old", "new", "change")
MARKS = {Verdict.BETTER: "✅", Verdict.WORSE: "❌", Verdict.UNCLEAR: "➖"}
LONGEST_NAME = 34
"""Characters of a name in a terminal."""
LONGEST_LABEL = 60
MET = {True: "yes", False: "no", None: "no limit set"}
COUNTS = {"k": "smallest group (k)"}
"""Counts whose name is too short for a reader."""
SPECIAL = re.compile(r"([\\`*_{}\[\]|#~!])")
"""What Markdown would take for its own."""


def summary_rows(found: AuditComparison) -> list[Row]:
    """What a reader looks at first: rates, chance, limit, and counts."""
    old, new = found.old, found.new
    rows = [rate_row(each) for each in found.rates]
    rows.append(("Chance", percent(old.random), percent(new.random), ""))
    rows.append(("Risk limit", *(_limit(side.risk_limit) for side in (old, new)), ""))
    rows.append(("Limits met", *(MET[side.meets_limit] for side in (old, new)), ""))
    return rows + [count_row(each) for each in found.counts]


def rate_row(each: RateChange) -> Row:
    """A rate with its interval on each side, and the difference with its own."""
    return capitalise(each.name), rate_in_words(each.old), rate_in_words(each.new), change_in_words(each.change)


def rate_in_words(rate: Estimate | None) -> str:
    """A rate and its interval, briefly."""
    if rate is None:
        return "not there"
    ends = "exact" if rate.is_exact else f"{percent(rate.low)} to {percent(rate.high)}"
    return f"{percent(rate.value)} ({ends})"


def change_in_words(change: Difference | None) -> str:
    """A difference in percentage points, briefly."""
    return "" if change is None else f"{points(change.value)} ({points(change.low)} to {points(change.high)})"


def count_row(each: ValueChange) -> Row:
    """A count on each side, and the difference."""
    both = each.old is not None and each.new is not None
    change = f"{each.new - each.old:+,}".replace("-", "−") if both and each.new != each.old else ""
    sides = ("not there" if count is None else f"{count:,}" for count in (each.old, each.new))
    return (capitalise(COUNTS.get(each.name, each.name)), *sides, change)


def setting_row(each: ValueChange) -> Row:
    """A setting on each side."""
    return capitalise(each.name.replace("_", " ")), value_in_words(each.old), value_in_words(each.new)


def _without_interval(cell: str) -> str:
    return cell.partition(" (")[0]


def _limit(limit: float | None) -> str:
    return "not set" if limit is None else percent(limit)


def show_comparison(found: AuditComparison, console: Console) -> None:
    """Print it on a terminal of 80 columns; the intervals of both sides are in the sentence."""

    def say(text: str = "") -> None:
        console.print(text, markup=False, highlight=False)

    say(f"Old: {found.old.label}")
    say(f"New: {found.new.label}\n")
    rows = [
        (cut_middle(name, LONGEST_NAME), *map(_without_interval, both), change)
        for name, *both, change in summary_rows(found)
    ]
    for line in align_rows(rows, ":<", "old:>", "new:>", "change:>"):
        say(line)
    say(f"\n{capitalise(str(found.verdict))}. {found.sentence()}")
    for line in (*found.faults, *found.doubts, found.about_inputs()):
        say(line)
    if found.settings:
        say(f"Set differently: {', '.join(each.name.replace('_', ' ') for each in found.settings)}.")


def as_markdown(found: AuditComparison) -> str:
    """For the summary of a step in a pipeline: a heading, a table, and what is behind the verdict."""
    labels = tuple(cut_middle(side.label, LONGEST_LABEL) for side in (found.old, found.new))
    rows = [("Data", *labels, ""), *summary_rows(found)]
    lines = [f"### {MARKS[found.verdict]} Re-identification risk: {found.verdict}", ""]
    lines += [_markdown_row(HEADING), "|---|---:|---:|---:|", *(_markdown_row(row) for row in rows), ""]
    lines += [f"- **{_plain(each)}**" for each in (*found.faults, *found.doubts)]
    lines += [f"- {_plain(each)}" for each in (found.sentence(), found.about_inputs())]
    for each in found.settings:
        name, old, new = setting_row(each)
        lines.append(f"- {_plain(f'{name}: {cut_middle(old, LONGEST_LABEL)} → {cut_middle(new, LONGEST_LABEL)}')}")
    for what, notes in (("New note", found.notes_new), ("No longer noted", found.notes_gone)):
        lines += [f"- {what}: {_plain(str(note))}" for note in notes]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Row) -> str:
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, in one line: names come from the data."""
    return escape(SPECIAL.sub(r"\\\1", " ".join(on_a_page(text).split())), quote=False)
