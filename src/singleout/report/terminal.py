"""Results as text for a terminal of 80 columns."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from singleout.assessment.audit_result import Audit
from singleout.assessment.ladder import Ladder
from singleout.ground.notes import cut_middle, in_lines
from singleout.ground.numbers import percent
from singleout.measures.intervals import Estimate
from singleout.statistics.histograms import Histograms

TINY = 0.0001
"""Shares below this would look like zero with two digits."""
BY, BAR = 16, 12
"""Widths of the column 'by' and of the longest bar: a row fits 80 columns."""


def show(ladder: Ladder, console: Console) -> None:
    """Print the ladder, the notes, and the answer in one sentence."""
    released, known = ladder.matching.released_side, ladder.matching.known_side
    console.print(f"Data: {ladder.label}", markup=False, highlight=False)
    sizes = f"{len(released):,} people released, {len(known):,} people known"
    if isinstance(released, Histograms):
        sizes += f", {released.number_of_places:,} places released"
    console.print(sizes, markup=False, highlight=False)
    for note in ladder.notes:
        console.print(f"  {note}", markup=False, highlight=False)
    console.print()
    if ladder.strongest is not None:
        console.print(_table(ladder, plain=not console.encoding.lower().startswith("utf")))
        console.print()
    console.print(ladder.sentence(), markup=False, highlight=False)


def _table(ladder: Ladder, *, plain: bool) -> Table:
    random, strongest = ladder.random, ladder.strongest
    level = "" if random is None else f"{random.confidence_level:.0%} interval"
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name, side in (
        ("attack", "left"),
        ("similarity", "left"),
        ("re-identified", "right"),
        (level, "right"),
        ("", "left"),
    ):
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    if random is not None:
        table.add_row("chance", "", *_numbers(random, plain), _bar(random.value, plain))
    for rung in ladder.rows:
        if rung.rate is not None:
            style = "bold" if rung is strongest else ""
            table.add_row(
                rung.kind.label, rung.similarity, *_numbers(rung.rate, plain), _bar(rung.rate.value, plain), style=style
            )
    return table


def _numbers(rate: Estimate, plain: bool) -> tuple[str, str]:
    digits, dash = 2 if rate.value < 0.01 else 1, "-" if plain else "–"
    if rate.value < TINY:
        return percent(rate.value), f"{percent(rate.low)} {dash} {percent(rate.high)}"
    return percent(rate.value), f"{rate.low:.{digits}%} {dash} {rate.high:.{digits}%}"


def _bar(share: float, plain: bool, width: int = 24) -> str:
    return ("#" if plain else "█") * round(share * width)


def show_audit(audit: Audit, console: Console) -> None:
    """Print the result of an audit: the attacks, the answer, the risk limit, and what would protect people."""
    plain = not console.encoding.lower().startswith("utf")

    def say(text: str = "") -> None:
        console.print(text, markup=False, highlight=False)

    say(f"Data: {audit.label}" + (" (synthetic)" if audit.synthetic else ""))
    for line in in_lines(audit.notes):
        say(line)
    say()
    console.print(_attacks(audit, plain))
    say()
    say(audit.sentence())
    say(audit.verdict())
    if audit.beyond():
        say(audit.beyond())
    say(audit.advice())


def _attacks(audit: Audit, plain: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    level = f"{audit.risk.confidence_level:.0%} interval"
    for name, side in (("attack", "left"), ("by", "left"), ("re-identified", "right"), (level, "right"), ("", "left")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    for each in audit.attacks:
        style = "bold" if each is audit.strongest else ""
        bar = _bar(each.rate.value, plain, BAR)
        table.add_row(
            Text(each.kind.label), Text(cut_middle(each.by, BY)), *_numbers(each.rate, plain), bar, style=style
        )
    return table
