"""Runs whole programs of any language in the sandbox: the host's side of `inside/program_server.py`."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
import select
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from clonetruth.errors import MissingExtraError
from clonetruth.execution.harness.harness import CallInput, Code, EntryKind, FragmentRun, Observation, Reason
from clonetruth.execution.harness.program_languages import HEADER, PROGRAM_LANGUAGES, ProgramLanguage
from clonetruth.execution.sandbox import Ending, Limits, Sandbox, SandboxProcess, start
from clonetruth.execution.sandbox.bubblewrap import inside
from clonetruth.execution.sandbox.process import MEGABYTE
from clonetruth.execution.sandbox.seccomp import seccomp_filter
from clonetruth.parsing import parse_json

_PACKAGE = "clonetruth.execution.harness.inside"
_IMPORTS = re.compile(rf"^ *from {re.escape(_PACKAGE)}(?:\.(\w+))? import ([\w, ]*)", re.MULTILINE)
"""What a program inside imports from its own package: `from PACKAGE.module import …`, `from PACKAGE import module`."""
_NATIVE = ("fork_server.c", "spawn.c")
_MAX_LINE = 40 << 20
_GRACE = 5.0
"""Seconds that the server may take beyond those of compiling and running."""

_CLOCK = 3
"""How much longer a run may take by the clock than on the processor, which others use, too."""

_COMPILER = Limits(seconds=40, cpu_seconds=40, memory=4096 * MEGABYTE, open_files=512, processes=256)
_CONVERT_PYTHON = f"import sys; sys.path.append('.'); from {_PACKAGE}.python_program import main; main(sys.argv[1])"


@dataclass(frozen=True)
class ProgramSource:
    """A program.

    Attributes:
        language: a name in `PROGRAM_LANGUAGES`.
        files: its files by path.
        main: the file to start.
    """

    language: str
    files: Mapping[str, bytes] = field(hash=False)
    main: str

    @classmethod
    def of(cls, code: Code) -> ProgramSource:
        """A piece of code as a program of one file, with the further files that it brings."""
        main = PROGRAM_LANGUAGES[code.language].file
        if code.language == "java":
            main = _java_file(code.text)
        files = {name: content for name, content in code.files.items() if name != code.path}
        return cls(code.language, {**files, main: code.text.encode("utf-8", "surrogateescape")}, main)

    def compiled_with(self, around: Callable[[bytes], bool]) -> ProgramSource:
        """The same program with those of the sources around it of which `around` says so; other files stay."""
        suffix = PurePosixPath(self.main).suffix
        files = {
            name: content
            for name, content in self.files.items()
            if name == self.main or PurePosixPath(name).suffix != suffix or around(content)
        }
        return replace(self, files=files)


@dataclass(frozen=True)
class ProgramOutcome:
    """What a program did with one standard input.

    Attributes:
        ending: how it ended.
        code: its exit code or the number of the signal.
        stdout: what it printed.
        stderr: the start of what it wrote to standard error.
        channel: what it wrote to descriptor 3.
    """

    ending: Ending
    code: int | None
    stdout: bytes
    stderr: bytes = b""
    channel: bytes = b""

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself with exit code 0."""
        return self.ending is Ending.EXITED and self.code == 0


@dataclass(frozen=True)
class ProgramRun:
    """What a program did.

    Attributes:
        compiled: whether it could be compiled.
        compile_output: what the compiler says.
        outcomes: one for each standard input, as far as the time was enough.
        broken: whether the sandbox ended.
    """

    compiled: bool
    compile_output: str
    outcomes: tuple[ProgramOutcome, ...] = ()
    broken: bool = False


