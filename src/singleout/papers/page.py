"""All results on one offline page: grouped by paper, every number labelled with the data it was measured on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from singleout.papers.pictures import caption, vega_lite
from singleout.papers.result import HEADING, SAME, STAND_IN, SYNTHETIC, Reproduction, tally
from singleout.report.charts.style import Figure
from singleout.report.pages import render as pages

PAPERS = {
    "naini": "Naini, Unnikrishnan, Thiran, Vetterli 2016: Where You Are Is Who You Are",
    "unnikrishnan": "Unnikrishnan, Movahedi Naini 2013: De-anonymizing Private Data by Matching Statistics",
    "manousakas": "Manousakas and others 2018: Quantifying Privacy Loss of Human Mobility Graph Topology",
    "ramachandran": "Ramachandran, Singh, Porter, Nagle 2012: Exploring Re-identification Risks in Public Domains",
}
"""By the start of the ids of their tables and figures."""
MEANINGS = {
    SAME: "What the paper used.",
    STAND_IN: "Other people, the same type of data. Compare the order of the methods, not the values.",
    SYNTHETIC: "Generated, in the shape that the paper describes. Compare the order of the methods, not the values.",
}
SHORT = 12
"""A table of up to this many rows is open from the start if there is no chart."""


@dataclass(frozen=True)
class Shown:
    """A result and what the page shows of it."""

    result: Reproduction
    figure: Figure
    verdict: str
    open: bool


def page(results: Sequence[Reproduction], skipped: Iterable[str] = ()) -> str:
    """The whole page; ``skipped`` says what was not run, and why."""
    papers: dict[str, list[Shown]] = {}
    for result in results:
        start = result.id.partition("-")[0]
        papers.setdefault(PAPERS.get(start, start), []).append(_prepare(result))
    held, counted = tally(finding for result in results for finding in result.findings)
    return pages.page(
        "papers.html.j2",
        papers=papers,
        skipped=list(skipped),
        meanings=MEANINGS,
        held=held,
        findings=counted,
    )


def _prepare(result: Reproduction) -> Shown:
    chart = vega_lite(result)
    rows = tuple(tuple(row.cells()) for row in result.rows)
    figure = Figure(result.id, f"{result.id}: {result.title}", caption(result), chart, HEADING, rows)
    return Shown(result, figure, _verdict(result), chart is None and len(rows) <= SHORT)


def _verdict(result: Reproduction) -> str:
    if not result.findings:
        return "numbers only"
    right, counted = tally(result.findings)
    if not counted:
        return "none counted"
    if right == counted:
        return "all hold" if right > 1 else "holds"
    return f"{right} of {counted} hold" if counted > 1 else "does not hold"
