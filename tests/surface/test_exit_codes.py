"""Exit codes: 0 done, 1 a gate failed, 2 a mistake or too small a machine, 3 a fault of ours, 128 + n a signal."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import singleout as so
from singleout.cli import app, errors
from singleout.cli.commands import COMMANDS
from singleout.cli.first_run import COMPILING

LOG = "who,where\n" + "".join(f"SECRET{k % 6},p{k % 5}\n" for k in range(60))
COLUMNS = ("--user", "who", "--place", "where")


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(LOG)
    return tmp_path


def matched(**options):
    return CliRunner().invoke(app, ["match", "log.csv", "log.csv", *COLUMNS, "--out", "r"], **options)


def singleout(*arguments, script="from singleout.cli import main; main()", **options):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize(
    "error", [KeyError("SECRET1"), ZeroDivisionError("SECRET2"), AssertionError(), IndexError("x")]
)
def test_a_fault_of_ours_exits_with_three_and_shows_nothing_of_the_data(work, monkeypatch, error):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr(so, "ladder", fails)
    result = matched()
    assert result.exit_code == 3
    assert result.output.startswith(f"internal error: {type(error).__name__} in cli/match.py, line ")
    assert "SECRET" not in result.output
    assert not (work / "r").exists()
    monkeypatch.setenv("SINGLEOUT_TRACEBACK", "1")
    assert "Traceback (most recent call last)" in matched().output


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError("Unable to allocate 14.9 GiB for an array"), "error: too little memory: .* 16 GB more"),
        (RuntimeError("can't start new thread"), "error: too little memory"),
        (
            PermissionError(13, "Permission denied", "/home/someone/log.csv"),
            "error: cannot use log.csv: Permission denied",
        ),
    ],
)
def test_too_small_a_machine_is_no_fault_of_ours(work, monkeypatch, error, message):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr(so, "ladder", fails)
    result = matched()
    assert result.exit_code == 2
    assert re.match(message, result.output)


def test_a_machine_with_too_little_memory_is_told_how_much_was_needed(work):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (5 << 30, 5 << 30)); "
    take = "import numpy as np, singleout as so, singleout.cli as c; so.ladder = lambda *a, **k: np.ones(1 << 40); "
    ran = singleout("match", "log.csv", "log.csv", *COLUMNS, script=limit + take + "c.main()", cwd=work)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "too little memory" in ran.stderr
    assert "8.8 TB more were asked for" in ran.stderr


@pytest.mark.heavy
def test_a_full_standard_output_is_an_error_and_a_reader_who_leaves_is_none(work):
    with Path("/dev/full").open("w") as full:
        script = "from singleout.cli import main; main()"
        arguments = [sys.executable, "-c", script, "match", "log.csv", "log.csv", *COLUMNS, "--out", "r"]
        ran = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=work)
    said = ran.stderr.replace(f"{COMPILING}\n", "")
    assert (ran.returncode, said) == (2, "error: cannot write to the standard output: No space left on device.\n")
    closed = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work)
    closed.stdout.close()
    said = closed.stderr.read().replace(f"{COMPILING}\n", "")
    assert (closed.wait(), said) == (0, "")
    none = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *arguments], capture_output=True, text=True, cwd=work, check=False
    )
    assert (none.returncode, none.stderr) == (0, "")


def test_where_nothing_can_be_written_kernels_are_compiled_anew():
    script = (
        "import numba.core.caching as c; c.CacheImpl._locator_classes = []\n"
        "import numpy as np\nfrom singleout._kernels.text import count_lines\n"
        "print(count_lines(np.frombuffer(b'a\\nb\\n', np.uint8), 44, 0, False, False)[0])"
    )
    ran = singleout(script=script)
    assert (ran.returncode, ran.stdout) == (0, "2\n"), ran.stderr


def test_no_control_code_of_a_name_reaches_a_terminal(work):
    (work / "e.csv").write_text(LOG.replace("where", "a\x07\x1b[2Jb\x9bc", 1))
    pty = pytest.importorskip("pty")
    keeper, terminal = pty.openpty()
    script = "from singleout.cli import main; main()"
    command = [
        sys.executable,
        "-c",
        script,
        "match",
        "e.csv",
        "log.csv",
        "--user",
        "who",
        "--place",
        "a\x07\x1b[2Jb\x9bd",
        "--quiet",
    ]
    ran = subprocess.run(command, stdout=terminal, stderr=terminal, cwd=work, check=False)
    os.close(terminal)
    printed = os.read(keeper, 100_000)
    assert ran.returncode == 2
    assert b"error: " in printed
    assert not any(code in printed for code in (b"\x07", b"\x1b", "\x9b".encode()))


def test_places_that_a_spreadsheet_would_run_can_be_quoted(work):
    (work / "f.csv").write_text(LOG.replace(",p1", ",=cmd|'/C calc'!A1").replace(",p2", ",@x").replace(",p3", ",-1+2"))
    for options, start in (((), b"=cmd"), (("--quote-formulas",), b"'=cmd")):
        arguments = ["protect", "f.csv", *COLUMNS, "--keep", "5", "--out", "p", *options]
        assert CliRunner().invoke(app, arguments).exit_code == 0
        lines = (work / "p" / "protected.csv").read_bytes().replace(b'"', b"").splitlines()
        places = {line.split(b",")[1] for line in lines[1:]}
        assert any(place.startswith(start) for place in places)
    assert not any(place.startswith((b"=", b"@", b"-", b"+")) for place in places)


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_a_config_that_is_no_plain_file_is_refused_at_once(work, kind):
    if kind != "folder" and not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes and devices among its files")
    path = work / "options.toml"
    {"pipe": lambda each: os.mkfifo(each), "folder": os.mkdir, "device": lambda each: each.symlink_to("/dev/zero")}[
        kind
    ](path)
    result = CliRunner().invoke(app, ["audit", "log.csv", "--config", "options.toml"])
    assert (result.exit_code, result.output) == (2, "error: --config: options.toml is not a plain file.\n")


def test_a_log_does_not_pass_the_gate_as_a_table_though_its_ids_have_an_odd_name(work):
    lines = [f"{k % 50},p{k % 7},2024-05-{1 + k % 28:02} {k % 24:02}:{k % 60:02}:00" for k in range(10_000)]
    (work / "hh.csv").write_text("\n".join(["household_key,place,time", *lines]))
    gate = ["audit", "hh.csv", "--known-columns", "place", "--no-protect", "--max-risk", "0.05"]
    result = CliRunner().invoke(app, gate)
    assert result.exit_code == 2
    assert "singleout audit hh.csv --user household_key --time time --place place" in result.output


def test_a_wrong_option_is_not_said_to_be_a_broken_file(work):
    (work / "t.csv").write_text("state,sex,name\n" + "".join(f"S{k % 3},{k % 2},n{k}\n" for k in range(30)))
    result = CliRunner().invoke(app, ["variables", "t.csv", "--known-columns", "state", "--survey-weight", "name"])
    assert result.exit_code == 2
    assert (
        "t.csv, row 1: the survey weight in column 'name' is not a number of 0 or more (30 rows have this problem)"
        in result.output
    )


AS_COMMAND = "import sys; sys.argv[0] = 'singleout'; from singleout.cli import main; main()"
FAILING = """
import sys
sys.argv[0] = "singleout"
class Fails:
    def find_spec(self, name, path=None, target=None):
        if name == "numba":
            raise {error}
