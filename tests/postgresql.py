"""A PostgreSQL server for the tests: a new cluster in a temporary folder, reached through a socket in it."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

_DEBIAN = Path("/usr/lib/postgresql")


def programs() -> Path | None:
    """The folder with `initdb` and `pg_ctl`; Debian keeps it off the path."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    versions = sorted(_DEBIAN.glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


class Cluster:
    """A server that can be stopped as hard as a power cut, and started again."""

    def __init__(self, bin_folder: Path, folder: Path, user: str | None) -> None:
        self._bin = bin_folder
        self._folder = folder
        # PostgreSQL refuses to run as root.
        self._as_user = ["runuser", "-u", user, "--"] if user else []
        self._run("initdb", "--auth=trust", "--username=judge", "--encoding=UTF8", "--no-locale")

    @property
    def url(self) -> str:
        return f"postgresql://judge@/postgres?host={quote(str(self._folder), safe='')}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self._folder} -c max_connections=200"
        self._run("pg_ctl", "start", "-w", "-l", str(self._folder / "log"), "-o", options)

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self._bin / program), "-D", str(self._folder / "data"), *arguments]
        # A file, not a pipe: the server inherits it, and a pipe would never end.
        with (self._folder / "output").open("a+") as output:
            done = subprocess.run(command, stdout=output, stderr=output, cwd=self._folder, check=False)
            output.seek(0)
            assert done.returncode == 0, output.read()


@contextlib.contextmanager
def cluster(bin_folder: Path) -> Iterator[Cluster]:
    """A running cluster, which is removed at the end of the block."""
    # Not pytest's folder: the server's user may not enter it, and the path of a socket must be short.
    folder = Path(tempfile.mkdtemp(prefix="clonetruth-pg-"))
    user = None
    if os.geteuid() == 0:
        user = "postgres" if "postgres" in {entry.pw_name for entry in pwd.getpwall()} else "nobody"
        shutil.chown(folder, user)
    try:
        server = Cluster(bin_folder, folder, user)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
