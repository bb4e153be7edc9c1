"""``singleout protect``: what is written, compared, refused and never revealed."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import singleout as so
from tests.commands import COLUMNS, SECRETS, contents, run


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
        # of the people on the released side: those left with nothing are not in its file
        assert document["people"] - 10 <= 1 / row["random"] <= document["people"]
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
    assert manifest["parameters"]["hierarchy"] == ["places.csv"]
    assert str(tmp_path) not in json.dumps(manifest)


def test_steps_follow_each_other_and_the_file_shows_all_of_them(log, tmp_path):
    hierarchy = tmp_path / "places.csv"
    hierarchy.write_text("place,district\n" + "".join(f"{SECRETS[1]} {k},{k % 5}\n" for k in range(30)))
    steps = ("--shorten", 1, "--hierarchy", hierarchy, "--keep", 3, "--seed", 1)
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
    for words in ("40 people with days left out", "places merged: 5 places left", "2 places left out", absent):
        assert words in result.stdout
    assert "keep a row" not in result.stdout


def test_files_are_no_options_in_errors(log, tmp_path):
    result = run("protect", log, "--user", "who", "--place", "where", "--shorten", 2, "--out", tmp_path / "out")
    assert result.stderr == "error: --shorten: SOURCE must be read with a time column. Name it: --time ….\n"


def test_protect_says_which_steps_changed_nothing(log, tmp_path):
    hierarchy = tmp_path / "same.csv"
    hierarchy.write_text("place,alike\n" + "".join(f"{SECRETS[1]} {k},{99 - k}\n" for k in range(30)))
    for steps, idle in (
        (("--keep", 1_000, "--shorten", 1_000_000), ["shorten", "keep"]),
        (("--hierarchy", hierarchy, "--min-people", 1), ["hierarchy", "min-people"]),
        (("--keep", 3, "--microaggregate", 5), []),
    ):
        result = run("protect", log, *COLUMNS, *steps, "--out", tmp_path / "out")
        assert result.exit_code == 0, result.output
        told = [line.split(": ")[1] for line in result.stdout.splitlines() if "1 step without effect" in line]
        assert told == [f"{name} changed nothing" for name in idle]


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
    assert "warning: anyone who guesses --seed can undo pseudonyms and noise." in named.stderr
    quiet = run("protect", log, *COLUMNS, "--keep", 3, "--seed", 7, "--quiet", "--out", "new")
    assert quiet.output == ""


@pytest.mark.parametrize("out", ["", "."])
def test_the_folder_one_is_in_cannot_be_the_result(log, tmp_path, monkeypatch, out):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    result = run("protect", log, *COLUMNS, "--keep", 3, "--out", out)
    assert result.exit_code == 2
    assert "--out must be a new folder, such as result (got an empty name or '.'). The current folder" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--compare", "--keep", 2),
            "error: give a second file, or split this one with --split (halves, weeks, dates or point).",
        ),
        (("--split", "halves", "--keep", 2), "require --compare"),
        (("--repeats", 3, "--keep", 2), "require --compare"),
        (("--keep", "2,3"), "--keep takes only one value unless you add --compare"),
        (("--keep", "two"), "--keep must be whole numbers separated by commas"),
        (("--microaggregate", "2.5"), "--microaggregate must be whole numbers"),
        (("--coarsen", 500, "--hierarchy-level", "city"), "--hierarchy-level requires --hierarchy"),
        (("--compare", "--split", "halves", "--dates", "a,b,c", "--keep", 2), "--dates requires --split dates"),
        (
            ("--compare", "--split", "halves", "--microaggregate", 41),
            "error: --microaggregate must be at most the number of people, 40 (got 41).",
        ),
        (("--noise", 1, "--max-total", 0), "error: --max-total must be a whole number above zero"),
        ((), "name at least one protection"),
        (("--hierarchy-level", "city"), "--hierarchy-level requires --hierarchy"),
        (("--keep", 2, "--hierarchy-level", "city"), "--hierarchy-level requires --hierarchy"),
        (("--keep", 2, "--max-total", 5), "--max-total requires --noise"),
        (
            ("--microaggregate", 2),
            "error: --microaggregate must be 3 or more: in a group of two, each person could work back",
        ),
        (
            ("--microaggregate", 41),
            "error: --microaggregate must be at most the number of people, 40 (got 41).",
        ),
        (("--noise", 0), "error: --noise must be numbers above zero"),
        (("--noise", 1e-30), "error: --noise must be at least 1 / 1,099,511,627,776"),
        (("--noise", 1, "--max-total", 10**38), "error: --max-total must be at most epsilon times"),
        (("--shorten", 0), "error: --shorten must be whole numbers above zero"),
        (("--compare", "--split", "halves", "--keep", "5,0"), "--keep must be whole numbers above zero"),
        (("--place", "who", "--keep", 2), "error: --place must be a different column from user"),
        (("--time", "hour", "--shorten", 2), "error: --time hour is not a column of log.parquet. Its columns:"),
        (("--time-unit", "w", "--shorten", 2), "error: --time-unit must be one of"),
        (("--min-people", 1_000), "error: nobody has any data left"),
        (("--hierarchy", "nothing.csv"), "nothing.csv: no such file"),
        (
            ("--coarsen", 500),
            "error: --coarsen 500 works only on cells of a grid. Give --lat, --lng and --grid, or use --hierarchy.",
        ),
        (("--coarsen", ""), "--coarsen must be numbers above zero"),
    ],
)
def test_protect_refuses_what_cannot_be_and_writes_nothing(log, tmp_path, options, message):
    # an option that is asked for takes the place of the usual one: given twice it would be refused for that
    usual = dict(zip(COLUMNS[::2], COLUMNS[1::2], strict=True))
    columns = [word for name, value in usual.items() if name not in options for word in (name, value)]
    result = run("protect", log, *columns, *options, "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_protect_refuses_a_hierarchy_that_misses_a_place_without_naming_it(log, tmp_path):
    (tmp_path / "places.csv").write_text(f"place,district\n{SECRETS[1]} 1,north\n")
    result = run("protect", log, *COLUMNS, "--hierarchy", tmp_path / "places.csv", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "error: --hierarchy: 29 places have no coarser place in the mapping" in result.stderr
    assert SECRETS[1] not in result.output
    assert not (tmp_path / "out").exists()


def test_places_that_hardly_occur_twice_are_refused_unless_allowed(log, tmp_path):
    table = pq.read_table(log)
    receipts = pa.array([f"{SECRETS[1]} {number}" for number in range(table.num_rows)])
    pq.write_table(table.append_column("receipt", receipts), tmp_path / "receipts.parquet")
    asked = ("protect", tmp_path / "receipts.parquet", "--user", "who", "--place", "receipt", "--keep", 500)
    result = run(*asked, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "column 'receipt' has a different value in every row: an identifier of events" in result.stderr
    assert SECRETS[1] not in result.stderr
    assert not (tmp_path / "out").exists()
    assert run(*asked, "--allow", "receipt", "--out", tmp_path / "out").exit_code == 0
