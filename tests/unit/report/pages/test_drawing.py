"""Charts drawn when a page is made."""

import subprocess
import sys

import pytest

from singleout.report.charts.style import spec
from singleout.report.pages.drawing import NOT_DRAWN, draw

HOSTILE = "</text><script>alert(1)</script>"


def chart(name):
    layer = {"mark": "bar", "encoding": {"x": {"field": "share", "type": "quantitative"}, "y": {"field": "name"}}}
    return spec("", "", [{"name": name, "share": 0.5}], [layer])


def test_it_scales_with_the_page_and_falls_back_to_plain_colours():
    drawn = draw(chart("a") | {"config": {"axis": {"labelColor": "var(--soft)"}}}, 400)
    assert drawn.startswith("<svg")
    assert "viewBox=" in drawn
    assert " width=" not in drawn.split(">")[0]
    assert "var(--soft, #565e68)" in drawn


def test_texts_of_the_data_stay_text():
    drawn = draw(chart(HOSTILE), 400)
    assert "<script" not in drawn
    assert "&lt;script" in drawn


def test_there_is_room_for_a_wider_font_at_the_right_edge():
    import vl_convert

    drawn, plain = draw(chart("a"), 400), vl_convert.vegalite_to_svg(chart("a") | {"width": 400})
    across = [float(text.split('viewBox="')[1].split('"')[0].split()[2]) for text in (drawn, plain)]
    assert across[0] - across[1] == 14


UNDER_A_LIMIT = """
import resource, singleout as so
from singleout.report.pages.drawing import draw
resource.setrlimit(resource.RLIMIT_AS, (16 * 2**30, resource.getrlimit(resource.RLIMIT_AS)[1]))
picture = so.uniqueness(so.read_table(so.synthetic_records(seed=1).table), columns=["area"]).plot()
print(sorted(picture._repr_mimebundle_()))
print(draw(picture.spec, 400))
picture.save("chart.html")
try:
    picture.save("chart.svg")
except so.ResourceError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no limit on addresses")
def test_under_a_limit_on_addresses_nothing_is_drawn_and_nothing_ends(tmp_path):
    words = [sys.executable, "-c", UNDER_A_LIMIT]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    kinds, drawn, refused = ran.stdout.splitlines()
    assert "svg" not in kinds
    assert drawn == NOT_DRAWN
    assert "ulimit -v" in refused
    assert (tmp_path / "chart.html").stat().st_size > 0
    assert not (tmp_path / "chart.svg").exists()