@dataclass
class ProgramRunner:
    """A sandbox that compiles and runs one program after the other; none knows anything of the others.

    Use it as a context manager.

    Attributes:
        sandbox: what encloses everything.
        seconds: for all runs of a program together.
        stayed: how many programs were compiled by compilers that stay.
    """

    sandbox: Sandbox
    seconds: float = 20.0
    stayed: int = 0
    _process: SandboxProcess | None = field(default=None, repr=False)
    _sent: set[str] = field(default_factory=set, repr=False)

    def __enter__(self) -> ProgramRunner:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        """End the sandbox; the next run starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        self._sent.clear()

    def run(
        self,
        source: ProgramSource,
        stdins: Sequence[str] = (),
        seconds_per_run: float = 5.0,
        *,
        language: ProgramLanguage | None = None,
        arguments: Sequence[str] = (),
    ) -> ProgramRun:
        """Compile a program and run it once for each standard input, each time in fresh folders.

        What was compiled is kept, so that the next call with the same program only runs it.

        Args:
            source: the program.
            stdins: standard inputs.
            seconds_per_run: of CPU time, for each of them; by the clock it may take three times as long.
            language: how to compile and run it (default: as `PROGRAM_LANGUAGES` says).
            arguments: further words of the command that runs it.

        Raises:
            MissingExtraError: the sandbox or the toolchain is not complete.
            ValueError: the name of a file leads out of the working folder.
        """
        how = language or PROGRAM_LANGUAGES[source.language]
        missing = how.missing(self.sandbox)
        if missing:
            raise MissingExtraError(f"Not installed: {', '.join(missing)}.", hint=how.install)
        files = dict(source.files)
        for name in files:
            inside(name)
        if source.language == "python":
            files |= inside_files("python_program.py", "python_fragment.py")
        compiling = self._command(how.compile, source)
        key = _digest(files, compiling, source.main)
        job: dict[str, Any] = {
            "key": key,
            "files": None if key in self._sent else _encoded(files),
            "compile": compiling,
            "fast": self._fast(how),
            "staying": how.staying,
            "compile_limits": _as_job(_COMPILER, _COMPILER.seconds),
            "run": [*(self._command(how.run, source) or ()), *arguments],
            "run_limits": _as_job(how.limits, seconds_per_run),
            "stdins": list(stdins),
            "seconds": self.seconds,
            "variables": dict(how.variables),
            "filter": _filter(),
        }
        try:
            answer = self._answer(job)
            if answer.get("unknown") is True:
                # The server had to make room for others.
                answer = self._answer({**job, "files": _encoded(files)})
            self._sent.add(key)
            said = base64.b64decode(answer["said"]).decode(errors="replace")
            self.stayed += answer["stayed"] is True
            return ProgramRun(answer["compiled"] is True, said, tuple(map(_outcome, answer["outcomes"])))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self.close()
            return ProgramRun(False, str(error)[:200], broken=True)

    def _answer(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """What the server answers to a job.

        Raises:
            ValueError: it is not an answer to this job, or the sandbox ended.
        """
        nonce = secrets.token_hex(16)
        line = self._ask(
            json.dumps({"nonce": nonce, **job}).encode() + b"\n", self.seconds + _COMPILER.seconds * _CLOCK + _GRACE
        )
        if line is None:
            raise ValueError("the sandbox ended")
        answer = parse_json(line)
        if not isinstance(answer, dict) or answer["nonce"] != nonce:
            raise ValueError("a foreign answer")
        return answer

    def _command(self, command: str, source: ProgramSource) -> list[str] | None:
        if not command:
            return None
        main = PurePosixPath(source.main)
        sources = sorted(name for name in source.files if PurePosixPath(name).suffix == main.suffix)
        name = _java_class(source) if source.language == "java" else main.stem
        found: list[str] = []
        for word in command.split():
            if word == "{sources}":
                found += sources
            elif word == "CONVERT":
                found += [_CONVERT_PYTHON, source.main]
            else:
                found.append(word.format(main=source.main, name=name))
        return [self.sandbox.find(found[0]) or found[0], *found[1:]]

    def _fast(self, how: ProgramLanguage) -> dict[str, Any] | None:
        """How the server compiles the headers of a language in advance; None if it does not."""
        program = self.sandbox.find(how.compile.split()[0]) if how.header else None
        if program is None:
            return None
        name = f"{HEADER}.hpp"
        options = [word for word in how.fast.split() if word.startswith(("-w", "-O", "-f", "-std"))]
        compiling = [program, *options, "-x", "c++-header", "-o", f"{name}.gch", name]
        return {"header": name, "text": how.header, "compile": compiling, "options": how.fast.split()}

    def _ask(self, request: bytes, seconds: float) -> bytes | None:
        """Send a line and read one; None if the sandbox ended or the time is over."""
        process = self._process = self._process or self._started()
        deadline = time.monotonic() + seconds
        pieces: list[bytes] = []
        length = 0
        waiting = memoryview(request)
        try:
            while waiting:
                waiting = waiting[process.stdin.write(waiting) or 0 :]
            while not pieces or not pieces[-1].endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                    return None
                piece = process.stdout.read(1 << 16)
                length += len(piece)
                if not piece or length > _MAX_LINE:
                    return None
                pieces.append(piece)
        except BrokenPipeError:
            return None
        return b"".join(pieces)

    def _started(self) -> SandboxProcess:
        program = self.sandbox.find("python3")
        if program is None:
            raise MissingExtraError("Python is not installed.", hint="apt-get install python3")
        limits = Limits(
            forks=True,
            cpu_seconds=100_000,
            processes=256,
            memory=None,
            output=_MAX_LINE,
            disk=256 * MEGABYTE,
            open_files=512,
        )
        command = [program, "-E", "-s", "-S", "-B", "-m", f"{_PACKAGE}.program_server"]
        native = {f"{_PACKAGE.replace('.', '/')}/{name}": inside_file(name) for name in _NATIVE}
        return start(self.sandbox, command, inside_files("program_server.py") | native, limits)


def inside_file(name: str) -> bytes:
    """A program for the sandbox, or a part of one."""
    return resources.files(_PACKAGE).joinpath(name).read_bytes()


def inside_files(*names: str) -> dict[str, bytes]:
    """Programs for the sandbox by path, with the packages around them, of which only the names are there.

    What a program imports from its own package comes along.
    """
    parts = _PACKAGE.split(".")
    texts: dict[str, bytes] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name] = inside_file(name)
            for module, imported in _IMPORTS.findall(texts[name].decode()):
                waiting += [f"{one}.py" for one in ([module] if module else re.findall(r"\w+", imported))]
    files = {f"{'/'.join(parts)}/{name}": text for name, text in texts.items()}
    return files | {f"{'/'.join(parts[:depth])}/__init__.py": b"" for depth in range(1, len(parts) + 1)}


def _digest(files: Mapping[str, bytes], compiling: Sequence[str] | None, main: str) -> str:
    """Identifies a program and how it is compiled."""
    found = hashlib.sha256(repr((compiling, main)).encode())
    for name, content in sorted(files.items()):
        found.update(f"{name!r} {len(content)} ".encode("utf-8", "surrogateescape") + content)
    return found.hexdigest()


def _encoded(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(content).decode() for name, content in files.items()}


@cache
def _filter() -> str:
    return base64.b64encode(seccomp_filter()).decode()


def _as_job(limits: Limits, seconds: float) -> dict[str, Any]:
    values = {
        "AS": limits.memory,
        "DATA": limits.data,
        "CPU": int(seconds) + 2,
        "FSIZE": limits.disk,
        "NOFILE": limits.open_files,
        "NPROC": limits.processes,
        "CORE": 0,
    }
    given = {name: value for name, value in values.items() if value is not None}
    return {"seconds": seconds * _CLOCK, "cpu": seconds, "output": limits.output, "resources": given}


def _outcome(said: Mapping[str, Any]) -> ProgramOutcome:
    code = said["code"]
    streams = [base64.b64decode(said[name]) for name in ("stdout", "stderr", "channel")]
    return ProgramOutcome(Ending(said["ending"]), None if code is None else int(code), *streams)


# Java wants files that are named like classes.

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_CLASS = re.compile(r"\b(public\s+)?(?:(?:final|abstract|strictfp)\s+)*(?:class|enum|interface|record)\s+(\w+)")


def _java_file(text: str) -> str:
    """The file that a Java compiler expects: that of the public class."""
    public = [one[2] for one in _CLASS.finditer(_COMMENT.sub("", text)) if one[1]]
    return f"{public[0] if public else 'Main'}.java"


def _java_class(source: ProgramSource) -> str:
    """The class with the main method: the last class that starts before it."""
    text = _COMMENT.sub("", source.files[source.main].decode(errors="replace"))
    package = re.search(r"^\s*package\s+([\w.]+)\s*;", text, re.MULTILINE)
    main = re.search(r"\bstatic\s+(?:public\s+|final\s+)*void\s+main\s*\(", text)
    depth_zero = [one for one in _CLASS.finditer(text) if _depth(text, one.start()) == 0]
    before = [one[2] for one in depth_zero if main is None or one.start() < main.start()]
    name = before[-1] if before else PurePosixPath(source.main).stem
    return f"{package[1]}.{name}" if package else name


def _depth(text: str, position: int) -> int:
    """How many braces are open at a position."""
    return text.count("{", 0, position) - text.count("}", 0, position)


# Programs as the harnesses see them.

_NOT_COMPILED: Sequence[tuple[re.Pattern[str], Reason]] = (
    (re.compile(r"does not parse|SyntaxError"), Reason.PARSE),
    (re.compile(r"fatal error: ([\w./+-]+): No such file"), Reason.PACKAGE),
    (re.compile(r"package ([\w.]+) does not exist"), Reason.PACKAGE),
    (re.compile(r"cannot find package \"([^\"]+)\""), Reason.PACKAGE),
    (re.compile(r"error CS0246: The type or namespace name `?'?([\w.]+)"), Reason.SYMBOL),
    (re.compile(r"[‘'`](\w+)['’] (?:undeclared|was not declared)"), Reason.SYMBOL),
    (re.compile(r"undefined reference to [`‘']([^'’]+)"), Reason.SYMBOL),
    (re.compile(r"unknown type name [‘'](\w+)"), Reason.SYMBOL),
    (re.compile(r"symbol:\s+\w+\s+(\w+)"), Reason.SYMBOL),
    (re.compile(r"error CS0103: The name [`']([\w.]+)"), Reason.SYMBOL),
    (re.compile(r"undefined: (\w+)"), Reason.SYMBOL),
)
_MAIN = re.compile(rb"\b[Mm]ain\s*\(")
_OUT_OF_MEMORY = ("MemoryError", "OutOfMemoryError", "OutOfMemoryException", "NoMemoryError")


def run_program(
    runner: ProgramRunner,
    code: Code,
    calls: Sequence[CallInput] = (),
    *,
    seconds_per_run: float | None = None,
    language: ProgramLanguage | None = None,
) -> FragmentRun:
    """Run a piece of code as a whole program: each call is a standard input.

    Args:
        runner: what runs it.
        code: the program.
        calls: its inputs; without any, say only whether it compiles.
        seconds_per_run: of CPU time, for each input (default: what small inputs need in that language).
        language: how it is compiled and started (default: as its language is).

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    how = language or PROGRAM_LANGUAGES.get(code.language)
    if how is None:
        return FragmentRun(Reason.LANGUAGE, code.language, EntryKind.PROGRAM)
    if how.missing(runner.sandbox):
        return FragmentRun(Reason.TOOLCHAIN, how.install, EntryKind.PROGRAM)
    seconds = how.seconds if seconds_per_run is None else seconds_per_run
    run = _compiled_and_run(runner, ProgramSource.of(code), [one.stdin for one in calls], seconds, language)
    if run.broken:
        return FragmentRun(Reason.SANDBOX, run.compile_output, EntryKind.PROGRAM)
    if not run.compiled:
        reason, detail = why_not_compiled(run.compile_output)
        return FragmentRun(reason, detail, EntryKind.PROGRAM)
    repairs = run.compile_output.split("\n") if code.language == "python" else ()
    observations = tuple(observed_program(one, how) for one in run.outcomes)
    return FragmentRun(
        kind=EntryKind.PROGRAM, entry="main", repairs=tuple(filter(None, repairs)), observations=observations
    )


