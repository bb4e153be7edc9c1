"""Outputs that appear whole or not at all, and the manifest that says where they came from.

One rule stands behind this file: singleout never removes a file that it did not write itself. A target is resolved
before it is checked; an earlier result is replaced only where its manifest lists every file in it with the same digest,
and it is looked at again at the very moment of replacing; files are removed one by one, never as a tree.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path

from singleout.ground.errors import OutputError
from singleout.ground.leftovers import clear_leftovers, make_owned_folder, remove_files
from singleout.ground.resources import free_on_disk, in_bytes, is_full

MANIFEST = "manifest.json"
SCHEMA = "singleout/manifest/2"
PACKAGES = ("singleout", "numpy", "scipy", "numba", "duckdb", "pyarrow", "joblib")
WORKING_FOLDER, EXCHANGE = -100, 2
"""Arguments of Linux's renameat2: AT_FDCWD and RENAME_EXCHANGE."""


@contextmanager
def whole_folder(target: Path, manifest: Mapping[str, object], *, private: Collection[str] = ()) -> Iterator[Path]:
    """A new folder to write into; it takes the place of ``target`` only when the block ends well.

    ``manifest`` is written last, with the digest of every file. On any failure, a full disk or Ctrl-C included, the
    unfinished folder is removed and ``target`` is as it was. Only their owner may read the ``private`` files and, where
    the manifest says that identities are revealed, the whole folder.
    """
    target = check_target(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = make_owned_folder(target.parent)
    except OSError as error:
        raise _cannot_write(target, error) from error
    try:
        yield unfinished
        _complete(unfinished, manifest, private)
        _swap(unfinished, target)
    except BaseException as error:
        needed = _bytes_in(unfinished)
        remove_files(unfinished)
        if isinstance(error, OSError):
            raise _cannot_write(target, error, needed) from error
        raise


def check_target(target: Path, inputs: Iterable[Path] = ()) -> Path:
    """The target with every link and ``..`` resolved; refused where it cannot be written without losing anything.

    It may be new, empty, or hold an earlier result of ours and not a file more; and none of the ``inputs``.
    """
    try:
        resolved = target.resolve()
        _refuse_foreign(target, resolved)
        for file in inputs:
            if resolved in (file.resolve(), *file.resolve().parents, *file.absolute().parents):
                raise OutputError(
                    f"out: {target} holds the input {file.name}, which would be lost. Name another folder."
                )
        standing = next(parent for parent in resolved.parents if parent.is_dir())
        clear_leftovers(standing)
        Path(tempfile.mkdtemp(prefix=".singleout-", dir=standing)).rmdir()
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links is a RuntimeError, a zero byte a ValueError
        raise _cannot_write(target, error) from error
    return resolved


def _refuse_foreign(target: Path, resolved: Path) -> None:
    """Refuse a target that is anything but new, empty, or an earlier result of ours."""
    here = Path.cwd().resolve()
    if resolved in (here, *here.parents):
        raise OutputError("out: must name a folder, such as result; the folder you are in cannot be replaced.")
    if resolved.exists() and not resolved.is_dir():
        raise OutputError(f"out: {target} is not a folder. Name a folder that does not exist yet.")
    if resolved.is_dir() and any(resolved.iterdir()) and not is_earlier_result(resolved):
        raise OutputError(
            f"out: {target} holds other files, or a result changed since. Name a new folder, or an earlier result."
        )


def is_earlier_result(folder: Path) -> bool:
    """Whether a folder holds a result of ours as it was written, and not a file more."""
    digests = _listed(folder)
    try:
        return bool(digests) and all(_is_as_listed(path, digests) for path in folder.iterdir())
    except OSError:
        return False


def _listed(folder: Path) -> dict[str, str]:
    """Names and digests of the files that a folder's manifest lists; nothing where it is no manifest of ours."""
    path = folder / MANIFEST
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return {}
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            return {}
        return {str(each["name"]): str(each["sha256"]) for each in document["files"]} | {MANIFEST: ""}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _is_as_listed(path: Path, digests: Mapping[str, str]) -> bool:
    if path.name not in digests or not stat.S_ISREG(path.lstat().st_mode):
        return False
    return path.name == MANIFEST or digest(path) == digests[path.name]


def write_json(path: Path, document: object) -> None:
    """Plain JSON, keys as given, the same bytes for the same document; NaN is refused."""
    path.write_text(in_json(document), encoding="utf-8")


def in_json(document: object) -> str:
    """The text of such a file. What is no Unicode, such as a file name in another encoding, becomes a question mark."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode(errors="replace").decode()


def write_whole(path: Path, text: str | bytes) -> None:
    """Write one file; it takes the place of an earlier one only when all of it is on the disk."""
    content = text.encode() if isinstance(text, str) else text
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".unfinished", dir=path.parent)
    except OSError as error:
        raise _cannot_write(path, error, len(content)) from error
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.chmod(0o666 & ~_umask())
        unfinished.replace(path)
    except OSError as error:
        raise _cannot_write(path, error, len(content)) from error
    finally:
        unfinished.unlink(missing_ok=True)


def manifest(
    *,
    command: str,
    parameters: Mapping[str, object],
    inputs: Iterable[Path],
    seed: int,
    seconds: float,
    reveal: bool | None,
) -> dict[str, object]:
    """Versions, parameters, digests of the inputs, seed and run time. Files go by name, never by path.

    ``reveal`` is None where there is nothing to reveal. The files of the result are listed when they are written.
    """
    return {
        "schema": SCHEMA,
        "command": command,
        "parameters": dict(parameters),
        "seed": seed,
        **({} if reveal is None else {"reveal": reveal}),
        "inputs": [_described(path) for path in inputs],
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


def _described(path: Path) -> dict[str, object]:
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": digest(path)}


def _complete(unfinished: Path, manifest: Mapping[str, object], private: Collection[str]) -> None:
    """Write the manifest, bring everything to the disk, and set who may read it."""
    files = sorted(unfinished.iterdir())
    write_json(unfinished / MANIFEST, {**manifest, "files": [_described(file) for file in files]})
    reveal = manifest.get("reveal") is True
    for file in (*files, unfinished / MANIFEST):
        if reveal or file.name in private:
            file.chmod(0o600)
        _to_disk(file)
    unfinished.chmod(0o700 if reveal else 0o777 & ~_umask())


def _swap(unfinished: Path, target: Path) -> None:
    """Put the finished folder in place; an earlier result goes away only once the new one stands."""
    if not target.exists():
        unfinished.rename(target)
        return
    _refuse_foreign(target, target)  # files may have come into it while we were at work
    if not _exchange(unfinished, target):
        aside = unfinished.with_suffix(".earlier")
        target.rename(aside)
        try:
            unfinished.rename(target)
        except BaseException:
            aside.rename(target)
            raise
        unfinished = aside
    _remove_result(unfinished)


def _exchange(one: Path, other: Path) -> bool:
    """Swap the names of two folders in one step, where the system can; a kill then finds one of them whole."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    return bool(call(WORKING_FOLDER, os.fsencode(one), WORKING_FOLDER, os.fsencode(other), EXCHANGE) == 0)


def _remove_result(folder: Path) -> None:
    """Remove the files that are as the manifest lists them; anything else stays, and the folder with it."""
    with suppress(OSError):
        digests = _listed(folder)
        # the manifest last, so that what a kill leaves can still be told from other files
        for path in sorted(folder.iterdir(), key=lambda path: path.name == MANIFEST):
            if _is_as_listed(path, digests):
                path.unlink()
        folder.rmdir()


def _to_disk(file: Path) -> None:
    """Make a full disk show now, not after the swap."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _umask() -> int:
    """Folders of a run are closed to all others; results follow the user's usual rights."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _bytes_in(folder: Path) -> int:
    with suppress(OSError):
        return sum(path.stat().st_size for path in folder.iterdir())
    return 0


def _cannot_write(target: Path, error: Exception, needed: int = 0) -> OutputError:
    if isinstance(error, OutputError):
        return error
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    room = f" ({in_bytes(needed)} or more needed, {in_bytes(free_on_disk(target))} free)" if is_full(error) else ""
    return OutputError(f"out: cannot write {target}: {reason}{room}. Nothing was left half-written.")
