"""Command lines in the docs run as they stand there, on small synthetic files with the names that they use."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import singleout as so
from singleout.cli import app
from tests.small_files import rows_with_header, write_xlsx

ROOT = Path(__file__).parents[2]
HOW_TO = ROOT / "docs" / "how-to"
TRIED_ELSEWHERE = {
    "README.md: demo": ".ci/run carries it out in a fresh copy",
    "README.md: test": ".ci/run carries it out in a fresh copy",
    "docs/index.md": "the same two commands as in the README",
    "docs/benchmarks.md": "hours of measurements; tests/surface/test_benchmarks_page.py checks the scripts",
    "docs/how-to/audit.md": "test_docs.py",
    "docs/how-to/compare.md": "test_docs.py; its workflow here",
    "docs/how-to/first-audit.md": "test_docs.py",
    "docs/how-to/protect.md": "test_docs.py",
    "docs/how-to/bring-the-originals.md": "test_convert_command.py",
    "docs/reference/commands.md": "written by scripts/site from the examples of --help",
}
"""Pages with command lines, and where these are carried out instead."""

NOT_RUN = {
    "singleout reproduce --data data --out papers": "everything takes eleven minutes; tests/papers runs each part",
    "singleout reproduce manousakas-fig7 --richest 325 --data data --out richest": "needs the original check-ins",
}
"""Commands that no test can carry out here, and why."""


def commands_of(text, language="sh"):
    """The command lines of the blocks of a page, in order."""
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [line for line in "".join(found).replace("\\\n", " ").splitlines() if line.strip()]


def python_of(page):
    return re.findall(r"^```python\n(.*?)^```", (HOW_TO / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def write_csv(table, name, *names):
    pyarrow.csv.write_csv(table.rename_columns(names) if names else table, name)


def calls(*names, people=60, seed=1):
    """A log of two weeks; users, times and places under other names."""
    return (
        so.synthetic_calls(people=people, antennas=60, seed=seed)
        .table.select(["user", "time", "place"])
        .rename_columns(names)
    )


def adults(seed=0, people=800):
    """A table with one row per person."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "state": rng.choice(["north", "south", "west"], people),
            "area": rng.integers(0, 12, people),
            "age": rng.integers(18, 60, people),
            "sex": rng.choice(["f", "m"], people),
            "home": rng.choice(["flat", "house", "other"], people),
        }
    )


def drifters(people=30, days=28):
    """Points around Beijing, in degrees times 100,000; everyone moves about two places of their own."""
    rng = np.random.default_rng(0)
    homes = rng.integers(-20_000, 20_000, (people, 2, 2))
    rows = [(k, day, n) for k in range(people) for day in range(days) for n in range(6)]
    where = np.array([homes[k, n % 2] for k, _, n in rows]) + rng.integers(-300, 300, (len(rows), 2))
    start = 1_224_547_200  # 21 October 2008, a Tuesday
    times = [start + day * 86_400 + n * 7_200 for _, day, n in rows]
    return pa.table(
        {
            "user": [k for k, _, _ in rows],
            "time": times,
            "lat_e5": where[:, 0] + 3_990_600,
            "lon_e5": where[:, 1] + 11_639_100,
        }
    )


def prepare_readme():
    pq.write_table(calls("user", "time", "site", people=150), "visits.parquet")
    points = drifters()
    degrees = {"lat": "lat_e5", "lon": "lon_e5"}
    shown = {name: pa.array(np.asarray(points[column]) / 1e5) for name, column in degrees.items()}
    pq.write_table(pa.table({"user": points["user"], "time": points["time"], **shown}), "gps.parquet")
    pq.write_table(adults(), "survey.parquet")
    write_csv(adults(seed=1).select(["state", "sex", "age"]), "public.csv")
    gate = "--max-risk 0.05 --k 5 --quiet --out last-release/gate"
    carry_out(f"singleout audit survey.parquet --known-columns state,age,sex {gate}")


def prepare_attacks():
    blocks = python_of("add-your-own-attack.md")
    registered = [block for block in blocks if "register_" in block]
    assert len(registered) == 4
    # what is printed there is about the example's own two sides
    lines = [line for block in registered for line in block.splitlines() if not re.match(r"print|for|    print", line)]
    Path("my_attacks.py").write_text("\n".join(["import numpy as np", "import singleout as so", *lines]) + "\n")
    write_csv(calls("card", "at", "shop"), "log.csv")
    Path("data/geolife").mkdir(parents=True)
    pq.write_table(drifters(), "data/geolife/points_full_e5.parquet")


def prepare_linking():
    people = adults().select(["area", "age", "sex"])
    ids = np.arange(len(people))
    last = pa.array([f"{'abcdefgh'[k % 8]}{'aeiou'[k % 5]}{'lmnrst'[k % 6]}on" for k in ids])
    born = pa.array([f"{1930 + k * 7 % 70}{1 + k % 12:02}" for k in ids])
    mail = pa.array([f"{k}@example.org" for k in ids])
    people = people.append_column("last", last).append_column("born", born)
    people = people.append_column("email", mail).append_column("person", pa.array(ids))
    pq.write_table(people.slice(0, 500), "released.parquet")
    write_csv(people.slice(300), "known.csv")
    write_csv(people.slice(300).select(["area", "age"]), "register.csv", "Ort", "Alter")
    sites = so.synthetic_profiles(people=40, known=400, seed=4)
    files = {"twitter": sites.released, "facebook": sites.known}
    files |= {"follows": sites.released_edges, "friends": sites.known_edges}
    for name, table in files.items():
        write_csv(table, f"{name}.csv")


