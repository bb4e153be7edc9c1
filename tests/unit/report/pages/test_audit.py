"""The page of an audit as text: all it must say is there, escaped, with nothing to load."""

import json
import re
from dataclasses import replace
from html import escape

import pytest

import singleout as so
from singleout.assessment.audit_parts import Cause, PeopleAtRisk, PersonAtRisk, Reason
from singleout.measures.intervals import counted
from singleout.report.charts.audit import figures
from singleout.report.pages import drawing, render
from singleout.report.pages.audit import audit_page
from singleout.report.pages.audit_parts import page_parts
from singleout.report.pages.render import embed, unbroken
from tests.audits import ABOUT, HOSTILE, events_audit, hostile_about, hostile_audit, table_audit
from tests.pages import Texts, without_scripts


@pytest.fixture(scope="module", autouse=True)
def _drawn_once():
    """Pages of one audit repeat its charts, and drawing them takes longer than all else."""
    drawn = {}

    def draw(spec, width):
        key = json.dumps([spec, width])
        if key not in drawn:
            drawn[key] = drawing.draw(spec, width)
        return drawn[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "draw", draw)
        yield


@pytest.fixture(scope="module")
def read():
    return Texts(without_scripts(audit_page(events_audit(), ABOUT)))


def test_it_says_what_was_found_and_what_to_do(read):
    audit = events_audit()
    said = " ".join(read.said.split())
    for told in (audit.sentence(), audit.verdict(), audit.advice(), audit.intruder(), "Above the risk limit"):
        assert told in said
    reason = audit.people_at_risk.clearest[0].reasons[0]
    who = "fewer than 5" if reason.people is None else f"at least {reason.people:,}"
    assert f"that {who} people visit: about" in said
    assert f"Recommended: {audit.recommended.does}" in said
    assert audit.recommended.command in said
    for told in (
        "Singling out",
        "Linkability",
        "Inference",
        "Motivated intruder",
    ):
        assert told in said


def test_reasons_are_exact_only_where_names_are_revealed():
    person = PersonAtRisk(3, 0.5, (Reason("place", 0.081, 1204, "kiosk"),), "", "anna")
    revealed = replace(events_audit(), reveal=True, people_at_risk=PeopleAtRisk(1, (person,)))
    said = " ".join(Texts(without_scripts(audit_page(revealed, ABOUT))).said.split())
    assert "a place (kiosk) that 1,204 people visit: 8%" in said


def test_what_was_not_said_about_the_assessment_is_a_line_to_fill_in():
    blank = audit_page(events_audit(), ABOUT)
    about = {"prepared_by": "A. Author", "assessed_on": "2026-05-31", "purpose": "research", "decision": "protect"}
    filled = audit_page(replace(events_audit(), about=about), ABOUT)
    assert blank.count('class="blank"') - filled.count('class="blank"') == len(about)
    for said in about.values():
        assert f"<bdi>{said}</bdi>" in filled
    assert "2012-04-16 to 2012-04-22" in blank, "the period of the released week"


def test_every_chart_is_drawn_without_scripts_and_its_text_stays_text():
    for audit in (events_audit(), table_audit(), hostile_audit()):
        page = without_scripts(audit_page(audit, ABOUT))
        assert page.count("<svg") == 2 * page.count('class="chart"') > 8, "one for phones"
        drawn = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
        assert not any(re.search("<[^>]*onerror", each) for each in drawn), "a name may be cut, but is text"
        assert {tag for each in drawn for tag in Texts(each).tags} <= {"svg", "g", "path", "line", "rect", "text"}


def test_each_criterion_has_a_verdict_where_there_is_a_limit_and_a_source():
    page = Texts(without_scripts(audit_page(events_audit(), ABOUT))).said
    assert page.count("at your risk limit of 5.0%: ") == 4
    assert "Opinion 05/2014" in page
    without = Texts(without_scripts(audit_page(replace(events_audit(), risk_limit=None), ABOUT))).said
    assert "at your risk limit" not in without
    assert "Above the risk limit" not in without


