"""All results on one page: grouped by paper, every number labelled with what it was measured on, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from singleout.papers.pictures import vega_lite, words
from singleout.papers.result import HEADING, SAME, STAND_IN, SYNTHETIC, Reproduction, tally
from singleout.report.charts.style import Figure
from singleout.report.pages import render as pages

PAPERS = {
    "naini": "Naini, Unnikrishnan, Thiran, Vetterli 2016: Where You Are Is Who You Are",
    "unnikrishnan": "Unnikrishnan, Movahedi Naini 2013: De-anonymizing Private Data by Matching Statistics",
    "manousakas": "Manousakas and others 2018: Quantifying Privacy Loss of Human Mobility Graph Topology",
    "ramachandran": "Ramachandran, Singh, Porter, Nagle 2012: Exploring Re-identification Risks in Public Domains",
}
"""By how the ids of their tables and figures begin."""
MEANINGS = {
    SAME: "What the paper used.",
    STAND_IN: "Other people, the same kind of data. Read the order of the methods, not the height.",
    SYNTHETIC: "Generated, in the shape that the paper describes. Read the order of the methods, not the height.",
}
SHORT = 12
"""A table of so many rows is open from the start where there is no picture."""


@dataclass(frozen=True)
class Shown:
    """A result with what the page shows of it."""

    result: Reproduction
    figure: Figure
    verdict: str
    open: bool


def page(results: Sequence[Reproduction], skipped: Iterable[str] = ()) -> str:
    """The whole page; ``skipped`` says what was left out, and why."""
    papers: dict[str, list[Shown]] = {}
    for result in results:
        start = result.id.partition("-")[0]
        papers.setdefault(PAPERS.get(start, start), []).append(_shown(result))
    held, counted = tally(finding for result in results for finding in result.findings)
    return pages.page(
        "papers.html.j2",
        papers=papers,
        skipped=list(skipped),
        meanings=MEANINGS,
        held=held,
        findings=counted,
    )


def _shown(result: Reproduction) -> Shown:
    drawn = vega_lite(result)
    rows = tuple(tuple(row.told()) for row in result.rows)
    figure = Figure(result.id, f"{result.id}: {result.title}", words(result), drawn, HEADING, rows)
    return Shown(result, figure, _verdict(result), drawn is None and len(rows) <= SHORT)


def _verdict(result: Reproduction) -> str:
    if not result.findings:
        return "numbers only"
    right, counted = tally(result.findings)
    if not counted:
        return "nothing that counts"
    if right == counted:
        return "all hold" if right > 1 else "holds"
    return f"{right} of {counted} hold" if counted > 1 else "does not hold"
