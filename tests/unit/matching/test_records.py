"""Linked records: reasons, counts, rates, what is shown, and what is refused."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import singleout as so
from tests.small_records import KNOWN, ON, RELEASED, linked


def test_a_record_is_linked_where_one_known_record_agrees_on_all_columns():
    links = linked()
    assert links.released.tolist() == [0, 2, 3]
    assert links.known.tolist() == [0, 2, 2]
    assert links.shared.tolist() == [False, True, True], "two released records on one known record are flagged"
    assert links.identical.tolist() == [1, 2, 2]
    assert links.columns == (("town",), ("town",), ("town",))
    assert links.released_count.tolist() == [2, 2, 2]
    assert links.known_count.tolist() == [2, 1, 1]


def test_tighter_limits_need_more_columns_or_leave_records_out():
    alone = linked(max_released=1)
    assert alone.released.tolist() == [0]
    assert alone.columns == (("town", "sex"),)
    assert (alone.released_count.tolist(), alone.known_count.tolist()) == ([1], [1])
    assert len(linked(max_released=1, max_columns=1)) == 0


def test_power_is_the_share_of_the_most_distinct_released_values():
    assert linked().power == {"town": 1.0, "born": 1.0, "sex": 2 / 3}
    constant = {**RELEASED, "sex": [None] * 5}
    assert linked(constant, missing="any").power["sex"] == 0.0


def test_uniques_show_both_counts():
    unique = linked().uniques
    assert (unique.released, unique.known) == (3, 3)  # ulm f 1, ulm m 0, jena 2
    assert (unique.few, unique.few_known) == (2, 3)
    fewer = linked(max_known=2).uniques
    assert (fewer.few, fewer.few_known) == (1, 1), "fewer than two known records (R12: fewer than 5)"
    assert linked(max_known=1).uniques.few == 0


@pytest.mark.parametrize(("missing", "rows"), [("value", [0]), ("never", []), ("any", [0, 1])])
def test_missing_values_follow_the_stated_rule(missing, rows):
    released = {"a": ["x", "y"], "b": [None, "z"]}
    known = {"a": ["x", "y", "q"], "b": [None, None, "z"]}
    links = linked(released, known, on=["a", "b"], missing=missing)
    assert links.released.tolist() == rows
    assert any(note.what == "records with missing values (known)" and note.count == 2 for note in links.notes)


EMPTY = dict.fromkeys([*ON, "person"], None)


def with_records(table, *records):
    return {name: [*values, *(record[name] for record in records)] for name, values in table.items()}


@pytest.mark.parametrize("number", [1, 12])
def test_empty_records_hide_nobody_where_missing_values_agree_with_anything(number):
    full = linked(missing="any")
    known = linked(known=with_records(KNOWN, *[EMPTY] * number), missing="any")
    released = linked(with_records(RELEASED, *[EMPTY] * number), missing="any")
    for links in (known, released):
        assert links.released.tolist() == full.released.tolist() == [0, 2, 3]
        assert (links.known.tolist(), links.columns) == (full.known.tolist(), full.columns)
        assert links.released_count.tolist() == full.released_count.tolist()
        assert links.known_count.tolist() == full.known_count.tolist()
        assert links.uniques == full.uniques


def test_a_record_that_agrees_on_fewer_values_stands_back_where_missing_values_agree_with_anything():
    women = {**EMPTY, "sex": "f"}
    assert linked(known=with_records(KNOWN, women), missing="any").known.tolist() == [0, 2, 2]
    # neither of these two agrees on all that the other does: ulm f 1950 may be either
    either = [{**EMPTY, "town": "ulm", "sex": "f"}, {**EMPTY, "town": "ulm", "born": 1950}]
    known = {name: [values[2], *(record[name] for record in either)] for name, values in KNOWN.items()}
    assert linked(known=known, missing="any").released.tolist() == [1, 2, 3]
    nobody = {name: pa.array([None], pa.int64() if name == "born" else pa.string()) for name in ON}
    one = {name: KNOWN[name][:1] for name in ON}
    assert len(linked(nobody, one, missing="any")) == len(linked(one, nobody, missing="any")) == 0


def test_left_out_on_is_every_column_of_the_same_name():
    assert linked(on=None).on == ("town", "sex", "born", "person")


# ---- what must not matter --------------------------------------------------------------------------------------


def test_row_order_and_format_do_not_matter(tmp_path):
    rng = np.random.default_rng(0)
    columns = {name: rng.integers(0, 5, 400).astype(str) for name in "abcd"}
    released, known = pd.DataFrame(columns).iloc[:250], pd.DataFrame(columns).iloc[150:]
    expected = so.link_records(released, known, on=list("abcd"), max_columns=3)
    released.to_csv(tmp_path / "released.csv", index=False)
    pl.from_pandas(known).write_parquet(tmp_path / "known.parquet")
    files = so.link_records(tmp_path / "released.csv", tmp_path / "known.parquet", on=list("abcd"), max_columns=3)
    assert files.to_arrow().equals(expected.to_arrow())
    order = rng.permutation(250)
    shuffled = so.link_records(released.iloc[order], known, on=list("abcd"), max_columns=3)
    rows = {
        (order[row], other): used
        for row, other, used in zip(shuffled.released, shuffled.known, shuffled.columns, strict=True)
    }
    assert rows == dict(zip(zip(expected.released, expected.known, strict=True), expected.columns, strict=True))


def test_more_columns_than_a_machine_word_has_bits_may_be_missing():
    wide = {f"c{k}": [None if k == 70 else "x", "y"] for k in range(80)}
    known = {**wide, "c70": ["z", "y"]}
    assert linked(wide, known, on=None, max_columns=1, missing="any").released.tolist() == [0, 1]


# ---- what is told ----------------------------------------------------------------------------------------------


def test_values_are_told_only_if_asked_for():
    links = linked()
    hidden = repr(links) + str(links.to_arrow().to_pydict()) + json.dumps(links.to_dict(), allow_nan=False)
    assert "ulm" not in hidden
    assert "1950" not in hidden
    shown = links.to_arrow(reveal=True).to_pydict()
    assert shown["value of town"] == ["ulm", "bonn", "bonn"]
    assert shown["columns"] == [["town"]] * 3
    assert links.by_columns() == [(("town",), 3)]


# ---- what is refused, and what is noted ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on": ["town", "sx"]}, r"on='sx' is not a column of released. Its columns: .*Did you mean 'sex'"),
        ({"on": []}, "at least one column"),
        ({"on": "town"}, "a list of column names"),
        ({"on": ["town", "town"]}, "'town' occurs twice"),
        ({"max_columns": 0}, "max_columns must be a whole number of at least 1"),
        ({"max_released": 1.5}, "max_released must be a whole number"),
        ({"max_known": -1}, "max_known must be a whole number"),
        ({"missing": "nevr"}, "Did you mean 'never'"),
        ({"max_disagreements": -1}, "max_disagreements must be a whole number of at least 0"),
        ({"max_disagreements": 1, "missing": "never"}, "missing must be value or any if columns may disagree"),
        ({"min_power": 2}, "min_power must be from 0 to 1"),
        ({"known": {"city": ["x"], "sex": ["f"], "born": [1]}}, r"on='town' is not a column"),
        (
            {"known": {"town_": ["x"]}, "on": None},
            r"no column name in common \(released: 4 columns, known: 1\)\. Rename the columns that mean the same\.",
        ),
        ({"known": {name: pa.array([], pa.string()) for name in ON}}, "known: link_records: .*contains no records"),
        ({"known": {**KNOWN, "town": pd.to_datetime(["2020-01-01"] * 6)}}, None),
        (
            {"known": {**KNOWN, "born": pd.to_datetime(["2020-01-01"] * 6)}},
            "'born' is BIGINT on the released side and TIMESTAMP",
        ),
    ],
)
def test_wrong_input_is_refused_in_words(options, message):
    if message is None:
        assert len(linked(**options)) == 0, "dates and text can be compared, they only never agree here"
        return
    with pytest.raises(so.InputError, match=message):
        linked(**options)


def test_a_file_without_a_header_line_shows_none_of_its_first_record(tmp_path):
    (tmp_path / "bare.csv").write_text("12 Mill Lane,Eve\n13 Mill Lane,Ann\n")
    with pytest.raises(so.InputError, match=r"Does bare.csv have a header line\?") as caught:
        so.link_records(tmp_path / "bare.csv", pa.table(KNOWN))
    assert "Lane" not in str(caught.value)


def test_many_columns_combine_the_strongest_and_check_all():
    """25 columns and 7 in a combination would make 726,205 sets."""
    rng = np.random.default_rng(0)
    wide = {f"c{k}": rng.integers(0, 30 - k, 60).astype(str) for k in range(25)}
    known = {**wide, "c24": ["other", *wide["c24"][1:]]}
    links = so.link_records(pa.table(wide), pa.table(known), max_columns=7)
    assert links.released.tolist() == list(range(1, 60)), "the weakest column is checked, too"
    note = next(note for note in links.notes if "not combined" in note.what)
    assert "all would make more than 100,000 combinations" in note.why
    weakest = sorted(links.power, key=lambda name: links.power[name])[: note.count]
    assert not {name for used in links.columns for name in used} & set(weakest)
    near = so.link_records(pa.table(wide), pa.table(known), max_columns=7, max_disagreements=1)
    assert near.released.tolist() == list(range(60))
    assert any("more than 5,000 combinations" in note.why for note in near.notes)


def test_columns_of_little_power_are_checked_but_not_combined():
    links = linked(min_power=1.0)
    assert links.columns == (("town",), ("town",), ("town",))
    told = " ".join(repr(links).split())
    assert "column checked but not combined (sex): their power is below 1" in told
    assert linked(min_power=0.0).notes == linked().notes


def test_what_is_required_of_a_link_is_said_with_what_else_there_is():
    assert "complete agreement only" in repr(linked())
    assert "so.probable_links" in repr(linked())
    near = " ".join(repr(linked(max_disagreements=1)).split())
    assert "at most 1 column outside the rare combination may disagree" in near
    assert linked().to_dict()["agreement"] == "complete"


def test_links_are_counted_in_sentences_that_say_of_what():
    said = " ".join(linked().in_words().split())
    assert "complete agreement only, on town, sex and born: one error" in said
    assert "2 links lead to a known record that another link leads to as well" in said
    assert "3 released records are unique on these columns; 3 known records agree with one of them" in said
    assert "2 unique records agree with one or a few known records (3 known records in all)" in said
    assert said.endswith("rare combinations of values through which records were linked: 3 links through town")
    one = " ".join(linked(max_known=2, max_released=1).in_words().split())
    assert "1 unique record agrees with one or a few known records (1 known record in all)" in one
    assert "1 link through town and sex" in one
    assert "through" not in linked(max_released=1, max_columns=1).in_words()


def test_numbers_on_one_side_and_text_on_the_other_are_compared_as_text_and_noted():
    links = linked(known={**KNOWN, "born": [str(year) for year in KNOWN["born"]]})
    assert links.released.tolist() == [0, 2, 3]
    told = " ".join(repr(links).split())
    assert "column compared as text (born): the types are BIGINT and VARCHAR; 007 is not 7" in told
    assert max(map(len, repr(links).splitlines())) <= 80


def test_dates_of_a_frame_meet_those_of_its_own_text_file_and_the_types_are_noted(tmp_path):
    frame = pd.DataFrame({"born": pd.to_datetime(["1990-01-02", "1991-03-04", None]), "town": list("abc")})
    frame.to_csv(tmp_path / "people.csv", index=False)
    links = so.link_records(frame, tmp_path / "people.csv")
    assert links.released.tolist() == [0, 1, 2]
    assert any(note.what == "columns compared as text (born)" and "TIMESTAMP" in note.why for note in links.notes)
    frame["born"] += pd.Timedelta(hours=7)
    frame.to_csv(tmp_path / "people.csv", index=False)
    assert so.link_records(frame, tmp_path / "people.csv").released.tolist() == [0, 1, 2]


def test_a_source_linked_with_itself_is_noted(tmp_path):
    pd.DataFrame(RELEASED).to_csv(tmp_path / "a.csv", index=False)
    frame, arrow = pd.DataFrame(RELEASED), pa.table(RELEASED)
    for side in (tmp_path / "a.csv", so.read_table(arrow), arrow, frame, pl.from_pandas(frame)):
        assert "records compared with themselves as well" in repr(so.link_records(side, side, on=ON))
    assert "themselves" in repr(so.link_records(frame, frame.copy(), on=ON)), "the same records, read twice"
    assert "themselves" not in repr(so.link_records(frame, frame[:4], on=ON))
    assert "themselves" not in repr(linked())


def test_whole_numbers_and_floats_are_compared_as_numbers():
    links = linked(known={**KNOWN, "born": [float(year) for year in KNOWN["born"]]})
    assert links.released.tolist() == [0, 2, 3]
    assert "compared as text" not in repr(links)


def test_odd_columns_are_noted_identifiers_constants_free_text_and_noise():
    released = {**RELEASED, "nothing": ["x"] * 5, "score": [0.1 + 0.2, 0.3, 1.5, 2.5, 3.5]}
    known = {**KNOWN, "nothing": ["y"] * 6, "score": [0.3, 1, 2, 3, 4, 5.5]}
    told = repr(linked(released, known, on=["town", "person", "nothing", "score"]))
    assert "columns in which every value is distinct (person" in told
    assert "column with a single value (nothing)" in told
    assert "column without a common value (nothing)" in told
    assert "compared exactly" in told