def test_the_list_of_contents_leads_to_every_section():
    for audit in (events_audit(), table_audit()):
        page = audit_page(audit, ABOUT)
        named = re.findall(r'<h2 id="([a-z]+)"', page)
        listed = re.findall(r'<li><a href="#([a-z]+)">', page)
        assert listed == [each for each in named if each not in ("answer", "about", "contents")]


def test_people_whom_the_same_reasons_identify_share_a_row_of_the_table():
    reasons = (Reason("place", 0.5, 20, None),)
    same = [PersonAtRisk(row, 0.5, reasons, "", None, 0.9) for row in (3, 7)]
    people = (*same, PersonAtRisk(9, 0.5, (), "", None, 0.8))
    page = audit_page(replace(events_audit(), people_at_risk=PeopleAtRisk(3, people)), ABOUT)
    assert '<th scope="row">3, 7</th>' in page
    assert '<th scope="row">9</th>' in page


def test_a_public_page_says_how_many_people_are_at_risk_and_lists_none():
    page = audit_page(replace(events_audit(), people_at_risk=PeopleAtRisk(12, ())), ABOUT)
    said = Texts(without_scripts(page)).said
    assert "12 people are re-identified by joint matching; this page lists none of them." in said


def test_places_go_by_the_name_that_the_user_gives():
    said = " ".join(
        Texts(without_scripts(audit_page(replace(events_audit(), place_name="antenna"), ABOUT))).said.split()
    )
    assert "an antenna that" in said
    assert "antennas" in said


def test_it_says_how_it_was_made(read):
    said = " ".join(read.said.split())
    for told in ("numpy 2.3.0", "Python 3.13.1", "purchases.parquet, 8,123,456 bytes", "0f" * 32):
        assert told in said
    assert "max risk" in said


def test_banners_only_where_they_are_due(read):
    assert "Synthetic data." not in read.said
    assert "This page contains ids and names." not in read.said
    assert "Synthetic data." in audit_page(table_audit(), ABOUT)
    assert "This page contains ids and names." in audit_page(hostile_audit(), ABOUT)


def test_every_text_is_escaped(read):
    text = audit_page(hostile_audit(), hostile_about())
    hostile = Texts(without_scripts(text))
    assert set(hostile.tags) <= set(read.tags)
    assert not [name for name, _ in hostile.attributes if name.startswith("on") or name in ("style", "src")]
    assert escape(HOSTILE[0]) in text
    assert text.count("<script") == text.count("</script>") == 2 + len(figures(hostile_audit())), "one a chart"


STEERING = ("\x07", "\x1b", "\x7f", "\x9b", "\u202e")


@pytest.mark.parametrize("code", STEERING, ids=lambda code: f"{ord(code):#x}")
def test_no_control_code_of_a_name_is_in_a_page(code):
    name = f"a{code}[2Jb"
    told = replace(events_audit(), label=name, causes=(Cause(name, 0.1, name),), options={"columns": [name]})
    text = audit_page(told, ABOUT | {"parameters": {name: name}})
    assert "a?[2Jb" in text
    assert code not in without_scripts(text)
    drawn = embed({"data": {"values": [{name: name}]}, "encoding": {"x": {"field": name}}})
    assert json.loads(drawn)["data"]["values"] == [{"a?[2Jb": "a?[2Jb"}]


def test_nothing_to_fetch_and_a_policy_that_forbids_it():
    text = audit_page(events_audit(), {})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe" not in policy
    assert not re.search(r'(src|href)="(?!#|data:,")', without_scripts(text))
    assert "://" not in without_scripts(text)


def test_the_same_audit_gives_the_same_bytes(monkeypatch):
    monkeypatch.setattr(render, "draw", drawing.draw)
    assert audit_page(events_audit(), ABOUT) == audit_page(events_audit(), ABOUT)


