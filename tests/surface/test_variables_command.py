"""singleout variables: answers from a file, wrong input in words, values of few people told only where revealed."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from tests.commands import contents, run

SECRET = "Quantock dialect"


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(0)
    n = 400
    table = pa.table(
        {
            "id": [f"eve-{k}" for k in range(n)],
            "town": rng.integers(0, 6, n),
            "home": rng.integers(0, 3, n),
            "language": [SECRET, *rng.choice(["english", "welsh", "manx"], n - 1).tolist()],
            "age": rng.integers(0, 90, n),
            "weight": rng.integers(1, 50, n),
        }
    )
    pq.write_table(table, tmp_path / "people.parquet")
    pa.csv.write_csv(table, tmp_path / "people.csv")
    return tmp_path / "people.parquet"


KNOWN = ("--known-columns", "town,home", "--drop", "id,weight")


def told(result, folder):
    tables = [pq.read_table(file).to_pylist() for file in sorted(folder.glob("*.parquet"))]
    texts = [file.read_text() for file in sorted(folder.glob("*.json"))]
    return f"{result.output}{tables}{texts}"


def test_rows_that_may_be_events_are_named(people, tmp_path):
    table = pq.read_table(people)
    seen = [f"2025-03-0{1 + k % 9} {k % 24:02}:0{k % 10}" for k in range(table.num_rows)]
    pq.write_table(table.drop_columns("id").append_column("seen", pa.array(seen)), people)
    result = run("variables", people, "--known-columns", "town,home", "--drop", "weight", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "warning: Rows may be events rather than people: column 'seen' holds times of day." in result.stderr


def test_the_answer_is_printed_and_five_files_are_written(people, tmp_path):
    result = run("variables", people, *KNOWN, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    for word in (
        "Known: town, home",
        "18 classes: 0 of fewer than 10 records",
        "age",
        "at random",
        "are unique on all 4",
    ):
        assert word in result.stdout
    # the last line names the folder, however long that is
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80
    assert set(contents(tmp_path / "out")) == {
        *("combinations.parquet", "columns.parquet", "levels.parquet", "result.json", "manifest.json")
    }
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert document["schema"] == "singleout/variables/1"
    (known,) = document["known"]
    assert known["columns"] == ["town", "home"]
    assert known["combinations"][0]["columns"] == ["age"]
    assert known["by_column"][0]["column"] == "age"
    assert known["combinations"][0]["share"]["low"] <= known["combinations"][0]["share"]["value"]


def test_values_of_few_people_are_told_only_with_reveal(people, tmp_path):
    for reveal in (False, True):
        flag = ["--reveal"] if reveal else []
        result = run("variables", people, *KNOWN, "--out", tmp_path / "out", *flag)
        words = told(result, tmp_path / "out")
        assert (SECRET in words) == reveal
        assert "eve-" not in words
        assert ("It contains values that few people have" in result.stdout) == reveal
        assert json.loads((tmp_path / "out" / "manifest.json").read_text())["reveal"] is reveal
    assert run("variables", people, *KNOWN, "--out", tmp_path / "out", "--quiet").output == ""


def test_same_bytes_again_and_from_a_text_file_the_same_counts(people, tmp_path):
    asked = (*KNOWN, "--strategy", "naive", "--add", 2, "--seed", 3)
    documents = []
    for source in (people, people, people.with_suffix(".csv")):
        run("variables", source, *asked, "--out", tmp_path / "out")
        files = contents(tmp_path / "out")
        files.pop("manifest.json")
        documents.append(files)
    assert documents[0] == documents[1]
    known = [json.loads(files["result.json"])["known"] for files in documents]
    assert known[0] == known[2]


def test_several_sets_weights_and_json(people, tmp_path):
    sets = ("--known-columns", "town", "--known-columns", "", "--drop", "id", "--survey-weight", "weight")
    asked = (*sets, "--strategy", "all", "--budget", 60, "--max-class-size", 2)
    result = run("variables", people, *asked, "--out", tmp_path / "out", "--json")
    printed = json.loads(result.stdout)
    assert printed == json.loads((tmp_path / "out" / "result.json").read_text())
    assert [known["columns"] for known in printed["known"]] == [["town"], []]
    assert printed["known"][1]["classes"] is None
    assert "expected" not in printed["known"][0]["combinations"][0]
    levels = pq.read_table(tmp_path / "out" / "levels.parquet")
    assert set(levels["known"].to_pylist()) == {"town", ""}
    plain = run("variables", people, *asked, "--out", tmp_path / "out")
    assert "Known: nothing" in plain.stdout
    assert "expected right" not in plain.stdout
    assert "risk in the population" in " ".join(plain.stdout.split())
    among = printed["known"][0]["population"]
    assert [each["columns"][0] for each in among] == ["town"] * len(among)
    assert all(0 <= each["rate"]["low"] <= each["rate"]["high"] <= 1 for each in among)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--known-columns", "twon"], "--known-columns twon is not a column of people.parquet.*Did you mean 'town'"),
        (["--known-columns", "town", "--known-columns", "town"], "names the same set twice"),
        (["--known-columns", "town", "--strategy", "best"], "strategy must be one of"),
        (["--known-columns", "town", "--add", "0"], "add must be a whole number above zero"),
        (
            ["--known-columns", "town", "--survey-weight", "language"],
            "row 1: the survey weight in column 'language' is not a number of 0 or more",
        ),
        (
            ["--known-columns", "town", "--columns", "town"],
            "--known-columns names the only column; leave at least one out, so that there is a column to add",
        ),
    ],
)
def test_wrong_input_is_told_in_a_line_or_two_and_nothing_is_written(people, tmp_path, options, message):
    import re

    result = run("variables", people, *options, "--allow", "id", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert re.search(message, result.stderr)
    assert len(result.stderr.splitlines()) <= 2
    assert SECRET not in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


def test_direct_identifiers_are_refused(people, tmp_path):
    result = run("variables", people, "--known-columns", "town", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "'id' (a different value in every row)" in result.stderr
    assert "--drop id" in result.stderr
    assert not (tmp_path / "out").exists()


def test_known_columns_must_be_named(people, tmp_path):
    result = run("variables", people, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "--known-columns" in result.stderr


def test_long_names_stay_apart(tmp_path):
    rng = np.random.default_rng(1)
    long = "answer to question number "
    columns = {f"{long}{k} of the first survey, part {k}": rng.integers(0, 9 + k, 80) for k in range(9)}
    pq.write_table(pa.table({"town": rng.integers(0, 5, 80), **columns, "w": [3] * 80}), tmp_path / "t.parquet")
    asked = ("--known-columns", "town", "--survey-weight", "w", "--strategy", "all", "--ranks", 2)
    told = run("variables", tmp_path / "t.parquet", *asked, "--out", tmp_path / "out").stdout
    assert all("…" in line for line in told.splitlines() if line.startswith("answer"))
    assert len({line.split("  ")[0] for line in told.splitlines() if line.startswith("answer")}) >= 9


def test_where_nobody_is_vulnerable_it_says_so(tmp_path):
    pq.write_table(pa.table({"a": [1] * 9, "b": [2] * 9}), tmp_path / "same.parquet")
    result = run("variables", tmp_path / "same.parquet", "--known-columns", "a", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "nobody is singled out" in result.stdout


def test_names_and_values_cannot_steer_the_terminal(tmp_path):
    nasty = ["[/bold]", "\x1b[31mred\x1b[0m"]
    table = pa.table({"[/b] a": [0, 1] * 30, "b\x1b[2J": [nasty[k % 2] for k in range(60)], "c": list(range(60))})
    pq.write_table(table, tmp_path / "t.parquet")
    result = run("variables", tmp_path / "t.parquet", "--known-columns", "c", "--allow", "c", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout
    assert "[/b] a" in result.stdout


AGAINST = ("--known-columns", "town", "--drop", "id,weight")


def test_columns_are_ranked_against_a_public_list(people, tmp_path):
    public = tmp_path / "people.csv"
    result = run("variables", people, *AGAINST, "--against", public, "--coverage", "0.8", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "led to at most 5 entries of the list" in result.stdout
    assert "coverage 80.0%, error rate 0%, missing rate 0%" in result.stdout
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80
    files = {"combinations.parquet", "curve.parquet", "result.json", "manifest.json"}
    assert set(contents(tmp_path / "out")) == files
    assert SECRET not in told(result, tmp_path / "out")
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert document["known"][0]["combinations"][0]["columns"] == ["age"]
    alone = run("variables", people, *KNOWN, "--out", tmp_path / "out")
    assert alone.exit_code == 0, "a result of the same command may replace it"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--coverage", "0.5"), "--coverage requires --against."),
        (
            ("--against", "{list}", "--ranks", "3", "--max-class-size", "2"),
            "--ranks and --max-class-size cannot be used",
        ),
        (("--against", "{list}", "--coverage", "2"), "--coverage must be from 0 to 1"),
        (("--against", "none.csv"), "none.csv"),
    ],
)
def test_options_that_have_no_effect_are_refused(people, tmp_path, arguments, message):
    given = [each.format(list=tmp_path / "people.csv") for each in arguments]
    result = run("variables", people, *AGAINST, *given, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()
