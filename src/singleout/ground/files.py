"""Outputs that appear whole or not at all, and the manifest that says where they came from.

One rule stands behind this file: singleout never removes a file that it did not write itself. A target is resolved
before it is checked; an earlier result is replaced only by the command that wrote it, where its manifest is unchanged
and lists every file in it with the same digest; it is looked at again at the very moment of replacing; files are
removed one by one, never as a tree.
"""

from __future__ import annotations

import ctypes
import os
import platform
import secrets
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from singleout.ground.delayed_signals import unbroken
from singleout.ground.earlier_results import (
    MANIFEST,
    SCHEMA,
    ResultOf,
    digest,
    in_json,
    remove_result,
    seal,
    why_not_replaced,
)
from singleout.ground.errors import OutputError
from singleout.ground.leftovers import PART, clear_leftovers, let_go, make_owned_folder, remove_files
from singleout.ground.resources import free_on_disk, in_bytes, is_full

PACKAGES = ("singleout", "numpy", "scipy", "numba", "duckdb", "pyarrow", "joblib")
WORKING_FOLDER, EXCHANGE = -100, 2
"""Arguments of Linux's renameat2: AT_FDCWD and RENAME_EXCHANGE."""


WRITTEN: list[Path] = []
"""Results that took their place in this process: what is said when it is interrupted must be true."""


@contextmanager
def whole_folder(
    target: Path, manifest: Mapping[str, object], files: Collection[str], *, private: Collection[str] = ()
) -> Iterator[Path]:
    """A new folder to write into; it takes the place of ``target`` only when the block ends well.

    ``files`` are all names that the command of the ``manifest`` may ever write: a folder with any other file is not
    replaced. The manifest is written last, with the digest of every file. On any failure, a full disk or Ctrl-C
    included, the unfinished folder is removed and ``target`` is as it was. Only their owner may read the ``private``
    files and, where the manifest says that identities are revealed, the whole folder.
    """
    result = ResultOf(str(manifest.get("command")), frozenset(files))
    target = check_target(target, result)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = make_owned_folder(target.parent)
    except OSError as error:
        raise _cannot_write(target, error) from error
    try:
        yield unfinished
        _complete(unfinished, manifest, result, private)
        with unbroken():
            _swap(unfinished, target, result)
            WRITTEN.append(target)
            let_go(unfinished)
    except BaseException as error:
        needed = _bytes_in(unfinished)
        remove_files(unfinished, result.files)
        if isinstance(error, OSError):
            raise _cannot_write(target, error, needed) from error
        raise


def check_target(target: Path, result: ResultOf, inputs: Iterable[Path] = ()) -> Path:
    """The target with every link and ``..`` resolved; refused where it cannot be written without losing anything.

    It may be new, empty, or hold an earlier ``result`` and not a file more; and none of the ``inputs``.
    """
    try:
        resolved = target.resolve()
        _refuse_here(target, resolved)
        for file in inputs:
            if resolved in (file.resolve(), *file.resolve().parents, *file.absolute().parents):
                what = "is the input file" if resolved == file.resolve() else f"contains the input {file.name}"
                raise OutputError(f"{target} {what}, which would be lost. Name another folder.", argument="out")
        _refuse_foreign(target, resolved, result)
        standing = next(parent for parent in resolved.parents if parent.exists())
        if not standing.is_dir():
            raise OutputError(f"cannot write {target}: {standing.name} is a file, not a folder.", argument="out")
        clear_leftovers(standing, result.files)
        Path(tempfile.mkdtemp(prefix=".singleout-", dir=standing)).rmdir()
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links is a RuntimeError, a zero byte a ValueError
        raise _cannot_write(target, error) from error
    return resolved


def _refuse_here(target: Path, resolved: Path) -> None:
    """Refuse the working folder and those above it."""
    here = Path.cwd().resolve()
    if resolved in (here, *here.parents):
        which = "The current folder" if resolved == here else "A folder that contains the current one"
        must, shown = (
            "a new folder, such as result",
            "an empty name or '.'" if str(target) == "." else repr(str(target)),
        )
        raise OutputError("", argument="out", must=must, got=shown, hint=f"{which} cannot be replaced.")