def prepare_networks():
    pq.write_table(calls("user", "time", "site"), "visits.parquet")


def prepare_own_data():
    exec(compile(python_of("own-data.md")[0], "own-data.md", "exec"), {})
    answers = adults(people=120).select(["sex", "age", "home"]).rename_columns(["sex", "birth_year", "home"])
    write_xlsx("survey.xlsx", {"About": [["Answers of 2025"]], "Answers": rows_with_header(answers)})
    log = calls("card", "time", "stop")
    write_csv(log.select(["card", "stop"]), "released.csv")
    write_csv(log.select(["card", "stop"]), "known.csv", "Karte", "Halt")


def prepare_tables():
    exec(compile(python_of("tables.md")[0], "tables.md", "exec"), {})
    shutil.copy("survey.csv", "register.csv")


def carry_out(line):
    """Run one command line in this process; a gate may fail, anything else may not."""
    command, _, summary = line.partition(">>")
    words = shlex.split(command)
    assert words[0] == "singleout", line
    result = CliRunner().invoke(app, words[1:])
    is_gate = "--max-risk" in words or "--fail-if-worse" in words
    assert result.exit_code in ((0, 1) if is_gate else (0,)), f"{line}\n{result.output}"
    assert result.stdout or "--quiet" in words or result.exit_code == 1
    assert not summary or result.stdout.startswith("#"), "a summary in Markdown"
    return result.exit_code


RECIPES = {
    "README.md": (
        prepare_readme,
        ("audit/audit.html", "links/result.json", "page/verify.html", "compared/compare.html"),
    ),
    "docs/how-to/add-your-own-attack.md": (
        prepare_attacks,
        ("singleout-audit/audit.html", "singleout-match/result.json"),
    ),
    "docs/how-to/linking.md": (prepare_linking, ("links/result.json", "singleout-profiles/result.json")),
    "docs/how-to/networks.md": (prepare_networks, ("topology/result.json", "topology/ranks.vl.json")),
    "docs/how-to/own-data.md": (prepare_own_data, ("answers/audit.html", "result/matches.parquet")),
    "docs/how-to/reproduce.md": (lambda: None, ("papers/index.html", "papers/naini-fig5.csv")),
    "docs/how-to/tables.md": (
        prepare_tables,
        ("scores/result.json", "result/combinations.parquet", "safe/protected.csv"),
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("page", RECIPES)
def test_the_commands_on_a_page_run_on_files_with_the_names_they_use(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SINGLEOUT_DATA", raising=False)
    prepare, written = RECIPES[page]
    prepare()
    lines = [line for line in commands_of((ROOT / page).read_text(encoding="utf-8")) if not line.startswith("python3")]
    for line in lines:
        if line not in NOT_RUN:
            carry_out(line)
    for file in written:
        assert (tmp_path / file).stat().st_size > 0, file


def test_every_page_with_commands_is_tried_here_or_elsewhere():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    texts = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in pages}
    with_commands = {name for name, text in texts.items() if commands_of(text)}
    assert with_commands - TRIED_ELSEWHERE.keys() == RECIPES.keys()
    assert {name.partition(":")[0] for name in TRIED_ELSEWHERE} - {"docs/reference/commands.md"} <= with_commands


def test_commands_that_are_not_run_stand_on_a_page():
    lines = {line for page in RECIPES for line in commands_of((ROOT / page).read_text(encoding="utf-8"))}
    assert NOT_RUN.keys() <= lines


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def test_every_block_of_options_and_of_a_workflow_is_tried():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    names = {page.relative_to(ROOT).as_posix(): page for page in pages}
    found = {(language, name) for name in names for language in ("toml", "yaml", "json") if blocks(name, language)}
    assert found == {("toml", "docs/how-to/file-a-report.md"), ("yaml", "docs/how-to/compare.md")}


def test_the_options_of_a_report_are_taken_as_they_stand_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (written,) = blocks("docs/how-to/file-a-report.md", "toml")
    Path("report.toml").write_text(written)
    write_csv(calls("user", "time", "place", people=20), "log.csv")
    words = "audit log.csv --user user --time time --place place --config report.toml --print-config"
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 0, result.output
    printed, asked = tomllib.loads(result.stdout), tomllib.loads(written)
    assert asked.items() <= printed.items()


@pytest.mark.heavy
def test_the_workflow_that_compares_releases_runs(tmp_path, monkeypatch):
    yaml = pytest.importorskip("yaml")
    monkeypatch.chdir(tmp_path)
    (written,) = blocks("docs/how-to/compare.md", "yaml")
    steps = [step["run"] for step in yaml.safe_load(written)]
    assert len(steps) == 2
    Path("audit.toml").write_text('user = "user"\ntime = "time"\nplace = "place"\nsplit = "weeks"\nprotect = false\n')
    for seed, release in ((1, "last-release"), (2, ".")):
        Path(release).mkdir(exist_ok=True)
        write_csv(calls("user", "time", "place", seed=seed), f"{release}/release.csv")
    carry_out("singleout audit last-release/release.csv --config audit.toml --quiet --out last-release/audit")
    for step in steps:
        carry_out(step)
    assert Path("audit/audit.html").exists()
