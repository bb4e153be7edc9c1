"""Terms on pages: explained at the end, and marked once per section where sentences use them."""

import re

import pytest

from singleout.report.pages.audit import audit_page
from singleout.report.pages.glossary import TERMS, mark_terms, terms_for
from tests.audits import ABOUT, events_audit, hostile_audit, table_audit
from tests.pages import Texts, without_scripts

PAGE = '<main>{}</main><section aria-labelledby="glossary"><p>The intruder.</p></section>'


def marked(body):
    found = mark_terms(PAGE.format(body), TERMS)
    return re.findall(r'<abbr class="term"[^>]*>([^<]*)</abbr>', found)


def test_terms_are_in_alphabetical_order_and_have_ids_of_their_own():
    names = [term.name.lower() for term in TERMS]
    assert names == sorted(names)
    assert len({term.id for term in TERMS}) == len(TERMS)
    forms = [form.lower() for term in TERMS for form in term.forms]
    assert len(set(forms)) == len(forms)


def test_the_first_use_in_each_section_is_marked():
    first = "<section><p>An intruder, the intruder. The Risk limit.</p><ul><li>Intruder</li></ul></section>"
    assert marked(first) == ["intruder", "Risk limit"]
    assert marked(first + "<section><p>This intruder.</p></section>") == ["intruder", "Risk limit", "intruder"]


@pytest.mark.parametrize(
    "body",
    [
        "<h2>The intruder</h2>",
        "<p><code>--intruder</code> <a href='#x'>the intruder</a></p>",
        "<table><tr><td>chance</td></tr></table>",
        "<div>chance</div>",
        "<p>An intruder-like bystander by-chance, uniqueness</p>",
        "<script>intruder</script>",
    ],
)
def test_headings_commands_links_tables_and_other_words_stay_plain(body):
    assert marked(body) == []


def test_prose_goes_on_after_an_element_of_another_kind():
    assert marked("<p><code>x</code> the <strong>intruder</strong></p>") == ["intruder"]


def test_the_longest_form_is_taken():
    assert marked("<p>joint matching and k = 2</p>") == ["joint matching", "k"]


@pytest.mark.parametrize("make", [events_audit, table_audit, hostile_audit])
def test_marks_change_no_text_and_point_at_the_list(make):
    page = audit_page(make(), ABOUT)
    marks = re.findall(r'<abbr class="term" tabindex="0" aria-describedby="([^"]+)" data-meaning="([^"]+)">', page)
    assert len(marks) > 10
    listed = {term.id: term.meaning for term in terms_for(make().kind)}
    assert all(f'<dd id="{name}">{meaning}</dd>' in page and listed[name] in meaning for name, meaning in marks)
    plain = re.sub(r"</?abbr[^>]*>", "", page)
    assert Texts(without_scripts(plain)).said == Texts(without_scripts(page)).said
    scripts = re.compile(r"<script.*?</script>", re.DOTALL)
    assert scripts.findall(plain) == scripts.findall(page), "no script changes: the page names their digests"


def test_a_table_has_no_terms_of_matching():
    names = {term.name for term in terms_for("table")}
    assert "SUDA score" in names
    assert "Joint matching" not in names
