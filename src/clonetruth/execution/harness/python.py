"""Runs fragments of Python in the sandbox: the host's side of `inside/python_server.py`."""

from __future__ import annotations

import base64
import contextlib
import json
import secrets
import select
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from operator import is_
from typing import Any, ClassVar

from clonetruth.errors import MissingExtraError
from clonetruth.execution.harness.bytecode import with_bytecode
from clonetruth.execution.harness.harness import (
    CallInput,
    Code,
    EntryKind,
    EntryParameter,
    FragmentRun,
    Observation,
    Reason,
    SandboxedHarness,
)
from clonetruth.execution.harness.observations import ObservationReader
from clonetruth.execution.harness.patience import TIMED_OUT, TOO_SLOW, Patience, SlowInputs
from clonetruth.execution.harness.programs import ProgramRunner, inside_files, run_program
from clonetruth.execution.harness.sent_files import SentFiles
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.sandbox import Limits, SandboxProcess, start
from clonetruth.execution.sandbox.seccomp import seccomp_filter
from clonetruth.execution.values import WITHOUT_CYCLES
from clonetruth.parsing import parse_json

_PACKAGE = "clonetruth.execution.harness.inside"
_FILES = tuple(
    f"python_{name}.py"
    for name in (
        "server",
        "annotations",
        "calls",
        "declared",
        "entry",
        "files",
        "fragment",
        "legacy",
        "names",
        "operators",
        "points",
        "project",
        "state",
        "time",
        "types",
        "uses",
        "values",
        "walk",
    )
)
_ORDERS = 2
"""Processes that order sets differently: a seed decides which one runs a fragment."""
_SIDES = 2
_PREPARING = (1, 0)
"""The process that prepares fragments for all of them: one of the two that seldom fork. What prepares after a
fork copies each page of memory that it writes to."""
_KEPT = 16
_MAX_LINE = 24 << 20
_SEARCH = 50
"""As many calls at once are a search. It need not wait as long for a call that does not come to an end: what that shows
counts only when a replay, which is a single call, shows it with the full time."""
_SEARCH_SHARE = 0.5
_GRACE = 5.0
"""Seconds that the server may take beyond those of the fragment."""


@dataclass(frozen=True)
class _Prepared:
    """What can be called in a fragment.

    Attributes:
        run: what is said of it where it is not called.
        packed: what a process needs to run it; None if that must prepare it itself.
        leaves_nothing: whether its calls leave nothing behind.
    """

    run: FragmentRun
    packed: str | None
    leaves_nothing: bool


