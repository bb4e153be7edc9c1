"""The page of an audit in a real browser: whole, offline, for eye, keyboard and printer; hostile text stays text."""

import re
from itertools import pairwise

import pytest

from singleout.report.charts.audit import figures
from singleout.report.pages.audit import audit_page
from tests.audits import ABOUT, HOSTILE, events_audit, hostile_about, hostile_audit, table_audit

CONTRAST = """
const of = (text) => text.match(/[\\d.]+/g).map(Number);
const linear = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = (c) => { const f = c.slice(0, 3).map(linear);
  return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
const behind = (e) => { for (; e; e = e.parentElement) { const c = of(getComputedStyle(e).backgroundColor);
  if (c.length < 4 || c[3] === 1) return c; } return [255, 255, 255]; };
return [...document.querySelectorAll('main p, main li, main th, main td, main summary, h1, h2, h3, .kicker, footer p')]
  .filter(e => e.offsetParent && e.textContent.trim() && !e.closest('.unseen') && !e.classList.contains('unseen'))
  .map(e => { const [a, b] = [light(of(getComputedStyle(e).color)), light(behind(e))].sort();
              return [(b + 0.05) / (a + 0.05), e.textContent.slice(0, 40)]; })
"""
WIDE = "const page = document.documentElement; return page.scrollWidth - page.clientWidth"
AUDITS = {"events": events_audit, "table": table_audit}


@pytest.fixture(scope="module")
def events_page():
    return audit_page(events_audit(), ABOUT)


@pytest.mark.parametrize("kind", AUDITS)
def test_it_opens_from_disk_without_a_network_and_draws_every_chart(browser, kind):
    audit = AUDITS[kind]()
    page = audit_page(audit, ABOUT)
    assert len(page.encode()) < 3_000_000
    browser.open(page)
    assert browser.complaints() == []
    assert browser.outside() == []
    expected = 3 + len(audit.curves) + bool(audit.causes) + bool(audit.protections)
    marks = browser.run(
        "return [...document.querySelectorAll('.chart')].map(c => c.querySelectorAll('svg path, svg line').length)"
    )
    assert len(marks) == expected
    assert min(marks) > 2


def test_it_may_load_nothing_and_run_nothing_but_its_own(browser, events_page):
    browser.open(events_page)
    browser.run(
        "const s = document.createElement('script'); s.textContent = 'window.pwned = 1'; document.body.append(s)"
    )
    browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=\"file:///nothing.png\">')")
    assert browser.run("return window.pwned === undefined")
    assert any("Content Security Policy" in line for line in browser.complaints())


def test_hovering_a_bar_tells_its_numbers(browser, events_page):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By

    browser.open(events_page)
    bars = browser.driver.find_elements(By.CSS_SELECTOR, "#ladder .mark-rect path")
    listed = events_audit().attacks
    number, joint = next((k, each) for k, each in enumerate(listed) if each.kind == "joint" and each.by == "js")
    browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", bars[number])
    ActionChains(browser.driver).move_to_element(bars[number]).perform()
    browser.wait(
        lambda: browser.run("return document.querySelector('#vg-tooltip-element.visible') !== null"), "it tells"
    )
    told = browser.run("return document.querySelector('#vg-tooltip-element').innerText")
    assert "joint matching: Jensen-Shannon divergence" in told
    assert f"{joint.rate.value:.1%}" in told or f"{joint.rate.value:.2%}" in told
    assert browser.complaints() == []


