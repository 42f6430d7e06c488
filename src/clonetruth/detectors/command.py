"""A detector that is a program: a folder with a `detector.toml`, in any language and any environment.

The program reads JSON lines from standard input and answers with JSON lines on standard output (docs/own-detector.md):

    → {"fragment": 0, "language": "java", "text": "…", "question": 0}    each fragment once
    → {"pair": 0, "left": 0, "right": 1, "question": 0}                  each pair once
    → {"end": true, "question": 0}                                       now everything must be answered
    ← {"pair": 0, "score": 0.83, "question": 0}                          in any order; null: it cannot score the pair

An answer may repeat the number of its question, and is refused if that is not the present one. Without it, an answer
that arrives late could count for the next question, whose pairs have the same numbers.

With `answers = "vectors"` it gets no pairs, and answers `{"fragment": 0, "vector": […]}`; a score is then the cosine
of two vectors.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import selectors
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from clonetruth.budgets import budget, read_text
from clonetruth.code.similarity import Floats
from clonetruth.detectors.detector import side_rows
from clonetruth.detectors.embedding.cosines import cosines_with_all, pair_cosines, unit_vectors
from clonetruth.detectors.search import QueryScores
from clonetruth.errors import InputError, PluginError
from clonetruth.parsing import finite_number, parse_json, parse_toml, require_finite
from clonetruth.progress import Progress, no_progress

DESCRIPTION = "detector.toml"
"""The file that makes a folder a detector."""
PROTOCOL = 1
_KEYS = {"protocol", "name", "description", "command", "threshold", "answers", "seconds"}
_SCORES, _VECTORS = "scores", "vectors"
_SECONDS = 600.0
_TAIL = 2_000
"""Bytes at the end of a program's standard error that messages show."""
_PATIENCE = 1.0
"""Seconds of silence after which we look whether the program still runs."""
_HINT = "Print one JSON object per answer to standard output, and everything else to standard error."
_GO_ON = (
    "Answer everything when the line with `end` comes, flush standard output, and go on reading: standard input stays "
    "open, and other questions may follow."
)


@dataclass(frozen=True, eq=False)
class CommandDetector:
    """A detector that asks a program.

    Attributes:
        name: see `Detector`.
        description: see `Detector`.
        default_threshold: see `Detector`.
        command: the program and its arguments.
        folder: the folder in which it runs.
        vectors: whether it answers with vectors of fragments instead of scores of pairs.
        seconds: how long it may be silent.
    """

    name: str
    description: str
    default_threshold: float | None
    command: tuple[str, ...]
    folder: Path
    vectors: bool = False
    seconds: float = _SECONDS
    _running: list[_Program] = field(default_factory=list, repr=False)

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. The program is started with the first pairs, and runs until the detector is dropped.

        Raises:
            PluginError: the program cannot be started, ends, is silent for too long, or answers with anything else.
        """
        left, right = side_rows(fragments, pairs)
        report = progress or no_progress
        if not len(left):
            return pa.array([], pa.float64())
        if self.vectors:
            scores = pair_cosines(unit_vectors(self.embed(fragments, progress=report)), left, right)
        else:
            scores = self._ask(_Scores(len(left)), fragments, zip(left.tolist(), right.tolist(), strict=True), report)
        return pa.array(scores, pa.float64(), mask=np.isnan(scores))

    def embed(self, fragments: pa.Table, *, progress: Progress | None = None) -> Floats:
        """The vectors of fragments, a row each; NaN for a fragment without a vector.

        Raises:
            PluginError: as for `score`.
        """
        return self._ask(_Vectors(fragments.num_rows), fragments, (), progress or no_progress)

    def _ask(
        self, answers: _Scores | _Vectors, fragments: pa.Table, pairs: Iterable[tuple[int, int]], report: Progress
    ) -> Floats:
        if not self._running:
            self._running.append(_Program(self.command, self.folder, self.seconds))
        program = self._running[0]
        try:
            program.ask(fragments, pairs, answers, report)
        except BaseException:
            self.close()
            raise
        return answers.array()

    def close(self) -> None:
        """Stop the program; the next pairs start it again."""
        while self._running:
            self._running.pop().stop()


@dataclass(frozen=True, eq=False)
class VectorProgram(CommandDetector):
    """A program that answers with vectors: clone search asks it for each fragment once."""

    vectors: bool = True

    def query_scores(self, fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None) -> QueryScores:
        """See `detectors.search.query_scores`.

        Raises:
            PluginError: as for `score`.
        """
        return cosines_with_all(unit_vectors(self.embed(fragments, progress=progress)))


def is_command_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a folder holds a detector that is a program."""
    return (Path(path) / DESCRIPTION).is_file()


