"""Runs fragments of JavaScript and TypeScript in the sandbox: the host's side of `inside/javascript_server.js`.

Each fragment has its own process, which is kept as long as the same fragment is run with the same seed: starting
one costs more than hundreds of calls. Each run gets a new realm in it.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import select
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar

from clonetruth.errors import MissingExtraError
from clonetruth.execution.harness.harness import CallInput, Code, FragmentRun, Observation, Reason, SandboxedHarness
from clonetruth.execution.harness.javascript.fragment import PreparedScript, UndecidedFragmentError, prepare_script
from clonetruth.execution.harness.programs import ProgramRunner, inside_file, run_program
from clonetruth.execution.sandbox import Limits, SandboxProcess, start
from clonetruth.execution.sandbox.process import MEGABYTE
from clonetruth.execution.values import LEFT_OUT, Value, check_value
from clonetruth.parsing import parse_json

_FILES = ("javascript_server.js", "javascript_values.js", "javascript_watchdog.js")
_FLAGS = (
    # Functions of the server's realm cannot be used to make code that runs there.
    "--disallow-code-generation-from-strings",
    "--max-old-space-size=256",
    "--max-semi-space-size=16",
    "--no-warnings",
)
_LIMITS = Limits(
    memory=None, data=1024 * MEGABYTE, cpu_seconds=100_000, open_files=512, processes=256, output=1, disk=16 * MEGABYTE
)
_MAX_ANSWER = 24 << 20
_GRACE = 3.0
"""Seconds beyond those of a call after which its process is killed."""
_LOADED = 30.0
"""How much longer a call takes by the clock, at most, where the processor works for others."""
_SECONDS_TO_START = 20.0
_KEPT = 2
"""Processes that wait for the next run: one for each side of a comparison."""


@dataclass
class _Worker:
    """A process for one fragment."""

    process: SandboxProcess
    seed: int
    has_modules: bool = False
    waiting: bytearray = field(default_factory=bytearray)
    patience: float = _GRACE

    def send(self, line: bytes) -> bool:
        """Whether a line could be sent."""
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[self.process.stdin.write(rest) or 0 :]
        except BrokenPipeError:
            return False
        return True

    def lines(self, nonce: str) -> Iterator[str | None]:
        """The lines of an answer without the nonce; None and the end if the time for one, `patience`, is over or it
        ended. Lines without the nonce are not ours."""
        start_of_line, length = f"{nonce} ".encode(), 0
        deadline = time.monotonic() + _SECONDS_TO_START + self.patience
        while True:
            line, found, rest = self.waiting.partition(b"\n")
            if found:
                self.waiting = rest
                if line.startswith(start_of_line):
                    yield bytes(line[len(start_of_line) :]).decode("utf-8", "replace")
                    deadline = time.monotonic() + self.patience
                continue
            left = deadline - time.monotonic()
            ready = select.select([self.process.stdout], [], [], left)[0] if left > 0 else []
            piece = self.process.stdout.read(1 << 16) if ready else b""
            length += len(piece)
            if not piece or length > _MAX_ANSWER:
                yield None
                return
            self.waiting += piece

    def ending(self) -> str:
        """Why the process does not answer."""
        if self.process.popen.poll() is None:
            with contextlib.suppress(Exception):
                self.process.popen.wait(0.2)
        if self.process.popen.poll() is None:
            return "timed out"
        said = b""
        if select.select([self.process.stderr], [], [], 0)[0]:
            said = self.process.stderr.read(1 << 16) or b""
        return "out of memory" if b"out of memory" in said or b"Allocation failed" in said else "exited"


@dataclass
class JavaScriptHarness(SandboxedHarness):
    """Sandboxes that run fragments, one for each."""

    language: ClassVar[str] = "javascript"

    _workers: OrderedDict[Code, _Worker] = field(default_factory=OrderedDict, repr=False)
    _programs: ProgramRunner | None = field(default=None, repr=False)

    def close(self) -> None:
        """End all sandboxes; the next run starts a new one."""
        while self._workers:
            self._workers.popitem()[1].process.kill()
        if self._programs is not None:
            self._programs.close()

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`."""
        try:
            prepared = _prepared(code)
        except UndecidedFragmentError as error:
            return FragmentRun(error.reason, error.detail[:200])
        if prepared.entry is None:
            self._programs = self._programs or ProgramRunner(self.sandbox)
            program = Code(prepared.script, "javascript", path=code.path, files=code.files)
            return run_program(self._programs, program, calls)
        nonce = secrets.token_hex(16)
        job = {
            "nonce": nonce,
            "script": prepared.script,
            "entry": {
                "name": prepared.entry.name,
                "receiver": prepared.entry.receiver,
                "target": prepared.entry.target,
                "constructs": prepared.entry.class_node is not None,
            },
            "calls": [_call(one.arguments, prepared) for one in calls],
            "seconds_per_call": self.seconds_per_call,
            "seed": seed,
            "points": prepared.points,
        }
        worker, is_kept = self._worker(code, seed, bool(calls))
        if not worker.has_modules:
            # Its process keeps them.
            job |= {"requires": prepared.modules.own, "modules": prepared.modules.modules}
            worker.has_modules = True
        run, is_sound = self._answer(worker, json.dumps(job).encode() + b"\n", nonce, prepared, len(calls))
        if not is_sound or not is_kept:
            worker.process.kill()
            self._workers = OrderedDict((key, one) for key, one in self._workers.items() if one is not worker)
        if prepared.entry.class_node is not None:
            whole = [_with_all(one, call, prepared) for one, call in zip(run.observations, calls, strict=False)]
            run = replace(run, observations=tuple(whole))
        return run if coverage else replace(run, points=0, observations=tuple(map(_uncovered, run.observations)))

    def _answer(
        self, worker: _Worker, request: bytes, nonce: str, prepared: PreparedScript, count: int
    ) -> tuple[FragmentRun, bool]:
        """What a fragment did, read with distrust, and whether its process can go on."""
        assert prepared.entry is not None
        observations: list[Observation] = []
        deadline = time.monotonic() + self.seconds + _SECONDS_TO_START
        shape = FragmentRun(
            entry=prepared.entry.title,
            parameters=prepared.parameters,
            repairs=prepared.repairs,
            points=prepared.points,
            owner=prepared.entry.owner if prepared.entry.class_node is not None else "",
        )
        if not worker.send(request):
            return FragmentRun(Reason.SANDBOX), False
        is_ready = False
        worker.patience = max(worker.patience, self.seconds_per_call + _GRACE)
        try:
            for line in worker.lines(nonce):
                if line is None and not is_ready:
                    ending = worker.ending()
                    return FragmentRun(Reason.TIME if ending == "timed out" else Reason.LOADING, ending), False
                if line is None:
                    observations.append(Observation(ended=worker.ending()))
                    return replace(shape, observations=tuple(observations)), False
                said = parse_json(line)
                if "again" in said:
                    # The server counts time on the processor from now on, which lasts longer by the clock.
                    worker.patience = self.seconds_per_call * _LOADED + _GRACE
                    deadline = max(deadline, time.monotonic() + worker.patience)
                    continue
                if not is_ready and "undecided" in said:
                    return FragmentRun(Reason(said["undecided"]), str(said.get("detail", ""))[:200]), True
                if is_ready:
                    observations.append(_observation(said, prepared.points))
                    if self.stops_when_late and observations[-1].ended is not None:
                        return replace(shape, observations=tuple(observations)), False
                is_ready = True
                if len(observations) == count:
                    return replace(shape, observations=tuple(observations)), True
                if time.monotonic() > deadline:
                    return replace(shape, observations=tuple(observations)), False
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return FragmentRun(Reason.LOADING, f"not an answer: {error}"[:200]), False
        raise AssertionError("lines end with None")

    def _worker(self, code: Code, seed: int, is_called: bool) -> tuple[_Worker, bool]:
        """A process for a fragment, and whether it is kept: one with another seed is used once."""
        worker = self._workers.get(code)
        if worker is not None:
            self._workers.move_to_end(code)
            if worker.seed in (seed, -1):
                worker.seed = seed if is_called else worker.seed
                return worker, True
            return self._started(seed), False
        worker = self._workers[code] = self._started(seed if is_called else -1)
        while len(self._workers) > _KEPT:
            self._workers.popitem(last=False)[1].process.kill()
        return worker, True

    def _started(self, seed: int) -> _Worker:
        program = self.sandbox.find("node")
        if program is None:
            raise MissingExtraError("node is not installed.", hint="apt-get install nodejs")
        files = {name: inside_file(name) for name in _FILES}
        return _Worker(start(self.sandbox, [program, *_FLAGS, _FILES[0]], files, _LIMITS), seed)


