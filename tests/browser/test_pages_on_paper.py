"""Pages for readers without scripts and on paper: every chart is there, everything can be read, nothing is cut."""

import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

import singleout as so
from singleout.report.pages.audit import audit_page
from singleout.report.pages.compare import compare_page
from singleout.report.pages.verify import verify_page
from tests.audits import ABOUT, events_audit, of_events, table_audit
from tests.browser.test_audit_page import CONTRAST, WIDE
from tests.small_releases import COLUMNS, small_release

LEAST_FILLED = 0.6
"""The share of a sheet that is used, of all but the last."""
LEGENDS = """return [...document.querySelectorAll('.chart svg')].flatMap(svg => {
  const boxes = what => [...svg.querySelectorAll(what)].map(each => each.getBoundingClientRect());
  const labels = boxes('.role-legend-label text'), signs = boxes('.role-legend-symbol path');
  return labels.map(label => Math.min(Infinity, ...signs.filter(sign => sign.left > label.left &&
    sign.top < label.bottom && sign.bottom > label.top).map(sign => sign.left - label.right)));
})"""
"""Of each label of a legend: pixels to the sign of the next one beside it."""
BLUE = (0, 114, 178)
"""Of bars and lines on paper."""
CHARTS = """return [...document.querySelectorAll('.chart')].map(chart => {
  const shown = [...chart.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width);
  const svg = shown[0], box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(text => text.textContent && text.getBBox().width);
  const cut = texts.filter(text => { const b = text.getBoundingClientRect();
    return b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1; });
  const smallest = Math.min(...texts.map(text => text.getBoundingClientRect().height));
  return [chart.dataset.drawn ?? '', svg.querySelectorAll('path, line').length, chart.getBoundingClientRect().width,
          box.height, smallest, cut.map(text => text.textContent), shown.length, chart.scrollWidth - chart.clientWidth];
})"""


def _verified():
    made = small_release(noise=1.0)
    return so.verify(made.protected, made.log, key=made.key, **COLUMNS, max_risk=0.5, progress=False)


PAGES = {
    "events": lambda: audit_page(events_audit(), ABOUT),
    "table": lambda: audit_page(table_audit(), ABOUT),
    "verify": lambda: verify_page(_verified(), ABOUT),
    "compare": lambda: compare_page(so.compare_audits(of_events(300), of_events(400)), ABOUT),
}


@pytest.fixture(scope="module")
def pages():
    return {name: make() for name, make in PAGES.items()}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_every_chart_is_drawn_and_everything_can_be_read(browser, pages, name, width, scheme):
    with browser.without_scripts():
        browser.open(pages[name], width=width, scheme=scheme)
        charts = browser.run(CHARTS)
        assert charts
        for drawn, marks, across, down, smallest, cut, shown, hidden in charts:
            assert drawn == "", "no script drew it"
            assert marks > 2
            assert across < width
            assert down > 20
            assert smallest > (10 if width < 400 else 8), "every label can be read"
            assert (shown, hidden) == (1, 0), "one drawing, all of which is seen without scrolling"
            assert cut == [], "no label is cut off"
        assert browser.run(WIDE) == 0
        assert min(browser.run(CONTRAST))[0] >= 4.5
        folded = browser.run("return document.querySelectorAll('details').length")
        browser.run("document.querySelectorAll('summary').forEach(each => each.click())")
        assert browser.run("return document.querySelectorAll('details[open]').length") == folded
        assert browser.run(WIDE) == 0


@pytest.mark.parametrize("name", PAGES)
def test_on_a_narrow_screen_scripts_cut_no_label_either(browser, pages, name):
    browser.open(pages[name], width=375)
    assert [cut for *_, cut, _, _ in browser.run(CHARTS)] == [[]] * len(browser.drawn())


@pytest.mark.parametrize("media", ["screen", "print"])
def test_labels_of_a_legend_keep_their_distance(browser, pages, media):
    with browser.without_scripts():
        browser.open(pages["events"], media=media)
        gaps = browser.run(LEGENDS)
    assert len(gaps) > 2
    assert min(gap for gap in gaps if gap is not None) > 6, "no label touches the sign of the next one"


