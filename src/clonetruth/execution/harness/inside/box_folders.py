"""Runs inside the sandbox: the folders that programs can write to, which are emptied for each of them."""

from __future__ import annotations

import stat
from pathlib import Path

from clonetruth.execution.harness.inside.enclosure import WORK

FOLDERS = (WORK, Path("/tmp"), Path("/dev/shm"))
MAX_COMPILED = 48 << 20
MAX_FILES = 2000

Files = dict[str, tuple[bytes, bool]]
"""Contents by path, and whether they can be executed."""


def clean() -> None:
    """Remove what was left."""
    for folder in FOLDERS:
        folder.chmod(stat.S_IRWXU)
        for path in folder.iterdir():
            remove(path)


def remove(path: Path) -> None:
    """Remove a file or a folder, whatever its permissions are."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    path.chmod(stat.S_IRWXU)
    for one in path.iterdir():
        remove(one)
    path.rmdir()


def fill(files: Files) -> None:
    """Make the folders empty, but for these files."""
    clean()
    for name, (content, executable) in files.items():
        path = WORK / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if executable:
            path.chmod(0o755)


def collected() -> Files:
    """The regular files of the working folder.

    Raises:
        OSError: there are too many.
    """
    found: Files = {}
    size = 0
    for path in WORK.rglob("*"):
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            continue
        size += status.st_size
        if size > MAX_COMPILED or len(found) > MAX_FILES:
            raise OSError("too large")
        found[str(path.relative_to(WORK))] = (path.read_bytes(), bool(status.st_mode & stat.S_IXUSR))
    return found
