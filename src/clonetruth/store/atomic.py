"""Atomic writes: a crash leaves the old state or the new one, never half of each.

Everything is written under a temporary name in the same folder, synced to disk, and renamed. Temporary names start
with a dot and end in `.clonetruth-unfinished`, so that no glob for tables finds them. Their owner holds a lock on
them: leftovers of a dead process are recognised by their free lock, and removed by the next writer in the folder.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from clonetruth.arrow_files import remember_files
from clonetruth.errors import InputError

if sys.platform != "win32":
    import fcntl

_SUFFIX = ".clonetruth-unfinished"


def _try_lock(path: Path) -> int | None:
    """Open and lock; the descriptor, or None if another process holds the lock or the path is gone."""
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Another process may have removed the path between open and lock.
        if os.fstat(descriptor).st_ino == path.stat().st_ino:
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def _sweep(directory: Path) -> None:
    """Remove the leftovers of dead processes from a folder. A lock protects the work of a living one."""
    for leftover in directory.glob(f".*{_SUFFIX}"):
        descriptor = _try_lock(leftover)
        if descriptor is None:
            continue
        try:
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)
        finally:
            os.close(descriptor)


def sync(path: Path) -> None:
    """Force a file or folder to disk."""
    if sys.platform == "win32" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A temporary file that becomes `path` when the block ends without an exception.

    An existing file is replaced atomically. The folder is created if its parent exists, and removed again if nothing
    comes of the file.
    """
    created = not path.parent.exists()
    if created:
        path.parent.mkdir(exist_ok=True)
        sync(path.parent.parent)
    _sweep(path.parent)
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}{_SUFFIX}"
    lock = None
    try:
        temporary.touch(exist_ok=False)
        lock = _try_lock(temporary)
        yield temporary
        sync(temporary)
        temporary.replace(path)
        sync(path.parent)
        if path.suffix == ".parquet":
            remember_files([path])
    except BaseException:
        temporary.unlink(missing_ok=True)
        if created:
            with contextlib.suppress(OSError):  # another process uses it meanwhile
                path.parent.rmdir()
        raise
    finally:
        if lock is not None:
            os.close(lock)


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that becomes `path` when the block ends without an exception.

    Raises:
        InputError: `path` exists already, or its parent is missing.
    """
    if not path.parent.is_dir():
        raise InputError("The parent folder does not exist.", where=path.parent, hint="Create it first.")
    _refuse_existing(path)
    _sweep(path.parent)
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}{_SUFFIX}"
    temporary.mkdir()
    lock = _try_lock(temporary)
    try:
        yield temporary
        for inside in sorted(temporary.rglob("*"), reverse=True):
            sync(inside)
        sync(temporary)
        _refuse_existing(path)
        try:
            temporary.rename(path)
        except OSError as error:
            raise InputError("The folder cannot be renamed to its final name.", where=path, hint=str(error)) from error
        sync(path.parent)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    finally:
        if lock is not None:
            os.close(lock)


@contextlib.contextmanager
def scratch_folder(directory: Path) -> Iterator[Path]:
    """A hidden temporary folder within `directory`, removed at the end of the block."""
    _sweep(directory)
    temporary = directory / f".scratch.{secrets.token_hex(8)}{_SUFFIX}"
    temporary.mkdir()
    lock = _try_lock(temporary)
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if lock is not None:
            os.close(lock)


@contextlib.contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """Wait until no other process is in such a block for this folder. Its content stays readable."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _refuse_existing(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise InputError(
            "The path exists already, and is never overwritten.",
            where=path,
            hint="Choose another name, or remove it first.",
        )
