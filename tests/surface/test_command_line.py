"""The command line: answers from files, wrong input in one or two lines, nothing half-written, nothing revealed."""

import errno
import json
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import singleout as so
from singleout.cli import app
from singleout.reading.synthetic import demo

SECRETS = ("eve@example.org", "Clinic of St. Anne")


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def log(tmp_path):
    """Forty people over four weeks with names that must not leak."""
    rng = np.random.default_rng(0)
    homes = rng.integers(0, 30, 40)
    user = np.repeat(np.arange(40), 30)
    place = np.where(rng.random(1_200) < 0.7, homes[user], rng.integers(0, 30, 1_200))
    table = pa.table(
        {
            "who": [f"{SECRETS[0]}-{u}" for u in user],
            "when": 1_333_929_600 + rng.integers(0, 28 * 86_400, 1_200),
            "where": [f"{SECRETS[1]} {p}" for p in place],
        }
    )
    pq.write_table(table, tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


COLUMNS = ("--user", "who", "--time", "when", "--place", "where")
JS = ("--similarities", "js")


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


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


def test_several_weights_may_come_with_commas_and_twice(log, tmp_path):
    arguments = (
        "match",
        log,
        "--split",
        "halves",
        *COLUMNS,
        "--similarities",
        "l1,js",
        "--similarities",
        "js",
        "--out",
        tmp_path / "out",
    )
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

    monkeypatch.setattr("singleout.matching.transport._Run._sweep_all", interrupted)
    result = run("match", log, "--split", "halves", *COLUMNS, "--similarities", "js", "--out", tmp_path / "out")
    assert result.exit_code == 130
    assert "interrupted: wrote what there was, its matching proven within" in result.stderr
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    assert document["interrupted"] is True
    assert document["matches"]["bound"] <= document["matches"]["cost"]


KILLED = """
import os, signal, sys
from singleout.matching import transport
real = transport.Graph.search_from_rows
def killed(self):
    real(self)
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv.pop(1) == "killed":
    transport.Graph.search_from_rows = killed
from singleout.cli import main
main()
"""


def test_a_run_killed_in_the_middle_leaves_nothing_and_the_next_gives_the_same_bytes(log, tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    arguments = ["match", str(log), "--split", "halves", *COLUMNS, "--similarities", "js", "--seed", "4", "--out"]

    def attempt(how, out):
        command = [sys.executable, "-c", KILLED, how, *arguments, str(out)]
        return subprocess.run(command, capture_output=True, check=False).returncode

    assert attempt("killed", room / "out") == -9
    assert list(room.iterdir()) == []
    assert attempt("whole", room / "out") == attempt("whole", room / "again") == 0
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
    result = run("match", log, "--split", "weeks", *COLUMNS, *options, *JS, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output


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
            "a time column, got None. Name it: --time ….",
        ),
        (("--split", "half", *COLUMNS), "Did you mean 'halves'"),
        (("--split", "halves", *COLUMNS, "--similarities", "jss"), "Did you mean 'js'"),
        (COLUMNS, "give either a second file, or --split"),
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
        ("none.parquet", None, "no file matches"),
        ("empty.csv", b"", "is empty"),
        ("broken.parquet", b"PAR1 nonsense", "not a whole, readable parquet file"),
        ("rowless.csv", b"who,when,where\n", "holds no events"),
        ("time.csv", b"who,when,where\n1,2012-01-01,a\n1,soon,b\n", "row 2: column 'when' does not parse as a time"),
        ("latin.csv", "who,when,where\n1,2012-01-01,Zürich\n".encode("latin-1"), "is not UTF-8 text"),
        ("one.csv", b"who,when,where\n1,2012-01-01,a\n", "leaves nobody with events in both parts"),
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


# ---- the demo --------------------------------------------------------------------------------------------------


def test_the_demo_without_the_extra_is_labelled_synthetic(tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "_installed_purchases", lambda: None)
    monkeypatch.setattr(demo, "CALLERS", 150)
    result = run("demo", "--out", tmp_path / "demo")
    assert result.exit_code == 0, result.output
    assert "synthetic" in result.stdout
    assert json.loads((tmp_path / "demo" / "audit.json").read_text())["data"]["synthetic"] is True
    assert (tmp_path / "demo" / "audit.html").exists()


def test_the_demo_with_the_extra_runs_on_real_purchases(tmp_path, monkeypatch):
    # the whole of it runs in CI, by the README's command
    quick = partial(so.AuditOptions, protect=False, similarities=("js", "cosine"))
    monkeypatch.setattr(so, "AuditOptions", quick)
    result = run("demo", "--out", tmp_path / "demo", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["data"]["synthetic"] is False
    assert document["data"]["released"]["people"] == 2_432
    attacks = {(each["kind"], each["by"]): each["rate"]["value"] for each in document["attacks"]}
    joint, single = (
        {by: value for (attack, by), value in attacks.items() if attack == kind} for kind in ("joint", "one-by-one")
    )
    assert joint["js"] == max(joint.values()) > single["js"]


def test_help_lists_the_commands_and_version_prints_itself():
    assert {"demo", "audit", "match"} <= set(run("--help").stdout.split())
    assert run("--version").stdout.startswith("singleout ")
    assert run("match").exit_code == 2


def test_a_ladder_is_a_table_and_a_sentence(log):
    events = so.read_events(log, user="who", time="when", place="where")
    ladder = so.ladder(*(so.histograms(part) for part in so.split(events)))
    assert ladder.to_arrow().num_rows == 10
    assert "would re-identify" in repr(ladder)
    with pytest.raises(so.InputError, match="costs must be a list"):
        so.ladder(*(so.histograms(part) for part in so.split(events)), similarities="js")


def test_bench_times_every_solver_at_hand_and_all_find_the_same_cost():
    result = run("bench", "matching", "--people", 60, "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    assert rows[0]["solver"] == "singleout"
    assert {"SciPy", "POT"} <= {row["solver"] for row in rows}
    assert {"preparing", "candidates", "solving", "pricing"} <= set(rows[0]["parts"])
    assert rows[0]["relative_gap"] <= 1e-9
    for row in rows:
        assert row["cost"] == pytest.approx(rows[0]["cost"], abs=1e-4), row["solver"]
        assert row["peak_mb"] > 0


def test_bench_prints_one_line_a_run_that_fits_a_terminal():
    result = run("bench", "matching", "--people", 30, "--people", 40, "--hard", "--ours-only")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["30", "40"]
    assert max(map(len, lines)) <= 80


def test_bench_of_tables_agrees_with_duckdb():
    result = run("bench", "tables", "--people", 1_000, "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    assert [row["difference"] for row in rows] == [0.0, 0.0]
    assert all(row["seconds"] > 0 and row["theirs"] > 0 for row in rows)


def test_bench_of_topology_names_every_piece_of_work():
    result = run("bench", "topology", "--people", 12, "--ours-only")
    assert result.exit_code == 0, result.output
    for what in ("networks", "Markov order", "anonymity", "dsp", "all six kernels"):
        assert what in result.stdout


def test_bench_of_nothing_there_is_refused():
    result = run("bench", "matchin")
    assert result.exit_code == 2
    assert "matching" in result.stderr


def protected_rows(folder):
    return pq.read_table(folder / "protected.parquet").to_pylist()


def test_protect_writes_one_row_per_person_and_place_under_fresh_pseudonyms(log, tmp_path):
    result = run("protect", log, *COLUMNS, "--microaggregate", 10, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert set(contents(tmp_path / "out")) == {"protected.parquet", "result.json", "manifest.json", "key.csv"}
    for secret in ("manifest.json", "key.csv"):
        assert (tmp_path / "out" / secret).stat().st_mode & 0o077 == 0, "who is who is for its owner only"
    assert "would re-identify" in result.stdout
    told = json.loads((tmp_path / "out" / "result.json").read_text())["risk"]
    assert 0 <= told["inside"]["value"] <= told["guarantee"] <= 0.1
    assert told["reconstructed"] == 0
    assert "reveal" not in json.loads((tmp_path / "out" / "manifest.json").read_text())
    rows = protected_rows(tmp_path / "out")
    assert list(rows[0]) == ["person", "place", "share"]
    people = {row["person"] for row in rows}
    assert people == set(range(1, 41))
    assert SECRETS[0] not in (tmp_path / "out" / "manifest.json").read_text() + result.output
    assert SECRETS[1] not in result.output
    histograms = {}
    for row in rows:
        histograms.setdefault(row["person"], {})[row["place"]] = row["share"]
    assert all(sum(shares.values()) == pytest.approx(1.0) for shares in histograms.values())
    equal = [sum(other == mine for other in histograms.values()) for mine in histograms.values()]
    assert min(equal) >= 10, "k-anonymity, counted in the file"


@pytest.mark.parametrize("protection", [("--noise", 0.5), ("--microaggregate", 5), ("--keep", 3)])
def test_protect_draws_a_secret_seed_and_repeats_with_a_given_one(log, tmp_path, protection):
    command = ("protect", log, *COLUMNS, *protection, "--out")
    for name, options in {"a": (), "b": (), "c": ("--seed", 7), "d": ("--seed", 7)}.items():
        assert run(*command, tmp_path / name, *options).exit_code == 0
    files = {name: contents(tmp_path / name)["protected.parquet"] for name in "abcd"}
    assert files["a"] != files["b"]
    assert files["c"] == files["d"]
    assert json.loads((tmp_path / "c" / "manifest.json").read_text())["seed"] == 7


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json"])
def test_protect_writes_the_type_it_was_given(tmp_path, ending):
    rows = [{"who": f"u{k % 4}", "where": f"p{k % 3}"} for k in range(24)]
    file = tmp_path / f"log.{ending}"
    if ending in ("csv", "tsv"):
        comma = "," if ending == "csv" else "\t"
        file.write_text("\n".join(comma.join(row) for row in [["who", "where"], *(r.values() for r in rows)]) + "\n")
    else:
        lines = [json.dumps(row) for row in rows]
        file.write_text("\n".join(lines) if ending == "jsonl" else f"[{','.join(lines)}]")
    out = tmp_path / "out"
    result = run("protect", file, "--user", "who", "--place", "where", "--keep", 2, "--out", out)
    assert result.exit_code == 0, result.output
    again = so.read_events(out / f"protected.{ending}", user="person", place="place", count="share")
    assert so.histograms(again).number_of_places == 2


COMPARED = ("--compare", "--microaggregate", "5,10", "--keep", "20,5", "--noise", "1")


def test_protect_compares_protections_at_several_strengths_and_releases_nothing(log, tmp_path):
    command = ("protect", log, *COLUMNS, "--split", "halves", *COMPARED, "--shorten", 3, "--out", tmp_path / "out")
    result = run(*command)
    assert result.exit_code == 0, result.output
    assert set(contents(tmp_path / "out")) == {"frontier.json", "frontier.vl.json", "manifest.json"}
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80
    document = json.loads((tmp_path / "out" / "frontier.json").read_text())
    tried = [(row["protection"], row["strength"]) for row in document["rows"]]
    assert tried == [
        ("none", None), ("shorten", "3"), ("keep", "20"), ("keep", "5"), ("noise", "1.0"),
        ("microaggregate", "5"), ("microaggregate", "10"),
    ]  # fmt: skip
    for row in document["rows"]:
        for side in ("outside", "inside"):
            assert row[f"{side}_low"] <= row[side] <= row[f"{side}_high"]
        # of the people in the file: those left with nothing are not in it
        assert document["people"] - 5 <= 1 / row["random"] <= document["people"]
    told = result.output.encode() + b"".join(contents(tmp_path / "out").values())
    assert not any(secret.encode() in told for secret in SECRETS)
    first = contents(tmp_path / "out")["frontier.json"]
    assert json.loads(run(*command, "--json").stdout) == json.loads(first)
    assert contents(tmp_path / "out")["frontier.json"] == first, "same seed, same bytes"


def test_protect_compares_against_a_second_file_and_levels_of_a_hierarchy(log, tmp_path):
    hierarchy = tmp_path / "places.csv"
    lines = [f"{SECRETS[1]} {k},{k % 5},all\n" for k in range(30)]
    hierarchy.write_text("place,district,country\n" + "".join(lines))
    options = ("--hierarchy", hierarchy, "--hierarchy-level", "district,country", "--out", tmp_path / "out")
    result = run("protect", log, log, *COLUMNS, "--compare", *options)
    assert result.exit_code == 0, result.output
    rows = json.loads((tmp_path / "out" / "frontier.json").read_text())["rows"]
    assert [row["strength"] for row in rows] == [None, "district", "country"]
    assert rows[0]["outside"] == 1.0
    assert rows[2]["outside"] == pytest.approx(1 / 40), "one place for all"
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [entry["name"] for entry in manifest["inputs"]] == ["log.parquet", "log.parquet", "places.csv"]
    assert manifest["parameters"]["coarsen"] == "places.csv"
    assert str(tmp_path) not in json.dumps(manifest)


def test_steps_follow_each_other_and_the_file_shows_all_of_them(log, tmp_path):
    hierarchy = tmp_path / "places.csv"
    hierarchy.write_text("place,district\n" + "".join(f"{SECRETS[1]} {k},{k % 5}\n" for k in range(30)))
    steps = ("--shorten", 1, "--coarsen", hierarchy, "--keep", 3, "--seed", 1)
    result = run("protect", log, *COLUMNS, *steps, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    events = so.read_events(log, user="who", time="when", place="where")
    expected = so.histograms(so.coarsen(so.shorten(events, days=1), hierarchy))
    rows = protected_rows(tmp_path / "out")
    assert len({row["place"] for row in rows}) == 3
    assert len(rows) == so.suppress(expected, keep=3).counts.nnz
    told = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (told["people"], told["places"]) == (len({row["person"] for row in rows}), 3)
    assert told["emptied"] == 40 - told["people"] > 0
    absent = f"{told['emptied']} people not in the file"
    for words in ("40 people shortened", "places merged: coarsened to 5", "2 places left out", absent):
        assert words in result.stdout
    assert "keep a row" not in result.stdout


def test_files_are_no_options_in_errors(log, tmp_path):
    result = run("protect", log, "--user", "who", "--place", "where", "--shorten", 2, "--out", tmp_path / "out")
    assert result.stderr == "error: --shorten: events must be read with a time column, got None. Name it: --time ….\n"


def test_protect_says_which_steps_changed_nothing(log, tmp_path):
    hierarchy = tmp_path / "same.csv"
    hierarchy.write_text("place,alike\n" + "".join(f"{SECRETS[1]} {k},{99 - k}\n" for k in range(30)))
    for steps, idle in (
        (("--keep", 1_000, "--shorten", 1_000_000), ["shorten", "keep"]),
        (("--coarsen", hierarchy, "--min-people", 1), ["coarsen", "min-people"]),
        (("--keep", 3, "--microaggregate", 5), []),
    ):
        result = run("protect", log, *COLUMNS, *steps, "--out", tmp_path / "out")
        assert result.exit_code == 0, result.output
        told = [line.split(": ")[1] for line in result.stdout.splitlines() if "1 step without effect" in line]
        assert told == [f"{name} left all as it was" for name in idle]


def test_protect_counts_the_places_that_are_in_the_file(log, tmp_path):
    result = run("protect", log, *COLUMNS, "--noise", 0.02, "--max-total", 1, "--seed", 3, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    told = json.loads((tmp_path / "out" / "result.json").read_text())
    assert told["places"] == len({row["place"] for row in protected_rows(tmp_path / "out")})


def test_protect_warns_of_a_seed_that_can_be_guessed_and_says_what_it_replaced(log, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = run("protect", log, *COLUMNS, "--keep", 3)
    assert (first.exit_code, first.stderr) == (0, "")
    before = contents(tmp_path / "singleout-protect")
    again = run("protect", log, *COLUMNS, "--keep", 3)
    assert again.exit_code == 2
    assert "singleout-protect holds an earlier result, and the seed that belongs to it" in again.stderr
    assert contents(tmp_path / "singleout-protect") == before
    named = run("protect", log, *COLUMNS, "--keep", 3, "--seed", 7, "--out", "singleout-protect")
    assert "Written to singleout-protect, where it replaced an earlier result." in named.stdout
    assert "warning: who guesses --seed can undo pseudonyms and noise." in named.stderr
    quiet = run("protect", log, *COLUMNS, "--keep", 3, "--seed", 7, "--quiet", "--out", "new")
    assert quiet.output == ""


@pytest.mark.parametrize("out", ["", "."])
def test_the_folder_one_is_in_cannot_be_the_result(log, tmp_path, monkeypatch, out):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    result = run("protect", log, *COLUMNS, "--keep", 3, "--out", out)
    assert result.exit_code == 2
    assert "must name a folder" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--compare", "--keep", 2), "error: give either a second file, or --split halves"),
        (("--split", "halves", "--keep", 2), "require --compare"),
        (("--repeats", 3, "--keep", 2), "require --compare"),
        (("--keep", "2,3"), "--keep takes several strengths only with --compare"),
        (("--keep", "two"), "--keep must be whole numbers separated by commas"),
        (("--microaggregate", "2.5"), "--microaggregate must be whole numbers"),
        (("--coarsen", 500, "--hierarchy-level", "city"), "--hierarchy-level requires --hierarchy"),
        (("--compare", "--split", "halves", "--dates", "a,b,c", "--keep", 2), "--dates requires --split dates"),
        (("--compare", "--split", "halves", "--microaggregate", 41), "from 1 to the number of records, 40"),
        (("--noise", 1, "--max-total", 0), "error: --max-total must be a whole number above zero"),
        ((), "name at least one protection"),
        (("--hierarchy-level", "city"), "--hierarchy-level requires --hierarchy"),
        (("--keep", 2, "--hierarchy-level", "city"), "--hierarchy-level requires --hierarchy"),
        (("--keep", 2, "--max-total", 5), "--max-total requires --noise"),
        (("--microaggregate", 2), "error: --microaggregate must be 3 or more where a file is released"),
        (
            ("--microaggregate", 41),
            "error: --microaggregate must be a whole number from 1 to the number of records, 40",
        ),
        (("--noise", 0), "error: --noise must be a number above zero"),
        (("--noise", 1e-30), "error: --noise must be at least 1 / 1,099,511,627,776"),
        (("--noise", 1, "--max-total", 10**38), "error: --max-total must be at most epsilon times"),
        (("--shorten", 0), "error: --shorten must be a whole number above zero"),
        (("--compare", "--split", "halves", "--keep", "5,0"), "'keep' at strength 0: --keep must be a whole number"),
        (("--place", "who", "--keep", 2), "error: --place must be another column than user"),
        (("--time", "hour", "--shorten", 2), "error: --time hour is not a column of log.parquet. There are:"),
        (("--time-unit", "h", "--shorten", 2), "error: --time-unit must be one of"),
        (("--min-people", 1_000), "error: nothing is left of anybody"),
        (("--coarsen", "nothing.csv"), "no file matches nothing.csv"),
        (("--coarsen", 500), "error: --coarsen must be a mapping of places or a hierarchy file"),
        (("--coarsen", ""), "--coarsen must be the side of larger cells in metres, or a hierarchy file"),
    ],
)
def test_protect_refuses_what_cannot_be_and_writes_nothing(log, tmp_path, options, message):
    result = run("protect", log, *COLUMNS, *options, "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_protect_refuses_a_hierarchy_that_misses_a_place_without_naming_it(log, tmp_path):
    (tmp_path / "places.csv").write_text(f"place,district\n{SECRETS[1]} 1,north\n")
    result = run("protect", log, *COLUMNS, "--coarsen", tmp_path / "places.csv", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "error: --coarsen: 29 places have no coarser place in the mapping" in result.stderr
    assert SECRETS[1] not in result.output
    assert not (tmp_path / "out").exists()
