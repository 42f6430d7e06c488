"""Runs fragments of Python in the sandbox: the host's side of `inside/python_server.py`."""

from __future__ import annotations

import base64
import json
import secrets
import select
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, ClassVar

from clonetruth.errors import MissingExtraError
from clonetruth.execution.harness.harness import CallInput, Code, EntryParameter, FragmentRun, Observation, Reason
from clonetruth.execution.sandbox import Limits, Sandbox, SandboxProcess, start
from clonetruth.execution.sandbox.seccomp import seccomp_filter
from clonetruth.execution.values import check_value
from clonetruth.parsing import parse_json

_PACKAGE = "clonetruth.execution.harness.inside"
_FILES = ("__init__.py", "python_server.py", "python_fragment.py", "python_values.py")
_MAX_LINE = 24 << 20
_GRACE = 5.0
"""Seconds that the server may take beyond those of the fragment."""


@dataclass
class PythonHarness:
    """A sandbox that runs one fragment after the other, each in a process that knows nothing of the others.

    Attributes:
        language: its name.
        sandbox: what encloses it.
        seconds: for all calls of a fragment.
        seconds_per_call: for one call.
    """

    language: ClassVar[str] = "python"

    sandbox: Sandbox
    seconds: float = 10.0
    seconds_per_call: float = 1.0
    _process: SandboxProcess | None = field(default=None, repr=False)

    def __enter__(self) -> PythonHarness:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        """End the sandbox; the next run starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`."""
        nonce = secrets.token_hex(16)
        job = {
            "nonce": nonce,
            "source": code.text,
            "entry": code.entry,
            "calls": [list(one.arguments) for one in calls],
            "seconds": self.seconds,
            "seconds_per_call": self.seconds_per_call,
            "seed": seed,
            "filter": base64.b64encode(seccomp_filter()).decode(),
        }
        line = self._ask(json.dumps(job).encode() + b"\n")
        if line is None:
            self.close()
            return FragmentRun(Reason.SANDBOX)
        try:
            answer = parse_json(line)
            if answer["nonce"] != nonce:
                raise ValueError("a foreign answer")
            return _run(base64.b64decode(answer["answer"]), str(answer["ending"]), len(calls))
        except (ValueError, KeyError, TypeError) as error:
            self.close()
            return FragmentRun(Reason.LOADING, f"not an answer: {error}"[:200])

    def _ask(self, request: bytes) -> bytes | None:
        """Send a line and read one; None if the sandbox ended or the time is over."""
        process = self._process = self._process or self._started()
        deadline = time.monotonic() + self.seconds + _GRACE
        pieces: list[bytes] = []
        try:
            process.stdin.write(request)
            while not pieces or not pieces[-1].endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                    return None
                piece = process.stdout.read(1 << 16)
                if not piece or sum(map(len, pieces)) > _MAX_LINE:
                    return None
                pieces.append(piece)
        except BrokenPipeError:
            return None
        return b"".join(pieces)

    def _started(self) -> SandboxProcess:
        program = self.sandbox.find("python3")
        if program is None:
            raise MissingExtraError("Python is not installed.", hint="apt-get install python3")
        source, parts = resources.files(_PACKAGE), _PACKAGE.split(".")
        files = {f"{'/'.join(parts)}/{name}": source.joinpath(name).read_bytes() for name in _FILES}
        # Of the packages around it only the names.
        files |= {f"{'/'.join(parts[:depth])}/__init__.py": b"" for depth in range(1, len(parts))}
        limits = Limits(forks=True, cpu_seconds=100_000, processes=32, output=_MAX_LINE)
        command = [program, "-E", "-s", "-S", "-B", "-m", f"{_PACKAGE}.python_server"]
        return start(self.sandbox, command, files, limits)


def _run(said: bytes, ending: str, count: int) -> FragmentRun:
    """What a fragment's process wrote, read with distrust.

    Raises:
        ValueError: that is not what the server writes.
    """
    lines = [parse_json(line) for line in said.decode().splitlines() if line.endswith("}")]
    if not lines:
        return FragmentRun(Reason.LOADING, ending)
    first = lines[0]
    if "undecided" in first:
        return FragmentRun(Reason(first["undecided"]), str(first.get("detail", ""))[:200])
    observations = [_observation(one) for one in lines[1 : count + 1]]
    if len(observations) < count:
        observations.append(Observation(ended="timed out" if ending == "timed out" else ending))
    return FragmentRun(
        entry=str(first["ready"]),
        parameters=tuple(EntryParameter(str(name)) for name, _ in first["parameters"]),
        repairs=tuple(map(str, first["repaired"])),
        observations=tuple(observations),
    )


def _observation(said: dict[str, Any]) -> Observation:
    changed = said.get("changed")
    return Observation(
        returned=check_value(said.get("returned")),
        raised=None if said.get("raised") is None else str(said["raised"]),
        changed=None if changed is None else tuple(check_value(one) for one in changed),
        output=str(said.get("output", "")),
        ended=None if said.get("ended") is None else str(said["ended"]),
        missing=None if said.get("missing") is None else str(said["missing"]),
    )
