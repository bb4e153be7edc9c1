"""What must work without any extra: an audit from the command line, and an error that names what is missing."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.csv

import singleout as so


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "singleout", *words], capture_output=True, text=True, check=False)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    log = folder / "calls.csv"
    pyarrow.csv.write_csv(so.synthetic_calls(people=60, seed=1).table, log)
    columns = ["--user", "user", "--time", "time", "--place", "place"]
    done = run("audit", str(log), *columns, "--no-protect", "--quiet", "--out", str(folder / "out"))
    assert done.returncode == 0, done.stderr
    assert (folder / "out" / "audit.html").stat().st_size > 100_000
    for missing, package in (
        ("postgresql://127.0.0.1/db?table=t", "ibis-framework"),
        (str(folder / "x.sav"), "pyreadstat"),
    ):
        (folder / "x.sav").write_bytes(b"$FL2@(#) SPSS DATA FILE" + bytes(200))
        done = run("audit", missing, *columns, "--out", str(folder / "no"))
        assert done.returncode == 2, done.stderr
        assert f"pip install {package}" in done.stderr.replace("'", ""), done.stderr
        assert "Traceback" not in done.stderr, done.stderr
print(f"core only, {sys.version.split()[0]}: an audit, and what is missing is named")