sys.meta_path.insert(0, Fails())
from singleout.cli import main
sys.argv[1:] = ["bench", "matching", "--people", "10"]
main()
"""


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        ("MemoryError()", 2, "error: too little memory"),
        ("ImportError('x.so: failed to map segment from shared object')", 2, "error: too little memory to load"),
        ("ImportError(name='numba')", 2, "error: singleout is not installed completely: numba cannot be loaded.\n"),
        ("OSError(24, 'Too many open files')", 2, "error: cannot start: Too many open files.\n"),
        ("KeyError('x')", 3, "internal error: KeyError in "),
    ],
)
def test_a_machine_on_which_the_command_cannot_load_is_no_failed_gate(error, code, says):
    ran = singleout(script=FAILING.format(error=error))
    assert (ran.returncode, ran.stdout) == (code, "")
    assert ran.stderr.startswith(says)


@pytest.mark.parametrize("kilobytes", [200_000, 600_000, 700_000])
@pytest.mark.parametrize("script", [AS_COMMAND, "from singleout.cli import main; main()"])
def test_too_little_memory_to_load_is_one_line(script, kilobytes):
    command = f'ulimit -v {kilobytes}; exec "$@"'
    ran = subprocess.run(
        ["bash", "-c", command, "bash", sys.executable, "-c", script, "--version"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    allowed = f"{kilobytes * 1.024e-3:.0f} MB are allowed"
    assert ran.stderr == f"error: too little memory to start: {allowed}, 4 GB of addresses are needed.\n"


def test_a_working_folder_that_is_gone_is_one_line(tmp_path):
    (tmp_path / "gone").mkdir()
    command = 'cd "$0" && rmdir "$0" && exec "$@"'
    ran = subprocess.run(
        ["bash", "-c", command, tmp_path / "gone", sys.executable, "-c", AS_COMMAND, "match", "a.csv", "--user", "u"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "error: the folder you are in no longer exists. Change to another one.\n"


def test_a_library_that_cannot_load_raises_as_any_other():
    script = (
        FAILING.format(error="MemoryError()")
        .replace('sys.argv[0] = "singleout"', "")
        .replace(".cli import main", " import audit")
    )
    ran = singleout(script=script)
    assert ran.returncode == 1
    assert ran.stderr.endswith("\nMemoryError\n")


@pytest.mark.heavy
@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("--help",),
        ("match", "--help"),
        ("reproduce",),
        ("match", "log.csv", "log.csv", *COLUMNS, "--json", "--out", "r"),
        ("match", "log.csv", "log.csv", *COLUMNS, "--out", "r"),
        ("variables", "log.csv", "--known-columns", "who", "--out", "v"),
    ],
    ids=" ".join,
)
def test_whatever_is_printed_to_a_full_disk_is_an_error(work, arguments):
    command = [sys.executable, "-c", "from singleout.cli import main; main()", *arguments]
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=work)
    said = ran.stderr.replace(f"{COMPILING}\n", "")
    assert (ran.returncode, said) == (2, "error: cannot write to the standard output: No space left on device.\n")
    closed = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work)
    closed.stdout.close()
    said = closed.stderr.read().replace(f"{COMPILING}\n", "")
    assert (closed.wait(), said) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("topology", "log.csv", *COLUMNS, "--time", "when", "--top", 5, "--richest"),
        ("topology", "log.csv", *COLUMNS, "--time", "when", "--top"),
        ("match", "log.csv", "log.csv", *COLUMNS, "--size"),
        ("protect", "log.csv", *COLUMNS, "--microaggregate"),
        ("variables", "log.csv", "--known-columns", "who", "--add"),
        ("variables", "log.csv", "--known-columns", "who", "--min-count"),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-1]}",
)
def test_a_number_beyond_all_data_is_a_mistake_in_words(work, arguments):
    (work / "log.csv").write_text(
        "who,where,when\n" + "".join(f"{k % 6},p{k % 5},{10**9 + k * 99}\n" for k in range(60))
    )
    result = CliRunner().invoke(app, [*map(str, arguments), str(10**20), "--out", "r"])
    assert result.exit_code == 2, result.output
    assert re.match(f"error: {arguments[-1]} must be (a whole number|at most the number of people, 6)", result.output)


COMMANDS_AND_FILES = {
    "demo": (),
    "init": ("nosuch.csv", "--yes"),
    "audit": ("nosuch.csv", *COLUMNS),
    "match": ("nosuch.csv", "log.csv", *COLUMNS),
    "protect": ("nosuch.csv", *COLUMNS, "--keep", "2"),
    "verify": ("nosuch.csv", "log.csv", *COLUMNS),
    "compare": ("nosuch.json", "nosuch.json"),
    "similarities": ("--plugin", "nosuch.py"),
    "topology": ("nosuch.csv", *COLUMNS, "--time", "when"),
    "suda": ("nosuch.csv", "--known-columns", "a,b"),
    "variables": ("nosuch.csv", "--known-columns", "a"),
    "link": ("nosuch.csv", "log.csv"),
    "profiles": ("nosuch.csv", "log.csv", "--id", "who"),
    "reproduce": ("nosuch",),
    "convert": ("geolife", "nosuch"),
    "bench": ("nosuch",),
}
"""Arguments with something in them that does not exist, but for what needs no input."""


def test_every_command_is_among_those_whose_codes_are_checked():
    assert set(COMMANDS_AND_FILES) == {command.__name__ for command, _ in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS_AND_FILES)
def test_help_is_done_and_a_wrong_option_or_file_is_bad_input(work, command):
    assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0
    assert CliRunner().invoke(app, [command, *COMMANDS_AND_FILES[command], "--nosuch"]).exit_code == 2
    if COMMANDS_AND_FILES[command]:
        result = CliRunner().invoke(app, [command, *COMMANDS_AND_FILES[command]])
        assert result.exit_code == 2
        assert result.stderr.startswith("error: ")
        assert "Traceback" not in result.output


@pytest.mark.parametrize("command", COMMANDS_AND_FILES)
def test_a_fault_of_ours_is_three_in_every_command(work, monkeypatch, command):
    def fails():
        raise KeyError("SECRET")

    monkeypatch.setattr(errors, "watch_running", fails)
    result = CliRunner().invoke(app, [command, *COMMANDS_AND_FILES[command]])
    assert result.exit_code == 3
    assert result.stderr.startswith("internal error: KeyError in ")
    assert "SECRET" not in result.output


def test_a_gate_that_fails_is_one_in_every_command_that_has_one(work):
    (work / "t.csv").write_text("age,sex\n" + "".join(f"{k % 7},{k % 2}\n" for k in range(14)))
    gates = {
        ("audit", "t.csv", "--known-columns", "age,sex", "--no-protect", "--max-risk", "0.01", "--out", "a"): 1,
        ("audit", "t.csv", "--known-columns", "sex", "--no-protect", "--max-risk", "0.99", "--out", "b"): 0,
        ("protect", "log.csv", *COLUMNS, "--keep", "5", "--max-risk", "0.01", "--out", "c"): 1,
        ("verify", "t.csv", "--known-columns", "age,sex", "--max-risk", "0.01", "--out", "d"): 1,
        ("verify", "t.csv", "--known-columns", "sex", "--max-risk", "0.99", "--out", "e"): 0,
        ("compare", "b", "a", "--fail-if-worse", "--out", "f"): 1,
        ("compare", "a", "a", "--fail-if-worse", "--out", "g"): 0,
    }
    codes = {arguments: CliRunner().invoke(app, list(arguments)).exit_code for arguments in gates}
    assert codes == gates
