"""Results on a terminal of 80 columns: bars, intervals, and no share that looks like zero."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

import singleout as so
from singleout.ground.notes import cut_middle
from singleout.report.terminal import BY, show, show_audit
from tests.audits import events_audit, hostile_audit, table_audit
from tests.small_logs import noisy_sides


@pytest.fixture(scope="module")
def ladder():
    return replace(so.ladder(*noisy_sides(), similarities=["js", "l1"]), label="[bold]calls.csv[/bold]")


def printed(display, result, encoding="utf-8", width=80):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="strict")
    display(result, Console(file=file, width=width, color_system=None))
    file.flush()
    return raw.getvalue().decode(encoding)


def test_a_ladder_names_the_data_its_sizes_every_attack_and_the_answer(ladder):
    lines = printed(show, ladder, width=100).splitlines()
    assert lines[0] == "Data: [bold]calls.csv[/bold]", "markup of a name is text"
    assert lines[1] == "40 people released, 40 people known, 12 places released"
    attacks = [line.split("  ")[0] for line in lines if line.startswith(("chance", "one-by-one", "joint"))]
    assert attacks == ["chance"] + ["one-by-one matching"] * 2 + ["joint matching"] * 2
    assert " ".join(" ".join(lines).split()).endswith(" ".join(ladder.sentence().split()))


def test_a_ladder_fits_80_columns_with_bars_that_tell_shares_apart(ladder):
    lines = printed(show, ladder).splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)
    bars = [line.count("█") for line in lines if "%" in line and "–" in line]
    rates = [ladder.random.value, *(rung.rate.value for rung in ladder.rows)]
    widest = max(bars) / max(rates)
    assert bars == [pytest.approx(rate * widest, abs=1) for rate in rates]


def test_a_terminal_without_unicode_gets_plain_bars_and_dashes(ladder):
    plain = printed(show, ladder, "ascii", width=100)
    assert "#" in plain
    assert " - " in plain
    shown = printed(show, ladder, width=100)
    assert "█" in shown
    assert " – " in shown
    assert shown.replace("█", "#").replace("–", "-") == plain


def test_bars_are_as_long_as_shares(ladder):
    lines = printed(show, ladder, width=100).splitlines()
    rates = [ladder.random.value, *(rung.rate.value for rung in ladder.rows)]
    assert [line.count("█") for line in lines if "%" in line and "–" in line] == [round(24 * rate) for rate in rates]


def test_a_tiny_share_does_not_look_like_nothing(ladder):
    tiny = so.Estimate(0.00002, 0.000001, 0.0004, 0.95, 50_000)
    first = ladder.rows[0]
    shown = printed(show, replace(ladder, rows=(replace(first, accuracy=replace(first.accuracy, rate=tiny)),)))
    assert "0.002%  0.0001% – 0.04%" in shown


def test_without_the_truth_there_is_no_table(ladder):
    shown = printed(show, replace(ladder, rows=tuple(replace(rung, accuracy=None) for rung in ladder.rows)))
    assert "re-identified  " not in shown
    assert "joint matching  " not in shown


def test_an_audit_prints_answer_limit_and_advice():
    for audit in (events_audit(), table_audit()):
        shown = printed(show_audit, audit)
        words = " ".join(shown.split())
        for sentence in (audit.sentence(), audit.verdict(), audit.advice()):
            assert " ".join(sentence.split()) in words
        numbers = "–" if audit.kind == "events" else "exact"
        assert [line for line in shown.splitlines() if "%" in line and numbers in line and "  " in line]
        plain = [line for line in shown.splitlines() if not line.startswith("  singleout ")]
        assert max(map(len, plain)) <= 80, "only a command is not broken, so that it can be copied"
        if audit.recommended is not None:
            run = "To apply this protection, save the data as FILE and run in this folder:"
            assert f"{run}\n  {audit.recommended.command}\n" in shown
    assert shown.startswith("Data: survey.csv (synthetic)")


def test_names_too_long_for_their_column_are_cut_in_the_middle():
    audit = events_audit()
    long = replace(audit, attacks=tuple(replace(each, by="a" * 40 + "z") for each in audit.attacks))
    table = [line for line in printed(show_audit, long).splitlines() if "…" in line]
    assert len(table) == len(audit.attacks)
    assert all(cut_middle("a" * 40 + "z", BY) in line and len(line) <= 80 for line in table)


def test_hostile_names_are_no_markup():
    shown = printed(show_audit, replace(hostile_audit(), label="[red]x[/red]"))
    assert "Data: [red]x[/red]" in shown
