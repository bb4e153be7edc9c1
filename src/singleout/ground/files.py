"""Outputs that appear whole or not at all, and the manifest that says where they came from."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from singleout.ground.errors import OutputError

MANIFEST = "manifest.json"
PACKAGES = ("singleout", "numpy", "scipy", "numba", "duckdb", "pyarrow", "joblib")


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """A new folder to write into; it takes the place of ``target`` only when the block ends well.

    An earlier result of ours (it has a manifest) is replaced; a folder with anything else in it is left alone and
    refused. On any failure, a full disk or Ctrl-C included, the unfinished folder is removed and ``target`` is as
    it was.
    """
    check_target(target)
    target = target.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{target.name}-", suffix=".unfinished", dir=target.parent))
    except OSError as error:
        raise _cannot_write(target, error) from error
    try:
        yield unfinished
        for file in unfinished.iterdir():
            _to_disk(file)
        _swap(unfinished, target)
    except OSError as error:
        raise _cannot_write(target, error) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def check_target(target: Path) -> None:
    """Refuse a target that cannot be written, or that holds anything but an earlier result of ours."""
    if target == Path():
        raise OutputError("out: must name a folder, such as result; this folder itself cannot be replaced.")
    if target.exists() and not target.is_dir():
        raise OutputError(f"out: {target} is not a folder. Name a folder that does not exist yet.")
    if target.is_dir() and any(target.iterdir()) and not is_earlier_result(target):
        raise OutputError(f"out: {target} holds other files. Name a new folder, or an earlier result to replace.")
    standing = next(parent for parent in (target, *target.absolute().parents) if parent.is_dir())
    try:
        Path(tempfile.mkdtemp(prefix=".singleout-", dir=standing)).rmdir()
    except OSError as error:
        raise _cannot_write(target, error) from error


def is_earlier_result(folder: Path) -> bool:
    """Whether a folder holds a result of ours and not a file more."""
    try:
        document = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = {MANIFEST, *document["files"]} if str(document["schema"]).startswith("singleout/") else set()
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return {path.name for path in folder.iterdir()} <= files


def write_json(path: Path, document: object) -> None:
    """Plain JSON, keys as given, the same bytes for the same document; NaN is refused."""
    path.write_text(in_json(document), encoding="utf-8")


def in_json(document: object) -> str:
    """The text of such a file."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: Path, text: str | bytes) -> None:
    """Write one file; it takes the place of an earlier one only when all of it is on the disk."""
    content = text.encode() if isinstance(text, str) else text
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".unfinished", dir=path.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.chmod(0o666 & ~_umask())
        unfinished.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        unfinished.unlink(missing_ok=True)


def manifest(
    *,
    command: str,
    parameters: Mapping[str, object],
    inputs: Iterable[Path],
    files: Iterable[str],
    seed: int,
    seconds: float,
    reveal: bool | None,
) -> dict[str, object]:
    """Versions, parameters, digests of the inputs, seed and run time. Files go by name, never by path.

    ``files`` are those beside it: a folder that holds just these may be replaced by a later run. ``reveal`` is None
    where there is nothing to reveal.
    """
    return {
        "schema": "singleout/manifest/1",
        "command": command,
        "parameters": dict(parameters),
        "seed": seed,
        **({} if reveal is None else {"reveal": reveal}),
        "inputs": [{"name": path.name, "bytes": path.stat().st_size, "sha256": digest(path)} for path in inputs],
        "files": list(files),
        "seconds": round(seconds, 3),
        **versions(),
    }


def versions() -> dict[str, object]:
    """What the numbers were made with."""
    return {"python": platform.python_version(), "versions": {name: metadata.version(name) for name in PACKAGES}}


def digest(path: Path) -> str:
    """SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _swap(unfinished: Path, target: Path) -> None:
    """Put the finished folder in place; an earlier result goes away only once the new one stands."""
    unfinished.chmod(0o777 & ~_umask())
    if not target.exists():
        unfinished.rename(target)
        return
    earlier = unfinished.with_suffix(".earlier")
    target.rename(earlier)
    try:
        unfinished.rename(target)
    except BaseException:
        earlier.rename(target)
        raise
    shutil.rmtree(earlier, ignore_errors=True)


def _to_disk(file: Path) -> None:
    """Make a full disk show now, not after the swap."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _umask() -> int:
    """Folders made by ``mkdtemp`` are closed to all others; results follow the user's usual rights."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _cannot_write(target: Path, error: OSError) -> OutputError:
    if isinstance(error, OutputError):
        return error
    reason = error.strerror or type(error).__name__
    return OutputError(f"out: cannot write {target}: {reason}. Nothing was left half-written.")