def read_command_detector(folder: str | os.PathLike[str]) -> CommandDetector:
    """Read the `detector.toml` of a folder. The program itself is started when there are pairs to score.

    Raises:
        InputError: the description is missing or not valid.
    """
    path = Path(folder) / DESCRIPTION
    try:
        said = parse_toml(read_text(path))
    except FileNotFoundError as error:
        raise InputError(f"Not a detector: {DESCRIPTION} is missing.", where=folder) from error
    except (OSError, ValueError) as error:
        raise InputError(f"The description of the detector cannot be read: {error}.", where=path) from error
    unknown = sorted(said.keys() - _KEYS)
    if unknown:
        raise InputError(f"Unknown key '{unknown[0]}'.", where=path, hint=f"Known: {', '.join(sorted(_KEYS))}.")
    if said.get("protocol") != PROTOCOL:
        raise InputError(f"The detector does not say `protocol = {PROTOCOL}`.", where=path)
    command = said.get("command")
    if not (isinstance(command, list) and command and all(isinstance(one, str) and one for one in command)):
        raise InputError("`command` is not a list of words.", where=path, hint='For example ["python3", "score.py"].')
    answers = said.get("answers", _SCORES)
    if answers not in (_SCORES, _VECTORS):
        raise InputError(f"`answers` is neither '{_SCORES}' nor '{_VECTORS}'.", where=path)
    name = said.get("name", Path(folder).resolve().name)
    if not isinstance(name, str) or not name.strip():
        raise InputError("`name` is not a text.", where=path)
    description = str(said.get("description", f"The score of the program '{command[0]}'."))
    threshold = _number(said, "threshold", path)
    seconds = _number(said, "seconds", path)
    if seconds is not None and seconds <= 0:
        raise InputError("`seconds` is not greater than 0.", where=path)
    kind = VectorProgram if answers == _VECTORS else CommandDetector
    return kind(name, description, threshold, tuple(command), Path(folder), answers == _VECTORS, seconds or _SECONDS)


def _number(said: dict[str, Any], key: str, path: Path) -> float | None:
    value = said.get(key)
    if value is None:
        return None
    number = finite_number(value)
    if number is None:
        raise InputError(f"`{key}` is not a number.", where=path)
    return number


def _lines(fragments: pa.Table, pairs: Iterable[tuple[int, int]], question: int) -> Iterator[dict[str, Any]]:
    """A question: fragments and pairs, by their rows."""
    columns = (fragments[name].to_pylist() for name in ("language", "text"))
    for row, (language, text) in enumerate(zip(*columns, strict=True)):
        yield {"fragment": row, "language": language, "text": text, "question": question}
    for row, (left, right) in enumerate(pairs):
        yield {"pair": row, "left": left, "right": right, "question": question}
    yield {"end": True, "question": question}


class _Scores:
    """The scores of pairs, as they arrive."""

    what = "Scoring pairs"

    def __init__(self, count: int) -> None:
        self.count, self.open = count, count
        self._values = np.full(count, np.nan)
        self._seen = np.zeros(count, dtype=bool)

    def take(self, said: dict[str, Any]) -> None:
        """Take an answer.

        Raises:
            ValueError: it is not a new score of a pair.
        """
        row = said.get("pair")
        _check_row("pair", row, self._seen)
        score = _stated(said, "score")
        if score is not None:
            self._values[row] = require_finite(score)
        self._seen[row] = True
        self.open -= 1

    def array(self) -> Floats:
        return self._values


class _Vectors:
    """The vectors of fragments, as they arrive."""

    what = "Embedding fragments"

    def __init__(self, count: int) -> None:
        self.count, self.open = count, count
        self._vectors: list[list[float] | None] = [None] * count
        self._seen = np.zeros(count, dtype=bool)
        self._width: int | None = None

    def take(self, said: dict[str, Any]) -> None:
        """Take an answer.

        Raises:
            ValueError: it is not a new vector of a fragment, or has another length than the others.
        """
        row = said.get("fragment")
        _check_row("fragment", row, self._seen)
        vector = _stated(said, "vector")
        if vector is not None:
            if not isinstance(vector, list) or not vector:
                raise ValueError("'vector' is not a list of numbers")
            self._width = self._width or len(vector)
            if len(vector) != self._width:
                raise ValueError(f"a vector has the length {len(vector)}, the first one {self._width}")
            assert isinstance(row, int)
            self._vectors[row] = [require_finite(one) for one in vector]
        self._seen[row] = True
        self.open -= 1

    def array(self) -> Floats:
        nothing = [math.nan] * (self._width or 1)
        return np.array([one or nothing for one in self._vectors], dtype=np.float64)


def _stated(said: dict[str, Any], key: str) -> Any:
    if key not in said:
        raise ValueError(f"it has no '{key}'; null stands for none")
    return said[key]


def _check_row(kind: str, row: object, seen: np.typing.NDArray[np.bool_]) -> None:
    if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < len(seen):
        raise ValueError(f"'{kind}' is not the number of a {kind}")
    if seen[row]:
        raise ValueError(f"{kind} {row} is answered twice")