def test_it_writes_itself_whole_or_not_at_all(tmp_path):
    audit = events_audit()
    audit.to_html(tmp_path / "audit.html")
    audit.to_json(str(tmp_path / "audit.json"))
    assert "numpy" in (tmp_path / "audit.html").read_text(encoding="utf-8")
    written = (tmp_path / "audit.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads(json.dumps(audit.to_dict()))
    with pytest.raises(so.OutputError, match="cannot write .*No such file"):
        audit.to_html(tmp_path / "no" / "such" / "folder.html")
    broken = replace(audit, risk_limit=float("nan"))
    with pytest.raises(ValueError, match="Out of range float"):
        broken.to_json(tmp_path / "audit.json")
    assert (tmp_path / "audit.json").read_text(encoding="utf-8") == written
    assert {file.name for file in tmp_path.iterdir()} == {"audit.html", "audit.json"}


def test_an_audit_without_curves_people_or_protections_is_a_page_too():
    bare = replace(
        table_audit(), curves=(), people_at_risk=PeopleAtRisk(0, ()), causes=(), protections=(), tests=(), options={}
    )
    said = Texts(without_scripts(audit_page(bare, {}))).said
    assert "No one stands out." in said
    assert "How the risk changes" not in said


def test_a_reason_that_rounds_to_nothing_is_said_to_be_small():
    audit = events_audit()
    small = replace(audit.people_at_risk.clearest[0], reasons=(Reason("place", 0.0, None),))
    page = audit_page(replace(audit, people_at_risk=PeopleAtRisk(1, (small,))), ABOUT)
    assert "that fewer than 5 people visit: <strong>less than 5%</strong>" in " ".join(page.split())
    assert "about 0%" not in page


def test_options_of_commands_stay_whole_at_the_end_of_a_line():
    assert unbroken("singleout a --k 5 '<b>'") == ('singleout a <span class="option">--k</span> 5 &#39;&lt;b&gt;&#39;')


def test_a_table_shows_small_groups_and_the_command_for_each_protection():
    audit = table_audit()
    page = " ".join(audit_page(audit, ABOUT).split())
    assert "fewer than 11" in page
    assert f"k</abbr> = {audit.worst_off.risk.k}" in page
    for each in page_parts(audit)["protections"]:
        assert f"<code>{unbroken(each.command)}</code>" in page


def test_a_recommended_protection_of_a_table_says_which_records_it_leaves_unique():
    audit = replace(table_audit(), risk_limit=0.1)
    left = replace(audit.tried[0], rate=counted(90, 2_000), loss=0.1, singled_out=3, above_limit=3)
    page = audit_page(replace(audit, protections=(left,)), ABOUT)
    said = "3 records would still be unique; --k 2 would leave none unique."
    read = " ".join(Texts(without_scripts(page)).said.split())
    assert read.count(said) == 3, "in the answer, in the line to sign, and with the recommended protection"


@pytest.mark.parametrize(("audit", "said"), [(events_audit, True), (table_audit, False)])
def test_a_guarantee_is_said_to_decide_where_there_can_be_one(audit, said):
    page = " ".join(Texts(without_scripts(audit_page(audit(), ABOUT))).said.split())
    assert "The risk limit is compared with the upper end of the interval" in page
    assert ("that is lower, the guarantee decides instead." in page) is said


def test_a_protection_that_changes_nothing_is_no_trade_off():
    audit = events_audit()
    first, *others = audit.protections
    idle = tuple(replace(each, loss=0.0, on_frontier=True) for each in (first, *others))
    text = audit_page(replace(audit, protections=idle), ABOUT)
    assert text.count("changes nothing in this data") >= len(others) - 1, "one may be recommended"
    assert text.count(">best trade-off</span>") == 1, "the data as it is"


def test_columns_that_were_not_examined_are_listed_first_under_that_title():
    note = so.Note(2, "columns not examined (line, fare)", "why", "unexamined")
    audit = replace(events_audit(), notes=(note,))
    assert page_parts(audit)["unexamined"][0] == "2 columns not examined (line, fare): why"


def test_bounds_and_figures_of_files_are_explained_where_they_differ_from_the_answer(read):
    said = " ".join(read.said.split())
    assert "The interval is about other people like these, and may end above it." in said
    assert "A file that would be written holds shares of events, not their numbers" in said
