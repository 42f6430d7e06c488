"""Runs fragments of Java in the sandbox: the host's side of `inside/java`.

Texts are compiled in one process, in which no code of a fragment ever runs; classes run in others. Who shares a process
is decided here. A fragment whose classes refer only to what leaves no trace (strings, numbers, collections; see
`inside/java/server/Harmless.java`) runs in a process that others of that kind use, too, each with its own class loader.
Every other fragment, with reflection, threads, system properties or files, has its own process in its own sandbox.
A process in which a call took too long, ran out of memory or stack, or that ended is thrown away: threads of Java
cannot be stopped. Another seed than that of a fragment's first run always gets a fresh process.
"""

from __future__ import annotations

import base64
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, ClassVar

from clonetruth.code import extract, language
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
from clonetruth.execution.harness.java.coverage import counted, reachable_points
from clonetruth.execution.harness.java.missing import ENVIRONMENT
from clonetruth.execution.harness.java.process import JavaServer, server_classes
from clonetruth.execution.harness.java.source import JavaSource, candidates
from clonetruth.execution.harness.java.text import MEMBERS, masked, needs_more
from clonetruth.execution.harness.java.types import JavaDeclarations, JavaMethod, choose_method, with_null
from clonetruth.execution.harness.observations import ObservationReader
from clonetruth.execution.harness.patience import Patience, SlowInputs
from clonetruth.execution.harness.receivers import with_all, with_receiver
from clonetruth.execution.harness.sent_files import SentFiles
from clonetruth.execution.inputs.types import InputType
from clonetruth.parsing import parse_json

_ROUNDS = 14
"""How often a text is repaired by what the compiler says."""
_KEPT = 64
_SHARED_FRAGMENTS = 300
"""Fragments that run in one process before it is replaced."""
_OWN = 2
_LOADED = 8
_COMPILED = 4
"""Files whose classes are kept, with those that they use: one file has many functions."""
_STEPS = 5_000_000
"""Branches and rounds of loops of one call: what takes more takes too long. The same on every machine."""
_MILLISECONDS = 300
"""On the processor, for calls that fill the memory in few steps."""
_START = 30.0
"""For a new process, on a busy machine."""
_FIRST = 4.0
"""For the first call besides its own time: it loads classes. A call that only waits uses no processor time."""
_COMPILE = 20.0


@dataclass
class JavaFragment:
    """A fragment that was compiled, or why it was not.

    Attributes:
        key: a digest of the code.
        undecided: why it cannot run; None if it can.
        detail: more about that.
        method: what to call.
        fields: variables that the fragment misses, which are further inputs.
        classes: its classes by name.
        points: counters in its classes.
        counted: those in the method that is called and in methods that it calls; the others say nothing about coverage.
        repairs: what was changed.
        is_harmless: whether others may run in the same process.
        anew: whether each call needs fresh classes.
        first_seed: of its first run.
        is_constant: whether it is a program that reads nothing.
        state: variables of its class that a method without a result may change.
    """

    key: str
    undecided: Reason | None = None
    detail: str = ""
    method: JavaMethod | None = None
    fields: tuple[str, ...] = ()
    classes: dict[str, bytes] = field(default_factory=dict, repr=False)
    points: int = 0
    counted: frozenset[int] = frozenset()
    repairs: tuple[str, ...] = ()
    is_harmless: bool = False
    anew: bool = False
    first_seed: int | None = None
    is_constant: bool = False
    state: tuple[str, ...] = ()