def test_the_keyboard_reaches_the_content_and_opens_the_numbers(browser, events_page):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    def press(key):
        ActionChains(browser.driver).send_keys(key).perform()

    browser.open(events_page)
    press(Keys.TAB)
    assert browser.run("return document.activeElement.className") == "skip"
    assert browser.run("return document.activeElement.getBoundingClientRect().top >= 0"), "it is seen"
    press(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "main"
    press(Keys.TAB)
    assert browser.run("return document.activeElement.className") == "term", "terms explain themselves"
    browser.run("document.querySelector('.contents li:last-child a').focus()")
    press(Keys.TAB)
    assert browser.run("return document.activeElement.closest('section').getAttribute('aria-labelledby')") == "intruder"
    browser.run("document.querySelector('#ladder .term:last-of-type').focus()")
    press(Keys.TAB)
    assert browser.run("return document.activeElement.tagName") == "SUMMARY"
    assert browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press(Keys.ENTER)
    assert browser.run("return document.activeElement.parentElement.open")
    assert "joint matching, near-certain pairs only" in browser.run(
        "return document.activeElement.parentElement.innerText"
    )


def test_readers_who_do_not_see_find_names_order_and_numbers(browser, events_page):
    browser.open(events_page)
    levels = browser.run("return [...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert browser.run("return [...document.querySelectorAll('.chart')].every(c => c.getAttribute('aria-label'))")
    assert browser.run("return ['header', 'main', 'footer'].every(tag => document.querySelectorAll(tag).length === 1)")
    assert browser.run("return [...document.querySelectorAll('table')].every(t => t.caption && t.querySelector('th'))")
    assert browser.run("return document.documentElement.lang") == "en"


@pytest.mark.parametrize("make", [events_audit, hostile_audit])
def test_nothing_scrolls_sideways(browser, make):
    browser.open(audit_page(make(), ABOUT), width=375)
    browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    for width in (375, 768, 1280):
        browser.look(width=width)
        browser.wait(lambda: browser.run(WIDE) == 0, f"nothing is wider than {width} px")
        assert browser.run("return document.documentElement.clientWidth") <= width
        assert (
            browser.run("return Math.max(...[...document.querySelectorAll('.chart svg')].map(s => s.clientWidth))")
            < width
        )


def test_hostile_texts_stay_text(browser):
    page = audit_page(hostile_audit(), hostile_about())
    browser.open(page)
    assert browser.complaints() == []
    assert browser.run("return window.pwned === undefined")
    assert (
        browser.run("return document.querySelectorAll('img, script:not([type]), [onerror], [onmouseover]').length") == 0
    )
    assert browser.run("return document.querySelectorAll('script').length") == 2 + len(figures(hostile_audit()))
    browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    shown = browser.run("return document.body.innerText")
    for text in HOSTILE:
        assert text.split("\n")[0] in shown
    drawn = browser.run("return document.querySelector('#causes svg').textContent")
    assert HOSTILE[0] in drawn


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_and_charts_are_readable_in_light_and_dark(browser, events_page, scheme):
    browser.open(events_page, scheme=scheme)
    contrasts = browser.run(CONTRAST)
    assert len(contrasts) > 50
    assert min(contrasts)[0] >= 4.5, min(contrasts)
    ink, paper = browser.run("""
        const texts = [...document.querySelectorAll('#ladder svg text')];
        const text = texts.find(text => text.textContent === 'joint matching: Jensen-Shannon divergence');
        return [getComputedStyle(text).fill, getComputedStyle(document.body).backgroundColor]""")
    assert (ink, paper) == {
        "light": ("rgb(29, 33, 38)", "rgb(255, 255, 255)"),
        "dark": ("rgb(232, 234, 237)", "rgb(22, 24, 28)"),
    }[scheme]


def test_colours_follow_the_screen_without_a_new_drawing(browser, events_page):
    browser.open(events_page)
    bar = "return getComputedStyle(document.querySelector('#ladder .mark-rect path')).fill"
    before = browser.run(bar)
    browser.look(scheme="dark")
    assert browser.run(bar) != before


def test_it_prints_on_a4_with_its_charts_on_white(browser, events_page):
    browser.open(events_page, scheme="dark")
    browser.look(scheme="dark", media="print")
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run(
        "return [...document.querySelectorAll('.chart svg')].every(s => s.getBoundingClientRect().height > 40)"
    )
    folded = "document.querySelector('details:not([open]) table, details:not([open]) dl')"
    assert browser.run(f"return {folded}.checkVisibility({{contentVisibilityAuto: true}})"), (
        "all that is folded is printed"
    )
    document = browser.printed()
    sizes = set(re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", document))
    assert {(round(float(w)), round(float(h))) for w, h in sizes} == {(595, 842)}
    # everything that is folded on a screen is printed: the numbers of every chart, and what each attack does
    assert 3 <= len(re.findall(rb"/Type /Page\b", document)) <= 16
