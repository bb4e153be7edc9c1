"""Nothing that only Unix has is needed to start: no command and no module imports it at its top."""

import subprocess
import sys

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
