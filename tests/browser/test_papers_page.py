"""The page of the papers in a real browser: forty results open at once, and all their charts come to be drawn."""

import pytest

from singleout.papers.page import page
from singleout.papers.result import LABELS
from tests.reproductions import curve


@pytest.fixture(scope="module")
def long_page():
    return page([curve(LABELS[number % 3], id=f"naini-fig{number}") for number in range(40)])


def test_forty_results_are_drawn_without_a_network(browser, long_page):
    assert len(long_page.encode()) < 3_000_000
    browser.open(long_page)
    assert browser.complaints() == []
    assert browser.outside() == []
    assert browser.run("return document.querySelectorAll('.chart svg').length") == 40
    assert browser.run("return document.querySelectorAll('.chart')[0].querySelectorAll('svg path').length") > 8


def test_it_fits_a_narrow_screen_and_its_summary_leads_to_each(browser, long_page):
    browser.open(long_page, width=375)
    assert browser.run("const e = document.documentElement; return e.scrollWidth - e.clientWidth") == 0
    names = browser.run("return [...document.querySelectorAll('#summary ~ .wide a')].map(a => a.hash.slice(1))")
    assert len(names) == 40
    assert browser.run("return arguments[0].every(name => document.getElementById(name))", names)