class _Program:
    """The running program. It ends with the detector."""

    def __init__(self, command: Sequence[str], folder: Path, seconds: float) -> None:
        self._folder, self._seconds = folder, seconds
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise PluginError(
                f"The detector's program '{command[0]}' cannot be started: {error.strerror}.", where=folder
            ) from error
        self._rest = b""
        self._question = -1
        self._errors = bytearray()
        self._listener = threading.Thread(target=_listen, args=(self._process, self._errors), daemon=True)
        self._listener.start()
        self._finalizer = weakref.finalize(self, _stop, self._process)

    def stop(self) -> None:
        """Stop it, and everything that it started."""
        self._finalizer()

    def ask(
        self, fragments: pa.Table, pairs: Iterable[tuple[int, int]], answers: _Scores | _Vectors, report: Progress
    ) -> None:
        """Send a question and wait for all answers.

        Raises:
            PluginError: the program ends, is silent for too long, or its answer is invalid.
        """
        self._check_silence()
        self._question += 1
        lines = _lines(fragments, pairs, self._question)
        writer = threading.Thread(target=self._write, args=(lines,), daemon=True)
        writer.start()
        while answers.open:
            before = answers.open
            for line in self._read_lines(answers):
                try:
                    said = parse_json(line)
                    if not isinstance(said, dict):
                        raise ValueError("it is not a JSON object")
                    if said.get("question", self._question) != self._question:
                        raise ValueError(f"it does not belong to the present question, {self._question}")
                    answers.take(said)
                except ValueError as error:
                    shown = line[:80].decode("utf-8", errors="replace")
                    why = "it is not JSON" if isinstance(error, json.JSONDecodeError) else error
                    raise self._error(f"answered {shown!r}: {why}.") from error
            report(answers.what, before - answers.open, answers.count)
        writer.join(self._seconds)
        if writer.is_alive():
            raise self._error("answered all pairs, but does not read to the end of the question.")
        self._check_silence()

    def _check_silence(self) -> None:
        """Check that nothing comes between two questions: it would count as an answer to the next one.

        Raises:
            PluginError: there is something.
        """
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if selector.select(0):
                self._rest += os.read(self._process.stdout.fileno(), 1 << 16)
        if self._rest.strip():
            shown = self._rest.strip()[:80].decode("utf-8", errors="replace")
            when = "before it was asked anything" if self._question < 0 else "after it had answered everything"
            raise self._error(f"wrote {shown!r} {when}.")

    def _write(self, lines: Iterable[dict[str, Any]]) -> None:
        assert self._process.stdin is not None
        # The reader of the answers notices that the program has ended.
        with contextlib.suppress(OSError, ValueError):
            for line in lines:
                data = memoryview((json.dumps(line) + "\n").encode())
                while data:
                    data = data[self._process.stdin.write(data) or 0 :]

    def _read_lines(self, answers: _Scores | _Vectors) -> list[bytes]:
        """The complete lines that arrive next."""
        assert self._process.stdout is not None
        deadline = time.monotonic() + self._seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if len(self._rest) > budget().line:
                    raise self._error("wrote a line that never ends.")
                left = deadline - time.monotonic()
                ended = self._process.poll() is not None
                if left <= 0 and not ended:
                    did = "wrote no complete line" if self._rest else "was silent"
                    lacking = f"{answers.open:,} of {answers.count:,} answers are missing"
                    raise self._error(f"{did} for {self._seconds:g} seconds; {lacking}.", _GO_ON)
                # A process that the program started may keep its output open: the end of the output is not awaited.
                ready = selector.select(0 if ended else min(left, _PATIENCE))
                piece = os.read(self._process.stdout.fileno(), 1 << 16) if ready else b""
                if not piece and (ready or ended):
                    raise self._error(
                        f"ended with exit code {self._process.wait()}, {answers.open:,} of {answers.count:,} "
                        "answers before the end.",
                        _GO_ON if self._process.returncode == 0 else _HINT,
                    )
                self._rest += piece
        *complete, self._rest = self._rest.split(b"\n")
        return [line for line in complete if line.strip()]

    def _error(self, what: str, hint: str = _HINT) -> PluginError:
        if self._process.poll() is not None:
            self._listener.join(1.0)
        said = self._errors.decode("utf-8", errors="replace").strip()
        end = f" It wrote to standard error: {said}" if said else ""
        return PluginError(f"The detector's program {what}{end}", where=self._folder, hint=hint)


def _listen(process: subprocess.Popen[bytes], tail: bytearray) -> None:
    """Keep the end of what a program writes to standard error."""
    assert process.stderr is not None
    with contextlib.suppress(OSError, ValueError):
        while piece := os.read(process.stderr.fileno(), 1 << 16):
            tail += piece
            del tail[:-_TAIL]


def _stop(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
