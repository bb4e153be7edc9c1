"""What a command may never do: remove what it did not write, read another file, or report nothing on the way."""

import json

import pytest

from tests.commands import run

LOG = "who,where\n" + "".join(f"{k % 6},p{k % 5}\n" for k in range(60))
COLUMNS = ("--user", "who", "--place", "where")


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A working folder with two logs and somebody's reports."""
    monkeypatch.chdir(tmp_path)
    for name in ("released.csv", "known.csv"):
        (tmp_path / name).write_text(LOG)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "keep").write_text("years of work")
    (tmp_path / "reports" / "audit.json").write_text("{}")
    return tmp_path


def everything(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "out", ["nosuch/../reports", "nosuch/..", "nosuch/../..", ".", "reports/../reports", "released.csv"]
)
@pytest.mark.parametrize(
    "command",
    [
        ("match", "released.csv", "known.csv", *COLUMNS),
        ("protect", "released.csv", *COLUMNS, "--keep", 2),
        ("audit", "released.csv", "known.csv", *COLUMNS),
        ("variables", "released.csv", "--known-columns", "where"),
        ("link", "released.csv", "known.csv"),
        ("compare", "reports/audit.json", "reports/audit.json"),
        ("profiles",),
        ("topology", "released.csv", *COLUMNS, "--time", "where"),
        ("demo",),
        ("reproduce", "naini-fig12a", "--quick"),
    ],
    ids=lambda command: command[0],
)
def test_no_command_replaces_a_folder_of_someone_else(work, command, out):
    before = everything(work)
    result = run(*command, "--out", out)
    assert result.exit_code == 2, result.output
    assert result.output.startswith(("error: --out: ", "error: --out must be a new folder, such as result (got "))
    assert everything(work) == before


@pytest.mark.parametrize("as_known", [False, True])
def test_an_input_inside_the_folder_to_be_replaced_is_refused(work, as_known):
    assert run("protect", "released.csv", *COLUMNS, "--keep", 3, "--out", "p").exit_code == 0
    before = everything(work)
    files = ("known.csv", "p/protected.csv") if as_known else ("p/protected.csv", "known.csv")
    result = run("match", *files, "--user", "person", "--place", "place", "--out", "p")
    assert result.exit_code == 2
    assert (
        result.output == "error: --out: p contains the input protected.csv, which would be lost. Name another folder.\n"
    )
    assert everything(work) == before


def test_a_name_with_brackets_is_the_file_that_is_read_and_digested(work):
    (work / "report[1].csv").write_text(LOG.replace("p0", "q0"))
    (work / "report1.csv").write_text("who,where\nx,y\n")
    assert run("match", "report[1].csv", "known.csv", *COLUMNS, "--out", "r").exit_code == 0
    manifest = json.loads((work / "r" / "manifest.json").read_text())
    assert [file["name"] for file in manifest["inputs"]] == ["report[1].csv", "known.csv"]
    assert "6 people released" in run("match", "report[1].csv", "known.csv", *COLUMNS, "--out", "r").output


def test_no_command_replaces_the_result_of_another(work):
    assert run("protect", "released.csv", *COLUMNS, "--keep", 3, "--out", "p").exit_code == 0
    before = everything(work)
    for command in (
        ("match", "released.csv", "known.csv", *COLUMNS),
        ("variables", "known.csv", "--known-columns", "who"),
    ):
        result = run(*command, "--out", "p")
        assert result.exit_code == 2
        assert result.output.startswith("error: --out: p holds a result of the command protect.")
    compared = run("protect", "released.csv", "known.csv", *COLUMNS, "--keep", "2,3", "--compare", "--out", "p")
    assert compared.exit_code == 2
    assert compared.output.startswith("error: --out: p holds other files, such as key.csv.")
    assert everything(work) == before
    assert run("protect", "released.csv", *COLUMNS, "--keep", 2, "--out", "p").exit_code == 0


@pytest.mark.parametrize("command", [("match", "", "known.csv", *COLUMNS), ("variables", "", "--known-columns", "who")])
def test_an_empty_name_of_a_file_is_called_empty(work, command):
    result = run(*command)
    assert result.exit_code == 2
    assert result.output.endswith("must be the name of a file; the name given is empty.\n")