def _compiled_and_run(
    runner: ProgramRunner,
    source: ProgramSource,
    stdins: Sequence[str],
    seconds: float,
    language: ProgramLanguage | None,
) -> ProgramRun:
    """Run a program, compiled alone if that is enough, else together with the files around it that have no
    `main`: in a folder of programs, each has one."""
    if "{sources}" not in (language or PROGRAM_LANGUAGES[source.language]).compile:
        return runner.run(source, stdins, seconds, language=language)
    alone = source.compiled_with(lambda _: False)
    run = runner.run(alone, stdins, seconds, language=language)
    parts = source.compiled_with(lambda content: not _MAIN.search(content))
    if run.compiled or run.broken or len(parts.files) == len(alone.files):
        return run
    return runner.run(parts, stdins, seconds, language=language)


def why_not_compiled(said: str) -> tuple[Reason, str]:
    """The reason, from what a compiler says, and the symbol or the line that says most."""
    if said.startswith("the compiler ended"):
        return Reason.TIME, said.split("\n")[0]
    for pattern, reason in _NOT_COMPILED:
        found = pattern.search(said)
        if found is not None:
            return reason, (found[1] if found.groups() else said.strip())[:200]
    lines = [line for line in said.splitlines() if "error" in line.lower()] or said.splitlines() or [""]
    return Reason.COMPILE, lines[0].strip()[:200]


def observed_program(outcome: ProgramOutcome, how: ProgramLanguage) -> Observation:
    """What a program did, in the words of harnesses."""
    output = outcome.stdout.decode("utf-8", "backslashreplace")
    if outcome.ending is Ending.SIGNALLED:
        return Observation(output=output, ended=f"signal {outcome.code}")
    if outcome.ending is not Ending.EXITED:
        return Observation(output=output, ended=str(outcome.ending))
    if outcome.code == 0:
        return Observation(output=output)
    said = outcome.stderr.decode("utf-8", "replace")
    names = re.findall(how.error, said, re.MULTILINE) if how.error else []
    name = str(names[-1]).rpartition(".")[2] if names else f"exit {outcome.code}"
    if name in _OUT_OF_MEMORY:
        return Observation(output=output, ended="out of memory")
    absent = re.search(r"No module named '([\w.]+)'|name '(\w+)' is not defined|(\w+) is not defined", said)
    missing = next(filter(None, absent.groups()), None) if absent else None
    return Observation(output=output, raised=name, missing=missing)
