"""Folders and archives, read the same way: names and contents. Nothing is unpacked to disk."""

from __future__ import annotations

import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from clonetruth.budgets import ReadingBudget, budget, read_bytes
from clonetruth.errors import InputError
from clonetruth.formats.reads import reported_member

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    RuntimeError,
    struct.error,
    ValueError,
    OverflowError,
)
"""The errors that the libraries raise for damaged or encrypted archives and unknown compression methods."""


@dataclass(frozen=True)
class ArchiveMember:
    """A file of a tree: its relative name with forward slashes, its size, and a function that reads it."""

    name: PurePosixPath
    size: int
    read: Callable[[], bytes]


def check_zip(path: Path) -> None:
    """Refuse a zip file in another format (a workbook, arrays) that is too large when unpacked; others pass.

    Raises:
        InputError: a budget is exceeded.
    """
    check = _Check(path, budget())
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                check.admit(info.filename, info.file_size)
    except (*_DAMAGE, OSError):
        return  # the reader of the format says what is wrong


def is_tree(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a folder or an archive."""
    path = Path(path)
    return path.is_dir() or path.name.lower().endswith((".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"))


def read_tree(path: str | os.PathLike[str], limits: ReadingBudget | None = None) -> Iterator[ArchiveMember]:
    """The files of a folder or archive, sorted by name for folders and zip files.

    A tar file is read in its own order; read a member's content before you advance to the next member.

    Raises:
        InputError: the archive is damaged, has a member outside the tree, or exceeds the budgets.
    """
    path = Path(path)
    limits = limits or budget()
    try:
        for number, member in enumerate(_members(path, limits)):
            yield replace(member, read=reported_member(path, number, member.read))
    except _DAMAGE as error:
        raise InputError(f"The archive is damaged: {error}", where=path) from error
    except OSError as error:
        raise InputError(f"Cannot read: {error.strerror or error}.", where=error.filename or path) from error


def _members(path: Path, limits: ReadingBudget) -> Iterator[ArchiveMember]:
    if path.is_dir():
        return _folder(path)
    return _zip(path, limits) if path.suffix.lower() == ".zip" else _tar(path, limits)


def _folder(root: Path) -> Iterator[ArchiveMember]:
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file():
                relative = PurePosixPath(file.relative_to(root).as_posix())
                yield ArchiveMember(
                    relative, file.stat().st_size, _guarded(root, str(relative), partial(read_bytes, file, "member"))
                )


def _zip(path: Path, limits: ReadingBudget) -> Iterator[ArchiveMember]:
    with zipfile.ZipFile(path) as archive:
        members = sorted((info for info in archive.infolist() if not info.is_dir()), key=lambda info: info.filename)
        check = _Check(path, limits)
        for info in members:
            name = check.admit(info.filename, info.file_size)
            yield ArchiveMember(name, info.file_size, _reader(path, info.filename, archive.open, info, info.file_size))


def _tar(path: Path, limits: ReadingBudget) -> Iterator[ArchiveMember]:
    with tarfile.open(path) as archive:
        check = _Check(path, limits)
        for info in archive:
            if info.isfile():
                name = check.admit(info.name, info.size)

                def read(info: tarfile.TarInfo = info) -> bytes:
                    stream = archive.extractfile(info)
                    return stream.read() if stream else b""

                yield ArchiveMember(name, info.size, _guarded(path, info.name, read))


def _guarded(path: Path, name: str, read: Callable[[], bytes]) -> Callable[[], bytes]:
    """Members are read outside `read_tree`, so errors must name the file here too."""

    def guarded() -> bytes:
        try:
            return read()
        except _DAMAGE as error:
            raise InputError(f"The member '{name}' is damaged: {error}", where=path) from error
        except OSError as error:
            raise InputError(f"Cannot read: {error.strerror or error}.", where=f"{path}: {name}") from error

    return guarded


def _reader(
    path: Path, name: str, open_member: Callable[[zipfile.ZipInfo], IO[bytes]], info: zipfile.ZipInfo, size: int
) -> Callable[[], bytes]:
    def read() -> bytes:
        with open_member(info) as stream:
            # Read one byte more than announced, to detect a member that is larger than its header states.
            content = stream.read(size + 1)
        if len(content) > size:
            raise InputError(f"The member '{name}' is larger than its header states.", where=path)
        return content

    return _guarded(path, name, read)


class _Check:
    """Counts the members of an archive, and refuses suspicious ones."""

    def __init__(self, path: Path, limits: ReadingBudget) -> None:
        self.path, self.limits, self.packed = path, limits, path.stat().st_size
        self.files = 0
        self.total = 0

    def admit(self, name: str, size: int) -> PurePosixPath:
        relative = PurePosixPath(name.replace("\\", "/"))
        if relative.is_absolute() or ".." in relative.parts or ":" in (relative.parts or ("",))[0]:
            raise InputError(f"The member '{name}' would be unpacked outside the archive's folder.", where=self.path)
        self.files += 1
        self.total += size
        if self.files > self.limits.files:
            raise self.limits.exceeded("files", "The archive", self.path)
        if size > self.limits.member:
            raise self.limits.exceeded("member", f"The member '{name}'", self.path)
        self.limits.check_unpacked(self.total, self.packed, self.path)
        return relative