@dataclass
class TypeScriptHarness(JavaScriptHarness):
    """Runs TypeScript as JavaScript, without checking types."""

    language: ClassVar[str] = "typescript"


@lru_cache(maxsize=256)
def _prepared(code: Code) -> PreparedScript:
    return prepare_script(code)


def _uncovered(one: Observation) -> Observation:
    return replace(one, reached=())


def _observation(said: dict[str, Any], points: int) -> Observation:
    changed = said.get("changed")
    reached = said.get("reached", [])
    return Observation(
        returned=check_value(said.get("returned")),
        raised=None if said.get("raised") is None else str(said["raised"])[:200],
        changed=None if changed is None else tuple(check_value(one) for one in changed),
        output=str(said.get("output", "")),
        ended=None if said.get("ended") is None else str(said["ended"])[:200],
        missing=None if said.get("missing") is None else str(said["missing"])[:200],
        reached=tuple(one for one in reached if isinstance(one, int) and 0 <= one < points),
    )


def _call(arguments: Sequence[Value], prepared: PreparedScript) -> Any:
    """A call in the words of the server: of a method, with what makes its object and what is done with it."""
    if prepared.entry is None or prepared.entry.class_node is None:
        return _passed(arguments, prepared.conversions)
    by_role: dict[str, tuple[list[Value], list[str]]] = {}
    for value, parameter, how in zip(arguments, prepared.parameters, prepared.conversions, strict=False):
        values, ways = by_role.setdefault(parameter.role, ([], []))
        values.append(value)
        ways.append(how)
    before = by_role.get("before", ([], []))[0]
    after = by_role.get("after", ([], []))[0]
    return {
        "given": _passed(*by_role.get("", ([], []))),
        "made": _passed(*by_role.get("constructor", ([], []))),
        "before": [_further(one) for value in before if isinstance(value, dict) for one in value.get("list", ())],
        "after": next((_further(one) for one in after if one != LEFT_OUT), None),
    }


