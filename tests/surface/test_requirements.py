"""What regulators and standards ask of a report: each row of the docs names a part of the page that is there."""

import re
from pathlib import Path

import pytest

from tests.audits import events_audit, table_audit

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "how-to" / "file-a-report.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith("| asked by")
]
ELSEWHERE = ("yours to add", "the whole page", "the same section", "announced, not published", "set it as")
"""Openings of what is no section of the page, in words."""


def headings(page):
    """Sections, parts of them that unfold, and fields of the page, as they are printed."""
    found = re.findall(r"<(h2|h3|summary|dt)[^>]*>(.*?)</\1>", page, re.DOTALL)
    return {re.sub(r"<[^>]+>|\s*\(.*", "", words).strip().lower() for _, words in found}


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Headings of the pages of an event log and of a table."""
    folder, every = tmp_path_factory.mktemp("pages"), set()
    for name, audit in (("events", events_audit()), ("table", table_audit())):
        audit.to_html(folder / f"{name}.html")
        every |= headings((folder / f"{name}.html").read_text())
    return every


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:2])[:60])
def test_every_requirement_names_a_part_of_the_page(row, parts):
    _, _, where = row
    if where.startswith(ELSEWHERE):
        return
    named = [part for part in parts if part and part in where.lower()]
    assert named or "risk" in where, f"no part of the page is named in: {where}"
