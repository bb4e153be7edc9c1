"""A reproduction prints its numbers and findings."""

import singleout as so
from singleout.papers.attacks import js_is_best
from singleout.papers.result import SYNTHETIC, Data, Finding, Reproduction, Row, tally

MADE = Data("made <up>", SYNTHETIC, "the original")


def curve(**changes):
    row = Row(MADE, "js", 10, so.Estimate(0.5, 0.4, 0.6, 0.9, 20), 0.45, 0.05, (0.5, 0.7))
    about = {"axis": "people", "logarithmic": "x", "id": "x-fig1", "title": "A <title> & more"} | changes
    return Reproduction(
        (row, Row(MADE, "js", 100, 0.25)), (Finding("it <falls>", True),), "which way", ("& so",), **about
    )


def test_a_result_prints_its_spread_and_its_findings():
    text = str(curve())
    assert "50.0% to 70.0%" in text
    assert "holds: it <falls>" in text
    assert repr(curve()) == "Reproduction(x-fig1, synthetic, 2 numbers: holds)"


def test_a_finding_that_could_not_come_out_otherwise_is_shown_but_not_counted():
    given = Finding("so it is", True, aside="written in")
    assert str(given) == "not counted: so it is (written in)"
    assert given.to_dict() == {"text": "so it is", "holds": True, "not_counted": "written in"}
    assert tally([given, Finding("a", True), Finding("b", False)]) == (1, 2)
    assert Reproduction((), (given, Finding("a", True))).holds
    assert not Reproduction((), (given, Finding("a", False))).holds


def test_a_finding_tells_under_how_many_open_choices_it_holds():
    shares = {"js": (0.5, 0.3), "l1": (0.4, 0.4), "cosine": (0.1, 0.1), "dot": (0.1, 0.1)}
    rows = [Row(MADE, similarity, "all", choices[0], choices=choices) for similarity, choices in shares.items()]
    found = js_is_best(rows, "here: ")
    assert str(found).startswith("holds (under 1 of 2 open choices): here: the proposed similarity")
    assert found.to_dict()["of_open_choices"] == 2


def test_no_small_number_is_printed_as_nothing_or_with_an_exponent():
    share = Row(MADE, "x", 0.00005, so.Estimate(0.00005, 0.00004, 0.00006, 0.95, 9), choices=(0.00001, 0.5))
    assert share.cells()[3:] == ["0.00005", "", "0.005% [0.004%, 0.006%]", "0.001% to 50.0%"]
    assert Row(MADE, "x", "y", 0.0000123).cells()[5] == "0.0000123"
