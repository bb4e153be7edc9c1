"""The page of two results as text: what changed and why, escaped, with nothing to load."""

from dataclasses import replace

import pytest

from singleout.assessment.comparison import compare_audits
from singleout.report.pages.compare import compare_page
from tests.audits import ABOUT, HOSTILE, events_audit, hostile_about, hostile_audit, table_audit
from tests.pages import Texts, without_scripts


@pytest.mark.parametrize("audit", [events_audit, table_audit], ids=["log", "table"])
def test_it_says_what_changed(audit):
    found = compare_audits(audit(), replace(audit(), label="next.csv", seed=3))
    said = " ".join(Texts(without_scripts(compare_page(found, ABOUT))).said.split())
    for words in ("No clear change", found.sentence(), found.about_inputs(), "Seed", "next.csv"):
        assert words in said


def test_names_from_data_are_text():
    found = compare_audits(hostile_audit(), replace(hostile_audit(), label=HOSTILE[0], notes=()))
    read = Texts(without_scripts(compare_page(found, hostile_about())))
    assert "img" not in read.tags
    assert not [name for name, _ in read.attributes if name.startswith("on")]


def test_the_same_results_give_the_same_page():
    pages = [compare_page(compare_audits(events_audit(), events_audit()), ABOUT) for _ in range(2)]
    assert pages[0] == pages[1]
