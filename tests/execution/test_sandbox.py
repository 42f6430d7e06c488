"""The sandbox against hostile programs. Every one of them must be held, and the host must not notice."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from clonetruth.errors import MissingExtraError
from clonetruth.execution.sandbox import Bubblewrap, Ending, Limits, Outcome, bubblewrap, run
from clonetruth.execution.sandbox.process import MEGABYTE
from tests.execution.attacks import ATTACKS, COMPILE_TIME, ENDLESS, FLOODS, Attack

lacking = [one for one in Bubblewrap().layers() if one.needed and one.missing]
pytestmark = pytest.mark.skipif(bool(lacking), reason=f"the sandbox is not complete: {lacking}")

PYTHON = ["/usr/bin/python3", "-I", "main.py"]
JAVA_MEMORY = ["-Xmx256m", "-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m", "-XX:+UseSerialGC"]
BOX = Bubblewrap()


@dataclass
class Host:
    """What the host has, and what must still be so afterwards."""

    folder: Path
    process: subprocess.Popen[bytes]
    values: Mapping[str, object]
    connections: list[object]

    def check(self) -> None:
        assert not self.connections, "the host was reached"
        assert not (self.folder / "planted").exists()
        assert (self.folder / "victim").exists()
        assert self.process.poll() is None, "a process of the host was ended"


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host that everyone on it may read, write and reach: only the sandbox is in between."""
    # Not below pytest's folder, which only its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="clonetruth-host-"))
    folder.chmod(0o777)
    (folder / "secret").write_text("a secret")
    (folder / "victim").write_text("x")
    monkeypatch.setenv("CLONETRUTH_TOKEN", "token-of-the-host")
    connections: list[object] = []
    server = socket.create_server(("127.0.0.1", 0))
    path, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    path.bind(str(folder / "socket"))
    (folder / "socket").chmod(0o777)
    abstract.bind(f"\0{folder.name}")
    for one in (path, abstract):
        one.listen()
    for one in (server, path, abstract):
        threading.Thread(target=_accept, args=(one, connections), daemon=True).start()
    # Belongs to an ordinary user, as what it is attacked by without a sandbox.
    process = subprocess.Popen(["/usr/bin/sleep", "600"], start_new_session=True, **_ordinary())
    values = {
        "secret": folder / "secret",
        "folder": folder,
        "victim": folder / "victim",
        "port": server.getsockname()[1],
        "socket": folder / "socket",
        "abstract": folder.name,
        "process": process.pid,
        "token": "token-of-the-host",
    }
    try:
        yield Host(folder, process, values, connections)
    finally:
        process.kill()
        process.wait()
        for one in (server, path, abstract):
            # Wakes who waits in `accept`.
            one.shutdown(socket.SHUT_RDWR)
            one.close()
        shutil.rmtree(folder)


def _accept(server: socket.socket, connections: list[object]) -> None:
    try:
        while True:
            connections.append(server.accept())
    except OSError:
        pass


