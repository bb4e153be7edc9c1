"""``singleout link``: what is written, masked, repeated and refused."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.commands import contents, run
from tests.small_people import people_with_errors


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    for name, rows in {"released": range(60), "known": range(40, 120)}.items():
        columns = {
            "town": [f"secretville{k % 17}" for k in rows],
            "age": [20 + k % 13 for k in rows],
            "who": list(rows),
        }
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    return folder / "released.parquet", folder / "known.parquet"


LINK = ("--on", "town,age")


def test_link_writes_rows_and_counts_and_no_value(records, tmp_path):
    result = run("link", *records, *LINK, "--truth", "who", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert set(contents(tmp_path / "out")) == {"links.parquet", "result.json", "manifest.json"}
    told = (
        result.output
        + (tmp_path / "out" / "result.json").read_text()
        + (tmp_path / "out" / "manifest.json").read_text()
    )
    table = pq.read_table(tmp_path / "out" / "links.parquet")
    assert "secretville" not in told + str(table.to_pydict())
    assert "Correct: " in result.stdout
    assert "released records linked to one of 80 known ones." in result.stdout
    assert not any(name in result.stdout for name in ("Links(", "so."))
    assert "Correctly linked: 33.3%" in result.stdout
    assert table.column_names[:3] == ["released_row", "known_row", "columns"]
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert document["links"] == table.num_rows
    assert document["rate"]["low"] < document["rate"]["value"]
    assert document["random"] == 1 / 80


def test_link_reveals_values_only_if_told_to(records, tmp_path):
    assert run("link", *records, *LINK, "--reveal", "--out", tmp_path / "out").exit_code == 0
    table = pq.read_table(tmp_path / "out" / "links.parquet")
    assert table["value of town"][0].as_py().startswith("secretville")
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["reveal"] is True


def test_link_without_on_takes_every_common_column_but_the_truth(records, tmp_path):
    printed = json.loads(run("link", *records, "--truth", "who", "--json", "--out", tmp_path / "out").stdout)
    assert printed["on"] == ["town", "age"]
    assert printed == json.loads((tmp_path / "out" / "result.json").read_text())
    assert run("link", *records, *LINK, "--quiet", "--out", tmp_path / "out").output == ""
    without = json.loads(run("link", *records, *LINK, "--json", "--out", tmp_path / "out").stdout)
    assert (without["rate"], without["overall"]) == (None, None)


def test_columns_that_nobody_named_must_not_identify_people(records, tmp_path):
    result = run("link", *records, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "error: a column that looks like an identifier: 'who'" in result.stderr
    assert "with --on" in result.stderr
    assert "or --allow who to count it" in result.stderr
    assert run("link", *records, "--allow", "who", "--out", tmp_path / "out").exit_code == 0
    assert run("link", *records, "--on", "town,who", "--out", tmp_path / "out").exit_code == 0


def test_the_known_file_may_have_other_names(records, tmp_path):
    released, known = records
    pq.write_table(pq.read_table(known).rename_columns(["Ort", "Alter", "Nummer"]), tmp_path / "known.parquet")
    files = (released, tmp_path / "known.parquet")
    names = ("--known-on", "Ort,Alter", "--known-truth", "Nummer")
    same = json.loads(run("link", *records, *LINK, "--truth", "who", "--json", "--out", tmp_path / "out").stdout)
    result = run("link", *files, *LINK, "--truth", "who", *names, "--json", "--out", tmp_path / "out")
    assert json.loads(result.stdout) == same
    parameters = json.loads((tmp_path / "out" / "manifest.json").read_text())["parameters"]
    assert (parameters["known_on"], parameters["known_truth"]) == (["Ort", "Alter"], "Nummer")
    for wrong, message in (
        (("--known-on", "Ort"), "--known-on must name as many columns as --on"),
        (("--known-on", "Ort,Altr"), "--known-on Altr is not a column of known.parquet"),
        (("--known-truth", "Nr"), "--known-truth requires --truth"),
        (("--truth", "who", "--known-truth", "Nr"), "--known-truth Nr is not a column of known.parquet"),
    ):
        result = run("link", *files, *LINK, *wrong, "--out", tmp_path / "other")
        assert result.exit_code == 2
        assert message in result.stderr


def test_link_gives_the_same_bytes_again(records, tmp_path):
    for name in "ab":
        assert run("link", *records, *LINK, "--out", tmp_path / name).exit_code == 0
    first, second = contents(tmp_path / "a"), contents(tmp_path / "b")
    assert [first[name] == second[name] for name in ("links.parquet", "result.json")] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--on", "town,agee"), "error: --on agee is not a column of released.parquet. Its columns: town, age, who."),
        (("--on", "town", "--missing", "some"), "--missing must be one of value, never, any"),
        (("--on", "town", "--max-columns", "0"), "--max-columns must be a whole number of at least 1"),
        (("--on", "town", "--truth", "whom"), "error: --truth whom is not a column of released.parquet."),
        (("--on", "town", "--truth", "town"), "--truth must be a column that was not used for linking"),
        (("--on", "town", "--encoding", "utf-32"), "encoding must be one of utf-8, latin-1"),
        (("--agreement", "sure"), "--agreement must be one of complete, probable"),
        (("--agreement", "probable", "--max-known", "3"), "--max-known requires --agreement complete."),
        (("--block", "town", "--precision", "0.9"), "--block and --precision require --agreement probable."),
        (("--agreement", "probable", "--block", "town,+"), "--block must be columns joined by +"),
        (("--agreement", "probable", "--precision", "2"), "--precision must be above 0 and below 1"),
        (("--agreement", "probable", "--block", "twon"), "--block twon is not a column"),
        (("--max-disagreements", "-1"), "--max-disagreements must be a whole number of at least 0"),
        (("--min-power", "7"), "--min-power must be from 0 to 1"),
    ],
)
def test_link_refuses_what_cannot_be_and_writes_nothing(records, tmp_path, arguments, message):
    named = () if "--on" in arguments else LINK
    result = run("link", *records, *arguments, *named, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) <= 2
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


def test_link_of_sides_without_a_common_column_or_record(records, tmp_path):
    pq.write_table(pa.table({"city": ["x"]}), tmp_path / "other.parquet")
    result = run("link", records[0], tmp_path / "other.parquet", "--out", tmp_path / "out")
    assert "the two tables have no column name in common" in result.stderr
    (tmp_path / "empty.csv").write_text("town,age\n")
    result = run("link", records[0], tmp_path / "empty.csv", *LINK, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "contains no records" in result.stderr


def test_an_output_folder_with_other_files_is_refused_before_any_work(records, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    assert "holds other files" in run("link", *records, *LINK, "--out", tmp_path / "out").stderr
    assert set(contents(tmp_path / "out")) == {"notes.txt"}


def test_complete_agreement_is_named_with_the_other_way(records, tmp_path):
    told = run("link", *records, *LINK, "--out", tmp_path / "out").stdout
    assert "complete agreement only" in told
    assert "--agreement probable" in told
    near = run("link", *records, *LINK, "--max-disagreements", "1", "--out", tmp_path / "out")
    assert near.exit_code == 0, near.output
    assert "may disagree" in near.stdout
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (document["agreement"], document["max_disagreements"]) == ("nearly complete", 1)


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    for name, side in zip(("released", "known"), people_with_errors(400, seed=6), strict=True):
        pq.write_table(side, folder / f"{name}.parquet")
    return folder / "released.parquet", folder / "known.parquet"


def test_probable_links_are_written_measured_and_hide_values(people, tmp_path):
    asked = ("--agreement", "probable", "--truth", "person", "--block", "last+born:4,born,town+first:1")
    result = run("link", *people, *asked, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "Estimated without truth:" in result.stdout
    assert "links made at random 0.12%" in result.stdout
    assert not any(name in result.stdout for name in ("Links(", "so."))
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80
    table = pq.read_table(tmp_path / "out" / "links.parquet")
    assert table.column_names == ["released_row", "known_row", "probability", "weight"]
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert document["links"] == table.num_rows
    assert document["measured"]["recall"]["value"] > 0.8
    assert document["block"] == ["last + born:4", "born", "town + first:1"]
    again = run("link", *people, *asked, "--out", tmp_path / "again")
    assert again.exit_code == 0
    first, second = contents(tmp_path / "out"), contents(tmp_path / "again")
    assert [first[name] == second[name] for name in ("links.parquet", "result.json")] == [True, True]
    shown = run("link", *people, *asked, "--reveal", "--json", "--out", tmp_path / "out")
    assert json.loads(shown.stdout)["links"] == table.num_rows
    assert "known value of last" in pq.read_table(tmp_path / "out" / "links.parquet").column_names


def test_a_file_given_twice_is_searched_for_records_of_the_same_person(people, tmp_path):
    result = run(
        "link", people[1], people[1], "--agreement", "probable", "--truth", "person", "--out", tmp_path / "out"
    )
    assert result.exit_code == 0, result.output
    assert "pairs of the same person among 400 records" in result.stdout
