"""The page of the papers and its pictures: whole, offline, escaped, and plain about the data behind each number."""

import re
from html import escape
from html.parser import HTMLParser

import pytest
import vl_convert

from singleout.papers.page import page
from singleout.papers.pictures import vega_lite
from singleout.papers.result import LABELS, SYNTHETIC, Finding, Reproduction
from tests.audits import HOSTILE
from tests.reproductions import curve, row


class Seen(HTMLParser):
    """Tags, and what each table and article says."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.addresses = set(), []
        self.feed(re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.DOTALL))

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in ("href", "src")]


def test_it_is_whole_offline_and_escapes_every_text():
    text = page([curve(), curve(id="x-table1", axis=None)], ["x-fig2 skipped: needs <this>."])
    seen = Seen(text)
    assert not seen.tags & {"img", "title>", "falls", "up", "this", "iframe"}
    assert all(address.startswith(("#", "data:,")) for address in seen.addresses)
    assert text.count('class="chart"') == 1, "a table has no picture"
    for told in ("A &lt;title&gt; &amp; more", "it &lt;falls&gt;", "needs &lt;this&gt;", "&amp; so", "which way"):
        assert told in text


def test_hostile_names_stay_text():
    rows = tuple(row(SYNTHETIC, at, series=text, name=text) for text in HOSTILE for at in (1, 2))
    text = page([Reproduction(rows, (Finding(HOSTILE[0], True),), axis=HOSTILE[1], id="x-1", title=HOSTILE[1])])
    assert Seen(text).tags == Seen(page([curve()])).tags
    assert escape(HOSTILE[1]) in text
    assert text.count("<script") == 3


def test_results_are_grouped_by_paper_under_a_summary():
    text = page([curve(), curve(id="manousakas-fig5"), curve(id="naini-fig2"), curve(id="other-1")])
    order = [text.index(f'<article id="{name}"') for name in ("naini-fig1", "naini-fig2", "manousakas-fig5", "other-1")]
    assert order == sorted(order)
    assert text.count("Where You Are Is Who You Are") == 2, "in the summary and above its results"
    assert "4 of 8 findings hold." in text
    assert text.count("1 of 2 hold</td>") == 4


@pytest.mark.parametrize(
    ("holds", "told"),
    [((), "numbers only"), ((True,), "holds"), ((False,), "does not hold"), ((True, True), "all hold")],
)
def test_the_summary_tells_which_findings_hold(holds, told):
    result = curve()
    bare = Reproduction(result.rows, tuple(Finding("so", each) for each in holds), id="x-1", title="x")
    assert f">{told}</td>" in page([bare])


@pytest.mark.parametrize("label", LABELS)
def test_what_the_data_is_stands_on_every_chart_and_in_every_row(label):
    result = curve(label)
    text = page([result])
    tag = f'<span class="tag {label.replace(" ", "-")}">{label}</span>'
    # what it means, in the summary, above the result, and in each row of the table
    assert text.count(tag) == 3 + len(result.rows)
    drawn = vega_lite(result)
    assert drawn["title"]["subtitle"].startswith(f"Measured on: {label}.")
    assert f"Measured on: {label}." in text
    assert label in re.sub("<[^>]*>", " ", vl_convert.vegalite_to_svg(drawn)), "its line is named so in the key"