def _with_all(one: Observation, call: CallInput, prepared: PreparedScript) -> Observation:
    """What a call of a method changed, by the places of all parameters; the server only tells its own."""
    if one.changed is None:
        return one
    own = iter(one.changed)
    pairs = zip(call.arguments, prepared.parameters, strict=False)
    return replace(one, changed=tuple(value if parameter.role else next(own, value) for value, parameter in pairs))


def _further(call: Value) -> list[Any]:
    """The name of a method with its arguments; of a field, without."""
    if not isinstance(call, dict):
        return [call]
    name, fields = call["object"]
    return [name, [one for _, one in fields]]


def _passed(arguments: Sequence[Value], conversions: Sequence[str]) -> list[Any]:
    """Arguments in the words of the server: a rest parameter takes the elements of a list."""
    passed: list[Any] = []
    for at, value in enumerate(arguments):
        how = conversions[at] if at < len(conversions) else ""
        if how == "rest" and isinstance(value, dict) and value.keys() & {"list", "tuple"}:
            passed += next(iter(value.values()))
        else:
            passed.append(_converted(value, how))
    return passed


def _converted(value: Value, how: str) -> Any:
    if not how or not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if how.startswith("callback") and kind == "function" and content[0] == "function":
        # Methods of arrays pass more than a function is declared to take.
        return {"callback": [int(how.removeprefix("callback")), content[1]]}
    if how == "bigint" and kind == "int":
        return {"bigint": content}
    if how == "Map" and kind == "map":
        return {"mapping": [[_converted(key, how), _converted(one, how)] for key, one in content]}
    if how.endswith("Array") and kind in ("list", "tuple"):
        inner = [_converted(one, "bigint") for one in content] if how.startswith("Big") else content
        return {"typed": [how, inner]}
    if kind in ("list", "tuple", "set", "iterator"):
        return {kind: [_converted(one, how) for one in content]}
    return value
