"""Compressed files that are unpacked before they are read: within bounds, into a folder of ours."""

from __future__ import annotations

import codecs
import fnmatch
import shlex
import zipfile
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO

from singleout.ground.errors import SourceError
from singleout.ground.notes import cut_middle
from singleout.ground.resources import free_on_disk, in_bytes
from singleout.reading.kinds import BROKEN, FileKind, Packing, look_into, not_complete, open_unpacked
from singleout.reading.parts import label_files

PIECE = 1 << 20
ALWAYS = 1_000_000_000
"""Bytes that a compressed file may always hold."""
RATIO = 200
"""Times its own size that a larger file may hold: logs compress well, only bombs compress better."""
SHARE_OF_DISK = 0.5
"""Of the free disk space that unpacked files may take."""
MOST_MEMBERS = 10_000
LISTED = 5
LONGEST_NAME = 100
PREFIX = "unpacked-"
"""How our copies begin: a number follows, then the name of the file."""


class UnpackedFolder:
    """A folder that takes unpacked files until a bound, which all files of one source share."""

    def __init__(self, folder: Callable[[], Path], packed: int) -> None:
        """``folder`` makes the folder when it is needed; ``packed`` is the size of what is unpacked."""
        self._folder, self._packed = folder, packed
        self._taken = 0
        self._number = 0

    @cached_property
    def folder(self) -> Path:
        """Where the copies are."""
        return self._folder()

    @cached_property
    def room(self) -> int:
        """The most bytes of all copies."""
        return round(min(max(ALWAYS, RATIO * self._packed), SHARE_OF_DISK * free_on_disk(self.folder)))

    def unpack(self, file: Path, packing: Packing | None, encoding: str | None = None, label: str = "") -> Path:
        """A copy of a file, decompressed; text in an ``encoding`` becomes UTF-8."""
        label = label or str(file)
        bare = file.name.removesuffix(file.suffix) if packing is not None else file.name
        try:
            with open_unpacked(file, packing) as stream:
                return self.copy(stream, label, bare, encoding)
        except UnicodeError as error:
            raise SourceError(f"{label} is not text in the encoding {encoding}.") from error
        except BROKEN as error:
            if isinstance(error, OSError) and error.errno:  # the fault of the disk or of permissions
                raise
            raise not_complete(label, packing or FileKind.TEXT) from error

    def copy(self, stream: IO[bytes], label: str, name: str, encoding: str | None = None) -> Path:
        """Write what a stream holds under a name; ``label`` says where it comes from."""
        self._number += 1
        target = self.folder / f"{PREFIX}{self._number:06d}-{name[-LONGEST_NAME:]}"
        with target.open("wb") as out:
            for piece in _pieces(stream, encoding):
                self._taken += len(piece)
                if self._taken > self.room:
                    raise self._too_large(label)
                out.write(piece)
        return target

    def _too_large(self, label: str) -> SourceError:
        hint = "If it is what you expect, unpack it yourself and give the unpacked files."
        return SourceError(
            f"{label} holds more than {in_bytes(self.room)} when unpacked, the most allowed here. {hint}"
        )


def _pieces(stream: IO[bytes], encoding: str | None) -> Iterator[bytes]:
    decoder = None if encoding is None else codecs.getincrementaldecoder(encoding)()
    while piece := stream.read(PIECE):
        yield piece if decoder is None else decoder.decode(piece).encode()
    if decoder is not None:
        yield decoder.decode(b"", final=True).encode()


def unzip(file: Path, chosen: str | None, folder: UnpackedFolder, which: str = "") -> dict[Path, str]:
    """Copies of the data files in a ZIP archive and what each is called; all of one kind, or only those chosen.

    ``chosen`` is the name of a file in the archive, or a pattern; ``which`` is what messages call the archive.
    """
    which = which or str(file)
    try:
        with zipfile.ZipFile(file) as archive:
            members = _members(archive, which, chosen)
            copies = {_copy(archive, member, which, folder): member.filename for member in members}
    except BROKEN as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise not_complete(which, FileKind.ZIP) from error
    except (RuntimeError, NotImplementedError) as error:  # a password, or a way of compression Python does not know
        raise SourceError(f"{which} has a password, or is compressed in an unusual way. Unpack it first.") from error
    _check_kinds(copies, which)
    return copies


def _members(archive: zipfile.ZipFile, which: str, chosen: str | None) -> list[zipfile.ZipInfo]:
    """The data files: not folders, and not what systems add to them."""
    there = [each for each in archive.infolist() if not each.is_dir() and not _is_of_system(each.filename)]
    if chosen is not None:
        named = [each for each in there if each.filename == chosen]
        named = named or [each for each in there if fnmatch.fnmatchcase(each.filename, chosen)]
        if not named:
            raise SourceError(f"{which} holds no file {cut_middle(chosen, LONGEST_NAME)!r}. {_listed(there)}")
        there = named
    if not there:
        raise SourceError(f"{which} holds no file.")
    if len(there) > MOST_MEMBERS:
        raise SourceError(f"{which} holds {len(there):,} files; at most {MOST_MEMBERS:,} are read. Unpack it first.")
    return sorted(there, key=lambda each: each.filename)


def _is_of_system(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part.startswith(".") for part in parts) or parts[0] == "__MACOSX" or parts[-1] == "Thumbs.db"


def _listed(members: list[zipfile.ZipInfo]) -> str:
    names = [cut_middle(each.filename, LONGEST_NAME) for each in members[:LISTED]]
    more = f" and {len(members) - LISTED:,} more" if len(members) > LISTED else ""
    return f"It holds {', '.join(names)}{more}."


def _copy(archive: zipfile.ZipFile, member: zipfile.ZipInfo, which: str, folder: UnpackedFolder) -> Path:
    with archive.open(member) as stream:
        return folder.copy(stream, which, PurePosixPath(member.filename).name)


def _check_kinds(copies: dict[Path, str], which: str) -> None:
    kinds: dict[FileKind, str] = {}
    numbers = label_files(list(copies))
    for path, name in copies.items():
        label = f"{name if len(copies) == 1 else numbers[path]} in {which}"
        if not path.stat().st_size:
            raise SourceError(f"{label} is empty.")
        contents = look_into(path, label)
        if contents.packing is not None or contents.kind is FileKind.ZIP:
            raise SourceError(f"{label} is compressed once more. Unpack it first.")
        kinds.setdefault(contents.kind, name)
    if len(kinds) > 1:
        first = shlex.quote(f"{which}?file={next(iter(kinds.values()))}")
        listed = ", ".join(f"{name} ({kind})" for kind, name in kinds.items())
        raise SourceError(f"{which} holds files of several kinds: {listed}. Choose with ?file=, for example {first}")