def _ordinary() -> dict[str, Any]:
    """How to start a program as an ordinary user."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody").pw_uid
    return {"user": nobody, "group": nobody, "extra_groups": []}


def java() -> Path:
    found = shutil.which("javac")
    if found is None:
        pytest.skip("no JDK")
    return Path(found).resolve().parent


def built(attack: Attack, text: str) -> tuple[list[str], dict[str, bytes], Limits]:
    """How to run an attack: the command, its files, and its limits."""
    if attack.language == "python":
        return PYTHON, {"main.py": text.encode()}, Limits(seconds=20, cpu_seconds=20)
    if attack.language == "javascript":
        if shutil.which("node") is None:
            pytest.skip("no node")
        # Node reserves far more address space than it uses.
        limits = Limits(memory=None, data=1024 * MEGABYTE, total_memory=1024 * MEGABYTE, processes=32)
        return ["/usr/bin/node", "main.js"], {"main.js": text.encode()}, limits
    if attack.language == "c":
        if shutil.which("gcc") is None:
            pytest.skip("no gcc")
        done = compiled("gcc -w -o program main.c && cat program", {"main.c": text.encode()})
        assert done.succeeded, done.stderr
        return ["./program"], {"program": done.stdout}, Limits()
    home = java()
    command = [str(home / "java"), *JAVA_MEMORY, "Main.java"]
    limits = Limits(seconds=60, cpu_seconds=60, memory=4096 * MEGABYTE, total_memory=1024 * MEGABYTE)
    return command, {"Main.java": text.encode()}, limits


def compiled(command: str, files: Mapping[str, bytes]) -> Outcome:
    limits = Limits(forks=True, seconds=60, cpu_seconds=60, output=64 * MEGABYTE)
    return run(BOX, ["/bin/sh", "-c", command], files, limits=limits)


def attacked(attack: Attack, host: Host) -> Outcome:
    command, files, limits = built(attack, attack.text(host.values))
    return run(BOX, command, files, limits=limits)


def cases(attacks: Iterable[Attack]) -> list[ParameterSet]:
    """Attacks with their names; compilers and large runtimes take their time."""
    return [
        pytest.param(
            one,
            id=f"{one.language}-{one.name.replace(' ', '-')}",
            marks=() if one.language == "python" else pytest.mark.slow,
        )
        for one in attacks
    ]


@pytest.mark.parametrize("attack", cases(ATTACKS))
def test_attacks_are_held(attack: Attack, host: Host) -> None:
    outcome = attacked(attack, host)
    said = outcome.stdout.decode(errors="replace")
    assert "ESCAPED" not in said
    # It ran: a program that does not start shows nothing.
    assert "held" in said or outcome.ending is not Ending.EXITED, (outcome.code, outcome.stderr)
    host.check()
    if attack.name.startswith("leaves a file"):
        assert "ESCAPED" not in attacked(attack, host).stdout.decode()


@pytest.mark.slow
@pytest.mark.parametrize("attack", cases(one for one in ATTACKS if one.control))
def test_without_a_sandbox_the_same_programs_succeed(attack: Attack, host: Host) -> None:
    command, files, _ = built(attack, attack.text(host.values))
    for name, content in files.items():
        (host.folder / name).write_bytes(content)
        (host.folder / name).chmod(0o755)
    done = subprocess.run(command, cwd=host.folder, capture_output=True, timeout=120, check=False, **_ordinary())
    assert b"ESCAPED" in done.stdout


@pytest.mark.parametrize("source", ENDLESS.values(), ids=[name.replace(" ", "-") for name in ENDLESS])
def test_a_program_that_never_ends_is_ended(source: str) -> None:
    limits = Limits(seconds=1.5)
    outcome = run(BOX, PYTHON, {"main.py": source.encode()}, b"x" * 10_000_000, limits)
    assert outcome.ending is Ending.TIMED_OUT
    assert outcome.seconds < 30


def test_cpu_time_is_limited() -> None:
    source = b"import threading\nfor _ in range(2): threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()"
    outcome = run(BOX, PYTHON, {"main.py": source}, limits=Limits(cpu_seconds=1, seconds=120))
    assert (outcome.ending, outcome.code) == (Ending.SIGNALLED, signal.SIGKILL)


@pytest.mark.skipif(
    any(one.missing for one in BOX.layers() if one.name == "control group"), reason="needs a control group"
)
def test_memory_of_many_processes_is_limited_together() -> None:
    """Each stays below what one may have; only together they are too many."""
    eight = "import time; x = bytearray(150 << 20); time.sleep(3); print('ESCAPED')"
    command = f'for n in 1 2 3 4 5 6 7 8; do /usr/bin/python3 -I -c "{eight}" & done; wait; echo held'
    limits = Limits(forks=True, seconds=60, memory=512 * MEGABYTE, total_memory=512 * MEGABYTE)
    outcome = run(BOX, ["/bin/sh", "-c", command], limits=limits)
    assert outcome.stdout.count(b"ESCAPED") < 8
    alone = run(BOX, ["/bin/sh", "-c", command.replace("1 2 3 4 5 6 7 8", "1")], limits=limits)
    assert alone.stdout == b"ESCAPED\nheld\n"


@pytest.mark.parametrize("source", FLOODS.values(), ids=[name.replace(" ", "-") for name in FLOODS])
def test_a_flood_of_output_is_cut(source: str) -> None:
    outcome = run(BOX, PYTHON, {"main.py": source.encode()}, limits=Limits(output=100_000))
    assert outcome.ending is Ending.TOO_MUCH_OUTPUT
    assert max(len(outcome.stdout), len(outcome.stderr)) == 100_000


@pytest.mark.parametrize("source", COMPILE_TIME.values(), ids=[name.replace(" ", "-") for name in COMPILE_TIME])
def test_compilers_are_held_too(source: str, host: Host) -> None:
    text = Attack("", "c", source).text(host.values).encode()
    limits = Limits(forks=True, seconds=10, cpu_seconds=5, output=MEGABYTE)
    outcome = run(BOX, ["/bin/sh", "-c", "gcc -w -o program main.c && cat program"], {"main.c": text}, limits=limits)
    assert not outcome.succeeded
    assert b"a secret" not in outcome.stdout + outcome.stderr


def test_nothing_is_left(host: Host) -> None:
    before = set(Path("/sys/fs/cgroup").glob(f"*/clonetruth-{os.getpid()}-*"))
    source = b"import threading, time\nthreading.Thread(target=time.sleep, args=(997,)).start()\nprint(1, flush=True)"
    assert run(BOX, PYTHON, {"main.py": source}, limits=Limits(seconds=1)).ending is Ending.TIMED_OUT
    assert set(Path("/sys/fs/cgroup").glob(f"*/clonetruth-{os.getpid()}-*")) <= before
    assert not [one for one in Path("/proc/self/fd").iterdir() if "memfd:sandbox" in os.path.realpath(one)]


def test_programs_die_with_the_host() -> None:
    """A killed host leaves nothing running."""
    mark = f"61{os.getpid()}"
    program = (
        "from clonetruth.execution.sandbox import Bubblewrap, Limits, run\n"
        f"run(Bubblewrap(), ['/usr/bin/sleep', '{mark}'], limits=Limits(seconds=600))\n"
    )
    host = subprocess.Popen([sys.executable, "-c", program])
    try:
        assert _wait_for(lambda: _running(mark))
    finally:
        host.kill()
        host.wait()
    assert _wait_for(lambda: not _running(mark))


def _running(mark: str) -> bool:
    found = subprocess.run(["/usr/bin/pgrep", "-f", f"^/usr/bin/sleep {mark}$"], capture_output=True, check=False)
    return found.returncode == 0


def _wait_for(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("program", ["bwrap", "prlimit"])
def test_a_missing_layer_is_named(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **more: None if name == program else real(name, **more))
    bubblewrap._layers.cache_clear()
    try:
        with pytest.raises(MissingExtraError, match=f"'{program}' is not installed") as caught:
            run(BOX, ["/usr/bin/true"])
        assert "apt-get install" in str(caught.value.hint)
    finally:
        bubblewrap._layers.cache_clear()


def test_a_kernel_that_forbids_namespaces_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_walls", lambda readable, limits: ["--no-such-option"])
    bubblewrap._layers.cache_clear()
    try:
        with pytest.raises(MissingExtraError, match=r"cannot make namespaces: .*no-such-option"):
            run(BOX, ["/usr/bin/true"])
    finally:
        bubblewrap._layers.cache_clear()


@pytest.mark.parametrize("name", ["../x", "/x", "", "a/../../x", "a\0b"])
def test_files_stay_in_the_working_folder(name: str) -> None:
    with pytest.raises(ValueError, match="not a name in the working folder"):
        run(BOX, ["/usr/bin/true"], {name: b""})


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_packages_below_a_folder_that_is_empty_inside_are_there(place: str) -> None:
    with tempfile.TemporaryDirectory(dir=place) as folder:
        Path(folder).chmod(0o755)
        note = Path(folder, "note")
        note.write_text("here")
        other = Path(place, f"{Path(folder).name}-other")
        other.touch()
        try:
            program = f"from pathlib import Path; print(Path({str(note)!r}).read_text(), Path({str(other)!r}).exists())"
            found = run(Bubblewrap(readable=(folder,)), ["/usr/bin/python3", "-c", program])
            writes = run(Bubblewrap(readable=(folder,)), ["/usr/bin/python3", "-c", f"open({str(note)!r}, 'w')"])
        finally:
            other.unlink()
    assert found.stdout == b"here False\n"
    assert b"Read-only file system" in writes.stderr


def test_what_goes_in_and_comes_out() -> None:
    data = os.urandom(300_000)
    outcome = run(BOX, ["/bin/sh", "-c", "cat; cat a/b >&2; exit 7"], {"a/b": b"file"}, data, Limits(forks=True))
    assert (outcome.ending, outcome.code) == (Ending.EXITED, 7)
    assert outcome.stdout == data
    assert outcome.stderr == b"file"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts descriptors in /proc")
def test_a_sandbox_that_cannot_be_launched_leaves_no_file_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "require", lambda layers: None)
    monkeypatch.setattr(bubblewrap, "_layers", lambda: ())
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(ValueError, match="not a name"):
        Bubblewrap().launch(["true"], {"first.py": b"1", "../second.py": b"2"}, Limits())
    assert len(list(Path("/proc/self/fd").iterdir())) == before
