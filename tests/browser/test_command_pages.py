"""The pages that the commands write, opened from disk in a real browser with the network off."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from singleout.cli import app
from singleout.reading.synthetic import demo
from tests.small_releases import small_release

EVIL = "<script>window.pwned=1</script><img src=x onerror='window.pwned=1'>"
SCROLLS = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def demo_page(tmp_path_factory):
    """What ``singleout demo`` writes where the real purchases are not installed."""
    folder = tmp_path_factory.mktemp("demo") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "_installed_purchases", lambda: None)
        patch.setattr(demo, "CALLERS", 150)
        result = CliRunner().invoke(app, ["demo", "--out", str(folder)])
    assert result.exit_code == 0, result.output
    return (folder / "audit.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_the_page_of_the_demo_opens_draws_and_asks_for_nothing(browser, demo_page, width, scheme):
    browser.open(demo_page, width=width, scheme=scheme)
    drawn = browser.drawn()
    assert len(drawn) >= 5
    assert set(drawn) == {"done"}
    assert browser.complaints() == []
    assert browser.outside() == []
    assert not browser.run(SCROLLS)
    assert "synthetic" in browser.run("return document.body.innerText").lower()
    assert len(demo_page.encode()) < 3_000_000


def test_hostile_names_that_are_revealed_stay_text(browser, tmp_path):
    rows = [(f"{EVIL} {p}", d * 86_400, f"{EVIL} at {(p * d) % 9} {p % 5}") for p in range(25) for d in range(0, 40, 3)]
    columns = dict(zip(("user", "time", "place"), map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns), tmp_path / "log.parquet")
    asked = ["--user", "user", "--time", "time", "--place", "place", "--label", EVIL, "--reveal"]
    result = CliRunner().invoke(app, ["audit", str(tmp_path / "log.parquet"), *asked, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    browser.open((tmp_path / "out" / "audit.html").read_text(encoding="utf-8"))
    assert browser.run("return window.pwned === undefined")
    assert EVIL in browser.run("return document.body.innerText")
    assert browser.complaints() == []


@pytest.fixture(scope="module")
def pages_of_a_release(tmp_path_factory):
    """What ``verify`` writes of a protected file, with and without its key, and ``compare`` of the two."""
    folder = tmp_path_factory.mktemp("release")
    made = small_release(noise=1.0)
    columns = ["--user", "who", "--time", "when", "--place", "where", "--label", EVIL, "--reveal", "--quiet"]
    for name, key in {"with": ["--key", str(made.key)], "without": []}.items():
        command = ["verify", str(made.protected), str(made.log), *columns, *key, "--out", str(folder / name)]
        assert CliRunner().invoke(app, command).exit_code == 0
    command = ["compare", str(folder / "with"), str(folder / "without"), "--quiet", "--out", str(folder / "compared")]
    assert CliRunner().invoke(app, command).exit_code == 0
    files = ("with/verify.html", "without/verify.html", "compared/compare.html")
    return {file: (folder / file).read_text(encoding="utf-8") for file in files}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
@pytest.mark.parametrize("file", ["with/verify.html", "without/verify.html", "compared/compare.html"])
def test_pages_of_a_release_open_draw_and_ask_for_nothing(browser, pages_of_a_release, file, width, scheme):
    browser.open(pages_of_a_release[file], width=width, scheme=scheme)
    assert set(browser.drawn()) <= {"done"}
    assert browser.complaints() == []
    assert browser.outside() == []
    assert not browser.run(SCROLLS)
    assert browser.run("return window.pwned === undefined")
    assert EVIL in browser.run("return document.body.innerText")
