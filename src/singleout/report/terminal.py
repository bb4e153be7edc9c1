"""Results as text for a terminal of 80 columns."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from singleout.assessment.attack_kinds import AttackKind
from singleout.assessment.audit_result import Audit
from singleout.assessment.command_lines import to_run_here
from singleout.assessment.file_names import NO_FILE
from singleout.assessment.ladder import Ladder
from singleout.ground.notes import cut_middle, in_lines
from singleout.ground.numbers import percent
from singleout.measures.intervals import Estimate
from singleout.statistics.histograms import Histograms

TINY = 0.0001
"""Shares below this would look like zero with two digits."""
BY = 16
"""Width of the column 'by'."""
LONGEST_BAR = 24
GAP = 2
SHORT_LABELS = {AttackKind.SELECTIVE: "joint, near-certain", AttackKind.TAUGHT: "joint, some known"}
"""Where the usual one would leave no room for a bar."""


@dataclass(frozen=True)
class Row:
    """One attack as text, the share it re-identifies, and whether it is the strongest."""

    cells: tuple[str, ...]
    share: float
    strongest: bool = False


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
        plain = not console.encoding.lower().startswith("utf")
        level = "" if ladder.random is None else f"{ladder.random.confidence_level:.0%} interval"
        names = ("attack", "similarity", "re-identified", level)
        console.print(_table(names, list(_ladder_rows(ladder, plain)), console.width, plain))
        console.print()
    console.print(ladder.sentence(), markup=False, highlight=False)


def _ladder_rows(ladder: Ladder, plain: bool) -> Iterator[Row]:
    if ladder.random is not None:
        yield Row(("chance", "", *_numbers(ladder.random, plain)), ladder.random.value)
    for rung in ladder.rows:
        if rung.rate is not None:
            cells = SHORT_LABELS.get(rung.kind, rung.kind.label), rung.similarity, *_numbers(rung.rate, plain)
            yield Row(cells, rung.rate.value, rung is ladder.strongest)


def _table(names: tuple[str, ...], rows: list[Row], width: int, plain: bool) -> Table:
    """Attacks with their shares, and bars in the room that is left."""
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for name, side in zip((*names, ""), ("left", "left", "right", "right", "left"), strict=True):
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    used = sum(
        max(len(cell) for cell in column) + GAP for column in zip(names, *(row.cells for row in rows), strict=True)
    )
    room = min(LONGEST_BAR, max(width - used, 0))
    for row in rows:
        bar = ("#" if plain else "█") * round(row.share * room)
        table.add_row(*map(Text, row.cells), bar, style="bold" if row.strongest else "")
    return table


def _numbers(rate: Estimate, plain: bool) -> tuple[str, str]:
    if rate.is_exact:
        return percent(rate.value), "exact"
    digits, dash = 2 if rate.value < 0.01 else 1, "-" if plain else "–"
    if rate.value < TINY:
        return percent(rate.value), f"{percent(rate.low)} {dash} {percent(rate.high)}"
    return percent(rate.value), f"{rate.low:.{digits}%} {dash} {rate.high:.{digits}%}"


def show_audit(audit: Audit, console: Console) -> None:
    """Print the result of an audit: the attacks, the answer, the risk limit, and what would protect people."""
    plain = not console.encoding.lower().startswith("utf")

    def say(text: str = "") -> None:
        console.print(text, markup=False, highlight=False)

    say(f"Data: {audit.label}" + (" (synthetic)" if audit.synthetic else ""))
    for line in in_lines(audit.notes):
        say(line)
    say()
    names = ("attack", "by", "re-identified", f"{audit.risk.confidence_level:.0%} interval")
    console.print(_table(names, list(_audit_rows(audit, plain)), console.width, plain))
    say()
    say(audit.sentence())
    say(audit.verdict())
    say(audit.advice())
    if audit.recommended is not None and audit.recommended.command:
        save = NO_FILE in shlex.split(audit.recommended.command)
        say(f"To apply this protection, {f'save the data as {NO_FILE} and ' if save else ''}run in this folder:")
        console.print(f"  {to_run_here(audit.recommended.command)}", markup=False, highlight=False, soft_wrap=True)
    if audit.beyond():
        say(audit.beyond())


def _audit_rows(audit: Audit, plain: bool) -> Iterator[Row]:
    for each in audit.attacks:
        cells = SHORT_LABELS.get(each.kind, each.kind.label), cut_middle(each.by, BY), *_numbers(each.rate, plain)
        yield Row(cells, each.rate.value, each is audit.strongest)
