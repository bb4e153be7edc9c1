"""Groups of options: each declared once, the same for the library, flags and files."""

import inspect
from dataclasses import fields

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import singleout as so
from singleout.assessment.audit_options import AuditOptions
from singleout.assessment.linking_options import (
    ColumnSearchOptions,
    CompleteLinkOptions,
    ProbableLinkOptions,
    ProfileOptions,
    PublicListOptions,
)
from singleout.assessment.options import (
    PANELS,
    ProtectOptions,
    ReadOptions,
    SplitOptions,
    split_list,
)
from singleout.assessment.release_options import ReleaseOptions
from singleout.assessment.table_options import TableOptions
from tests.commands import run_script
from tests.small_logs import DAY, START, events

GROUPS = (
    ReadOptions, TableOptions, SplitOptions, ProtectOptions, ReleaseOptions, ProfileOptions, CompleteLinkOptions,
    ProbableLinkOptions, ColumnSearchOptions, PublicListOptions, AuditOptions,
)  # fmt: skip


@pytest.mark.parametrize("group", GROUPS)
def test_every_option_says_what_it_is_in_a_sentence_and_is_on_a_panel(group):
    for each in fields(group):
        assert each.metadata["help"][0].isalpha()
        assert each.metadata["help"].endswith(".")
        assert each.metadata["panel"] in PANELS


def test_reading_an_event_log_takes_every_argument_of_the_library():
    taken = set(inspect.signature(so.read_events).parameters)
    assert {*ReadOptions().reading(), "source", "channel"} == taken


def test_what_is_given_is_what_differs_from_the_defaults_as_plain_data():
    assert ReadOptions().non_defaults() == {}
    assert ReadOptions(user="who", box="46,6,1000", time_unit="s").non_defaults() == {
        "user": "who",
        "box": [46.0, 6.0, 1000.0],
    }


def test_a_log_is_split_in_halves_where_no_rule_was_named():
    log = events([("a", START + 7 * DAY * week, place) for week, place in enumerate(["bar", "gym"])])
    released, known = SplitOptions().split_log(log, seed=0)
    assert (so.histograms(known).places.tolist(), so.histograms(released).places.tolist()) == (["bar"], ["gym"])


def test_a_table_is_read_without_the_columns_dropped():
    table = TableOptions(drop=["b"], survey_weight="w").read_table(pa.table({"a": [1], "b": [2], "w": [3.0]}))
    assert table.columns == ("a",)


def test_the_files_of_protections_are_inputs_too(tmp_path):
    assert ProtectOptions(keep=[5]).protection_files == ()
    file = tmp_path / "areas.csv"
    file.write_text("place,area\n")
    assert ProtectOptions(hierarchy=str(file)).protection_files == (file,)


def test_declaring_options_loads_nothing_heavy():
    heavy = "[name for name in ('numpy', 'duckdb', 'numba') if name in sys.modules]"
    script = f"import sys, singleout.assessment.options; print({heavy})"
    assert run_script(script) == (0, "[]\n", "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age,sex", ["age", "sex"]),
        (" age , sex ,", ["age", "sex"]),
        ('age, "zip, city" ,sex', ["age", "zip, city", "sex"]),
        ('"the ""old"" one",b', ['the "old" one', "b"]),
        ('5" screen,"a"b,"open', ['5" screen', '"a"b', '"open']),
        ("\rred\n,b\nc", ["red", "b\nc"]),
        (",, ,", []),
    ],
)
def test_a_list_is_split_at_commas_outside_quotes(text, words):
    assert split_list(text) == words


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1).map(str.strip).filter(bool)), st.text())
@example([], "\x1b[31m\x07\x9b2J\u202e\rred")
@example(["x" * 200_000], "")
def test_any_text_is_split_and_quoted_words_come_back(words, text):
    split_list(text)
    assert split_list(",".join('"' + each.replace('"', '""') + '"' for each in words)) == words
