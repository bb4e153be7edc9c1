"""Links and profiles as text, as plain data and as a folder: counts and shares, and no value of the data."""

import json

import pyarrow.parquet as pq
import pytest

import singleout as so
from singleout.assessment.linking import LINK_FILES, PROFILE_FILES, LinkReport, Method, ProfileReport, accuracy_json
from singleout.matching.candidates import WITHOUT_CANDIDATES
from tests.result_folders import ABOUT, names
from tests.small_profiles import matched
from tests.small_records import linked

TRUTH = {"a": "p", "b": "r"}


@pytest.fixture(scope="module")
def links():
    found = linked()
    right = so.accuracy(found, "person")
    return LinkReport(found, right.precision, right.rate)


@pytest.fixture(scope="module")
def profiles():
    by_name, by_last = matched({"first": "exact"}, {}), matched({"first": "exact"}, {"last": ("exact", 1.0)})
    methods = (
        Method("names", by_name, so.accuracy(by_name, TRUTH)),
        Method("both names", by_last, so.accuracy(by_last, TRUTH), so.accuracy(so.assign(by_last.scores), TRUTH)),
    )
    return ProfileReport(methods, "two sites", synthetic=True)


def test_links_say_how_many_are_right_of_those_made_and_of_all_records(links):
    lines = str(links).splitlines()
    assert lines[-2].startswith("Correct: 66.7%")
    assert lines[-2].endswith("of the links; links made at random 16.7%.")
    assert lines[-1].startswith("Correctly linked: 40.0% [")
    assert lines[-1].endswith("of the released records.")


def test_without_the_truth_links_are_not_judged(links):
    unknown = LinkReport(links.links)
    assert "Correct" not in str(unknown)
    plain = unknown.to_dict()
    assert (plain["rate"], plain["overall"]) == (None, None)
    assert plain["random"] == pytest.approx(1 / 6)


@pytest.mark.parametrize("reveal", [False, True])
def test_the_folder_of_links_holds_values_only_if_revealed(links, tmp_path, reveal):
    links.write(tmp_path / "out", ABOUT, reveal=reveal)
    assert set(names(tmp_path / "out")) == {*LINK_FILES, "manifest.json"}
    table = pq.read_table(tmp_path / "out" / "links.parquet")
    assert ("ulm" in str(table.to_pydict())) == reveal
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == json.loads(json.dumps(links.to_dict()))
    assert "ulm" not in json.dumps(links.to_dict()) + str(links)


def test_people_are_counted_by_their_candidates(profiles):
    name, none, one, several, *rest = profiles.methods[0].cells()
    assert (name, none, one, several) == ("names", 1, 1, 1)
    assert rest[0].startswith("0.333 [")
    alone = Method("own", matched({"first": "exact", "last": "exact"}, {}))
    assert alone.cells() == ("own", 2, 1, 0), "no average over nobody"


def test_the_sentence_names_the_way_that_narrows_most_people_down(profiles):
    assert [method.single for method in profiles.methods] == [1, 2]
    assert profiles.sentence() == "both names narrows 2 of 3 people released down to a single best candidate."


def test_the_report_of_profiles_lists_rates_baseline_and_each_note_once(profiles):
    text = str(profiles)
    lines = text.splitlines()
    assert lines[:2] == ["Data: two sites", "3 released against 4 known profiles"]
    assert "Re-identified, of 2 people on both sides:" in lines
    assert "joint" not in next(line for line in lines if line.lstrip().startswith("one by one"))
    assert lines[-1] == "Guessing at random would re-identify 25.0%. Selectivity is not accuracy."
    assert len(lines) == len(set(lines))
    (unmatched,) = (note for note in profiles.methods[0].profiles.notes if note.code == WITHOUT_CANDIDATES)
    assert unmatched.why not in " ".join(text.split()), "they are in the table"
    assert not any(name in text for name in ("Ann", "Leeson", "Hartmann"))


def test_plain_data_of_profiles_has_the_three_groups_of_every_method(profiles):
    plain = json.loads(json.dumps(profiles.to_dict(), allow_nan=False))
    assert plain["data"] == {"label": "two sites", "synthetic": True, "released": 3, "known": 4}
    assert [len(method["groups"]) for method in plain["methods"]] == [3, 3]
    assert plain["methods"][0]["joint"] is None
    assert plain["methods"][1]["joint"]["rate"]["value"] == 1.0


@pytest.mark.parametrize("reveal", [False, True])
def test_the_folder_of_profiles_has_a_row_for_each_person_and_method(profiles, tmp_path, reveal):
    profiles.write(tmp_path / "out", ABOUT, reveal=reveal)
    assert set(names(tmp_path / "out")) == {*PROFILE_FILES, "manifest.json"}
    table = pq.read_table(tmp_path / "out" / "profiles.parquet")
    assert table["method"].to_pylist() == ["names"] * 3 + ["both names"] * 3
    assert ("released_id" in table.column_names) == reveal


def test_what_was_not_measured_is_nothing():
    assert accuracy_json(None) is None
