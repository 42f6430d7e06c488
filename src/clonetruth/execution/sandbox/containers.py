"""The sandbox for machines without bubblewrap, such as a Mac: a container of docker or podman.

The user names an image that has the toolchains. Nothing here is verified until the attack suite has run in it.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from clonetruth.execution.sandbox.bubblewrap import WORK, inside, require
from clonetruth.execution.sandbox.process import Launch, Layer, Limits

ENGINES = ("docker", "podman")

_NOBODY = "65534:65534"
_FILES = "/files"


@dataclass(frozen=True)
class Container:
    """Encloses programs in a fresh container each: no network, nothing writable but small file systems in memory.

    Attributes:
        engine: a name in `ENGINES`.
        image: the image that has the toolchains.
    """

    engine: str
    image: str

    verified: ClassVar[bool] = False
    packages: ClassVar[tuple[str, ...]] = ()

    def layers(self) -> tuple[Layer, ...]:
        """See `Sandbox.layers`."""
        missing = None if shutil.which(self.engine) else f"the program '{self.engine}' is not installed"
        return (Layer(self.engine, missing, f"install {self.engine}, or use Linux with bubblewrap"),)

    def find(self, program: str) -> str | None:
        """See `Sandbox.find`: the image decides."""
        return program

    def launch(self, argv: Sequence[str], files: Mapping[str, bytes], limits: Limits) -> Launch:
        """See `Sandbox.launch`."""
        require(self.layers())
        program = shutil.which(self.engine) or self.engine
        cleanup = contextlib.ExitStack()
        folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="clonetruth-")))
        folder.chmod(0o755)
        for name, content in files.items():
            target = folder / inside(name).removeprefix(f"{WORK}/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        name = f"clonetruth-{secrets.token_hex(8)}"
        cleanup.callback(_remove, program, name)
        copy = f'cp -R {_FILES}/. {WORK}/ && cd {WORK} && exec "$@"'
        command = [program, "run", "--name", name, *_walls(folder, limits), self.image]
        return Launch([*command, "/bin/sh", "-c", copy, "sandbox", *argv], (), None, cleanup)


def _walls(folder: Path, limits: Limits) -> Iterator[str]:
    yield from ("--rm", "--interactive", "--init", "--network", "none", "--read-only", "--user", _NOBODY)
    yield from ("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--ipc", "private", "--hostname", "sandbox")
    yield from ("--memory", str(limits.total_memory), "--memory-swap", str(limits.total_memory))
    yield from ("--pids-limit", str(limits.processes + 8), "--shm-size", str(limits.disk))
    for place in ("/tmp", WORK):
        yield from ("--tmpfs", f"{place}:rw,exec,size={limits.disk},mode=1777")
    yield from ("--volume", f"{folder}:{_FILES}:ro", "--workdir", WORK, "--env", f"HOME={WORK}")
    yield from ("--ulimit", "core=0", "--ulimit", f"cpu={limits.cpu_seconds}", "--ulimit", f"fsize={limits.disk}")
    yield from ("--ulimit", f"nofile={limits.open_files}")
    if limits.memory is not None:
        yield from ("--ulimit", f"as={limits.memory}")
    if limits.data is not None:
        yield from ("--ulimit", f"data={limits.data}")


def _remove(program: str, name: str) -> None:
    """A killed client leaves its container running."""
    subprocess.run([program, "rm", "--force", name], capture_output=True, check=False, timeout=60)
