"""A saved picture opens from disk on its own."""

from tests.audits import events_audit


def test_a_saved_picture_is_drawn_without_a_network(browser, tmp_path):
    events_audit().plot().save(tmp_path / "ladder.html")
    browser.open((tmp_path / "ladder.html").read_text(encoding="utf-8"), width=375)
    assert browser.complaints() == []
    assert browser.run("return document.querySelectorAll('.chart svg path').length") > 5
    assert browser.outside() == []
