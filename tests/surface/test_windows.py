"""Nothing that only Unix has is needed to start: no command, no module and no test imports it at its top."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ONLY_UNIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
NOT_ON_WINDOWS = {
    "os.fork",
    "os.geteuid",
    "os.getpgid",
    "os.getuid",
    "os.killpg",
    "os.mkfifo",
    "os.statvfs",
    "os.uname",
}

HIDDEN = """
import importlib, pkgutil, sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "grp", "pwd", "resource", "termios"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
"""
HIDE = "for name in ('fcntl', 'grp', 'pwd', 'resource', 'termios'): sys.modules.pop(name, None)\n"
HIDE += "sys.meta_path.insert(0, Hidden())\n"
EVERY_MODULE = """
import singleout
for module in pkgutil.walk_packages(singleout.__path__, "singleout."):
    if module.name != "singleout.__main__":
        importlib.import_module(module.name)
print("all there")
"""


def ran(script, *arguments):
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_line_starts_without_what_only_unix_has():
    done = ran(HIDDEN + HIDE + "from singleout.cli import main; main()", "--version")
    assert (done.returncode, done.stdout[:9]) == (0, "singleout"), done.stderr


def test_no_module_of_ours_needs_what_only_unix_has():
    # libraries decide by the platform what they import, so they come first
    libraries = "import duckdb, jinja2, joblib, numba, pyarrow.csv, rich.console, scipy.sparse, typer, vl_convert\n"
    done = ran(HIDDEN + libraries + HIDE + EVERY_MODULE)
    assert done.stdout.strip() == "all there", done.stderr


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """What is carried out when a module is imported: not what is inside its functions, but their decorators are."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    yield node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inside = [*node.decorator_list, node.args]
    else:
        inside = [] if isinstance(node, ast.Lambda) else list(ast.iter_child_nodes(node))
    for each in inside:
        yield from at_import(each)


def only_unix(source: str) -> list[str]:
    """The modules and functions of Unix that a module needs when it is imported."""
    needed: list[str] = []
    for node in at_import(ast.parse(source)):
        if isinstance(node, ast.Import):
            needed += [alias.name for alias in node.names if alias.name in ONLY_UNIX]
        elif isinstance(node, ast.ImportFrom):
            names = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            needed += sorted(names & (ONLY_UNIX | NOT_ON_WINDOWS))
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in NOT_ON_WINDOWS:
            needed.append(ast.unparse(node))
    return needed


TEST_MODULES = sorted(TESTS.rglob("*.py"))


@pytest.mark.parametrize("path", TEST_MODULES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_no_test_module_needs_at_its_top_what_only_unix_has(path):
    assert only_unix(path.read_text(encoding="utf-8")) == []


def test_what_is_needed_at_import_is_distinguished_from_what_is_needed_later():
    now = "import pty\nfrom os import mkfifo\nKINDS = {'pipe': os.mkfifo}\n@skipif(os.getuid() == 0)\ndef f(): pass\n"
    later = "def f():\n    import pty\n    os.fork()\nKINDS = {'pipe': lambda path: os.mkfifo(path)}\nimport os.path\n"
    assert only_unix(now) == ["pty", "os.mkfifo", "os.mkfifo", "os.getuid"]
    assert only_unix(later) == []