@dataclass
class JavaHarness(SandboxedHarness):
    """Sandboxes that compile and run fragments of Java."""

    language: ClassVar[str] = "java"

    _classes: dict[str, bytes] | None = field(default=None, repr=False)
    _compiler: JavaServer | None = field(default=None, repr=False)
    _spare: JavaServer | None = field(default=None, repr=False)
    _shared: JavaServer | None = field(default=None, repr=False)
    _replay: tuple[int, JavaServer] | None = field(default=None, repr=False)
    _own: OrderedDict[tuple[str, int], JavaServer] = field(default_factory=OrderedDict, repr=False)
    _fragments: OrderedDict[str, JavaFragment] = field(default_factory=OrderedDict, repr=False)
    _projects: OrderedDict[str, dict[str, Any] | None] = field(default_factory=OrderedDict, repr=False)
    _files: SentFiles = field(default_factory=SentFiles, repr=False)
    _around: Mapping[str, bytes] | None = field(default=None, repr=False)
    _patience: Patience = field(default_factory=Patience, repr=False)
    _slow: SlowInputs = field(default_factory=SlowInputs, repr=False)
    _reader: ObservationReader = field(default_factory=ObservationReader, repr=False)

    def close(self) -> None:
        """End all processes; the next run starts new ones."""
        replay = self._replay[1] if self._replay else None
        for one in (self._compiler, self._spare, self._shared, replay, *self._own.values()):
            if one is not None:
                one.kill()
        self._compiler = self._spare = self._shared = self._replay = None
        self._own.clear()

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`."""
        fragment = self._prepared(code)
        if fragment.undecided is not None or fragment.method is None:
            return FragmentRun(fragment.undecided, fragment.detail)
        method = fragment.method
        if not calls:
            self._slow.forget()
        observations = self._observe(fragment, calls, seed) if calls else []
        return FragmentRun(
            kind=method.kind,
            entry=method.name,
            parameters=() if method.kind is EntryKind.PROGRAM else method.parameters,
            repairs=fragment.repairs,
            observations=counted(observations, fragment.counted, fragment.points),
            points=len(fragment.counted) if coverage else 0,
            owner=method.owner_name if any(one.role for one in method.parameters) else "",
        )

    # -- compiling ------------------------------------------------------------------------------------------------

    def _prepared(self, code: Code) -> JavaFragment:
        key = sha256(repr((code.text, code.entry, self._files.project_key(code.files))).encode()).hexdigest()
        known = self._fragments.get(key)
        if known is None:
            known = self._fragments[key] = self._compiled(code, key)
            while len(self._fragments) > _KEPT:
                self._fragments.popitem(last=False)
        self._fragments.move_to_end(key)
        return known

    def _compiled(self, code: Code, key: str) -> JavaFragment:
        needed = needs_more(code.text)
        if needed is not None:
            return JavaFragment(key, needed[0], needed[1])
        whole = self._compiled_project(code)
        if whole is not None:
            # With the classes around it nothing has to be repaired.
            return self._callable(code, key, JavaSource(code.text, is_file=True), whole)
        readings = list(candidates(code.text))
        answer = self._compile([one.text() for one in readings])
        if answer is None or "crashed" in answer:
            return JavaFragment(key, Reason.COMPILE, str((answer or {}).get("crashed", "the compiler ended")))
        if "candidate" not in answer:
            return JavaFragment(key, Reason.PARSE, _first_line(answer["parse"]))
        source = readings[int(answer["candidate"])]
        for _ in range(_ROUNDS):
            if "errors" not in answer or not source.repaired(answer["errors"]):
                break
            answer = self._compile([source.text()]) or {"errors": []}
        if "classes" not in answer:
            errors = answer.get("errors") or answer.get("parse") or []
            return JavaFragment(key, *(needs_more(code.text, screen=True) or _why_not(errors)))
        try:
            return self._callable(code, key, source, answer)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            return JavaFragment(key, Reason.COMPILE, f"not an answer: {error}"[:200])

    def _compiled_project(self, code: Code) -> dict[str, Any] | None:
        """What the compiler makes of a file and of those around it that it uses; None if it refuses them."""
        if not code.files:
            return None
        key = sha256(repr((code.text, self._files.project_key(code.files))).encode()).hexdigest()
        if key not in self._projects:
            answer = self._compile([code.text], code.files)
            self._projects[key] = answer if answer is not None and "classes" in answer else None
            while len(self._projects) > _COMPILED:
                self._projects.popitem(last=False)
        return self._projects[key]

    def _callable(self, code: Code, key: str, source: JavaSource, answer: Mapping[str, Any]) -> JavaFragment:
        declared = JavaDeclarations(answer["declared"])
        fields = tuple(sorted(source.fields))
        made = {*source.classes, *source.methods, *source.helpers}
        method = choose_method(declared.methods(fields, made), code.entry, masked(code.text))
        if method is None:
            return JavaFragment(key, Reason.FUNCTION, code.entry or "")
        if not method.is_static and declared.has_no_objects(method.owner):
            return JavaFragment(key, Reason.RECEIVER, method.owner_name)
        if method.kind is EntryKind.FUNCTION and "System.in" in "".join(masked(code.text).split()):
            return JavaFragment(key, Reason.INPUT, "System.in")
        text = masked(code.text)
        made_here = [one for one in source.classes if re.search(rf"\bnew\s+{one}\b|\b{one}\s*\.\s*class\b", text)]
        if made_here and (asked := MEMBERS.search(text)):
            # A class that was made has other members than the one that is missing.
            return JavaFragment(key, Reason.SYMBOL, f"{made_here[0]}, {asked[1]}")
        impossible = [one.name for one in method.parameters if any(kind.kind == "none" for kind in one.types)]
        if impossible and method.kind is EntryKind.FUNCTION:
            return JavaFragment(key, Reason.TYPE, ", ".join(impossible))
        method = replace(method, parameters=tuple(with_null(one, masked(code.text)) for one in method.parameters))
        classes = {str(name): base64.b64decode(str(one)) for name, one in answer["classes"].items()}
        for name, one in (self._classes or {}).items():
            if name.startswith("clonetruth_points/"):
                classes[name.removesuffix(".class").replace("/", ".")] = one
        if source.assumptions:
            method, fields = _with_environment(method, source), (*fields, ENVIRONMENT)
        if method.kind is EntryKind.PROGRAM and fields:
            # With further inputs it is a function of these.
            method = replace(method, kind=EntryKind.FUNCTION, parameters=method.parameters[1:])
        if not fields and not method.is_static:
            texts = {one.qualified_name: one.text for one in extract(code.text, language("java")).functions}
            method = declared.with_receiver(method, texts)
        made_variables = {*fields, *source.assigned, *source.singles, *source.constants}
        return JavaFragment(
            key,
            method=method,
            state=declared.variables(method.owner, made_variables),
            fields=fields,
            classes=classes,
            points=int(answer["points"]),
            counted=reachable_points(source.text(), method.name, answer),
            repairs=tuple(dict.fromkeys(source.repairs)),
            is_harmless=answer["harmful"] is None,
            anew=declared.has_state(method.owner, fields) or method.name == "main",
            is_constant=method.kind is EntryKind.PROGRAM and not re.search(r"\bin\b|\bconsole\b", masked(code.text)),
        )

    def _compile(self, texts: Sequence[str], files: Mapping[str, bytes] | None = None) -> dict[str, Any] | None:
        """What the compiling process answers; None if it ended.

        Args:
            texts: readings of a text.
            files: those around it, by paths that are their names.
        """
        if self._compiler is None:
            self._compiler = self._started("CompileServer")
            self._around = None
        job: dict[str, Any] = {"candidates": list(texts), "whole": files is not None}
        if files is not None and files is not self._around:
            self._around = files
            job["around"] = {
                name.removesuffix(".java").replace("/", "."): content.decode("utf-8", "replace")
                for name, content in files.items()
            }
        try:
            answer = self._compiler.line(self._compiler.send(job), _COMPILE)
        except (ValueError, OSError):
            answer = None
        if answer is None or "crashed" in answer:
            self._compiler.kill()
            self._compiler = None
        return answer

    # -- running --------------------------------------------------------------------------------------------------

    def _observe(self, fragment: JavaFragment, calls: Sequence[CallInput], seed: int) -> list[Observation]:
        """Run calls; after one that ends the process, the next ones run in a new process."""
        if fragment.is_constant:
            # A program that reads nothing does the same with every input.
            (only,) = self._observe_each(fragment, calls[:1], seed)
            return [only, *[replace(only, reached=())] * (len(calls) - 1)]
        return self._observe_each(fragment, calls, seed)

    def _observe_each(self, fragment: JavaFragment, calls: Sequence[CallInput], seed: int) -> list[Observation]:
        found: list[Observation] = []
        losses = 0
        # A replay is alone, and has the full time.
        is_first = fragment.first_seed in (None, seed)
        slow = self._slow.of_others(fragment.key, seed, calls) if is_first else [False] * len(calls)
        while len(found) < len(calls) and losses < 4:
            server = self._server(fragment, seed)
            at = len(found)
            done, is_clean = self._calls(server, fragment, calls[at:], slow[at:], seed)
            patient = [one for one, is_slow in zip(done, slow[at:], strict=False) if not is_slow]
            self._patience.note(fragment.key, seed, patient)
            if is_first:
                self._slow.note(fragment.key, seed, calls[at:], done)
            found += done
            if not is_clean:
                self._discard(server)
                losses += 1
                if not done:
                    found.append(Observation(ended="exited"))
        return found

    def _calls(
        self, server: JavaServer, fragment: JavaFragment, calls: Sequence[CallInput], slow: Sequence[bool], seed: int
    ) -> tuple[list[Observation], bool]:
        """What calls did in a process, as far as it came, and whether the process can be used again."""
        assert fragment.method is not None
        method = fragment.method
        is_new = fragment.key not in server.loaded
        if is_new:
            server.loaded.append(fragment.key)
        dropped, server.loaded = server.loaded[:-_LOADED], server.loaded[-_LOADED:]
        server.started.add(fragment.key)
        job = {
            "id": fragment.key,
            "drop": dropped,
            "classes": {name: len(one) for name, one in fragment.classes.items()} if is_new else None,
            "owner": method.owner,
            "method": method.name,
            "types": list(method.types),
            "fields": list(fragment.fields),
            "state": list(fragment.state),
            "calls": [list(with_receiver(one, method.parameters).arguments) for one in calls],
            "stdins": [one.stdin for one in calls],
            "short": list(slow),
            "skips": self._slow.is_also_slow(fragment.key),
            "anew": fragment.anew,
            "points": fragment.points,
            "steps": _STEPS,
            "milliseconds": _MILLISECONDS,
            "late": self._patience.late(fragment.key, seed),
            "seed": seed,
        }
        found: list[Observation] = []
        try:
            nonce = server.send(job, b"".join(fragment.classes.values()) if is_new else b"")
            wait = _START
            while True:
                said = server.text(nonce, wait)
                if said is None:
                    code = server.code()
                    raised = None if code is None else f"exit {code}"
                    is_exit = code is not None and 0 <= code < 126
                    ended = None if is_exit else "timed out" if code is None else "exited"
                    if len(found) < len(calls):
                        found.append(Observation(raised=raised if is_exit else None, ended=ended))
                    return found, False
                if said.startswith('{"begun"'):
                    wait = self.seconds_per_call + _FIRST
                    continue
                if said.startswith('{"end"'):
                    return found, parse_json(said)["end"] is True and len(found) == len(calls)
                if len(found) < len(calls):
                    one = self._reader.read(said)
                    changed = with_all(one.changed, calls[len(found)], method.parameters)
                    found.append(one if changed is one.changed else replace(one, changed=changed))
                wait = self.seconds_per_call + 1.0
        except (ValueError, TypeError, KeyError, OSError):
            return [*found, Observation(returned={"cut": "value"})][: len(calls)], False

    def _server(self, fragment: JavaFragment, seed: int) -> JavaServer:
        """The process in which a fragment may run with a seed."""
        if fragment.first_seed is None:
            fragment.first_seed = seed
        is_first = seed == fragment.first_seed
        if not fragment.is_harmless:
            known = self._own.pop((fragment.key, seed), None) if is_first else None
            # A replay with another seed is the only run of its process.
            stale = [one for one in self._own if one[1] != seed and one[0] == fragment.key] if not is_first else []
            for one in stale[: max(0, len(stale) - 1)]:
                self._own.pop(one).kill()
            while len(self._own) >= _OWN:
                self._own.popitem(last=False)[1].kill()
            made = known or self._fresh()
            if not is_first and (fragment.key, seed) in self._own:
                self._own.pop((fragment.key, seed)).kill()
            self._own[fragment.key, seed] = made
            return made
        if not is_first:
            replay = self._replay
            is_used = replay is None or replay[0] != seed or fragment.key in replay[1].started
            if is_used or replay is None or len(replay[1].started) >= 2:
                if replay is not None:
                    replay[1].kill()
                self._replay = replay = (seed, self._fresh())
            return replay[1]
        if self._shared is not None and len(self._shared.started) >= _SHARED_FRAGMENTS:
            self._discard(self._shared)
        if self._shared is None:
            self._shared = self._fresh()
        return self._shared

    def _fresh(self) -> JavaServer:
        """A process in which nothing ran; the next one starts meanwhile."""
        made = self._spare or self._started("RunServer")
        self._spare = self._started("RunServer")
        return made

    def _started(self, main: str) -> JavaServer:
        if self._classes is None:
            self._classes = server_classes(self.sandbox)
        return JavaServer.start(self.sandbox, self._classes, main)

    def _discard(self, server: JavaServer) -> None:
        server.kill()
        if self._shared is server:
            self._shared = None
        if self._replay is not None and self._replay[1] is server:
            self._replay = None
        for key in [key for key, one in self._own.items() if one is server]:
            del self._own[key]


def _with_environment(method: JavaMethod, source: JavaSource) -> JavaMethod:
    """A method with a further parameter, which decides what the methods do that the fragment misses."""
    name = f"any {', '.join(source.assumptions)}"
    parameter = EntryParameter(name, (InputType("int", bits=16),), implicit=True)
    return replace(method, parameters=(*method.parameters, parameter))


def _first_line(errors: Sequence[Mapping[str, Any]]) -> str:
    return str(errors[0]["message"]).splitlines()[0][:200] if errors else ""


def _why_not(errors: Sequence[Mapping[str, Any]]) -> tuple[Reason, str]:
    """The reason that a text does not compile, with the symbol that is missing."""
    for error in errors:
        code, words = str(error["code"]), str(error["message"]).split()
        if code.startswith("compiler.err.cant.resolve") and "symbol:" in words:
            return Reason.SYMBOL, words[words.index("symbol:") + 2].partition("(")[0][:200]
        if code == "compiler.err.doesnt.exist":
            return Reason.PACKAGE, words[1][:200]
    return Reason.COMPILE, _first_line(errors)