@dataclass
class PythonHarness(SandboxedHarness):
    """A sandbox that runs one fragment after the other, each in a process that knows nothing of the others."""

    language: ClassVar[str] = "python"

    seconds_per_call: float = 0.2
    _processes: dict[tuple[int, int], SandboxProcess] = field(default_factory=dict, repr=False)
    _slots: OrderedDict[Code, int] = field(default_factory=OrderedDict, repr=False)
    _seeds: OrderedDict[Code, int] = field(default_factory=OrderedDict, repr=False)
    _prepared: OrderedDict[tuple[Code, bool], _Prepared] = field(default_factory=OrderedDict, repr=False)
    _programs: ProgramRunner | None = field(default=None, repr=False)
    _patience: Patience = field(default_factory=Patience, repr=False)
    _slow: SlowInputs = field(default_factory=SlowInputs, repr=False)
    _reader: ObservationReader = field(default_factory=ObservationReader, repr=False)
    _last: tuple[list[CallInput], list[bool], bytes] | None = field(default=None, repr=False)
    _files: SentFiles = field(default_factory=SentFiles, repr=False)

    def close(self) -> None:
        """End the sandbox; the next run starts a new one."""
        while self._processes:
            self._processes.popitem()[1].kill()
        if self._programs is not None:
            self._programs.close()

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`."""
        is_first = bool(calls) and seed == self._first_seed(code, seed)
        if not calls:
            self._slow.forget()
        # A replay is alone, and has the full time.
        slow = self._slow.of_others(code, seed, calls) if is_first else [False] * len(calls)
        full = self.seconds_per_call * (_SEARCH_SHARE if is_first and self._is_search(calls) else 1.0)
        job = {
            "source": code.text,
            "entry": code.entry,
            "path": code.path,
            "packages": self.sandbox.packages,
            "calls": len(calls),
            "skips": self._slow.is_also_slow(code),
            "seconds": self.seconds,
            "seconds_per_call": min(full, self._patience.seconds(code, seed, self.seconds_per_call)),
            "seconds_when_late": self._patience.shorter(self.seconds_per_call),
            "seed": seed,
            "coverage": coverage,
            "again": is_first,
            "filter": _filter(),
            "packed": None,
        }
        found: FragmentRun | None = None
        if not code.files:
            prepared = self._prepare(code, {**job, "calls": 0})
            job |= {"packed": prepared.packed, "leaves_nothing": prepared.leaves_nothing}
            is_ready = prepared.run.undecided is None and prepared.run.kind is EntryKind.FUNCTION
            found = None if calls and is_ready else prepared.run
        if found is None:
            place = (seed % _ORDERS, self._slot(code))
            found = self._answered(job, self._written(calls, slow), code, place)[1]
        if found.undecided is not None:
            return found
        if found.kind is EntryKind.PROGRAM:
            self._programs = self._programs or ProgramRunner(self.sandbox)
            return run_program(self._programs, code, calls, seconds_per_run=self.seconds_per_call * 5)
        observations = self._patience.judged(code, seed, found.observations)
        patient = [one for one, is_slow in zip(observations, slow, strict=False) if not is_slow]
        self._patience.note(code, seed, patient)
        if is_first:
            self._slow.note(code, seed, calls, observations)
        return replace(found, observations=observations)

    def _prepare(self, code: Code, job: dict[str, Any]) -> _Prepared:
        """What one process makes of a fragment for all that run it."""
        key = (code, bool(job["coverage"]))
        known = self._prepared.get(key)
        if known is None:
            said, run = self._answered(job, b"[]\n", code, _PREPARING)
            known = _Prepared(run, said.get("packed"), said.get("leaves_nothing") is True)
            if run.undecided is not None:
                # A busy machine may be why.
                return known
            self._prepared[key] = known
            while len(self._prepared) > _KEPT:
                self._prepared.popitem(last=False)
        return known

    def _answered(
        self, job: dict[str, Any], calls: bytes, code: Code, place: tuple[int, int]
    ) -> tuple[dict[str, Any], FragmentRun]:
        """What a process says of a job: its first line, and all that it says. After anything else, the next job
        gets a new process."""
        nonce = secrets.token_hex(16)
        try:
            head, answer = self._ask({**job, "nonce": nonce}, calls, code, place)
        except (OSError, ValueError) as error:
            self._end(place)
            return {}, FragmentRun(Reason.SANDBOX, str(error)[:200])
        try:
            if head["nonce"] != nonce:
                raise ValueError("a foreign answer")
            return self._read(answer, str(head["ending"]), job["calls"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._end(place)
            return {}, FragmentRun(Reason.LOADING, f"not an answer: {error}"[:200])

    def _is_search(self, calls: Sequence[CallInput]) -> bool:
        """Whether calls are many, or the first of many: the second side gets those that the first one came to."""
        return len(calls) >= _SEARCH or (
            self._last is not None and len(self._last[0]) >= _SEARCH and all(map(is_, calls, self._last[0]))
        )

    def _written(self, calls: Sequence[CallInput], slow: Sequence[bool]) -> bytes:
        """A line with calls. Both sides mostly get the same, which are written once."""
        if self._last is None or self._last[0] != calls or self._last[1] != slow:
            said = [
                {"arguments": one.arguments, "stdin": one.stdin, **({"short": True} if is_slow else {})}
                for one, is_slow in zip(calls, slow, strict=True)
            ]
            self._last = list(calls), list(slow), WITHOUT_CYCLES.encode(said).encode() + b"\n"
        return self._last[2]

    def _read(self, said: bytes, ending: str, count: int) -> tuple[dict[str, Any], FragmentRun]:
        """What a fragment's process wrote, read with distrust: its first line, and everything.

        Raises:
            ValueError: that is not what the server writes.
        """
        lines = [line for line in said.decode().split("\n") if line.endswith("}")]
        if not lines:
            return {}, FragmentRun(Reason.TIME if ending == "timed out" else Reason.LOADING, ending)
        first, run = _first(lines[0])
        if run.undecided is not None or run.kind is EntryKind.PROGRAM:
            return first, run
        observations = [_within(self._reader.read(one), run.points) for one in lines[1 : count + 1]]
        if len(observations) < count and not _stopped(observations):
            observations.append(Observation(ended="timed out" if ending == "timed out" else ending))
        return first, replace(run, observations=tuple(observations))

    def _slot(self, code: Code) -> int:
        """The two sides of a pair run in separate sandboxes, so that each can keep its process."""
        if code not in self._slots:
            self._slots[code] = (next(reversed(self._slots.values()), 0) + 1) % _SIDES
            while len(self._slots) > _KEPT:
                self._slots.popitem(last=False)
        return self._slots[code]

    def _first_seed(self, code: Code, seed: int) -> int:
        """The seed of the first calls of a piece of code; runs with another one are replays."""
        while len(self._seeds) >= _KEPT and code not in self._seeds:
            self._seeds.popitem(last=False)
        return self._seeds.setdefault(code, seed)

    def _end(self, place: tuple[int, int]) -> None:
        process = self._processes.pop(place, None)
        if process is not None:
            process.kill()

    def _ask(
        self, job: dict[str, Any], calls: bytes, code: Code, place: tuple[int, int]
    ) -> tuple[dict[str, Any], bytes]:
        """Send a line with a job and the files that its process does not have yet, and one with its calls; read a line
        and what follows it.

        Raises:
            ValueError: the sandbox ended, the time is over, or it is not an answer.
        """
        if place in self._processes and self._files.is_full(place):
            self._end(place)
        if place not in self._processes:
            self._processes[place] = self._started(place[0])
            self._files.forget(place)
        process = self._processes[place]
        request = json.dumps({**job, **self._files.to_send(code, place)}).encode() + b"\n" + calls
        deadline = time.monotonic() + self.seconds + _GRACE
        waiting = memoryview(request)
        while waiting:
            waiting = waiting[process.stdin.write(waiting) or 0 :]
        said, wanted, head = bytearray(), -1, {}
        while wanted < 0 or len(said) < wanted:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                raise ValueError("the time is over")
            piece = process.stdout.read(1 << 16)
            if not piece:
                raise ValueError("the sandbox ended")
            said += piece
            if wanted < 0 and b"\n" in piece:
                line, _, rest = said.partition(b"\n")
                head = parse_json(bytes(line))
                if not isinstance(head, dict) or not isinstance(head.get("length"), int):
                    raise ValueError("not an answer")
                wanted, said = head["length"], rest
            if not 0 <= len(said) <= _MAX_LINE or wanted > _MAX_LINE:
                raise ValueError("too long an answer")
        return head, bytes(said[:wanted])

    def _started(self, order: int) -> SandboxProcess:
        program, env = self.sandbox.find("python3"), self.sandbox.find("env")
        if program is None or env is None:
            raise MissingExtraError("Python is not installed.", hint="apt-get install python3")
        limits = Limits(forks=True, cpu_seconds=100_000, processes=32, output=_MAX_LINE)
        command = [env, f"PYTHONHASHSEED={order + 1}", program, "-s", "-S", "-B", "-m", f"{_PACKAGE}.python_server"]
        return start(self.sandbox, command, with_bytecode(inside_files(*_FILES)), limits)


@lru_cache(maxsize=_KEPT)
def _first(line: str) -> tuple[dict[str, Any], FragmentRun]:
    """The first line of an answer, which is the same for all jobs with the same fragment.

    Raises:
        ValueError: that is not what the server writes.
    """
    said = parse_json(line)
    if "undecided" in said:
        return said, FragmentRun(Reason(said["undecided"]), str(said.get("detail", ""))[:200])
    if said["program"]:
        return said, FragmentRun(kind=EntryKind.PROGRAM)
    return said, FragmentRun(
        entry=str(said["ready"]),
        parameters=tuple(map(_parameter, said["parameters"])),
        repairs=tuple(map(str, said["repaired"])),
        points=max(0, int(said["points"])),
        owner=str(said["owner"]),
        is_property=said["property"] is True,
    )


@cache
def _filter() -> str:
    return base64.b64encode(seccomp_filter()).decode()


def _stopped(observations: Sequence[Observation]) -> bool:
    """Whether the server gave up after calls that took too long."""
    return bool(observations) and observations[-1].ended in (TIMED_OUT, TOO_SLOW)


def _parameter(said: dict[str, Any]) -> EntryParameter:
    types = []
    for one in said["types"]:
        with contextlib.suppress(ValueError):
            types.append(parse_type(str(one)))
    implicit, role = said["implicit"] is True, str(said["role"])
    passed = {"keyword": "keyword", "star": "rest", "keywords": "keywords"}.get(str(said["how"]), "named")
    return EntryParameter(
        str(said["name"]), tuple(types), said["optional"] is True, implicit, role, passed=passed if not implicit else ""
    )


def _within(one: Observation, points: int) -> Observation:
    """An observation without points that the code does not have."""
    if not one.reached or all(0 <= point < points for point in one.reached):
        return one
    return replace(one, reached=tuple(point for point in one.reached if 0 <= point < points))
