"""Which folder may be replaced: an earlier result of the same command, whole and as it was written; no other."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout.ground.notes import cut_middle

MANIFEST = "manifest.json"
SCHEMA = "singleout/manifest/4"
SCHEMAS = "singleout/manifest/"
SEAL = "sha256"
"""The manifest's own digest: of its text without this field."""
LONGEST_NAME = 80


@dataclass(frozen=True)
class ResultOf:
    """What a command writes: its name, and every file that it may write besides the manifest."""

    command: str
    files: frozenset[str]


def in_json(document: object) -> str:
    """Plain JSON, keys as given, the same text for the same document; NaN is refused.

    What is no Unicode, such as a file name in another encoding, becomes a question mark.
    """
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode(errors="replace").decode()


def seal(document: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest with its own digest, so that an edited one can be distinguished from one that we wrote."""
    return {**document, SEAL: hashlib.sha256(in_json(document).encode()).hexdigest()}


def digest(path: Path) -> str:
    """SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def why_not_replaced(folder: Path, result: ResultOf) -> str:
    """What keeps a folder from being replaced, in words that follow its name; nothing where it may be."""
    names = sorted(path.name for path in folder.iterdir())
    if not _may_be_changed(folder):
        return "is write-protected"
    if not names:
        return ""
    document = _document(folder)
    if _is_of_another_version(document):
        return "holds other files, or a result of another version of singleout, which is not replaced"
    foreign = [name for name in (*names, *_files_of(document)) if name not in (*result.files, MANIFEST)]
    if document and document.get("command") != result.command:
        return f"holds a result of the command {cut_middle(str(document.get('command')), LONGEST_NAME)}"
    if foreign or MANIFEST not in names:
        return f"holds other files, such as {_in_words(foreign or names)}"
    if not document:
        return f"holds other files, or a result that has been changed: {MANIFEST} differs from what was written"
    changed = [name for name in names if not _is_as_listed(folder / name, _files_of(document))]
    if changed:
        return f"holds a result that has been changed: {_in_words(changed)} differs from what was written"
    kept = [name for name in names if not _may_be_changed(folder / name)]
    return f"holds {_in_words(kept)}, which is write-protected" if kept else ""


def is_earlier_result(folder: Path) -> bool:
    """Whether a folder holds a result of ours as it was written, and not a file more."""
    digests = _files_of(_document(folder))
    try:
        return bool(digests) and all(_is_as_listed(path, digests) for path in folder.iterdir())
    except OSError:
        return False


def remove_result(folder: Path) -> None:
    """Remove the files that are as the manifest lists them; anything else stays, and the folder with it."""
    with suppress(OSError):
        digests = _files_of(_document(folder))
        # the manifest last, so that what a kill leaves can still be told from other files
        for path in sorted(folder.iterdir(), key=lambda path: path.name == MANIFEST):
            if _is_as_listed(path, digests):
                path.unlink()
        folder.rmdir()


def _document(folder: Path) -> dict[str, Any]:
    """A folder's manifest; nothing where it is none of ours, or not as it was written."""
    path = folder / MANIFEST
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return {}
        written = path.read_bytes()
        document = dict(json.loads(written))
        if document["schema"] != SCHEMA:
            return {"schema": document["schema"]} if _is_of_another_version(document) else {}
        unsealed = {name: value for name, value in document.items() if name != SEAL}
        genuine = in_json(document).replace("\n", os.linesep).encode() == written and seal(unsealed) == document
        return document if genuine and all(Path(name).name == name for name in _files_of(document)) else {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _is_of_another_version(document: Mapping[str, Any]) -> bool:
    schema = str(document.get("schema"))
    return schema.startswith(SCHEMAS) and schema != SCHEMA


def _files_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Names and digests of the files that a manifest lists, its own included; nothing without a manifest."""
    if "files" not in document:
        return {}
    return {str(each["name"]): str(each["sha256"]) for each in document["files"]} | {MANIFEST: ""}


def _is_as_listed(path: Path, digests: Mapping[str, str]) -> bool:
    if path.name not in digests or not stat.S_ISREG(path.lstat().st_mode):
        return False
    return path.name == MANIFEST or digest(path) == digests[path.name]


def _may_be_changed(path: Path) -> bool:
    """Whether its owner may write it; an administrator may write anything, so the mode says what is meant."""
    return bool(path.stat().st_mode & stat.S_IWUSR)


def _in_words(names: Iterable[str]) -> str:
    return cut_middle(next(iter(names)), LONGEST_NAME)
