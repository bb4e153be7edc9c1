"""``singleout profiles``: what is told, masked and refused."""

import json
from functools import partial

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import singleout as so
from tests.commands import contents, run


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    folder, made = tmp_path_factory.mktemp("sites"), so.synthetic_profiles(people=80, known=400, seed=3)
    # the truth as a column: released people under the id of their known profile
    who = [made.truth.get(person, person) for person in made.released["id"].to_pylist()]
    tables = {"released": made.released.append_column("who", pa.array(who)), "released_edges": made.released_edges}
    tables |= {"known": made.known.append_column("who", made.known["id"]), "known_edges": made.known_edges}
    for name, table in tables.items():
        pyarrow.csv.write_csv(table, folder / f"{name}.csv")
    return folder


def friends(sites):
    edges = ("--released-edges", sites / "released_edges.csv", "--known-edges", sites / "known_edges.csv")
    return sites / "released.csv", sites / "known.csv", *edges, "--friend-name", "name"


def test_profiles_tells_every_variant_with_truth_and_joint(sites, tmp_path):
    result = run("profiles", *friends(sites), "--truth", "who", "--joint", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert set(contents(tmp_path / "out")) == {"profiles.parquet", "result.json", "manifest.json"}
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    methods = [method["method"] for method in document["methods"]]
    assert methods == ["nameMatch", "fieldsMatch1", "fieldsMatch2", "fieldsMatch3", "friendsMatch"]
    assert document["data"] == {"label": "released.csv and known.csv", "synthetic": False, "released": 80, "known": 400}
    for method in document["methods"]:
        assert [group["at_least"] for group in method["groups"]] == [0, 1, 2]
        assert method["accuracy"]["rate"]["low"] <= method["joint"]["rate"]["high"]
    for name in methods:
        assert name in result.stdout
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80
    table = pq.read_table(tmp_path / "out" / "profiles.parquet")
    assert table.num_rows == 5 * 80
    told = result.output + json.dumps(document) + str(table.to_pydict())
    assert "'r1'" not in told
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["parameters"]["known_edges"] == "known_edges.csv", "by name, not by path"
    assert len(manifest["inputs"]) == 4
    assert not any(name in told for name in pa.csv.read_csv(sites / "known_edges.csv")["name"].to_pylist()[:50])


def test_profiles_reveals_ids_only_if_told_to(sites, tmp_path):
    arguments = ("profiles", *friends(sites)[:2], "--preset", "nameMatch", "--reveal", "--quiet")
    assert run(*arguments, "--out", tmp_path / "out").output == ""
    assert pq.read_table(tmp_path / "out" / "profiles.parquet")["released_id"][0].as_py() == "r0"


def test_fields_and_weights_of_ones_own(sites, tmp_path):
    own = ("--block", "first=exact", "--score", "last=similar:0.9:2, location=contains,cut=exact:0.5")
    result = run("profiles", *friends(sites), *own, "--rare", "--json", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    printed = json.loads(result.stdout)
    assert [method["method"] for method in printed["methods"]] == ["own fields", "friendsMatch"]
    assert printed["methods"][0]["accuracy"] is None


def test_nicknames_are_taken_for_names_of_friends_too(sites, tmp_path):
    arguments = ("profiles", *friends(sites), "--preset", "friendsMatch", "--truth", "who", "--json", "--out")
    plain, told = (
        json.loads(run(*arguments, tmp_path / name, *options).stdout)["methods"][0]["accuracy"]["expected"]
        for name, options in {"a": (), "b": ("--nicknames",)}.items()
    )
    assert told > plain


def test_profiles_tells_what_was_left_out_and_refuses_friend_lists_of_others(sites, tmp_path):
    edges = (sites / "known_edges.csv").read_text()
    (tmp_path / "edges.csv").write_text(edges + "nobody,Ann\n" * 7)
    given = [tmp_path / "edges.csv" if name == sites / "known_edges.csv" else name for name in friends(sites)]
    told = run("profiles", *given, "--out", tmp_path / "out").stdout
    assert "friendsMatch: 7 rows of edge lists left out (known): the person has no" in told
    assert "down to a single best candidate" in told
    assert max(map(len, told.splitlines()[:-1])) <= 80
    swapped = [sites / "known_edges.csv" if name == sites / "released_edges.csv" else name for name in friends(sites)]
    refused = run("profiles", *swapped, "--out", tmp_path / "out")
    assert refused.exit_code == 2
    assert "no row of --released-edges can be used" in refused.stderr


def test_a_file_against_itself_is_compared_with_all_others(sites, tmp_path):
    file = sites / "known.csv"
    arguments = ("profiles", file, file, "--block", "first=exact,last=exact", "--json", "--out", tmp_path / "out")
    groups = json.loads(run(*arguments).stdout)["methods"][0]["groups"]
    assert groups[1]["people"] < groups[0]["people"]


def test_without_files_profiles_are_made_up_and_labelled(tmp_path, monkeypatch):
    monkeypatch.setattr(so, "synthetic_profiles", partial(so.synthetic_profiles, people=60, known=300))
    result = run("profiles", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "synthetic" in result.stdout
    assert json.loads((tmp_path / "out" / "result.json").read_text())["data"]["synthetic"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("released.csv",), "give two files, or none"),
        (("--truth", "who"), "--truth and friend lists require two files"),
        (("released.csv", "known.csv", "--score", "last=exact"), "--score requires --block"),
        (("released.csv", "known.csv", "--block", "last=exact", "--preset", "nameMatch"), "either --preset or --block"),
        (("released.csv", "known.csv", "--block", "last"), "--block must be field=comparator"),
        (("released.csv", "known.csv", "--block", "last=exact", "--score", "last=exact:x"), "numbers as weights"),
        (("released.csv", "known.csv", "--released-edges", "released_edges.csv"), "are needed together"),
        (("released.csv", "known.csv", "--rare"), "--rare and --mutual require"),
        (("released.csv", "known.csv", "--joint"), "--joint requires --truth"),
        (("released.csv", "known.csv", "--preset", "friendsMatch"), "friendsMatch requires --released-edges"),
        (
            ("released.csv", "known.csv", "--preset", "nameMach"),
            "error: --preset must be one of nameMatch, fieldsMatch1",
        ),
        (("released.csv", "known.csv", "--id", "number"), "error: --id number is not a column of released.csv"),
        (("released.csv", "known.csv", "--first", "name"), "error: --first name is not a column of released.csv"),
        (("released.csv", "known.csv", "--block", "name=exact"), "error: --block name is not a column of released.csv"),
        (("released.csv", "known.csv", "--joint", "--truth", "location"), "--truth that is unique on both sides"),
        (("released.csv", "known.csv", "--joint", "--truth", "id"), "so nothing can be measured.\n"),
        (("released.csv", "known.csv", "--id", "first"), "repeats an id of 'first'"),
    ],
)
def test_profiles_refuses_what_cannot_be_and_writes_nothing(sites, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(sites)
    result = run("profiles", *arguments, "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) <= 2
    assert not (tmp_path / "out").exists()
