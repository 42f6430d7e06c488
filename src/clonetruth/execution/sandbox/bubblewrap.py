"""The sandbox of choice: an unprivileged user, namespaces, a filter of system calls, and limits.

Layers, from the outside: a user that is never root and owns nothing; bubblewrap with new namespaces of every kind, no
network, and a file system of `/usr` and small file systems in memory only; a seccomp filter; resource limits; and,
where this machine lets us, a control group that counts memory and processes of everything inside.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import platform
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import ClassVar

from clonetruth.errors import MissingExtraError
from clonetruth.execution.sandbox.process import Launch, Layer, Limits
from clonetruth.execution.sandbox.seccomp import ARCHITECTURES, seccomp_filter

WORK = "/box"
"""The working folder inside."""

_USERS = range(61184, 65520)
"""Numbers that systems keep free for users that exist only while a service runs."""

_PROGRAMS = "/usr/bin:/usr/local/bin:/bin"
_found: dict[str, str] = {}
_READABLE = ("/usr",)
_LINKS = {"/bin": "usr/bin", "/sbin": "usr/sbin", "/lib": "usr/lib", "/lib32": "usr/lib32", "/lib64": "usr/lib64"}
_CONFIGURATION = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/mono", "/etc/java-*")
"""What toolchains below `/usr` need of `/etc`: it holds no secrets."""

_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_SECONDS_TO_END = 5.0
"""How long killed processes may take to disappear."""


@dataclass(frozen=True)
class Bubblewrap:
    """Encloses programs by bubblewrap, a seccomp filter and resource limits.

    Attributes:
        readable: further folders that programs can read, such as that of an interpreter outside of `/usr`.
        packages: folders of Python packages that code may import; they can be read, too.
    """

    readable: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    verified: ClassVar[bool] = True

    def layers(self) -> tuple[Layer, ...]:
        """See `Sandbox.layers`."""
        return _layers()

    def find(self, program: str) -> str | None:
        """See `Sandbox.find`."""
        if program not in _found:
            found = shutil.which(program, path=_PROGRAMS)
            if found is None:
                # It may be installed later.
                return None
            _found[program] = str(Path(found).resolve())
        return _found[program]

    def launch(self, argv: Sequence[str], files: Mapping[str, bytes], limits: Limits) -> Launch:
        """See `Sandbox.launch`."""
        require(self.layers())
        descriptors: list[int] = []
        try:
            return self._launched(argv, files, limits, descriptors)
        except BaseException:
            for descriptor in descriptors:
                os.close(descriptor)
            raise

    def _launched(
        self, argv: Sequence[str], files: Mapping[str, bytes], limits: Limits, descriptors: list[int]
    ) -> Launch:
        """The command of `launch`; every file that is opened for it is added to `descriptors`."""
        descriptors.append(_in_memory(seccomp_filter(forks=limits.forks)))
        command = [
            _program("bwrap"),
            *_walls((*self.readable, *self.packages), limits),
            "--seccomp",
            str(descriptors[0]),
        ]
        for name, content in files.items():
            descriptors.append(_in_memory(content))
            command += ["--perms", "0755", "--file", str(descriptors[-1]), inside(name)]
        # What is below must be in place before these become read-only.
        command += [
            "--remount-ro",
            "/dev",
            "--remount-ro",
            "/",
            "--",
            "/usr/bin/prlimit",
            *_limits(limits),
            "--",
            *argv,
        ]
        user = _free_user() if os.geteuid() == 0 else None
        cleanup = contextlib.ExitStack()
        if user is not None and (group := _control_group(limits)) is not None:
            cleanup.callback(_remove_control_group, group)
            command = _entering(group, user, command)
            user = None
        return Launch(command, descriptors, user, cleanup)


def inside(name: str) -> str:
    """The path of a file of the working folder.

    Raises:
        ValueError: the name leads out of it.
    """
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise ValueError(f"not a name in the working folder: {name!r}")
    return f"{WORK}/{path}"


def _walls(readable: Sequence[str], limits: Limits) -> Iterator[str]:
    yield from ("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session")
    # No helper process of bubblewrap is inside, which could be attacked.
    yield "--as-pid-1"
    yield from ("--clearenv", "--setenv", "PATH", "/usr/bin", "--setenv", "HOME", WORK, "--setenv", "TMPDIR", "/tmp")
    yield from ("--setenv", "LANG", "C.UTF-8", "--hostname", "sandbox", "--cap-drop", "ALL")
    for folder in (*_READABLE, *_configuration()):
        yield from ("--ro-bind", folder, folder)
    for link, target in _LINKS.items():
        if Path(link).exists():
            yield from ("--symlink", target, link)
    yield from ("--proc", "/proc", "--dev", "/dev")
    for folder in ("/tmp", "/dev/shm", WORK):
        yield from ("--size", str(limits.disk), "--tmpfs", folder)
    # Over these: packages may be installed in a folder below /tmp.
    for folder in readable:
        yield from ("--ro-bind", folder, folder)
    yield from ("--chdir", WORK)


@cache
def _configuration() -> tuple[str, ...]:
    root = Path("/")
    return tuple(sorted(str(one) for name in _CONFIGURATION for one in root.glob(name.lstrip("/"))))


def _limits(limits: Limits) -> Iterator[str]:
    yield "--core=0"
    yield f"--cpu={limits.cpu_seconds}"
    yield f"--fsize={limits.disk}"
    yield f"--nofile={limits.open_files}"
    yield f"--nproc={limits.processes}"
    if limits.memory is not None:
        yield f"--as={limits.memory}"
    if limits.data is not None:
        yield f"--data={limits.data}"


def _in_memory(content: bytes) -> int:
    """A descriptor to read `content` from."""
    descriptor = os.memfd_create("sandbox")
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(content)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


# Layers.


@cache
def _layers() -> tuple[Layer, ...]:
    if platform.system() != "Linux":
        missing = f"needs Linux; this is {platform.system()}"
        return (Layer("bubblewrap", missing, "use --sandbox docker or --sandbox podman"),)
    machine = platform.machine()
    known = None if machine in ARCHITECTURES else f"no filter of system calls for {machine}"
    found = [
        _program_layer("bwrap", "bubblewrap"),
        _program_layer("prlimit", "util-linux"),
        Layer("seccomp", known, f"use a machine with {' or '.join(ARCHITECTURES)}"),
    ]
    if all(one.missing is None for one in found):
        found.append(_namespaces())
    group = _control_group(Limits()) if os.geteuid() == 0 else None
    if group is not None:
        _remove_control_group(group)
    found.append(
        Layer(
            "control group",
            None if group else "this process cannot make one",
            "start it as root, or let systemd delegate one",
            needed=False,
        )
    )
    return tuple(found)


def _program_layer(program: str, package: str) -> Layer:
    missing = None if shutil.which(program, path="/usr/bin:/bin") else f"the program '{program}' is not installed"
    return Layer(package, missing, f"apt-get install {package}")


def _program(name: str) -> str:
    return shutil.which(name, path="/usr/bin:/bin") or name


def _namespaces() -> Layer:
    """Starts an empty program inside all walls: only that shows that the kernel permits them."""
    descriptor = _in_memory(seccomp_filter())
    user = _free_user() if os.geteuid() == 0 else None
    try:
        done = subprocess.run(
            [_program("bwrap"), *_walls((), Limits()), "--seccomp", str(descriptor), "--", "/usr/bin/true"],
            pass_fds=(descriptor,),
            capture_output=True,
            text=True,
            errors="replace",
            cwd="/",
            env={},
            user=user,
            group=user,
            extra_groups=None if user is None else [],
            timeout=60,
            check=False,
        )
        said = done.stderr.strip() or f"exit code {done.returncode}"
        missing = None if done.returncode == 0 else f"bubblewrap cannot make namespaces: {said}"
    except subprocess.TimeoutExpired:
        missing = "bubblewrap does not end"
    finally:
        os.close(descriptor)
    return Layer("namespaces", missing, "sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000")


def require(found: Sequence[Layer]) -> None:
    """Fail closed.

    Raises:
        MissingExtraError: a needed layer is missing.
    """
    for one in found:
        if one.needed and one.missing is not None:
            raise MissingExtraError(f"The sandbox is not complete: {one.name}: {one.missing}.", hint=one.install)


# The user and the control group: only root can choose them.


def _free_user() -> int:
    """The number of a user that no process runs as and that no account has."""
    used = set()
    for one in Path("/proc").iterdir():
        # A process may end between being listed and being looked at.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if one.name.isdigit():
                used.add(one.stat().st_uid)
    first = secrets.randbelow(len(_USERS))
    for offset in range(len(_USERS)):
        user = _USERS[(first + offset) % len(_USERS)]
        if user not in used:
            return user
    raise MissingExtraError("The sandbox is not complete: every number for a user of its own is taken.", hint="")


_numbers = itertools.count()


def _control_group(limits: Limits) -> tuple[Path, ...] | None:
    """Make a control group with the limits; None where that is not permitted."""
    name = f"clonetruth-{os.getpid()}-{next(_numbers)}"
    if (_CONTROL_GROUPS / "cgroup.controllers").exists():
        folders = {_CONTROL_GROUPS / name: {"memory.max": limits.total_memory, "pids.max": limits.processes + 8}}
    else:
        folders = {
            _CONTROL_GROUPS / "memory" / name: {"memory.limit_in_bytes": limits.total_memory},
            _CONTROL_GROUPS / "pids" / name: {"pids.max": limits.processes + 8},
        }
    made: list[Path] = []
    try:
        for folder, values in folders.items():
            folder.mkdir()
            made.append(folder)
            for key, value in values.items():
                (folder / key).write_text(str(value))
    except OSError:
        _remove_control_group(made)
        return None
    return tuple(made)


def _remove_control_group(folders: Sequence[Path]) -> None:
    """End whatever is still in a control group, and remove it."""
    deadline = time.monotonic() + _SECONDS_TO_END
    for folder in folders:
        while folder.exists():
            for process in (folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
            try:
                folder.rmdir()
            except OSError:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.002)


def _entering(group: Sequence[Path], user: int, command: Sequence[str]) -> list[str]:
    """A command that enters a control group as root, and then becomes the user."""
    enter = "".join(f'echo $$ > "{folder}/cgroup.procs" || exit 125; ' for folder in group)
    become = f'exec /usr/bin/setpriv --reuid {user} --regid {user} --clear-groups --no-new-privs -- "$@"'
    return ["/bin/sh", "-c", f"{enter}{become}", "sandbox", *command]
