"""All results on one page: plain HTML with its style and pictures inside, every text escaped, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from singleout.papers.pictures import svg
from singleout.papers.result import HEADING, Reproduction, Row

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:.5rem 0}"
    "td,th{padding:.15rem .6rem;text-align:left;border-bottom:1px solid #ddd}"
    "svg{max-width:40rem;display:block}.label{background:#eee;border-radius:.3rem;padding:0 .4rem;font-size:.8em}"
    ".no{color:#b00020}.yes{color:#00693e}"
)
INTRODUCTION = (
    "Same data: what the paper used. Stand-in: other people, same kind of data. Synthetic: made up in the shape the "
    "paper describes. An interval tells chance; open choices tell what the paper does not say. Nothing was "
    "tuned towards a printed number."
)


def page(results: Sequence[Reproduction], skipped: Iterable[str] = ()) -> str:
    """The whole page; ``skipped`` says what was left out, and why."""
    index = "".join(
        f"<li><a href='#{escape(each.id)}'>{escape(each.id)}</a>: {_verdict(each)}</li>" for each in results
    )
    left_out = "".join(f"<li>{escape(line)}</li>" for line in skipped)
    more = f"<h2>Not run</h2><ul>{left_out}</ul>" if left_out else ""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>singleout reproduce</title>"
        f"<style>{STYLE}</style></head><body><h1>The papers, run again</h1><p>{escape(INTRODUCTION)}</p>"
        f"<ul>{index}</ul>{''.join(map(_section, results))}{more}</body></html>\n"
    )


def _verdict(result: Reproduction) -> str:
    if not result.findings:
        return f"{escape(result.title)}: numbers only"
    right = sum(finding.holds for finding in result.findings)
    return f"{escape(result.title)}: {right} of {len(result.findings)} findings hold"


def _section(result: Reproduction) -> str:
    labels = " ".join(f"<span class='label'>{escape(label)}</span>" for label in result.labels)
    heading = "".join(f"<th>{escape(name)}</th>" for name in HEADING)
    findings = "".join(
        f"<li class='{'yes' if finding.holds else 'no'}'>{escape(str(finding))}</li>" for finding in result.findings
    )
    choices = f"<p>Left open by the paper: {escape(result.open_choices)}.</p>" if result.open_choices else ""
    notes = "".join(f"<p>{escape(note)}</p>" for note in result.notes)
    return (
        f"<h2 id='{escape(result.id)}'>{escape(result.id)}: {escape(result.title)} {labels}</h2><ul>{findings}</ul>"
        f"{svg(result)}<table><thead><tr>{heading}</tr></thead><tbody>{''.join(map(_row, result.rows))}</tbody></table>"
        f"{choices}{notes}"
    )


def _row(row: Row) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row.told()) + "</tr>"