def _refuse_foreign(target: Path, resolved: Path, result: ResultOf) -> None:
    """Refuse a target that is anything but new, empty, or an earlier result of the same command."""
    if resolved.exists() and not resolved.is_dir():
        raise OutputError(f"{target} is not a folder. Name a folder that does not exist yet.", argument="out")
    fault = why_not_replaced(resolved, result) if resolved.is_dir() else ""
    if fault:
        raise OutputError(
            f"{target} {fault}. Name a new folder, or one that this command wrote earlier.", argument="out"
        )


def write_json(path: Path, document: object) -> None:
    """Plain JSON, keys as given, the same bytes for the same document; NaN is refused."""
    path.write_text(in_json(document), encoding="utf-8")


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
    reveal: bool | None,
    hide_names: bool = False,
    servers: Sequence[str] = (),
) -> dict[str, object]:
    """Versions, parameters, digests of inputs and seed: nothing that depends on a clock. Files go by name, not by path.

    ``reveal`` is None where there is nothing to reveal. ``hide_names``: names of inputs are ids of people, so files go
    by number. ``servers`` are sources that are no files, and have no digest. The files of the result are listed when
    they are written.
    """
    described = [_describe(path) for path in inputs]
    if hide_names:
        described = [about | {"name": f"file {n:,} of {len(described):,}"} for n, about in enumerate(described, 1)]
    return {
        "schema": SCHEMA,
        "command": command,
        "parameters": dict(parameters),
        "seed": seed,
        **({} if reveal is None else {"reveal": reveal}),
        "inputs": described,
        **({"sources": list(servers)} if servers else {}),
        **versions(),
    }


def versions() -> dict[str, object]:
    """What the numbers were made with."""
    from importlib import metadata  # slow to load

    return {"python": platform.python_version(), "versions": {name: metadata.version(name) for name in PACKAGES}}


def _describe(path: Path) -> dict[str, object]:
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": digest(path)}


def _complete(unfinished: Path, manifest: Mapping[str, object], result: ResultOf, private: Collection[str]) -> None:
    """Write the manifest, bring everything to the disk, and set who may read it."""
    files = sorted(unfinished.iterdir())
    foreign = [file.name for file in files if file.name not in result.files]
    if foreign:
        raise OutputError(f"{unfinished} holds a file that is not of this result. Move it away.", argument="out")
    listed = unfinished / MANIFEST
    write_json(unfinished / PART, seal({**manifest, "files": [_describe(file) for file in files]}))
    (unfinished / PART).rename(listed)  # a kill leaves a whole one or none
    reveal = manifest.get("reveal") is True
    for file in (*files, listed):
        if reveal or file.name in private:
            file.chmod(0o600)
        _to_disk(file)
    unfinished.chmod(0o700 if reveal else 0o777 & ~_umask())


def _swap(unfinished: Path, target: Path, result: ResultOf) -> None:
    """Put the finished folder in place; an earlier result goes away only once the new one stands."""
    if not target.exists():
        unfinished.rename(target)
        return
    _refuse_foreign(target, target, result)  # files may have come into it while we were at work
    _keep_closed(unfinished, target)
    if not _exchange(unfinished, target):
        aside = unfinished.with_suffix(".earlier")
        target.rename(aside)
        try:
            unfinished.rename(target)
        except BaseException:
            aside.rename(target)
            raise
        unfinished = aside
    remove_result(unfinished)
    if unfinished.exists():  # files came into it at the last moment: under this name no later run takes it for its own
        unfinished.rename(target.with_name(f"{target.name}-replaced-{secrets.token_hex(4)}"))


def _keep_closed(new: Path, earlier: Path) -> None:
    """Who could not read the earlier folder or file cannot read the new one; a new name is as open as any before."""
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in earlier.iterdir()}
    widest = 0
    for mode in modes.values():
        widest |= mode
    for path in new.iterdir():
        path.chmod(stat.S_IMODE(path.stat().st_mode) & modes.get(path.name, widest if modes else 0o777))
    new.chmod(stat.S_IMODE(new.stat().st_mode) & stat.S_IMODE(earlier.stat().st_mode))


def _exchange(one: Path, other: Path) -> bool:
    """Swap the names of two folders in one step, where the system can; a kill then finds one of them whole."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    return bool(call(WORKING_FOLDER, os.fsencode(one), WORKING_FOLDER, os.fsencode(other), EXCHANGE) == 0)


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
    return OutputError(f"cannot write {target}: {reason}{room}. Nothing was left half-written.", argument="out")
