"""The documentation as a website, opened from disk: its search finds pages, and asks no other host for anything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.heavy

ROOT = Path(__file__).parents[2]
RESULTS = "return [...document.querySelectorAll('#search-results ul.search li > a')].map(link => link.href)"
ENDED = re.compile(r"\bfound \d|\bfound one|did not match any documents")
STATUS = "return document.querySelector('#search-results .search-summary')?.textContent || ''"


@pytest.fixture(scope="module")
def site(browser, tmp_path_factory):
    """What scripts/site built in build/site; otherwise built here, without carrying out the notebooks."""
    built = ROOT / "build" / "site"
    if (built / "search.html").exists():
        return built
    for needed in ("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme"):
        pytest.importorskip(needed, reason="the extra 'docs' is not installed, and build/site is not there")
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-q", "-D", "nb_execution_mode=off", "docs", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def search(browser, site, words):
    """The pages that the search finds, in order."""
    browser.visit(f"{(site / 'search.html').as_uri()}?q={words}")
    browser.wait(lambda: ENDED.search(browser.run(STATUS)), "the search has ended")
    found = browser.run(RESULTS)
    assert browser.outside() == []
    return found


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("half-sampling", "methods/intervals.html"),
        ("micro-aggregation", "methods/protection.html"),
        ("protect_table", "reference/python/singleout.protect_table.html"),
        ("GeoLife", "papers/naini-2016.html"),
    ],
)
def test_a_search_on_disk_finds_the_page_and_no_other_host_is_asked(browser, site, words, page):
    found = [address.partition("?")[0].partition("#")[0] for address in search(browser, site, words)]
    assert (site / page).as_uri() in found


def test_a_search_for_what_is_nowhere_says_so(browser, site):
    assert search(browser, site, "xyzzyplugh") == []
    assert "did not match any documents" in browser.run(STATUS)


def test_a_page_of_the_site_can_be_read_from_disk(browser, site):
    browser.visit((site / "methods" / "index.html").as_uri())
    assert browser.run("return document.querySelectorAll('article a.reference.internal').length") >= 10
    assert browser.run("return getComputedStyle(document.body).fontFamily") != ""
    assert browser.outside() == []
    # the theme says on the console which colours it took
    assert [each for each in browser.complaints() if "[PST]" not in each] == []