def _sheets(document, folder):
    """The sheets of a PDF as arrays of pixels, and the text of each."""
    (folder / "page.pdf").write_bytes(document)
    subprocess.run(["pdftoppm", "-r", "40", folder / "page.pdf", folder / "sheet"], check=True)
    pictures = []
    for file in sorted(folder.glob("sheet-*.ppm")):
        _, size, _, pixels = file.read_bytes().split(b"\n", 3)
        across, down = map(int, size.split())
        pictures.append(np.frombuffer(pixels, np.uint8).reshape(down, across, 3))
    read = subprocess.run(["pdftotext", folder / "page.pdf", "-"], check=True, capture_output=True)
    return pictures, [" ".join(text.split()) for text in read.stdout.decode().split("\f")[:-1]]


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="install poppler-utils (Debian) to look at printed pages")
@pytest.mark.parametrize("name", PAGES)
def test_printed_without_scripts_it_is_whole(browser, pages, name, tmp_path):
    with browser.without_scripts():
        browser.open(pages[name], scheme="dark")
        browser.look(scheme="dark", media="")
        pictures, texts = _sheets(browser.printed(), tmp_path)
        charts = browser.run("return document.querySelectorAll('.chart').length")
    assert len(pictures) == len(texts)
    for number, (picture, text) in enumerate(zip(pictures, texts, strict=True), 1):
        assert (picture[[0, 0, -1, -1], [0, -1, 0, -1]] == 255).all(), "on white, whatever the screen is"
        assert text.replace(" ", "").endswith(f"{number}/{len(texts)}")
        inked = (picture < 200).any(axis=2).any(axis=1).nonzero()[0]
        # what is nearly empty was pushed apart: charts, tables and lists go on where there is room
        assert number == len(texts) or inked[-8] > picture.shape[0] * LEAST_FILLED, f"sheet {number} is half empty"
    blue = [(abs(picture.astype(int) - BLUE).max(axis=2) < 30).sum() for picture in pictures]
    assert sum(count > 20 for count in blue) >= min(charts, 2), "charts are printed in colour"
    whole = " ".join(texts)
    assert "The attack names the right person." in whole, "terms are explained on paper"
    if name != "compare":
        assert "signature, date" in texts[0]
        folded = "Needs a spreadsheet" if name == "table" else "Needs published methods"
        assert folded in whole, "all that is folded is printed"


FILLED = {
    "reference": "DPIA-2026-014",
    "organisation": "City of Example, Department of Transport and Planning",
    "prepared_by": "A. Example",
    "reviewed_by": "B. Sample",
    "approved_by": "C. Person",
    "purpose": "Publication of travel patterns for research on congestion, as open data on the city's portal",
    "recipient": "The public",
    "release_model": "public",
    "assessed_on": "2026-11-18",
    "review_by": "2027-11-18",
    "status": "draft",
    "decision": "Not to be released without protection; the protected file may be published after verification",
    "residual_risk": "Up to 5% of the people could be re-identified by someone with data from another period.",
}


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="install poppler-utils (Debian) to look at printed pages")
def test_the_first_sheet_can_be_signed_with_every_field_filled(browser, tmp_path):
    browser.open(audit_page(replace(events_audit(), about=FILLED), ABOUT))
    browser.look(media="")
    _, texts = _sheets(browser.printed(), tmp_path)
    assert [value for value in FILLED.values() if value not in texts[0]] == []
    assert texts[0].count("signature, date") == 3


def test_a_term_says_what_it_means_to_pointer_keyboard_and_touch(browser, pages):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    shown = "return getComputedStyle(arguments[0], '::after').display === 'block'"
    with browser.without_scripts():
        browser.open(pages["events"], width=375)
        terms = browser.driver.find_elements(By.CSS_SELECTOR, ".term")
        assert len(terms) > 20
        assert not browser.run(shown, terms[0])
        for _ in range(2):  # the way past the navigation, then the first term
            ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        assert browser.run("return document.activeElement.className") == "term"
        assert browser.run(shown, terms[0])
        meaning = browser.run("return getComputedStyle(arguments[0], '::after').content", terms[0])
        told = browser.run(
            "return document.getElementById(arguments[0].getAttribute('aria-describedby')).innerText", terms[0]
        )
        assert meaning.strip('"') == told
        browser.run("document.activeElement.blur()")
        for term in terms:
            browser.run("arguments[0].focus({preventScroll: true})", term)
            assert browser.run(WIDE) == 0, "its meaning is within the screen"
        browser.run("document.activeElement.blur()")
        browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", terms[5])
        ActionChains(browser.driver).move_to_element(terms[5]).perform()
        assert browser.run(shown, terms[5])
