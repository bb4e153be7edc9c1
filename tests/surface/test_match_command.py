"""``singleout match``: answers from files, wrong input in one or two lines, nothing half-written, nothing revealed."""

import errno
import json
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from tests.commands import COLUMNS, SECRETS, contents, run

JS = ("--similarities", "js")


def test_match_with_a_split_prints_the_ladder_and_writes_three_files(log, tmp_path):
    result = run("match", log, "--split", "halves", *COLUMNS, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    for word in ("chance", "one-by-one", "joint", "js", "glrt", "95% interval", "would re-identify"):
        assert word in result.stdout
    assert set(contents(tmp_path / "out")) == {"matches.parquet", "result.json", "manifest.json"}
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert [rung["kind"] for rung in document["rows"]] == ["one-by-one"] * 5 + ["joint"] * 5
    assert all(rung["rate"]["low"] <= rung["rate"]["value"] <= rung["rate"]["high"] for rung in document["rows"])


def test_the_table_fits_80_columns(log, tmp_path):
    result = run("match", log, "--split", "halves", *COLUMNS, "--out", tmp_path / "out")
    # the last line names the folder, however long that is
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80


def test_without_reveal_no_id_and_no_place_is_printed_or_written_and_with_it_ids_are(log, tmp_path):
    for reveal in (False, True):
        flag = ["--reveal"] if reveal else []
        result = run("match", log, "--split", "halves", *COLUMNS, "--out", tmp_path / "out", *flag)
        told = result.output.encode() + b"".join(contents(tmp_path / "out").values())
        table = pq.read_table(tmp_path / "out" / "matches.parquet")
        told += str(table.to_pylist()).encode()
        assert (SECRETS[0].encode() in told) == reveal
        assert SECRETS[1].encode() not in told
        assert ("released_id" in table.column_names) == reveal
        assert json.loads((tmp_path / "out" / "manifest.json").read_text())["reveal"] is reveal


def test_two_files_are_matched_against_each_other(log, tmp_path):
    table = pq.read_table(log)
    early = np.asarray(table["when"]) < 1_333_929_600 + 14 * 86_400
    pq.write_table(table.filter(pa.array(early)), tmp_path / "released.parquet")
    pq.write_table(table.filter(pa.array(~early)), tmp_path / "known.parquet")
    result = run(
        "match", tmp_path / "released.parquet", tmp_path / "known.parquet", *COLUMNS, "--out", tmp_path / "out"
    )
    assert result.exit_code == 0, result.output
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [entry["name"] for entry in manifest["inputs"]] == ["released.parquet", "known.parquet"]


@pytest.mark.parametrize(("option", "place"), [("--place", "receipt"), ("--channel", "where")])
def test_columns_that_identify_events_are_refused_unless_allowed(log, tmp_path, option, place):
    table = pq.read_table(log)
    table = table.append_column("receipt", pa.array([f"R-{n:06}" for n in range(table.num_rows)]))
    pq.write_table(table, tmp_path / "receipts.parquet")
    channel = ("--channel", "receipt") if option == "--channel" else ()
    columns = ("--user", "who", "--time", "when", "--place", place, *channel)
    asked = ("match", tmp_path / "receipts.parquet", *columns, "--split", "halves", *JS, "--out", tmp_path / "out")
    result = run(*asked)
    assert result.exit_code == 2
    what = option.removeprefix("--")
    assert (
        f"column 'receipt' has a different value in every row: an identifier of events, not a {what}" in result.stderr
    )
    assert f"Name another column with {option}, or give --allow receipt." in result.stderr
    assert "R-0" not in result.stderr
    assert "identifier of events" not in run(*asked, "--allow", "receipt").stderr
    assert "--allow number is not a column" in run(*asked, "--allow", "number").stderr


def test_people_with_other_ids_are_matched_and_the_missing_truth_is_said(log, tmp_path):
    table = pq.read_table(log)
    renamed = table.set_column(0, "who", pa.array([f"x{name}" for name in table["who"].to_pylist()]))
    pq.write_table(renamed, tmp_path / "known.parquet")
    result = run("match", log, tmp_path / "known.parquet", *COLUMNS, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "the true pairs are not known" in result.stdout
    assert pq.read_table(tmp_path / "out" / "matches.parquet").num_rows == 40


def test_same_seed_same_bytes_and_a_second_run_replaces_the_first(log, tmp_path):
    runs = []
    for _ in range(2):
        run("match", log, "--split", "point", *COLUMNS, "--out", tmp_path / "out", "--seed", 7)
        files = contents(tmp_path / "out")
        runs.append((files["result.json"], files["matches.parquet"]))
    assert runs[0] == runs[1]
    run("match", log, "--split", "point", *COLUMNS, "--out", tmp_path / "out", "--seed", 8)
    assert contents(tmp_path / "out")["matches.parquet"] != runs[0][1]


def test_several_similarities_come_with_commas_each_once(log, tmp_path):
    arguments = ("match", log, "--split", "halves", *COLUMNS, "--similarities", "l1, js,l1", "--out", tmp_path / "out")
    printed = json.loads(run(*arguments, "--json").stdout)
    assert [rung["similarity"] for rung in printed["rows"]] == ["l1", "js"] * 2


def test_a_terminal_without_unicode_gets_plain_characters(log, tmp_path):
    arguments = [
        "match",
        str(log),
        "--split",
        "halves",
        *COLUMNS,
        "--similarities",
        "js",
        "--out",
        str(tmp_path / "out"),
    ]
    script = f"import sys; sys.argv[1:] = {arguments!r}; from singleout.cli import main; main()"
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=ascii_only, check=False)
    assert done.returncode == 0, done.stderr
    assert b"###" in done.stdout


def test_ctrl_c_during_the_matching_writes_the_best_so_far_and_says_so(log, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("singleout.matching.joint_engine._Run._sweep_all", interrupted)
    result = run("match", log, "--split", "halves", *COLUMNS, "--similarities", "js", "--out", tmp_path / "out")
    assert result.exit_code == 130
    assert "interrupted: wrote what there was; its matching is proven to be within" in result.stderr
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert document["interrupted"] is True
    assert document["matches"]["bound"] <= document["matches"]["cost"]


KILLED = """
import os, signal, sys
from singleout.matching import joint_engine
real = joint_engine.Graph.search_from_rows
def killed(self):
    real(self)
    os.kill(os.getpid(), signal.SIGKILL)
joint_engine.Graph.search_from_rows = killed
from singleout.cli import main
main()
"""


def test_a_run_killed_in_the_middle_leaves_nothing_and_the_next_gives_the_same_bytes(log, tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    arguments = ["match", str(log), "--split", "halves", *COLUMNS, "--similarities", "js", "--seed", "4", "--out"]

    killed = [sys.executable, "-c", KILLED, *arguments, str(room / "out")]
    assert subprocess.run(killed, capture_output=True, check=False).returncode == -9
    assert list(room.iterdir()) == []
    for name in ("out", "again"):
        assert run(*arguments, room / name).exit_code == 0
    first, second = contents(room / "out"), contents(room / "again")
    assert first["matches.parquet"] == second["matches.parquet"]
    assert first["result.json"] == second["result.json"]


def test_size_and_tolerance_reach_the_joint_matching(log, tmp_path):
    arguments = (
        "match",
        log,
        "--split",
        "halves",
        *COLUMNS,
        "--similarities",
        "js",
        "--out",
        tmp_path / "out",
        "--json",
    )
    matches = json.loads(run(*arguments, "--size", 7, "--tolerance", 0.5).stdout)["matches"]
    assert matches["pairs"] == 7
    assert matches["relative_gap"] <= 0.5
    refused = run(*arguments, "--size", 4_000)
    assert refused.exit_code == 2
    assert "size must be a whole number from 1 to" in refused.stderr


def test_json_prints_the_result_and_quiet_prints_nothing(log, tmp_path):
    arguments = ("match", log, "--split", "halves", *COLUMNS, "--similarities", "l1", "--out", tmp_path / "out")
    printed = json.loads(run(*arguments, "--json").stdout)
    assert printed == json.loads((tmp_path / "out" / "result.json").read_text())
    assert printed["matches"]["similarity"] == "l1"
    assert run(*arguments, "--quiet").output == ""


def test_dwell_windows_channels_and_days_can_be_asked_for(log, tmp_path):
    options = ("--measure", "dwell", "--window", "08:00-20:00", "--channel", "weekday", "--weekdays", "monday,tuesday")
    result = run("match", log, "--split", "weeks", *COLUMNS, *options, *JS, "--json", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    events = so.read_events(log, user="who", time="when", place="where")
    asked = {"measure": "dwell", "window": ("08:00", "20:00"), "channel": "weekday", "days": ["monday", "tuesday"]}
    expected = so.match(*(so.histograms(part, **asked) for part in so.split(events, by="weeks")))
    document = json.loads(result.stdout)
    assert document["matches"]["cost"] == pytest.approx(expected.cost)
    joint = next(row for row in document["rows"] if row["kind"] == "joint")
    assert joint["rate"]["value"] == pytest.approx(so.accuracy(expected).rate.value)


def test_coordinates_with_a_grid_and_a_box(tmp_path):
    rng = np.random.default_rng(1)
    table = pa.table(
        {
            "u": np.arange(200) % 10,
            "t": np.arange(200) * 86_400,
            "la": 46.5 + rng.random(200),
            "lo": 6 + rng.random(200),
        }
    )
    pq.write_table(table, tmp_path / "gps.parquet")
    options = ("--user", "u", "--time", "t", "--lat", "la", "--lng", "lo", "--grid", 20_000, "--box", "47,6.5,80000")
    result = run("match", tmp_path / "gps.parquet", "--split", "halves", *options, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "outside the box" in result.stdout


# ---- wrong input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--split", "halves", "--user", "whom", "--time", "when", "--place", "where"), "--user whom is not a column"),
        (
            ("--split", "halves", "--user", "who", "--place", "where"),
            "a time column. Name it: --time ….",
        ),
        (("--split", "halvs", *COLUMNS), "Did you mean 'halves'"),
        (("--split", "halves", *COLUMNS, "--similarities", "jss"), "Did you mean 'js'"),
        (COLUMNS, "give a second file, or split this one with --split (halves, weeks, dates or point)"),
        (("--split", "halves", *COLUMNS, "--box", "a,b"), "--box must be numbers"),
        (("--split", "dates", *COLUMNS, "--dates", "2012-01-01"), "dates must be three dates"),
        (("--split", "halves", *COLUMNS, "--window", "late"), "window must be two times of day"),
        (("--split", "halves", *COLUMNS, "--timezone", "Mars"), "timezone must be the name"),
        (("--split", "halves", *COLUMNS, "--dates", "a,b,c"), "--dates requires --split dates"),
        (("--split", "weeks", *COLUMNS, "--longer-first"), "require --split halves"),
    ],
)
def test_wrong_input_is_one_or_two_lines_exit_code_2_and_no_output(log, tmp_path, arguments, message):
    result = run("match", log, *arguments, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.strip().splitlines()) <= 2
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.parquet", None, "no such file"),
        ("empty.csv", b"", "is empty"),
        ("broken.parquet", b"PAR1 nonsense", "not a complete, readable Parquet file"),
        ("rowless.csv", b"who,when,where\n", "contains no events"),
        (
            "time.csv",
            b"who,when,where\n1,2012-01-01,a\n1,soon,b\n",
            "row 2: the value of column 'when' cannot be read as a time",
        ),
        ("broken.csv", "who,when,where\n1,2012-01-01,Zürich\n".encode() + b"1,2012-01-01,\xff\n", "is not UTF-8 text"),
        ("one.csv", b"who,when,where\n1,2012-01-01,a\n", "leaves nobody with events in both parts. Nobody has events"),
    ],
)
def test_bad_files_are_named(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    result = run("match", tmp_path / name, "--split", "halves", *COLUMNS, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


def test_sides_without_a_common_place_say_so(log, tmp_path):
    table = pq.read_table(log)
    pq.write_table(table.set_column(2, "where", pa.array(["elsewhere"] * table.num_rows)), tmp_path / "known.parquet")
    result = run("match", log, tmp_path / "known.parquet", *COLUMNS, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "no place in common" in result.stderr


def test_an_output_folder_with_other_files_is_refused_before_any_work(log, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    result = run("match", log, "--split", "halves", *COLUMNS, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "holds other files" in result.stderr
    assert set(contents(tmp_path / "out")) == {"notes.txt"}


@pytest.mark.parametrize("failure", ["full disk", "interruption"])
def test_a_full_disk_or_an_interruption_while_writing_leaves_nothing(log, tmp_path, monkeypatch, failure):
    def fail(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) if failure == "full disk" else KeyboardInterrupt

    monkeypatch.setattr("singleout.report.folder.write_json", fail)
    result = run("match", log, "--split", "halves", *COLUMNS, "--out", tmp_path / "out")
    assert result.exit_code == (2 if failure == "full disk" else 130)
    assert ("No space left" if failure == "full disk" else "interrupted") in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.parquet"]


def test_levels_come_from_a_file_whose_path_is_not_recorded(log, tmp_path):
    places = sorted({str(place) for place in pq.read_table(log)["where"].to_pylist()})
    lines = ["place,area", *(f"{place},area {number % 3}" for number, place in enumerate(places))]
    (tmp_path / "areas.csv").write_text("\n".join(lines) + "\n")
    levels = ("--levels", tmp_path / "areas.csv")
    idle = run("match", log, "--split", "halves", *COLUMNS, *JS, *levels, "--out", tmp_path / "out")
    assert idle.exit_code == 2
    assert "--levels requires --similarities to include evidence_levels" in idle.stderr
    chosen = ("--similarities", "js,evidence_levels")
    result = run("match", log, "--split", "halves", *COLUMNS, *chosen, *levels, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    manifest = (tmp_path / "out" / "manifest.json").read_text()
    assert json.loads(manifest)["parameters"]["levels"] == ["areas.csv"]
    assert str(tmp_path / "areas.csv") not in manifest
    wrong = run("match", log, "--split", "halves", *COLUMNS, "--levels", "1,4", "--out", tmp_path / "other")
    assert wrong.exit_code == 2
    assert "--levels requires a grid. Give --lat, --lng and --grid, or a file of places and levels" in wrong.stderr
