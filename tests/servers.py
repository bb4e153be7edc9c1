"""A PostgreSQL server of our own on a free port of this machine, gone afterwards."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

PASSWORD = "correct horse/7"
PATIENCE = 30


def programs():
    """The folder of PostgreSQL's programs; None where it is not installed."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders and (folders[-1] / "initdb").exists() else None


@contextmanager
def postgres():
    """Start a server; yields its address, with the password as a variable.

    Its files are not in a folder of pytest's: any session of pytest that starts on the same machine closes those to all
    but root, and the server ends when it finds its files closed.
    """
    with tempfile.TemporaryDirectory(prefix="singleout-server-") as folder, _started(Path(folder)) as address:
        yield address


@contextmanager
def _started(folder):
    # it refuses to run as root
    user = {"user": "postgres"} if os.getuid() == 0 else {}
    data, password = folder / "data", folder / "password"
    data.mkdir()
    password.write_text(PASSWORD)
    if user:
        shutil.chown(data, "postgres")
        shutil.chown(password, "postgres")
        for each in (folder, *folder.parents):
            if each.stat().st_uid == 0 and each != Path("/"):
                each.chmod(each.stat().st_mode | 0o011)
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    made = [
        programs() / "initdb",
        "-D",
        data,
        "-U",
        "auditor",
        "--pwfile",
        password,
        "-A",
        "scram-sha-256",
        "-E",
        "UTF8",
    ]
    subprocess.run(made, check=True, capture_output=True, cwd="/", env=env, **user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [programs() / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", "", "-F"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(words, cwd="/", env=env, stdout=nowhere, stderr=nowhere, **user) as server:
        try:
            wait_for(port)
            yield f"postgresql://auditor:${{AUDITORS_PASSWORD}}@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)  # does not wait for connections that are still open


def wait_for(port):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            time.sleep(0.5)  # it listens a moment before it answers
            return
    raise TimeoutError("the server did not start")


def fill(address, name, table):
    """Store an Arrow table on the server."""
    import adbc_driver_postgresql.dbapi as adbc

    place = address.replace("${AUDITORS_PASSWORD}", quote(PASSWORD, safe=""))
    with adbc.connect(place) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest(name, table)
        connection.commit()
